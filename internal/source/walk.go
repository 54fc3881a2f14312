package source

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// FilesBelow lists the files below a folder, in order. Links in it are not
// followed.
func FilesBelow(dir string) ([]string, error) {
	var files []string
	root := dir
	if IsFolder(dir) {
		root += string(filepath.Separator) // a link to a folder means the folder
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Type().IsRegular() {
			files = append(files, path)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrNotExist}
	}
	return files, err
}
