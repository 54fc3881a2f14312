package pack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/stray"
)

// Inputs collects files for an archive, and gives them the names that the archive stores.
// [Create] does so for a new archive.
type Inputs struct {
	Items []archive.Item
	// Follow opens the folder or the archive through which a path leads, as
	// [archive.Registry.Locate] does, which it is unless the caller sets another function.
	Follow func(ctx context.Context, name string) (*archive.Location, error)

	out    string   // the archive, which must not contain itself
	exts   []string // extensions of its format
	names  *archive.Names
	edits  *archive.Root // root of an edited archive, whose edits use paths; otherwise nil
	places []*archive.Location
	left   []string // temporary files of pakbox in folders
}

// ErrNotRegular is the cause of the error for an input that is a pipe or a device.
var ErrNotRegular = errors.New("is a pipe or a device")

// Collect starts the list of the files for the archive of format f at out.
func Collect(formats archive.Registry, out string, f archive.Format, opts archive.CreateOptions) *Inputs {
	return &Inputs{
		Follow: func(ctx context.Context, name string) (*archive.Location, error) {
			return formats.Locate(ctx, name, opts.Options)
		},
		out: out, exts: f.Extensions(), names: opts.Names(f),
	}
}

// ForEdits names the items for edits of an archive with this root. Edits use paths.
func (in *Inputs) ForEdits(root archive.Root) *Inputs {
	in.edits = &root
	return in
}

// Notes states which names changed and which files were left out, a sentence each.
func (in *Inputs) Notes() []string {
	notes := in.names.Notes()
	if len(in.left) > 0 {
		notes = append(notes, fmt.Sprintf("left out temporary files of pakbox (%d), such as %s", len(in.left), in.left[0]))
	}
	return notes
}

// Close closes the archives from which items come.
func (in *Inputs) Close() (err error) {
	for _, p := range in.places {
		err = errors.Join(err, p.Close())
	}
	in.places = nil
	return err
}

// Add adds what a path leads to: a file, a folder with everything in it, or a part of an
// archive. as is its name in the archive, or the folder for several files. If as is "",
// a file has its path as name, and a folder with a slash at its end stands for its
// content.
func (in *Inputs) Add(ctx context.Context, name, as string) error {
	info, err := os.Stat(name)
	if err != nil {
		p, err := in.Follow(ctx, strings.TrimRight(name, "/"))
		if err != nil {
			return err
		}
		return in.AddPlace(p, nil, as)
	}
	if info.IsDir() {
		return in.addFolder(ctx, name, cmp.Or(as, storedName(name)))
	}
	if as == "" {
		as = in.ofFile(storedName(name))
	}
	return in.AddFile(name, as, info)
}

// AddFile adds a file of the file system under the name as.
func (in *Inputs) AddFile(name, as string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	in.Items = append(in.Items, FileItem(name, as, info))
	return nil
}

// FileItem makes an item of a file of the file system.
func FileItem(file, name string, info fs.FileInfo) archive.Item {
	return archive.Item{
		Name: name, Size: info.Size(), ModTime: info.ModTime(),
		Open: func() (io.ReadCloser, error) { return os.Open(file) },
	}
}

// addFolder adds a folder of the file system. It skips the archive being written, which
// may be in that folder, and temporary files of pakbox, which another pakbox may be using
// or a killed one has left.
func (in *Inputs) addFolder(ctx context.Context, dir, as string) error {
	p, err := in.Follow(ctx, dir)
	if err != nil {
		return err
	}
	in.places = append(in.places, p)
	own := ""
	if abs, err := filepath.Abs(in.out); err == nil {
		if root, err := filepath.Abs(dir); err == nil {
			if rel, err := filepath.Rel(root, abs); err == nil {
				own = filepath.ToSlash(rel)
			}
		}
	}
	for _, item := range archive.Items(p) {
		if slices.ContainsFunc(strings.Split(item.Name, "/"), stray.OwnName) {
			in.left = append(in.left, item.Name)
			continue
		}
		if !SameArchive(item.Name, own, in.exts) {
			item.Name = in.ofFile(path.Join(as, item.Name))
			in.Items = append(in.Items, item)
		}
	}
	return nil
}

// AddPlace adds the files of an archive at and below a place, under their names there
// unless as gives another. choose, if not nil, returns the names of the files that are
// wanted. [Inputs.Close] closes the place.
func (in *Inputs) AddPlace(p *archive.Location, choose func(archive.Archive) (map[string]bool, error), as string) error {
	in.places = append(in.places, p)
	var part archive.Archive = p.Archive
	folder, file := p.Inner, false
	if p.Inner != "." {
		section := archive.NewSection(p.Archive, p.Inner)
		part, file = section, section.Dir() != p.Inner
		folder = section.Dir()
	}
	var chosen map[string]bool
	if choose != nil {
		var err error
		if chosen, err = choose(part); err != nil {
			return err
		}
	}
	root := p.Root()
	for _, item := range archive.Items(part) {
		if choose != nil && !chosen[item.Name] {
			continue
		}
		switch {
		case as == "" && p.Inner == ".":
			item.Name = in.ofEntry(root, item.Name)
		case as == "":
			item.Name = in.ofEntry(root, path.Join(root.Stored(folder), item.Name))
		case choose == nil && !file:
			item.Name = path.Join(as, item.Name)
		default:
			item.Name = as
		}
		in.Items = append(in.Items, item)
	}
	return nil
}

// Named returns the name that the archive stores for a path.
func (in *Inputs) Named(name string) string { return in.ofFile(name) }

// ofFile returns the name of an item from the file system.
func (in *Inputs) ofFile(name string) string { return in.typed(in.names.OfFile(name)) }

// ofEntry returns the name of an item from another archive.
func (in *Inputs) ofEntry(from archive.Root, stored string) string {
	return in.typed(in.names.OfEntry(from, stored))
}

// typed converts a stored name to the form that edits use.
func (in *Inputs) typed(stored string) string {
	if in.edits == nil || in.edits.Stored(stored) == stored {
		return stored
	}
	return in.edits.Path(stored)
}

// Check rejects names that no archive should contain, and duplicate names.
func (in *Inputs) Check(root archive.Root) error {
	seen := map[string]bool{}
	for _, item := range in.Items {
		if err := root.Check(item.Name); err != nil {
			return err
		}
		if seen[item.Name] {
			return fault.Usagef("two inputs would be stored as %s", item.Name)
		}
		seen[item.Name] = true
	}
	return nil
}

// storedName returns the name of an input inside the archive: its path as given. For an
// absolute path, or one that leads up (..), it is only the last part, because archives
// may not contain such paths.
func storedName(input string) string {
	if endsInSlash(input) {
		return "" // a folder's content
	}
	name := path.Clean(filepath.ToSlash(input))
	if name == "." || name == ".." {
		return ""
	}
	if filepath.IsAbs(input) || filepath.VolumeName(input) != "" || strings.HasPrefix(name, "../") || strings.HasPrefix(name, "/") {
		return path.Base(name)
	}
	return name
}

func endsInSlash(name string) bool {
	return strings.HasSuffix(name, "/") || strings.HasSuffix(name, string(filepath.Separator))
}

// SameArchive reports whether two files belong to one archive: they are the same file, or
// they have the same stem and the extensions of a format with several files.
func SameArchive(x, y string, exts []string) bool {
	extX, extY := path.Ext(x), path.Ext(y)
	is := func(ext string) bool { return slices.Contains(exts, strings.ToLower(ext)) }
	return x == y || is(extX) && is(extY) && !strings.EqualFold(extX, extY) &&
		strings.EqualFold(strings.TrimSuffix(x, extX), strings.TrimSuffix(y, extY))
}
