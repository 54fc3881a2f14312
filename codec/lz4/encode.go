package lz4

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
)

// Level is the effort of compression, from Fast to Max.
type Level int

// Named levels. The levels between them are valid too.
const (
	Fast Level = 1
	High Level = 9 // what liblz4 uses for high compression
	Max  Level = 12
)

// MaxInput is the size of the largest input: positions are counted in 31 bits.
const MaxInput = math.MaxInt32

// The errors of AppendCompress.
var (
	ErrLevel    = errors.New("lz4: no such level")
	ErrTooLarge = errors.New("lz4: input larger than 2 GiB - 1")
)

// effort is how much work a level does.
type effort struct {
	tries   int  // candidates compared for one match
	optimal bool // compute the price of all ways to cut the data, not only between overlapping matches
	enough  int  // optimal: take a match of this length at once
	every   bool // optimal: also search where only a shorter match can help
}

// efforts has the search depths of liblz4, except for levels 10 and 12. With liblz4's 96
// at level 10 some GBX bodies are larger than at level 9. At level 12 real data gains
// nothing beyond 4096.
var efforts = [Max + 1]effort{
	2:  {tries: 2},
	3:  {tries: 4},
	4:  {tries: 8},
	5:  {tries: 16},
	6:  {tries: 32},
	7:  {tries: 64},
	8:  {tries: 128},
	9:  {tries: 256},
	10: {tries: 192, optimal: true, enough: 64},
	11: {tries: 512, optimal: true, enough: 128},
	12: {tries: 4096, optimal: true, enough: windowSize, every: true},
}

var (
	fastPool = sync.Pool{New: func() any { return new(fastEncoder) }}
	highPool = sync.Pool{New: func() any { return new(encoder) }}
)

// MaxCompressedLen returns the largest size of a block for n bytes of input. The worst
// block is one run of literals.
func MaxCompressedLen(n int) int {
	return n + n/255 + 16
}

// CompressGap returns the least distance from the end of dst to an input of n bytes in
// the same buffer. With this distance the block never overwrites input that is still
// needed.
func CompressGap(n int) int {
	return MaxCompressedLen(n) - n + maxDist + wholeCopy
}

// AppendCompress appends src as one LZ4 block to dst and returns the extended slice.
//
// dst and src must not overlap, but src may start [CompressGap] bytes or more after the
// end of dst in the same buffer. The block then overwrites input that has been
// compressed.
func AppendCompress(dst, src []byte, level Level) ([]byte, error) {
	if err := check(src, level); err != nil {
		return dst, err
	}
	dst = slices.Grow(dst, MaxCompressedLen(len(src)))
	b := block{src: src, dst: dst[len(dst):cap(dst)]}
	b.encode(level)
	return dst[:len(dst)+b.n], nil
}

func check(src []byte, level Level) error {
	if level < Fast || level > Max {
		return fmt.Errorf("%w: %d is not in %d to %d", ErrLevel, level, Fast, Max)
	}
	if len(src) > MaxInput {
		return ErrTooLarge
	}
	return nil
}

func (b *block) encode(level Level) {
	if level == Fast {
		e := fastPool.Get().(*fastEncoder)
		e.encode(b)
		fastPool.Put(e)
	} else {
		e := highPool.Get().(*encoder)
		e.encode(b, &efforts[level])
		highPool.Put(e)
	}
	b.finish()
}
