// Package walk goes through folders, in the same way for all who do: commands, archives,
// the index, the page. It decides what a link is, which names are hidden, and the order.
//
// A folder comes before its content, and the content in the order of names. A link to a
// file counts as the file. Links to folders are not followed, because they may lead in
// circles or out of the folder; only the beginning of a walk may be one. A link to nothing
// stays a link.
package walk

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Folders replaces the file system as what a walk goes through. Its paths have slashes.
type Folders interface {
	// Stat describes what is at a path, following links.
	Stat(name string) (fs.FileInfo, error)
	// ReadDir lists a folder in the order of names.
	ReadDir(name string) ([]fs.DirEntry, error)
}

// Walk says how to go through folders. The zero value goes through those of the file
// system and ends with the first error.
type Walk struct {
	In Folders // nil for the file system
	// Skip leaves out a file, or a folder with everything in it. Nil leaves out nothing.
	Skip func(path string) bool
	// Failed receives the error for a folder that cannot be listed or a file that cannot be
	// described. The error that it returns ends the walk.
	Failed func(path string, err error) error
	// Hold keeps a folder of the file system open while its content is visited. With
	// [Entry.Folder] the system finds a file without following the path again.
	Hold bool
}

// Entry is what a walk visits: a folder, a file, a link or a device.
type Entry struct {
	fs.DirEntry          // as its folder lists it
	Path        string   // begins with that of the walk
	Folder      *os.File // the open folder that lists it, see [Walk.Hold]; nil at the beginning

	walk *Walk
	root int // where the part of Path begins that is below the beginning; -1 at the beginning
}

// Rel returns the path below the beginning of the walk, with slashes; "." at the beginning.
func (e Entry) Rel() string {
	if e.root < 0 {
		return "."
	}
	return filepath.ToSlash(e.Path[e.root:])
}

// Stat describes what is at the path now, following a link. A listing of Windows may state
// an old size or time.
func (e Entry) Stat() (fs.FileInfo, error) {
	if e.walk.In != nil {
		return e.walk.In.Stat(e.Path)
	}
	return os.Stat(e.Path)
}

// Lstat is Stat that describes a link itself. At the beginning of a walk it follows a
// link, as the walk does.
func (e Entry) Lstat() (fs.FileInfo, error) {
	switch {
	case e.root < 0:
		return e.DirEntry.Info()
	case e.walk.In != nil:
		return e.Info()
	}
	return os.Lstat(e.Path)
}

// Files visits the files at or below a path of the file system, each with the description
// of the file itself, and links to nothing.
func Files(path string, visit func(e Entry, info fs.FileInfo) error) error {
	return new(Walk).Files(path, visit)
}

// Files visits the files at or below a path, each with the description of the file
// itself, and links to nothing.
func (w *Walk) Files(path string, visit func(e Entry, info fs.FileInfo) error) error {
	return w.Everything(path, func(e Entry) error {
		if e.IsDir() {
			return nil
		}
		info, err := e.Stat()
		broken := e.Type()&fs.ModeSymlink != 0 && err != nil
		if broken {
			info, err = e.Lstat()
		}
		if err != nil {
			return w.failed(e.Path, err)
		}
		if !broken && !info.Mode().IsRegular() {
			return nil
		}
		return visit(e, info)
	})
}

// Everything visits what is at and below a path. An error of visit ends the walk and is
// returned, except [fs.SkipAll].
func (w *Walk) Everything(path string, visit func(e Entry) error) error {
	err := w.from(path, visit)
	if err == fs.SkipAll {
		return nil
	}
	return err
}

func (w *Walk) from(path string, visit func(e Entry) error) error {
	info, err := w.stat(path)
	if err != nil {
		return w.failed(path, err)
	}
	e := Entry{DirEntry: fs.FileInfoToDirEntry(info), Path: path, walk: w, root: -1}
	if err := visit(e); err != nil || !info.IsDir() {
		return err
	}
	prefix := w.prefix(path)
	return w.below(path, prefix, len(prefix), visit)
}

// stat describes the beginning of a walk.
func (w *Walk) stat(path string) (fs.FileInfo, error) {
	if w.In != nil {
		return w.In.Stat(path)
	}
	info, err := os.Stat(path)
	if link, err2 := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && err2 == nil {
		return link, nil // a link to nothing
	}
	return info, err
}

// prefix returns how the paths below the beginning of a walk begin.
func (w *Walk) prefix(dir string) string {
	join := filepath.Join
	if w.In != nil {
		join = path.Join
	}
	return strings.TrimSuffix(join(dir, "x"), "x")
}

// below visits what is in a folder and below it. prefix is its path with what separates
// it from a name.
func (w *Walk) below(dir, prefix string, root int, visit func(e Entry) error) error {
	folder, list, err := w.list(dir)
	if err != nil {
		return w.failed(dir, err)
	}
	if folder != nil {
		defer folder.Close()
	}
	for _, d := range list {
		e := Entry{DirEntry: d, Path: prefix + d.Name(), Folder: folder, walk: w, root: root}
		if w.Skip != nil && w.Skip(e.Path) {
			continue
		}
		if err := visit(e); err != nil {
			return err
		}
		if e.IsDir() {
			if err := w.below(e.Path, e.Path+w.separator(), root, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *Walk) separator() string {
	if w.In != nil {
		return "/"
	}
	return string(filepath.Separator)
}

// list returns the entries of a folder in the order of names, and the open folder if it
// is to be held.
func (w *Walk) list(dir string) (*os.File, []fs.DirEntry, error) {
	if w.In != nil {
		list, err := w.In.ReadDir(dir)
		return nil, list, err
	}
	if !w.Hold {
		list, err := os.ReadDir(dir)
		return nil, list, err
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	list, err := f.ReadDir(-1)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return f, list, nil
}

func (w *Walk) failed(path string, err error) error {
	if w.Failed == nil {
		return err
	}
	return w.Failed(path, err)
}

// Hidden reports whether a path leads through a name that begins with a dot, as those do
// that shells do not list. Programs keep their own files under such names.
func Hidden(path string) bool {
	path = filepath.ToSlash(path)
	return strings.HasPrefix(path, ".") || strings.Contains(path, "/.")
}
