// Package spool gives random access to a stream, such as a compressed file in an archive.
// It unpacks only as far as somebody has read. The first bytes stay in memory, the rest
// goes to a temporary file.
package spool

import (
	"context"
	"io"
	"os"
	"sync"

	"pakbox/fault"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/busy"
	"pakbox/internal/lib/stray"
)

// inMemory is the number of bytes that stay in memory.
const inMemory = 256 << 10

// withoutDisk is the limit without a disk, as in a browser. Tests lower it.
var withoutDisk = 128 << 20

// Content is the content of a stream. Several goroutines may use it.
type Content struct {
	mu     sync.Mutex
	src    io.ReadCloser
	start  []byte // the first bytes
	more   []byte // the bytes after start, without a disk
	file   *os.File
	free   func() // releases the name of the file
	have   int64  // number of bytes read so far
	err    error  // the error or end of src
	closed bool
}

// New takes over a stream.
func New(src io.ReadCloser) *Content { return &Content{src: src} }

// Size reads to the end and returns the size. It fails if there are more than limit
// bytes.
func (c *Content) Size(ctx context.Context, limit int64) (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.fill(ctx, limit+1); err != nil {
		return c.have, err
	}
	if c.have > limit {
		return c.have, fault.New(fault.Limit, "unpacks to more than %d bytes", limit)
	}
	return c.have, nil
}

// At returns the content for one reader, whose reads stop when ctx ends.
func (c *Content) At(ctx context.Context) io.ReaderAt { return view{ctx, c} }

// ReadAt reads without a context.
func (c *Content) ReadAt(p []byte, off int64) (int, error) {
	return view{context.Background(), c}.ReadAt(p, off)
}

type view struct {
	ctx context.Context
	c   *Content
}

func (v view) ReadAt(p []byte, off int64) (int, error) {
	v.c.mu.Lock()
	defer v.c.mu.Unlock()
	err := v.c.fill(v.ctx, off+int64(len(p)))
	n := 0
	if have := v.c.have - off; have > 0 {
		var failed error
		if n, failed = v.c.read(p[:min(int64(len(p)), have)], off); failed != nil {
			return n, failed
		}
	}
	if n < len(p) && err == nil {
		err = io.EOF
	}
	if n == len(p) {
		err = nil
	}
	return n, err
}

// fill reads on until there are so many bytes, or until the end, which is not an error.
func (c *Content) fill(ctx context.Context, until int64) error {
	buffer := []byte(nil)
	for c.have < until && c.err == nil {
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.closed {
			return os.ErrClosed
		}
		if buffer == nil {
			buffer = make([]byte, min(bulk.Block, max(until-c.have, 4<<10)))
		}
		n, err := c.src.Read(buffer)
		if failed := c.keep(buffer[:n]); failed != nil {
			err = failed
		}
		c.err = err
	}
	if c.err == io.EOF {
		return nil
	}
	return c.err
}

// keep appends bytes to those that were read before. It counts only what it could store:
// nothing else can be read.
func (c *Content) keep(p []byte) error {
	some := min(len(p), inMemory-len(c.start))
	c.start, p = append(c.start, p[:some]...), p[some:]
	c.have += int64(some)
	if len(p) == 0 {
		return nil
	}
	if c.file == nil && c.more == nil {
		if f, release, err := stray.CreateTemp(); err == nil {
			c.file, c.free = f, release
		}
	}
	if c.file != nil {
		n, err := c.file.Write(p)
		c.have += int64(n)
		return err
	}
	if len(c.more)+len(p) > withoutDisk {
		return fault.New(fault.Limit, "is larger than %d bytes, and unpacking it needs a disk", withoutDisk)
	}
	c.more = append(c.more, p...)
	c.have += int64(len(p))
	return nil
}

// read copies bytes that were read before.
func (c *Content) read(p []byte, off int64) (n int, err error) {
	if off < int64(len(c.start)) {
		n = copy(p, c.start[off:])
	}
	if n == len(p) {
		return n, nil
	}
	at := off + int64(n) - inMemory
	if c.file == nil {
		return n + copy(p[n:], c.more[at:]), nil
	}
	k, err := c.file.ReadAt(p[n:], at)
	return n + k, err
}

// Close closes the stream and removes the temporary file.
func (c *Content) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	if c.file != nil {
		c.file.Close()
		busy.RemoveAll(c.file.Name())
		c.free()
	}
	return c.src.Close()
}
