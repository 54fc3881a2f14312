package gbx

import (
	"encoding/binary"
	"math"

	"pakbox/fault"
)

// Numbers are read and written in three steps. The exported method is the fast path of
// reading. The slow function begins with the fast path of writing. The function word
// handles all other cases: text files, visitors and errors.

// U8 reads or writes a byte. Text files store bytes in binary, too.
func (x *Coder) U8(p *uint8, name string) {
	if i := x.pos; i < len(x.in) {
		*p = x.in[i]
		x.pos = i + 1
		return
	}
	slow8(x, p, name)
}

// U16 reads or writes a 16-bit word.
func (x *Coder) U16(p *uint16, name string) {
	if i := x.pos; i+2 <= len(x.in) {
		*p = binary.LittleEndian.Uint16(x.in[i:])
		x.pos = i + 2
		return
	}
	slow16(x, p, name)
}

// U32 reads or writes a 32-bit word.
func (x *Coder) U32(p *uint32, name string) {
	if i := x.pos; i+4 <= len(x.in) {
		*p = binary.LittleEndian.Uint32(x.in[i:])
		x.pos = i + 4
		return
	}
	slow32(x, p, name)
}

// U64 reads or writes a 64-bit word.
func (x *Coder) U64(p *uint64, name string) {
	if i := x.pos; i+8 <= len(x.in) {
		*p = binary.LittleEndian.Uint64(x.in[i:])
		x.pos = i + 8
		return
	}
	slow64(x, p, name)
}

// I8 reads or writes a signed byte.
func (x *Coder) I8(p *int8, name string) {
	if i := x.pos; i < len(x.in) {
		*p = int8(x.in[i])
		x.pos = i + 1
		return
	}
	slow8(x, p, name)
}

// I16 reads or writes a signed 16-bit word.
func (x *Coder) I16(p *int16, name string) {
	if i := x.pos; i+2 <= len(x.in) {
		*p = int16(binary.LittleEndian.Uint16(x.in[i:]))
		x.pos = i + 2
		return
	}
	slow16(x, p, name)
}

// I32 reads or writes a signed 32-bit word.
func (x *Coder) I32(p *int32, name string) {
	if i := x.pos; i+4 <= len(x.in) {
		*p = int32(binary.LittleEndian.Uint32(x.in[i:]))
		x.pos = i + 4
		return
	}
	slow32(x, p, name)
}

// I64 reads or writes a signed 64-bit word.
func (x *Coder) I64(p *int64, name string) {
	if i := x.pos; i+8 <= len(x.in) {
		*p = int64(binary.LittleEndian.Uint64(x.in[i:]))
		x.pos = i + 8
		return
	}
	slow64(x, p, name)
}

// Time reads or writes a time in milliseconds.
func (x *Coder) Time(p *Time, name string) {
	if i := x.pos; i+4 <= len(x.in) {
		*p = Time(binary.LittleEndian.Uint32(x.in[i:]))
		x.pos = i + 4
		return
	}
	slow32(x, p, name)
}

// Bool reads or writes a truth value.
func (x *Coder) Bool(p *Bool, name string) {
	if i := x.pos; i+4 <= len(x.in) {
		*p = Bool(binary.LittleEndian.Uint32(x.in[i:]))
		x.pos = i + 4
		return
	}
	x.slowBool(p, name)
}

func (x *Coder) slowBool(p *Bool, name string) {
	if x.direct {
		x.put32(uint32(*p))
		return
	}
	word(x, p, name, x.wordBool)
}

// F32 reads or writes a 32-bit float.
func (x *Coder) F32(p *float32, name string) {
	if i := x.pos; i+4 <= len(x.in) {
		*p = math.Float32frombits(binary.LittleEndian.Uint32(x.in[i:]))
		x.pos = i + 4
		return
	}
	x.slowFloat(p, name)
}

func (x *Coder) slowFloat(p *float32, name string) {
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

func slow8[T ~uint8 | ~int8](x *Coder, p *T, name string) {
	if x.direct {
		x.out = append(x.out, uint8(*p))
		return
	}
	word(x, p, name, x.word8)
}

func slow16[T ~uint16 | ~int16](x *Coder, p *T, name string) {
	if x.direct {
		x.out = append(x.out, byte(*p), byte(*p>>8))
		return
	}
	word(x, p, name, x.word16)
}

func slow32[T ~uint32 | ~int32](x *Coder, p *T, name string) {
	if x.direct {
		x.put32(uint32(*p))
		return
	}
	word(x, p, name, x.word32)
}

func slow64[T ~uint64 | ~int64](x *Coder, p *T, name string) {
	if x.direct {
		x.out = binary.LittleEndian.AppendUint64(x.out, uint64(*p))
		return
	}
	word(x, p, name, x.word64)
}

// put32 appends four bytes, faster than AppendUint32.
func (x *Coder) put32(v uint32) {
	x.out = append(x.out, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
}

// integer lists the Go types of numbers in a file.
type integer interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~int32 | ~int64
}

// word reads or writes a number. The function code takes the value to write and returns
// the value read. Negative numbers are cut to the width of the type.
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

// announce shows a value to the visitor and returns its offset. ok is false if there are
// no bytes to read or write: after an error, or if the value comes from a source.
func (x *Coder) announce(name string, p any) (at int64, ok bool) {
	if x.dead() {
		return 0, false
	}
	if x.watch != nil {
		x.watch.Value(name, p)
	}
	return x.offset(), x.source == nil
}

// coded gives the offset and length of the value to the visitor.
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

// fit records an error if a number is too large for its bytes in the file.
func (x *Coder) fit(v uint64, least, most int64, name string) {
	if n := int64(v); n < least || n > most {
		x.Fail(fault.SizeMismatch, name, "%d is too large for this value: %d to %d", n, least, most)
	}
}

func (x *Coder) word32(v uint64, name string) uint64 {
	if x.text {
		return x.textDecimal(v&math.MaxUint32, 32, name)
	}
	return x.raw32(v, name)
}

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

// Raw makes the following values binary in text files. EndRaw takes its result.
func (x *Coder) Raw() (text bool) {
	text = x.text
	if text {
		x.text = false
		x.refresh()
	}
	return text
}

// EndRaw ends the effect of Raw.
func (x *Coder) EndRaw(text bool) {
	if text {
		x.text = true
		x.refresh()
	}
}

// Enum8 reads or writes a named number in one byte. p is the address of the number with
// its own type, for the visitor, and word the same address.
func (x *Coder) Enum8(word *uint32, p any, name string) { x.enum(word, p, name, x.word8) }

// Enum16 is Enum8 for a number in two bytes.
func (x *Coder) Enum16(word *uint32, p any, name string) { x.enum(word, p, name, x.word16) }

// Enum32 is Enum8 for a number in four bytes.
func (x *Coder) Enum32(word *uint32, p any, name string) {
	if i := x.pos; i+4 <= len(x.in) {
		*word = binary.LittleEndian.Uint32(x.in[i:])
		x.pos = i + 4
		return
	}
	if x.direct {
		x.put32(*word)
		return
	}
	x.enum(word, p, name, x.word32)
}

func (x *Coder) enum(word *uint32, p any, name string, code func(v uint64, name string) uint64) {
	at, ok := x.announce(name, p)
	if !ok {
		return
	}
	v := code(uint64(*word), name)
	if !x.writing && x.err == nil {
		*word = uint32(v)
	}
	x.coded(name, p, at)
}
