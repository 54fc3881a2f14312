//go:build unix && !solaris && !illumos && !aix

package mount

import (
	"io/fs"
	"os"
	"syscall"
)

// lock locks a file for this program until the file is closed.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// isPrivate reports whether a folder is this user's and closed to all others.
func isPrivate(info fs.FileInfo) bool {
	const others = 0o077
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid() && info.Mode()&others == 0
}

// hasOtherNames reports whether a file has more than one name.
func hasOtherNames(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || st.Nlink > 1
}
