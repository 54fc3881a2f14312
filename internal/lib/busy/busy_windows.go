package busy

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/windows"
)

// isBusy reports whether an error may be gone in a moment. A file that is open
// elsewhere is a sharing violation; one that is being removed, or that a rename
// would replace while it is open, denies access.
func isBusy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}

// RemoveAll is os.RemoveAll that falls back to removing one name after the
// other. os.RemoveAll asks for a kind of deletion that Wine does not have.
func RemoveAll(path string) error {
	if os.RemoveAll(path) == nil {
		return nil
	}
	var names []string
	err := filepath.WalkDir(path, func(name string, _ fs.DirEntry, err error) error {
		names = append(names, name)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, name := range slices.Backward(names) { // what is in a folder comes before it
		err = errors.Join(err, os.Remove(name))
	}
	return err
}
