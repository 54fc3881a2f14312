package index

import (
	"encoding/binary"
	"math"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

// Rows are passed between programs as bytes: for each table the number of rows, then the
// rows with their columns in order. A column that may be null has a byte in front.
// Numbers are little-endian. Only programs of the same version understand the bytes, so
// they are not stored.

// AppendBinary appends the rows as bytes.
func (r *Rows) AppendBinary(b []byte) ([]byte, error) {
	for _, t := range tables {
		b = binary.LittleEndian.AppendUint32(b, uint32(r.Len(t)))
		for i, v := range r.Cells(t) {
			b = appendValue(b, &t.Columns()[i%len(t.Columns())], v)
		}
	}
	return b, nil
}

// MarshalBinary returns the rows as bytes.
func (r *Rows) MarshalBinary() ([]byte, error) { return r.AppendBinary(nil) }

func appendValue(b []byte, c *Column, x any) []byte {
	if c.Null {
		b = appendFlag(b, x != nil)
	}
	switch v := x.(type) {
	case int64:
		return binary.LittleEndian.AppendUint64(b, uint64(v))
	case float64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	case bool:
		return appendFlag(b, v)
	case string:
		b = binary.LittleEndian.AppendUint32(b, uint32(len(v)))
		return append(b, v...)
	case []*int64:
		b = binary.LittleEndian.AppendUint32(b, uint32(len(v)))
		for _, n := range v {
			if b = appendFlag(b, n != nil); n != nil {
				b = binary.LittleEndian.AppendUint64(b, uint64(*n))
			}
		}
	case []byte:
		return append(b, v...)
	}
	return b
}

func appendFlag(b []byte, is bool) []byte {
	if is {
		return append(b, 1)
	}
	return append(b, 0)
}

// UnmarshalBinary reads the bytes of MarshalBinary.
func (r *Rows) UnmarshalBinary(data []byte) error {
	*r = Rows{}
	w := wire.NewReader(data, 0)
	for _, t := range tables {
		n := w.Count(len(t.Columns()), t.Name)
		if w.Err() != nil {
			return w.Err()
		}
		var cells []any
		for range n {
			for i := range t.Columns() {
				cells = append(cells, readValue(w, &t.Columns()[i]))
			}
		}
		r.cells[t.number] = cells
	}
	if w.Err() == nil && w.Len() > 0 {
		w.Fail(fault.Corrupt, w.Offset(), "rows", "%d bytes are left", w.Len())
	}
	return w.Err()
}

func readValue(w *wire.Reader, c *Column) any {
	if c.Null && w.U8(c.Name) == 0 {
		return nil
	}
	switch c.Type {
	case Integer:
		return w.I64(c.Name)
	case Real:
		return math.Float64frombits(w.U64(c.Name))
	case Boolean:
		return w.U8(c.Name) != 0
	case Text:
		return string(w.Bytes(w.Count(1, c.Name), c.Name))
	case Bytes:
		return append([]byte{}, w.Bytes(c.Size, c.Name)...)
	}
	list := make([]*int64, w.Count(1, c.Name))
	for i := range list {
		if w.U8(c.Name) != 0 {
			n := w.I64(c.Name)
			list[i] = &n
		}
	}
	return list
}
