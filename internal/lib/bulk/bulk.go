// Package bulk moves content: like io.Copy, but it stops when the work is
// called off, and it keeps its buffers, because archives hold many small files
// and io.Copy would allocate one for each.
package bulk

import (
	"context"
	"io"
	"sync"
)

// Block is how much is moved at a time.
const Block = 256 << 10

var buffers = sync.Pool{New: func() any { b := make([]byte, Block); return &b }}

// Copy copies src to dst until src or ctx ends, and returns how many bytes it
// copied.
func Copy(ctx context.Context, dst io.Writer, src io.Reader) (int64, error) {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	// What else the two can do is hidden, such as ReadFrom of *os.File, which
	// would not use the buffer.
	return io.CopyBuffer(struct{ io.Writer }{dst}, &reader{ctx, src}, *buf)
}

// reader ends when its context does.
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
