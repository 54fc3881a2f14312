package lzo1x

import (
	"encoding/binary"
	"math"
)

// The largest distance of each kind of match.
const (
	m1NearMax = 1 << 10
	m2Max     = 1 << 11
	m1FarMax  = m2Max + 1<<10 // the far M1 starts where M2 ends
	m3Max     = 1 << 14
	m4Max     = m3Max + 1<<15 - 1 // M4 starts where M3 ends; one value is the end marker
)

// The largest values of the length fields.
const (
	runField = 15
	m3Field  = 31
	m4Field  = 7
)

// afterRun is the state after a run of literals. A lower state is the number of literals
// of the last match.
const afterRun = 4

// maxZeros limits the zero bytes of a length. No buffer is that long, and the sum must
// fit an int.
const maxZeros = math.MaxInt/255 - 1<<10

// instruction is a match and the literals behind it. Zero is the end marker.
type instruction struct {
	distance, length, literals int
}

// reader splits a stream into instructions.
type reader struct {
	src   []byte
	pos   int // position of the next instruction, or of the literals of this one
	state int // 0 to afterRun; decides what the low opcodes mean
}

// next reads an instruction up to its literals; false if the input ends.
func (r *reader) next() (in instruction, ok bool) {
	if r.pos >= len(r.src) {
		return in, false
	}
	b := int(r.src[r.pos])
	first := r.pos == 0
	r.pos++
	switch {
	case first && b > 17:
		in.literals, ok = b-17, true
	case b >= 64:
		in, ok = r.short(b, b>>5+1, 3)
		in.distance++
	case b >= 32:
		in, ok = r.long(b, m3Field)
		in.distance++
	case b >= 16:
		in, ok = r.long(b, m4Field)
		in.distance += b & 8 << 11
		if in.distance == 0 {
			return instruction{}, ok
		}
		in.distance += m3Max
	case r.state == 0:
		in.literals, ok = r.count(b, runField)
		in.literals += 3
	case r.state < afterRun:
		in, ok = r.short(b, 2, 2)
		in.distance++
	default:
		in, ok = r.short(b, 3, 2)
		in.distance += m2Max + 1
	}
	r.state = min(in.literals, afterRun)
	return in, ok
}

// short reads the rest of an M1 or M2. b holds the low bits of the distance.
func (r *reader) short(b, length, low int) (instruction, bool) {
	if r.pos >= len(r.src) {
		return instruction{}, false
	}
	distance := int(r.src[r.pos])<<low | b>>2&(1<<low-1)
	r.pos++
	return instruction{distance, length, b & 3}, true
}

func (r *reader) long(b, field int) (instruction, bool) {
	n, ok := r.count(b&field, field)
	if !ok || len(r.src)-r.pos < 2 {
		return instruction{}, false
	}
	word := int(binary.LittleEndian.Uint16(r.src[r.pos:]))
	r.pos += 2
	return instruction{word >> 2, n + 2, word & 3}, true
}

// count returns n, the length in an opcode. If n is zero, it reads the length behind the
// opcode.
func (r *reader) count(n, field int) (int, bool) {
	if n != 0 {
		return n, true
	}
	start := r.pos
	for r.pos < len(r.src) && r.src[r.pos] == 0 {
		r.pos++
	}
	if r.pos == len(r.src) {
		return 0, false
	}
	n = field + 255*min(r.pos-start, maxZeros) + int(r.src[r.pos])
	r.pos++
	return n, true
}

// writer writes a stream into a buffer of [MaxCompressedLen] bytes.
type writer struct {
	out   []byte
	n     int // bytes of out written
	state int // the same as in reader
}

// literals writes one or more literals.
func (w *writer) literals(lit []byte) {
	switch {
	case w.n == 0 && len(lit) <= 255-17:
		w.byte(17 + len(lit))
	case w.n > 0 && len(lit) <= 3:
		w.out[w.n-2] |= byte(len(lit)) // the S bits of every match are in this byte
	default:
		w.count(0, runField, len(lit)-3)
	}
	w.n += copy(w.out[w.n:], lit)
	w.state = min(len(lit), afterRun)
}

// match writes a match in the shortest possible form. Length 2 is the near M1.
func (w *writer) match(distance, length int) {
	switch {
	case length == 2:
		w.short(0, distance-1, 2)
	case w.farM1(distance, length):
		w.short(0, distance-1-m2Max, 2)
	case distance <= m2Max && length <= 8:
		w.short((length-1)<<5, distance-1, 3)
	case distance <= m3Max:
		w.count(32, m3Field, length-2)
		w.word(distance - 1)
	default:
		w.count(16|(distance-m3Max)>>14<<3, m4Field, length-2)
		w.word(distance - m3Max)
	}
	w.state = 0
}

func (w *writer) farM1(distance, length int) bool {
	return w.state == afterRun && length == 3 && distance > m2Max && distance <= m1FarMax
}

func (w *writer) end() {
	w.byte(16 | 1)
	w.word(0)
}

func (w *writer) byte(b int) {
	w.out[w.n] = byte(b)
	w.n++
}

func (w *writer) short(opcode, distance, low int) {
	w.byte(opcode | distance&(1<<low-1)<<2)
	w.byte(distance >> low)
}

func (w *writer) word(distance int) {
	w.byte(distance << 2)
	w.byte(distance >> 6)
}

// count writes an opcode and a length: in the field of the opcode, or behind it.
func (w *writer) count(opcode, field, n int) {
	if n <= field {
		w.byte(opcode | n)
		return
	}
	w.byte(opcode)
	for n -= field; n > 255; n -= 255 {
		w.byte(0)
	}
	w.byte(n)
}
