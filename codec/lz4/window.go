package lz4

import "math"

// windowSize is the number of bytes whose prices are computed together.
const windowSize = 4096

// node is the cheapest known way to a position, and its price: the bytes of the block
// from the start of the window up to that position. The price is in the upper half, so
// the smaller node is the cheaper one; at the same price a match is smaller than
// literals.
//
//	bits 32-63  price
//	bit  31     whether the way ends with literals
//	bits 0-30   if so: how many, counting those before the window
//	bits 16-28  if not: the length of the match
//	bits 0-15   if not: the distance of the match
//
// Only the price decides between two ways. A way that ends with fourteen literals is more
// expensive to continue, which the price does not show. So the result is a little worse
// than optimal.
type node uint64

const (
	unreached = node(math.MaxUint64)
	oneByte   = node(1 << 32)
	wayMask   = oneByte - 1
	literal   = node(1 << 31)
	oneLonger = node(1 << 16)
)

func (n node) price() uint32 { return uint32(n >> 32) }
func (n node) literals() int { return int(n &^ literal & wayMask) }
func (n node) length() int   { return int(n & wayMask >> 16) }
func (n node) dist() int     { return int(n & maxDist) }

// window finds the cheapest way through a stretch of data. Matches are offered in order
// of position, and literals fill the gaps.
type window struct {
	last  int // the last position that has been reached
	nodes [windowSize + 1]node
	path  [windowSize / minMatch]uint16
}

// open starts a window. literals is the number of literals before it.
func (w *window) open(literals int) {
	w.nodes[0] = literal | node(literals)
	w.last = 0
}

// offer adds the ways that continue from at with a match, or with the beginning of it.
func (w *window) offer(at, length, dist int) {
	end := at + length
	for i := w.last + 1; i <= end; i++ {
		w.nodes[i] = unreached
	}
	w.last = max(w.last, end)
	// The price of a match: a token and an offset, and from tokenMatch on one byte more
	// for each 255 bytes.
	n := w.nodes[at]&^wayMask + 3*oneByte + minMatch*oneLonger + node(dist)
	nodes := w.nodes[at+minMatch : end+1]
	for step := tokenMatch - minMatch; ; step = 255 {
		rest := nodes[min(step, len(nodes)):]
		for i, old := range nodes[:len(nodes)-len(rest)] {
			nodes[i] = min(old, n)
			n += oneLonger
		}
		if len(rest) == 0 {
			return
		}
		n += oneByte
		nodes = rest
	}
}

// fill adds the ways that continue with literals from at up to to.
func (w *window) fill(at, to int) {
	n := w.nodes[at]
	for ; at < to; at++ {
		old := w.nodes[at+1]
		n += oneByte
		if n >= old {
			n = old
			continue
		}
		if n&literal == 0 {
			n = n&^wayMask | literal
		}
		n++
		if rest := n.literals() - tokenMax; rest >= 0 && rest%255 == 0 {
			n += oneByte
		}
		n = min(n, old)
		w.nodes[at+1] = n
	}
}

// write writes the matches of the cheapest way to last. pos is the window's
// start.
func (w *window) write(b *block, pos, last int) {
	count := 0
	for i := last; i > 0; {
		n := w.nodes[i]
		if n&literal != 0 {
			i -= n.literals()
			continue
		}
		w.path[count] = uint16(i)
		count++
		i -= n.length()
	}
	for count > 0 {
		count--
		end := int(w.path[count])
		n := w.nodes[end]
		b.sequence(pos+end-n.length(), n.length(), n.dist())
	}
}
