// Package folder makes a plain folder of the file system an archive like any
// other, so that every verb and every conversion works on it.
package folder

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
)

// Format is the folder format. Match is false for every file: folders are recognised by
// the file system.
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

// OpenDir opens the folder at path. Links and special files are left out: the target of a
// link may lie outside the folder.
func (Format) OpenDir(path string) (archive.Archive, error) {
	var entries []archive.Entry
	err := walk(path, func(name string, info fs.FileInfo) {
		if info.Mode().IsRegular() {
			entries = append(entries, archive.Entry{
				Name: name, Size: info.Size(), StoredSize: info.Size(), Offset: fault.NoOffset,
				Method: "file", ModTime: info.ModTime(),
			})
		}
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(entries, func(a, b archive.Entry) int { return strings.Compare(a.Name, b.Name) })
	a := &Archive{path: path}
	a.Tree = archive.NewTree(entries, false, func(i int) (io.ReadCloser, error) { return a.openFile(entries[i].Name) })
	return a, nil
}

// walk visits everything below a folder.
func walk(path string, visit func(name string, info fs.FileInfo)) error {
	return fs.WalkDir(os.DirFS(path), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		info, err := d.Info()
		if err == nil {
			visit(name, info)
		}
		return err
	})
}

func (a *Archive) openFile(name string) (io.ReadCloser, error) {
	return os.Open(filepath.Join(a.path, filepath.FromSlash(name)))
}

// Archive is an open folder.
type Archive struct {
	*archive.Tree
	path string
}

func (a *Archive) Format() string { return Format{}.Name() }

// Create writes the items as files.
func (Format) Create(ctx context.Context, stage *archive.Stage, items []archive.Item, opts archive.CreateOptions) error {
	dir, err := stage.Dir()
	if err != nil {
		return err
	}
	return write(ctx, dir, items, opts.Options)
}

// write writes items as files below dir.
func write(ctx context.Context, dir string, items []archive.Item, opts archive.Options) error {
	if err := archive.CheckNew(items, archive.Root{}, nil); err != nil {
		return err
	}
	entries := make([]archive.Entry, len(items))
	for i, it := range items {
		entries[i] = archive.Entry{Name: it.Name, Size: it.Size, ModTime: it.ModTime}
	}
	a := itemArchive{archive.NewTree(entries, false, func(i int) (io.ReadCloser, error) { return items[i].Open() })}
	return archive.Extract(ctx, a, dir, archive.ExtractOptions{Options: opts, Exact: true})
}

// itemArchive is a list of items as an archive, so that archive.Extract can write it.
type itemArchive struct{ *archive.Tree }

func (itemArchive) Format() string { return "items" }

// Edit writes the changed folder beside the old one. Unchanged files are linked, not
// copied, if the file system can link. Links and special files are no entries, but are
// kept in the new folder.
func (a *Archive) Edit(ctx context.Context, stage *archive.Stage, edits []archive.Edit, opts archive.CreateOptions) error {
	old, modes, err := a.everything()
	if err != nil {
		return err
	}
	items, err := archive.Plan(old, edits, false)
	if err != nil {
		return err
	}
	dir, err := stage.Dir()
	if err != nil {
		return err
	}
	var rest []archive.Item
	var folders []archive.Edited
	for _, it := range items {
		if it.From == nil {
			rest = append(rest, it.Item)
			continue
		}
		to := filepath.Join(dir, filepath.FromSlash(it.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		from := filepath.Join(a.path, filepath.FromSlash(old.Entries()[*it.From].Name))
		switch mode := modes[*it.From]; {
		case mode.IsDir():
			folders = append(folders, it)
			err = os.MkdirAll(to, 0o777)
		case mode.IsRegular():
			if os.Link(from, to) != nil {
				rest = append(rest, it.Item)
			}
		default:
			err = again(from, to, mode)
		}
		if err != nil {
			return err
		}
	}
	if err := write(ctx, dir, rest, opts.Options); err != nil {
		return err
	}
	// Permissions come last: some would prevent writing the files.
	for _, it := range folders {
		if err := os.Chmod(filepath.Join(dir, filepath.FromSlash(it.Name)), modes[*it.From].Perm()); err != nil {
			return err
		}
	}
	return nil
}

// everything lists all files, links, special files and folders of the folder. The name of
// a folder ends with a slash.
func (a *Archive) everything() (*archive.Tree, []fs.FileMode, error) {
	var entries []archive.Entry
	var modes []fs.FileMode
	err := walk(a.path, func(name string, info fs.FileInfo) {
		if info.IsDir() {
			name += "/"
		}
		entries = append(entries, archive.Entry{Name: name, Size: info.Size(), ModTime: info.ModTime()})
		modes = append(modes, info.Mode())
	})
	return archive.NewTree(entries, false, func(i int) (io.ReadCloser, error) { return a.openFile(entries[i].Name) }), modes, err
}

// again copies a link or a special file.
func again(from, to string, mode fs.FileMode) error {
	if mode.Type() != fs.ModeSymlink {
		return os.Link(from, to)
	}
	target, err := os.Readlink(from)
	if err != nil {
		return err
	}
	return os.Symlink(target, to)
}

var (
	_ archive.Creator = Format{}
	_ archive.Editor  = (*Archive)(nil)
)
