package zinflate

import (
	"errors"
	"io"
)

// Sizes of the buffers in CClassicBufferZlib, the stream class of Nadeo's engine.
const (
	PageIn  = 0x100
	PageOut = 0x400
)

// PageReader decompresses as Nadeo's engine does. A read with an empty output buffer
// decodes pages of 0x100 bytes until 0x400 bytes are decoded. It reads from the source at
// no other time.
type PageReader struct {
	src  io.Reader
	z    Inflater
	in   [PageIn]byte
	out  [PageOut]byte
	page []byte // input not yet decoded
	rest []byte // output not yet handed out
	err  error  // returned when rest is empty
}

// NewPageReader returns a reader of the zlib stream src. Each read of src must give a
// full page.
func NewPageReader(src io.Reader) *PageReader { return &PageReader{src: src} }

// Read returns bytes of the output buffer, and refills it only if it is empty.
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

// Buffered returns the decoded bytes that are not yet read.
func (r *PageReader) Buffered() []byte { return r.rest }

// Ended reports whether the stream was decoded to its end, with the right checksum.
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
