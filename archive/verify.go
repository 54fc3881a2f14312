package archive

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"

	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/parallel"
	"pakbox/internal/lib/span"
	"pakbox/internal/lib/wire"
)

// EntryChecks describes how a format differs from others in [VerifyEntries]. The zero
// value works.
type EntryChecks struct {
	// FileSize is the length of the file that holds the entries. If it is 0,
	// places are not checked.
	FileSize int64
	// Names is the severity of a bad name; "" means an error.
	Names finding.Severity
	// Key gives a key of the i-th name. Names that are equal to the format have
	// the same key. Nil means the name itself, in lower case if the tree folds case.
	Key func(i int) string
	// At gives the place in the file of a fault of the i-th entry: the place of its data
	// if kind is fault.Overlap, otherwise the place of its name. Nil means that names
	// have no place, and that data begins at Entry.Offset.
	At func(i int, kind fault.Kind) (offset int64, field string)
	// Failures is the severity of content that cannot be read; "" means
	// finding.SeverityOf of the error.
	Failures finding.Severity
	// OwnOverlaps means that the format itself reports overlapping entries.
	OwnOverlaps bool
	// Entry adds findings about the i-th entry that need no content.
	Entry func(i int, report *Report)
	// Content checks the content of the i-th entry. It is called from several goroutines,
	// each with a report of its own. The error is for cancelled work. Nil means that the
	// content is read to its end.
	Content func(ctx context.Context, i int, report *Report) error
	// Cost is the memory that Content needs for the i-th entry. Nil means very little.
	Cost func(i int) int64
}

// verifyBudget limits the memory of all entries that are checked at the same time.
const verifyBudget = 64 << 20

// VerifyEntries checks what is the same in every format: names that cannot be extracted
// or that occur twice, data that entries share, and content. Findings come in stored
// order, each entry with its name, its place and its content.
//
// Entries can overlap so much that a small file claims many times its size. In such a
// file the overlapping entries are not read, because that could take days.
func VerifyEntries(ctx context.Context, t *Tree, checks EntryChecks, opts Options) (*Report, error) {
	v := &verifier{EntryChecks: checks, tree: t, seen: make(map[string]bool, len(t.entries))}
	report := &Report{Entries: len(t.entries)}
	v.findOverlaps(report)
	var total int64
	for i := range t.entries {
		total += max(0, t.entries[i].StoredSize)
	}
	opts.Begin(total)
	err := parallel.Ordered(ctx, opts.Workers, len(t.entries), verifyBudget,
		func(i int) int64 {
			if v.Cost == nil {
				return 0
			}
			return v.Cost(i)
		},
		func(ctx context.Context, i int) (content Report, err error) {
			err = v.content(ctx, i, &content)
			opts.Advance(max(0, t.entries[i].StoredSize))
			return content, err
		},
		func(i int, content Report) error {
			v.record(i, report)
			report.Merge(&content)
			return nil
		})
	if err != nil {
		return nil, err
	}
	return report, nil
}

type verifier struct {
	EntryChecks
	tree      *Tree
	seen      map[string]bool // keys of the names seen so far
	overlaps  map[int]int
	excessive bool
}

// findOverlaps finds entries that share data, and whether all entries together claim much
// more than the file has.
func (v *verifier) findOverlaps(report *Report) {
	entries := v.tree.entries
	if v.FileSize == 0 {
		return
	}
	spans := make([]span.Span, len(entries))
	var claimed int64
	for i, e := range entries {
		spans[i] = span.In(e.Offset, e.StoredSize, v.FileSize)
		claimed += min(max(e.StoredSize, 0), v.FileSize)
	}
	v.overlaps = span.Overlapping(spans)
	if v.excessive = claimed/2 > v.FileSize; v.excessive {
		report.Add(finding.Warning, fault.New(fault.Limit,
			"entries claim many times the %d bytes of the file; those that overlap others are not read", v.FileSize))
	}
}

// record checks an entry without its content.
func (v *verifier) record(i int, report *Report) {
	e := &v.tree.entries[i]
	severity := cmp.Or(v.Names, finding.Error)
	if err := v.tree.root.Check(e.Name); err != nil {
		var bad *fault.Error
		if v.At != nil && errors.As(err, &bad) {
			bad.Offset, bad.Field = v.At(i, bad.Kind)
		}
		report.Add(severity, err)
	}
	key := e.Name
	switch {
	case v.Key != nil:
		key = v.Key(i)
	case v.tree.fold:
		key = strings.ToLower(key)
	}
	if v.seen[key] {
		report.Add(severity, v.fault(i, fault.DuplicateName, "name", fault.NoOffset, "an earlier entry has the same name"))
	}
	v.seen[key] = true
	if other, ok := v.overlaps[i]; ok && !v.OwnOverlaps {
		report.Add(finding.Error, v.fault(i, fault.Overlap, "", e.Offset, "the data overlaps that of %s", v.tree.entries[other].Name))
	}
	if v.Entry != nil {
		v.Entry(i, report)
	}
}

// fault returns a fault of the i-th entry with its place.
func (v *verifier) fault(i int, kind fault.Kind, field string, offset int64, format string, args ...any) error {
	if v.At != nil {
		offset, field = v.At(i, kind)
	}
	return fault.InEntry(fault.At(kind, offset, field, format, args...), v.tree.entries[i].Name)
}

// content checks the content of an entry.
func (v *verifier) content(ctx context.Context, i int, report *Report) error {
	if _, ok := v.overlaps[i]; ok && v.excessive {
		report.Unchecked = 1
		return ctx.Err()
	}
	if v.Content != nil {
		return v.Content(ctx, i, report)
	}
	f, err := v.tree.open(i)
	if err == nil {
		report.Bytes, err = readAll(ctx, f, v.tree.entries[i].Size)
		f.Close()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		if fault.KindOf(err) == "" {
			err = fault.Wrap(fault.Corrupt, err, "cannot be read")
		}
		report.Fail(cmp.Or(v.Failures, finding.SeverityOf(err)), fault.InEntry(err, v.tree.entries[i].Name))
	}
	return nil
}

// readAll reads content to its end. Content in memory counts as read.
func readAll(ctx context.Context, f io.ReadCloser, size int64) (int64, error) {
	if ra, ok := f.(io.ReaderAt); ok && wire.Whole(ra, size) != nil {
		return size, nil
	}
	return bulk.Copy(ctx, io.Discard, f)
}

// CheckNew rejects items that cannot be in one new archive: a name that is not a
// path, or two names that are equal to the format. stored gives the stored form of
// a name, or the reason why the format cannot hold it; nil means that names are stored as they
// are.
func CheckNew(items []Item, root Root, stored func(name string) (string, error)) error {
	taken := make(map[string]string, len(items))
	for _, it := range items {
		if err := root.Check(it.Name); err != nil {
			return err
		}
		as := it.Name
		if stored != nil {
			var err error
			if as, err = stored(it.Name); err != nil {
				return fault.InEntry(err, it.Name)
			}
		}
		switch other, ok := taken[as]; {
		case ok && other == it.Name:
			return fault.InEntry(fault.New(fault.DuplicateName, "two files have this name"), it.Name)
		case ok:
			return fault.InEntry(fault.New(fault.DuplicateName, "to the format this name equals %s", other), it.Name)
		}
		taken[as] = it.Name
	}
	return nil
}
