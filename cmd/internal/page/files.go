package page

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
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

// Files are the files that the page may see: the folders and files with which the program
// was started, and dropped files. A path begins with the name of one of them; other paths
// lead nowhere. Files is the [archive.Files] of the page's opener.
type Files struct {
	roots []*root

	mu      sync.Mutex
	dropped map[string]*droppedFile // by path below droppedRoot
	held    int64                   // bytes of dropped files
	store   store
}

// droppedRoot is the folder of dropped files.
const droppedRoot = "dropped"

// Limits for dropped files. Files of games are far smaller; packs of gigabytes are opened
// in their folders instead.
const (
	maxDropped      = 1 << 30
	maxDroppedFiles = 20000
)

// root is a folder, or one file of a folder, that was named at the start.
type root struct {
	name string // first part of its paths on the page
	dir  *os.Root
	base string // path of the folder on disk, for saving
	only string // the only file that is served; "" for all
	out  error  // what dir answers to a path that leads out of it
}

// droppedFile is a file that the page sent, or one that stays with the page.
type droppedFile struct {
	content io.ReaderAt
	size    int64
	held    int64 // bytes that are kept here
	when    time.Time
	drop    func() // frees its place in the store
}

// NewFiles opens the folders and files that the page may see.
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
	var out *fs.PathError
	if _, err := r.dir.Stat(".."); errors.As(err, &out) { // package os exports no name for it
		r.out = out.Err
	}
	r.name = f.freeName(filepath.Base(full))
	f.roots = append(f.roots, r)
	return nil
}

// freeName returns a name that no root has yet.
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

// Named returns the path on the page of a file on disk, or of a file in an archive there.
// ok is false if no root contains it.
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

// Stat describes the file or folder at a path that is not inside an archive.
func (f *Files) Stat(name string) (fs.FileInfo, error) {
	if d, below, ok := f.drop(name); ok {
		return d.stat(below)
	}
	r, below, err := f.find(name)
	if err != nil {
		return nil, err
	}
	info, err := r.dir.Stat(below)
	return info, r.asCalled(err, name)
}

// asCalled is the function asCalled for errors of the root's folder. A link that leads out
// of the folder leads nowhere.
func (r *root) asCalled(err error, name string) error {
	if r.out != nil && errors.Is(err, r.out) {
		err = fs.ErrNotExist
	}
	return asCalled(err, name)
}

// asCalled replaces the path in an error by the path on the page, so that no answer
// reveals where a folder is.
func asCalled(err error, name string) error {
	if err == nil {
		return nil
	}
	reason := err
	var pe *fs.PathError
	if errors.As(err, &pe) {
		reason = pe.Err
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
		return nil, r.asCalled(err, name)
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

// OpenFile opens a file that is not inside an archive.
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
	info, err := r.dir.Stat(below) // before opening: opening a pipe would block
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("is a pipe or a device")}
	}
	if err != nil {
		return archive.Input{}, nil, r.asCalled(err, name)
	}
	file, err := r.dir.Open(below)
	if err != nil {
		return archive.Input{}, nil, r.asCalled(err, name)
	}
	return archive.Input{
		ReaderAt: file, Size: info.Size(), Name: filepath.Base(below),
		Sibling: func(sibling string) (archive.Input, io.Closer, error) {
			return r.open(path.Join(path.Dir(name), sibling), filepath.Join(filepath.Dir(below), filepath.Base(sibling)))
		},
	}, file, nil
}

// Save replaces the content of a file, as every command does. backup keeps the old file
// beside it.
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

// onDisk returns the place on disk of a file below a root, with links resolved. It
// rejects a link that leads out of the root.
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
		return "", fault.InFile(fault.New(fault.Unsafe, "leads out of the served folder"), name)
	}
	return target, nil
}

// Folder returns the place on disk of a folder below a root. Dropped folders have none.
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
		return "", r.asCalled(err, name)
	}
	if !info.IsDir() {
		return "", fault.InFile(fault.New(fault.NotFormat, "is not a folder"), name)
	}
	return r.onDisk(name, below)
}

// OnDisk returns the file on disk that a path leads to or goes through. Dropped files and
// folders have none.
func (f *Files) OnDisk(name string) (string, error) {
	missing := &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	if _, _, dropped := f.drop(name); dropped {
		return "", missing
	}
	file, _, info, err := archive.SplitPath(f, name)
	if err != nil || !info.Mode().IsRegular() {
		return "", missing
	}
	r, below, err := f.find(file)
	if err != nil {
		return "", missing
	}
	return r.onDisk(name, below)
}
