package archive

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pakbox/internal/lib/stray"
)

// Several files that belong together are put in place by several renames. Before the first
// one a note lists them all: from then on the set is committed. If the process is killed
// between the renames, readers open the new files where they are, and the next process that
// writes into the folder finishes the renames. Readers never change a file.

// commitSuffix ends the name of the note. The name begins with the path of the files
// without their extensions.
const commitSuffix = ".pakbox-commit"

// move is the rename of one file of a set. The paths are relative to the folder of the
// note, because a link may lead to another folder.
type move struct {
	ID   uint64 `json:"id"`
	From string `json:"from"`
	To   string `json:"to,omitempty"` // "" if the file goes, or the folder if it is empty
}

// setNote is the path of the note about the set that the file at path belongs to.
func setNote(path string) string {
	return strings.TrimSuffix(path, filepath.Ext(path)) + commitSuffix
}

// commitSet puts several files in place.
func (s *Stage) commitSet() error {
	n, name, err := s.noteSet()
	if err != nil {
		return err
	}
	release, err := holdSet(name)
	if err != nil || release == nil {
		return err
	}
	defer release()
	moved, err := n.finish(name)
	if err != nil && !moved {
		os.Remove(name)
	} else if err != nil { // the rest of the set stays, for the next process that writes
		s.siblings, s.main = nil, nil
	}
	return err
}

// noteSet writes the note that commits the set, and returns its path.
func (s *Stage) noteSet() (n note, name string, err error) {
	name = setNote(s.path)
	for _, f := range append(s.siblings, staged{s.main, s.target}) {
		if _, err := os.Lstat(f.path); err == nil && !s.overwrite { // it was made meanwhile
			return n, name, &fs.PathError{Op: "create", Path: f.path, Err: fs.ErrExist}
		}
		m, err := newMove(filepath.Dir(name), f.file.Name(), f.path)
		if err != nil {
			return n, name, err
		}
		n.Moves = append(n.Moves, m)
	}
	path, free, err := writeNote(tempBase(s.path), n, s.sync)
	if err != nil {
		return n, name, err
	}
	err = renameNew(path, name)
	free()
	if err != nil {
		os.Remove(path)
		return n, name, err
	}
	return n, name, nil
}

// holdSet holds the note of a set. If another process is faster and finishes the set,
// holdSet waits for it, and release is nil.
func holdSet(name string) (release func(), err error) {
	for end := time.Now().Add(lockWait); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if release, ok := stray.Abandoned(name); ok {
			return release, nil
		}
		if _, err := os.Lstat(name); err != nil {
			return nil, nil
		}
	}
	return nil, &fs.PathError{Op: "change", Path: name, Err: stray.ErrHeld}
}

func newMove(dir, from, to string) (m move, err error) {
	m.ID, _ = stray.IdentityAt(from)
	for path, rel := range map[string]*string{from: &m.From, to: &m.To} {
		if path == "" {
			continue
		}
		if path, err = filepath.Abs(path); err != nil {
			return m, err
		}
		if dir, err = filepath.Abs(dir); err != nil {
			return m, err
		}
		if *rel, err = filepath.Rel(dir, path); err != nil {
			return m, err
		}
	}
	return m, nil
}

// finish makes the remaining renames, and removes the note at path. moved reports whether
// any file is in its place.
func (n note) finish(path string) (moved bool, err error) {
	dir := filepath.Dir(path)
	for _, m := range n.Moves {
		from, to := filepath.Join(dir, m.From), filepath.Join(dir, m.To)
		if m.ID != 0 && !(noted{ID: m.ID}).is(from) {
			continue // it is in its place
		}
		work := func() error { return rename(from, to) }
		if m.To == "" {
			work = func() error { return removeOne(from) }
		}
		if err := work(); err != nil {
			return moved, err
		}
		moved = true
	}
	return moved, os.Remove(path)
}

// finishSet finishes the set that the note at path commits. The caller holds the note.
func finishSet(path string) {
	if n, ok := readNote(path, nil); ok && len(n.Moves) > 0 {
		n.finish(path)
	}
}

// waiting are the temporary files and folders beside the note at path from which it moves
// files. They are not stray while the note is there.
func waiting(path string) (paths []string) {
	n, ok := readNote(path, nil)
	for _, m := range n.Moves {
		if first, _, _ := strings.Cut(filepath.ToSlash(m.From), "/"); ok {
			paths = append(paths, filepath.Join(filepath.Dir(path), first))
		}
	}
	return paths
}

// committed is a set of files that is committed and perhaps not in place. The zero value
// is for none.
type committed struct {
	dir   string
	moves []move
}

// committedSet returns the set that the file at path belongs to.
func committedSet(path string) committed {
	info, _ := os.Lstat(path)
	return committedBeside(path, info)
}

// committedBeside is committedSet for a file that is described already; nil if it is
// missing.
func committedBeside(path string, info fs.FileInfo) committed {
	name := setNote(path)
	n, _ := readNote(name, info)
	return committed{filepath.Dir(name), n.Moves}
}

// at returns where the file that belongs at path is now.
func (c committed) at(path string) string {
	for _, m := range c.moves {
		if m.To == "" || filepath.Join(c.dir, m.To) != filepath.Clean(path) {
			continue
		}
		if from := filepath.Join(c.dir, m.From); (noted{ID: m.ID}).is(from) {
			return from
		}
	}
	return path
}

// stat is os.Stat, also for a file that is committed and not yet in its place.
func stat(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err == nil {
		return info, nil
	}
	if t, err2 := findTarget(path); err2 == nil {
		if now := committedSet(t.path).at(t.path); now != t.path {
			return os.Lstat(now)
		}
	}
	return nil, err
}
