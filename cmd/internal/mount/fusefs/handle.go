//go:build linux || darwin || freebsd

package fusefs

import (
	"context"
	"io"
	"os"
	"sync"
	"syscall"

	fusefs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"pakbox/cmd/internal/mount"
)

// listing is an open folder. The folder is listed when its first entry is asked for: the
// kernel may have the list already.
type listing struct {
	node *node
	read bool
	all  []mount.Info
	next int
	now  fuse.DirEntry // the last entry that was asked for
}

var (
	_ fusefs.FileReaddirenter = (*listing)(nil)
	_ fusefs.FileSeekdirer    = (*listing)(nil)
)

// Readdirent returns the next entry, nil at the end.
func (l *listing) Readdirent(context.Context) (*fuse.DirEntry, syscall.Errno) {
	if err := l.list(); err != nil {
		return nil, errno(err)
	}
	if l.next == len(l.all) {
		return nil, 0
	}
	info := l.all[l.next]
	l.next++
	l.now = fuse.DirEntry{Name: info.Name(), Mode: l.node.mode(info) & syscall.S_IFMT, Ino: info.ID, Off: uint64(l.next)}
	return &l.now, 0
}

// list lists the folder, once.
func (l *listing) list() (err error) {
	if !l.read {
		l.all, err = l.node.tree.ReadDir(l.node.path())
		l.read = err == nil
	}
	return err
}

// Seekdir continues after an entry.
func (l *listing) Seekdir(_ context.Context, off uint64) syscall.Errno {
	if err := l.list(); err != nil {
		return errno(err)
	}
	if off > uint64(len(l.all)) {
		return syscall.EINVAL
	}
	l.next = int(off)
	return 0
}

// reading is a file that is open for reading.
type reading struct{ f *mount.File }

var (
	_ fusefs.FileReader   = reading{}
	_ fusefs.FileReleaser = reading{}
)

// Read reads bytes at an offset.
func (r reading) Read(_ context.Context, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	n, err := r.f.ReadAt(dest, off)
	if err != nil && err != io.EOF {
		return nil, errno(err)
	}
	return fuse.ReadResultData(dest[:n]), 0
}

// Release closes the file.
func (r reading) Release(context.Context) syscall.Errno { return errno(r.f.Close()) }

// writing is a file that is open for writing.
type writing struct{ w *mount.Writing }

var (
	_ fusefs.FileReader   = (*writing)(nil)
	_ fusefs.FileWriter   = (*writing)(nil)
	_ fusefs.FileFsyncer  = (*writing)(nil)
	_ fusefs.FileFlusher  = (*writing)(nil)
	_ fusefs.FileReleaser = (*writing)(nil)
)

func (w *writing) attr(n *node, out *fuse.AttrOut) syscall.Errno {
	info, err := w.w.Stat()
	if err != nil {
		return errno(err)
	}
	mod := info.ModTime()
	out.Attr.Mode, out.Attr.Size, out.Attr.Nlink = syscall.S_IFREG|0o644, uint64(info.Size()), 1
	out.Attr.Ino = n.StableAttr().Ino
	out.SetTimes(nil, &mod, &mod)
	return 0
}

// Read reads the present content: what was written, and what was there before.
func (w *writing) Read(_ context.Context, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	n, err := w.w.ReadAt(dest, off)
	if err != nil && err != io.EOF {
		return nil, errno(err)
	}
	return fuse.ReadResultData(dest[:n]), 0
}

// Write writes bytes at an offset. The kernel gives the offset even when a program
// appends.
func (w *writing) Write(_ context.Context, data []byte, off int64) (uint32, syscall.Errno) {
	n, err := w.w.WriteAt(data, off)
	return uint32(n), errno(err)
}

// Fsync makes the written bytes durable.
func (w *writing) Fsync(context.Context, uint32) syscall.Errno { return errno(w.w.Sync()) }

// Flush is called while a program closes the file, Release some time later.
func (w *writing) Flush(context.Context) syscall.Errno {
	w.w.Flush()
	return 0
}

// Release closes the file.
func (w *writing) Release(context.Context) syscall.Errno { return errno(w.w.Close()) }

// Setattr truncates a file or sets its time. Archives have no owners and permissions;
// changes of those are ignored.
func (n *node) Setattr(ctx context.Context, f fusefs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	if !n.tree.Writable() {
		return syscall.EROFS
	}
	if size, ok := in.GetSize(); ok {
		var err error
		if w, open := f.(*writing); open {
			err = w.w.Truncate(int64(size))
		} else {
			err = n.tree.Truncate(n.path(), int64(size))
		}
		if err != nil {
			return errno(err)
		}
	}
	if mod, ok := in.GetMTime(); ok && !n.IsDir() {
		if err := n.tree.SetTime(n.path(), mod); err != nil {
			return errno(err)
		}
	}
	return n.Getattr(ctx, f, out)
}

// Create makes a file and opens it.
func (n *node) Create(ctx context.Context, name string, flags uint32, _ uint32, out *fuse.EntryOut) (*fusefs.Inode, fusefs.FileHandle, uint32, syscall.Errno) {
	at := n.below(name)
	w, err := n.tree.OpenFile(at, int(flags)&os.O_EXCL|os.O_CREATE|os.O_RDWR)
	if err != nil {
		return nil, nil, 0, errno(err)
	}
	info, err := n.tree.Stat(at)
	if err != nil {
		w.Close()
		return nil, nil, 0, errno(err)
	}
	return n.found(ctx, info, out), &writing{w: w}, 0, 0
}

// Mkdir makes a folder.
func (n *node) Mkdir(ctx context.Context, name string, _ uint32, out *fuse.EntryOut) (*fusefs.Inode, syscall.Errno) {
	if err := n.tree.Mkdir(n.below(name)); err != nil {
		return nil, errno(err)
	}
	info, err := n.tree.Stat(n.below(name))
	if err != nil {
		return nil, errno(err)
	}
	return n.found(ctx, info, out), 0
}

// Unlink removes a file.
func (n *node) Unlink(_ context.Context, name string) syscall.Errno {
	return errno(n.tree.Remove(n.below(name)))
}

// Rmdir removes a folder.
func (n *node) Rmdir(_ context.Context, name string) syscall.Errno {
	return errno(n.tree.Remove(n.below(name)))
}

// Rename moves a file or a folder.
func (n *node) Rename(_ context.Context, name string, parent fusefs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	to, ok := parent.(*node)
	if !ok {
		return syscall.EXDEV
	}
	if flags&^renameNoReplace != 0 {
		return syscall.EINVAL
	}
	if flags&renameNoReplace != 0 {
		if _, err := n.tree.Stat(to.below(newName)); err == nil {
			return syscall.EEXIST
		}
	}
	return errno(n.tree.Rename(n.below(name), to.below(newName)))
}

// renameNoReplace is a flag of renameat2.
const renameNoReplace = 1

// commitName is a file that no list shows. Writing to it saves the changes; reading it
// afterwards gives the result.
const commitName = ".pakbox-commit"

// commit is the node of that file.
type commit struct {
	fusefs.Inode
	opts *Options
}

// Open begins a request to save.
func (c *commit) Open(context.Context, uint32) (fusefs.FileHandle, uint32, syscall.Errno) {
	return &commitHandle{opts: c.opts}, fuse.FOPEN_DIRECT_IO, 0
}

// Setattr accepts the truncation when a program opens the file for writing.
func (c *commit) Setattr(context.Context, fusefs.FileHandle, *fuse.SetAttrIn, *fuse.AttrOut) syscall.Errno {
	return 0
}

var (
	_ fusefs.NodeOpener    = (*commit)(nil)
	_ fusefs.NodeSetattrer = (*commit)(nil)
)

// commitHandle is one request to save.
type commitHandle struct {
	opts *Options
	mu   sync.Mutex
	said string
}

var (
	_ fusefs.FileReader = (*commitHandle)(nil)
	_ fusefs.FileWriter = (*commitHandle)(nil)
)

// Write saves the changes.
func (h *commitHandle) Write(ctx context.Context, data []byte, _ int64) (uint32, syscall.Errno) {
	if h.opts.Commit == nil {
		return 0, syscall.ENOTSUP
	}
	said, err := h.opts.Commit(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.said = said; err != nil {
		return 0, errno(err)
	}
	return uint32(len(data)), 0
}

// Read returns the result of saving.
func (h *commitHandle) Read(_ context.Context, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	h.mu.Lock()
	defer h.mu.Unlock()
	rest := h.said[min(off, int64(len(h.said))):]
	return fuse.ReadResultData(dest[:copy(dest, rest)]), 0
}

// Commit asks the program that mounted a folder to save the changes, and returns its
// message.
func Commit(dir string) (string, error) {
	f, err := os.OpenFile(full(dir)+"/"+commitName, os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	_, failed := f.Write([]byte("commit\n"))
	said, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<16))
	if failed != nil {
		err = failed
	}
	return string(said), err
}
