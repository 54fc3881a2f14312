package dav

import (
	"encoding/xml"
	"io"
	"io/fs"

	"golang.org/x/net/webdav"

	"pakbox/cmd/internal/mount"
	"pakbox/internal/lib/vfs"
)

var (
	_ webdav.File = (*reading)(nil)
	_ webdav.File = (*writing)(nil)
	_ webdav.File = (*folder)(nil)

	_ webdav.DeadPropsHolder = (*reading)(nil)
	_ webdav.DeadPropsHolder = (*writing)(nil)
	_ webdav.DeadPropsHolder = (*folder)(nil)
)

// about gives access to the properties that clients stored with an open file.
type about struct {
	props *props
	name  string
}

// DeadProps implements [webdav.DeadPropsHolder].
func (a about) DeadProps() (map[xml.Name]webdav.Property, error) { return a.props.get(a.name), nil }

// Patch implements [webdav.DeadPropsHolder].
func (a about) Patch(patches []webdav.Proppatch) ([]webdav.Propstat, error) {
	return a.props.patch(a.name, patches), nil
}

// reading is a file that is open for reading. It is unpacked at the first read, because
// most files are opened only for their size and time.
type reading struct {
	about
	tree *mount.Tree
	name string
	info fs.FileInfo
	file *mount.File
	at   *io.SectionReader

	transfer *transfer
}

// open opens the file when it is needed.
func (r *reading) open() error {
	if r.at != nil {
		return nil
	}
	f, err := r.tree.Open(r.name)
	if err != nil {
		return plain(err)
	}
	r.file, r.at = f, io.NewSectionReader(f, 0, f.Size())
	return nil
}

// Read reads the next bytes.
func (r *reading) Read(p []byte) (int, error) {
	if err := r.open(); err != nil {
		r.transfer.saw(err)
		return 0, err
	}
	n, err := r.at.Read(p)
	r.transfer.saw(err)
	return n, err
}

// Seek sets the offset of the next read.
func (r *reading) Seek(offset int64, whence int) (int64, error) {
	if err := r.open(); err != nil {
		return 0, err
	}
	return r.at.Seek(offset, whence)
}

// Close closes the file.
func (r *reading) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

func (r *reading) Stat() (fs.FileInfo, error)         { return r.info, nil }
func (r *reading) Write([]byte) (int, error)          { return 0, fs.ErrPermission }
func (r *reading) Readdir(int) ([]fs.FileInfo, error) { return nil, vfs.ErrNotDir }

// writing is a file that is open for writing.
type writing struct {
	*mount.Writing
	about
}

func (w *writing) Readdir(int) ([]fs.FileInfo, error) { return nil, vfs.ErrNotDir }

// folder is an open folder.
type folder struct {
	about
	info fs.FileInfo
	list func() ([]fs.FileInfo, error)
	rest []fs.FileInfo
	read bool
}

func (f *folder) Close() error                   { return nil }
func (f *folder) Stat() (fs.FileInfo, error)     { return f.info, nil }
func (f *folder) Read([]byte) (int, error)       { return 0, vfs.ErrIsDir }
func (f *folder) Write([]byte) (int, error)      { return 0, vfs.ErrIsDir }
func (f *folder) Seek(int64, int) (int64, error) { return 0, vfs.ErrIsDir }

// Readdir lists the next count files, or all remaining ones.
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
