package lzo1x

import (
	"math/bits"
	"slices"
	"sync"
)

// Level says how much work to put into compression. Every level gives the same
// output for the same input, whatever was compressed before.
type Level int

const (
	// Fast takes the first match it meets and goes quickly over data in which
	// it meets none.
	Fast Level = iota
	// Best looks for the shortest stream. It takes about a hundred times as
	// long as Fast; decoding takes no longer.
	Best
)

// The encoders are large and need not be cleared, so they are kept.
var (
	fastEncoders = sync.Pool{New: func() any { return new(fastEncoder) }}
	bestEncoders = sync.Pool{New: func() any { return new(bestEncoder) }}
)

// AppendCompress appends a stream that holds src to dst. It allocates only if
// dst has no room for [MaxCompressedLen] bytes more. The slices must not
// overlap, save that src may lie in the room behind dst, [CompressGap] bytes or more
// behind its end: the stream is then written over what was compressed before,
// and one buffer a little larger than src is enough for both.
func AppendCompress(dst, src []byte, level Level) []byte {
	dst = slices.Grow(dst, MaxCompressedLen(len(src)))
	w := writer{out: dst[len(dst):cap(dst)]}
	var done int
	if level == Best {
		e := bestEncoders.Get().(*bestEncoder)
		done = e.encode(&w, src)
		bestEncoders.Put(e)
	} else {
		e := fastEncoders.Get().(*fastEncoder)
		done = e.encode(&w, src)
		fastEncoders.Put(e)
	}
	if done < len(src) {
		w.literals(src[done:])
	}
	w.end()
	return dst[:len(dst)+w.n]
}

// MaxCompressedLen returns the largest length of a stream that holds n bytes.
// The worst case is not one long run but one of 19 literals, whose header takes
// two bytes, before each match of 4, which saves but one.
func MaxCompressedLen(n int) int { return n + n/16 + 64 }

// CompressGap is how far behind the end of dst n bytes must start that are compressed
// in the same buffer. The stream never takes more than [MaxCompressedLen] of
// what it holds so far, and matches reach m4Max back from there.
func CompressGap(n int) int { return MaxCompressedLen(n) - n + m4Max + fastRoom }

// positions numbers the bytes of all inputs of an encoder in one sequence, with
// gaps wider than any match is far. What earlier inputs have left in a table of
// positions is then out of reach, and the table need not be cleared.
type positions struct {
	next uint64
}

// open returns the number of the first byte of an input of n bytes. It returns
// true if the tables must be cleared because the numbers start again. Zero, what
// is in a cleared table, is out of reach too.
func (p *positions) open(n int) (base uint32, restart bool) {
	const gap = m4Max + 1
	if restart = p.next == 0 || p.next+uint64(n) >= 1<<32; restart {
		p.next = gap
	}
	base = uint32(p.next)
	p.next += uint64(n) + gap
	return base, restart
}

// matchLen returns how many bytes from pos on are the same as those distance
// before them.
func matchLen(src []byte, pos, distance int) int {
	src = src[:len(src):len(src)]
	end := pos
	for end+8 <= len(src) {
		start := end - distance
		if x := le64(src[end:end+8:end+8]) ^ le64(src[start:start+8:start+8]); x != 0 {
			return end - pos + bits.TrailingZeros64(x)>>3
		}
		end += 8
	}
	for end < len(src) && src[end] == src[end-distance] {
		end++
	}
	return end - pos
}
