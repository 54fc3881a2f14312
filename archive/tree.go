package archive

import (
	"context"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
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

// treeIndex finds paths. It has one element for each file and none for folders: a name of
// 500 bytes may have 255 folders, so that an element for each would take far more memory
// than the archive.
type treeIndex struct {
	files  map[string]int    // path to entry; without those that are folders too
	fold   map[string]string // lower-case path to path of a file; nil if case matters
	sorted []string          // paths of all entries, each once; a folder is a part of it
	lower  func() []lowered  // the same by lower-case path
}

type lowered struct{ low, name string }

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
	t := &treeIndex{files: make(map[string]int, len(entries))}
	for i, e := range entries {
		if fs.ValidPath(e.Name) && e.Name != "." && pathname.Reachable(e.Name) {
			t.files[e.Name] = i
		}
	}
	t.sorted = slices.AppendSeq(make([]string, 0, len(t.files)), maps.Keys(t.files))
	slices.Sort(t.sorted)
	for _, name := range t.sorted {
		if first, end := t.below(name); first < end {
			delete(t.files, name)
		}
	}
	if fold {
		t.fold = make(map[string]string, len(t.files))
		// Of names that differ only in case the last stored one wins, as with equal
		// names.
		for i, e := range entries {
			if j, ok := t.files[e.Name]; ok && i == j {
				t.fold[strings.ToLower(e.Name)] = e.Name
			}
		}
		t.lower = sync.OnceValue(func() []lowered {
			list := make([]lowered, len(t.sorted))
			for i, name := range t.sorted {
				list[i] = lowered{strings.ToLower(name), name}
			}
			slices.SortStableFunc(list, func(a, b lowered) int { return strings.Compare(a.low, b.low) })
			return list
		})
	}
	return t
}

// below returns the part of the sorted paths that are below a folder.
func (t *treeIndex) below(dir string) (first, end int) {
	if dir == "." {
		return 0, len(t.sorted)
	}
	first = sort.Search(len(t.sorted), func(i int) bool { return compareBelow(t.sorted[i], dir) >= 0 })
	end = first + sort.Search(len(t.sorted)-first, func(i int) bool { return compareBelow(t.sorted[first+i], dir) > 0 })
	return first, end
}

// compareBelow compares a path with those below a folder: 0 means that it is one of them.
func compareBelow(name, dir string) int {
	n := min(len(name), len(dir))
	switch order := strings.Compare(name[:n], dir[:n]); {
	case order != 0:
		return order
	case len(name) <= len(dir):
		return -1
	}
	return int(name[len(dir)]) - '/'
}

// dir finds a folder. If no folder has this name, letter case may differ; of several
// folders it is then the first by the lower-case paths of their files.
func (t *treeIndex) dir(name string) (dir string, first, end int, ok bool) {
	if first, end = t.below(name); first < end || name == "." {
		return name, first, end, true
	}
	if t.fold == nil {
		return "", 0, 0, false
	}
	low, list := strings.ToLower(name), t.lower()
	i := sort.Search(len(list), func(i int) bool { return compareBelow(list[i].low, low) >= 0 })
	if i == len(list) || compareBelow(list[i].low, low) != 0 {
		return "", 0, 0, false
	}
	dir, _ = pathname.CutParts(list[i].name, strings.Count(name, "/")+1)
	first, end = t.below(dir)
	return dir, first, end, true
}

// list returns the sorted content of a folder, whose paths are a part of the sorted ones.
func (t *treeIndex) list(entries []Entry, dir string, first, end int) (list []vfs.FileInfo) {
	skip := len(dir) + 1
	if dir == "." {
		skip = 0
	}
	for first < end {
		name := t.sorted[first]
		slash := strings.IndexByte(name[skip:], '/')
		if slash >= 0 {
			list = append(list, vfs.FileInfo{Base: name[skip : skip+slash], Dir: true})
			_, first = t.below(name[:skip+slash])
			continue
		}
		if i, ok := t.files[name]; ok {
			list = append(list, vfs.FileInfo{Base: name[skip:], Length: entries[i].Size, Modified: entries[i].ModTime})
		}
		first++
	}
	slices.SortFunc(list, func(a, b vfs.FileInfo) int { return strings.Compare(a.Base, b.Base) })
	return list
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
		if first, end := x.below(name); first < end {
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
func (t *Tree) lookupDir(name string) (dir string, list func() []vfs.FileInfo, ok bool) {
	x := t.index()
	for _, name := range []string{name, t.root.Stored(name)} {
		if dir, first, end, ok := x.dir(name); ok {
			return dir, func() []vfs.FileInfo { return x.list(t.entries, dir, first, end) }, true
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
		return vfs.OpenFolder(vfs.FileInfo{Base: path.Base(dir), Dir: true}, asDirEntries(list())), nil
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
	return asDirEntries(list()), nil
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
