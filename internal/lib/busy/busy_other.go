//go:build !windows

package busy

import (
	"io/fs"
	"os"
	"path/filepath"
)

func isBusy(error) bool { return false }

// RemoveAll is os.RemoveAll that opens folders of the user from which the user may not
// remove anything. Archives store such modes, and so do folders that are edited.
func RemoveAll(path string) error {
	err := os.RemoveAll(path)
	if !os.IsPermission(err) {
		return err
	}
	filepath.WalkDir(path, func(name string, e fs.DirEntry, err error) error {
		if e != nil && e.IsDir() && err == nil {
			os.Chmod(name, 0o700)
		}
		return nil
	})
	return os.RemoveAll(path)
}
