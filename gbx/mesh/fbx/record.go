package fbx

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"math"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

// record is a node record: a name, properties, and child records. It refers to the bytes
// of the file: properties and children are read on demand.
type record struct {
	name   string
	offset int64  // offset of the record in the file
	values []byte // bytes of the properties
	count  int    // number of properties
	body   []byte // bytes of the child records
	start  int64  // offset of body in the file
	file   *file
}

// valuesOffset is the offset of the first property in the file.
func (r *record) valuesOffset() int64 { return r.start - int64(len(r.values)) }

// each calls visit for the child records of r, in the order of the file.
func (r *record) each(visit func(*record) error) error {
	w := wire.NewReader(r.body, r.start)
	for w.Len() > 0 {
		child, err := r.file.record(w)
		if err != nil || child == nil {
			return err
		}
		if err := visit(child); err != nil {
			return err
		}
	}
	return nil
}

// record reads the next record; nil for the empty record that ends a list.
func (f *file) record(w *wire.Reader) (*record, error) {
	r := &record{offset: w.Offset(), file: f}
	word := func(field string) uint64 {
		if f.wide {
			return w.U64(field)
		}
		return uint64(w.U32(field))
	}
	end, count, size := word("end of a record"), word("number of properties"), word("size of the properties")
	name := w.Bytes(int(w.U8("length of a name")), "name of a record")
	if err := w.Err(); err != nil {
		return nil, err
	}
	if end == 0 {
		return nil, nil
	}
	r.name = string(name)
	at := w.Offset()
	last := at + int64(w.Len())
	if end > uint64(last) || int64(end) < at {
		return nil, fault.At(fault.Corrupt, r.offset, r.name, "the record ends at %d, outside of its list, which goes from %d to %d", end, at, last)
	}
	if size > end-uint64(at) || count > size {
		return nil, fault.At(fault.Corrupt, r.offset, r.name, "%d properties in %d bytes, in a record with %d bytes", count, size, end-uint64(at))
	}
	r.count = int(count)
	r.values = w.Bytes(int(size), "properties")
	r.start = w.Offset()
	r.body = w.Bytes(int(int64(end)-r.start), "records")
	return r, w.Err()
}

// property is one property of a record. Letters are those of the format: Y, C, I,
// F, D, L for a number; S and R for bytes; f, d, l, i, b, c for a list of numbers.
type property struct {
	letter byte
	offset int64
	number float64 // value of a number
	id     int64   // value of a whole number
	data   []byte  // the bytes, or the stored form of a list
	count  int     // number of elements in a list
	packed bool    // the list is compressed
}

// properties calls visit for each property, with its position in the record.
func (r *record) properties(visit func(i int, p property) error) error {
	w := wire.NewReader(r.values, r.valuesOffset())
	for i := range r.count {
		p, err := readProperty(w)
		if err != nil {
			return err
		}
		if err := visit(i, p); err != nil {
			return err
		}
	}
	return nil
}

func readProperty(w *wire.Reader) (property, error) {
	p := property{offset: w.Offset(), letter: w.U8("letter of a property")}
	whole := func(v int64) { p.id, p.number = v, float64(v) }
	switch p.letter {
	case 'Y':
		whole(int64(w.I16("property")))
	case 'C', 'B':
		whole(int64(w.U8("property")))
	case 'I':
		whole(int64(w.I32("property")))
	case 'L':
		whole(w.I64("property"))
	case 'F':
		p.number = float64(w.F32("property"))
	case 'D':
		p.number = math.Float64frombits(w.U64("property"))
	case 'S', 'R':
		p.data = w.Bytes(w.Count(1, "length of a property"), "property")
	case 'f', 'd', 'l', 'i', 'b', 'c':
		p.list(w)
	default:
		w.Fail(fault.Corrupt, p.offset, "property", "no property has the letter %q", p.letter)
	}
	return p, w.Err()
}

// sizes of the elements of lists, by their letter.
var sizes = map[byte]int64{'f': 4, 'd': 8, 'l': 8, 'i': 4, 'b': 1, 'c': 1}

// mostDeflate is the highest compression of deflate: 258 bytes become 2 bits.
const mostDeflate = 1032

func (p *property) list(w *wire.Reader) {
	count, form, size := int64(w.U32("numbers of a list")), w.U32("form of a list"), w.U32("size of a list")
	p.data = w.Bytes(int(size), "list")
	if w.Err() != nil {
		return
	}
	p.count, p.packed = int(count), form == 1
	wanted := count * sizes[p.letter]
	switch {
	case form > 1:
		w.Fail(fault.Unsupported, p.offset, "list", "form %d of a list; forms 0 and 1 are known", form)
	case form == 0 && wanted != int64(size):
		w.Fail(fault.Corrupt, p.offset, "list", "%d numbers in %d bytes", count, size)
	case form == 1 && wanted > mostDeflate*int64(size):
		w.Fail(fault.Corrupt, p.offset, "list", "%d numbers in %d compressed bytes", count, size)
	}
}

// list is the numbers of a list property.
type list struct {
	letter byte
	data   []byte // unpacked
	count  int
	offset int64
}

// list reads the first property of the record as a list.
func (r *record) list() (list, error) {
	var out list
	err := r.properties(func(i int, p property) error {
		if i > 0 {
			return nil
		}
		if sizes[p.letter] == 0 {
			return fault.At(fault.Corrupt, p.offset, r.name, "the record has no list of numbers")
		}
		out = list{p.letter, p.data, p.count, p.offset}
		if !p.packed {
			return nil
		}
		var err error
		out.data, err = r.file.unpack(p, r.name)
		return err
	})
	if err == nil && out.letter == 0 {
		err = fault.At(fault.Corrupt, r.offset, r.name, "the record has no list of numbers")
	}
	return out, err
}

func (f *file) unpack(p property, name string) ([]byte, error) {
	size := int64(p.count) * sizes[p.letter]
	if err := f.charge(size, p.offset); err != nil {
		return nil, err
	}
	z, err := zlib.NewReader(bytes.NewReader(p.data))
	if err != nil {
		return nil, &fault.Error{Kind: fault.Corrupt, Offset: p.offset, Field: name, Err: err}
	}
	out := make([]byte, size)
	if _, err = io.ReadFull(z, out); err == nil {
		var more [1]byte // read to the end, where the checksum is
		if n, end := z.Read(more[:]); n > 0 || end != io.EOF {
			return nil, fault.At(fault.Corrupt, p.offset, name, "the compressed list is damaged or has more than its %d numbers", p.count)
		}
		return out, nil
	}
	return nil, &fault.Error{Kind: fault.Corrupt, Offset: p.offset, Field: name, Err: err}
}

// float returns the i-th element as a float.
func (l *list) float(i int) float64 {
	switch l.letter {
	case 'd':
		return math.Float64frombits(binary.LittleEndian.Uint64(l.data[8*i:]))
	case 'f':
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(l.data[4*i:])))
	}
	return float64(l.int(i))
}

// int returns the i-th element as an integer.
func (l *list) int(i int) int64 {
	switch l.letter {
	case 'i':
		return int64(int32(binary.LittleEndian.Uint32(l.data[4*i:])))
	case 'l':
		return int64(binary.LittleEndian.Uint64(l.data[8*i:]))
	case 'b', 'c':
		return int64(l.data[i])
	}
	return int64(l.float(i))
}
