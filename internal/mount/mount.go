// Package mount shows archives as folders to other programs: one tree of files,
// with archives inside archives as folders and the values of documents as texts,
// which mount/fusefs hands to the kernel and mount/dav to WebDAV clients.
//
// A file has the name and the content that extraction would give it. An archive
// of files inside another (zip, VPK, EPK, pack) is a folder; a document made of
// values, a GBX file or a Simutrans object, stays the file that it is. Either
// has another face, under its name with a # behind it, which no list shows: the
// archive as a file, the document as a folder.
//
// What is read is read lazily, and what is open at a time is bounded. Where the
// tree can be changed, changes are kept in a folder beside the archive, see
// [Tree.Commit].
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
	"pakbox/fault"
	"pakbox/internal/lib/vfs"
	"pakbox/internal/source"
)

// Options say what a tree shows.
type Options struct {
	Opener *source.Opener
	Flat   bool // archives in archives are files
	Write  bool // files can be changed
	// Log hears of what could not be read or saved. Nil means nobody does.
	Log func(error)
}

// Tree is a tree of files. It is safe for concurrent use.
type Tree struct {
	opts  Options
	ctx   context.Context // of all work; ends when the tree is closed
	end   context.CancelFunc
	path  string    // of the archive
	mod   time.Time // what files have that store no time
	cache *contents
	ends  map[string]bool // of names of archives
	kept  *kept           // nil where nothing can be changed
	found int             // changes that an earlier mount left

	mu    sync.Mutex
	root  *volume
	idle  []*volume // open, but nobody needs them now; oldest first
	last  uint64    // the number that a volume was given last
	ended bool
	// documents are the formats of files that were open: whether such a file is
	// a document.
	documents map[string]bool
	// writing holds the files that are open for writing. A file is true from the
	// moment its program closed it until the kernel releases it.
	writing map[*Writing]bool

	changing sync.RWMutex // held for writing while all changes are saved
}

// Open opens the tree of what a path leads to. It must be closed.
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

// Of is the tree of an archive that is open already, which cannot be changed.
// The tree closes closer.
func Of(name string, a archive.Archive, closer io.Closer, opts Options) *Tree {
	t := newTree(name, opts)
	t.root = t.rootVolume(a, closer)
	return t
}

func newTree(name string, opts Options) *Tree {
	t := &Tree{opts: opts, path: name, mod: time.Now(), cache: newContents(), ends: archiveEnds(opts.Opener.Formats), documents: map[string]bool{}, writing: map[*Writing]bool{}}
	t.ctx, t.end = context.WithCancel(context.Background())
	return t
}

// Close closes all that is open. Changes that were not saved stay where they
// are kept.
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
	ID   uint64 // a number of its own
}

// Name is the last part of the path.
func (i Info) Name() string { return i.name }

// Size is that of the content.
func (i Info) Size() int64 { return i.size }

// ModTime is when it was changed.
func (i Info) ModTime() time.Time { return i.mod }

// IsDir tells folders from files.
func (i Info) IsDir() bool { return i.dir }

// Sys has nothing to add.
func (i Info) Sys() any { return nil }

// Mode says what may be done.
func (i Info) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o755
	}
	return 0o644
}

// Writable tells whether the tree can be changed.
func (t *Tree) Writable() bool { return t.kept != nil }

// Stat describes what stands at a path.
func (t *Tree) Stat(name string) (Info, error) {
	n, err := t.find(name)
	if err != nil {
		return Info{}, err
	}
	defer n.release()
	return t.info(n)
}

// info describes a node. Where only unpacking tells the size, it is unpacked.
func (t *Tree) info(n *node) (Info, error) {
	i, err := n.info()
	if err != nil || i.dir || i.size >= 0 {
		return i, err
	}
	f, err := t.open(n)
	if err != nil {
		t.failed(n, err)
		i.size = 0 // it is there, and opening it says what is wrong
		return i, nil
	}
	defer f.Close()
	i.size = f.Size()
	return i, nil
}

// failed tells the log what is wrong with a file. What was called off or is not
// there is no fault.
func (t *Tree) failed(n *node, err error) {
	if t.opts.Log == nil || t.ctx.Err() != nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, context.Canceled) {
		return
	}
	t.opts.Log(fault.InFile(err, n.path()))
}

// ReadDir lists a folder. Sizes are those that are stored, -1 where none is.
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

// otherFace ends the name under which an archive is a file, and a document a
// folder. AVFS, which shows archives as folders too, writes it so.
const otherFace = "#"

// find follows a path. The node must be released.
func (t *Tree) find(name string) (*node, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	t.mu.Lock()
	v := t.root
	v.refs++ // the root is open as long as the tree is
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

// Path is what the tree is called in messages.
func (t *Tree) Path() string { return t.path }

// where is the path of something in the tree, as commands take it.
func (t *Tree) where(inner string) string {
	if inner == "." || inner == "" {
		return t.path
	}
	return path.Join(t.path, inner)
}
