package archive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Stage is where a new archive is written before it takes its place: hidden
// files in the folder of the destination, so that taking the place is a
// rename. Whatever happens before [Stage.Commit] returns, the destination is
// either as it was or complete; [Stage.Abort] removes what was staged.
type Stage struct {
	path      string
	overwrite bool
	old       fs.FileInfo // what stands at path now; nil if nothing does
	main      *os.File
	dir       string
	siblings  []staged
	appended  []appended
	done      bool
}

type staged struct {
	file *os.File
	path string
}

type appended struct {
	file *os.File
	size int64 // before anything was appended
}

// A complete set of files that is about to take its place has these suffixes:
// one for the destination, whose presence means that the set is committed, one
// for the files beside it. See Stage.commitSet.
const (
	commitSuffix = ".pakbox-commit"
	partSuffix   = ".pakbox-part"
)

// NewStage prepares to write path. Unless overwrite is set, it refuses a path
// that exists.
func NewStage(path string, overwrite bool) (*Stage, error) {
	// A link is written through, not replaced.
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	old, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		old = nil
	case err != nil:
		return nil, err
	case !overwrite:
		return nil, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	return &Stage{path: path, overwrite: overwrite, old: old}, nil
}

// Path is the destination.
func (s *Stage) Path() string { return s.path }

// File returns the file that will be the destination.
func (s *Stage) File() (*os.File, error) {
	if s.main == nil {
		f, err := createTemp(s.path, s.old)
		if err != nil {
			return nil, err
		}
		s.main = f
	}
	return s.main, nil
}

// Dir returns the folder that will be the destination.
func (s *Stage) Dir() (string, error) {
	if s.dir == "" {
		dir := tempName(s.path)
		perm := fs.FileMode(0o777)
		if s.old != nil {
			perm = s.old.Mode().Perm() | 0o700
		}
		if err := os.Mkdir(dir, perm); err != nil {
			return "", inPlaceOf(s.path, err)
		}
		s.dir = dir
	}
	return s.dir, nil
}

// SiblingPath is the destination with another extension.
func (s *Stage) SiblingPath(ext string) string {
	return strings.TrimSuffix(s.path, filepath.Ext(s.path)) + ext
}

// Sibling returns a file that will stand beside the destination with another
// extension. Both take their places together.
func (s *Stage) Sibling(ext string) (*os.File, error) {
	path := s.SiblingPath(ext)
	old, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		old = nil
	} else if err != nil {
		return nil, err
	}
	if old != nil && !s.overwrite {
		return nil, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	f, err := createTemp(path, old)
	if err != nil {
		return nil, err
	}
	s.siblings = append(s.siblings, staged{f, path})
	return f, nil
}

// Append opens an existing sibling at its end. What is appended does not
// disturb readers of the old destination, which knows nothing of it; it is
// on disk before the new destination takes its place, and cut off again by
// Abort.
func (s *Stage) Append(ext string) (*os.File, error) {
	f, err := os.OpenFile(s.SiblingPath(ext), os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		f.Close()
		return nil, err
	}
	s.appended = append(s.appended, appended{f, size})
	return f, nil
}

// Commit puts what was staged in its place.
func (s *Stage) Commit() (err error) {
	if s.done {
		return errors.New("stage: already finished")
	}
	defer s.Abort() // of which nothing remains once all is in place
	for _, a := range s.appended {
		if err := a.file.Sync(); err != nil {
			return err
		}
	}
	for _, f := range s.siblings {
		if err := errors.Join(f.file.Sync(), f.file.Close()); err != nil {
			return err
		}
	}
	if s.main != nil {
		if err := errors.Join(s.main.Sync(), s.main.Close()); err != nil {
			return err
		}
	}
	switch {
	case s.dir != "":
		err = s.commitDir()
	case s.main == nil:
		err = errors.New("stage: nothing was written")
	case len(s.siblings) > 0:
		err = s.commitSet()
	default:
		err = os.Rename(s.main.Name(), s.path)
	}
	if err != nil {
		return err
	}
	s.done = true
	for _, a := range s.appended {
		err = errors.Join(err, a.file.Close())
	}
	return errors.Join(err, syncDir(filepath.Dir(s.path)))
}

// commitSet puts several files in place. Their renames cannot be one step, so
// the set first gets names of its own; the last of these renames is the
// moment of commitment. From then on [OpenFile] finishes the job if this
// process does not.
func (s *Stage) commitSet() error {
	for _, f := range s.siblings {
		if err := os.Rename(f.file.Name(), f.path+partSuffix); err != nil {
			return err
		}
	}
	if err := os.Rename(s.main.Name(), s.path+commitSuffix); err != nil {
		return err
	}
	err := finishCommit(s.path)
	if err != nil {
		s.withdraw()
	}
	return err
}

// withdraw takes the commitment back while none of the set is in its place. If
// one is, all of the set stays, for whoever opens the file next to finish:
// without the rest neither the old files nor the new ones are complete.
func (s *Stage) withdraw() {
	for _, f := range s.siblings {
		if _, err := os.Lstat(f.path + partSuffix); err != nil {
			s.siblings = nil
			return
		}
	}
	os.Remove(s.path + commitSuffix)
}

// finishCommit moves a committed set to its place, the main file last,
// because its presence is what tells a committed set from a stray one.
func finishCommit(path string) error {
	if _, err := os.Lstat(path + commitSuffix); err != nil {
		return nil
	}
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	names, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	for _, n := range names {
		full := filepath.Join(filepath.Dir(path), n.Name())
		target, ok := strings.CutSuffix(full, partSuffix)
		if ok && strings.TrimSuffix(target, filepath.Ext(target)) == stem {
			if err := os.Rename(full, target); err != nil {
				return err
			}
		}
	}
	return os.Rename(path+commitSuffix, path)
}

// commitDir swaps the staged folder with the old one, if there is one.
func (s *Stage) commitDir() error {
	if s.old == nil {
		return os.Rename(s.dir, s.path)
	}
	if err := os.Chmod(s.dir, s.old.Mode().Perm()); err != nil {
		return err
	}
	if err := exchange(s.dir, s.path); err != nil {
		return err
	}
	return os.RemoveAll(s.dir) // now the old folder
}

// Abort removes what was staged. After Commit it does nothing.
func (s *Stage) Abort() {
	if s.done {
		return
	}
	s.done = true
	for _, a := range s.appended {
		a.file.Truncate(a.size)
		a.file.Close()
	}
	for _, f := range s.siblings {
		f.file.Close()
		os.Remove(f.file.Name())
		os.Remove(f.path + partSuffix)
	}
	if s.main != nil {
		s.main.Close()
		os.Remove(s.main.Name())
	}
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
}

// tempName is a hidden name beside path. A long name is cut, because no system
// has room for much more than 255 bytes.
func tempName(path string) string {
	base := filepath.Base(path)
	base = strings.ToValidUTF8(base[:min(len(base), 200)], "")
	return filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.pakbox-%08x", base, rand.Uint32()))
}

// createTemp makes a file beside path with the permissions of old, or those
// of any new file.
func createTemp(path string, old fs.FileInfo) (*os.File, error) {
	f, err := os.OpenFile(tempName(path), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, inPlaceOf(path, err)
	}
	if old != nil {
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			f.Close()
			os.Remove(f.Name())
			return nil, err
		}
	}
	return f, nil
}

// inPlaceOf tells an error about a temporary name as one about the path that
// it stands for, or about the folder where that is what is missing.
func inPlaceOf(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		path = filepath.Dir(path)
	}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return &fs.PathError{Op: pathErr.Op, Path: path, Err: pathErr.Err}
	}
	return err
}

// syncDir makes a rename durable, where folders can be synced.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return nil // a folder one may write but not read
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}
