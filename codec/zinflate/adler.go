package zinflate

import "encoding/binary"

// Adler-32 is two sums modulo 65521: of the bytes, starting from 1, and of the
// first sum after each byte (RFC 1950, section 9). The package of the standard
// library adds byte by byte, a fifth of the time that decoding takes. Here words
// are added whole: bytes in even and in odd places are eight lanes of 16 bits.
const (
	adlerModulus = 65521
	// adlerWords are as many words as can be added before a lane of the second
	// sum overflows: 255*(22+21+…+1) is less than 65536, and one more is not.
	adlerWords = 23
	adlerBlock = 8 * adlerWords
	everyOther = 0x00ff00ff00ff00ff
)

// adlerSum is the checksum of what was added to it.
type adlerSum struct{ less1, second uint32 } // the zero value is that of no bytes

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
		// A byte counts in the second sum once for each byte from it to the end:
		// eight times for each word behind its own, and for those in its own.
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

// lanes is the sum of the four lanes of a word.
func lanes(w uint64) uint64 {
	w = w&0x0000ffff0000ffff + w>>16&0x0000ffff0000ffff
	return w&0xffffffff + w>>32
}
