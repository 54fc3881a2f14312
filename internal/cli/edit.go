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
	"slices"
	"strings"
	"time"

	"pakbox/archive"
	"pakbox/fault"
)

// edit saves the archive at s with changes. Names in edits are those inside
// the archive. Where the archive lies inside another, the outer one is edited
// to hold the new inner one, and so on outwards: only the outermost file is
// replaced, in one step.
func (o *opener) edit(ctx context.Context, s *source, edits []archive.Edit) error {
	if isStdin(s.path) {
		return errStdin
	}
	return o.editPlace(ctx, s.place, s.path, edits, func() { s.Close() })
}

func (o *opener) editPlace(ctx context.Context, p *archive.Place, name string, edits []archive.Edit, closeAll func()) error {
	editor, ok := p.Archive.(archive.Editor)
	if !ok {
		err := fault.InFile(fault.New(fault.Unsupported, "%s archives cannot be changed in place", p.Format()), name)
		if _, ok := p.Archive.(archive.Valuer); ok {
			return withHint(err, "'pakbox set' changes its values; 'pakbox map' a map's picture, items and the like")
		}
		return withHint(err, "extract it, change the files, and create it anew")
	}
	if p.Outer != nil {
		return o.editNested(ctx, p, name, edits, closeAll)
	}
	target := p.File
	if primary, ok := p.Archive.(archive.Primary); ok {
		target = filepath.Join(filepath.Dir(target), primary.PrimaryName())
	}
	if isFolder(target) && holdsWorkingDir(target) {
		return usagef("%s: pakbox runs in this folder and cannot replace it", name)
	}
	opts, err := o.options(name)
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
func (o *opener) replace(ctx context.Context, s *source, data []byte) error {
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
	return o.editPlace(ctx, outer, s.path, []archive.Edit{{Put: &item}}, func() { s.Close() })
}

// editNested edits a copy of an inner archive and puts it into the outer one.
func (o *opener) editNested(ctx context.Context, p *archive.Place, name string, edits []archive.Edit, closeAll func()) error {
	dir, err := o.tempDir()
	if err != nil {
		return err
	}
	outer := p.Outer
	inner, err := copyFamily(p, o.extensions(p.Format()), dir)
	if err != nil {
		return err
	}
	opts, err := o.options(name)
	if err != nil {
		return err
	}
	q, err := o.formats.Enter(ctx, inner, opts)
	if err != nil {
		return err
	}
	defer q.Close()
	if err := o.editPlace(ctx, q, name, edits, func() { q.Close() }); err != nil {
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
	return o.editPlace(ctx, outer, name, puts, closeAll)
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
func (o *opener) openForPut(ctx context.Context, name string) (s *source, folder string, err error) {
	s, err = o.open(ctx, name)
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
	s, folder, outerErr := o.openForPut(ctx, parent)
	if outerErr != nil {
		return nil, "", outerErr
	}
	return s, path.Join(folder, path.Base(slashed(name))), nil
}

func fileItem(file, name string, info fs.FileInfo) archive.Item {
	return archive.Item{
		Name: name, Size: info.Size(), ModTime: info.ModTime(),
		Open: func() (io.ReadCloser, error) { return os.Open(file) },
	}
}

// sameArchive reports whether two files are one archive: one file, or those of
// the same stem with the extensions of a format that needs several.
func sameArchive(x, y string, exts []string) bool {
	extX, extY := path.Ext(x), path.Ext(y)
	is := func(ext string) bool { return slices.Contains(exts, strings.ToLower(ext)) }
	return x == y || is(extX) && is(extY) && !strings.EqualFold(extX, extY) &&
		strings.EqualFold(strings.TrimSuffix(x, extX), strings.TrimSuffix(y, extY))
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// holdsWorkingDir reports whether path is the working folder or above it.
func holdsWorkingDir(path string) bool {
	target, err := filepath.Abs(path)
	wd, err2 := os.Getwd()
	if errors.Join(err, err2) != nil {
		return false
	}
	rel, err := filepath.Rel(target, wd)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
