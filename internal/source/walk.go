package source

import (
	"errors"
	"io/fs"
	"path/filepath"

	"pakbox/internal/lib/walk"
)

// Below lists everything below a folder except folders, by paths relative to it.
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

// FilesBelow lists the files below a folder, sorted.
func FilesBelow(dir string) (files []string, err error) {
	err = walk.Files(dir, func(name string, _ fs.FileInfo) error {
		files = append(files, name)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrNotExist}
	}
	return files, err
}
