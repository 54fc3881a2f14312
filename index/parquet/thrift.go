package parquet

import "encoding/binary"

// thrift appends values in the compact protocol of Apache Thrift, which Parquet uses for
// headers: github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
type thrift struct {
	b    []byte
	last []int16 // number of the last field of each open struct
}

// Types of fields.
const (
	thriftTrue   = 1
	thriftInt32  = 5
	thriftInt64  = 6
	thriftBinary = 8
	thriftList   = 9
	thriftStruct = 12
)

// field starts a field of the open struct: the difference to the last field number, and
// the type.
func (t *thrift) field(number int16, kind byte) {
	last := &t.last[len(t.last)-1]
	t.b = append(t.b, byte(number-*last)<<4|kind)
	*last = number
}

// number appends a field with an integer of any width.
func (t *thrift) number(field int16, kind byte, v int64) {
	t.field(field, kind)
	t.b = binary.AppendVarint(t.b, v)
}

func (t *thrift) int32(field int16, v int)   { t.number(field, thriftInt32, int64(v)) }
func (t *thrift) int64(field int16, v int64) { t.number(field, thriftInt64, v) }

func (t *thrift) text(field int16, v string) {
	t.field(field, thriftBinary)
	t.string(v)
}

// string appends a text: an element of a list, or the value of a field.
func (t *thrift) string(v string) {
	t.b = append(binary.AppendUvarint(t.b, uint64(len(v))), v...)
}

// list appends a field with a list of n elements. element appends the i-th one.
func (t *thrift) list(field int16, kind byte, n int, element func(i int)) {
	t.field(field, thriftList)
	if n < 15 {
		t.b = append(t.b, byte(n)<<4|kind)
	} else {
		t.b = binary.AppendUvarint(append(t.b, 15<<4|kind), uint64(n))
	}
	for i := range n {
		element(i)
	}
}

// structure appends a struct: an element of a list, or a whole message.
func (t *thrift) structure(fields func()) {
	t.last = append(t.last, 0)
	fields()
	t.last = t.last[:len(t.last)-1]
	t.b = append(t.b, 0)
}

// inner appends a field with a struct.
func (t *thrift) inner(field int16, fields func()) {
	t.field(field, thriftStruct)
	t.structure(fields)
}

// element appends an integer as an element of a list.
func (t *thrift) element(v int64) { t.b = binary.AppendVarint(t.b, v) }

func nothing() {}
