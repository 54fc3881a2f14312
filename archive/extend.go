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

// A large archive whose header says where its table is need not be written anew for a
// small change. New data and a new table go behind its end; then the header is changed
// in one write of a few bytes. Before that write the old archive counts, after it the new
// one. A note beside the file tells which bytes these are, and how long the file was: if
// the process is killed, whoever opens the file next cuts off what was appended.

// extendSuffix ends the name of the note about a file that is being extended.
const extendSuffix = ".pakbox-append"

// extendNote is the text of the note: the size and the time of the file before, and the
// old bytes that are the last to be replaced.
const extendNote = "%d bytes of %d until %x at %d changes\n"

// maxSwitch bounds the end of the bytes that are replaced last. They lie in the first
// sector of the file, which a disk writes as a whole or not at all.
const maxSwitch = 512

// extension is a file that is being extended.
type extension struct {
	file *os.File
	path string
	old  extended
	next []byte // replaces old.head; nil if it is not known yet
}

// extended is what a note says.
type extended struct {
	size int64
	time int64 // of the last change, in nanoseconds since 1970
	head []byte
	at   int64 // where head stands
}

func (e extended) String() string { return fmt.Sprintf(extendNote, e.size, e.time, e.head, e.at) }

// Extend opens the destination itself, to append to it. The n bytes at offset at are the
// last to change: see [Stage.Switch]. ok is false if the file has to be written
// anew: it is no regular file, has another name too, cannot be written, or another
// process extends it.
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

// Switch gives the bytes that make what was appended count. Commit writes them when all
// else is on the disk.
func (s *Stage) Switch(head []byte) { s.extension.next = bytes.Clone(head) }

// note writes the note. It is on the disk before anything is appended.
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
	if !ok { // another process took the note for stray, or the disk is full
		os.Remove(name)
		return errors.Join(err, fs.ErrExist)
	}
	s.held = append(s.held, release)
	if s.NoSync {
		return nil
	}
	return syncDir(filepath.Dir(x.path))
}

// commit changes the bytes that make what was appended count.
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

// abort takes back what was appended.
func (x *extension) abort() {
	x.old.cut(x.file)
	x.file.Close()
	os.Chtimes(x.path, time.Time{}, time.Unix(0, x.old.time))
	os.Remove(x.path + extendSuffix)
}

// counts reports whether what was appended to f counts.
func (e extended) counts(f io.ReaderAt) bool {
	head := make([]byte, len(e.head))
	_, err := f.ReadAt(head, e.at)
	return err != nil || !bytes.Equal(head, e.head)
}

// cut makes f as long as it was, unless what was appended counts.
func (e extended) cut(f *os.File) error {
	info, err := f.Stat()
	if err != nil || e.counts(f) || info.Size() <= e.size {
		return err
	}
	return f.Truncate(e.size)
}

// readExtended reads the note about the file at path. ok is false if there is none.
func readExtended(path string) (e extended, ok bool) {
	text, err := os.ReadFile(path + extendSuffix)
	if err != nil {
		return e, false
	}
	n, _ := fmt.Sscanf(string(text), extendNote, &e.size, &e.time, &e.head, &e.at)
	return e, n == 4 && len(e.head) <= maxSwitch && e.String() == string(text)
}

// cutExtension takes back what a killed process appended to the file at path, and removes
// the note. The caller holds the note.
func cutExtension(path string) {
	if e, ok := readExtended(path); ok {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return // perhaps the next one may
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

// settleExtension is cutExtension for a file whose note nobody else holds.
func settleExtension(path string) {
	if release, ok := stray.Abandoned(path + extendSuffix); ok {
		cutExtension(path)
		release()
	}
}

// countedSize is the size of f, the file at path, without what was appended to it and does
// not count. Where the process that appended is gone, the file is cut.
func countedSize(path string, f io.ReaderAt, size int64) int64 {
	e, ok := readExtended(path)
	if !ok {
		return size
	}
	settleExtension(path)
	if e.size < size && !e.counts(f) {
		return e.size
	}
	return size
}
