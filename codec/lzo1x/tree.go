package lzo1x

// Limits of the search at one position. Deeper searches make real GBX bodies no smaller.
const (
	maxDepth   = 256
	compareLen = 1 << 10
)

// match is the smallest distance of a match, and the greatest length with this distance.
type match struct {
	length, distance int
}

// tree finds the nearest match of each length. The positions with the same two bytes form
// a binary tree in the order of their content, with later positions above earlier ones. A
// new position is inserted from the top, and passes the nearest matches on its way. The
// idea is from the match finders of Igor Pavlov's LZMA.
type tree struct {
	positions
	base     uint32
	roots    [1 << 16]uint32
	children [1 << 16][2]uint32 // index: the low bits of the position, which are unique within reach of a match
	matches  []match
}

func (t *tree) open(n int) {
	var restart bool
	if t.base, restart = t.positions.open(n); restart {
		clear(t.roots[:])
	}
}

// insert adds the next position and returns its matches, up to compareLen long.
// They are valid until the next call.
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

	// The tree is split into positions with smaller and with larger content. less and
	// more are the places for the next part of each; these parts share lessLen or moreLen
	// bytes with pos.
	less, more := &t.children[uint16(number)][0], &t.children[uint16(number)][1]
	lessLen, moreLen, best := 2, 2, 1 // all positions of a tree share two bytes
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
		if length == limit { // equal content: take the place of the older position
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
