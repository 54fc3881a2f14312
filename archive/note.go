package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"pakbox/internal/lib/regular"
	"pakbox/internal/lib/stray"
)

// A note is a file beside other files in which a process notes its work on them. If the
// process is killed, the next one that writes into the folder reads the note and finishes
// or undoes the work. Archives, repositories and other users can bring files with the name
// of a note, so a note counts only if it states its own identity, which nobody can choose,
// and only for files that still are as it describes. Any other file with such a name is left
// alone.
type note struct {
	ID uint64 `json:"note"` // the identity of the note's own file

	// Bytes are appended to Data until Waiting takes the place of Main. See stray.go.
	Data    *noted `json:"data,omitempty"`
	Main    *noted `json:"main,omitempty"`
	Waiting *noted `json:"waiting,omitempty"`

	// A file is extended. See extend.go.
	Extended *noted `json:"extended,omitempty"`
	Head     []byte `json:"head,omitempty"`
	At       int64  `json:"at,omitempty"`

	// A set of files is committed. See stageset.go.
	Moves []move `json:"moves,omitempty"`
}

// noted is a file in a note.
type noted struct {
	Name string `json:"name,omitempty"` // beside the note
	ID   uint64 `json:"id"`
	Size int64  `json:"size"`
	Time int64  `json:"time"`           // of the last change, in nanoseconds since 1970
	Tail string `json:"tail,omitempty"` // SHA-256 of the last bytes
}

// tailSize is how much of the end of a file is compared with a note.
const tailSize = 4096

// noteFile describes an open file for a note.
func noteFile(f *os.File) (noted, error) {
	info, err := f.Stat()
	if err != nil {
		return noted{}, err
	}
	id, _ := stray.Identity(f)
	n := noted{Name: filepath.Base(f.Name()), ID: id, Size: info.Size(), Time: info.ModTime().UnixNano()}
	n.Tail, err = tailSum(f, n.Size)
	return n, err
}

func tailSum(f io.ReaderAt, size int64) (string, error) {
	h := sha256.New()
	from := max(0, size-tailSize)
	_, err := io.Copy(h, io.NewSectionReader(f, from, size-from))
	return hex.EncodeToString(h.Sum(nil)), err
}

// grown reports whether f is the noted file, to which bytes were appended.
func (n noted) grown(f *os.File) bool {
	id, ok := stray.Identity(f)
	info, err := f.Stat()
	if !ok || err != nil || id != n.ID || info.Size() < n.Size {
		return false
	}
	tail, err := tailSum(f, n.Size)
	return err == nil && tail == n.Tail
}

// unchanged reports whether the file at path is the noted one, and nobody has changed it.
func (n noted) unchanged(path string) bool {
	id, ok := stray.IdentityAt(path)
	info, err := os.Lstat(path)
	return ok && err == nil && id == n.ID && info.Size() == n.Size && info.ModTime().UnixNano() == n.Time
}

// is reports whether the file at path is the noted one.
func (n noted) is(path string) bool {
	id, ok := stray.IdentityAt(path)
	return ok && id == n.ID
}

// noteBegins is the beginning of a note.
func noteBegins(id uint64) string { return fmt.Sprintf(`{"note":%d,`, id) }

// writeNote makes a note. Its name is base and eight digits. The note is held until release
// is called.
func writeNote(base string, n note, sync func(*os.File) error) (path string, release func(), err error) {
	f, release, err := stray.Create(base, 0o644)
	if err != nil {
		return "", nil, err
	}
	n.ID, _ = stray.Identity(f)
	text, err := json.Marshal(n)
	if err == nil && len(text) > stray.MaxNote {
		err = errors.New("stage: too many files for one note")
	}
	if err == nil {
		_, err = f.Write(text)
	}
	if err == nil {
		err = sync(f)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
		release()
		return "", nil, err
	}
	return f.Name(), release, nil
}

// readNote reads the note at path. also is a file whose owner is trusted too; it may be
// nil. ok is false without a note, or with one that no pakbox wrote.
func readNote(path string, also fs.FileInfo) (n note, ok bool) {
	text, err := stray.ReadNote(path, also, noteBegins)
	if err != nil || json.Unmarshal(text, &n) != nil {
		return note{}, false
	}
	for _, f := range []*noted{n.Data, n.Main, n.Waiting, n.Extended} {
		if f != nil && (filepath.Base(f.Name) != f.Name || f.Size < 0) {
			return note{}, false
		}
	}
	return n, true
}

// openNoted opens the file that a note names, for writing, if bytes were appended to it
// since and nothing else has happened to it. ok is false if the file is another one now.
// The error is of the system.
func (n noted) openNoted(dir string) (f *os.File, ok bool, err error) {
	f, err = regular.OpenNoFollow(filepath.Join(dir, n.Name), os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, regular.ErrNotRegular) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	if !n.grown(f) {
		f.Close()
		return nil, false, nil
	}
	return f, true, nil
}
