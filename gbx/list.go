package gbx

import (
	"encoding/binary"
	"math"
	"strconv"
	"sync/atomic"
	"unsafe"

	"pakbox/fault"
)

// Lists are read or written in three steps. One of the functions here reads or writes the
// number of elements and, when reading, allocates them. Then the code of the chunk reads
// or writes the elements one by one. [Coder.EndList] closes the list.
//
// minSize is the smallest number of bytes of an element in a binary file. A count that
// does not fit into the remaining bytes is an error, and nothing is allocated for it.
//
// The functions with a type parameter are short, because the compiler makes a copy of
// them for each element type. Methods without one do the work.

// List is for the code of chunks: it opens a list whose count is a 32-bit word.
func List[T any](x *Coder, p *[]T, minSize int, name string) {
	if n := x.list(p, len(*p), sizeOf[T](), minSize, name); n > 0 {
		*p = make([]T, n)
	}
}

// OldList is for the code of chunks: it opens a list with a version word, usually 10,
// before the count.
func OldList[T any](x *Coder, p *[]T, version *uint32, minSize int, name string) {
	x.U32(version, "listVersion")
	List(x, p, minSize, name)
}

// ByteList is for the code of chunks: it opens a list whose count is a byte.
func ByteList[T any](x *Coder, p *[]T, minSize int, name string) {
	if n := x.counted(x.word8, p, len(*p), sizeOf[T](), minSize, name); n > 0 {
		*p = make([]T, n)
	}
}

// ShortList is for the code of chunks: it opens a list whose count has 16 bits.
func ShortList[T any](x *Coder, p *[]T, minSize int, name string) {
	if n := x.counted(x.word16, p, len(*p), sizeOf[T](), minSize, name); n > 0 {
		*p = make([]T, n)
	}
}

// SmallList is for the code of chunks: it opens a list whose count is a small length: one
// byte below 128, otherwise three bytes.
func SmallList[T any](x *Coder, p *[]T, minSize int, name string) {
	if n := x.counted(x.smallLen, p, len(*p), sizeOf[T](), minSize, name); n > 0 {
		*p = make([]T, n)
	}
}

// SizedList is for the code of chunks: it opens a list of n elements without a stored
// count.
func SizedList[T any](x *Coder, p *[]T, n int, minSize int, name string) {
	if n := x.sized(n, p, len(*p), sizeOf[T](), minSize, name); n > 0 {
		*p = make([]T, n)
	}
}

// list reads or writes the count of a list with have elements, each of size bytes in
// memory. It returns the number of elements to allocate, 0 when writing.
func (x *Coder) list(p any, have int, size int64, minSize int, name string) int {
	if i := x.pos; i+4 <= len(x.in) {
		x.pos = i + 4
		return x.room(int64(binary.LittleEndian.Uint32(x.in[i:])), size, minSize, name)
	}
	if x.direct {
		x.put32(uint32(have))
		return 0
	}
	return x.counted(x.word32, p, have, size, minSize, name)
}

// counted is list for a count that the given function reads or writes.
func (x *Coder) counted(code func(v uint64, name string) uint64, p any, have int, size int64, minSize int, name string) int {
	x.begin(name, p)
	switch {
	case x.dead():
		return 0
	case x.source != nil:
		return x.supplied(size, name)
	}
	n := code(uint64(have), name)
	if x.writing {
		return 0
	}
	return x.room(int64(n), size, minSize, name)
}

// sized is list for n elements, without a count in the file.
func (x *Coder) sized(n int, p any, have int, size int64, minSize int, name string) int {
	x.begin(name, p)
	switch {
	case x.dead():
	case x.source != nil:
		return x.supplied(size, name)
	case !x.writing:
		return x.room(int64(n), size, minSize, name)
	case n != have:
		x.Fail(fault.SizeMismatch, name, "has %d elements where the other values call for %d", have, n)
	}
	return 0
}

// word32Live is word32 that returns 0 after an error.
func (x *Coder) word32Live(v uint64, name string) uint32 {
	if x.dead() {
		return 0
	}
	return uint32(x.word32(v, name))
}

// room returns n if the remaining bytes and the limits allow n elements, or
// records an error.
func (x *Coder) room(n, size int64, minSize int, name string) int {
	if x.dead() {
		return 0
	}
	if x.text {
		minSize = 1
	}
	if n < 0 || n > int64((x.limit-x.pos)/max(1, minSize)) {
		x.Fail(fault.Truncated, name, "%d elements take at least %d bytes each, and %d bytes remain", n, minSize, x.limit-x.pos)
		return 0
	}
	if n == 0 || !x.charge(heapSize(n*size), name) {
		return 0
	}
	return int(n)
}

func sizeOf[T any]() int64 {
	var zero T
	return int64(unsafe.Sizeof(zero))
}

// Elem announces element i of a list to the visitor.
func (x *Coder) Elem(i int, p any) {
	if x.watch != nil {
		x.showElem(i, p)
	}
}

func (x *Coder) showElem(i int, p any) { x.showBegin(elemName(i), p) }

// ElemName returns the name of element i for the visitor; "" without a visitor.
func (x *Coder) ElemName(i int) string {
	if x.watch == nil {
		return ""
	}
	return elemName(i)
}

// EndElem closes the element that was announced last.
func (x *Coder) EndElem() { x.end() }

// EndList closes the list that was opened last.
func (x *Coder) EndList() { x.end() }

// While is for the code of chunks: it reads or writes a list with a byte 1 before each
// element and a byte 0 at the end. A call handles one such byte. When reading, it also
// appends the element.
//
//	for i := 0; gbx.While(x, &c.Events, i, "events"); i++ { … }
func While[T any](x *Coder, p *[]T, i int, name string) bool {
	if x.dead() {
		return false
	}
	more := uint64(0)
	if i < len(*p) || x.source != nil && i < x.source.Len(name) {
		more = 1
	}
	v := more
	if x.source == nil {
		v = x.word8(more, name)
	}
	if x.dead() || v == 0 {
		return false
	}
	if v != 1 {
		x.Fail(fault.Corrupt, name, "the byte before an element is %d, not 1 or 0", v)
		return false
	}
	return x.writing || Append(x, p, name) != nil
}

// Append is for the code of chunks: it appends an element to a list that is being read
// and whose length is unknown; nil if the limits do not allow it.
func Append[T any](x *Coder, p *[]T, name string) *T {
	if x.dead() {
		return nil
	}
	n := len(*p)
	if n == cap(*p) {
		more := max(4, n) // doubling, so that all outgrown lists together are no larger than the last
		if !x.charge(heapSize(int64(n+more)*sizeOf[T]()), name) {
			return nil
		}
		longer := make([]T, n, n+more)
		copy(longer, *p)
		*p = longer
	}
	*p = (*p)[:n+1]
	return &(*p)[n]
}

// smallLen reads or writes a small length.
func (x *Coder) smallLen(v uint64, name string) uint64 {
	if x.writing {
		switch {
		case v < 0x80:
			x.out = append(x.out, uint8(v))
		case v < 1<<23:
			x.out = append(x.out, uint8(v)|0x80, uint8(v>>7), uint8(v>>15))
		default:
			x.Fail(fault.SizeMismatch, name, "%d is too long for a small length", v)
		}
		return v
	}
	b := x.take(1, name)
	if b == nil || b[0] < 0x80 {
		if b == nil {
			return 0
		}
		return uint64(b[0])
	}
	v = uint64(b[0] & 0x7F)
	if b = x.take(2, name); b == nil {
		return 0
	}
	v |= uint64(binary.LittleEndian.Uint16(b)) << 7
	if v < 0x80 {
		x.Fail(fault.Corrupt, name, "the length %d takes three bytes, not one", v)
	}
	return v
}

// SmallLen reads or writes a number as a small length.
func (x *Coder) SmallLen(p *uint32, name string) { word(x, p, name, x.smallLen) }

// SmallString reads or writes a text with a small length before it.
func (x *Coder) SmallString(p *string, name string) {
	at, ok := x.announce(name, p)
	if !ok {
		return
	}
	n := x.smallLen(uint64(len(*p)), name)
	if x.writing {
		x.out = append(x.out, *p...)
	} else {
		*p = x.takeString(int(n), name)
	}
	x.coded(name, p, at)
}

// OptimizedInt reads or writes a number below count in one, two or four bytes.
func (x *Coder) OptimizedInt(p *uint32, count int, name string) {
	switch i := x.pos; {
	case count > math.MaxUint16:
		x.U32(p, name)
	case count > math.MaxUint8 && i+2 <= len(x.in):
		*p = uint32(binary.LittleEndian.Uint16(x.in[i:]))
		x.pos = i + 2
	case count > math.MaxUint8:
		word(x, p, name, x.word16)
	case i < len(x.in):
		*p = uint32(x.in[i])
		x.pos = i + 1
	default:
		word(x, p, name, x.word8)
	}
}

func elemName(i int) string {
	if i >= len(elemNames)*namesAtOnce {
		return "[" + strconv.Itoa(i) + "]"
	}
	at := &elemNames[i/namesAtOnce]
	names := at.Load()
	if names == nil {
		names = new([namesAtOnce]string)
		for k := range names {
			names[k] = "[" + strconv.Itoa(i/namesAtOnce*namesAtOnce+k) + "]"
		}
		at.Store(names)
	}
	return names[i%namesAtOnce]
}

// elemNames caches the names of the first elements, in groups.
const namesAtOnce = 512

var elemNames [256]atomic.Pointer[[namesAtOnce]string]

// Optional is for the code of chunks: it opens a group of optional fields, and
// allocates it when reading.
func Optional[T any](x *Coder, p **T, name string) bool {
	if x.dead() {
		return false
	}
	if !x.writing {
		if !x.charge(heapSize(sizeOf[T]()), name) {
			return false
		}
		*p = new(T)
	} else if *p == nil {
		x.Fail(fault.Corrupt, name, "is missing, and other values say that it is there")
		return false
	}
	x.begin(name, *p)
	return true
}
