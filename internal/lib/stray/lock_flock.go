//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package stray

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// take locks the file or folder at path until release is called, or until the
// process ends. ok is false if another process has the lock.
func take(path string) (release func(), ok bool, err error) {
	info, err := os.Lstat(path) // before opening it, because opening a device may do something
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &fs.PathError{Op: "lock", Path: path, Err: errors.ErrUnsupported}
	}
	if err != nil {
		return nil, false, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, false, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = nil
		}
		return nil, false, err
	}
	held, err := f.Stat()
	there, err2 := os.Lstat(path)
	if err == nil && (err2 != nil || !os.SameFile(held, there)) {
		f.Close()
		return nil, false, os.ErrNotExist // the name is gone, or now means another file
	}
	return func() { f.Close() }, true, nil
}

// lock locks a file against other programs that change it. On these systems the file
// itself is locked.
func lock(path string) (release func(), ok bool, err error) { return take(path) }
