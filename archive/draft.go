package archive

import (
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// WriteFS is a file system that can be changed. What is changed shows at once;
// whether it is stored at once is the implementation's matter.
type WriteFS interface {
	fs.ReadDirFS
	fs.StatFS
	// Put makes the file of the item's name hold its content. Folders on the
	// way are made. A Size of -1 means that the content may still grow.
	Put(item Item) error
	// Mkdir makes a folder, which must not exist.
	Mkdir(name string) error
	// Remove removes a file, or a folder that is empty.
	Remove(name string) error
	// Rename moves a file or a folder. A file that has the new name is
	// replaced, as is an empty folder by a folder.
	Rename(from, to string) error
}

// Draft is an archive with changes that are not saved yet: it shows the files
// as they would be extracted after the changes. [Draft.Edits] are what an
// [Editor] is to do so that the archive becomes so. It is safe for concurrent
// use.
//
// Archives know no folders without files in them; a new folder is part of the
// draft only until something is put into it.
type Draft struct {
	a    Listed
	fold bool
	laid []Laid

	mu   sync.RWMutex
	root *draftNode
	last uint64 // the number that was given out last
}

var _ WriteFS = (*Draft)(nil)

// draftNode is a file or a folder of a draft.
type draftNode struct {
	name     string
	id       uint64
	children map[string]*draftNode // of a folder; never nil there
	folded   map[string]*draftNode // the same by lower-case name, where case is no matter
	sorted   []*draftNode          // the same in the order of names; nil once something has changed
	from     int                   // of a file: what it is in laid, -1 if its content is new
	item     Item                  // new content
	made     time.Time             // of a new folder
}

// NewDraft returns an archive as a draft without changes.
func NewDraft(a Listed) *Draft {
	d := &Draft{a: a, laid: LayOut(a)}
	if f, ok := a.(interface{ FoldsCase() bool }); ok {
		d.fold = f.FoldsCase()
	}
	d.root = d.dir("")
	dirs := map[string]*draftNode{".": d.root}
	for i, l := range d.laid {
		if l.Err == nil {
			d.makeDirs(dirs, path.Dir(l.Name)).lay(d.node(path.Base(l.Name), i))
		}
	}
	for _, dir := range dirs {
		slices.SortFunc(dir.sorted, byName) // archives mostly store them so
	}
	return d
}

func byName(a, b *draftNode) int { return strings.Compare(a.name, b.name) }

// node returns a new node with a number of its own.
func (d *Draft) node(name string, from int) *draftNode {
	d.last++
	return &draftNode{name: name, id: d.last, from: from}
}

// makeDirs returns the folder of that name, made if need be; dirs are those
// that were made before.
func (d *Draft) makeDirs(dirs map[string]*draftNode, name string) *draftNode {
	if dir, ok := dirs[name]; ok {
		return dir
	}
	parent := d.makeDirs(dirs, path.Dir(name))
	dir := d.dir(path.Base(name))
	parent.lay(dir)
	dirs[name] = dir
	return dir
}

// child finds what is called so in a folder.
func (d *Draft) child(dir *draftNode, name string) *draftNode {
	if n, ok := dir.children[name]; ok {
		return n
	}
	return dir.folded[strings.ToLower(name)]
}

// dir returns a new folder.
func (d *Draft) dir(name string) *draftNode {
	n := d.node(name, -1)
	n.children = map[string]*draftNode{}
	if d.fold {
		n.folded = map[string]*draftNode{}
	}
	return n
}

// lay adds what stands in the archive. The order is made afterwards, once.
func (n *draftNode) lay(c *draftNode) {
	list := append(n.sorted, c)
	n.add(c)
	n.sorted = list
}

func (n *draftNode) add(c *draftNode) {
	n.sorted = nil
	n.children[c.name] = c
	if n.folded != nil {
		n.folded[strings.ToLower(c.name)] = c
	}
}

func (n *draftNode) remove(c *draftNode) {
	n.sorted = nil
	delete(n.children, c.name)
	if low := strings.ToLower(c.name); n.folded[low] == c {
		delete(n.folded, low)
	}
}

// find finds a node by its path; nil if there is none.
func (d *Draft) find(name string) *draftNode {
	n := d.root
	if name == "." {
		return n
	}
	for part := range strings.SplitSeq(name, "/") {
		if n = d.child(n, part); n == nil {
			return nil
		}
	}
	return n
}

// folder finds the folder that a name is in, and what has the name there, if
// something has.
func (d *Draft) folder(op, name string) (dir, n *draftNode, err error) {
	name = d.a.Root().Typed(name)
	if err := CheckName(name); err != nil {
		return nil, nil, err
	}
	dir = d.find(path.Dir(name))
	switch {
	case dir == nil:
		err = fs.ErrNotExist
	case dir.children == nil:
		err = ErrNotDir
	default:
		return dir, d.child(dir, path.Base(name)), nil
	}
	return nil, nil, &fs.PathError{Op: op, Path: name, Err: err}
}

// Put implements [WriteFS].
func (d *Draft) Put(item Item) error {
	item.Name = d.a.Root().Typed(item.Name)
	if err := CheckName(item.Name); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	dir := d.root
	parts := strings.Split(item.Name, "/")
	for _, part := range parts[:len(parts)-1] {
		next := d.child(dir, part)
		if next == nil {
			next = d.dir(part)
			next.made = time.Now()
			dir.add(next)
		}
		if next.children == nil {
			return &fs.PathError{Op: "put", Path: item.Name, Err: ErrNotDir}
		}
		dir = next
	}
	n := d.child(dir, parts[len(parts)-1])
	switch {
	case n == nil:
		n = d.node(parts[len(parts)-1], -1)
		dir.add(n)
	case n.children != nil:
		return &fs.PathError{Op: "put", Path: item.Name, Err: ErrIsDir}
	}
	n.from, n.item = -1, item
	return nil
}

// Mkdir implements [WriteFS].
func (d *Draft) Mkdir(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	dir, n, err := d.folder("mkdir", name)
	switch {
	case err != nil:
		return err
	case n != nil:
		return &fs.PathError{Op: "mkdir", Path: name, Err: fs.ErrExist}
	}
	n = d.dir(path.Base(name))
	n.made = time.Now()
	dir.add(n)
	return nil
}

// Remove implements [WriteFS].
func (d *Draft) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	dir, n, err := d.folder("remove", name)
	switch {
	case err != nil:
		return err
	case n == nil:
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	case len(n.children) > 0:
		return &fs.PathError{Op: "remove", Path: name, Err: ErrNotEmpty}
	}
	dir.remove(n)
	return nil
}

// Rename implements [WriteFS].
func (d *Draft) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	oldDir, n, err := d.folder("rename", from)
	if err == nil && n == nil {
		err = &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	if err != nil {
		return err
	}
	newDir, old, err := d.folder("rename", to)
	switch {
	case err != nil:
		return err
	case d.holds(n, newDir):
		err = fs.ErrInvalid // a folder cannot move into itself
	case old == nil || old == n:
	case len(old.children) > 0:
		err = ErrNotEmpty
	case old.children != nil && n.children == nil:
		err = ErrIsDir
	case old.children == nil && n.children != nil:
		err = ErrNotDir
	}
	if err != nil {
		return &fs.PathError{Op: "rename", Path: to, Err: err}
	}
	if old != nil {
		newDir.remove(old)
	}
	oldDir.remove(n)
	n.name = path.Base(to)
	newDir.add(n)
	return nil
}

// holds reports whether a folder is another or holds it.
func (d *Draft) holds(n, other *draftNode) bool {
	if n == other {
		return true
	}
	for _, c := range n.children {
		if c.children != nil && d.holds(c, other) {
			return true
		}
	}
	return false
}

// Stat describes the file or folder at name.
func (d *Draft) Stat(name string) (fs.FileInfo, error) {
	n, err := d.lookup("stat", name)
	if err != nil {
		return nil, err
	}
	return d.info(&n)
}

func (d *Draft) lookup(op, name string) (draftNode, error) {
	if !fs.ValidPath(name) {
		return draftNode{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	n := d.find(name)
	if n == nil {
		return draftNode{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return *n, nil
}

// info is what a node looks like. New content that may grow is asked.
func (d *Draft) info(n *draftNode) (DraftInfo, error) {
	i := DraftInfo{dirEntry: dirEntry{name: n.name, dir: n.children != nil, mod: n.made}, ID: n.id, Entry: -1}
	switch {
	case i.dir:
		if i.name == "" {
			i.name = "."
		}
	case n.from >= 0:
		i.Entry = d.laid[n.from].Index
		e := &d.a.Entries()[i.Entry]
		i.size, i.mod = e.Size, e.ModTime
	default:
		item, err := sized(n.item)
		if err != nil {
			return i, err
		}
		i.size, i.mod = item.Size, item.ModTime
	}
	return i, nil
}

// sized finds out how large content is that may have grown.
func sized(item Item) (Item, error) {
	if item.Size >= 0 {
		return item, nil
	}
	rc, err := item.Open()
	if err != nil {
		return item, err
	}
	defer rc.Close()
	if f, ok := rc.(fs.File); ok {
		info, err := f.Stat()
		if err == nil {
			item.Size, item.ModTime = info.Size(), info.ModTime()
		}
		return item, err
	}
	item.Size, err = io.Copy(io.Discard, rc)
	return item, err
}

// DraftInfo is the [fs.FileInfo] of what stands in a draft.
type DraftInfo struct {
	dirEntry
	ID    uint64 // stays the same while the file is renamed or written
	Entry int    // the entry of the archive that is shown, -1 if none is
}

// Info is itself.
func (i DraftInfo) Info() (fs.FileInfo, error) { return i, nil }

// ReadDir lists a folder, sorted.
func (d *Draft) ReadDir(name string) ([]fs.DirEntry, error) {
	infos, err := d.List(name)
	if err != nil {
		return nil, err
	}
	list := make([]fs.DirEntry, len(infos))
	for i := range infos {
		list[i] = &infos[i]
	}
	return list, nil
}

// List is ReadDir for those who want to know all about each.
func (d *Draft) List(name string) ([]DraftInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	dir := d.find(name)
	switch {
	case dir == nil:
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	case dir.children == nil:
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: ErrNotDir}
	}
	nodes := dir.sorted
	if nodes == nil {
		nodes = slices.SortedFunc(maps.Values(dir.children), byName)
	}
	list := make([]DraftInfo, 0, len(nodes))
	for _, n := range nodes {
		if info, err := d.info(n); err == nil { // else its content went in this moment
			list = append(list, info)
		}
	}
	return list, nil
}

// Open opens a file or a folder.
func (d *Draft) Open(name string) (fs.File, error) {
	n, err := d.lookup("open", name)
	switch {
	case err != nil:
		return nil, err
	case n.children != nil:
		list, err := d.ReadDir(name)
		if err != nil {
			return nil, err
		}
		info, err := d.info(&n)
		if err != nil {
			return nil, err
		}
		return &draftFolder{info: info, list: list}, nil
	case n.from >= 0:
		return d.a.OpenEntry(d.laid[n.from].Index)
	}
	rc, err := n.item.Open()
	if err != nil {
		return nil, err
	}
	if f, ok := rc.(fs.File); ok {
		return f, nil
	}
	return &file{dirEntry{name: n.name, size: n.item.Size, mod: n.item.ModTime}, rc}, nil
}

// draftFolder is an open folder.
type draftFolder struct {
	folder
	info fs.FileInfo
	list []fs.DirEntry
}

func (f *draftFolder) Stat() (fs.FileInfo, error) { return f.info, nil }

func (f *draftFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := f.list
	if n > 0 {
		if len(rest) == 0 {
			return nil, io.EOF
		}
		rest = rest[:min(n, len(rest))]
	}
	f.list = f.list[len(rest):]
	return rest, nil
}
