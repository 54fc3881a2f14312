package archive

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pakbox/internal/lib/regular"
	"pakbox/internal/lib/stray"
)

// A large archive whose header states the place of its table need not be rewritten for a
// small change. New data and a new table are appended to the file; then the header is
// changed in one write of a few bytes. Before that write the old archive is valid, after
// it the new one. A note beside the file states these bytes and the old length of the
// file. If the process is killed, readers do not see the appended bytes, and the next
// process that writes into the folder cuts them off. Readers never change a file.

// extendSuffix ends the name of the note about a file that is being extended.
const extendSuffix = ".pakbox-append"

// maxSwitch limits the end of the bytes that are replaced last. They must be in the first
// sector of the file, which a disk writes as a whole or not at all.
const maxSwitch = 512

// extension is a file that is being extended.
type extension struct {
	file *os.File
	path string
	old  extended
	next []byte // new bytes for old.head; nil if they are not known yet
}

// extended is the file as it was before.
type extended struct {
	noted
	head []byte
	at   int64 // offset of head
}

// Extend opens the destination itself for appending. The n bytes at offset at must change
// last: see [Stage.Switch]. ok is false if the file must be rewritten: it is not a regular
// file, has a second name, cannot be written, or is being extended by another process.
func (s *Stage) Extend(at int64, n int) (f *os.File, ok bool) {
	if s.old == nil || !s.old.Mode().IsRegular() || at+int64(n) > maxSwitch {
		return nil, false
	}
	if s.lock(s.path, 0) != nil || s.changed() != nil {
		return nil, false
	}
	f, err := regular.OpenNoFollow(s.path, os.O_RDWR)
	if err != nil {
		return nil, false
	}
	x := &extension{file: f, path: s.path}
	info, err := f.Stat()
	if err == nil {
		x.old = extended{head: make([]byte, n), at: at}
		_, err = f.ReadAt(x.old.head, at)
	}
	if err == nil {
		x.old.noted, err = noteFile(f)
	}
	if err == nil && hasLinks(f, info) {
		err = errors.ErrUnsupported
	}
	if err == nil {
		err = x.note(s)
	}
	if err != nil {
		f.Close()
		return nil, false
	}
	s.extension = x
	return f, true
}

// Switch sets the bytes that make the appended data count. Commit writes them when
// everything else is on disk.
func (s *Stage) Switch(head []byte) { s.extension.next = bytes.Clone(head) }

// note writes the file from which an unfinished extension can be undone. It is on disk
// before anything is appended, unless NoSync is set.
func (x *extension) note(s *Stage) error {
	name := x.path + extendSuffix
	path, free, err := writeNote(tempBase(x.path), note{Extended: &x.old.noted, Head: x.old.head, At: x.old.at}, s.sync)
	if err != nil {
		return err
	}
	err = renameNew(path, name)
	free()
	if err != nil {
		os.Remove(path)
		return err
	}
	release, ok := stray.HoldUntil(name, func() { cutExtension(name) })
	if !ok { // another process removed the note as a stray one
		return fs.ErrNotExist
	}
	s.held = append(s.held, release)
	if s.NoSync {
		return nil
	}
	return syncDir(filepath.Dir(x.path))
}

// commit writes the bytes that make the appended data count.
func (x *extension) commit(sync func(*os.File) error) error {
	mine, err := x.file.Stat()
	there, err2 := os.Stat(x.path)
	switch {
	case err != nil || err2 != nil:
		return errors.Join(err, err2)
	case !os.SameFile(mine, there):
		return &fs.PathError{Op: "write", Path: x.path, Err: errors.New("another program replaced it meanwhile")}
	case len(x.next) != len(x.old.head):
		return errors.New("stage: the appended part is not marked as valid")
	}
	if _, err = x.file.WriteAt(x.next, x.old.at); err == nil {
		err = sync(x.file)
	}
	if err != nil {
		_, back := x.file.WriteAt(x.old.head, x.old.at)
		return errors.Join(err, back)
	}
	os.Remove(x.path + extendSuffix)
	return x.file.Close()
}

// abort cuts off the appended data.
func (x *extension) abort() {
	x.old.undo(x.file, x.path)
	x.file.Close()
	os.Remove(x.path + extendSuffix)
}

// counts reports whether the data appended to f is part of the archive already.
func (e extended) counts(f io.ReaderAt) bool {
	head := make([]byte, len(e.head))
	_, err := f.ReadAt(head, e.at)
	return err != nil || !bytes.Equal(head, e.head)
}

// undo restores the old length and time of f, the file at path, unless the appended data
// counts.
func (e extended) undo(f *os.File, path string) error {
	info, err := f.Stat()
	if err != nil || e.counts(f) {
		return err
	}
	if info.Size() > e.Size {
		if err := f.Truncate(e.Size); err != nil {
			return err
		}
	}
	if there, err := os.Lstat(path); err != nil || !os.SameFile(info, there) {
		return nil // another file has its place now, whose time is its own
	}
	return os.Chtimes(path, time.Time{}, time.Unix(0, e.Time))
}

// readExtended reads the note at path about a file that is being extended. ok is false
// without a note.
func readExtended(path string, also fs.FileInfo) (e extended, ok bool) {
	n, ok := readNote(path, also)
	if !ok || n.Extended == nil || len(n.Head) > maxSwitch || n.At < 0 || n.At > maxSwitch {
		return e, false
	}
	return extended{*n.Extended, n.Head, n.At}, true
}

// cutExtension cuts off the data that a killed process appended to the file that the note
// at path is about, and removes the note. The caller holds the note.
func cutExtension(path string) {
	e, ok := readExtended(path, nil)
	if !ok {
		return
	}
	file := strings.TrimSuffix(path, extendSuffix)
	if e.Name != filepath.Base(file) {
		return
	}
	f, ok, err := e.openNoted(filepath.Dir(path))
	if err != nil {
		return // the next process may have the permission
	}
	if ok {
		err = cutting(f, file, func() error { return e.undo(f, file) })
		if f.Close(); err != nil {
			return
		}
	}
	os.Remove(path)
}

// countedSize is the size of f, the file at path, without appended data that does not
// count.
func countedSize(path string, f *os.File, info fs.FileInfo) int64 {
	if e, ok := readExtended(path+extendSuffix, info); ok && e.grown(f) && !e.counts(f) {
		return e.Size
	}
	return info.Size()
}
