package zinflate

import (
	"errors"
	"io"
)

// The buffers of CClassicBufferZlib, the stream class of Nadeo's engine.
const (
	PageIn  = 0x100
	PageOut = 0x400
)

// PageReader decompresses the way Nadeo's engine does: when a byte is asked
// for and the output buffer is empty, pages of 0x100 bytes are read from the
// source and decoded until 0x400 bytes are there or the stream ends. Nothing
// is read from the source at any other moment.
type PageReader struct {
	src  io.Reader
	z    Inflater
	in   [PageIn]byte
	out  [PageOut]byte
	page []byte // input not yet decoded
	rest []byte // output not yet handed out
	err  error  // met behind rest
}

// NewPageReader returns a reader of the zlib stream src. src must give full
// pages, except for the last.
func NewPageReader(src io.Reader) *PageReader { return &PageReader{src: src} }

// Read hands out what the output buffer holds and refills it only when it is
// empty. It never crosses a refill, so that the caller decides when the next
// one happens.
func (r *PageReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if len(r.rest) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.refill()
		if len(r.rest) == 0 {
			return 0, r.err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Buffered returns the bytes decoded but not yet read. They do not depend on
// anything that happens later.
func (r *PageReader) Buffered() []byte { return r.rest }

// Ended tells whether the stream has been decoded to its end, with its
// checksum intact.
func (r *PageReader) Ended() bool { return r.err == io.EOF }

func (r *PageReader) refill() {
	filled := 0
	for filled < PageOut && r.err == nil {
		if len(r.page) == 0 {
			n, err := io.ReadFull(r.src, r.in[:])
			if n == 0 {
				if err == nil || errors.Is(err, io.EOF) {
					err = io.ErrUnexpectedEOF
				}
				r.err = err
				break
			}
			if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
				r.err = err
				break
			}
			r.page = r.in[:n]
		}
		nin, nout, done, err := r.z.Step(r.page, r.out[filled:])
		r.page = r.page[nin:]
		filled += nout
		if done {
			err = io.EOF
		}
		r.err = err
	}
	r.rest = r.out[:filled]
}
