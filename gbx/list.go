package gbx

import (
	"encoding/binary"
	"math"
	"strconv"
	"sync/atomic"

	"pakbox/fault"
)

// Lists are read or written in three steps. One of the methods here reads or writes the
// number of elements. It returns the number of elements to allocate, which is 0 when
// writing. Then the code of the chunk reads or writes the elements one by one.
// [Coder.EndList] closes the list. Package code has a function for each of the methods,
// which allocates the elements.
//
// p is the address of the list, for the visitor. have is its length, and size the memory
// of an element. minSize is the smallest number of bytes of an element in a binary file. A
// count that does not fit into the remaining bytes is an error, and nothing is allocated
// for it.

// OpenList opens a list whose count is a 32-bit word.
func (x *Coder) OpenList(p any, have int, size int64, minSize int, name string) int {
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

// OpenByteList opens a list whose count is a byte.
func (x *Coder) OpenByteList(p any, have int, size int64, minSize int, name string) int {
	return x.counted(x.word8, p, have, size, minSize, name)
}

// OpenShortList opens a list whose count has 16 bits.
func (x *Coder) OpenShortList(p any, have int, size int64, minSize int, name string) int {
	return x.counted(x.word16, p, have, size, minSize, name)
}

// OpenSmallList opens a list whose count is a small length: one byte below 128, otherwise
// three bytes.
func (x *Coder) OpenSmallList(p any, have int, size int64, minSize int, name string) int {
	return x.counted(x.smallLen, p, have, size, minSize, name)
}

// OpenSizedList opens a list of n elements without a stored count.
func (x *Coder) OpenSizedList(n int, p any, have int, size int64, minSize int, name string) int {
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

// counted is OpenList for a count that the given function reads or writes.
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

// More reads or writes the byte before element i of a list with have elements: 1 if there
// is such an element, 0 at the end of the list.
func (x *Coder) More(i, have int, name string) bool {
	if x.dead() {
		return false
	}
	more := uint64(0)
	if i < have || x.source != nil && i < x.source.Len(name) {
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
	return true
}

// Grow returns the capacity that a list of unknown length needs for one more element of
// size bytes; false if the limits do not allow it.
func (x *Coder) Grow(have, capacity int, size int64, name string) (int, bool) {
	if x.dead() {
		return 0, false
	}
	if have < capacity {
		return capacity, true
	}
	more := have + max(4, have) // doubling keeps the total of all outgrown lists within the size of the last
	return more, x.charge(heapSize(int64(more)*size), name)
}

// Allow subtracts size bytes of memory for values that are read from the memory limit.
// Above the limit it records an error and returns false.
func (x *Coder) Allow(size int64, name string) bool {
	return !x.dead() && x.charge(heapSize(size), name)
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

// OpenOptional charges the memory of a group of optional fields of size bytes. When
// writing, it is an error if the group is missing.
func (x *Coder) OpenOptional(there bool, size int64, name string) bool {
	if x.dead() {
		return false
	}
	if !x.writing {
		return x.charge(heapSize(size), name)
	}
	if !there {
		x.Fail(fault.Corrupt, name, "is missing, and other values say that it is there")
	}
	return there
}
