package lzo1x

import (
	"encoding/binary"

	"pakbox/codec/internal/words"
)

// The most bytes that run reads or writes for one instruction: 18 literals are read as
// three words, a match of 33 bytes is written with 4 literals, a run with 24 bytes.
const (
	inSlack  = 24
	outSlack = 40
)

// run carries out instructions without length bytes, far from the ends of both buffers.
// It leaves all others, and bad ones, to next and apply.
//
// It copies whole words; the next instruction overwrites the excess. Arithmetic instead
// of a branch distinguishes M2 from M3, because a mispredicted branch costs more.
func (d *decoder) run() {
	src, dst := d.src, d.dst
	pos, n, state := d.pos, d.n, uint64(d.state)
	lastPos, lastN := len(src)-inSlack, len(dst)-outSlack
	for pos <= lastPos && n <= lastN {
		v := words.Load64(words.At(src, pos), 0)
		b := v & 0xff
		var distance, length, literals, size uint64
		if b >= 32 {
			m2 := (b + 192) >> 8 // 1 for M2, 0 for M3
			size = 3 - m2
			distance = pick(m2, v>>2&7|v>>5&0x7f8, v>>10&0x3fff) + 1
			length = pick(m2, b>>5+1, b&m3Field+2)
			literals = v >> ((8 - m2<<3) & 63) & 3
			if length == 2 {
				break
			}
		} else if b >= 16 {
			size = 3
			distance = m3Max + b&8<<11 + v>>10&0x3fff
			length = b&m4Field + 2
			literals = v >> 8 & 3
			if length == 2 || distance == m3Max {
				break
			}
		} else if state != 0 {
			size = 2
			distance = v>>2&3 | v>>6&0x3fc + 1
			length = 2
			literals = b & 3
			if state == afterRun {
				distance += m2Max
				length = 3
			}
		} else {
			if b == 0 {
				break
			}
			to, from := words.At(dst, n), words.At(src, pos)
			words.Store64(to, 0, words.Load64(from, 1))
			words.Store64(to, 8, words.Load64(from, 9))
			words.Store64(to, 15, words.Load64(from, 16))
			pos += int(b) + 4
			n += int(b) + 3
			state = afterRun
			continue
		}
		start := n - int(distance)
		if start < 0 {
			break
		}
		to, match := words.At(dst, n), words.At(dst, start)
		if distance >= 8 {
			words.Store64(to, 0, words.Load64(match, 0))
			words.Store64(to, 8, words.Load64(match, 8))
			if length > 16 {
				words.Store64(to, 16, words.Load64(match, 16))
				words.Store64(to, 24, words.Load64(match, 24))
				words.Store8(to, 32, words.Load8(match, 32))
			}
		} else {
			for i := range int(length) {
				words.Store8(to, i, words.Load8(match, i))
			}
		}
		words.Store32(to, int(length), uint32(v>>(8*size&63)))
		pos += int(size + literals)
		n += int(length + literals)
		state = literals
	}
	d.pos, d.n, d.state = pos, n, int(state)
}

// pick returns a if c is 1 and b if c is 0.
func pick(c, a, b uint64) uint64 { return b ^ (a^b)&-c }

func le32(b []byte) uint32     { return binary.LittleEndian.Uint32(b) }
func le64(b []byte) uint64     { return binary.LittleEndian.Uint64(b) }
func put32(b []byte, v uint32) { binary.LittleEndian.PutUint32(b, v) }
func put64(b []byte, v uint64) { binary.LittleEndian.PutUint64(b, v) }
