package lzo1x

import (
	"errors"
	"fmt"
	"math"
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

// MaxInput is the size of the largest input: positions are counted in 31 bits.
const MaxInput = math.MaxInt32

// What AppendCompress refuses.
var (
	ErrLevel    = errors.New("lzo1x: no such level")
	ErrTooLarge = errors.New("lzo1x: input larger than 2 GiB - 1")
)

// AppendCompress appends src as one stream to dst and returns the extended
// slice. It allocates memory only if dst has less than [MaxCompressedLen] bytes
// of free capacity.
//
// The slices must not overlap, with one exception: src may lie in the free
// capacity of dst if it starts [CompressGap] bytes or more after the end of
// dst. The stream then overwrites the part of src that is already compressed,
// and one buffer a little larger than src is enough for both.
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

// MaxCompressedLen returns the largest length of a stream that holds n bytes.
// The worst case is not one long run but one of 19 literals, whose header takes
// two bytes, before each match of 4, which saves but one.
func MaxCompressedLen(n int) int { return n + n/16 + 64 }

// CompressGap returns the smallest distance from the end of dst to the start of
// src at which [AppendCompress] can compress n bytes within one buffer. The
// distance makes room for the growth of incompressible data and keeps the
// m4Max bytes that a match may still refer to.
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
