package vpk42

import (
	"bufio"
	"io"

	"pakbox/fault"
)

// lz4Window is the largest distance of a match in an LZ4 block.
const lz4Window = 1 << 16

// lz4Reader decodes an LZ4 block piece by piece. Smaller entries are decoded as a
// whole by codec/lz4, which is faster.
type lz4Reader struct {
	src      *bufio.Reader
	window   [2 * lz4Window]byte // the latest output; the end of it is not read yet
	start    int                 // beginning of the output that is not read yet
	end      int
	literals int // literals still to be copied
	match    int // bytes of the match still to be copied after the literals
	dist     int
	nibble   int // length in the token of the match that follows the literals
	err      error
}

func (z *lz4Reader) Read(p []byte) (int, error) {
	for z.start == z.end {
		if z.err != nil {
			return 0, z.err
		}
		if z.end > lz4Window { // drop output that no match can reach
			n := copy(z.window[:], z.window[z.end-lz4Window:z.end])
			z.start, z.end = n, n
		}
		z.err = z.fill()
	}
	n := copy(p, z.window[z.start:z.end])
	z.start += n
	return n, nil
}

// fill decodes into the free part of the window.
func (z *lz4Reader) fill() error {
	for z.end < len(z.window) {
		switch {
		case z.literals > 0:
			n := min(z.literals, len(z.window)-z.end)
			if _, err := io.ReadFull(z.src, z.window[z.end:z.end+n]); err != nil {
				return lz4Ends(err)
			}
			z.end += n
			if z.literals -= n; z.literals > 0 {
				return nil
			}
			if done, err := z.afterLiterals(); done || err != nil {
				return err
			}
		case z.match > 0:
			n := min(z.match, len(z.window)-z.end)
			for i := range n { // one by one: a match may overlap itself
				z.window[z.end+i] = z.window[z.end+i-z.dist]
			}
			z.end += n
			z.match -= n
		default:
			// A block should end with literals. Like codec/lz4, this accepts a block that
			// ends with a match; the content size shows whether it is complete.
			token, err := z.src.ReadByte()
			if err != nil {
				return err
			}
			if z.literals, err = z.length(int(token >> 4)); err != nil {
				return err
			}
			z.nibble = int(token & 15)
			if z.literals == 0 {
				if done, err := z.afterLiterals(); done || err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// afterLiterals reads the match that follows the literals, or finds the end of the block.
func (z *lz4Reader) afterLiterals() (done bool, err error) {
	low, err := z.src.ReadByte()
	if err == io.EOF {
		return true, io.EOF // the end of the block: it ends with literals
	}
	if err != nil {
		return false, err
	}
	high, err := z.src.ReadByte()
	if err != nil {
		return false, lz4Ends(err)
	}
	z.dist = int(low) | int(high)<<8
	if z.dist == 0 || z.dist > z.end {
		return false, fault.New(fault.DecompressFailed, "LZ4 block: a match reaches %d bytes back", z.dist)
	}
	z.match, err = z.length(z.nibble)
	z.match += 4 // the shortest match
	return false, err
}

// length reads the rest of a length that does not fit its nibble.
func (z *lz4Reader) length(nibble int) (int, error) {
	n := nibble
	for b := byte(255); nibble == 15 && b == 255; n += int(b) {
		var err error
		if b, err = z.src.ReadByte(); err != nil {
			return 0, lz4Ends(err)
		}
		if n > maxPacked {
			return 0, fault.New(fault.DecompressFailed, "LZ4 block: a length is too large")
		}
	}
	return n, nil
}

// lz4Ends turns the end of the input inside a sequence into a fault.
func lz4Ends(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fault.New(fault.DecompressFailed, "LZ4 block: ends early")
	}
	return err
}
