package lz4hc

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
)

// Level is the effort of compression, from Fast to Max.
type Level int

// Levels with a name. Those between them are valid too.
const (
	Fast Level = 1
	High Level = 9 // what liblz4 takes when asked for high compression
	Max  Level = 12
)

// MaxInput is the size of the largest input: positions and literal runs are
// counted in 31 bits.
const MaxInput = math.MaxInt32

// What AppendCompress refuses.
var (
	ErrLevel    = errors.New("lz4hc: no such level")
	ErrTooLarge = errors.New("lz4hc: input larger than 2 GiB - 1")
)

// effort is what a level spends.
type effort struct {
	tries   int  // candidates looked at for one match
	optimal bool // price all cuts, not only those between overlapping matches
	enough  int  // optimal: take a match of this length without more ado
	every   bool // optimal: search where only a shorter match can help, too
}

// efforts has the search depths of liblz4, but for two: at level 10 it tries 96
// candidates, which leaves some GBX bodies larger than at level 9; at level 12
// it tries 16384, and beyond 4096 real data gains nothing.
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

// MaxCompressedLen returns the size of the largest block that n bytes can give:
// they are stored as one run of literals, and every 255 of them cost a byte.
func MaxCompressedLen(n int) int {
	return n + n/255 + 16
}

// CompressGap returns the smallest distance from the end of dst to the start of
// src at which [AppendCompress] can compress n bytes within one buffer. The
// distance makes room for the growth of incompressible data and keeps the
// maxDist bytes that a match may still refer to.
func CompressGap(n int) int {
	return MaxCompressedLen(n) - n + maxDist + wholeCopy
}

// AppendCompress appends src as one LZ4 block to dst and returns the extended
// slice. The block of incompressible data is a little larger than the data;
// that of no data is one zero byte.
//
// The slices must not overlap, with one exception: src may lie in the free
// capacity of dst if it starts [CompressGap] bytes or more after the end of
// dst. The block then overwrites the part of src that is already compressed,
// and one buffer a little larger than src is enough for both.
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
