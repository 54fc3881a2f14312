package archive

import (
	"errors"
	"io/fs"
	"os"

	"pakbox/internal/lib/busy"
)

// rename is os.Rename, but waits while another program has one of the files open.
func rename(from, to string) error {
	return busy.Retry(func() error { return os.Rename(from, to) })
}

// renameNew is rename, but never replaces a file.
func renameNew(from, to string) error {
	err := busy.Retry(func() error { return renameNoReplace(from, to) })
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrExist}
	}
	return rename(from, to)
}
