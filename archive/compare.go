package archive

import (
	"bytes"
	"context"
	"io"
	"sort"
	"strings"

	"pakbox/fault"
	"pakbox/internal/lib/parallel"
)

// Change is one difference between two archives.
type Change struct {
	Kind ChangeKind
	Name string
	Old  *Entry // nil if added
	New  *Entry // nil if removed
}

// ChangeKind states what happened to an entry.
type ChangeKind string

const (
	Added   ChangeKind = "added"
	Removed ChangeKind = "removed"
	Changed ChangeKind = "changed"
)

// Compare finds the entries that differ between two archives of any formats, sorted by
// the path of their names. Content is compared by hash: by stored hashes if both archives
// store the same kind, otherwise byte by byte. Checksums prove nothing: real packs store
// wrong ones.
func Compare(ctx context.Context, a, b Archive, opts Options) ([]Change, error) {
	olds, news := byPath(a), byPath(b)
	var changes []Change
	var both []string
	for name, i := range olds {
		if _, ok := news[name]; ok {
			both = append(both, name)
		} else {
			changes = append(changes, Change{Kind: Removed, Name: name, Old: &a.Entries()[i]})
		}
	}
	for name, i := range news {
		if _, ok := olds[name]; !ok {
			changes = append(changes, Change{Kind: Added, Name: name, New: &b.Entries()[i]})
		}
	}
	sort.Strings(both)
	differ := make([]bool, len(both))
	err := parallel.Each(ctx, opts.Workers, len(both), func(ctx context.Context, k int) (err error) {
		differ[k], err = contentDiffers(ctx, a, b, olds[both[k]], news[both[k]], opts)
		return fault.InEntry(err, both[k])
	})
	if err != nil {
		return nil, err
	}
	for k, name := range both {
		if differ[k] {
			changes = append(changes, Change{Changed, name, &a.Entries()[olds[name]], &b.Entries()[news[name]]})
		}
	}
	sort.Slice(changes, func(i, j int) bool { return changes[i].Name < changes[j].Name })
	return changes, nil
}

func byPath(a Archive) map[string]int {
	m, root := map[string]int{}, a.Root()
	for i, e := range a.Entries() {
		m[root.Path(e.Name)] = i
	}
	return m
}

func contentDiffers(ctx context.Context, a, b Archive, i, j int, opts Options) (bool, error) {
	x, y := a.Entries()[i], b.Entries()[j]
	if x.Size >= 0 && y.Size >= 0 && x.Size != y.Size {
		return true, nil
	}
	if x.Hash != "" && hashKind(x.Hash) == hashKind(y.Hash) && strongHash(x.Hash) {
		return x.Hash != y.Hash, nil
	}
	return streamsDiffer(ctx, a, b, i, j, opts)
}

// streamsDiffer reads two entries side by side up to the first difference.
func streamsDiffer(ctx context.Context, a, b Archive, i, j int, opts Options) (bool, error) {
	f, err := a.OpenEntry(i)
	if err != nil {
		return false, err
	}
	defer f.Close()
	g, err := b.OpenEntry(j)
	if err != nil {
		return false, err
	}
	defer g.Close()
	var buf [2][64 << 10]byte
	for {
		n, err := io.ReadFull(f, buf[0][:])
		opts.Advance(int64(n))
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return false, err
		}
		m, err2 := io.ReadFull(g, buf[1][:])
		opts.Advance(int64(m))
		if err2 != nil && err2 != io.EOF && err2 != io.ErrUnexpectedEOF {
			return false, err2
		}
		if !bytes.Equal(buf[0][:n], buf[1][:m]) || ctx.Err() != nil {
			return true, ctx.Err()
		}
		if err != nil {
			return false, nil
		}
	}
}

func hashKind(h string) string {
	kind, _, _ := strings.Cut(h, ":")
	return kind
}

// strongHash reports whether equal hashes prove equal content. Checksums such as CRC-32
// do not.
func strongHash(h string) bool {
	switch hashKind(h) {
	case "blake3", "sha256":
		return true
	}
	return false
}
