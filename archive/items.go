package archive

import (
	"bytes"
	"context"
	"io"
	"time"

	"pakbox/fault"
	"pakbox/internal/lib/bulk"
)

// Item is a file that goes into an archive. Open may be called more than
// once, and from several goroutines for different items.
type Item struct {
	Name    string // slash-separated, relative
	Size    int64  // -1 if unknown before reading
	ModTime time.Time
	Open    func() (io.ReadCloser, error)
	// Record has the facts that only the format of the item's archive stores, as
	// [Entry.Record]. Nil for other items.
	Record EntryFacts
}

// CopyTo writes the content to dst, and returns its length. A length other than Size is
// an error.
func (it Item) CopyTo(ctx context.Context, dst io.Writer) (int64, error) {
	rc, err := it.Open()
	if err != nil {
		return 0, err
	}
	defer rc.Close()
	n, err := bulk.Copy(ctx, dst, rc)
	if err != nil {
		return n, fault.InEntry(err, it.Name)
	}
	return n, it.CheckSize(n)
}

// maxGrow is the most memory that is reserved before the content is read.
const maxGrow = 64 << 20

// ReadAll returns the content. A length other than Size is an error, and so is content that
// readers would refuse to unpack in memory.
func (it Item) ReadAll(ctx context.Context) ([]byte, error) {
	if it.Size > defaultMaxEntrySize {
		return nil, fault.InEntry(fault.New(fault.Limit, "has %d bytes; the limit of content in memory is %d", it.Size, int64(defaultMaxEntrySize)), it.Name)
	}
	var b bytes.Buffer
	// Reserving avoids a growing buffer, which takes twice the memory. The stated size is
	// trusted up to maxGrow only.
	b.Grow(int(min(max(it.Size, 0), maxGrow)) + 1)
	_, err := it.CopyTo(ctx, &b)
	return b.Bytes(), err
}

// CheckSize refuses content whose length is not Size. A file that grows while it is
// packed gives such content.
func (it Item) CheckSize(n int64) error {
	if it.Size >= 0 && n != it.Size {
		return fault.InEntry(fault.New(fault.SizeMismatch, "was %d bytes when the work began and %d when it was read", it.Size, n), it.Name)
	}
	return nil
}

// Items returns the entries of the archive as items for another archive, in stored order
// and under the stored names; see [CreateOptions.Names]. Of several entries with the
// same name it returns only the one that look-ups find; the others cannot be addressed.
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
			Record:  e.Record,
		})
	}
	return items
}
