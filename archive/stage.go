package archive

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pakbox/fault"
	"pakbox/internal/lib/busy"
	"pakbox/internal/lib/regular"
	"pakbox/internal/lib/stray"
)

// Stage is where a new archive is written before it takes its place: hidden files in the
// folder of the destination, so that taking the place is a rename. Until
// [Stage.Commit] returns, the destination is either unchanged or complete; [Stage.Abort]
// removes the hidden files.
//
// A large file may be extended instead of replaced: see [Stage.Extend].
//
// Only a regular file is ever replaced. The new file gets the owner, group, mode and
// extended attributes of the old one. Links are followed; a device, a pipe or a socket is
// written to when the new archive is complete; a folder only takes the place of a folder.
// A folder that exists is never replaced: files are added to it and replaced in it, and only
// those go that [Stage.Remove] names.
type Stage struct {
	// NoSync makes Commit not wait for the disk. It is for many small results: after a power
	// cut they are made again, which costs less than waiting for each.
	NoSync bool

	target
	overwrite bool
	main      *os.File
	dir       string
	siblings  []staged
	appended  []appended
	extension *extension // nil unless the destination itself is extended
	held      []func()   // functions that release the hidden files; see stray.go
	seen      []seen     // what must not have changed
	changes   []folderChange
	locks     map[string]func()
	checked   bool
	done      bool
}

type staged struct {
	file *os.File
	target
}

type appended struct {
	file *os.File
	size int64  // the size before anything was appended
	note string // the file that notes this size
}

// NewStage prepares to write path. Unless overwrite is set, it refuses a path
// that exists.
func NewStage(path string, overwrite bool) (*Stage, error) {
	t, err := findTarget(path)
	if err == nil && t.through == nil {
		sweep(filepath.Dir(t.path))
		settle(setNote(t.path), finishSet) // it may be younger than the last sweep
		t, err = findTarget(path)
	}
	if err != nil {
		return nil, fault.System(err)
	}
	if err := t.checkWritable(overwrite); err != nil {
		return nil, fault.System(err)
	}
	if t.old != nil && t.old.IsDir() {
		t.path, err = filepath.Abs(t.path) // what is beside . has no name without it
		if err != nil {
			return nil, fault.System(err)
		}
	}
	return &Stage{target: t, overwrite: overwrite}, nil
}

// Path is the destination. Named is the path that the caller gave, which may be a link to
// the destination.
func (s *Stage) Path() string  { return s.path }
func (s *Stage) Named() string { return s.named }

// File returns the hidden file that becomes the destination.
func (s *Stage) File() (*os.File, error) {
	if s.main == nil {
		if err := s.checkFile(); err != nil {
			return nil, err
		}
		f, err := s.createTemp(s.target)
		if err != nil {
			return nil, err
		}
		s.main = f
	}
	return s.main, nil
}

// Dir returns the hidden folder that becomes the destination.
func (s *Stage) Dir() (string, error) {
	if s.dir == "" {
		if err := s.checkFolder(); err != nil {
			return "", err
		}
		dir, release, err := stray.Mkdir(tempBase(s.path), 0o777)
		if err != nil {
			return "", inPlaceOf(s.path, err)
		}
		s.held = append(s.held, release)
		s.dir = dir
		if s.old != nil {
			return s.dir, likeFolder(dir, s.path)
		}
	}
	return s.dir, nil
}

// SiblingPath is the path of a file called name beside the destination. If the caller gave a
// link, it is beside the link, where readers look.
func (s *Stage) SiblingPath(name string) string {
	return filepath.Join(filepath.Dir(s.named), name)
}

// Sibling returns a file called name that will stand beside the destination. Its name may
// differ from the destination's only in the extension. Both files are put in place together.
func (s *Stage) Sibling(name string) (*os.File, error) {
	if err := s.checkReplaceable(); err != nil {
		return nil, err
	}
	t, err := findTarget(s.SiblingPath(name))
	if err != nil {
		return nil, err
	}
	if err := errors.Join(t.checkWritable(s.overwrite), t.checkReplaceable()); err != nil {
		return nil, err
	}
	f, err := s.createTemp(t)
	if err != nil {
		return nil, err
	}
	s.siblings = append(s.siblings, staged{f, t})
	return f, nil
}

// Append opens an existing file beside the destination at its end. Readers of the old
// destination do not see the appended bytes. These are on disk before the new destination
// checkWritable its place, and Abort cuts them off again.
func (s *Stage) Append(name string) (*os.File, error) {
	main, err := s.File() // first, because the appended bytes count only when this file is renamed
	if err != nil {
		return nil, err
	}
	path, err := filepath.EvalSymlinks(s.SiblingPath(name))
	if err != nil {
		return nil, err
	}
	if err := s.lock(path, 0); err != nil {
		return nil, err
	}
	if err := s.changed(); err != nil {
		return nil, err
	}
	f, err := regular.OpenNoFollow(path, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	size, err := f.Seek(0, io.SeekEnd)
	note := ""
	if err == nil && filepath.Dir(path) == filepath.Dir(s.path) {
		var release func()
		if note, release, err = s.noteAppend(f, main); err == nil {
			s.held = append(s.held, release)
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	s.appended = append(s.appended, appended{f, size, note})
	return f, nil
}

// Commit puts the staged files in their places.
func (s *Stage) Commit() (err error) {
	if s.done {
		return errors.New("stage: already finished")
	}
	defer s.Abort() // does nothing after success
	if err := s.finish(); err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return err
	}
	if err := stray.Placing(s.place); err != nil {
		return err
	}
	if s.NoSync || s.through != nil {
		return nil
	}
	return syncDir(filepath.Dir(s.path))
}

// place moves the staged files to their places, and releases them.
func (s *Stage) place() (err error) {
	switch {
	case s.dir != "":
		err = s.commitDir()
	case s.extension != nil:
		err = s.extension.commit(s.sync)
	case s.main == nil:
		err = errors.New("stage: nothing was written")
	case s.through != nil:
		err = s.writeThrough(s.main)
		s.main.Close()
		os.Remove(s.main.Name())
	case len(s.siblings) > 0:
		err = s.commitSet()
	case s.overwrite:
		err = rename(s.main.Name(), s.path)
	default:
		err = renameNew(s.main.Name(), s.path)
	}
	if err != nil {
		return err
	}
	s.done = true
	for _, a := range s.appended {
		err = errors.Join(err, a.file.Close())
	}
	s.release()
	return err
}

// finish writes the staged files to disk, under their hidden names.
func (s *Stage) finish() error {
	for _, a := range s.appended {
		if err := s.sync(a.file); err != nil {
			return err
		}
	}
	if s.extension != nil {
		if err := s.sync(s.extension.file); err != nil {
			return err
		}
	}
	for _, f := range s.siblings {
		if err := s.finishFile(f.file, f.target); err != nil {
			return err
		}
	}
	if s.main == nil || s.through != nil {
		return nil
	}
	return s.finishFile(s.main, s.target)
}

func (s *Stage) finishFile(f *os.File, t target) error {
	if t.old != nil {
		keepAttributes(f, t.path)
	}
	return errors.Join(s.sync(f), f.Close())
}

func (s *Stage) sync(f *os.File) error {
	if s.NoSync {
		return nil
	}
	return f.Sync()
}

// Abort removes the staged files. After Commit it does nothing.
func (s *Stage) Abort() {
	if s.done {
		return
	}
	s.done = true
	defer s.release()
	for _, a := range s.appended {
		a.file.Truncate(a.size)
		a.file.Close()
	}
	if s.extension != nil {
		s.extension.abort()
	}
	for _, f := range s.siblings {
		f.file.Close()
		os.Remove(f.file.Name())
	}
	if s.main != nil {
		s.main.Close()
		os.Remove(s.main.Name())
	}
	if s.dir != "" {
		busy.RemoveAll(s.dir)
	}
}

// release ends the claim on all hidden files: none of them is temporary any more.
func (s *Stage) release() {
	for _, a := range s.appended {
		os.Remove(a.note)
	}
	for _, release := range s.held {
		release()
	}
	s.unlock()
}

// tempBase is the beginning of a hidden name beside path. A long name is cut, because most
// systems allow 255 bytes.
func tempBase(path string) string {
	base := filepath.Base(path)
	base = strings.ToValidUTF8(base[:min(len(base), 200)], "")
	return filepath.Join(filepath.Dir(path), "."+base+ownMark)
}

// createTemp makes the hidden file that will replace the target, in the same folder, with
// the same owner and permissions. If the target is a device or a pipe, the file is in the
// folder for temporary files.
func (s *Stage) createTemp(t target) (*os.File, error) {
	if t.through != nil {
		f, release, err := stray.CreateTemp()
		if err == nil {
			s.held = append(s.held, release)
		}
		return f, err
	}
	f, release, err := stray.Create(tempBase(t.path), 0o666)
	if err != nil {
		return nil, inPlaceOf(t.path, err)
	}
	s.held = append(s.held, release)
	if t.old != nil {
		if err := keepOwner(f, t.old); err != nil {
			f.Close()
			os.Remove(f.Name())
			return nil, err
		}
	}
	return f, nil
}

// inPlaceOf makes an error about a temporary name an error about path, or about the folder
// of path if that folder is missing.
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
		return nil // a folder that the user may write but not read
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}
