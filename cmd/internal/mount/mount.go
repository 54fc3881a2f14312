// Package mount shows archives as folders to other programs. It makes one tree of files,
// with archives inside archives as folders and the values of documents as texts.
// mount/fusefs serves the tree to the kernel, mount/dav to WebDAV clients.
//
// A file has the name and the content that extraction would give it. An archive of files
// inside another (zip, VPK, EPK, pack) is a folder. A document made of values, such as a
// GBX file or a Simutrans object, is a file. Both also exist in the other form, under
// their name with a # added, which no list shows: the archive as a file, the document as
// a folder.
//
// Files are read only when needed, and the number of open files is limited. In a writable
// tree, changes are kept in a folder beside the archive, see [Tree.Commit].
package mount

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"pakbox/archive"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/vfs"
)

// Options say what a tree shows.
type Options struct {
	Opener *source.Opener
	Flat   bool // archives in archives are shown as files
	Write  bool // files can be changed
	Halves bool // files that an earlier mount left half written are saved too
	// Log receives the errors of files that could not be read or saved. It may be nil.
	Log func(error)
}

// Tree is a tree of files. It is safe for concurrent use.
type Tree struct {
	opts  Options
	ctx   context.Context // for all work; ends when the tree is closed
	end   context.CancelFunc
	path  string    // path of the archive
	mod   time.Time // for files without a stored time
	cache *contents
	ends  map[string][]string // ends of archives' names, by what is behind the last dot
	kept  *kept               // nil if the tree is read-only
	found int                 // number of changes that an earlier mount left

	mu    sync.Mutex
	root  *volume
	idle  []*volume // open volumes that are not used now; oldest first
	last  uint64    // the last volume's ID
	ended bool
	// documents records for each format that was opened whether its files are documents.
	documents map[string]bool
	// writing holds the files that are open for writing. The value is true after the
	// program has closed a file, until the kernel releases it.
	writing map[*Writing]bool

	changing sync.RWMutex // write-locked while all changes are saved
}

// Open opens the tree for a path. The caller must close it.
func Open(ctx context.Context, name string, opts Options) (*Tree, error) {
	s, err := opts.Opener.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	t := newTree(name, opts)
	if info, err := os.Stat(s.Place.File); err == nil {
		t.mod = info.ModTime()
	}
	t.root = t.rootVolume(s.Archive, s)
	if opts.Write {
		if err := t.keepChanges(s); err != nil {
			t.Close()
			return nil, err
		}
	}
	return t, nil
}

// New makes a read-only tree for an archive that is already open. The tree closes closer.
func New(name string, a archive.Archive, closer io.Closer, opts Options) *Tree {
	t := newTree(name, opts)
	t.root = t.rootVolume(a, closer)
	return t
}

func newTree(name string, opts Options) *Tree {
	t := &Tree{opts: opts, path: name, mod: time.Now(), cache: newContents(), ends: archiveEnds(opts.Opener.Formats), documents: map[string]bool{}, writing: map[*Writing]bool{}}
	t.ctx, t.end = context.WithCancel(context.Background())
	return t
}

// Close closes everything. Unsaved changes stay in their folder.
func (t *Tree) Close() error {
	t.end()
	t.mu.Lock()
	t.ended = true
	idle, root := t.idle, t.root
	t.idle = nil
	t.mu.Unlock()
	for _, v := range idle {
		v.close()
	}
	t.cache.close()
	if t.kept != nil {
		t.kept.close()
	}
	if root != nil {
		root.unpin()
		t.release(root)
	}
	return nil
}

// Info describes a file or a folder.
type Info struct {
	name string
	dir  bool
	size int64
	mod  time.Time
	own  bool   // other users may not read it
	ID   uint64 // unique number
}

// Name returns the last part of the path.
func (i Info) Name() string { return i.name }

// Size returns the size of the content.
func (i Info) Size() int64 { return i.size }

// ModTime returns the modification time.
func (i Info) ModTime() time.Time { return i.mod }

// IsDir reports whether it is a folder.
func (i Info) IsDir() bool { return i.dir }

// Sys returns nil.
func (i Info) Sys() any { return nil }

// Mode returns the type and the permissions.
func (i Info) Mode() fs.FileMode {
	mode := fs.FileMode(0o644)
	if i.dir {
		mode = fs.ModeDir | 0o755
	}
	if i.own {
		mode &^= 0o077
	}
	return mode
}

// Writable reports whether the tree can be changed.
func (t *Tree) Writable() bool { return t.kept != nil }

// Stat describes the file or folder at a path.
func (t *Tree) Stat(name string) (Info, error) {
	n, err := t.find(name)
	if err != nil {
		return Info{}, err
	}
	defer n.release()
	i, err := t.info(n)
	i.own = err == nil && n.closedToOthers()
	return i, err
}

// info describes a node. If the size is known only after unpacking, it unpacks.
func (t *Tree) info(n *node) (Info, error) {
	i, err := n.info()
	if err != nil || i.dir || i.size >= 0 {
		return i, err
	}
	f, err := t.open(n)
	if err != nil {
		t.failed(n, err)
		i.size = 0 // the file exists; opening it will report the error
		return i, nil
	}
	defer f.Close()
	i.size = f.Size()
	return i, nil
}

// failed logs an error about a file. Cancelled work and missing files are not logged.
func (t *Tree) failed(n *node, err error) {
	if t.opts.Log == nil || t.ctx.Err() != nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, context.Canceled) {
		return
	}
	t.opts.Log(fault.InFile(err, n.path()))
}

// ReadDir lists a folder. Sizes are the stored ones, -1 if none is stored.
func (t *Tree) ReadDir(name string) ([]Info, error) {
	n, err := t.find(name)
	if err != nil {
		return nil, err
	}
	defer n.release()
	list, err := n.list()
	if err != nil {
		t.failed(n, err)
	}
	return list, err
}

// Open opens a file for reading.
func (t *Tree) Open(name string) (*File, error) {
	n, err := t.find(name)
	if err != nil {
		return nil, err
	}
	defer n.release()
	if info, err := n.info(); err != nil || info.dir {
		return nil, errors.Join(err, &fs.PathError{Op: "open", Path: name, Err: vfs.ErrIsDir})
	}
	f, err := t.open(n)
	if err != nil {
		t.failed(n, err)
		return nil, err
	}
	return f, nil
}

var errNoWrite = errors.New("cannot be changed")

// otherFace is the end of the name under which an archive is a file, and a document a
// folder. AVFS, which also shows archives as folders, uses the same sign.
const otherFace = "#"

// find follows a path. The caller must release the node.
func (t *Tree) find(name string) (*node, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	t.mu.Lock()
	v := t.root
	v.refs++ // the root stays open as long as the tree
	t.mu.Unlock()
	n := &node{vol: v, name: "."}
	if name == "." {
		return n, nil
	}
	for part := range strings.SplitSeq(name, "/") {
		next, err := n.child(part)
		n.release()
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		n = next
	}
	return n, nil
}

// Path returns the name of the tree in messages.
func (t *Tree) Path() string { return t.path }

// where returns the path of a file in the tree, in the form that commands take.
func (t *Tree) where(inner string) string {
	if inner == "." || inner == "" {
		return t.path
	}
	return path.Join(t.path, inner)
}
