package source

import (
	"errors"
	"io/fs"

	"pakbox/internal/lib/walk"
)

// FilesBelow lists the files below a folder, sorted.
func FilesBelow(dir string) (files []string, err error) {
	err = walk.Files(dir, func(e walk.Entry, _ fs.FileInfo) error {
		files = append(files, e.Path)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrNotExist}
	}
	return files, err
}
