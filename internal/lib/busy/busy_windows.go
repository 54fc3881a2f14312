package busy

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/windows"
)

// isBusy reports whether an error may disappear soon. A file that is open elsewhere gives
// a sharing violation. A file that is being removed, or that a rename would replace while
// it is open, gives access denied.
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
	for _, name := range slices.Backward(names) { // the content of a folder before the folder
		err = errors.Join(err, os.Remove(name))
	}
	return err
}
