package zinflate

import "encoding/binary"

// Adler-32 has two sums modulo 65521 (RFC 1950, section 9): one of all bytes, starting at
// 1, and one of the values of the first sum after each byte. This code adds whole words,
// in eight lanes of 16 bits. The standard library adds bytes, which would take a fifth of
// the decoding time.
const (
	adlerModulus = 65521
	// adlerWords is the largest number of words before a lane overflows: 255*(22+21+…+1)
	// < 65536.
	adlerWords = 23
	adlerBlock = 8 * adlerWords
	everyOther = 0x00ff00ff00ff00ff
)

// adlerSum is the checksum of the bytes added so far.
type adlerSum struct{ less1, second uint32 } // the zero value is the checksum of no bytes

func (s *adlerSum) sum() uint32 { return s.second<<16 | (s.less1+1)%adlerModulus }

func (s *adlerSum) add(p []byte) {
	first, second := uint64(s.less1+1), uint64(s.second)
	for ; len(p) >= adlerBlock; p = p[adlerBlock:] {
		var even, odd, evens, odds uint64
		for q := p[:adlerBlock]; len(q) >= 8; q = q[8:] {
			w := binary.LittleEndian.Uint64(q)
			evens += even
			odds += odd
			even += w & everyOther
			odd += w >> 8 & everyOther
		}
		// The second sum counts each byte once for every byte from itself to the end.
		second += adlerBlock*first + 8*(lanes(evens)+lanes(odds))
		for i := range uint64(4) {
			e, o := even>>(16*i)&0xffff, odd>>(16*i)&0xffff
			first += e + o
			second += (8-2*i)*e + (7-2*i)*o
		}
		first, second = first%adlerModulus, second%adlerModulus
	}
	for _, b := range p {
		first += uint64(b)
		second += first
	}
	s.less1, s.second = uint32((first+adlerModulus-1)%adlerModulus), uint32(second%adlerModulus)
}

// lanes adds the four lanes of a word.
func lanes(w uint64) uint64 {
	w = w&0x0000ffff0000ffff + w>>16&0x0000ffff0000ffff
	return w&0xffffffff + w>>32
}
