package cli

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
	"pakbox/fault"
)

// edit saves the archive at s with changes. Names in edits are those inside
// the archive. Where the archive lies inside another, the outer one is edited
// to hold the new inner one, and so on outwards: only the outermost file is
// replaced, in one step.
func (a *app) edit(ctx context.Context, s *source, edits []archive.Edit) error {
	if isStdin(s.path) {
		return errStdin
	}
	end := a.watch("saving")
	defer end()
	return a.editPlace(ctx, s.place, s.path, edits, func() { s.Close() })
}

func (a *app) editPlace(ctx context.Context, p *archive.Place, name string, edits []archive.Edit, closeAll func()) error {
	editor, ok := p.Archive.(archive.Editor)
	if !ok {
		err := fault.InFile(fault.New(fault.Unsupported, "%s archives cannot be changed in place", p.Format()), name)
		if _, ok := p.Archive.(archive.Valuer); ok {
			return withHint(err, "'pakbox set' changes its values; 'pakbox map' a map's picture, items and the like")
		}
		return withHint(err, "extract it, change the files, and create it anew")
	}
	if p.Outer != nil {
		return a.editNested(ctx, p, name, edits, closeAll)
	}
	target := p.File
	if primary, ok := p.Archive.(archive.Primary); ok {
		target = filepath.Join(filepath.Dir(target), primary.PrimaryName())
	}
	if isFolder(target) && holdsWorkingDir(target) {
		return usagef("%s: pakbox runs in this folder and cannot replace it", name)
	}
	opts, err := a.options(name)
	if err != nil {
		return err
	}
	stage, err := archive.NewStage(target, true)
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
	closeAll()
	return stage.Commit()
}

var errStdin = usagef("standard input cannot be changed")

// canReplace tells whether the file that s was opened from can be saved anew
// where it lies.
func canReplace(s *source, name string) error {
	switch {
	case isStdin(name):
		return errStdin
	case s.place.Outer == nil:
		return nil
	}
	if _, ok := s.place.Outer.Archive.(archive.Editor); !ok {
		return usagef("%s: lies inside a %s file, where it cannot be changed", name, s.place.Outer.Format())
	}
	return nil
}

// replace puts new content in the place of the file that s was opened from, at
// once: a file of the file system, or one in an archive, which then is edited.
func (a *app) replace(ctx context.Context, s *source, data []byte) error {
	outer := s.place.Outer
	if outer == nil {
		target := s.place.File
		s.Close()
		return stageBytes(target, data, true)
	}
	item := archive.Item{
		Name: outer.Inner, Size: int64(len(data)), ModTime: time.Now(),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
	}
	if stored := selectOne(outer.Archive, outer.Inner, matchPath); len(stored) > 0 {
		item.Name = stored[0] // as the archive writes it, which may find names in any case
	}
	end := a.watch("saving")
	defer end()
	return a.editPlace(ctx, outer, s.path, []archive.Edit{{Put: &item}}, func() { s.Close() })
}

// editNested edits a copy of an inner archive and puts it into the outer one.
func (a *app) editNested(ctx context.Context, p *archive.Place, name string, edits []archive.Edit, closeAll func()) error {
	dir, err := a.tempDir()
	if err != nil {
		return err
	}
	outer := p.Outer
	inner, err := copyFamily(p, a.extensions(p.Format()), dir)
	if err != nil {
		return err
	}
	opts, err := a.options(name)
	if err != nil {
		return err
	}
	q, err := a.env.Formats.Enter(ctx, inner, opts)
	if err != nil {
		return err
	}
	defer q.Close()
	if err := a.editPlace(ctx, q, name, edits, func() { q.Close() }); err != nil {
		return err
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var puts []archive.Edit
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			return err
		}
		item := fileItem(filepath.Join(dir, f.Name()), path.Join(path.Dir(outer.Inner), f.Name()), info)
		puts = append(puts, archive.Edit{Put: &item})
	}
	return a.editPlace(ctx, outer, name, puts, closeAll)
}

// copyFamily copies the files that make up the archive at p out of the one
// that holds it, and returns the path of the one that p was opened through.
func copyFamily(p *archive.Place, exts []string, dir string) (string, error) {
	outer := p.Outer
	inner, err := copyOut(outer.Archive, outer.Inner, dir)
	if err != nil {
		return "", err
	}
	siblings, err := outer.ReadDir(path.Dir(outer.Inner))
	if err != nil {
		return "", err
	}
	for _, s := range siblings {
		if opened := path.Base(outer.Inner); s.IsDir() || s.Name() == opened || !sameArchive(s.Name(), opened, exts) {
			continue
		}
		if _, err := copyOut(outer.Archive, path.Join(path.Dir(outer.Inner), s.Name()), dir); err != nil {
			return "", err
		}
	}
	return inner, nil
}

// inArchive is the name in the whole archive of a name in s.
func (s *source) inArchive(name string) string {
	if s.whole {
		return name
	}
	return path.Join(s.place.Inner, name)
}

// openForPut opens the archive that path leads to, or leads into: the rest is
// a folder that does not exist there yet.
func (a *app) openForPut(ctx context.Context, name string) (s *source, folder string, err error) {
	s, err = a.open(ctx, name)
	if err == nil {
		if !s.whole {
			folder = s.place.Inner
		}
		return s, folder, nil
	}
	parent := path.Dir(slashed(name))
	if !errors.Is(err, fs.ErrNotExist) || !throughFile(slashed(name)) {
		if errors.Is(err, fs.ErrNotExist) {
			err = withHint(err, "to make a new archive: pakbox create %s INPUT...", name)
		}
		return nil, "", err
	}
	s, folder, outerErr := a.openForPut(ctx, parent)
	if outerErr != nil {
		return nil, "", outerErr
	}
	return s, path.Join(folder, path.Base(slashed(name))), nil
}
