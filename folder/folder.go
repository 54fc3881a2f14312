// Package folder makes a plain folder of the file system an archive like any
// other, so that every verb and every conversion works on it.
package folder

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/parallel"
)

// Format is the folder format. It matches no file: folders are found by the
// file system.
type Format struct{}

func (Format) Name() string             { return "folder" }
func (Format) Description() string      { return "a plain folder" }
func (Format) Extensions() []string     { return nil }
func (Format) Match(archive.Input) bool { return false }
func (Format) Params() []archive.Param  { return nil }

// Open fails: a folder is not a file. See OpenDir.
func (Format) Open(_ context.Context, in archive.Input, _ archive.Options) (archive.Archive, error) {
	return nil, fault.New(fault.NotFormat, "%s is a file, not a folder", in.Name)
}

// OpenDir opens the folder at path. Links and special files are left out:
// what a link points at need not be part of the folder.
func (Format) OpenDir(path string) (archive.Archive, error) {
	var entries []archive.Entry
	err := fs.WalkDir(os.DirFS(path), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		entries = append(entries, archive.Entry{
			Name: name, Size: info.Size(), StoredSize: info.Size(), Offset: fault.NoOffset,
			Method: "file", ModTime: info.ModTime(),
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].Name < entries[j].Name })
	a := &Archive{path: path}
	a.Tree = archive.NewTree(entries, false, func(i int) (io.ReadCloser, error) {
		return os.Open(filepath.Join(path, filepath.FromSlash(entries[i].Name)))
	})
	return a, nil
}

// Archive is an open folder.
type Archive struct {
	*archive.Tree
	path string
}

func (a *Archive) Format() string { return Format{}.Name() }

// Facts describe the folder.
func (a *Archive) Facts() []archive.Fact { return nil }

// Verify reads every file; a folder has nothing to compare the content with.
func (a *Archive) Verify(ctx context.Context, opts archive.Options) (*archive.Report, error) {
	entries := a.Entries()
	report := &archive.Report{Entries: len(entries)}
	failures := make([]error, len(entries))
	sizes := make([]int64, len(entries))
	var total int64
	for _, e := range entries {
		total += e.Size
	}
	opts.Begin(total)
	err := parallel.Each(ctx, opts.Workers, len(entries), func(ctx context.Context, i int) error {
		sizes[i], failures[i] = readAll(a, i)
		opts.Advance(sizes[i])
		return ctx.Err()
	})
	for i, failure := range failures {
		report.Bytes += sizes[i]
		if failure != nil {
			report.Add(archive.SeverityError, fault.InEntry(fault.Wrap(fault.Corrupt, failure, "cannot be read"), entries[i].Name))
		}
	}
	return report, err
}

func readAll(a *Archive, i int) (int64, error) {
	f, err := a.OpenEntry(i)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return io.Copy(io.Discard, f)
}

// Create writes the items as files.
func (Format) Create(ctx context.Context, stage *archive.Stage, items []archive.Item, opts archive.CreateOptions) error {
	dir, err := stage.Dir()
	if err != nil {
		return err
	}
	return write(ctx, dir, items, opts.Options)
}

// write puts items below dir.
func write(ctx context.Context, dir string, items []archive.Item, opts archive.Options) error {
	entries := make([]archive.Entry, len(items))
	for i, it := range items {
		if err := archive.CheckName(it.Name); err != nil {
			return err
		}
		entries[i] = archive.Entry{Name: it.Name, Size: it.Size, ModTime: it.ModTime}
	}
	a := itemArchive{archive.NewTree(entries, false, func(i int) (io.ReadCloser, error) { return items[i].Open() })}
	return archive.Extract(ctx, a, dir, archive.ExtractOptions{Options: opts})
}

// itemArchive lets extraction write a list of items.
type itemArchive struct{ *archive.Tree }

func (itemArchive) Format() string        { return "items" }
func (itemArchive) Facts() []archive.Fact { return nil }
func (itemArchive) Verify(context.Context, archive.Options) (*archive.Report, error) {
	return &archive.Report{}, nil
}

// Edit writes the changed folder beside the old one. Files that do not change
// are linked, not copied, where the file system can link.
func (a *Archive) Edit(ctx context.Context, stage *archive.Stage, edits []archive.Edit, opts archive.CreateOptions) error {
	items, err := archive.Plan(a, edits, false)
	if err != nil {
		return err
	}
	dir, err := stage.Dir()
	if err != nil {
		return err
	}
	var rest []archive.Item
	for _, it := range items {
		if it.From == nil || a.link(dir, it) != nil {
			rest = append(rest, it.Item)
		}
	}
	return write(ctx, dir, rest, opts.Options)
}

// link makes an untouched file appear in the new folder.
func (a *Archive) link(dir string, it archive.Edited) error {
	if err := archive.CheckName(it.Name); err != nil {
		return err
	}
	to := filepath.Join(dir, filepath.FromSlash(it.Name))
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	from := filepath.Join(a.path, filepath.FromSlash(a.Entries()[*it.From].Name))
	if err := os.Link(from, to); err != nil {
		return fmt.Errorf("link: %w", err)
	}
	return nil
}

var (
	_ archive.Creator   = Format{}
	_ archive.DirOpener = Format{}
	_ archive.Editor    = (*Archive)(nil)
)
