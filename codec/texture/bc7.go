package texture

import "encoding/binary"

// A block of BC7 has one of eight modes. It has one to three parts with two colours each.
// In some modes alpha, or another channel in its place, is stored separately.

// bc7Mode states how the bits of a block are used in one mode.
type bc7Mode struct {
	parts         int
	partitionBits int
	rotationBits  int // selects the channel that is swapped with alpha
	selectorBits  int // selects which of the two indices is for the colours
	colourBits    int
	alphaBits     int
	pBits         int // one extra bit for each colour (2), or for both colours of a part (1)
	indexBits     int
	index2Bits    int
}

var bc7Modes = [8]bc7Mode{
	{3, 4, 0, 0, 4, 0, 2, 3, 0},
	{2, 6, 0, 0, 6, 0, 1, 3, 0},
	{3, 6, 0, 0, 5, 0, 0, 2, 0},
	{2, 6, 0, 0, 7, 0, 2, 2, 0},
	{1, 0, 2, 1, 5, 6, 0, 2, 3},
	{1, 0, 2, 0, 7, 8, 0, 2, 2},
	{1, 0, 0, 0, 7, 7, 2, 4, 0},
	{2, 6, 0, 0, 5, 5, 2, 2, 0},
}

// bc7Weights has the weight of each index in 64ths. The first subscript is the number of
// bits of the index.
var bc7Weights = [5][]int{
	2: {0, 21, 43, 64},
	3: {0, 9, 18, 27, 37, 46, 55, 64},
	4: {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64},
}

// bitReader reads the bits of a block, lowest first.
type bitReader struct{ low, high uint64 }

func (b *bitReader) bits(n int) int {
	v := b.low & (1<<n - 1)
	b.low = b.low>>n | b.high<<(64-n)
	b.high >>= n
	return int(v)
}

func decodeBC7(out *[16][4]uint8, data []byte) {
	b := &bitReader{binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])}
	number := 0
	for number < 8 && b.bits(1) == 0 {
		number++
	}
	if number == 8 { // a reserved mode: all pixels are transparent
		*out = [16][4]uint8{}
		return
	}
	m := bc7Modes[number]
	partition, rotation, selector := b.bits(m.partitionBits), b.bits(m.rotationBits), b.bits(m.selectorBits)
	ends := m.endpoints(b)
	first := m.indices(b, m.indexBits, partition)
	second, secondBits := first, m.indexBits
	if m.index2Bits > 0 {
		second, secondBits = m.indices(b, m.index2Bits, partition), m.index2Bits
	}
	colour, colourBits, alpha, alphaBits := first, m.indexBits, second, secondBits
	if selector == 1 {
		colour, colourBits, alpha, alphaBits = second, secondBits, first, m.indexBits
	}
	for i := range out {
		e := &ends[bc7Part(m.parts, partition, i)]
		for c := range 4 {
			w := bc7Weights[colourBits][colour[i]]
			if c == 3 {
				w = bc7Weights[alphaBits][alpha[i]]
			}
			out[i][c] = uint8((e[0][c]*(64-w) + e[1][c]*w + 32) >> 6)
		}
		if rotation > 0 {
			out[i][3], out[i][rotation-1] = out[i][rotation-1], out[i][3]
		}
	}
}

// endpoints reads the two colours of each part, scaled to eight bits.
func (m bc7Mode) endpoints(b *bitReader) (ends [3][2][4]int) {
	for c := range 4 {
		n := m.colourBits
		if c == 3 {
			n = m.alphaBits
		}
		for part := range m.parts {
			for end := range 2 {
				ends[part][end][c] = b.bits(n)
			}
		}
	}
	extra := 0
	if m.pBits > 0 {
		extra = 1
		for part := range m.parts {
			var p [2]int
			if p[0] = b.bits(1); m.pBits == 2 {
				p[1] = b.bits(1)
			} else {
				p[1] = p[0]
			}
			for end := range 2 {
				for c := range 4 {
					ends[part][end][c] = ends[part][end][c]<<1 | p[end]
				}
			}
		}
	}
	for part := range m.parts {
		for end := range 2 {
			for c := range 4 {
				n := m.colourBits + extra
				if c == 3 {
					n = m.alphaBits + extra
				}
				ends[part][end][c] = spread(ends[part][end][c], n)
			}
			if m.alphaBits == 0 {
				ends[part][end][3] = 255
			}
		}
	}
	return ends
}

// spread expands a value of n bits to eight: it repeats the upper bits below the value.
func spread(v, n int) int {
	if n < 4 { // the mode has no alpha
		return 0
	}
	v <<= 8 - n
	return v | v>>n
}

// indices reads the index of each pixel. The highest bit of the first index of a part is
// not stored; it is zero.
func (m bc7Mode) indices(b *bitReader, n, partition int) (list [16]int) {
	for i := range list {
		size := n
		if bc7IsAnchor(m.parts, partition, i) {
			size--
		}
		list[i] = b.bits(size)
	}
	return list
}

// bc7Part returns the part that a pixel belongs to.
func bc7Part(parts, partition, pixel int) int {
	switch parts {
	case 2:
		return int(bc7Two[partition] >> pixel & 1)
	case 3:
		return int(bc7Three[partition] >> (2 * pixel) & 3)
	}
	return 0
}

func bc7IsAnchor(parts, partition, pixel int) bool {
	switch {
	case pixel == 0:
		return true
	case parts == 2:
		return int(bc7TwoAnchor[partition]) == pixel
	case parts == 3:
		return int(bc7ThreeAnchors[0][partition]) == pixel || int(bc7ThreeAnchors[1][partition]) == pixel
	}
	return false
}
