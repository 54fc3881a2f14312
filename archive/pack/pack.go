// Package pack makes new archives of files, folders and parts of archives, under the names
// that games look for.
package pack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/walk"
)

// Options say how [Create] makes an archive. The zero value works.
type Options struct {
	archive.CreateOptions
	Format    string // name of the format; "" takes that of the extension, or of the inputs
	Overwrite bool   // replace what is there
}

// Result describes an archive that was made.
type Result struct {
	Format string
	Items  []archive.Item
	Notes  []string // which names changed, a sentence each
}

// Size is the size of all content; -1 if unknown before reading.
func (r *Result) Size() (size int64) {
	for _, item := range r.Items {
		if item.Size < 0 {
			return -1
		}
		size += item.Size
	}
	return size
}

// Create makes a new archive at out from files, folders and parts of archives. A single
// folder becomes the archive: its content is stored without its own name. Several inputs
// are each stored under their path; a folder with a slash at its end stands for its
// content. The names are those that games look for: see [archive.CreateOptions.Names]. After
// any failure, out is either unchanged or complete.
func Create(ctx context.Context, formats archive.Registry, out string, inputs []string, opts Options) (*Result, error) {
	format := opts.Format
	if format == "" {
		format = CommonFormat(formats, out, inputs, func(name string) (*archive.Location, error) { return formats.Enter(ctx, name, opts.Options) })
	}
	f, err := CreatorFor(formats, out, format)
	if err != nil {
		return nil, err
	}
	in := Collect(formats, out, f, opts.CreateOptions)
	defer in.Close()
	for _, name := range inputs {
		if len(inputs) == 1 && isDir(name) {
			name += "/"
		}
		if err := in.Add(ctx, name, ""); err != nil {
			return nil, err
		}
	}
	if err := in.Check(archive.RootOf(f)); err != nil {
		return nil, err
	}
	if err := Write(ctx, f, out, in.Items, opts, in.Close); err != nil {
		return nil, err
	}
	return &Result{Format: f.Name(), Items: in.Items, Notes: in.Notes()}, nil
}

// Write makes an archive of format f at out from items. After any failure, out is
// either unchanged or complete. release, if not nil, closes the files from which the items
// come: some systems cannot replace an open file, and an archive can be an input of itself.
func Write(ctx context.Context, f archive.Creator, out string, items []archive.Item, opts Options, release func() error) error {
	if err := CheckReplaced(f, out, items); err != nil {
		return err
	}
	stage, err := archive.NewStage(strings.TrimRightFunc(out, func(r rune) bool { return r == '/' || r == filepath.Separator }), opts.Overwrite)
	if err != nil {
		return err
	}
	defer stage.Abort()
	if err := f.Create(ctx, stage, items, opts.CreateOptions); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if release != nil {
		if err := release(); err != nil {
			return err
		}
	}
	return stage.Commit()
}

// CheckReplaced refuses to replace a folder by a new one of format f if files would be
// lost that are not among the items, because somebody else put them there. It also
// refuses to replace the working folder.
func CheckReplaced(f archive.Format, out string, items []archive.Item) error {
	if _, folder := f.(archive.DirOpener); !folder || !isDir(out) {
		return nil // replacing a file by a folder will report the error
	}
	if HoldsWorkingDir(out) {
		return fault.Usagef("%s: would replace the folder that pakbox runs in", out)
	}
	below, err := filesBelow(out)
	if err != nil {
		return nil // the folder is missing, or replacing it will report the error
	}
	made := map[string]bool{}
	for _, item := range items {
		made[strings.ToLower(item.Name)] = true
	}
	for _, name := range below {
		if !made[strings.ToLower(name)] {
			return &fs.PathError{Op: "replace", Path: out, Err: fmt.Errorf("holds %s, which would be lost", name)}
		}
	}
	return nil
}

// CreatorFor decides the format of a new archive: the named one, or that of the extension
// of out. A path that ends in a slash, has no extension, or is an existing folder means a
// folder.
func CreatorFor(formats archive.Registry, out, name string) (archive.Creator, error) {
	f, err := formatFor(formats, out, name)
	if err != nil {
		return nil, err
	}
	creator, ok := f.(archive.Creator)
	if !ok {
		return nil, fault.Usagef("pakbox cannot make a %s file from files", f.Name())
	}
	return creator, nil
}

func formatFor(formats archive.Registry, out, name string) (archive.Format, error) {
	if name != "" {
		f, ok := formats.ByName(name)
		if !ok {
			return nil, fault.Usagef("unknown format %q", name)
		}
		return f, nil
	}
	named := formats.ByPath(out)
	if len(named) > 1 {
		return nil, fault.Usagef("%s: more than one format has the extension %q", out, filepath.Ext(out))
	}
	if endsInSlash(out) || isDir(out) || len(named) == 0 && filepath.Ext(out) == "" {
		named = nil
		for _, f := range formats {
			if _, ok := f.(archive.DirOpener); ok {
				named = append(named, f)
			}
		}
	}
	if len(named) == 0 {
		return nil, fault.Usagef("%s: no known format has the extension %q", out, filepath.Ext(out))
	}
	return named[0], nil
}

// CommonFormat chooses between the formats that share the extension of a new archive: it
// is the format of the inputs, if all are files of that one. Otherwise it is "".
func CommonFormat(formats archive.Registry, out string, inputs []string, open func(name string) (*archive.Location, error)) (name string) {
	candidates := formats.ByPath(out)
	if len(candidates) < 2 {
		return ""
	}
	for _, input := range inputs {
		p, err := open(input)
		if err != nil {
			return ""
		}
		found := p.Format()
		p.Close()
		if !slices.ContainsFunc(candidates, func(f archive.Format) bool { return f.Name() == found }) || name != "" && name != found {
			return ""
		}
		name = found
	}
	return name
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// HoldsWorkingDir reports whether a path is the working folder or above it.
func HoldsWorkingDir(path string) bool {
	target, err := filepath.Abs(path)
	wd, err2 := os.Getwd()
	if errors.Join(err, err2) != nil {
		return false
	}
	rel, err := filepath.Rel(target, wd)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// filesBelow lists everything below a folder except folders, by paths relative to it.
func filesBelow(dir string) (names []string, err error) {
	err = new(walk.Walk).Everything(dir, func(e walk.Entry) error {
		if !e.IsDir() {
			names = append(names, e.Rel())
		}
		return nil
	})
	return names, err
}
