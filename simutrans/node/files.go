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
		err := walk.Files(path, func(e walk.Entry, _ fs.FileInfo) error {
			if e.Path == path || strings.EqualFold(filepath.Ext(e.Path), ending) {
				files = append(files, e.Path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}
