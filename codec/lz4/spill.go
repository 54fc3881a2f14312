package lz4

import (
	"encoding/binary"
	"io"
)

// Compress writes src as one LZ4 block to w, piece by piece. The block is the same as
// that of [AppendCompress]. It stops at the first error of w.
func Compress(w io.Writer, src []byte, level Level) error {
	if err := check(src, level); err != nil {
		return err
	}
	b := block{src: src, dst: make([]byte, spillSize), out: &spill{w: w}}
	b.encode(level)
	b.flush()
	return b.out.err
}

const (
	// spillSize is the size of a piece in memory.
	spillSize = 1 << 20
	// spillRoom holds a token, an offset, and the excess of a copy of fixed size.
	spillRoom = 32
)

// spill is the writer that takes full pieces of a block.
type spill struct {
	w   io.Writer
	err error
}

func (s *spill) write(p []byte) {
	if s.err == nil {
		_, s.err = s.w.Write(p)
	}
}

func (b *block) flush() {
	b.out.write(b.dst[:b.n])
	b.n = 0
}

// spillSequence is sequence for the case that dst is full, or too small for the sequence.
func (b *block) spillSequence(pos, length, dist int) {
	b.flush()
	if lit := pos - b.anchor; lit+(lit+length)/255+spillRoom <= len(b.dst) {
		b.sequence(pos, length, dist)
		return
	}
	b.spillLiterals(pos, min(length-minMatch, tokenMax))
	b.dst = binary.LittleEndian.AppendUint16(b.dst[:b.n], uint16(dist))[:len(b.dst)]
	b.n += 2
	if length >= tokenMatch {
		b.spillLength(length - tokenMatch)
	}
	b.anchor = pos + length
}

// spillLiterals writes a token with the nibble of the match, and the literals up to pos.
func (b *block) spillLiterals(pos, nibble int) {
	b.flush()
	lit := pos - b.anchor
	b.dst[0] = byte(min(lit, tokenMax)<<4 | nibble)
	b.n = 1
	if lit >= tokenMax {
		b.spillLength(lit - tokenMax)
	}
	b.flush()
	b.out.write(b.src[b.anchor:pos])
}

func (b *block) spillLength(rest int) {
	for most := 255 * (len(b.dst) / 2); rest > most; {
		b.flush()
		for i := range len(b.dst) / 2 {
			b.dst[i] = 255
		}
		b.n = len(b.dst) / 2
		rest -= most
	}
	b.flush()
	b.n = putLength(b.dst, 0, rest)
}
