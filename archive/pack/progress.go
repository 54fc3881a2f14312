package pack

import (
	"io"
	"slices"
	"sync/atomic"

	"pakbox/archive"
)

// counted wraps items so that reading their content advances the progress. Formats report
// an item only when it is finished, and one item may be most of the work. Content that is
// read again does not count.
func counted(items []archive.Item, p archive.Progress) []archive.Item {
	list := slices.Clone(items)
	for i := range list {
		open, left := list[i].Open, new(atomic.Int64)
		left.Store(max(list[i].Size, 0))
		list[i].Open = func() (io.ReadCloser, error) {
			f, err := open()
			if err != nil {
				return nil, err
			}
			return &countedReader{f, left, p}, nil
		}
	}
	return list
}

type countedReader struct {
	io.ReadCloser
	left     *atomic.Int64 // bytes of the item that were not read yet
	progress archive.Progress
}

func (r *countedReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if before := r.left.Add(-int64(n)) + int64(n); before > 0 {
		r.progress.Advance(min(before, int64(n)))
	}
	return n, err
}

// whileReading hides a progress from the format, so that only the readers advance it.
type whileReading struct{ archive.Progress }

func (whileReading) Advance(int64) {}

// CountReading makes the progress of a new archive advance while its items are read, and
// not only when each is finished.
func CountReading(items []archive.Item, opts *archive.CreateOptions) []archive.Item {
	if opts.Progress == nil {
		return items
	}
	items = counted(items, opts.Progress)
	opts.Progress = whileReading{opts.Progress}
	return items
}
