package lzo1x

// Limits for one position. Deeper searches make real bodies no smaller.
const (
	maxDepth   = 256
	compareLen = 1 << 10
)

// match is a distance and the greatest length for which it is the smallest.
type match struct {
	length, distance int
}

// tree finds the nearest match of each length. The positions with the same two
// bytes form a binary tree in order of their content, later positions above
// earlier ones. The way of a new position to its place passes the nearest
// matches. The idea is from the match finders of Igor Pavlov's LZMA.
type tree struct {
	positions
	base     uint32
	roots    [1 << 16]uint32
	children [1 << 16][2]uint32 // by the low bits of the position, which are unique within reach
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

	// The tree is split into smaller and larger positions. less and more are the
	// places for the next part of each, which shares lessLen or moreLen bytes.
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
