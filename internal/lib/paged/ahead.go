package paged

import "io"

// Ahead reads small consecutive pieces, such as the headers in front of contents, from a
// buffered page. Before Done only one goroutine may use it, afterwards many.
type Ahead struct {
	from io.ReaderAt
	page []byte
	at   int64 // offset at which page begins
}

// aheadSize is enough for the headers of several small files.
const aheadSize = 8 << 10

// NewAhead returns a reader of from's content.
func NewAhead(from io.ReaderAt) *Ahead { return &Ahead{from: from, page: make([]byte, 0, aheadSize)} }

// Done ends the buffering: from now on every read goes to the content.
func (r *Ahead) Done() { r.page = nil }

// ReadAt reads from the buffered page, or fills it from this offset on.
func (r *Ahead) ReadAt(p []byte, off int64) (int, error) {
	if r.page == nil || len(p) > cap(r.page) {
		return r.from.ReadAt(p, off)
	}
	i := off - r.at
	if i < 0 || i > int64(len(r.page)-len(p)) {
		n, err := r.from.ReadAt(r.page[:cap(r.page)], off)
		r.page, r.at, i = r.page[:n], off, 0
		if n < len(p) {
			return copy(p, r.page), err
		}
	}
	return copy(p, r.page[i:]), nil
}
