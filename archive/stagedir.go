package archive

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pakbox/fault"
	"pakbox/internal/lib/busy"
)

// A folder that exists is changed where it is: it keeps its owner, its permissions and
// everything that the stage does not name. New files are written into the hidden folder of
// [Stage.Dir], and then moved. A note lists all steps, so that the next process finishes
// them if this one is killed.

// aside is the folder in the hidden folder for files on their way to another name. An
// archive cannot have an entry of this name.
const aside = "x" + ownMark + "00000000"

// folderChange is one announced change of a folder.
type folderChange struct {
	from, to string // paths in the folder; to is "" for what is removed
	info     fs.FileInfo
}

// there returns the path of a name in the destination.
func (s *Stage) there(name string) string { return filepath.Join(s.path, filepath.FromSlash(name)) }

// PutFile announces a file of the staged folder. Commit fails if info is not what the
// destination has at this path by then; info is nil if it has nothing.
func (s *Stage) PutFile(name string, info fs.FileInfo) error {
	s.seen = append(s.seen, seen{path: s.there(name), info: info, itself: true})
	return s.stageFolder(filepath.Dir(filepath.FromSlash(name)))
}

// Remove makes Commit remove a file, or a folder that is empty by then, from the
// destination.
func (s *Stage) Remove(name string, info fs.FileInfo) {
	s.changes = append(s.changes, folderChange{from: name, info: info})
	if !info.IsDir() {
		s.seen = append(s.seen, seen{path: s.there(name), info: info, itself: true})
	}
}

// Move makes Commit give a file or a folder of the destination another name. The files in
// a folder are moved one by one. info and there are what the destination has at both paths;
// there is nil if it has nothing.
func (s *Stage) Move(from, to string, info, there fs.FileInfo) error {
	if info.IsDir() {
		s.changes = append(s.changes, folderChange{from, to, info})
		dir := filepath.Join(s.dir, filepath.FromSlash(to))
		return errors.Join(s.stageFolder(filepath.FromSlash(to)), likeFolder(dir, s.there(from)))
	}
	s.seen = append(s.seen, seen{path: s.there(from), info: info, itself: true})
	s.changes = append(s.changes, folderChange{from: from, to: to, info: info})
	return s.PutFile(to, there)
}

// stageFolder makes a folder in the staged one. Folders that the destination has are made
// like them, because new files inherit permissions.
func (s *Stage) stageFolder(name string) error {
	if name == "." {
		return nil
	}
	if err := s.stageFolder(filepath.Dir(name)); err != nil {
		return err
	}
	dir := filepath.Join(s.dir, name)
	if err := os.Mkdir(dir, 0o777); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil
		}
		return err
	}
	if _, err := os.Lstat(filepath.Join(s.path, name)); err != nil {
		return nil
	}
	return likeFolder(dir, filepath.Join(s.path, name))
}

// likeFolder gives a new folder the owner, permissions and attributes of an old one. The
// user can write into it all the same.
func likeFolder(dir, old string) error {
	info, err := os.Lstat(old)
	if err != nil || !info.IsDir() {
		return err
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	keepAttributes(f, old)
	if err := keepOwner(f, info); err != nil {
		return err
	}
	return os.Chmod(dir, info.Mode()&^fs.ModeType|0o700)
}

// commitDir puts the staged folder in place.
func (s *Stage) commitDir() error {
	if s.old == nil {
		return renameNew(s.dir, s.path)
	}
	n, err := s.folderSteps()
	if err != nil {
		return err
	}
	name := setNote(s.path)
	path, free, err := writeNote(tempBase(s.path), n, s.sync)
	if err != nil {
		return err
	}
	err = renameNew(path, name)
	free()
	if err != nil {
		os.Remove(path)
		return err
	}
	release, err := holdSet(name)
	if err == nil && release != nil {
		_, err = n.finish(name)
		release()
	}
	for _, c := range s.changes {
		if err == nil && c.to != "" && c.info.IsDir() {
			err = os.Chmod(s.there(c.to), c.info.Mode()&^fs.ModeType)
		}
	}
	if err == nil {
		if err = os.Remove(filepath.Join(s.dir, aside)); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err != nil { // files of the user may be aside: the rest stays, for the next process that writes
		s.dir = ""
		s.release()
		return err
	}
	busy.RemoveAll(s.dir)
	return nil
}

// folderSteps lists the steps that change the destination: files that get another name go
// aside, then what is removed goes, then new files and folders come, and those that went
// aside.
func (s *Stage) folderSteps() (n note, err error) {
	hold := filepath.Join(s.dir, aside)
	add := func(from, to string) {
		m, err2 := newMove(filepath.Dir(setNote(s.path)), from, to)
		n.Moves = append(n.Moves, m)
		err = errors.Join(err, err2, canWrite(filepath.Dir(from)))
	}
	var removed, back []folderChange
	for _, c := range s.changes {
		if c.to == "" || c.info.IsDir() {
			removed = append(removed, c)
			continue
		}
		if err := os.Mkdir(hold, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return n, err
		}
		add(s.there(c.from), filepath.Join(hold, strconv.Itoa(len(back))))
		back = append(back, c)
	}
	slices.SortStableFunc(removed, func(a, b folderChange) int { return strings.Compare(b.from, a.from) }) // what is in a folder before the folder
	for _, c := range removed {
		add(s.there(c.from), "")
	}
	if err := s.mergeSteps(".", add); err != nil {
		return n, err
	}
	for i, c := range back {
		m, err2 := newMove(filepath.Dir(setNote(s.path)), hold, s.there(c.to))
		m.ID, m.From = n.Moves[i].ID, n.Moves[i].To
		n.Moves, err = append(n.Moves, m), errors.Join(err, err2)
	}
	return n, err
}

// mergeSteps lists the moves of everything in a staged folder.
func (s *Stage) mergeSteps(name string, add func(from, to string)) error {
	files, err := os.ReadDir(filepath.Join(s.dir, name))
	if err != nil {
		return err
	}
	for _, f := range files {
		name := filepath.Join(name, f.Name())
		from, to := filepath.Join(s.dir, name), filepath.Join(s.path, name)
		old, err := os.Lstat(to)
		switch {
		case name == aside:
			continue
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		case err == nil && f.IsDir() && old.IsDir():
			if err := s.mergeSteps(name, add); err != nil { // a folder that the destination has stays
				return err
			}
			continue
		case err == nil && f.IsDir() != old.IsDir() && !s.goes(name):
			return fault.System(&fs.PathError{Op: "create", Path: to, Err: fs.ErrExist})
		}
		if err := s.finishFolder(from, to, old); err != nil {
			return err
		}
		if err := canWrite(filepath.Dir(to)); err != nil && old != nil {
			return err
		}
		add(from, to)
	}
	return nil
}

// goes reports whether the stage takes what the destination has at this path away.
func (s *Stage) goes(name string) bool {
	return slices.ContainsFunc(s.changes, func(c folderChange) bool {
		return strings.TrimSuffix(c.from, "/") == filepath.ToSlash(name)
	})
}

// finishFolder writes a staged file, or the files in a staged folder, to disk. A file that
// replaces another one gets its owner and permissions.
func (s *Stage) finishFolder(from, to string, old fs.FileInfo) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if errors.Is(err, fs.ErrPermission) { // a read-only file that only its content makes new
			return nil
		}
		if err != nil {
			return err
		}
		defer f.Close()
		if old != nil && old.Mode().IsRegular() {
			if err := keepOwner(f, old); err != nil {
				return err
			}
			keepAttributes(f, to)
		}
		return s.sync(f)
	})
}

// removeOne removes a file, or a folder if it is empty.
func removeOne(from string) error {
	err := busy.Retry(func() error { return os.Remove(from) })
	if info, err2 := os.Lstat(from); err2 == nil && info.IsDir() {
		return nil // somebody has put something into it
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
