package parquet

import "encoding/binary"

// thrift writes Thrift's compact protocol, which Parquet keeps its metadata
// in. A struct is a list of fields, each with the difference of its number to
// the one before and its type, and a zero byte at the end.
type thrift struct {
	out  []byte
	last []int // the number of the last field, for each open struct
}

// Types of the compact protocol.
const (
	typeI32    = 5
	typeI64    = 6
	typeBinary = 8
	typeList   = 9
	typeStruct = 12
)

func (t *thrift) field(number int, kind byte) {
	last := &t.last[len(t.last)-1]
	t.out = append(t.out, byte(number-*last)<<4|kind) // numbers here grow by less than 16
	*last = number
}

func (t *thrift) begin() { t.last = append(t.last, 0) }

func (t *thrift) end() {
	t.out = append(t.out, 0)
	t.last = t.last[:len(t.last)-1]
}

// zigzag numbers are small where the amount is small, whatever the sign.
func (t *thrift) zigzag(v int64) { t.out = binary.AppendVarint(t.out, v) }

func (t *thrift) i32(number int, v int32) {
	t.field(number, typeI32)
	t.zigzag(int64(v))
}

func (t *thrift) i64(number int, v int64) {
	t.field(number, typeI64)
	t.zigzag(v)
}

func (t *thrift) text(number int, s string) {
	t.field(number, typeBinary)
	t.bytes(s)
}

func (t *thrift) bytes(s string) {
	t.out = append(binary.AppendUvarint(t.out, uint64(len(s))), s...)
}

// list begins a list of n elements.
func (t *thrift) list(number, n int, kind byte) {
	t.field(number, typeList)
	const long = 15
	if n < long {
		t.out = append(t.out, byte(n)<<4|kind)
		return
	}
	t.out = binary.AppendUvarint(append(t.out, long<<4|kind), uint64(n))
}

// structure begins a struct that is a field.
func (t *thrift) structure(number int) {
	t.field(number, typeStruct)
	t.begin()
}
