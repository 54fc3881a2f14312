package gbx

import (
	"encoding/binary"
	"math"

	"pakbox/fault"
)

// Numbers are coded in three steps, so that the compiler can put the first into
// its callers: the exported method reads from a binary file, the one called
// slow writes to a binary file, and word does everything else (text files,
// visitors, errors).

// U8 codes a byte. Text files hold bytes as they are.
func (x *Coder) U8(p *uint8, name string) {
	if i := x.pos; i < len(x.in) {
		*p = x.in[i]
		x.pos = i + 1
		return
	}
	x.slowU8(p, name)
}

func (x *Coder) slowU8(p *uint8, name string) {
	if x.direct {
		x.put8(*p)
		return
	}
	word(x, p, name, x.word8)
}

// U16 codes a 16-bit word.
func (x *Coder) U16(p *uint16, name string) {
	if i := x.pos; i+2 <= len(x.in) {
		*p = binary.LittleEndian.Uint16(x.in[i:])
		x.pos = i + 2
		return
	}
	x.slowU16(p, name)
}

func (x *Coder) slowU16(p *uint16, name string) {
	if x.direct {
		x.put16(*p)
		return
	}
	word(x, p, name, x.word16)
}

// U32 codes a 32-bit word.
func (x *Coder) U32(p *uint32, name string) {
	if i := x.pos; i+4 <= len(x.in) {
		*p = binary.LittleEndian.Uint32(x.in[i:])
		x.pos = i + 4
		return
	}
	x.slowU32(p, name)
}

func (x *Coder) slowU32(p *uint32, name string) {
	if x.direct {
		x.put32(*p)
		return
	}
	word(x, p, name, x.word32)
}

// U64 codes a 64-bit word.
func (x *Coder) U64(p *uint64, name string) {
	if i := x.pos; i+8 <= len(x.in) {
		*p = binary.LittleEndian.Uint64(x.in[i:])
		x.pos = i + 8
		return
	}
	x.slowU64(p, name)
}

func (x *Coder) slowU64(p *uint64, name string) {
	if x.direct {
		x.put64(*p)
		return
	}
	word(x, p, name, x.word64)
}

// I8 codes a signed byte.
func (x *Coder) I8(p *int8, name string) {
	if i := x.pos; i < len(x.in) {
		*p = int8(x.in[i])
		x.pos = i + 1
		return
	}
	if x.direct {
		x.put8(uint8(*p))
		return
	}
	word(x, p, name, x.word8)
}

// I16 codes a signed 16-bit word.
func (x *Coder) I16(p *int16, name string) {
	if i := x.pos; i+2 <= len(x.in) {
		*p = int16(binary.LittleEndian.Uint16(x.in[i:]))
		x.pos = i + 2
		return
	}
	if x.direct {
		x.put16(uint16(*p))
		return
	}
	word(x, p, name, x.word16)
}

// I32 codes a signed 32-bit word.
func (x *Coder) I32(p *int32, name string) {
	if i := x.pos; i+4 <= len(x.in) {
		*p = int32(binary.LittleEndian.Uint32(x.in[i:]))
		x.pos = i + 4
		return
	}
	x.slowI32(p, name)
}

func (x *Coder) slowI32(p *int32, name string) {
	if x.direct {
		x.put32(uint32(*p))
		return
	}
	word(x, p, name, x.word32)
}

// I64 codes a signed 64-bit word.
func (x *Coder) I64(p *int64, name string) {
	if i := x.pos; i+8 <= len(x.in) {
		*p = int64(binary.LittleEndian.Uint64(x.in[i:]))
		x.pos = i + 8
		return
	}
	if x.direct {
		x.put64(uint64(*p))
		return
	}
	word(x, p, name, x.word64)
}

// F32 codes a 32-bit float.
func (x *Coder) F32(p *float32, name string) {
	if i := x.pos; i+4 <= len(x.in) {
		*p = math.Float32frombits(binary.LittleEndian.Uint32(x.in[i:]))
		x.pos = i + 4
		return
	}
	x.float(p, name)
}

func (x *Coder) float(p *float32, name string) {
	if x.direct {
		x.put32(math.Float32bits(*p))
		return
	}
	at, ok := x.announce(name, p)
	if !ok {
		return
	}
	v := x.wordFloat(uint64(math.Float32bits(*p)), name)
	if !x.writing && !x.dead() {
		*p = math.Float32frombits(uint32(v))
	}
	x.coded(name, p, at)
}

func (x *Coder) put8(v uint8)   { x.out = append(x.out, v) }
func (x *Coder) put16(v uint16) { x.out = append(x.out, byte(v), byte(v>>8)) }
func (x *Coder) put64(v uint64) { x.put32(uint32(v)); x.put32(uint32(v >> 32)) }

// put32 appends four bytes. In this form of append the compiler sees that the
// slice stays where it is, and leaves its address alone.
func (x *Coder) put32(v uint32) {
	x.out = append(x.out, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
}

// integer is every type a number in a file may have in Go.
type integer interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~int32 | ~int64
}

// word codes a number by way of one of the word functions, which take the
// value to write and return the value read. Signs survive because each side
// cuts the value to its own width.
func word[T integer](x *Coder, p *T, name string, code func(v uint64, name string) uint64) {
	at, ok := x.announce(name, p)
	if !ok {
		return
	}
	v := code(uint64(*p), name)
	if !x.writing && x.err == nil {
		*p = T(v)
	}
	x.coded(name, p, at)
}

// announce shows the visitor a value that is about to be coded, which it may
// change, and returns where its bytes begin. It reports false where there are
// none to code: after an error, and where a source has supplied the value.
func (x *Coder) announce(name string, p any) (at int64, ok bool) {
	if x.dead() {
		return 0, false
	}
	if x.watch != nil {
		x.watch.Value(name, p)
	}
	return x.offset(), x.source == nil
}

// coded tells the visitor where the last value lies.
func (x *Coder) coded(name string, p any, at int64) {
	if x.watch != nil && !x.dead() {
		x.watch.Coded(name, p, at, x.offset()-at)
	}
}

func (x *Coder) word8(v uint64, name string) uint64 {
	if x.writing {
		x.fit(v, math.MinInt8, math.MaxUint8, name)
		x.out = append(x.out, uint8(v))
		return v
	}
	if b := x.take(1, name); b != nil {
		return uint64(b[0])
	}
	return 0
}

func (x *Coder) word16(v uint64, name string) uint64 {
	if x.writing {
		x.fit(v, math.MinInt16, math.MaxUint16, name)
	}
	switch {
	case x.text:
		return x.textDecimal(v&0xFFFF, 16, name)
	case x.writing:
		x.out = binary.LittleEndian.AppendUint16(x.out, uint16(v))
		return v
	}
	if b := x.take(2, name); b != nil {
		return uint64(binary.LittleEndian.Uint16(b))
	}
	return 0
}

// fit checks that a number is not cut when it is written into fewer bytes than
// it has in Go. Negative ones come with their sign.
func (x *Coder) fit(v uint64, least, most int64, name string) {
	if n := int64(v); n < least || n > most {
		x.Fail(fault.SizeMismatch, name, "%d does not fit its place in the file", n)
	}
}

func (x *Coder) word32(v uint64, name string) uint64 {
	if x.text {
		return x.textDecimal(v&math.MaxUint32, 32, name)
	}
	return x.raw32(v, name)
}

// raw32 codes four bytes, in text files too.
func (x *Coder) raw32(v uint64, name string) uint64 {
	if x.writing {
		x.put32(uint32(v))
		return v
	}
	if b := x.take(4, name); b != nil {
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return 0
}

func (x *Coder) word64(v uint64, name string) uint64 {
	if x.text {
		return x.textDecimal(v, 64, name)
	}
	return x.raw64(v, name)
}

// raw64 codes eight bytes, in text files too.
func (x *Coder) raw64(v uint64, name string) uint64 {
	if x.writing {
		x.out = binary.LittleEndian.AppendUint64(x.out, v)
		return v
	}
	if b := x.take(8, name); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (x *Coder) wordHex(v uint64, name string) uint64 {
	if x.text {
		return x.textHex(v&math.MaxUint32, name)
	}
	return x.raw32(v, name)
}

func (x *Coder) wordBool(v uint64, name string) uint64 {
	if x.text {
		return x.textBool(v, name)
	}
	return x.raw32(v, name)
}

func (x *Coder) wordFloat(v uint64, name string) uint64 {
	if x.text {
		return x.textFloat(v, name)
	}
	return x.raw32(v, name)
}

// Raw makes what follows binary in text files too, and returns what EndRaw
// needs to undo it.
func (x *Coder) Raw() (text bool) {
	text = x.text
	if text {
		x.text = false
		x.refresh()
	}
	return text
}

// EndRaw undoes Raw.
func (x *Coder) EndRaw(text bool) {
	if text {
		x.text = true
		x.refresh()
	}
}

// Enum8 is for the code of chunks: it codes a named number in one byte.
func Enum8[T ~uint32](x *Coder, p *T, name string) {
	word(x, p, name, x.word8)
}

// Enum16 is for the code of chunks: it codes a named number in two bytes.
func Enum16[T ~uint32](x *Coder, p *T, name string) {
	word(x, p, name, x.word16)
}

// Enum32 is for the code of chunks: it codes a named number in four bytes.
func Enum32[T ~uint32](x *Coder, p *T, name string) {
	if i := x.pos; i+4 <= len(x.in) {
		*p = T(binary.LittleEndian.Uint32(x.in[i:]))
		x.pos = i + 4
		return
	}
	if x.direct {
		x.put32(uint32(*p))
		return
	}
	word(x, p, name, x.word32)
}
