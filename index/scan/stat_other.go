//go:build !linux

package scan

import (
	"io/fs"
	"os"
)

// statIn returns the state of a file in an open folder, and whether it is a regular file.
func statIn(_ *os.File, e fs.DirEntry) (stat, bool, error) {
	info, err := e.Info()
	if err != nil {
		return stat{}, false, err
	}
	return statOf(info), info.Mode().IsRegular(), nil
}
