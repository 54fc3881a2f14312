package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"pakbox/archive"
	"pakbox/archive/pack"
	"pakbox/fault"
	"pakbox/internal/lib/quote"
)

// Edit saves the archive at s with changes. Names in edits are names inside the archive.
// If the archive is inside another one, the outer one is edited to contain the new inner
// one, and so on outwards. Only the outermost file is replaced, in one step.
func (o *Opener) Edit(ctx context.Context, s *Source, edits []archive.Edit) error {
	if isStdin(s.Path) {
		return errStdin
	}
	return o.editPlace(ctx, s.Place, s.Path, edits, func() { s.Close() })
}

// EditTo writes the archive at s with changes to another path on disk. The archive itself
// stays as it is.
func (o *Opener) EditTo(ctx context.Context, s *Source, edits []archive.Edit, target string, force bool) error {
	editor, err := editorAt(s.Place, s.Path)
	if err != nil {
		return err
	}
	if s.Place.Format() == FolderFormat {
		return fault.Usagef("%s: a folder is changed in place", s.Path).Hint("copy the folder first")
	}
	opts, err := o.Options(s.Path)
	if err != nil {
		return err
	}
	stage, err := archive.NewStage(target, force)
	if err != nil {
		return err
	}
	defer stage.Abort()
	if err := editor.Edit(ctx, stage, edits, archive.CreateOptions{Options: opts}); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.Close() // the target may be an input, and Windows cannot replace an open file
	return stage.Commit()
}

// CanEdit returns an error if the archive at s, or one that contains it, cannot be
// changed in place.
func CanEdit(s *Source) error {
	if isStdin(s.Path) {
		return errStdin
	}
	for p := s.Place; p != nil; p = p.Outer {
		if _, err := editorAt(p, s.Path); err != nil {
			return err
		}
	}
	return nil
}

func editorAt(p *archive.Location, name string) (archive.Editor, error) {
	editor, ok := p.Archive.(archive.Editor)
	if ok {
		return editor, nil
	}
	err := fault.InFile(fault.New(fault.Unsupported, "%s archives cannot be changed in place", p.Format()), name)
	if _, ok := p.Archive.(archive.Valuer); ok {
		return nil, fault.WithHint(err, "'pakbox set' changes its values; 'pakbox map' a map's picture, items and the like")
	}
	return nil, fault.WithHint(err, "extract it, change the files, and create a new archive")
}

// EditedFile returns the file on disk that is replaced when an archive is changed.
func EditedFile(p *archive.Location) string {
	for p.Outer != nil {
		p = p.Outer
	}
	if name := p.PrimaryName(); name != "" {
		return filepath.Join(filepath.Dir(p.File), name)
	}
	return p.File
}

func (o *Opener) editPlace(ctx context.Context, p *archive.Location, name string, edits []archive.Edit, closeAll func()) error {
	editor, err := editorAt(p, name)
	if err != nil {
		return err
	}
	if p.Outer != nil {
		return o.editNested(ctx, p, name, edits, closeAll)
	}
	target := EditedFile(p)
	if IsFolder(target) && pack.HoldsWorkingDir(target) {
		return fault.Usagef("%s: pakbox runs in this folder and cannot replace it", name)
	}
	opts, err := o.Options(name)
	if err != nil {
		return err
	}
	stage, err := archive.NewStage(target, true)
	if err != nil {
		return err
	}
	defer stage.Abort()
	stage.Expect(p)
	if err := editor.Edit(ctx, stage, edits, archive.CreateOptions{Options: opts}); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := stage.Check(); err != nil {
		return err
	}
	closeAll()
	return stage.Commit()
}

var errStdin = fault.Usagef("standard input cannot be changed")

// CanReplace returns an error if the file from which s was opened cannot be replaced.
func CanReplace(s *Source, name string) error {
	switch {
	case isStdin(name):
		return errStdin
	case s.Place.Outer == nil:
		return nil
	}
	if _, ok := s.Place.Outer.Archive.(archive.Editor); !ok {
		return fault.Usagef("%s: a file inside a %s file cannot be changed", name, s.Place.Outer.Format())
	}
	return nil
}

// Replace replaces the content of the file from which s was opened, in one step: a file
// on disk, or a file in an archive, which is then edited.
func (o *Opener) Replace(ctx context.Context, s *Source, data []byte) error {
	outer := s.Place.Outer
	if outer == nil {
		return replaceFile(s, data)
	}
	item := archive.Item{
		Name: outer.Inner, Size: int64(len(data)), ModTime: time.Now(),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
	}
	if stored := SelectOne(outer.Archive, outer.Inner, MatchPath); len(stored) > 0 {
		item.Name = stored[0] // the archive's own spelling, because it may ignore case
	}
	return o.editPlace(ctx, outer, s.Path, []archive.Edit{{Put: &item}}, func() { s.Close() })
}

// editNested edits a copy of an inner archive and puts it into the outer one.
func (o *Opener) editNested(ctx context.Context, p *archive.Location, name string, edits []archive.Edit, closeAll func()) error {
	work := o.Apart()
	defer work.CleanUp()
	puts, err := work.EditCopy(ctx, p, name, edits)
	if err != nil {
		return err
	}
	return o.editPlace(ctx, p.Outer, name, puts, closeAll)
}

// EditCopy edits a copy of an inner archive, and returns the edits of the outer one that
// put the copy in its place. The copy exists until the opener is cleaned up.
func (o *Opener) EditCopy(ctx context.Context, p *archive.Location, name string, edits []archive.Edit) ([]archive.Edit, error) {
	dir, err := o.TempDir()
	if err != nil {
		return nil, err
	}
	outer := p.Outer
	inner, err := copyFamily(ctx, p, o.Extensions(p.Format()), dir)
	if err != nil {
		return nil, err
	}
	opts, err := o.Options(name)
	if err != nil {
		return nil, err
	}
	q, err := o.Formats.Enter(ctx, inner, opts)
	if err != nil {
		return nil, err
	}
	defer q.Close()
	if err := o.editPlace(ctx, q, name, edits, func() { q.Close() }); err != nil {
		return nil, err
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var puts []archive.Edit
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			return nil, err
		}
		item := pack.FileItem(filepath.Join(dir, f.Name()), path.Join(path.Dir(outer.Inner), f.Name()), info)
		puts = append(puts, archive.Edit{Put: &item})
	}
	return puts, nil
}

// copyFamily copies the files of the archive at p out of the outer archive, and returns
// the path of the file through which p was opened.
func copyFamily(ctx context.Context, p *archive.Location, exts []string, dir string) (string, error) {
	outer := p.Outer
	inner, err := copyOut(ctx, outer.Archive, outer.Inner, dir)
	if err != nil {
		return "", err
	}
	siblings, err := outer.ReadDir(path.Dir(outer.Inner))
	if err != nil {
		return "", err
	}
	for _, s := range siblings {
		if opened := path.Base(outer.Inner); s.IsDir() || s.Name() == opened || !pack.SameArchive(s.Name(), opened, exts) {
			continue
		}
		if _, err := copyOut(ctx, outer.Archive, path.Join(path.Dir(outer.Inner), s.Name()), dir); err != nil {
			return "", err
		}
	}
	return inner, nil
}

// InArchive returns the name in the whole archive for a name in s.
func (s *Source) InArchive(name string) string {
	if v, ok := s.Archive.(*archive.Section); ok {
		return path.Join(v.Dir(), name)
	}
	return name
}

// OpenForPut opens the archive at a path, or the archive through which the path leads.
// folder is then the rest of the path: a folder that does not exist yet.
func (o *Opener) OpenForPut(ctx context.Context, name string) (s *Source, folder string, err error) {
	s, err = o.Open(ctx, name)
	if err == nil {
		if !s.Whole {
			folder = s.Place.Inner
		}
		return s, folder, nil
	}
	parent := path.Dir(Slashed(name))
	if !errors.Is(err, fs.ErrNotExist) || !o.throughFile(Slashed(name)) {
		if errors.Is(err, fs.ErrNotExist) {
			err = fault.WithHint(err, "to make a new archive: pakbox create %s INPUT...", quote.Word(name))
		}
		return nil, "", err
	}
	s, folder, outerErr := o.OpenForPut(ctx, parent)
	if outerErr != nil {
		return nil, "", outerErr
	}
	return s, path.Join(folder, path.Base(Slashed(name))), nil
}

// throughFile is ThroughFile, on the file system or on Files.
func (o *Opener) throughFile(name string) bool { return through(o.Files, name) }

// IsFolder reports whether a folder exists at a path on disk.
func IsFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
