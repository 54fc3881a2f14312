package archive

import (
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"pakbox/fault"
)

// Files replaces the file system as the beginning of paths: the folders that a web page
// may see, or files that were sent. Its paths have slashes.
type Files interface {
	// Stat describes the file or folder at a path that is not inside an archive.
	Stat(name string) (fs.FileInfo, error)
	// OpenFile opens a file that is not inside an archive.
	OpenFile(name string) (Input, io.Closer, error)
}

// disk is the file system as [Files]. Its paths are those of the system.
type disk struct{}

func (disk) Stat(name string) (fs.FileInfo, error) {
	info, err := stat(name)
	return info, fault.System(err)
}

func (disk) OpenFile(name string) (Input, io.Closer, error) { return OpenFile(name) }

// files is where the paths of these options begin.
func (o Options) files() Files {
	if o.Files == nil {
		return disk{}
	}
	return o.Files
}

// SplitPath splits a path where the files end and an archive begins: file is the part that
// exists, which info describes, and inner the path inside that file, "." if there is none.
// The files are nil for the file system.
func SplitPath(files Files, name string) (file, inner string, info fs.FileInfo, err error) {
	native := filepath.FromSlash
	clean := filepath.ToSlash(filepath.Clean(name))
	if files != nil {
		name = path.Clean(name)
		clean, native = name, func(name string) string { return name }
	} else {
		files = disk{}
	}
	info, full := files.Stat(name)
	if full == nil {
		return name, ".", info, nil
	}
	for head := clean; ; {
		i := strings.LastIndexByte(head, '/')
		if i <= 0 {
			return "", "", nil, full
		}
		head = head[:i]
		if info, err := files.Stat(native(head)); err == nil {
			if info.IsDir() {
				return "", "", nil, full
			}
			return native(head), clean[i+1:], info, nil
		}
	}
}
