// Package regular opens regular files by names that others chose. Opening a pipe waits for
// a writer, a device has no end, and a sparse file can be larger than the memory. Files of
// this package cannot be any of these.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrNotRegular is the error of a path that leads to anything but a regular file.
var ErrNotRegular = errors.New("is not a regular file")

// ErrTooLarge is the error of a file that is larger than the caller takes.
var ErrTooLarge = errors.New("is too large")

// Open opens the regular file at path for reading. It follows links, and never waits.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path) // before opening it, because opening a device may do something
	if err != nil {
		return nil, err
	}
	return open(path, info, os.O_RDONLY|nonBlock)
}

// OpenNoFollow opens the regular file at path with flags of os.OpenFile. A link is an error.
func OpenNoFollow(path string, flags int) (*os.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	return open(path, info, flags|nonBlock|noFollow)
}

// OpenIn is [Open] for a file inside a root, which links cannot leave.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	info, err := root.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	if err != nil {
		return nil, err
	}
	f, err := root.OpenFile(name, os.O_RDONLY|nonBlock, 0)
	return checked(f, err, name)
}

func open(path string, info fs.FileInfo, flags int) (*os.File, error) {
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	f, err := os.OpenFile(path, flags, 0)
	return checked(f, err, path)
}

// checked looks at an open file once more, because another one may have taken its name.
func checked(f *os.File, err error, path string) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Read returns the content of the regular file at path, which may have at most limit bytes.
func Read(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadFrom(f, limit)
}

// ReadIn is [Read] for a file inside a root, which links cannot leave.
func ReadIn(root *os.Root, name string, limit int64) ([]byte, error) {
	f, err := OpenIn(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadFrom(f, limit)
}

// ReadFrom returns the rest of f, which may have at most limit bytes.
func ReadFrom(f *os.File, limit int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var data []byte
	if info.Size() <= limit {
		data, err = io.ReadAll(io.LimitReader(f, limit+1)) // the file may grow meanwhile
	}
	if err == nil && (info.Size() > limit || int64(len(data)) > limit) {
		err = &fs.PathError{Op: "read", Path: f.Name(), Err: fmt.Errorf("%w: %d bytes, the limit is %d", ErrTooLarge, info.Size(), limit)}
	}
	return data, err
}

// FS returns the regular files in a root, which links cannot leave. Each may have at most
// limit bytes.
func FS(root *os.Root, limit int64) fs.FS { return files{root, limit} }

type files struct {
	root  *os.Root
	limit int64
}

func (f files) Open(name string) (fs.File, error) {
	file, err := OpenIn(f.root, name)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && info.Size() > f.limit {
		file.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrTooLarge}
	}
	return file, nil
}

func (f files) ReadFile(name string) ([]byte, error) { return ReadIn(f.root, name, f.limit) }
