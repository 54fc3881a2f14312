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

// Levels with a name. Those between them are valid too.
const (
	Fast Level = 1
	High Level = 9 // what liblz4 takes when asked for high compression
	Max  Level = 12
)

// MaxInput is the size of the largest input: positions and literal runs are
// counted in 31 bits.
const MaxInput = math.MaxInt32

// The errors of AppendCompress.
var (
	ErrLevel    = errors.New("lz4: no such level")
	ErrTooLarge = errors.New("lz4: input larger than 2 GiB - 1")
)

// effort is the work that a level may do.
type effort struct {
	tries   int  // candidates looked at for one match
	optimal bool // price all cuts, not only those between overlapping matches
	enough  int  // optimal: take a match of this length at once
	every   bool // optimal: search where only a shorter match can help, too
}

// efforts has the search depths of liblz4, with two exceptions. At level 10 liblz4
// tries 96 candidates, and some GBX bodies come out larger than at level 9. At
// level 12 it tries 16384; real data gains nothing beyond 4096.
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

// CompressGap is the distance that [AppendCompress] needs between the end of dst and the
// start of an input of n bytes in the same buffer. The block then never overtakes
// the input: what is written so far is at most [MaxCompressedLen] of what is read,
// and matches look maxDist bytes back from there.
func CompressGap(n int) int {
	return MaxCompressedLen(n) - n + maxDist + wholeCopy
}

// AppendCompress appends src as one LZ4 block to dst and returns the extended
// slice. The block of incompressible data is a little larger than the data; the
// block of no data is one zero byte.
//
// dst and src must not overlap, with one exception: src may start [CompressGap] bytes or
// more behind the end of dst, in the same buffer. The block then overwrites input
// that is compressed already, and one buffer a little larger than src is enough.
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
