package page

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

// Dropped files are kept in the store, or stay with the page that dropped them. Their
// paths begin with the folder "dropped".

// Drop adds content under a name, which may have folders, and returns its path. It
// replaces a file of the same name.
func (f *Files) Drop(name string, content io.ReaderAt, size int64) (string, error) {
	return f.addDropped(name, &droppedFile{content, size, size, time.Now(), func() {}})
}

// take is Drop for content that is already in the store.
func (f *Files) take(name string, content *stored) (string, error) {
	return f.addDropped(name, &droppedFile{content, content.size, content.size, time.Now(), content.drop})
}

// Link is Drop for a file that stays with the browser, which reads it on request. It
// takes no space here, and may have any size.
func (f *Files) Link(name string, content io.ReaderAt, size int64) (string, error) {
	return f.addDropped(name, &droppedFile{content, size, 0, time.Now(), func() {}})
}

func (f *Files) addDropped(name string, file *droppedFile) (string, error) {
	clean := path.Clean("/" + strings.ReplaceAll(name, `\`, "/"))[1:]
	if err := pathname.Check(clean); err != nil {
		return "", err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	held, files := f.held+file.held, len(f.dropped)+1
	old, replaced := f.dropped[clean]
	if replaced {
		held, files = held-old.held, files-1
	}
	if file.size < 0 || held > maxDropped || files > maxDroppedFiles {
		return "", fault.New(fault.Limit, "the limit for dropped files is exceeded: start pakbox serve with the folder instead")
	}
	if replaced {
		old.drop()
	}
	f.held = held
	f.dropped[clean] = file
	return path.Join(droppedRoot, clean), nil
}

// Remove removes a dropped file, or a folder of them, and returns the number of files.
func (f *Files) Remove(name string) (n int, err error) {
	_, below, dropped := f.drop(name)
	f.mu.Lock()
	defer f.mu.Unlock()
	for at, file := range f.dropped {
		if dropped && (below == "" || at == below || strings.HasPrefix(at, below+"/")) {
			file.drop()
			f.held -= file.held
			delete(f.dropped, at)
			n++
		}
	}
	if n == 0 {
		return 0, &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	return n, nil
}

// isDropped reports whether a path is that of a dropped file.
func isDropped(name string) bool { return strings.HasPrefix(name, droppedRoot+"/") }

// drop returns the dropped files and the path below them, and whether a path leads there.
func (f *Files) drop(name string) (*drops, string, bool) {
	first, below, _ := strings.Cut(name, "/")
	if first != droppedRoot {
		return nil, "", false
	}
	return &drops{f}, below, true
}

// drops presents the dropped files as a folder.
type drops struct{ *Files }

func (d *drops) get(below string) (*droppedFile, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	file, ok := d.dropped[below]
	return file, ok
}

func (d *drops) keep(below string, data []byte) error {
	kept, err := d.store.put(bytes.NewReader(data), int64(len(data)))
	if err == nil {
		_, err = d.take(below, kept)
	}
	return err
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

// folderInfo describes a folder with this name.
type folderInfo string

func (i folderInfo) Name() string       { return string(i) }
func (i folderInfo) Size() int64        { return 0 }
func (i folderInfo) Mode() fs.FileMode  { return fs.ModeDir | 0o555 }
func (i folderInfo) ModTime() time.Time { return time.Time{} }
func (i folderInfo) IsDir() bool        { return true }
func (i folderInfo) Sys() any           { return nil }

// renamed presents a file under another name.
type renamed struct {
	fs.FileInfo
	name string
}

func (r renamed) Name() string { return r.name }
