package scan

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
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

// walker visits the regular files at or below a path, in the order of their names. Links
// to folders are not followed, because they may lead in circles.
type walker struct {
	skip   func(path string) bool
	file   func(path string, st stat) bool // called for each file; false stops the walk
	failed func(path string, err error)    // called for a folder that cannot be listed, or a file that cannot be examined
}

// walk walks from root, which may be a link.
func (w *walker) walk(root string) {
	info, err := os.Stat(filepath.FromSlash(root))
	switch {
	case err != nil:
		w.failed(root, err)
	case info.IsDir():
		w.folder(root)
	case info.Mode().IsRegular():
		w.file(root, statOf(info))
	}
}

// folder walks through a folder. It returns false to stop the walk.
func (w *walker) folder(dir string) bool {
	f, entries, err := list(dir)
	if err != nil {
		w.failed(dir, err)
		return true
	}
	defer f.Close()
	for _, e := range entries {
		name := join(dir, e.Name())
		if w.skip != nil && w.skip(name) {
			continue
		}
		if e.IsDir() {
			if !w.folder(name) {
				return false
			}
			continue
		}
		st, regular, err := look(f, name, e)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // removed since the folder was listed, or a link to nothing
		case err != nil:
			w.failed(name, err)
		case regular && !w.file(name, st):
			return false
		}
	}
	return true
}

// list returns the entries of a folder in the order of names, and the open folder.
func list(dir string) (*os.File, []fs.DirEntry, error) {
	f, err := os.Open(filepath.FromSlash(dir))
	if err != nil {
		return nil, nil, err
	}
	entries, err := f.ReadDir(-1)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return f, entries, nil
}

// look returns the state of a file in an open folder, following a link, and whether it is
// a regular file.
func look(dir *os.File, name string, e fs.DirEntry) (stat, bool, error) {
	if e.Type()&fs.ModeSymlink == 0 {
		return statIn(dir, e)
	}
	info, err := os.Stat(filepath.FromSlash(name))
	if err != nil {
		return stat{}, false, err
	}
	return statOf(info), info.Mode().IsRegular(), nil
}

// join is path.Join for paths that are already clean.
func join(dir, name string) string {
	switch dir {
	case ".":
		return name
	case "/":
		return "/" + name
	}
	return dir + "/" + name
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
