package scan

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// system returns the time of the last change of content or attributes of a file, and its
// device.
func system(info fs.FileInfo) (ctimeNS, device int64) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ctim.Nano(), int64(s.Dev)
	}
	return 0, 0
}

// statIn returns the state of a file in an open folder, and whether it is a regular file.
// It calls the system directly, which takes half the time of e.Info. A scan of unchanged
// files does little else.
func statIn(dir *os.File, e fs.DirEntry) (stat, bool, error) {
	var s unix.Stat_t
	for {
		err := unix.Fstatat(int(dir.Fd()), e.Name(), &s, unix.AT_SYMLINK_NOFOLLOW)
		switch err {
		case nil:
			return stat{size: s.Size, mtimeNS: s.Mtim.Nano(), ctimeNS: s.Ctim.Nano(), device: int64(s.Dev)}, s.Mode&unix.S_IFMT == unix.S_IFREG, nil
		case unix.EINTR:
			continue
		}
		return stat{}, false, &fs.PathError{Op: "stat", Path: e.Name(), Err: err}
	}
}
