package source

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// Below lists what is below a folder but for folders, by names relative to it.
func Below(dir string) (names []string, err error) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		names = append(names, filepath.ToSlash(rel))
		return err
	})
	return names, err
}

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
