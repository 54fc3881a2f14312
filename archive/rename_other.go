//go:build !linux && !windows

package archive

import (
	"errors"
	"io/fs"
	"os"
)

// renameNoReplace renames a file unless there is one of the new name. The error is
// errors.ErrUnsupported where the file system cannot do it.
func renameNoReplace(from, to string) error {
	err := os.Link(from, to)
	if err == nil {
		return os.Remove(from)
	}
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return errors.ErrUnsupported
}
