package index

import (
	"cmp"
	"encoding/binary"
	"math"
	"reflect"
	"slices"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

// Rows are handed from program to program as bytes: by table the number of rows
// and their columns in order, with a byte before what may be null. Numbers are
// little-endian. The bytes are for programs of the same version, and not kept.

// AppendBinary adds the rows as bytes.
func (r *Rows) AppendBinary(b []byte) ([]byte, error) {
	for _, t := range Tables() {
		rows := t.Of(r)
		b = binary.LittleEndian.AppendUint32(b, uint32(rows.Len()))
		for i := range rows.Len() {
			for k := range t.Columns {
				b = appendColumn(b, rows.Index(i).Field(k))
			}
		}
	}
	return b, nil
}

// MarshalBinary gives the rows as bytes.
func (r *Rows) MarshalBinary() ([]byte, error) { return r.AppendBinary(nil) }

func appendColumn(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		return appendColumn(append(b, 1), v.Elem())
	case reflect.Int64:
		return binary.LittleEndian.AppendUint64(b, uint64(v.Int()))
	case reflect.Float64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Float()))
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.String:
		b = binary.LittleEndian.AppendUint32(b, uint32(v.Len()))
		return append(b, v.String()...)
	case reflect.Slice:
		b = binary.LittleEndian.AppendUint32(b, uint32(v.Len()))
		for i := range v.Len() {
			b = appendColumn(b, v.Index(i))
		}
		return b
	}
	return append(b, v.Slice(0, v.Len()).Bytes()...) // an array, which must be addressable
}

// UnmarshalBinary reads what MarshalBinary gave.
func (r *Rows) UnmarshalBinary(data []byte) error {
	w := wire.NewReader(data, 0)
	for _, t := range Tables() {
		n := w.Count(len(t.Columns), t.Name)
		if w.Err() != nil {
			return w.Err()
		}
		rows := reflect.MakeSlice(reflect.SliceOf(t.Row), n, n)
		for i := range n {
			for k, c := range t.Columns {
				readColumn(w, rows.Index(i).Field(k), c.Name)
			}
		}
		if n == 0 {
			rows = reflect.Zero(rows.Type())
		}
		t.Of(r).Set(rows)
	}
	if w.Err() == nil && w.Len() > 0 {
		w.Fail(fault.Corrupt, w.Offset(), "rows", "%d bytes are left", w.Len())
	}
	return w.Err()
}

func readColumn(w *wire.Reader, v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Pointer:
		if w.U8(name) != 0 {
			v.Set(reflect.New(v.Type().Elem()))
			readColumn(w, v.Elem(), name)
		}
	case reflect.Int64:
		v.SetInt(w.I64(name))
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(w.U64(name)))
	case reflect.Bool:
		v.SetBool(w.U8(name) != 0)
	case reflect.String:
		v.SetString(string(w.Bytes(w.Count(1, name), name)))
	case reflect.Slice:
		if n := w.Count(1, name); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				readColumn(w, v.Index(i), name)
			}
		}
	default:
		reflect.Copy(v, reflect.ValueOf(w.Bytes(v.Len(), name)))
	}
}

// Sort orders the rows as an index gives them: by the path of the file, those
// of one file as they were made.
func (r *Rows) Sort() {
	paths := make(map[int64]string, len(r.Files))
	for i := range r.Files {
		paths[r.Files[i].File] = r.Files[i].Path
	}
	for _, t := range Tables() {
		rows := t.Of(r)
		order := make([]int, rows.Len())
		keys := make([]string, rows.Len())
		for i := range order {
			order[i], keys[i] = i, paths[rows.Index(i).Field(0).Int()]
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
		sorted := reflect.MakeSlice(rows.Type(), len(order), len(order))
		for i, from := range order {
			sorted.Index(i).Set(rows.Index(from))
		}
		rows.Set(sorted)
	}
}
