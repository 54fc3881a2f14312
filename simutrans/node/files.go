package node

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Files lists the files that paths name: a file itself, and of a folder every
// file in it or in a folder below whose name has the ending.
func Files(paths []string, ending string) (files []string, err error) {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			path += string(filepath.Separator) // WalkDir would not enter a link to a folder
		}
		err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (name == path || strings.EqualFold(filepath.Ext(name), ending)) {
				files = append(files, name)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}
