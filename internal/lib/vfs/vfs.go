// Package vfs has the small parts of a file system in memory: descriptions, open
// files, open folders and errors.
package vfs

import (
	"errors"
	"io"
	"io/fs"
	"time"

	"pakbox/internal/lib/wire"
)

// Reasons why an operation on a file or a folder fails.
var (
	ErrIsDir    = errors.New("is a folder")
	ErrNotDir   = errors.New("is not a folder")
	ErrNotEmpty = errors.New("is a folder that is not empty")
)

// FileInfo describes a file or folder, as [fs.FileInfo] and [fs.DirEntry].
type FileInfo struct {
	Base     string // the last part of the path
	Dir      bool
	Length   int64
	Modified time.Time
}

func (i FileInfo) Name() string               { return i.Base }
func (i FileInfo) IsDir() bool                { return i.Dir }
func (i FileInfo) Type() fs.FileMode          { return i.Mode().Type() }
func (i FileInfo) Info() (fs.FileInfo, error) { return i, nil }
func (i FileInfo) Size() int64                { return i.Length }
func (i FileInfo) ModTime() time.Time         { return i.Modified }
func (i FileInfo) Sys() any                   { return nil }
func (i FileInfo) String() string             { return fs.FormatDirEntry(i) }

// Mode returns the mode of a read-only file or folder.
func (i FileInfo) Mode() fs.FileMode {
	if i.Dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// Open makes an open file from content. The file has ReadAt if the content has it, so
// that an archive inside an archive is not copied.
func Open(info FileInfo, content io.ReadCloser) fs.File {
	f := &file{info, content}
	if at, ok := content.(io.ReaderAt); ok {
		return randomFile{f, at}
	}
	return f
}

type file struct {
	info FileInfo
	io.ReadCloser
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }

type randomFile struct {
	*file
	io.ReaderAt
}

// Whole returns the content if it is in memory; see [wire.Whole].
func (f randomFile) Whole() []byte { return wire.Whole(f.ReaderAt, f.info.Length) }

// OpenFolder makes an open folder from a list of its files.
func OpenFolder(info fs.FileInfo, list []fs.DirEntry) fs.ReadDirFile {
	return &folder{info, list}
}

type folder struct {
	info fs.FileInfo
	rest []fs.DirEntry
}

func (d *folder) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *folder) Close() error               { return nil }

func (d *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.Name(), Err: ErrIsDir}
}

func (d *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	list := d.rest
	if n > 0 {
		if len(list) == 0 {
			return nil, io.EOF
		}
		list = list[:min(n, len(list))]
	}
	d.rest = d.rest[len(list):]
	return list, nil
}
