package dav

import (
	"io"
	"io/fs"

	"golang.org/x/net/webdav"

	"pakbox/archive"
	"pakbox/internal/mount"
)

var (
	_ webdav.File = (*reading)(nil)
	_ webdav.File = (*writing)(nil)
	_ webdav.File = (*folder)(nil)
)

// reading is a file that is open for reading.
type reading struct {
	*io.SectionReader
	file *mount.File
	info fs.FileInfo
}

func (r *reading) Close() error                       { return r.file.Close() }
func (r *reading) Stat() (fs.FileInfo, error)         { return r.info, nil }
func (r *reading) Write([]byte) (int, error)          { return 0, fs.ErrPermission }
func (r *reading) Readdir(int) ([]fs.FileInfo, error) { return nil, archive.ErrNotDir }

// writing is a file that is open for writing.
type writing struct{ *mount.Writing }

func (w *writing) Readdir(int) ([]fs.FileInfo, error) { return nil, archive.ErrNotDir }

// folder is an open folder.
type folder struct {
	info fs.FileInfo
	list func() ([]fs.FileInfo, error)
	rest []fs.FileInfo
	read bool
}

func (f *folder) Close() error                   { return nil }
func (f *folder) Stat() (fs.FileInfo, error)     { return f.info, nil }
func (f *folder) Read([]byte) (int, error)       { return 0, archive.ErrIsDir }
func (f *folder) Write([]byte) (int, error)      { return 0, archive.ErrIsDir }
func (f *folder) Seek(int64, int) (int64, error) { return 0, archive.ErrIsDir }

// Readdir lists the next count files, or all that are left.
func (f *folder) Readdir(count int) ([]fs.FileInfo, error) {
	if !f.read {
		all, err := f.list()
		if err != nil {
			return nil, err
		}
		f.rest, f.read = all, true
	}
	if count <= 0 {
		count = len(f.rest)
	} else if len(f.rest) == 0 {
		return nil, io.EOF
	}
	some := f.rest[:min(count, len(f.rest))]
	f.rest = f.rest[len(some):]
	return some, nil
}
