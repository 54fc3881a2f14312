package explore

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/pathname"
)

// Dropped files live in memory, or wherever the page that dropped them keeps
// them, below the folder "dropped".

// Drop takes content over under a name that keeps its folders, and returns its
// path. A file of the same name is replaced.
func (f *Files) Drop(name string, content io.ReaderAt, size int64) (string, error) {
	clean := path.Clean("/" + strings.ReplaceAll(name, `\`, "/"))[1:]
	if err := pathname.Check(clean); err != nil {
		return "", err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	held, files := f.held+size, len(f.dropped)+1
	if old, ok := f.dropped[clean]; ok {
		held, files = held-old.held, files-1
	}
	if size < 0 || held > maxDropped || files > maxDroppedFiles {
		return "", fault.New(fault.Limit, "more was dropped than the page keeps: start pakbox serve with the folder instead")
	}
	f.held = held
	f.dropped[clean] = &droppedFile{content, size, size, time.Now()}
	return path.Join(droppedRoot, clean), nil
}

// Link is Drop for a file that stays where it is, such as one that the browser
// reads when it is asked to: it takes no memory here, and may be of any size.
func (f *Files) Link(name string, content io.ReaderAt, size int64) (string, error) {
	path, err := f.Drop(name, content, 0)
	if err == nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.dropped[strings.TrimPrefix(path, droppedRoot+"/")].size = size
	}
	return path, err
}

// isDropped reports whether a path is that of a dropped file.
func isDropped(name string) bool { return strings.HasPrefix(name, droppedRoot+"/") }

// drop reports whether a path is that of something dropped.
func (f *Files) drop(name string) (*drops, string, bool) {
	first, below, _ := strings.Cut(name, "/")
	if first != droppedRoot {
		return nil, "", false
	}
	return &drops{f}, below, true
}

// drops are the dropped files as a folder.
type drops struct{ *Files }

func (d *drops) get(below string) (*droppedFile, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	file, ok := d.dropped[below]
	return file, ok
}

func (d *drops) keep(below string, data []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	size := int64(len(data))
	if old, ok := d.dropped[below]; ok {
		d.held -= old.held
	}
	d.held += size
	d.dropped[below] = &droppedFile{bytes.NewReader(data), size, size, time.Now()}
}

func (d *drops) stat(below string) (fs.FileInfo, error) {
	if file, ok := d.get(below); ok {
		return fileInfo{path.Base(below), file}, nil
	}
	if _, err := d.readDir(below); err == nil {
		return folderInfo(path.Base(path.Join(droppedRoot, below))), nil
	}
	return nil, &fs.PathError{Op: "open", Path: path.Join(droppedRoot, below), Err: fs.ErrNotExist}
}

func (d *drops) readDir(below string) ([]fs.DirEntry, error) {
	prefix := below
	if prefix != "" {
		prefix += "/"
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	seen := map[string]fs.FileInfo{}
	for name, file := range d.dropped {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		if first, _, deeper := strings.Cut(rest, "/"); deeper {
			seen[first] = folderInfo(first)
		} else {
			seen[rest] = fileInfo{rest, file}
		}
	}
	if len(seen) == 0 && below != "" {
		return nil, &fs.PathError{Op: "open", Path: path.Join(droppedRoot, below), Err: fs.ErrNotExist}
	}
	var list []fs.DirEntry
	for _, info := range seen {
		list = append(list, fs.FileInfoToDirEntry(info))
	}
	slices.SortFunc(list, func(x, y fs.DirEntry) int { return strings.Compare(x.Name(), y.Name()) })
	return list, nil
}

func (d *drops) open(below string) (archive.Input, io.Closer, error) {
	file, ok := d.get(below)
	if !ok {
		return archive.Input{}, nil, &fs.PathError{Op: "open", Path: path.Join(droppedRoot, below), Err: fs.ErrNotExist}
	}
	return archive.Input{
		ReaderAt: file.content, Size: file.size, Name: path.Base(below),
		Sibling: func(sibling string) (archive.Input, io.Closer, error) {
			return d.open(path.Join(path.Dir(below), path.Base(sibling)))
		},
	}, io.NopCloser(nil), nil
}

// fileInfo describes a dropped file.
type fileInfo struct {
	name string
	file *droppedFile
}

func (i fileInfo) Name() string       { return i.name }
func (i fileInfo) Size() int64        { return i.file.size }
func (i fileInfo) Mode() fs.FileMode  { return 0o444 }
func (i fileInfo) ModTime() time.Time { return i.file.when }
func (i fileInfo) IsDir() bool        { return false }
func (i fileInfo) Sys() any           { return nil }

// folderInfo describes a folder of that name.
type folderInfo string

func (i folderInfo) Name() string       { return string(i) }
func (i folderInfo) Size() int64        { return 0 }
func (i folderInfo) Mode() fs.FileMode  { return fs.ModeDir | 0o555 }
func (i folderInfo) ModTime() time.Time { return time.Time{} }
func (i folderInfo) IsDir() bool        { return true }
func (i folderInfo) Sys() any           { return nil }

// renamed is a file under another name.
type renamed struct {
	fs.FileInfo
	name string
}

func (r renamed) Name() string { return r.name }
