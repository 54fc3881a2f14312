package lz4

import (
	"math"
	"math/bits"
)

const (
	headLog = 15
	history = maxDist + 1 // positions that a match can refer to, and the current one
)

// match states that the length bytes at pos equal the bytes dist before them. Zero is no
// match.
type match struct {
	pos, length, dist int
}

func (m match) end() int { return m.pos + m.length }

// chain finds matches. Positions with the same hash of four bytes form a chain: head has
// the last position, prev the step from each position to the one before.
//
// Positions are counted on from block to block, with a gap so large that no match reaches
// an earlier block. So the tables need not be cleared. A step that is too long for a
// match is stored as maxDist.
type chain struct {
	base   uint32 // the count of position 0 of this block
	used   uint32 // the count after this block
	next   int    // the first position that is not in the tables yet
	runEnd int    // end of the run of equal bytes that the method run looked at last
	head   [1 << headLog]uint32
	prev   [history]uint16 // index: the low 16 bits of the count
}

// begin forgets the last block and prepares for a block of n bytes.
func (c *chain) begin(n int) {
	if uint64(c.used)+history+uint64(n) > math.MaxUint32 {
		clear(c.head[:])
		c.used = 0
	}
	c.base = c.used + history
	c.used = c.base + uint32(n)
	c.next, c.runEnd = 0, 0
}

func chainHash(x uint32) uint32 {
	return x * 2654435761 >> (32 - headLog)
}

func (c *chain) enter(src []byte, pos int) {
	p := c.next
	for ; p <= pos; p++ {
		h := chainHash(load32(src, p))
		count := c.base + uint32(p)
		c.prev[uint16(count)] = uint16(min(count-c.head[h], maxDist))
		c.head[h] = count
	}
	c.next = p
}

// step returns the distance from pos to the previous position in its chain.
func (c *chain) step(pos int) int {
	return int(c.prev[uint16(c.base)+uint16(pos)])
}

// ahead returns the distance from pos+via back to the last position with the same hash of
// four bytes.
func (c *chain) ahead(src []byte, pos, via int) int {
	last := c.head[chainHash(load32(src, pos+via))]
	return int(min(c.base+uint32(pos+via)-last, history))
}

// longest returns the longest match at pos that is longer than least, or none.
//
// A longer match has the same bytes at every offset, so the chain of any offset leads to
// it. After each find the search continues in the chain with the widest steps. If the
// find overlaps itself, as in a run of equal bytes, all its steps are short; then the
// search takes the chain at its end.
func (c *chain) longest(src []byte, pos, least, tries int) match {
	c.enter(src, pos)
	m := match{pos: pos, length: least}
	end := len(src) - lastLiterals
	dist, via := c.step(pos), 0
	if x := load32(src, pos); x == bits.RotateLeft32(x, 8) {
		if run := c.run(src, &m, tries); m.length < run {
			return m.orNone() // no match reaches the end of the run of equal bytes
		}
		via = m.length - 3
		dist = c.ahead(src, pos, via)
	}
	if m.end() >= end {
		return m.orNone()
	}
	reach := min(pos, maxDist)
	tail := load32(src, pos+m.length-3)
	for ; dist <= reach && tries > 0; tries-- {
		ref := pos - dist
		if load32(src, ref+m.length-3) == tail {
			length := common(src, pos, ref, end)
			tries -= length >> 8 // a long comparison counts as several tries
			if length > m.length {
				m.length, m.dist = length, dist
				if m.end() >= end {
					break
				}
				tail = load32(src, m.end()-3)
				if dist < length {
					via = length - 3
					dist = c.ahead(src, pos, via)
					continue
				}
				via = c.rarest(ref, length)
			}
		}
		dist += c.step(ref + via)
	}
	return m.orNone()
}

// orNone returns the match, or the zero match if no distance was found.
func (m match) orNone() match {
	if m.dist == 0 {
		return match{}
	}
	return m
}

// rarest returns the offset in the match at ref whose chain has the widest step.
func (c *chain) rarest(ref, length int) int {
	via, widest := 0, 0
	for i := 0; i <= length-minMatch; i++ {
		if s := c.step(ref + i); s > widest {
			via, widest = i, s
		}
	}
	return via
}

// run handles a match m that starts in a run of equal bytes. It looks for a longer match
// up to the end of the run, and returns the length of the run. Game data is full of such
// runs, and walking their chains would go byte by byte.
func (c *chain) run(src []byte, m *match, tries int) int {
	pos, end := m.pos, len(src)-lastLiterals
	if pos >= c.runEnd {
		c.runEnd = pos + minMatch + common(src, pos+minMatch, pos+minMatch-1, end)
	}
	run := c.runEnd - pos
	if run <= m.length {
		return run
	}
	if pos > 0 && src[pos-1] == src[pos] {
		m.length, m.dist = run, 1
		return run
	}
	// A run begins: find an earlier run of the same byte that is as long, or the longest.
	low := max(pos-maxDist, 0)
	for ref := pos - c.step(pos); ref >= low && m.length < run && tries > 0; tries-- {
		if load32(src, ref) == load32(src, pos) {
			stop := ref + minMatch + common(src, ref+minMatch, ref+minMatch-1, pos)
			ref -= commonBefore(src, ref+1, ref, low+1)
			if at := max(ref, stop-run); stop-at > m.length {
				m.length, m.dist = stop-at, pos-at
			}
			tries -= (stop - ref) >> 8
		}
		ref -= c.step(ref)
	}
	return run
}

// wider returns the longest match that covers pos, starts at low or later, and is longer
// than least.
func (c *chain) wider(src []byte, pos, low, least, tries int) match {
	c.enter(src, pos)
	m := match{length: least}
	end := len(src) - lastLiterals
	reach := min(pos, maxDist)
	// A longer match must contain the four bytes at far.
	x := load32(src, pos)
	far := max(low+least-3, pos)
	tail := load32(src, far)
	for dist := c.step(pos); dist <= reach && tries > 0; tries-- {
		ref := pos - dist
		if load32(src, far-dist) == tail && load32(src, ref) == x {
			length := minMatch + common(src, pos+minMatch, ref+minMatch, end)
			back := commonBefore(src, pos, ref, low)
			tries -= (length + back) >> 8
			if length+back > m.length {
				m = match{pos - back, length + back, dist}
				if m.end() >= end {
					break
				}
				far = max(low+m.length-3, pos)
				tail = load32(src, far)
			}
		}
		dist += c.step(ref)
	}
	return m.orNone()
}
