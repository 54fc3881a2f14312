//go:build !linux

package scan

import (
	"io/fs"
	"os"
)

// statIn looks at a file in an open folder, and tells whether it is a regular
// one.
func statIn(_ *os.File, e fs.DirEntry) (stat, bool, error) {
	info, err := e.Info()
	if err != nil {
		return stat{}, false, err
	}
	return statOf(info), info.Mode().IsRegular(), nil
}
