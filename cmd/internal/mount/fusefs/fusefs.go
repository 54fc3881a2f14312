//go:build linux || darwin || freebsd

// Package fusefs mounts a tree of files through the kernel's FUSE.
package fusefs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	fusefs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"pakbox/cmd/internal/mount"
	"pakbox/fault"
	"pakbox/internal/lib/vfs"
)

// Server is a mounted tree.
type Server struct {
	*fuse.Server
	dir  string
	tree *mount.Tree
}

// Options say how to mount.
type Options struct {
	AllowOther bool // other users may read too
	// Commit saves the changes when somebody asks for it through the folder. It returns
	// the message for them.
	Commit func(ctx context.Context) (string, error)
}

// Mount mounts a tree at a folder, which must be empty.
func Mount(t *mount.Tree, dir string, opts Options) (*Server, error) {
	if err := mountable(dir); err != nil {
		return nil, err
	}
	// The kernel may cache what cannot change.
	forget := time.Hour
	if t.Writable() {
		forget = time.Second
	}
	o := &fusefs.Options{
		MountOptions: fuse.MountOptions{
			FsName: t.Path(), Name: "pakbox", AllowOther: opts.AllowOther, DirectMount: true,
			MaxWrite: fuse.MAX_KERNEL_WRITE, DisableXAttrs: true,
			// With it, a list makes the kernel look up each entry, although most programs
			// only want names: find on 100,000 files takes 12 times as long.
			DisableReadDirPlus: true,
			// A file that is to be overwritten is not copied first, and may be damaged.
			ExtraCapabilities: fuse.CAP_ATOMIC_O_TRUNC,
		},
		EntryTimeout: &forget, AttrTimeout: &forget,
		UID: uint32(os.Getuid()), GID: uint32(os.Getgid()),
	}
	// The kernel checks modes: only the user who mounted may write, whoever may read.
	o.MountOptions.Options = []string{"default_permissions"}
	if !t.Writable() {
		o.MountOptions.Options = append(o.MountOptions.Options, "ro")
	}
	s, err := fusefs.Mount(dir, &node{tree: t, opts: &opts}, o)
	if err != nil {
		return nil, &fs.PathError{Op: "mount", Path: dir, Err: plain(err)}
	}
	return &Server{s, dir, t}, nil
}

// plain makes an error of the library readable. The system's helper prints its own reason
// on standard error.
func plain(err error) error {
	if strings.HasPrefix(err.Error(), "fusermount exited") {
		return fault.New(fault.Unsupported, "the system refused the mount; the line above has the reason")
	}
	return err
}

// mountable rejects a folder whose files the mount would hide.
func mountable(dir string) error {
	list, err := os.ReadDir(dir)
	if err == nil && len(list) > 0 {
		err = &fs.PathError{Op: "mount", Path: dir, Err: vfs.ErrNotEmpty}
	}
	return err
}

// End unmounts the folder. If programs still use it, it disappears for all others now,
// and for those programs when this one ends.
func (s *Server) End() error {
	if err := s.Unmount(); err != nil {
		return detach(s.dir)
	}
	s.tree.AllClosed()
	return nil
}

// Wait waits until somebody unmounts the folder. Nobody can do that while a file is open.
func (s *Server) Wait() {
	s.Server.Wait()
	s.tree.AllClosed()
}

// node is a file or folder in the kernel's view. Its path is computed each time, because
// it may be renamed.
type node struct {
	fusefs.Inode
	tree *mount.Tree
	opts *Options
}

var (
	_ fusefs.NodeLookuper       = (*node)(nil)
	_ fusefs.NodeOpendirHandler = (*node)(nil)
	_ fusefs.NodeGetattrer      = (*node)(nil)
	_ fusefs.NodeSetattrer      = (*node)(nil)
	_ fusefs.NodeOpener         = (*node)(nil)
	_ fusefs.NodeCreater        = (*node)(nil)
	_ fusefs.NodeMkdirer        = (*node)(nil)
	_ fusefs.NodeUnlinker       = (*node)(nil)
	_ fusefs.NodeRmdirer        = (*node)(nil)
	_ fusefs.NodeRenamer        = (*node)(nil)
	_ fusefs.NodeStatfser       = (*node)(nil)
)

// path returns the path of the node in the tree.
func (n *node) path() string {
	if p := n.Path(n.Root()); p != "" {
		return p
	}
	return "."
}

// below returns the path of a name in the folder.
func (n *node) below(name string) string {
	if p := n.Path(n.Root()); p != "" {
		return p + "/" + name
	}
	return name
}

// mode returns the type and the permissions of a file.
func (n *node) mode(info mount.Info) uint32 {
	mode := uint32(info.Mode().Perm())
	if !n.tree.Writable() {
		mode &^= 0o222
	}
	if info.IsDir() {
		return mode | syscall.S_IFDIR
	}
	return mode | syscall.S_IFREG
}

func (n *node) attr(info mount.Info, out *fuse.Attr) {
	out.Ino, out.Mode, out.Size = info.ID, n.mode(info), uint64(info.Size())
	out.Nlink, out.Blksize, out.Blocks = 1, 4096, (out.Size+511)/512
	mod := info.ModTime()
	out.SetTimes(nil, &mod, &mod)
}

// Lookup finds a name in the folder.
func (n *node) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*fusefs.Inode, syscall.Errno) {
	if name == commitName && n.IsRoot() && n.tree.Writable() {
		out.Attr.Mode = syscall.S_IFREG | 0o600
		return n.NewInode(ctx, &commit{opts: n.opts}, fusefs.StableAttr{Mode: syscall.S_IFREG}), 0
	}
	info, err := n.tree.Stat(n.below(name))
	if err != nil {
		return nil, errno(err)
	}
	return n.found(ctx, info, out), 0
}

// found describes a file to the kernel.
func (n *node) found(ctx context.Context, info mount.Info, out *fuse.EntryOut) *fusefs.Inode {
	n.attr(info, &out.Attr)
	return n.NewInode(ctx, &node{tree: n.tree, opts: n.opts}, fusefs.StableAttr{Mode: out.Attr.Mode & syscall.S_IFMT, Ino: info.ID})
}

// OpendirHandle opens the folder. If nothing can change, the kernel caches its list.
func (n *node) OpendirHandle(context.Context, uint32) (fusefs.FileHandle, uint32, syscall.Errno) {
	l := &listing{node: n}
	if n.tree.Writable() {
		return l, 0, 0
	}
	return l, fuse.FOPEN_CACHE_DIR | fuse.FOPEN_KEEP_CACHE, 0
}

// Getattr describes the file.
func (n *node) Getattr(ctx context.Context, f fusefs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	if w, ok := f.(*writing); ok {
		return w.attr(n, out)
	}
	info, err := n.tree.Stat(n.path())
	if err != nil {
		return errno(err)
	}
	n.attr(info, &out.Attr)
	return 0
}

// Statfs returns the free space of the disk with the changes, which is also the archive's
// disk. A read-only tree has no free space.
func (n *node) Statfs(_ context.Context, out *fuse.StatfsOut) syscall.Errno {
	*out = fuse.StatfsOut{Bsize: 4096, NameLen: 255}
	kept, _ := n.tree.Unsaved()
	if kept == "" {
		return 0
	}
	var disk syscall.Statfs_t
	if err := syscall.Statfs(kept, &disk); err != nil {
		return fusefs.ToErrno(err)
	}
	out.FromStatfsT(&disk)
	out.NameLen = 255
	return 0
}

// Open opens the file.
func (n *node) Open(_ context.Context, flags uint32) (fusefs.FileHandle, uint32, syscall.Errno) {
	if flags&syscall.O_ACCMODE != syscall.O_RDONLY {
		w, err := n.tree.OpenFile(n.path(), int(flags)&os.O_TRUNC|os.O_RDWR)
		if err != nil {
			return nil, 0, errno(err)
		}
		return &writing{w: w}, 0, 0
	}
	f, err := n.tree.Open(n.path())
	if err != nil {
		return nil, 0, errno(err)
	}
	if n.tree.Writable() {
		return reading{f}, fuse.FOPEN_NOFLUSH, 0
	}
	return reading{f}, fuse.FOPEN_KEEP_CACHE | fuse.FOPEN_NOFLUSH, 0
}

// errno returns the error number for a program. A damaged archive is an input/output
// error.
func errno(err error) syscall.Errno {
	var number syscall.Errno
	switch {
	case err == nil:
		return 0
	case errors.Is(err, mount.ErrOtherArchive):
		return syscall.EXDEV
	case errors.Is(err, mount.ErrName):
		return syscall.EPERM
	case errors.Is(err, mount.ErrUnsaved), errors.Is(err, mount.ErrBeingWritten):
		return syscall.EBUSY
	case errors.Is(err, vfs.ErrNotEmpty):
		return syscall.ENOTEMPTY
	case errors.Is(err, fs.ErrPermission):
		return syscall.EROFS
	case errors.Is(err, fs.ErrNotExist):
		return syscall.ENOENT
	case errors.Is(err, fs.ErrExist):
		return syscall.EEXIST
	case errors.Is(err, vfs.ErrIsDir):
		return syscall.EISDIR
	case errors.Is(err, vfs.ErrNotDir):
		return syscall.ENOTDIR
	case errors.Is(err, fs.ErrInvalid), errors.Is(err, fault.Unsafe):
		return syscall.EINVAL
	case errors.Is(err, fault.NameTooLong):
		return syscall.ENAMETOOLONG
	case errors.As(err, &number):
		return number
	}
	return syscall.EIO
}

// full returns the absolute path of a folder.
func full(dir string) string {
	if p, err := filepath.Abs(dir); err == nil {
		return p
	}
	return dir
}
