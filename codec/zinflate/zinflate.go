// Package zinflate decodes zlib streams (RFC 1950, RFC 1951) in steps. After every step
// it has consumed and produced exactly the bytes that the zlib library would have,
// whatever the sizes of the buffers.
//
// Some formats need this, because the input depends on the output read so far: NadeoPak
// changes its cipher at every object that a parser meets, so each refill must happen at
// the right moment. The rules of zlib:
//
//   - a byte is taken from the input only when the current code or field cannot
//     be completed without it;
//   - output stops the moment the buffer is full, also inside a match;
//   - with a full buffer, decoding continues as long as no byte must be written:
//     through the end of a block, headers and the checksum.
//
// [Inflater.ResetRaw] decodes a stream without header and checksum, as in zips.
// [PageReader] is the pair of 0x100 and 0x400 byte buffers of Nadeo's engine.
package zinflate

import "fmt"

// A CorruptError is the reason why a stream cannot be decoded.
type CorruptError struct {
	Offset int64  // input bytes consumed when the fault was found
	Reason string // what is wrong
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("deflated data: %s after %d bytes", e.Reason, e.Offset)
}

const (
	windowSize = 32 << 10 // farthest distance of a match
	roundSize  = 64 << 10 // output between two moves of the window
)

type state uint8

const (
	stHeader state = iota
	stBlock
	stStoredLen
	stStored
	stCounts
	stCodeLens
	stLens
	stSymbol
	stLengthExtra
	stDistance
	stDistExtra
	stLiteral
	stMatch
	stCheck
	stDone
	stBad
)

// Inflater decodes one zlib stream. The zero value is ready for use.
type Inflater struct {
	state  state
	raw    bool // the stream has neither header nor checksum
	last   bool // the current block is the final one
	bits   uint64
	nbits  uint
	total  int64 // input bytes consumed so far
	err    error
	adler  adlerSum
	length int // bytes of a stored block or match still to be copied
	dist   int

	nlen, ndist, ncode, have int
	lens                     [maxLitLen + maxDist]uint8
	lit, distTab             *table
	dynLit, dynDist          table

	// buf[:pos] is the output so far, oldest first. It is long enough for every match.
	buf []byte
	pos int
}

// Reset makes z ready for another stream, keeping its buffers.
func (z *Inflater) Reset() {
	z.state, z.last, z.bits, z.nbits = stHeader, false, 0, 0
	z.total, z.err, z.length, z.dist, z.pos = 0, nil, 0, 0, 0
	z.adler, z.raw = adlerSum{}, false
}

// ResetRaw makes z ready for a stream without header and checksum (RFC 1951).
func (z *Inflater) ResetRaw() {
	z.Reset()
	z.state, z.raw = stBlock, true
}

// Step decodes from in to out until in is used up, or until out is full and another byte
// must be written. It returns the bytes consumed and produced, and whether the stream has
// ended with the right checksum. After an error z cannot be used.
func (z *Inflater) Step(in, out []byte) (nin, nout int, done bool, err error) {
	if z.buf == nil {
		z.buf = make([]byte, windowSize+roundSize)
	}
	for {
		round := out[nout:]
		if len(round) > roundSize {
			round = round[:roundSize]
		}
		if z.pos+len(round) > len(z.buf) {
			copy(z.buf, z.buf[z.pos-windowSize:z.pos])
			z.pos = windowSize
		}
		start := z.pos
		nin += z.run(in[nin:], start+len(round))
		produced := z.buf[start:z.pos]
		nout += copy(round, produced)
		z.sum(produced)
		if z.state == stCheck {
			nin += z.check(in[nin:])
		}
		if z.state == stBad || z.state == stDone || nout == len(out) || z.pos-start < len(round) {
			break
		}
	}
	return nin, nout, z.state == stDone, z.err
}

// Append is Step for output in one buffer: buf[:n] is the output so far, and decoding
// continues behind it up to the end of buf. It returns the bytes consumed and the new n.
// A stream is decoded with Step or with Append, not with both.
func (z *Inflater) Append(in, buf []byte, n int) (nin, end int, done bool, err error) {
	own := z.buf
	z.buf, z.pos = buf, n
	nin = z.run(in, len(buf))
	end = z.pos
	z.buf = own
	z.sum(buf[n:end])
	if z.state == stCheck {
		nin += z.check(in[nin:])
	}
	return nin, end, z.state == stDone, z.err
}

// sum adds output to the checksum, unless the stream has none.
func (z *Inflater) sum(produced []byte) {
	if !z.raw {
		z.adler.add(produced)
	}
}

// check reads the big-endian Adler-32 at the end of the stream and compares it.
func (z *Inflater) check(in []byte) int {
	r := reader{in: in, bits: z.bits, n: z.nbits}
	ok := r.need(32)
	if ok {
		want := uint32(r.bits)
		want = want>>24 | want>>8&0xff00 | want<<8&0xff0000 | want<<24
		r.drop(32)
		if want == z.adler.sum() {
			z.state = stDone
		} else {
			z.fail(r.pos, "Adler-32 of the data differs from the stored one")
		}
	}
	return z.leave(&r)
}

// leave keeps the bits of the reader for the next step.
func (z *Inflater) leave(r *reader) int {
	z.bits, z.nbits = r.bits, r.n
	z.total += int64(r.pos)
	return r.pos
}

func (z *Inflater) fail(pos int, reason string) {
	z.state = stBad
	z.err = &CorruptError{Offset: z.total + int64(pos), Reason: reason}
}
