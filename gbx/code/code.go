// Package code has what the code of chunks calls beside the methods of [gbx.Coder]: lists,
// optional groups, enums, and numbers that chunks store in few bytes. Nearly all code of
// chunks is generated from sheets. A program that only uses files does not need it.
//
// The functions with a type parameter are short, because the compiler makes a copy of
// them for each type. The methods of the Coder do the work.
package code

import (
	"unsafe"

	"pakbox/gbx"
)

// List opens a list whose count is a 32-bit word. minSize is the smallest number of bytes
// of an element in a binary file.
func List[T any](x *gbx.Coder, p *[]T, minSize int, name string) {
	if n := x.OpenList(p, len(*p), sizeOf[T](), minSize, name); n > 0 {
		*p = make([]T, n)
	}
}

// OldList opens a list with a version word, usually 10, before the count.
func OldList[T any](x *gbx.Coder, p *[]T, version *uint32, minSize int, name string) {
	x.U32(version, "listVersion")
	List(x, p, minSize, name)
}

// ByteList opens a list whose count is a byte.
func ByteList[T any](x *gbx.Coder, p *[]T, minSize int, name string) {
	if n := x.OpenByteList(p, len(*p), sizeOf[T](), minSize, name); n > 0 {
		*p = make([]T, n)
	}
}

// ShortList opens a list whose count has 16 bits.
func ShortList[T any](x *gbx.Coder, p *[]T, minSize int, name string) {
	if n := x.OpenShortList(p, len(*p), sizeOf[T](), minSize, name); n > 0 {
		*p = make([]T, n)
	}
}

// SmallList opens a list whose count is a small length: one byte below 128, otherwise
// three bytes.
func SmallList[T any](x *gbx.Coder, p *[]T, minSize int, name string) {
	if n := x.OpenSmallList(p, len(*p), sizeOf[T](), minSize, name); n > 0 {
		*p = make([]T, n)
	}
}

// SizedList opens a list of n elements without a stored count.
func SizedList[T any](x *gbx.Coder, p *[]T, n int, minSize int, name string) {
	if n := x.OpenSizedList(n, p, len(*p), sizeOf[T](), minSize, name); n > 0 {
		*p = make([]T, n)
	}
}

// While reads or writes a list with a byte 1 before each element and a byte 0 at the end.
// A call handles one such byte. When reading, it also appends the element.
//
//	for i := 0; code.While(x, &c.Events, i, "events"); i++ { … }
func While[T any](x *gbx.Coder, p *[]T, i int, name string) bool {
	return x.More(i, len(*p), name) && (!x.Reading() || Append(x, p, name) != nil)
}

// Append appends an element to a list that is being read and whose length is unknown. It
// returns nil if the limits do not allow it.
func Append[T any](x *gbx.Coder, p *[]T, name string) *T {
	n := len(*p)
	room, ok := x.Grow(n, cap(*p), sizeOf[T](), name)
	if !ok {
		return nil
	}
	if room > cap(*p) {
		*p = append(make([]T, 0, room), *p...)
	}
	*p = (*p)[:n+1]
	return &(*p)[n]
}

// Optional opens a group of optional fields, and allocates it when reading.
func Optional[T any](x *gbx.Coder, p **T, name string) bool {
	if !x.OpenOptional(*p != nil, sizeOf[T](), name) {
		return false
	}
	if x.Reading() {
		*p = new(T)
	}
	x.Group(name, *p)
	return true
}

// Reserve returns an empty list with room for at most n elements, but few, for values that
// only some records have.
func Reserve[T any](x *gbx.Coder, n int) []T {
	const few = 16
	n = min(n, few)
	if !x.Allow(int64(n)*sizeOf[T](), "list") {
		return nil
	}
	return make([]T, 0, n)
}

// Enum8 reads or writes a named number in one byte.
func Enum8[T ~uint32](x *gbx.Coder, p *T, name string) { x.Enum8(word(p), p, name) }

// Enum16 reads or writes a named number in two bytes.
func Enum16[T ~uint32](x *gbx.Coder, p *T, name string) { x.Enum16(word(p), p, name) }

// Enum32 reads or writes a named number in four bytes.
func Enum32[T ~uint32](x *gbx.Coder, p *T, name string) { x.Enum32(word(p), p, name) }

// word returns the address of an enum as that of its number.
func word[T ~uint32](p *T) *uint32 { return (*uint32)(unsafe.Pointer(p)) }

// Sibling returns an earlier chunk of the node with content T, for example to get a number
// of values from it.
func Sibling[T gbx.Body](x *gbx.Coder) (T, bool) {
	return gbx.Find[T](&gbx.Node{Chunks: x.Earlier()})
}

func sizeOf[T any]() int64 {
	var zero T
	return int64(unsafe.Sizeof(zero))
}
