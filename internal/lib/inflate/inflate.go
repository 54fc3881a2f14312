// Package inflate unpacks deflated content, and reuses its buffers.
package inflate

import (
	"io"
	"io/fs"
	"sync"

	"pakbox/codec/zinflate"
)

// decoder holds the reusable buffers.
type decoder struct {
	zinflate.Inflater
	in [16 << 10]byte
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// reader unpacks with a decoder, which Close returns to the pool.
type reader struct {
	d    *decoder // nil after Close
	src  io.Reader
	left []byte // read but not decoded yet
	err  error  // error of src
}

// New unpacks src. It has the signature of a zip.Decompressor.
func New(src io.Reader) io.ReadCloser {
	d := decoders.Get().(*decoder)
	d.ResetRaw()
	return &reader{d: d, src: src}
}

func (r *reader) Read(p []byte) (int, error) {
	if r.d == nil {
		return 0, fs.ErrClosed
	}
	for {
		used, n, done, err := r.d.Step(r.left, p)
		r.left = r.left[used:]
		switch {
		case n > 0 || len(p) == 0:
			return n, nil // the next call returns the error
		case err != nil:
			return 0, err
		case done:
			return 0, io.EOF
		case r.err == io.EOF:
			return 0, io.ErrUnexpectedEOF
		case r.err != nil:
			return 0, r.err
		}
		n, r.err = r.src.Read(r.d.in[:])
		r.left = r.d.in[:n]
	}
}

func (r *reader) Close() error {
	if r.d != nil {
		decoders.Put(r.d)
		r.d = nil
	}
	return nil
}
