// Package walk lists the files below folders, in the same way for all commands.
//
// Three packages walk by themselves, because they need something else: archive/folder
// never follows a link, whose target may lie outside; cmd/internal/watch visits folders
// too, to watch them; index/scan continues after an error, and reads the state of files
// through open folders, which is faster for millions of files.
package walk

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Files visits the regular files at or below a path, in the order of names. A link to a
// file counts as the file. Links to folders are not followed, because they may lead in
// circles. A broken link is visited as a link. The path itself may be a link to a folder.
func Files(path string, visit func(name string, info fs.FileInfo) error) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path += string(filepath.Separator) // without it WalkDir does not enter a link to a folder
	}
	return filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := os.Stat(name)
		broken := d.Type()&fs.ModeSymlink != 0 && err != nil
		if broken {
			info, err = d.Info()
		}
		if err != nil || !broken && !info.Mode().IsRegular() {
			return err
		}
		return visit(name, info)
	})
}
