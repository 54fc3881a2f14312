package lz4

import (
	"encoding/binary"
	"errors"
	"fmt"

	"pakbox/codec/internal/words"
)

// The faults of a block. An [Error] wraps one of them.
var (
	ErrTruncated  = errors.New("the block ends early")
	ErrOutputFull = errors.New("the block holds more than there is room for")
	ErrLookBehind = errors.New("a match starts before the beginning")
)

// Error is a fault of a block, with the offset of the faulty sequence.
type Error struct {
	Err    error
	Offset int
}

func (e *Error) Error() string { return fmt.Sprintf("lz4: byte %d: %v", e.Offset, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// Decompress decodes the block src into dst and returns the number of decoded bytes. A
// block with more than len(dst) bytes is an error. The bytes of dst after the decoded
// ones may change. The slices must not overlap.
//
// A block should end with literals. A block without them and an empty src are accepted.
func Decompress(dst, src []byte) (int, error) { return DecompressAfter(dst, 0, src) }

// DecompressAfter is [Decompress] for a block that refers to the bytes before it,
// or to a dictionary, in buf[:n]. It decodes to buf[n:].
func DecompressAfter(buf []byte, n int, src []byte) (int, error) {
	start, pos := n, 0
	for {
		pos, n = decodeFast(buf, n, src, pos)
		if pos == len(src) {
			return n - start, nil
		}
		next, end, err := decodeSequence(buf, n, src, pos)
		if err != nil {
			return 0, &Error{err, pos}
		}
		pos, n = next, end
	}
}

// piece is the size of copies in decodeFast. The next sequence overwrites the excess.
const piece = 16

// fastInput is the most input that one round of decodeFast reads: token, length, piece,
// distance, length.
const fastInput = 1 + 1 + piece + 2 + 1

// decodeFast decodes sequences far from the ends of both slices whose lengths take at
// most one extra byte. It leaves all other sequences, and every fault, to decodeSequence.
func decodeFast(buf []byte, n int, src []byte, pos int) (int, int) {
	lastPos, lastN := len(src)-fastInput, len(buf)-2*piece
	for pos <= lastPos && n <= lastN {
		token := words.Load8(words.At(src, pos), 0)
		next, at := pos+1, n
		literals := int(token >> 4)
		if literals < tokenMax {
			words.Copy16(words.At(buf, at), words.At(src, next), 0)
		} else {
			literals += int(words.Load8(words.At(src, next), 0))
			next++
			if literals == tokenMax+255 || next+literals > lastPos || at+literals > lastN {
				break
			}
			to, literal := words.At(buf, at), words.At(src, next)
			for i := 0; i < literals; i += piece {
				words.Copy16(to, literal, i)
			}
		}
		next, at = next+literals, at+literals
		dist := int(words.Load16(words.At(src, next), 0))
		next += 2
		from := at - dist
		length := int(token & tokenMax)
		if length == tokenMax {
			length += int(words.Load8(words.At(src, next), 0))
			next++
			if length == tokenMax+255 || at+minMatch+length > lastN {
				break
			}
		}
		length += minMatch
		if from < 0 || at > lastN-2 {
			break
		}
		to, match := words.At(buf, at), words.At(buf, from)
		if dist >= piece {
			words.Copy16(to, match, 0)
			for i := piece; i < length; i += piece {
				words.Copy16(to, match, i)
			}
		} else if dist >= 8 {
			for i := 0; i < length; i += 8 {
				words.Store64(to, i, words.Load64(match, i))
			}
		} else {
			if dist == 0 {
				break
			}
			p := patterns[dist]
			pattern, step := words.Load64(match, 0)&p.mask*p.times, p.step
			for i := 0; i < length; i += step {
				words.Store64(to, i, pattern)
			}
		}
		pos, n = next, at+length
	}
	return pos, n
}

// patterns is for matches with a distance below 8. The mask selects the repeated bytes,
// times repeats them in a word, and step is how many bytes of that word are written at a
// time.
var patterns = [8]struct {
	mask, times uint64
	step        int
}{
	1: {1<<8 - 1, 0x0101010101010101, 8},
	2: {1<<16 - 1, 0x0001000100010001, 8},
	3: {1<<24 - 1, 1<<48 | 1<<24 | 1, 6},
	4: {1<<32 - 1, 1<<32 | 1, 8},
	5: {1<<40 - 1, 1<<40 | 1, 5},
	6: {1<<48 - 1, 1<<48 | 1, 6},
	7: {1<<56 - 1, 1<<56 | 1, 7},
}

// decodeSequence decodes one sequence with every check.
func decodeSequence(buf []byte, n int, src []byte, pos int) (next, end int, err error) {
	token := src[pos]
	pos++
	literals, pos, err := readLength(src, pos, int(token>>4), len(buf))
	if err != nil {
		return 0, 0, err
	}
	if literals > len(src)-pos {
		return 0, 0, ErrTruncated
	}
	if literals > len(buf)-n {
		return 0, 0, ErrOutputFull
	}
	copy(buf[n:n+literals], src[pos:pos+literals])
	pos, n = pos+literals, n+literals
	if pos == len(src) {
		return pos, n, nil
	}
	if len(src)-pos < 2 {
		return 0, 0, ErrTruncated
	}
	dist := int(binary.LittleEndian.Uint16(src[pos:]))
	length, pos, err := readLength(src, pos+2, int(token&tokenMax), len(buf))
	if err != nil {
		return 0, 0, err
	}
	length += minMatch
	if dist == 0 || dist > n {
		return 0, 0, ErrLookBehind
	}
	if length > len(buf)-n {
		return 0, 0, ErrOutputFull
	}
	repeat(buf[n-dist:n+length], dist)
	return pos, n + length, nil
}

// readLength returns a length whose first part is a nibble of the token, and the position
// behind it. A length above most is an error.
func readLength(src []byte, pos, nibble, most int) (length, next int, err error) {
	if nibble < tokenMax {
		return nibble, pos, nil
	}
	length = nibble
	for length <= most {
		if pos == len(src) {
			return 0, 0, ErrTruncated
		}
		b := src[pos]
		pos++
		length += int(b)
		if b < 255 {
			return length, pos, nil
		}
	}
	return 0, 0, ErrOutputFull
}

// repeat fills b with its first period bytes. Each round doubles the filled part.
func repeat(b []byte, period int) {
	for period < len(b) {
		period += copy(b[period:], b[:period])
	}
}
