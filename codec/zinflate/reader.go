package zinflate

import (
	"io"
	"io/fs"
	"sync"
)

// decoder holds the reusable buffers.
type decoder struct {
	Inflater
	in [16 << 10]byte
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// rawReader unpacks with a decoder, which Close returns to the pool.
type rawReader struct {
	d    *decoder // nil after Close
	src  io.Reader
	left []byte // read but not decoded yet
	err  error  // error of src
}

// NewReader unpacks a stream without header and checksum, and reuses buffers. It has the
// signature of a zip.Decompressor.
func NewReader(src io.Reader) io.ReadCloser {
	d := decoders.Get().(*decoder)
	d.ResetRaw()
	return &rawReader{d: d, src: src}
}

func (r *rawReader) Read(p []byte) (int, error) {
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

func (r *rawReader) Close() error {
	if r.d != nil {
		decoders.Put(r.d)
		r.d = nil
	}
	return nil
}
