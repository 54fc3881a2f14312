package picture

import (
	"encoding/binary"
	"hash/adler32"
	"slices"
)

// Two pictures of a film differ in a few thousand of half a million pixels. A general
// compressor would examine all pixels. This one knows where nothing changed, and its work
// grows with the changes.

// deflated returns the difference as the data of a PNG: rows that begin with filter 0,
// pixels of four bytes, compressed (RFC 1950 and 1951). Unchanged pixels are transparent.
func (d *difference) deflated() []byte {
	wide := 4 * d.part.Dx()
	s := sparse{wide: wide + 1}
	var row, above []byte
	var list []stretch
	for y := d.part.Min.Y; y < d.part.Max.Y; y++ {
		list = d.row(y, list)
		if len(list) == 0 {
			s.zeros(wide + 1)
			above = above[:0]
			continue
		}
		row = slices.Grow(row[:0], wide+1)[:wide+1]
		clear(row)
		for _, k := range list {
			for x := k.from; x < k.to; x++ {
				if d.differs(x, y) {
					i := d.now.PixOffset(x, y)
					copy(row[1+4*(x-d.part.Min.X):], d.now.Pix[i:i+4])
				}
			}
		}
		at := 0
		for _, k := range list {
			from, to := 1+4*(k.from-d.part.Min.X), 1+4*(k.to-d.part.Min.X)
			s.zeros(from - at)
			s.pixels(row, above, from, to)
			at = to
		}
		s.zeros(wide + 1 - at)
		row, above = above, row
	}
	return s.stream()
}

// token is either one byte of the data, or a copy of earlier bytes.
type token struct {
	length   uint16 // 0 for a byte
	distance uint16
	value    byte
}

// sparse collects the tokens of a stream.
type sparse struct {
	tokens []token
	zero   int // number of 0 bytes not yet written
	wide   int // length of a row in bytes
	sum    checksum
}

// longest is the length of the longest copy in deflate.
const longest = 258

// zeros appends n bytes 0.
func (s *sparse) zeros(n int) {
	s.zero += n
	s.sum.zeros(n)
}

// flush writes the waiting 0 bytes: one of them, then copies of it.
func (s *sparse) flush() {
	if s.zero > 0 {
		s.tokens = append(s.tokens, token{})
		s.copies(s.zero-1, 1, 0)
		s.zero = 0
	}
}

// copies appends copies of the bytes at a distance before. A remainder that is too short
// for a copy is written as single bytes with the value rest.
func (s *sparse) copies(n, distance int, rest byte) {
	for n >= 3 {
		k := min(n, longest)
		if left := n - k; left == 1 || left == 2 {
			k -= 3
		}
		s.tokens = append(s.tokens, token{length: uint16(k), distance: uint16(distance)})
		n -= k
	}
	for ; n > 0; n-- {
		s.tokens = append(s.tokens, token{value: rest})
	}
}

// pixels appends a stretch of a row. Pixels become single bytes, or copies of the pixel
// before or of the pixels above.
func (s *sparse) pixels(row, above []byte, from, to int) {
	s.sum.bytes(row[from:to])
	for i := from; i < to; {
		if [4]byte(row[i:i+4]) == [4]byte{} {
			s.zero += 4
			i += 4
			continue
		}
		s.flush()
		same, up := 0, 0
		for i > 4 && i+same < to && [4]byte(row[i+same:i+same+4]) == [4]byte(row[i-4:i]) {
			same += 4
		}
		for len(above) > 0 && s.wide < 32768 && i+up < to && [4]byte(row[i+up:i+up+4]) == [4]byte(above[i+up:i+up+4]) {
			up += 4
		}
		switch {
		case up > same:
			s.copies(up, s.wide, 0)
			i += up
		case same > 0:
			s.copies(same, 4, 0)
			i += same
		default:
			for _, b := range row[i : i+4] {
				s.tokens = append(s.tokens, token{value: b})
			}
			i += 4
		}
	}
}

// stream returns the compressed data: one block with its own codes.
func (s *sparse) stream() []byte {
	s.flush()
	const endOfBlock = 256
	var letters [286]int
	var distances [30]int
	letters[endOfBlock] = 1
	for _, t := range s.tokens {
		if t.length == 0 {
			letters[t.value]++
			continue
		}
		l, _, _ := lengthCode(int(t.length))
		k, _, _ := distanceCode(int(t.distance))
		letters[l]++
		distances[k]++
	}
	b := bitWriter{out: []byte{0x78, 0x01}}
	literal, distance := huffman(letters[:], 15), huffman(distances[:], 15)
	b.block(literal, distance)
	for _, t := range s.tokens {
		if t.length == 0 {
			b.code(literal[t.value])
			continue
		}
		l, n, extra := lengthCode(int(t.length))
		b.code(literal[l])
		b.add(extra, n)
		k, n, extra := distanceCode(int(t.distance))
		b.code(distance[k])
		b.add(extra, n)
	}
	b.code(literal[endOfBlock])
	b.end()
	return binary.BigEndian.AppendUint32(b.out, s.sum.value())
}

// checksum is Adler-32 (RFC 1950) with a fast way for many 0 bytes.
type checksum struct {
	a, b  uint64
	begun bool
}

const adlerBase = 65521

func (c *checksum) begin() {
	if !c.begun {
		c.a, c.begun = 1, true
	}
}

func (c *checksum) zeros(n int) {
	c.begin()
	c.b = (c.b + c.a*uint64(n)) % adlerBase
}

func (c *checksum) bytes(p []byte) {
	c.begin()
	// adler32 starts its two sums at 1 and 0. This moves its result to the current sums.
	own := adler32.Checksum(p)
	a, b := uint64(own&0xFFFF), uint64(own>>16)
	n := uint64(len(p)) % adlerBase
	c.b = (c.b + b + (c.a+adlerBase-1)*n) % adlerBase
	c.a = (c.a + a + adlerBase - 1) % adlerBase
}

func (c *checksum) value() uint32 {
	c.begin()
	return uint32(c.b<<16 | c.a)
}
