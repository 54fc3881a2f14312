// Package paged reads slow content a page at a time.
package paged

import (
	"io"
	"sync"
)

// Reader reads content a page at a time and keeps the last few pages. In a browser every
// read takes a millisecond.
type Reader struct {
	from io.ReaderAt
	size int64

	mu    sync.Mutex
	pages []page // the last used comes last
}

type page struct {
	number int64
	data   []byte
}

const (
	pageSize  = 256 << 10
	pagesKept = 16
)

// New returns a reader of content of that size.
func New(from io.ReaderAt, size int64) *Reader { return &Reader{from: from, size: size} }

// ReadAt takes short reads from pages, and passes long reads on.
func (p *Reader) ReadAt(b []byte, at int64) (n int, err error) {
	if len(b) >= pageSize {
		return p.from.ReadAt(b, at)
	}
	for n < len(b) && at < p.size {
		data, err := p.page(at / pageSize)
		if err != nil {
			return n, err
		}
		some := copy(b[n:], data[min(at%pageSize, int64(len(data))):])
		if some == 0 {
			break
		}
		n, at = n+some, at+int64(some)
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (p *Reader) page(number int64) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, k := range p.pages {
		if k.number == number {
			p.pages = append(append(p.pages[:i:i], p.pages[i+1:]...), k)
			return k.data, nil
		}
	}
	data := make([]byte, min(pageSize, p.size-number*pageSize))
	n, err := p.from.ReadAt(data, number*pageSize)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if len(p.pages) == pagesKept {
		p.pages = p.pages[1:]
	}
	p.pages = append(p.pages, page{number, data[:n]})
	return data[:n], nil
}
