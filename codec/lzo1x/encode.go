package lzo1x

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"
)

// Level is the effort of compression. The output depends on level and input
// alone.
type Level int

const (
	// Fast takes the first match and skips quickly through data without one.
	Fast Level = iota
	// Best looks for the shortest stream, in about a hundred times the time of Fast.
	Best
)

// The encoders are large and need no clearing, so they are kept for reuse.
var (
	fastEncoders = sync.Pool{New: func() any { return new(fastEncoder) }}
	bestEncoders = sync.Pool{New: func() any { return new(bestEncoder) }}
)

// MaxInput is the size of the largest input: positions are counted in 31 bits.
const MaxInput = math.MaxInt32

// The errors of AppendCompress.
var (
	ErrLevel    = errors.New("lzo1x: no such level")
	ErrTooLarge = errors.New("lzo1x: input larger than 2 GiB - 1")
)

// AppendCompress appends src as one stream to dst and returns the extended slice.
//
// The slices must not overlap, but src may start [CompressGap] bytes or more after the
// end of dst in the same buffer. The stream then overwrites input that has been
// compressed.
func AppendCompress(dst, src []byte, level Level) ([]byte, error) {
	switch {
	case level != Fast && level != Best:
		return dst, fmt.Errorf("%w: %d", ErrLevel, level)
	case len(src) > MaxInput:
		return dst, ErrTooLarge
	}
	return appendCompress(dst, src, level), nil
}

func appendCompress(dst, src []byte, level Level) []byte {
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

// MaxCompressedLen returns the largest length of a stream for n bytes of input. The worst
// case is a run of 19 literals, with two bytes for its header, before each match of 4,
// which saves one byte.
func MaxCompressedLen(n int) int { return n + n/16 + 64 }

// CompressGap returns the least distance from the end of dst to an input of n bytes in
// the same buffer. With this distance the stream never overwrites input that is still
// needed.
func CompressGap(n int) int { return MaxCompressedLen(n) - n + m4Max + fastRoom }

// positions numbers the bytes of all inputs in one sequence, with gaps wider than any
// match. No match reaches an earlier input, so the tables need no clearing.
type positions struct {
	next uint64
}

// open returns the number of the first byte of an input of n bytes. With restart the
// tables must be cleared.
func (p *positions) open(n int) (base uint32, restart bool) {
	const gap = m4Max + 1
	if restart = p.next == 0 || p.next+uint64(n) >= 1<<32; restart {
		p.next = gap
	}
	base = uint32(p.next)
	p.next += uint64(n) + gap
	return base, restart
}

// matchLen counts the bytes from pos on that equal the bytes distance before them.
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
