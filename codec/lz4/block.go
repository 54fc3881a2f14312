package lz4

import (
	"encoding/binary"
	"math/bits"
)

// Numbers of the LZ4 block format.
const (
	minMatch     = 4                   // shorter matches cannot be written
	maxDist      = 65535               // offsets have two bytes
	lastLiterals = 5                   // a block ends with at least this many literals
	matchMargin  = 12                  // the last match starts at least this far from the end
	tokenMax     = 15                  // largest length in half a token byte; the rest follows in more bytes
	tokenMatch   = tokenMax + minMatch // the shortest match that needs more bytes
)

// wholeCopy is the number of bytes that one copy of fixed size writes.
const wholeCopy = 16

// block is a block being written: the sequences so far cover src[:anchor].
type block struct {
	src    []byte
	dst    []byte // at least MaxCompressedLen(len(src)) bytes, unless there is an out
	n      int    // bytes of dst in use
	anchor int
	out    *spill // takes dst whenever it is full; nil if the whole block fits dst
}

// sequence writes the literals from the anchor up to pos, and the match at pos.
func (b *block) sequence(pos, length, dist int) {
	dst, src, n, anchor := b.dst, b.src, b.n, b.anchor
	lit := pos - anchor
	if b.out != nil && n+lit+(lit+length)/255+spillRoom > len(dst) {
		b.spillSequence(pos, length, dist)
		return
	}
	token := n
	n++
	code := byte(lit << 4)
	if lit >= tokenMax {
		code = tokenMax << 4
		n = putLength(dst, n, lit-tokenMax)
	}
	// A copy of fixed size costs less than a call. The next bytes overwrite the excess.
	if lit <= wholeCopy && anchor+wholeCopy <= len(src) {
		*(*[wholeCopy]byte)(dst[n : n+wholeCopy]) = *(*[wholeCopy]byte)(src[anchor : anchor+wholeCopy])
	} else {
		copy(dst[n:], src[anchor:pos])
	}
	n += lit
	binary.LittleEndian.PutUint16(dst[n:n+2:n+2], uint16(dist))
	n += 2
	if length < tokenMatch {
		code |= byte(length - minMatch)
	} else {
		code |= tokenMax
		n = putLength(dst, n, length-tokenMatch)
	}
	dst[token] = code
	b.n, b.anchor = n, pos+length
}

func (b *block) finish() {
	lit := len(b.src) - b.anchor
	if b.out != nil {
		b.spillLiterals(len(b.src), 0)
		b.anchor = len(b.src)
		return
	}
	if lit < tokenMax {
		b.dst[b.n] = byte(lit << 4)
		b.n++
	} else {
		b.dst[b.n] = tokenMax << 4
		b.n = putLength(b.dst, b.n+1, lit-tokenMax)
	}
	b.n += copy(b.dst[b.n:], b.src[b.anchor:])
	b.anchor = len(b.src)
}

// putLength writes the part of a length that does not fit into the token.
func putLength(dst []byte, n, rest int) int {
	for ; rest >= 255; rest -= 255 {
		dst[n] = 255
		n++
	}
	dst[n] = byte(rest)
	return n + 1
}

// load32 and load64 state all three indices of the slice. The compiler then emits a plain
// load, which makes the fast level a fifth faster.

func load32(b []byte, i int) uint32 {
	return binary.LittleEndian.Uint32(b[i : i+4 : i+4])
}

func load64(b []byte, i int) uint64 {
	return binary.LittleEndian.Uint64(b[i : i+8 : i+8])
}

// common counts equal bytes at p and q and behind them, up to end. q lies before p.
func common(src []byte, p, q, end int) int {
	start := p
	for p+8 <= end {
		if x := load64(src, p) ^ load64(src, q); x != 0 {
			return p - start + bits.TrailingZeros64(x)>>3
		}
		p += 8
		q += 8
	}
	for p < end && src[p] == src[q] {
		p++
		q++
	}
	return p - start
}

// commonBefore counts equal bytes before p and before q, back to low. q lies before p.
func commonBefore(src []byte, p, q, low int) int {
	n, most := 0, min(p-low, q)
	for n+8 <= q {
		if x := load64(src, p-n-8) ^ load64(src, q-n-8); x != 0 {
			return min(n+bits.LeadingZeros64(x)>>3, most)
		}
		n += 8
		if n >= most {
			return most
		}
	}
	for n < most && src[p-n-1] == src[q-n-1] {
		n++
	}
	return n
}
