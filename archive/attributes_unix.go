//go:build unix

package archive

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// keepOwner gives f the owner, group and mode of old, as far as the user may.
func keepOwner(f *os.File, old fs.FileInfo) error {
	mode := old.Mode().Perm()
	if st, ok := old.Sys().(*syscall.Stat_t); ok {
		err := f.Chown(int(st.Uid), int(st.Gid))
		if err != nil {
			f.Chown(-1, int(st.Gid)) // a user may give a file to a group that the user is in
		} else {
			mode |= old.Mode() & (fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
		}
	}
	return f.Chmod(mode)
}

// hasLinks reports whether a file has more than one name.
func hasLinks(_ *os.File, info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || st.Nlink > 1
}

// dup opens a descriptor of this process once more, so that closing it does
// not close the original.
func dup(fd int, name string) (io.WriteCloser, error) {
	d, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(d), name), nil
}

// dialSocket connects to the program that listens at a socket in the file system. A
// socket cannot be opened like a file.
func dialSocket(path string) (io.WriteCloser, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	unix.CloseOnExec(fd)
	if err := unix.Connect(fd, &unix.SockaddrUnix{Name: path}); err != nil {
		unix.Close(fd)
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), path), nil
}

// canWrite returns an error if the user may not make or remove files in a folder. A folder
// that does not exist yet is not an error.
func canWrite(dir string) error {
	err := unix.Access(dir, unix.W_OK|unix.X_OK)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return &fs.PathError{Op: "write", Path: dir, Err: err}
}
