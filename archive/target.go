package archive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"pakbox/internal/lib/vfs"
)

// target is the place where a file or folder is to be written, and what already exists
// there.
type target struct {
	named string      // the path as given
	path  string      // the path after following links
	old   fs.FileInfo // the file or folder there now; nil for none
	// through opens a target that is written to rather than replaced, because it is no
	// regular file: a device, a pipe, a socket, an open descriptor.
	through func() (io.WriteCloser, error)
}

// maxLinks limits chains of links, as operating systems do.
const maxLinks = 40

var errLinks = errors.New("too many links that lead to links")

// findTarget follows links to the file that will be written. The links stay. The file
// need not exist.
func findTarget(named string) (target, error) {
	path := named
	for range maxLinks {
		if fd, ok := descriptor(path); ok {
			return target{named: named, path: named, through: func() (io.WriteCloser, error) { return dup(fd, named) }}, nil
		}
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return target{named: named, path: path}, nil
		}
		if err != nil {
			return target{}, err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return target{named: named, path: path, old: info, through: throughIrregular(path, info)}, nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			return target{}, err
		}
		if end, err := os.Stat(path); err == nil && !end.IsDir() && !end.Mode().IsRegular() {
			// A link of the kernel may lead to a target without a name, such as
			// "pipe:[4711]" of another process.
			return target{named: named, path: path, old: end, through: throughIrregular(path, end)}, nil
		}
		if !filepath.IsAbs(to) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return target{}, err
			}
			to = dir + string(filepath.Separator) + to // no filepath.Join: it would drop x/.., which is wrong if x is a link
		}
		path = to
	}
	return target{}, &fs.PathError{Op: "create", Path: named, Err: errLinks}
}

// checkWritable returns why the target cannot be written, or nil. Without overwrite, an existing
// file is refused. Writing to a pipe, a socket or a terminal destroys nothing and is
// allowed; writing to a disk is refused too.
func (t target) checkWritable(overwrite bool) error {
	disk := t.old != nil && t.old.Mode()&(fs.ModeDevice|fs.ModeCharDevice) == fs.ModeDevice
	if t.old != nil && !overwrite && (t.through == nil || disk) {
		return &fs.PathError{Op: "create", Path: t.path, Err: fs.ErrExist}
	}
	return nil
}

// checkFile returns an error if the target is a folder.
func (t target) checkFile() error {
	if t.old != nil && t.old.IsDir() {
		return &fs.PathError{Op: "create", Path: t.path, Err: vfs.ErrIsDir}
	}
	return nil
}

// checkFolder returns an error if the target is anything but a folder.
func (t target) checkFolder() error {
	if t.through != nil || t.old != nil && !t.old.IsDir() {
		return &fs.PathError{Op: "mkdir", Path: t.path, Err: vfs.ErrNotDir}
	}
	return nil
}

// checkReplaceable returns an error if the target cannot be renamed to, as each of several
// files must be.
func (t target) checkReplaceable() error {
	if t.through != nil {
		return &fs.PathError{Op: "create", Path: t.path, Err: errors.New("is not a regular file; output with several files can only replace regular files")}
	}
	return t.checkFile()
}

// throughIrregular returns the function that opens a device, a pipe or a socket for
// writing; nil for files and folders.
func throughIrregular(path string, info fs.FileInfo) func() (io.WriteCloser, error) {
	switch mode := info.Mode(); {
	case mode.IsRegular(), mode.IsDir():
		return nil
	case mode&fs.ModeSocket != 0:
		return func() (io.WriteCloser, error) { return dialSocket(path) }
	}
	return func() (io.WriteCloser, error) { return os.OpenFile(path, os.O_WRONLY, 0) }
}

// descriptor returns the number of the open file that a path such as /dev/fd/1 names. The
// shell has opened it, so it is written to and never replaced.
func descriptor(path string) (fd int, ok bool) {
	dir, name := filepath.Split(filepath.Clean(path))
	if dir != "/dev/fd/" && dir != "/proc/self/fd/" && dir != fmt.Sprintf("/proc/%d/fd/", os.Getpid()) {
		return 0, false
	}
	fd, err := strconv.Atoi(name)
	return fd, err == nil && fd >= 0
}

// writeThrough copies a complete file into a target that cannot be replaced by a rename.
func (t target) writeThrough(f *os.File) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	w, err := t.through()
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return errors.Join(err, w.Close())
}
