package scan

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"pakbox/internal/lib/walk"
)

// stat has the size and times that show whether a file has changed.
type stat struct {
	size, mtimeNS int64
	ctimeNS       int64  // 0 if the system has none; for an object a number made from its tag
	device        int64  // 0 if the system has none
	tag           string // tag of an object
}

func statOf(info fs.FileInfo) stat {
	s := stat{size: info.Size(), mtimeNS: info.ModTime().UnixNano()}
	s.ctimeNS, s.device = system(info)
	return s
}

// walker visits the regular files at or below a path, in the order of package walk, and
// continues after an error.
type walker struct {
	skip   func(path string) bool
	file   func(path string, st stat) bool // called for each file; false stops the walk
	failed func(path string, err error)    // called for a folder that cannot be listed, or a file that cannot be examined
}

// walk walks from root, which may be a link.
func (w *walker) walk(root string) {
	all := walk.Walk{Hold: true, Failed: func(path string, err error) error {
		w.failed(filepath.ToSlash(path), err)
		return nil
	}}
	if w.skip != nil {
		all.Skip = func(path string) bool { return w.skip(filepath.ToSlash(path)) }
	}
	all.Everything(filepath.FromSlash(root), func(e walk.Entry) error {
		if e.IsDir() {
			return nil
		}
		name := filepath.ToSlash(e.Path)
		st, regular, err := look(e)
		switch {
		case errors.Is(err, fs.ErrNotExist) && e.Folder != nil:
			// removed since the folder was listed, or a link to nothing
		case err != nil:
			w.failed(name, err)
		case regular && !w.file(name, st):
			return fs.SkipAll
		}
		return nil
	})
}

// look returns the state of a file, following a link, and whether it is a regular file.
func look(e walk.Entry) (stat, bool, error) {
	if e.Folder != nil && e.Type()&fs.ModeSymlink == 0 {
		return statIn(e.Folder, e.DirEntry)
	}
	info, err := e.Stat()
	if err != nil {
		return stat{}, false, err
	}
	return statOf(info), info.Mode().IsRegular(), nil
}

// order compares paths in the order of a walk: a slash sorts before all other characters.
func order(a, b string) int {
	for i := range min(len(a), len(b)) {
		if x, y := a[i], b[i]; x != y {
			switch {
			case x == '/':
				return -1
			case y == '/':
				return 1
			}
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(len(a), len(b))
}

// deviceAbove returns the device of the nearest existing folder above a path, or -1
// without one.
func deviceAbove(name string) int64 {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if info, err := os.Stat(filepath.FromSlash(dir)); err == nil {
			return statOf(info).device
		}
		if dir == path.Dir(dir) {
			return -1
		}
	}
}
