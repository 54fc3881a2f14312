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

// target is the file or folder that already exists where a file is to be written.
type target struct {
	named string      // as given
	path  string      // links followed
	old   fs.FileInfo // what stands there now; nil if nothing does
	// through opens what is not a regular file and therefore is written to
	// rather than replaced: a device, a pipe, a socket, an open descriptor.
	through func() (io.WriteCloser, error)
}

// maxLinks bounds links that lead to links, as systems do.
const maxLinks = 40

var errLinks = errors.New("too many links that lead to links")

// findTarget follows links to the file that is written. The links stay; the file is
// made if it does not exist.
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
			// What the kernel calls a link may have a target without a name,
			// such as "pipe:[4711]" of another process.
			return target{named: named, path: path, old: end, through: throughIrregular(path, end)}, nil
		}
		if !filepath.IsAbs(to) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return target{}, err
			}
			to = dir + string(filepath.Separator) + to // not joined: x/.. is not nothing if x is a link
		}
		path = to
	}
	return target{}, &fs.PathError{Op: "create", Path: named, Err: errLinks}
}

// takes reports why the target cannot be replaced, nil if it can. Writing to
// a device, a pipe or a socket destroys nothing; a disk is another matter.
func (t target) takes(overwrite bool) error {
	disk := t.old != nil && t.old.Mode()&(fs.ModeDevice|fs.ModeCharDevice) == fs.ModeDevice
	if t.old != nil && !overwrite && (t.through == nil || disk) {
		return &fs.PathError{Op: "create", Path: t.path, Err: fs.ErrExist}
	}
	return nil
}

// isFile refuses a target that is a folder.
func (t target) isFile() error {
	if t.old != nil && t.old.IsDir() {
		return &fs.PathError{Op: "create", Path: t.path, Err: vfs.ErrIsDir}
	}
	return nil
}

// isFolder refuses a target that is anything but a folder.
func (t target) isFolder() error {
	if t.through != nil || t.old != nil && !t.old.IsDir() {
		return &fs.PathError{Op: "mkdir", Path: t.path, Err: vfs.ErrNotDir}
	}
	return nil
}

// isReplaced refuses a target that cannot be one of several files.
func (t target) isReplaced() error {
	if t.through != nil {
		return &fs.PathError{Op: "create", Path: t.path, Err: errors.New("is no regular file, and one of several files is to stand there")}
	}
	return t.isFile()
}

// throughIrregular opens a device, a pipe or a socket; for all else it is nil.
func throughIrregular(path string, info fs.FileInfo) func() (io.WriteCloser, error) {
	switch mode := info.Mode(); {
	case mode.IsRegular(), mode.IsDir():
		return nil
	case mode&fs.ModeSocket != 0:
		return func() (io.WriteCloser, error) { return dialSocket(path) }
	}
	return func() (io.WriteCloser, error) { return os.OpenFile(path, os.O_WRONLY, 0) }
}

// descriptor tells which open file of this process a path names, such as 1 for
// /dev/stdout's target: whatever stands behind it, the shell has opened it.
func descriptor(path string) (fd int, ok bool) {
	dir, name := filepath.Split(filepath.Clean(path))
	if dir != "/dev/fd/" && dir != "/proc/self/fd/" && dir != fmt.Sprintf("/proc/%d/fd/", os.Getpid()) {
		return 0, false
	}
	fd, err := strconv.Atoi(name)
	return fd, err == nil && fd >= 0
}

// writeThrough copies a complete file to where it cannot be renamed to.
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
