package archive

import (
	"io"
	"time"

	"pakbox/fault"
)

// Item is a file that goes into an archive. Open may be called more than
// once, and from several goroutines for different items.
type Item struct {
	Name    string // slash-separated, relative
	Size    int64  // -1 when only reading would tell
	ModTime time.Time
	Open    func() (io.ReadCloser, error)
}

// CheckSize refuses content of another length than the item said. A file that
// grows while it is being packed gives such content.
func (it Item) CheckSize(n int64) error {
	if it.Size >= 0 && n != it.Size {
		return fault.InEntry(fault.New(fault.SizeMismatch, "was %d bytes when the work began and %d when it was read", it.Size, n), it.Name)
	}
	return nil
}

// Items returns what the archive holds, in stored order and under the stored
// names, ready to go into another archive: see [CreateOptions.NameFor]. Of
// entries with the same name only the one that look-ups find is returned; the
// others cannot be addressed.
func Items(a Archive) []Item {
	entries := a.Entries()
	last := make(map[string]int, len(entries))
	for i, e := range entries {
		last[e.Name] = i
	}
	items := make([]Item, 0, len(entries))
	for i, e := range entries {
		if last[e.Name] != i {
			continue
		}
		items = append(items, Item{
			Name:    e.Name,
			Size:    e.Size,
			ModTime: e.ModTime,
			Open:    func() (io.ReadCloser, error) { return a.OpenEntry(i) },
		})
	}
	return items
}
