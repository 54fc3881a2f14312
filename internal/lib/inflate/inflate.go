// Package inflate unpacks deflated content with windows that are used again:
// zips hold many small files.
package inflate

import (
	"io"
	"io/fs"
	"sync"

	"github.com/klauspost/compress/flate"
)

// readers keep their windows.
var readers sync.Pool

// reader is a decompressor that goes back to the pool when it is closed.
type reader struct{ r io.ReadCloser } // nil once it is closed

// New unpacks src. It has the shape of a zip.Decompressor.
func New(src io.Reader) io.ReadCloser {
	r, ok := readers.Get().(io.ReadCloser)
	if !ok {
		return &reader{flate.NewReader(src)}
	}
	r.(flate.Resetter).Reset(src, nil) // cannot fail
	return &reader{r}
}

func (i *reader) Read(p []byte) (int, error) {
	if i.r == nil {
		return 0, fs.ErrClosed
	}
	return i.r.Read(p)
}

func (i *reader) Close() error {
	if i.r == nil {
		return nil
	}
	err := i.r.Close()
	readers.Put(i.r)
	i.r = nil
	return err
}
