package source

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/spell"
)

// Source is what a path argument stands for: an archive, or a folder or file inside one,
// presented as an archive. Names in it are relative to the path, so that path/name is
// always a valid path too.
type Source struct {
	archive.Archive
	Path  string // in the user's words
	Place *archive.Location
	Opts  archive.Options
	Whole bool // the path is a whole archive

	// Inputs, if not nil, closes the files that go into the archive. Windows cannot
	// replace an open file, and an archive can be an input of itself.
	Inputs func()
}

// Close closes everything that was opened for the path.
func (s *Source) Close() error {
	if s.Inputs != nil {
		s.Inputs()
	}
	return s.Place.Close()
}

// Open opens the archive, or the folder in an archive, to which a path leads.
func (o *Opener) Open(ctx context.Context, name string) (*Source, error) {
	s, err := o.OpenAny(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := s.CheckArchive(name); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// CheckArchive rejects a source that is a file in an archive, but not an archive itself.
func (s *Source) CheckArchive(name string) error {
	if s.Whole || !IsFile(s.Place) {
		return nil
	}
	return fault.InFile(fault.New(fault.NotFormat, "is a file in a %s archive, but not an archive itself", s.Place.Format()), name)
}

// OpenAny is Open, but also accepts a path to a file in an archive. The source then
// contains only that file.
func (o *Opener) OpenAny(ctx context.Context, name string) (*Source, error) {
	opts, err := o.Options(name)
	if err != nil {
		return nil, err
	}
	file, err := o.Resolve(ctx, name)
	if err != nil {
		return nil, err
	}
	p, err := o.Locate(ctx, file, opts)
	if err != nil {
		return nil, err
	}
	s := &Source{Path: strings.TrimRight(name, "/"), Place: p, Opts: opts}
	if s.Path == "" {
		s.Path = name
	}
	if p.Inner != "." && IsFile(p) {
		inner, err := o.Formats.EnterPlace(ctx, p, opts)
		if err == nil {
			s.Place, p = inner, inner
		} else if !errors.Is(err, fault.NotFormat) {
			p.Close()
			return nil, err
		} else {
			s.Path = path.Dir(s.Path)
		}
	}
	s.Archive, s.Whole = p.Archive, p.Inner == "."
	if b, ok := p.Archive.(archive.Broken); ok && o.Damaged != nil {
		if err := b.Broken(); err != nil {
			o.Damaged(name, err)
		}
	}
	if !s.Whole {
		s.Archive = archive.NewSection(p.Archive, p.Inner)
	}
	return s, nil
}

// Salvage opens the readable parts of a damaged file that Open refuses.
func (o *Opener) Salvage(ctx context.Context, name string) (*Source, error) {
	opts, err := o.Options(name)
	if err != nil {
		return nil, err
	}
	in, closer, err := o.Input(ctx, name)
	if err != nil {
		return nil, err
	}
	p, err := o.Formats.Salvage(ctx, name, in, closer, opts)
	if err != nil {
		return nil, err
	}
	return &Source{Archive: p.Archive, Path: name, Place: p, Opts: opts, Whole: true}, nil
}

// Find follows a path to its end, which may be anything.
func (o *Opener) Find(ctx context.Context, name string) (*archive.Location, archive.Options, error) {
	opts, err := o.Options(name)
	if err != nil {
		return nil, opts, err
	}
	file, err := o.Resolve(ctx, name)
	if err != nil {
		return nil, opts, err
	}
	p, err := o.Locate(ctx, file, opts)
	return p, opts, err
}

// Locate follows a path. If the path does not exist inside an archive, the error suggests
// similar names.
func (o *Opener) Locate(ctx context.Context, file string, opts archive.Options) (*archive.Location, error) {
	p, err := o.Formats.Follow(ctx, file, opts)
	if err == nil || p == nil {
		return p, err
	}
	defer p.Close()
	if near := nearEntry(p.Archive, p.Inner); near != "" {
		err = fault.WithHint(err, "there is %s", near)
	}
	return nil, err
}

// nearEntry finds the entry that the user may have meant: one with the same name in
// another folder or another case, or with a similar name.
func nearEntry(a archive.Archive, name string) string {
	base := path.Base(Slashed(name))
	var names []string
	for _, e := range a.Entries() {
		if strings.EqualFold(path.Base(e.Name), base) {
			return e.Name
		}
		names = append(names, e.Name)
	}
	if near := spell.Near(name, names, 1); len(near) > 0 {
		return near[0]
	}
	return ""
}

// IsFile reports whether a path ends at a file.
func IsFile(p *archive.Location) bool {
	info, err := p.Stat(p.Inner)
	return err == nil && !info.IsDir()
}

// Resolve turns an argument into a path on disk. "-" stands for standard input, which is
// first copied to a temporary file, because every format needs random access.
func (o *Opener) Resolve(ctx context.Context, name string) (string, error) {
	if isStdin(name) {
		spool, err := o.SpoolStdin(ctx)
		return spool + name[1:], err
	}
	if trimmed := strings.TrimRight(name, "/"); trimmed != "" {
		return trimmed, nil
	}
	return name, nil
}

// isStdin reports whether a path is standard input or leads into it.
func isStdin(name string) bool { return name == "-" || strings.HasPrefix(name, "-/") }

// SpoolStdin copies standard input to a temporary file called "-".
func (o *Opener) SpoolStdin(ctx context.Context) (string, error) {
	o.temporary.stdin.Lock()
	defer o.temporary.stdin.Unlock()
	if o.temporary.spool != "" {
		return o.temporary.spool, nil
	}
	dir, err := o.TempDir()
	if err != nil {
		return "", err
	}
	f, err := os.Create(filepath.Join(dir, "-"))
	if err != nil {
		return "", err
	}
	_, err = bulk.Copy(ctx, f, o.Stdin)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	o.temporary.spool = f.Name()
	return f.Name(), nil
}
