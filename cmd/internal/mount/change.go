package mount

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"pakbox/archive"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/vfs"
)

// keepChanges makes the tree writable, and loads the changes that an earlier mount left.
func (t *Tree) keepChanges(s *source.Source) error {
	if err := source.CanEdit(s); err != nil {
		return err
	}
	file := source.EditedFile(s.Place)
	k, changes, err := openKept(file)
	if err != nil {
		return err
	}
	if t.opts.Halves {
		clear(k.half)
	}
	t.kept = k
	for _, c := range changes {
		if err := t.redo(c); err != nil {
			return fault.InFile(fault.Wrap(fault.Corrupt, err, "the unsaved changes at %s", k.dir), file)
		}
	}
	t.found = len(changes)
	return nil
}

// redo repeats a change from the log.
func (t *Tree) redo(c change) error {
	switch c.Do {
	case "put":
		// The content must be a regular file in the folder, not a link that leads
		// elsewhere.
		if info, err := t.kept.root.Lstat(c.Content); err != nil || c.Content == "" || !info.Mode().IsRegular() {
			return fault.New(fault.Corrupt, "the new content of %s is missing", c.Name)
		}
		at, err := t.place(c.Name)
		if err != nil {
			return err
		}
		defer at.release()
		return at.vol.draft.Put(t.kept.item(at.name, c.Content))
	case "mkdir":
		return t.mkdir(c.Name)
	case "remove":
		return t.remove(c.Name)
	case "rename":
		return t.rename(c.Name, c.To)
	}
	return nil // an attempt to save that did not succeed
}

// item makes a new file for the archive from kept content.
func (k *kept) item(name, content string) archive.Item {
	return archive.Item{Name: name, Size: -1, Open: func() (io.ReadCloser, error) { return k.openOwn(content, os.O_RDONLY) }}
}

// place finds the volume of a path and the name in it. The file need not exist yet. The
// caller must release the node.
func (t *Tree) place(name string) (*node, error) {
	dir, base := path.Split(name)
	n, err := t.find(path.Clean(dir))
	if err != nil {
		return nil, err
	}
	if n.whole || !n.vol.editable() { // folders of values are read-only
		n.release()
		return nil, &fs.PathError{Op: "change", Path: name, Err: errors.Join(errNoWrite, fs.ErrPermission)}
	}
	full := path.Join(n.name, base)
	if _, err := n.vol.stat(full); err != nil { // the name may end in #, for the archive as a file
		if file, ok := strings.CutSuffix(full, otherFace); ok {
			if _, err := n.vol.stat(file); err == nil {
				full, n.whole = file, true
			}
		}
	}
	n.name = full
	n.vol.pin()
	return n, nil
}

// editable reports whether a volume, and the archives around it, can be changed.
func (v *volume) editable() bool {
	for ; v != nil; v = v.outer {
		if _, ok := v.a.(archive.Editor); !ok && v.outer != nil {
			return false // the root was checked before
		}
	}
	return true
}

// pin keeps a volume open, because it has changes.
func (v *volume) pin() {
	for ; v.outer != nil; v = v.outer {
		v.mu.Lock()
		if !v.pinned {
			v.pinned = true
			v.tree.mu.Lock()
			v.refs++
			v.tree.mu.Unlock()
		}
		v.mu.Unlock()
	}
}

// changeable begins a change. The returned function ends it.
func (t *Tree) changeable(name string) (func(), error) {
	if t.kept == nil {
		return nil, &fs.PathError{Op: "change", Path: name, Err: errors.Join(errNoWrite, fs.ErrPermission)}
	}
	t.changing.RLock()
	return t.changing.RUnlock, nil
}

// Writing is a file that is open for writing.
type Writing struct {
	*os.File
	tree *Tree
}

// WriteAt writes data at an offset.
func (w *Writing) WriteAt(data []byte, off int64) (int, error) {
	w.mark(false)
	return w.File.WriteAt(data, off)
}

// Flush records that a program closed the file. Close follows, unless the program has
// another descriptor of it.
func (w *Writing) Flush() { w.mark(true) }

// mark records whether the program has closed an open file.
func (w *Writing) mark(closed bool) {
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	if _, open := w.tree.writing[w]; open {
		w.tree.writing[w] = closed
	}
}

// Close ends writing.
func (w *Writing) Close() error {
	w.ended()
	return w.File.Close()
}

// ended records that the file is not open any more.
func (w *Writing) ended() {
	w.tree.mu.Lock()
	_, open := w.tree.writing[w]
	delete(w.tree.writing, w)
	w.tree.mu.Unlock()
	if open {
		w.tree.kept.end(filepath.Base(w.Name()))
	}
}

// OpenFile opens a file for writing, with the flags of os.OpenFile.
func (t *Tree) OpenFile(name string, flags int) (*Writing, error) {
	end, err := t.changeable(name)
	if err != nil {
		return nil, err
	}
	defer end()
	at, err := t.place(name)
	if err != nil {
		return nil, err
	}
	defer at.release()
	return t.openKept(at, name, flags)
}

// writer registers a kept content that is open for writing.
func (t *Tree) writer(f *os.File) *Writing {
	w := &Writing{File: f, tree: t}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.writing[w] = false
	return w
}

// openKept opens the kept content of a file, and creates it on first use.
func (t *Tree) openKept(at *node, name string, flags int) (*Writing, error) {
	info, err := at.vol.stat(at.name)
	switch {
	case err == nil && info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: name, Err: vfs.ErrIsDir}
	case err == nil && flags&os.O_EXCL != 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
	case err == nil && info.Entry < 0:
		f, err := at.vol.draft.Open(at.name)
		if err != nil {
			return nil, err
		}
		content := filepath.Base(f.(*os.File).Name())
		f.Close()
		again, err := t.kept.openContent(content, flags&os.O_TRUNC)
		if err != nil {
			return nil, err
		}
		return t.writer(again), nil
	case err != nil && flags&os.O_CREATE == 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case err != nil:
		if err := at.canHold(); err != nil {
			return nil, err
		}
	}
	f, err := t.kept.newContent()
	if err != nil {
		return nil, err
	}
	w := t.writer(f)
	if info.Entry >= 0 && flags&os.O_TRUNC == 0 && info.Name() != "" {
		if err := t.copyOut(at, f); err != nil {
			w.Close()
			return nil, err
		}
	}
	content := filepath.Base(f.Name())
	if err := errors.Join(at.vol.draft.Put(t.kept.item(at.name, content)), t.kept.add(change{Do: "put", Name: name, Content: content})); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// canHold returns an error if the archive cannot store the name of a node. So a program
// gets the error when it makes the file, and not when all changes are saved.
func (n *node) canHold() error {
	c, ok := n.vol.a.(archive.NameChecker)
	if !ok {
		return nil
	}
	err := c.CheckName(n.vol.a.Root().Stored(n.name))
	if err == nil {
		return nil
	}
	n.vol.tree.failed(n, err) // the program only gets an error number
	if errors.Is(err, fault.NameTooLong) {
		return err
	}
	return &fs.PathError{Op: "create", Path: n.name, Err: errors.Join(ErrName, err)}
}

// copyOut copies the content of a file, and its time.
func (t *Tree) copyOut(at *node, to *os.File) error {
	f, err := t.open(at)
	if err != nil {
		t.failed(at, err)
		return err
	}
	defer f.Close()
	if _, err := io.Copy(to, io.NewSectionReader(f, 0, f.Size())); err != nil {
		return err
	}
	if info, err := at.info(); err == nil {
		os.Chtimes(to.Name(), time.Time{}, info.mod)
	}
	_, err = to.Seek(0, io.SeekStart)
	return err
}

// SetTime changes the modification time of a file.
func (t *Tree) SetTime(name string, to time.Time) error {
	w, err := t.OpenFile(name, os.O_RDWR)
	if err != nil {
		return err
	}
	defer w.Close()
	return os.Chtimes(w.Name(), time.Time{}, to)
}

// Truncate cuts or extends a file.
func (t *Tree) Truncate(name string, size int64) error {
	w, err := t.OpenFile(name, os.O_RDWR)
	if err != nil {
		return err
	}
	defer w.Close()
	return w.File.Truncate(size)
}

// Mkdir makes a folder.
func (t *Tree) Mkdir(name string) error {
	return t.change(name, func() error { return t.mkdir(name) }, change{Do: "mkdir", Name: name})
}

// Remove removes a file or an empty folder.
func (t *Tree) Remove(name string) error {
	return t.change(name, func() error { return t.remove(name) }, change{Do: "remove", Name: name})
}

// Rename moves a file or a folder within an archive.
func (t *Tree) Rename(from, to string) error {
	return t.change(from, func() error { return t.rename(from, to) }, change{Do: "rename", Name: from, To: to})
}

// change makes a change and writes it to the log.
func (t *Tree) change(name string, do func() error, c change) error {
	end, err := t.changeable(name)
	if err != nil {
		return err
	}
	defer end()
	if err := do(); err != nil {
		return err
	}
	return t.kept.add(c)
}

func (t *Tree) mkdir(name string) error {
	at, err := t.place(name)
	if err != nil {
		return err
	}
	defer at.release()
	if err := at.canHold(); err != nil {
		return err
	}
	return at.vol.draft.Mkdir(at.name)
}

func (t *Tree) remove(name string) error {
	at, err := t.place(name)
	if err != nil {
		return err
	}
	defer at.release()
	if at.showsFiles() {
		return &fs.PathError{Op: "remove", Path: name, Err: vfs.ErrNotEmpty}
	}
	if err := at.vol.draft.Remove(at.name); err != nil {
		return err
	}
	at.vol.forget(at.name)
	return nil
}

// showsFiles reports whether an archive is shown as a folder that is not empty.
func (n *node) showsFiles() bool {
	info, err := n.vol.stat(n.name)
	if err != nil || n.whole || info.IsDir() || !n.vol.isFolder(n.name, info) {
		return false
	}
	in, err := n.vol.enter(n.name)
	if err != nil {
		return false
	}
	defer n.vol.tree.release(in)
	list, err := in.draft.ReadDir(".")
	return err == nil && len(list) > 0
}

// ErrName is the error for a file whose name the archive cannot store.
var ErrName = errors.New("has a name that the archive cannot store")

// ErrOtherArchive is the error for a rename from one archive into another.
var ErrOtherArchive = errors.New("is in another archive")

// ErrBeingWritten is the error for saving an archive while a file in it is written.
var ErrBeingWritten = errors.New("a file in it is being written")

// ErrUnsaved is the error for renaming an archive with unsaved changes.
var ErrUnsaved = errors.New("contains unsaved changes")

func (t *Tree) rename(from, to string) error {
	a, err := t.place(from)
	if err != nil {
		return err
	}
	defer a.release()
	b, err := t.place(to)
	if err != nil {
		return err
	}
	defer b.release()
	if a.vol != b.vol {
		return &fs.PathError{Op: "rename", Path: to, Err: ErrOtherArchive}
	}
	if a.vol.unsavedBelow(a.name) || a.vol.unsavedBelow(b.name) {
		return &fs.PathError{Op: "rename", Path: from, Err: ErrUnsaved}
	}
	if err := b.canHold(); err != nil {
		return err
	}
	if err := a.vol.draft.Rename(a.name, b.name); err != nil {
		return err
	}
	a.vol.forget(a.name)
	a.vol.forget(b.name)
	return nil
}

// unsaved reports whether a volume, or an archive in it, has changes.
func (v *volume) unsaved() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.pinned
}

// unsavedBelow reports whether an archive at a path, or below a folder, has changes.
func (v *volume) unsavedBelow(name string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for at, in := range v.inner {
		if in != nil && (at == name || strings.HasPrefix(at, name+"/")) && in.unsaved() {
			return true
		}
	}
	return false
}

// forget drops the cached archives at a path and below it.
func (v *volume) forget(name string) {
	var gone []*volume
	v.mu.Lock()
	for at, in := range v.inner {
		if at == name || strings.HasPrefix(at, name+"/") {
			delete(v.inner, at)
			if in != nil {
				gone = append(gone, in)
			}
		}
	}
	v.mu.Unlock()
	for _, in := range gone {
		in.unpin()
	}
}
