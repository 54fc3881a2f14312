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
	"pakbox/internal/lib/hint"
	"pakbox/internal/lib/spell"
)

// Source is what a path argument stands for: an archive, or a folder or file
// inside one, seen as an archive of its own. Names in it are relative to the
// path, so that path/name is always a path too.
type Source struct {
	archive.Archive
	Path  string // as the user knows it
	Place *archive.Place
	Opts  archive.Options
	Whole bool // the path is an archive, not a part of one

	// Inputs closes the files that go into the archive, if not nil. Windows replaces
	// no file that is open, and an archive can be an input of itself.
	Inputs func()
}

// Close closes all that was opened on the way.
func (s *Source) Close() error {
	if s.Inputs != nil {
		s.Inputs()
	}
	return s.Place.Close()
}

// Open opens the archive that path leads to, or the folder in an archive.
func (o *Opener) Open(ctx context.Context, name string) (*Source, error) {
	s, err := o.OpenAny(ctx, name)
	if err == nil && !s.Whole && IsFile(s.Place) {
		s.Close()
		return nil, fault.InFile(fault.New(fault.NotFormat, "is a file in a %s archive, and not an archive itself", s.Place.Format()), name)
	}
	return s, err
}

// OpenAny is open, but where the path leads to a file in an archive that is
// no archive itself, the source holds just that file.
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
	if !s.Whole {
		s.Archive = newView(p.Archive, p.Inner)
	}
	return s, nil
}

// Find follows a path argument to its end, be that an archive or not.
func (o *Opener) Find(ctx context.Context, name string) (*archive.Place, archive.Options, error) {
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

// Locate follows a path. Where it leads to nothing inside an archive, the
// error says what is near.
func (o *Opener) Locate(ctx context.Context, file string, opts archive.Options) (*archive.Place, error) {
	if o.Files != nil {
		return o.follow(ctx, file, opts)
	}
	p, err := o.Formats.Follow(ctx, file, opts)
	if err == nil || p == nil {
		return p, err
	}
	defer p.Close()
	if near := nearEntry(p.Archive, p.Inner); near != "" {
		err = hint.With(err, "there is %s", near)
	}
	return nil, err
}

// nearEntry finds the entry that someone who asked for a name may have meant:
// one that is called so in another folder or another case, or nearly so.
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
func IsFile(p *archive.Place) bool {
	info, err := p.Stat(p.Inner)
	return err == nil && !info.IsDir()
}

// Resolve turns an argument into a path of the file system: "-" stands for
// standard input, which is read into a temporary file first, because every
// format needs to jump about in its file.
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
