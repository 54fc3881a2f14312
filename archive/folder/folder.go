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
	"pakbox/internal/lib/walk"
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
	err := everything(path, func(name string, info fs.FileInfo) {
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

// everything visits all that is below a folder. Each file is asked for its own
// description, because folders of Windows list sizes and times that may be old, and some
// list no identities: a change would compare them with those of the file.
func everything(path string, visit func(name string, info fs.FileInfo)) error {
	return new(walk.Walk).Everything(path, func(e walk.Entry) error {
		if e.Path == path {
			return nil
		}
		info, err := e.Lstat()
		if err == nil {
			visit(e.Rel(), info)
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

// Edit changes the folder where it is. New files are written beside it first, and nothing
// changes that the edits do not name. Links and special files are not entries, but can be
// moved and removed with their folder.
func (a *Archive) Edit(ctx context.Context, stage *archive.Stage, edits []archive.Edit, opts archive.CreateOptions) error {
	old, infos, err := a.everything()
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
	if here, err := os.Stat(a.path); err != nil {
		return err
	} else if there, err := os.Stat(stage.Path()); err != nil || !os.SameFile(here, there) {
		return a.copyTo(ctx, dir, old, infos, items, opts)
	}
	was := make(map[string]fs.FileInfo, len(infos))
	for i, e := range old.Entries() {
		was[e.Name] = infos[i]
	}
	stays := make(map[string]bool, len(items)) // also under another name, or with other content
	var fresh []archive.Item
	for _, it := range items {
		if it.From == nil {
			fresh = append(fresh, it.Item)
			stays[it.Name] = true
			err = stage.PutFile(it.Name, was[it.Name])
		} else if from := old.Entries()[*it.From].Name; from == it.Name {
			stays[from] = true
		} else {
			stays[from] = true
			err = stage.Move(from, it.Name, infos[*it.From], was[it.Name])
		}
		if err != nil {
			return err
		}
	}
	for i, e := range old.Entries() {
		if !stays[e.Name] {
			stage.Remove(e.Name, infos[i])
		}
	}
	return write(ctx, dir, fresh, opts.Options)
}

// copyTo writes all items into another folder.
func (a *Archive) copyTo(ctx context.Context, dir string, old *archive.Tree, infos []fs.FileInfo, items []archive.Edited, opts archive.CreateOptions) error {
	var files []archive.Item
	for _, it := range items {
		if it.From == nil || infos[*it.From].Mode().IsRegular() {
			files = append(files, it.Item)
			continue
		}
		to := filepath.Join(dir, filepath.FromSlash(it.Name))
		err := os.MkdirAll(filepath.Dir(to), 0o777)
		switch info := infos[*it.From]; {
		case err != nil:
		case info.IsDir():
			err = os.MkdirAll(to, 0o777)
		case info.Mode().Type() == fs.ModeSymlink:
			var target string
			if target, err = os.Readlink(filepath.Join(a.path, filepath.FromSlash(old.Entries()[*it.From].Name))); err == nil {
				err = os.Symlink(target, to)
			}
		}
		if err != nil {
			return err
		}
	}
	return write(ctx, dir, files, opts.Options)
}

// everything lists all files, links, special files and folders of the folder. The name of
// a folder ends with a slash.
func (a *Archive) everything() (*archive.Tree, []fs.FileInfo, error) {
	var entries []archive.Entry
	var infos []fs.FileInfo
	err := everything(a.path, func(name string, info fs.FileInfo) {
		if info.IsDir() {
			name += "/"
		}
		entries = append(entries, archive.Entry{Name: name, Size: info.Size(), ModTime: info.ModTime()})
		infos = append(infos, info)
	})
	return archive.NewTree(entries, false, func(i int) (io.ReadCloser, error) { return a.openFile(entries[i].Name) }), infos, err
}

var (
	_ archive.Creator = Format{}
	_ archive.Editor  = (*Archive)(nil)
)
