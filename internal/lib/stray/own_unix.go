//go:build unix

package stray

import (
	"io/fs"
	"os"
	"syscall"
)

// IdentityAt returns the number that the file system gave the file, folder or link at path.
// ok is false where there is no such number.
func IdentityAt(path string) (id uint64, ok bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, false
	}
	return identityOf(info)
}

// Identity is [IdentityAt] for an open file.
func Identity(f *os.File) (id uint64, ok bool) {
	info, err := f.Stat()
	if err != nil {
		return 0, false
	}
	return identityOf(info)
}

func identityOf(info fs.FileInfo) (id uint64, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || st.Ino == 0 {
		return 0, false
	}
	return uint64(st.Ino), true
}

func ownedByUser(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// trusted reports whether a file can only have been written by this user, the
// administrator or the owner of also.
func trusted(info, also fs.FileInfo) bool {
	const othersWrite = 0o022
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || st.Nlink != 1 || info.Mode()&othersWrite != 0 {
		return false
	}
	if also != nil {
		if of, ok := also.Sys().(*syscall.Stat_t); ok && of.Uid == st.Uid {
			return true
		}
	}
	return st.Uid == 0 || int(st.Uid) == os.Geteuid()
}
