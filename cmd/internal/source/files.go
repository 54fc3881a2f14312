package source

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
)

// Files replaces the file system as the beginning of paths: the folders that a web page
// may see, or dropped files. Paths have slashes.
type Files interface {
	// Stat describes the file or folder at a path that is not inside an archive.
	Stat(name string) (fs.FileInfo, error)
	// OpenFile opens a file that is not inside an archive.
	OpenFile(name string) (archive.Input, io.Closer, error)
}

// follow is [archive.Registry.Locate], on the file system or on Files.
func (o *Opener) follow(ctx context.Context, name string, opts archive.Options) (*archive.Location, error) {
	if o.Files == nil {
		return o.Formats.Locate(ctx, name, opts)
	}
	file, inner, err := o.splitPath(name)
	if err != nil {
		return nil, err
	}
	in, closer, err := o.Files.OpenFile(file)
	if err != nil {
		return nil, err
	}
	return o.Formats.LocateInput(ctx, file, in, closer, inner, opts)
}

// splitPath finds the file through which a path leads, and the path inside it.
func (o *Opener) splitPath(name string) (file, inner string, err error) {
	name = path.Clean(name)
	for end := 0; end < len(name); end++ {
		next := strings.IndexByte(name[end:], '/')
		if next < 0 {
			end = len(name)
		} else {
			end += next
		}
		info, err := o.Files.Stat(name[:end])
		if err != nil {
			return "", "", err
		}
		if !info.IsDir() {
			return name[:end], path.Join(".", strings.TrimPrefix(name[end:], "/")), nil
		}
	}
	return "", "", fault.InFile(fault.New(fault.NotFormat, "is a folder"), name)
}

// StatOutermost describes the file through which a path leads.
func (o *Opener) StatOutermost(name string) (fs.FileInfo, error) {
	if o.Files == nil {
		if _, info := outermost(name); info != nil {
			return info, nil
		}
		return os.Stat(name)
	}
	file, _, err := o.splitPath(name)
	if err != nil {
		return nil, err
	}
	return o.Files.Stat(file)
}
