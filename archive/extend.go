package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

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

// extendNote is the text of the note: the old size and time of the file, and the old bytes
// that are replaced last.
const extendNote = "%d bytes of %d until %x at %d changes\n"

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

// extended is the content of a note.
type extended struct {
	size int64
	time int64 // time of the last change, in nanoseconds since 1970
	head []byte
	at   int64 // offset of head
}

func (e extended) String() string { return fmt.Sprintf(extendNote, e.size, e.time, e.head, e.at) }

// Extend opens the destination itself for appending. The n bytes at offset at must change
// last: see [Stage.Switch]. ok is false if the file must be rewritten: it is not a regular
// file, has a second name, cannot be written, or is being extended by another process.
func (s *Stage) Extend(at int64, n int) (f *os.File, ok bool) {
	if s.old == nil || !s.old.Mode().IsRegular() || at+int64(n) > maxSwitch {
		return nil, false
	}
	f, err := os.OpenFile(s.path, os.O_RDWR, 0)
	if err != nil {
		return nil, false
	}
	x := &extension{file: f, path: s.path}
	info, err := f.Stat()
	if err == nil {
		x.old = extended{size: info.Size(), time: info.ModTime().UnixNano(), head: make([]byte, n), at: at}
		_, err = f.ReadAt(x.old.head, at)
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
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, x.old.String())
	err = errors.Join(err, s.sync(f), f.Close())
	release, ok := func() {}, false
	if err == nil {
		release, ok = stray.HoldUntil(name, func() { cutExtension(x.path) })
	}
	if !ok { // another process removed the note as a stray one, or the disk is full
		os.Remove(name)
		return errors.Join(err, fs.ErrExist)
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
		return errors.New("stage: nothing says that the appended part counts")
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
	x.old.cut(x.file)
	x.file.Close()
	os.Chtimes(x.path, time.Time{}, time.Unix(0, x.old.time))
	os.Remove(x.path + extendSuffix)
}

// counts reports whether the data appended to f is part of the archive already.
func (e extended) counts(f io.ReaderAt) bool {
	head := make([]byte, len(e.head))
	_, err := f.ReadAt(head, e.at)
	return err != nil || !bytes.Equal(head, e.head)
}

// cut restores the old length of f, unless the appended data counts.
func (e extended) cut(f *os.File) error {
	info, err := f.Stat()
	if err != nil || e.counts(f) || info.Size() <= e.size {
		return err
	}
	return f.Truncate(e.size)
}

// readExtended reads the note about the file at path. ok is false if there is no note.
func readExtended(path string) (e extended, ok bool) {
	text, err := os.ReadFile(path + extendSuffix)
	if err != nil {
		return e, false
	}
	n, _ := fmt.Sscanf(string(text), extendNote, &e.size, &e.time, &e.head, &e.at)
	return e, n == 4 && len(e.head) <= maxSwitch && e.String() == string(text)
}

// cutExtension cuts off the data that a killed process appended to the file at path, and
// removes the note. The caller holds the note.
func cutExtension(path string) {
	if e, ok := readExtended(path); ok {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return // the next process may have the permission
		}
		counts := e.counts(f)
		err = errors.Join(e.cut(f), f.Close())
		if err == nil && !counts {
			err = os.Chtimes(path, time.Time{}, time.Unix(0, e.time))
		}
		if err != nil {
			return
		}
	}
	os.Remove(path + extendSuffix)
}

// settleExtension is cutExtension for a file whose note no other process holds.
func settleExtension(path string) {
	if release, ok := stray.Abandoned(path + extendSuffix); ok {
		cutExtension(path)
		release()
	}
}

// countedSize is the size of f, the file at path, without appended data that does not
// count.
func countedSize(path string, f io.ReaderAt, size int64) int64 {
	if e, ok := readExtended(path); ok && e.size < size && !e.counts(f) {
		return e.size
	}
	return size
}
