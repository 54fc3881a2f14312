// Package draft presents an archive with unsaved changes.
package draft

import (
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"pakbox/archive"
	"pakbox/internal/lib/pathname"
	"pakbox/internal/lib/vfs"
)

// Draft is an archive with unsaved changes. It shows the files as if the changes were
// saved. [Draft.Edits] returns the edits with which an [archive.Editor] saves them. A
// Draft is safe for concurrent use.
//
// Archives cannot store empty folders. A new folder exists only in the draft until a file
// is put into it.
type Draft struct {
	a    Listed
	fold bool
	laid []pathname.Laid

	mu   sync.RWMutex
	root *node
	last uint64 // ID of the newest node
}

// Listed is the part of an archive that a draft needs.
type Listed interface {
	Root() archive.Root
	Entries() []archive.Entry
	OpenEntry(i int) (fs.File, error)
}

// node is a file or a folder of a draft.
type node struct {
	name     string
	id       uint64
	children map[string]*node // of a folder, where it is never nil; nil for a file
	folded   map[string]*node // the children by lower-case name, if case does not matter
	sorted   []*node          // the children sorted by name; nil after a change
	from     int              // index in laid; -1 if the content is new
	item     archive.Item     // the new content
	made     time.Time        // time of making, for a new folder
}

// New makes a draft without changes.
func New(a Listed) *Draft {
	entries, root := a.Entries(), a.Root()
	names := make([]string, len(entries))
	for i := range entries {
		names[i] = entries[i].Name
	}
	d := &Draft{a: a, laid: pathname.LayOut(names, nil, func(i int) (string, bool) { return root.Path(names[i]), true })}
	if f, ok := a.(archive.CaseFolder); ok {
		d.fold = f.FoldsCase()
	}
	d.root = d.dir("")
	dirs := map[string]*node{".": d.root}
	for i, l := range d.laid {
		if l.Err == nil {
			d.makeDirs(dirs, path.Dir(l.Path)).lay(d.node(path.Base(l.Path), i))
		}
	}
	for _, dir := range dirs {
		slices.SortFunc(dir.sorted, byName) // quick, because archives are mostly sorted already
	}
	return d
}

func byName(a, b *node) int { return strings.Compare(a.name, b.name) }

// node makes a node with its own ID.
func (d *Draft) node(name string, from int) *node {
	d.last++
	return &node{name: name, id: d.last, from: from}
}

// makeDirs returns the folder at a path, and makes it if necessary. dirs caches the
// folders.
func (d *Draft) makeDirs(dirs map[string]*node, name string) *node {
	if dir, ok := dirs[name]; ok {
		return dir
	}
	parent := d.makeDirs(dirs, path.Dir(name))
	dir := d.dir(path.Base(name))
	parent.lay(dir)
	dirs[name] = dir
	return dir
}

// child returns the file or folder with this name in a folder, or nil.
func (d *Draft) child(dir *node, name string) *node {
	if n, ok := dir.children[name]; ok {
		return n
	}
	return dir.folded[strings.ToLower(name)]
}

// dir makes a folder.
func (d *Draft) dir(name string) *node {
	n := d.node(name, -1)
	n.children = map[string]*node{}
	if d.fold {
		n.folded = map[string]*node{}
	}
	return n
}

// lay adds a file or folder of the archive without sorting. The list is sorted once at
// the end.
func (n *node) lay(c *node) {
	list := append(n.sorted, c)
	n.add(c)
	n.sorted = list
}

func (n *node) add(c *node) {
	n.sorted = nil
	n.children[c.name] = c
	if n.folded != nil {
		n.folded[strings.ToLower(c.name)] = c
	}
}

func (n *node) remove(c *node) {
	n.sorted = nil
	delete(n.children, c.name)
	if low := strings.ToLower(c.name); n.folded[low] == c {
		delete(n.folded, low)
	}
}

// find returns the node at a path, or nil.
func (d *Draft) find(name string) *node {
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

// folder returns the parent folder of a path, and the node at the path, which may be
// nil.
func (d *Draft) folder(op, name string) (dir, n *node, err error) {
	name = d.a.Root().Typed(name)
	if err := pathname.CheckFor(name, name); err != nil {
		return nil, nil, err
	}
	dir = d.find(path.Dir(name))
	switch {
	case dir == nil:
		err = fs.ErrNotExist
	case dir.children == nil:
		err = vfs.ErrNotDir
	default:
		return dir, d.child(dir, path.Base(name)), nil
	}
	return nil, nil, &fs.PathError{Op: op, Path: name, Err: err}
}

// Put sets the content of the file with the item's name. It makes missing folders. A Size
// of -1 means that the content may still grow.
func (d *Draft) Put(item archive.Item) error {
	item.Name = d.a.Root().Typed(item.Name)
	if err := pathname.CheckFor(item.Name, item.Name); err != nil {
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
			return &fs.PathError{Op: "put", Path: item.Name, Err: vfs.ErrNotDir}
		}
		dir = next
	}
	n := d.child(dir, parts[len(parts)-1])
	switch {
	case n == nil:
		n = d.node(parts[len(parts)-1], -1)
		dir.add(n)
	case n.children != nil:
		return &fs.PathError{Op: "put", Path: item.Name, Err: vfs.ErrIsDir}
	}
	n.from, n.item = -1, item
	return nil
}

// Mkdir makes a folder that does not exist yet.
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

// Remove removes a file, or a folder that is empty.
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
		return &fs.PathError{Op: "remove", Path: name, Err: vfs.ErrNotEmpty}
	}
	dir.remove(n)
	return nil
}

// Rename moves a file or a folder. It replaces a file at the new path, or an empty folder
// if it moves a folder.
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
		err = vfs.ErrNotEmpty
	case old.children != nil && n.children == nil:
		err = vfs.ErrIsDir
	case old.children == nil && n.children != nil:
		err = vfs.ErrNotDir
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

// holds reports whether a folder is, or contains, another node.
func (d *Draft) holds(n, other *node) bool {
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

func (d *Draft) lookup(op, name string) (node, error) {
	if !fs.ValidPath(name) {
		return node{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	n := d.find(name)
	if n == nil {
		return node{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return *n, nil
}

// info describes a node as a file. The size of new content that may still grow is asked
// from that content.
func (d *Draft) info(n *node) (Info, error) {
	i := Info{FileInfo: vfs.FileInfo{Base: n.name, Dir: n.children != nil, Modified: n.made}, ID: n.id, Entry: -1}
	switch {
	case i.Dir:
		if i.Base == "" {
			i.Base = "."
		}
	case n.from >= 0:
		i.Entry = d.laid[n.from].Index
		e := &d.a.Entries()[i.Entry]
		i.Length, i.Modified = e.Size, e.ModTime
	default:
		item, err := sized(n.item)
		if err != nil {
			return i, err
		}
		i.Length, i.Modified = item.Size, item.ModTime
	}
	return i, nil
}

// sized determines the size of content that may have grown.
func sized(item archive.Item) (archive.Item, error) {
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

// Info describes a file or a folder of a draft.
type Info struct {
	vfs.FileInfo
	ID    uint64 // stays the same when the file is renamed or written
	Entry int    // index of the entry with this content; -1 for new content
}

// Info returns i itself, as fs.DirEntry requires.
func (i Info) Info() (fs.FileInfo, error) { return i, nil }

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

// List is [Draft.ReadDir] with all that is known about each file.
func (d *Draft) List(name string) ([]Info, error) {
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
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: vfs.ErrNotDir}
	}
	nodes := dir.sorted
	if nodes == nil {
		nodes = slices.SortedFunc(maps.Values(dir.children), byName)
	}
	list := make([]Info, 0, len(nodes))
	for _, n := range nodes {
		if info, err := d.info(n); err == nil { // otherwise its content has just disappeared
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
		return vfs.OpenFolder(info, list), nil
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
	return vfs.Open(vfs.FileInfo{Base: n.name, Length: n.item.Size, Modified: n.item.ModTime}, rc), nil
}
