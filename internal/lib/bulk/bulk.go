// Package bulk copies content until a context ends, and reuses its buffers.
package bulk

import (
	"context"
	"io"
	"sync"
)

// Block is the number of bytes copied at a time.
const Block = 256 << 10

var buffers = sync.Pool{New: func() any { b := make([]byte, Block); return &b }}

// Copy copies src to dst until src or ctx ends, and returns the number of bytes.
func Copy(ctx context.Context, dst io.Writer, src io.Reader) (int64, error) {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	// Other methods are hidden: ReadFrom of *os.File would not use the buffer.
	return io.CopyBuffer(struct{ io.Writer }{dst}, &reader{ctx, src}, *buf)
}

// reader stops when its context ends.
type reader struct {
	ctx context.Context
	src io.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.src.Read(p)
}

// ReaderAt returns a reader of ra that stops when ctx ends. It reads block by block.
func ReaderAt(ctx context.Context, ra io.ReaderAt) io.ReaderAt { return &readerAt{ctx, ra} }

type readerAt struct {
	ctx context.Context
	ra  io.ReaderAt
}

func (r *readerAt) ReadAt(p []byte, off int64) (int, error) {
	done := 0
	for {
		if err := r.ctx.Err(); err != nil {
			return done, err
		}
		n, err := r.ra.ReadAt(p[done:min(done+Block, len(p))], off+int64(done))
		done += n
		if err != nil || done == len(p) {
			return done, err
		}
	}
}
