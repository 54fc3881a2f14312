package stray

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// heldSuffix is the end of the name of a folder's lock file, which is beside the folder,
// because Windows can only lock files.
const heldSuffix = ".pakbox-held"

// lockAt is the byte of a file that is locked. Locks of Windows prevent reading and
// writing, so the byte is far beyond the end of any file.
const lockAt = 1<<63 - 2

// take locks the file or folder at path until release is called, or until the process
// ends. ok is false if another process has the lock.
//
// A file is opened such that others can rename and remove it, because it is renamed to
// its final name while it is locked.
func take(path string) (release func(), ok bool, err error) {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &os.PathError{Op: "lock", Path: path, Err: errors.ErrUnsupported}
	}
	if err != nil {
		return nil, false, err
	}
	if info.IsDir() {
		return takeFolder(path)
	}
	f, err := open(path, windows.GENERIC_READ, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_NORMAL)
	if err != nil {
		return nil, false, err
	}
	at := &windows.Overlapped{Offset: uint32(lockAt & 0xffffffff), OffsetHigh: uint32(lockAt >> 32)}
	if windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at) != nil {
		f.Close()
		return nil, false, nil
	}
	held, err := f.Stat()
	there, err2 := os.Lstat(path)
	if err == nil && (err2 != nil || !os.SameFile(held, there)) {
		f.Close()
		return nil, false, os.ErrNotExist
	}
	return func() { f.Close() }, true, nil
}

// takeFolder locks the lock file of a folder. The system removes the lock file when the
// process ends.
func takeFolder(path string) (release func(), ok bool, err error) {
	f, err := open(path+heldSuffix, windows.GENERIC_READ|windows.DELETE, 0, windows.OPEN_ALWAYS, windows.FILE_ATTRIBUTE_HIDDEN|windows.FILE_FLAG_DELETE_ON_CLOSE)
	if errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return func() { f.Close() }, true, nil
}

func open(path string, access, share, create, attributes uint32) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := windows.CreateFile(name, access, share, nil, create, attributes, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}

// lock locks a file against other programs that change it. The lock is beside the file,
// because Windows does not replace a file that is open.
func lock(path string) (release func(), ok bool, err error) { return takeFolder(path) }
