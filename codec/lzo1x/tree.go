package lzo1x

// Bounds of the time for one position. Going deeper makes real bodies no
// smaller. Positions that are equal as far as one compares count as one, of
// which only the nearest is found.
const (
	maxDepth   = 256
	compareLen = 1 << 10
)

// match is a distance and the greatest length for which it is the smallest.
type match struct {
	length, distance int
}

// tree finds the nearest match of each length. All positions with the same two
// bytes form a binary tree, ordered by what follows and with later positions
// above earlier ones, so that the way of a new position to its place passes the
// nearest match of each length, the shortest first; the new position becomes
// the root. (The idea is that of the match finders in Igor Pavlov's LZMA.)
type tree struct {
	positions
	base     uint32
	roots    [1 << 16]uint32
	children [1 << 16][2]uint32 // by the low bits of the position, which are unique within reach
	matches  []match
}

// open prepares for an input of n bytes.
func (t *tree) open(n int) {
	var restart bool
	if t.base, restart = t.positions.open(n); restart {
		clear(t.roots[:])
	}
}

// insert adds a position and returns the matches there, of which none is longer
// than compareLen. They are valid until the next call. Positions must come in
// order.
func (t *tree) insert(src []byte, pos int) []match {
	t.matches = t.matches[:0]
	limit := min(len(src)-pos, compareLen)
	if limit < 2 {
		return nil
	}
	src = src[:pos+limit]
	number := t.base + uint32(pos)
	root := &t.roots[uint16(src[pos])|uint16(src[pos+1])<<8]
	other := *root
	*root = number

	// The tree is split into what is less and what is more than the new
	// position. less and more are where the next part of each goes; all in it
	// has the given length in common with the new position.
	less, more := &t.children[uint16(number)][0], &t.children[uint16(number)][1]
	lessLen, moreLen, best := 0, 0, 1
	for range maxDepth {
		if number-other > m4Max {
			break
		}
		distance := int(number - other)
		length := min(lessLen, moreLen)
		length += matchLen(src, pos+length, distance)
		if length > best {
			best = length
			t.matches = append(t.matches, match{length, distance})
		}
		children := &t.children[uint16(other)]
		if length == limit { // equal: take its place
			*less, *more = children[0], children[1]
			return t.matches
		}
		if src[pos+length-distance] < src[pos+length] {
			*less, less, lessLen = other, &children[1], length
			other = *less
		} else {
			*more, more, moreLen = other, &children[0], length
			other = *more
		}
	}
	*less, *more = 0, 0
	return t.matches
}
