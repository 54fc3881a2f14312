package archive

import (
	"context"
	"io"
	"io/fs"
	"path"
	"sort"
	"strings"
	"sync"

	"pakbox/fact"
	"pakbox/internal/lib/pathname"
	"pakbox/internal/lib/vfs"
)

// Tree implements [Archive] except for Format. Formats embed a Tree and supply the
// function that reads the content of an entry. They write methods of their own where they
// know more: Facts, and Verify with the checks of [VerifyEntries] that they need.
//
// Of two entries with the same name the file system shows the later one, as the original
// tools do. If one name is both a file and a folder, it shows the folder. It does not
// show names that are not valid paths.
type Tree struct {
	entries []Entry
	open    func(i int) (io.ReadCloser, error)
	root    Root
	fold    bool
	index   func() *treeIndex
}

type treeIndex struct {
	files map[string]int            // path to entry
	fold  map[string]string         // lower-case path to path; nil if case matters
	dirs  map[string][]vfs.FileInfo // path to sorted children
}

// NewTree returns the tree of entries. If fold is set, look-ups ignore letter case if the
// exact name is missing. open must be safe for concurrent use.
func NewTree(entries []Entry, fold bool, open func(i int) (io.ReadCloser, error)) *Tree {
	return &Tree{
		entries: entries,
		open:    open,
		fold:    fold,
		index:   sync.OnceValue(func() *treeIndex { return buildIndex(entries, fold) }),
	}
}

// WithRoot sets the root of the archive's names.
func (t *Tree) WithRoot(root Root) *Tree {
	t.root = root
	return t
}

// Root is the drive or folder that stored names may begin with.
func (t *Tree) Root() Root { return t.root }

// Facts is empty.
func (t *Tree) Facts() fact.Record { return nil }

// Verify checks the names and the content of all entries.
func (t *Tree) Verify(ctx context.Context, opts Options) (*Report, error) {
	return VerifyEntries(ctx, t, EntryChecks{}, opts)
}

// PrimaryName is "": most archives are one file.
func (t *Tree) PrimaryName() string { return "" }

func buildIndex(entries []Entry, fold bool) *treeIndex {
	t := &treeIndex{files: make(map[string]int, len(entries)), dirs: map[string][]vfs.FileInfo{".": nil}}
	for i, e := range entries {
		if fs.ValidPath(e.Name) && e.Name != "." && pathname.Reachable(e.Name) {
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
			t.dirs[parent] = append(t.dirs[parent], vfs.FileInfo{Base: path.Base(dir), Dir: true})
		}
	}
	for name, i := range t.files {
		e := &entries[i]
		parent := path.Dir(name)
		t.dirs[parent] = append(t.dirs[parent], vfs.FileInfo{Base: path.Base(name), Length: e.Size, Modified: e.ModTime})
	}
	for _, list := range t.dirs {
		sort.Slice(list, func(i, j int) bool { return list[i].Base < list[j].Base })
	}
	if fold {
		t.fold = make(map[string]string, len(t.files)+len(t.dirs))
		t.fold["."] = "."
		folded := make(map[string]bool, len(t.dirs))
		for _, e := range entries {
			if _, ok := t.files[e.Name]; ok {
				t.foldDirs(e.Name, folded)
			}
		}
		// Of names that differ only in case the last stored one wins, as with equal
		// names.
		for i, e := range entries {
			if j, ok := t.files[e.Name]; ok && i == j {
				t.fold[strings.ToLower(e.Name)] = e.Name
			}
		}
	}
	return t
}

// foldDirs records the folders of a name in lower case. The name is folded once, because
// its parts share the memory of the whole.
func (t *treeIndex) foldDirs(name string, folded map[string]bool) {
	low := strings.ToLower(name)
	for {
		i, j := strings.LastIndexByte(name, '/'), strings.LastIndexByte(low, '/')
		if i < 0 || folded[name[:i]] {
			return
		}
		name, low = name[:i], low[:j]
		folded[name] = true
		if other, ok := t.fold[low]; !ok || name < other { // always the same folder, whatever the order
			t.fold[low] = name
		}
	}
}

// FoldsCase reports whether names are found without regard to case.
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
	return vfs.Open(e.info(), rc), nil
}

// Lookup returns the index of the entry at name. An entry below the root, such as
// d:/ymir work/a, is also found by its path after extraction: ymir work/a.
func (t *Tree) Lookup(name string) (int, bool) {
	x := t.index()
	for _, name := range []string{name, t.root.Stored(name)} {
		if i, ok := x.files[name]; ok {
			return i, true
		}
		if _, ok := x.dirs[name]; ok {
			return 0, false // name is a folder: do not look for a file whose name differs in case
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
func (t *Tree) lookupDir(name string) (string, []vfs.FileInfo, bool) {
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
		return vfs.OpenFolder(vfs.FileInfo{Base: path.Base(dir), Dir: true}, asDirEntries(list)), nil
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
			err = vfs.ErrNotDir
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
		return t.entries[i].info(), nil
	}
	if dir, _, ok := t.lookupDir(name); ok {
		return vfs.FileInfo{Base: path.Base(dir), Dir: true}, nil
	}
	return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

// info describes an entry as a file.
func (e *Entry) info() vfs.FileInfo {
	return vfs.FileInfo{Base: path.Base(e.Name), Length: e.Size, Modified: e.ModTime}
}

func asDirEntries(list []vfs.FileInfo) []fs.DirEntry {
	out := make([]fs.DirEntry, len(list))
	for i, info := range list {
		out[i] = info
	}
	return out
}
