package node

import (
	"io/fs"
	"path/filepath"
	"strings"

	"pakbox/internal/lib/walk"
)

// Files lists the files that paths name: a file itself, or all files with the ending in a
// folder and its subfolders.
func Files(paths []string, ending string) (files []string, err error) {
	for _, path := range paths {
		err := walk.Files(path, func(name string, _ fs.FileInfo) error {
			if name == path || strings.EqualFold(filepath.Ext(name), ending) {
				files = append(files, name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}
