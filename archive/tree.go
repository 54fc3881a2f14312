package archive

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"sort"
	"strings"
	"sync"
	"time"

	"pakbox/internal/lib/wire"
)

// Tree gives the entries of an archive the shape of a file system. Formats
// embed it and supply the one thing that differs: how an entry's content is
// read.
//
// Where two entries have the same name the later one is shown, as the
// original tools do; where one name is both a file and a folder the folder is
// shown. Names that are not valid paths are not shown at all.
type Tree struct {
	entries []Entry
	open    func(i int) (io.ReadCloser, error)
	root    Root
	fold    bool
	index   func() *treeIndex
}

type treeIndex struct {
	files map[string]int        // path to entry
	fold  map[string]string     // lower-case path to path; nil if case matters
	dirs  map[string][]dirEntry // path to sorted children
}

// NewTree returns the tree of entries. If fold is set, look-ups that miss are
// tried again without regard to case. open must be safe for concurrent use.
func NewTree(entries []Entry, fold bool, open func(i int) (io.ReadCloser, error)) *Tree {
	return &Tree{
		entries: entries,
		open:    open,
		fold:    fold,
		index:   sync.OnceValue(func() *treeIndex { return buildIndex(entries, fold) }),
	}
}

// WithRoot makes the tree that of an archive whose names lie below a root.
func (t *Tree) WithRoot(root Root) *Tree {
	t.root = root
	return t
}

// Root is the place that names may begin with.
func (t *Tree) Root() Root { return t.root }

func buildIndex(entries []Entry, fold bool) *treeIndex {
	t := &treeIndex{files: make(map[string]int, len(entries)), dirs: map[string][]dirEntry{".": nil}}
	for i, e := range entries {
		if fs.ValidPath(e.Name) && e.Name != "." {
			t.files[e.Name] = i
			for dir := path.Dir(e.Name); dir != "."; dir = path.Dir(dir) {
				if _, ok := t.dirs[dir]; ok {
					break
				}
				t.dirs[dir] = nil
			}
		}
	}
	for dir := range t.dirs {
		delete(t.files, dir)
		if dir != "." {
			parent := path.Dir(dir)
			t.dirs[parent] = append(t.dirs[parent], dirEntry{name: path.Base(dir), dir: true})
		}
	}
	for name, i := range t.files {
		e := &entries[i]
		parent := path.Dir(name)
		t.dirs[parent] = append(t.dirs[parent], dirEntry{name: path.Base(name), size: e.Size, mod: e.ModTime})
	}
	for _, list := range t.dirs {
		sort.Slice(list, func(i, j int) bool { return list[i].name < list[j].name })
	}
	if fold {
		t.fold = make(map[string]string, len(t.files)+len(t.dirs))
		for dir := range t.dirs {
			low := strings.ToLower(dir)
			if other, ok := t.fold[low]; !ok || dir < other { // always the same one
				t.fold[low] = dir
			}
		}
		// Among names that differ only in case the last stored one wins, as
		// it does among names that are the same.
		for i, e := range entries {
			if j, ok := t.files[e.Name]; ok && i == j {
				t.fold[strings.ToLower(e.Name)] = e.Name
			}
		}
	}
	return t
}

// FoldsCase tells whether names are found without regard to case.
func (t *Tree) FoldsCase() bool { return t.fold }

// Entries lists what is stored, in stored order.
func (t *Tree) Entries() []Entry { return t.entries }

// OpenEntry opens the i-th entry.
func (t *Tree) OpenEntry(i int) (fs.File, error) {
	e := t.entries[i]
	rc, err := t.open(i)
	if err != nil {
		return nil, err
	}
	f := &file{dirEntry{name: path.Base(e.Name), size: e.Size, mod: e.ModTime}, rc}
	if ra, ok := rc.(io.ReaderAt); ok {
		return randomFile{f, ra}, nil
	}
	return f, nil
}

// Lookup returns the index of the entry at name. A name below the root is also
// found by the path that stands for it, which people see after extraction.
func (t *Tree) Lookup(name string) (int, bool) {
	x := t.index()
	for _, name := range []string{name, t.root.Stored(name)} {
		if i, ok := x.files[name]; ok {
			return i, true
		}
		if _, ok := x.dirs[name]; ok {
			return 0, false // and not a file whose name differs in case
		}
		if x.fold != nil {
			if i, ok := x.files[x.fold[strings.ToLower(name)]]; ok {
				return i, true
			}
		}
	}
	return 0, false
}

// lookupDir finds a folder like Lookup finds a file.
func (t *Tree) lookupDir(name string) (string, []dirEntry, bool) {
	x := t.index()
	for _, name := range []string{name, t.root.Stored(name)} {
		if list, ok := x.dirs[name]; ok {
			return name, list, true
		}
		if x.fold != nil {
			name = x.fold[strings.ToLower(name)]
			if list, ok := x.dirs[name]; ok {
				return name, list, true
			}
		}
	}
	return "", nil, false
}

// Open opens the file or folder at name.
func (t *Tree) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if i, ok := t.Lookup(name); ok {
		return t.OpenEntry(i)
	}
	if dir, list, ok := t.lookupDir(name); ok {
		return &folder{dirEntry{name: path.Base(dir), dir: true}, list, 0}, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// ReadDir lists the folder at name, sorted.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	_, list, ok := t.lookupDir(name)
	if !ok {
		err := fs.ErrNotExist
		if _, isFile := t.Lookup(name); isFile {
			err = ErrNotDir
		}
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	return asDirEntries(list), nil
}

// Stat describes the file or folder at name without reading its content.
func (t *Tree) Stat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrInvalid}
	}
	if i, ok := t.Lookup(name); ok {
		e := t.entries[i]
		return dirEntry{name: path.Base(e.Name), size: e.Size, mod: e.ModTime}, nil
	}
	if dir, _, ok := t.lookupDir(name); ok {
		return dirEntry{name: path.Base(dir), dir: true}, nil
	}
	return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

// Why something cannot be done with a file or a folder.
var (
	ErrIsDir    = errors.New("is a folder")
	ErrNotDir   = errors.New("is not a folder")
	ErrNotEmpty = errors.New("is a folder that is not empty")
)

// dirEntry is one name in a folder; it is its own FileInfo.
type dirEntry struct {
	name string
	dir  bool
	size int64
	mod  time.Time
}

func (d dirEntry) Name() string               { return d.name }
func (d dirEntry) IsDir() bool                { return d.dir }
func (d dirEntry) Type() fs.FileMode          { return d.Mode().Type() }
func (d dirEntry) Info() (fs.FileInfo, error) { return d, nil }
func (d dirEntry) Size() int64                { return d.size }
func (d dirEntry) ModTime() time.Time         { return d.mod }
func (d dirEntry) Sys() any                   { return nil }
func (d dirEntry) String() string             { return fs.FormatDirEntry(d) }

func (d dirEntry) Mode() fs.FileMode {
	if d.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

func asDirEntries(list []dirEntry) []fs.DirEntry {
	out := make([]fs.DirEntry, len(list))
	for i, d := range list {
		out[i] = d
	}
	return out
}

// file is an open entry.
type file struct {
	info dirEntry
	io.ReadCloser
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }

// randomFile is an open entry whose content can be read anywhere, so that an
// archive inside an archive need not be copied.
type randomFile struct {
	*file
	io.ReaderAt
}

// Whole is the content, if it is in memory; see [wire.Whole].
func (f randomFile) Whole() []byte { return wire.Whole(f.ReaderAt, f.info.size) }

// folder is an open folder.
type folder struct {
	info dirEntry
	list []dirEntry
	pos  int
}

func (d *folder) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *folder) Close() error               { return nil }
func (d *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.name, Err: ErrIsDir}
}

func (d *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := d.list[d.pos:]
	if n <= 0 {
		d.pos = len(d.list)
		return asDirEntries(rest), nil
	}
	if len(rest) == 0 {
		return nil, io.EOF
	}
	rest = rest[:min(n, len(rest))]
	d.pos += len(rest)
	return asDirEntries(rest), nil
}
