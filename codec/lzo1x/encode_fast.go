package lzo1x

import "math/bits"

const (
	fastBits  = 13  // bits of the hash: a table of 32 KiB stays in the first cache
	fastMin   = 4   // bytes in the shortest match
	fastSlack = 24  // bytes at the end where no match starts, so that whole words can be read
	fastRoom  = 32  // bytes of output that copies of whole words may touch
	skipShift = 5   // the step grows by 1 for each 32 bytes without a match,
	skipMax   = 255 // up to this limit, so that compressible data is noticed soon
)

// fastEncoder has a table with one position for each hash of four bytes.
type fastEncoder struct {
	positions
	table [1 << fastBits]uint32
}

// encode writes everything but the last literals, and returns where these start.
func (e *fastEncoder) encode(w *writer, src []byte) (anchor int) {
	base, restart := e.open(len(src))
	if restart {
		clear(e.table[:])
	}
	src = src[:len(src):len(src)] // saves a register
	table := &e.table
	for pos := fastMin; pos <= len(src)-fastSlack; {
		v := le64(src[pos : pos+8 : pos+8])
		slot := &table[uint32(v)*0x9E3779B1>>(32-fastBits)]
		number := base + uint32(pos)
		distance := uint64(number - *slot)
		*slot = number

		// One test instead of two: a position that is too far away becomes pos itself,
		// which is not a match.
		near := (distance - m4Max - 1) >> 63 // 1 if distance <= m4Max
		start := pos - int(distance&-near)
		x := v ^ le64(src[start:start+8:start+8]) | (near - 1)
		if uint32(x) != 0 {
			pos += 1 + min((pos-anchor)>>skipShift, skipMax)
			continue
		}
		length := bits.TrailingZeros64(x) >> 3
		if x == 0 {
			length += matchLen(src, pos+8, int(distance))
		}
		end := pos + length
		if pos-anchor >= 1<<skipShift { // bytes were skipped: extend the match back over them
			for pos > anchor && start > 0 && src[pos-1] == src[start-1] {
				pos--
				start--
			}
		}
		w.sequence(src[anchor:], pos-anchor, distance, uint64(end-pos))
		pos, anchor = end, end
	}
	return anchor
}

// sequence writes literals and a match of at least fastMin bytes, in whole words. src
// must have at least fastSlack bytes behind the literals.
func (w *writer) sequence(src []byte, literals int, distance, length uint64) {
	n := w.n
	to := (*[fastRoom]byte)(w.out[n : n+fastRoom])
	from := (*[fastSlack]byte)(src)
	switch {
	case n == 0 || literals > runField+3:
		w.literals(src[:literals])
	case literals <= 3:
		w.out[n-2] |= byte(literals)
		put32(to[:], le32(from[:]))
		w.n = n + literals
	default:
		to[0] = byte(literals - 3)
		put64(to[1:], le64(from[0:]))
		put64(to[9:], le64(from[8:]))
		put64(to[17:], le64(from[16:]))
		w.n = n + 1 + literals
	}

	if distance > m3Max || length > m3Field+2 {
		w.match(int(distance), int(length))
		return
	}
	distance--
	m2 := (distance - m2Max) & (length - 9) >> 63 // 1 if M2 can hold both distance and length
	m2Word := (length-1)<<5 | distance&7<<2 | distance>>3<<8
	m3Word := 32 | (length - 2) | distance<<10
	put32(w.out[w.n:w.n+4], uint32(pick(m2, m2Word, m3Word)))
	w.n += 3 - int(m2)
}
