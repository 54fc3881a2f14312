package lz4

import "math/bits"

const (
	// The table takes a third of a first-level cache. A larger one is slower.
	fastLog = 13

	// The step grows by one byte after each 64 failures.
	skipLog = 6
)

// fastEncoder is level 1. For each hash of five bytes it stores the low 16 bits of the
// last position, which are enough for the distance.
type fastEncoder struct {
	last [1 << fastLog]uint16
}

func fastHash(x uint64) uint64 {
	return (x << 24) * 0xCF1BBCDCBB >> (64 - fastLog)
}

func (e *fastEncoder) encode(b *block) {
	// Entries of earlier blocks must not influence the result.
	clear(e.last[:])
	src := b.src
	limit := len(src) - matchMargin
	end := len(src) - lastLiterals
	// An empty entry means position 0, so the search starts at 1.
	for pos, failures := 1, 1<<skipLog; pos <= limit; {
		x := load64(src, pos)
		h := fastHash(x)
		dist := int(uint16(pos) - e.last[h])
		e.last[h] = uint16(pos)
		// One comparison checks 1 <= dist <= pos.
		if uint(dist-1) >= uint(pos) || load32(src, pos-dist) != uint32(x) {
			pos += failures >> skipLog
			failures++
			continue
		}
		ref := pos - dist
		length := minMatch + common(src, pos+minMatch, ref+minMatch, end)
		// Extend the match back over at most 8 of the bytes that a larger step skipped.
		back := 0
		if ref >= 8 {
			x := load64(src, pos-8) ^ load64(src, ref-8)
			back = min(bits.LeadingZeros64(x)>>3, pos-b.anchor)
		}
		b.sequence(pos-back, length+back, dist)
		pos += length
		if pos > limit {
			break
		}
		e.last[fastHash(load64(src, pos-2))] = uint16(pos - 2)
		failures = 1 << skipLog
	}
}
