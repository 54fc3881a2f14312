package explore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/source"
)

// Files are what the page may look at: the folders and files that the program
// was started with, and what somebody dropped on the page. A path begins with
// the name of one of them; no other path leads anywhere. It is the
// [source.Files] of the page's opener.
type Files struct {
	roots []*root

	mu      sync.Mutex
	dropped map[string]*droppedFile // by path below droppedRoot
	held    int64                   // bytes of what was dropped
	store   store
}

// droppedRoot is the folder that dropped files are in.
const droppedRoot = "dropped"

// What may be dropped in all. Files of games are far smaller; packs of
// gigabytes are opened where they lie.
const (
	maxDropped      = 1 << 30
	maxDroppedFiles = 20000
)

// root is a folder, or one file of a folder, that was named at the start.
type root struct {
	name string // the first part of its paths
	dir  *os.Root
	base string // the folder's own path, for saving
	only string // the one file that is meant; "" for all
}

// droppedFile is a file that the page handed over, or one that it reads itself.
type droppedFile struct {
	content io.ReaderAt
	size    int64
	held    int64 // bytes that are kept here
	when    time.Time
	drop    func() // gives its place in the store back
}

// NewFiles opens what the page may look at.
func NewFiles(paths []string) (*Files, error) {
	f := &Files{dropped: map[string]*droppedFile{}}
	for _, p := range paths {
		if err := f.add(p); err != nil {
			f.Close()
			return nil, err
		}
	}
	return f, nil
}

func (f *Files) add(name string) error {
	full, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(full)
	if err != nil {
		return err
	}
	r := &root{base: full}
	if !info.IsDir() {
		r.base, r.only = filepath.Dir(full), filepath.Base(full)
	}
	if r.dir, err = os.OpenRoot(r.base); err != nil {
		return err
	}
	r.name = f.freeName(filepath.Base(full))
	f.roots = append(f.roots, r)
	return nil
}

// freeName is a name that no root has yet.
func (f *Files) freeName(base string) string {
	if base == string(filepath.Separator) || base == "." {
		base = "root"
	}
	name := base
	for i := 2; name == droppedRoot || slices.ContainsFunc(f.roots, func(r *root) bool { return r.name == name }); i++ {
		name = fmt.Sprintf("%s (%d)", base, i)
	}
	return name
}

// Close closes the folders.
func (f *Files) Close() {
	for _, r := range f.roots {
		r.dir.Close()
	}
	f.store.close()
}

// find splits a path into its root and the path below it.
func (f *Files) find(name string) (r *root, below string, err error) {
	first, below, _ := strings.Cut(name, "/")
	if below == "" {
		below = "."
	}
	if !fs.ValidPath(name) || !fs.ValidPath(below) {
		return nil, "", &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	for _, r := range f.roots {
		switch {
		case r.name != first:
		case r.only == "":
			return r, filepath.FromSlash(below), nil
		case below == ".":
			return r, r.only, nil
		}
	}
	return nil, "", &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Named is the page's name for a file on disk, or in an
// archive there. ok is false for what no root holds.
func (f *Files) Named(disk string) (name string, ok bool) {
	for _, r := range f.roots {
		below, err := filepath.Rel(r.base, disk)
		if err != nil || !filepath.IsLocal(below) {
			continue
		}
		below = filepath.ToSlash(below)
		if r.only == "" {
			return path.Join(r.name, below), true
		}
		if rest, ok := strings.CutPrefix(below+"/", r.only+"/"); ok {
			return path.Join(r.name, rest), true
		}
	}
	return "", false
}

// Stat tells what stands at a path that goes through no archive.
func (f *Files) Stat(name string) (fs.FileInfo, error) {
	if d, below, ok := f.drop(name); ok {
		return d.stat(below)
	}
	r, below, err := f.find(name)
	if err != nil {
		return nil, err
	}
	info, err := r.dir.Stat(below)
	return info, asCalled(err, name)
}

// asCalled gives an error the path that the page knows, so that no answer tells
// where a folder lies.
func asCalled(err error, name string) error {
	if err == nil {
		return nil
	}
	reason := err
	var pe *fs.PathError
	if errors.As(err, &pe) {
		reason = pe.Err
	}
	if strings.Contains(reason.Error(), "escapes") {
		reason = fs.ErrNotExist
	}
	return &fs.PathError{Op: "open", Path: name, Err: reason}
}

// ReadDir lists a folder; "" lists the roots.
func (f *Files) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "" {
		return f.readRoots(), nil
	}
	if d, below, ok := f.drop(name); ok {
		return d.readDir(below)
	}
	r, below, err := f.find(name)
	if err != nil {
		return nil, err
	}
	list, err := fs.ReadDir(r.dir.FS(), filepath.ToSlash(below))
	if err != nil {
		return nil, asCalled(err, name)
	}
	return list, nil
}

func (f *Files) readRoots() (list []fs.DirEntry) {
	for _, r := range f.roots {
		if info, err := f.Stat(r.name); err == nil {
			list = append(list, fs.FileInfoToDirEntry(renamed{info, r.name}))
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.dropped) > 0 {
		list = append(list, fs.FileInfoToDirEntry(folderInfo(droppedRoot)))
	}
	return list
}

// OpenFile opens a file that lies in no archive.
func (f *Files) OpenFile(name string) (archive.Input, io.Closer, error) {
	if d, below, ok := f.drop(name); ok {
		return d.open(below)
	}
	r, below, err := f.find(name)
	if err != nil {
		return archive.Input{}, nil, err
	}
	return r.open(name, below)
}

func (r *root) open(name, below string) (archive.Input, io.Closer, error) {
	info, err := r.dir.Stat(below) // before it is opened: a pipe would wait
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("is a pipe or a device")}
	}
	if err != nil {
		return archive.Input{}, nil, asCalled(err, name)
	}
	file, err := r.dir.Open(below)
	if err != nil {
		return archive.Input{}, nil, asCalled(err, name)
	}
	return archive.Input{
		ReaderAt: file, Size: info.Size(), Name: filepath.Base(below),
		Sibling: func(sibling string) (archive.Input, io.Closer, error) {
			return r.open(path.Join(path.Dir(name), sibling), filepath.Join(filepath.Dir(below), filepath.Base(sibling)))
		},
	}, file, nil
}

// Save puts new content in the place of a file, as every command does. backup
// keeps the old one beside it.
func (f *Files) Save(name string, data []byte, backup bool) error {
	if d, below, ok := f.drop(name); ok {
		return d.keep(below, data)
	}
	r, below, err := f.find(name)
	if err != nil {
		return err
	}
	target, err := r.onDisk(name, below)
	if err != nil {
		return err
	}
	if err := source.NotReadOnly(target); err != nil {
		return asCalled(err, name)
	}
	if backup {
		if _, err := source.BackupPath(target); err != nil {
			return asCalled(err, name)
		}
	}
	return asCalled(source.StageBytes(target, data, true), name)
}

// onDisk is where a file below a root lies, whatever links lead to it; one that
// leads out of the root is refused.
func (r *root) onDisk(name, below string) (string, error) {
	target, err := filepath.EvalSymlinks(filepath.Join(r.base, below))
	if err != nil {
		return "", asCalled(err, name)
	}
	base, err := filepath.EvalSymlinks(r.base)
	if err != nil {
		return "", asCalled(err, name)
	}
	if rel, err := filepath.Rel(base, target); err != nil || !filepath.IsLocal(rel) {
		return "", fault.InFile(fault.New(fault.Unsafe, "leads out of the folder that was given"), name)
	}
	return target, nil
}

// Folder is where a folder below a root lies on disk. What was dropped lies
// nowhere.
func (f *Files) Folder(name string) (string, error) {
	if _, _, dropped := f.drop(name); dropped {
		return "", fault.InFile(fault.New(fault.Unsupported, "was dropped on the page: start pakbox serve with the folder instead"), name)
	}
	r, below, err := f.find(name)
	if err != nil {
		return "", err
	}
	info, err := r.dir.Stat(below)
	if err != nil {
		return "", asCalled(err, name)
	}
	if !info.IsDir() {
		return "", fault.InFile(fault.New(fault.NotFormat, "is no folder"), name)
	}
	return r.onDisk(name, below)
}

// OnDisk is the file of the file system that a path leads to or goes through.
// There is none for what was dropped, and for folders.
func (f *Files) OnDisk(name string) (string, error) {
	missing := &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	if _, _, dropped := f.drop(name); dropped {
		return "", missing
	}
	for at := name; at != "." && at != ""; at = path.Dir(at) {
		r, below, err := f.find(at)
		if err != nil {
			return "", missing
		}
		info, err := r.dir.Stat(below)
		switch {
		case err == nil && info.Mode().IsRegular():
			return r.onDisk(name, below)
		case err == nil:
			return "", missing
		}
	}
	return "", missing
}
