package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/spell"
)

// source is what a path argument stands for: an archive, or a folder or file
// inside one, seen as an archive of its own. Names in it are relative to the
// path, so that path/name is always a path too.
type source struct {
	archive.Archive
	path  string // as the user knows it
	place *archive.Place
	opts  archive.Options
	whole bool // the path is an archive, not a part of one
}

func (s *source) Close() error { return s.place.Close() }

// open opens the archive that path leads to, or the folder in an archive.
func (o *opener) open(ctx context.Context, name string) (*source, error) {
	s, err := o.openAny(ctx, name)
	if err == nil && !s.whole && isFile(s.place) {
		s.Close()
		return nil, fault.InFile(fault.New(fault.NotFormat, "is a file in a %s archive, and not an archive itself", s.place.Format()), name)
	}
	return s, err
}

// openAny is open, but where the path leads to a file in an archive that is
// no archive itself, the source holds just that file.
func (o *opener) openAny(ctx context.Context, name string) (*source, error) {
	opts, err := o.options(name)
	if err != nil {
		return nil, err
	}
	file, err := o.resolve(ctx, name)
	if err != nil {
		return nil, err
	}
	p, err := o.locate(ctx, file, opts)
	if err != nil {
		return nil, err
	}
	s := &source{path: strings.TrimRight(name, "/"), place: p, opts: opts}
	if s.path == "" {
		s.path = name
	}
	if p.Inner != "." && isFile(p) {
		inner, err := o.formats.Enter(ctx, file, opts)
		if err == nil {
			p.Close()
			s.place, p = inner, inner
		} else if !errors.Is(err, fault.NotFormat) {
			p.Close()
			return nil, err
		} else {
			s.path = path.Dir(s.path)
		}
	}
	s.Archive, s.whole = p.Archive, p.Inner == "."
	if !s.whole {
		s.Archive = newView(p.Archive, p.Inner)
	}
	return s, nil
}

// find follows a path argument to its end, be that an archive or not.
func (o *opener) find(ctx context.Context, name string) (*archive.Place, archive.Options, error) {
	opts, err := o.options(name)
	if err != nil {
		return nil, opts, err
	}
	file, err := o.resolve(ctx, name)
	if err != nil {
		return nil, opts, err
	}
	p, err := o.locate(ctx, file, opts)
	return p, opts, err
}

// locate follows a path. Where it leads to nothing inside an archive, the
// error says what is near.
func (o *opener) locate(ctx context.Context, file string, opts archive.Options) (*archive.Place, error) {
	p, err := o.formats.Locate(ctx, file, opts)
	if err == nil || !errors.Is(err, fs.ErrNotExist) || !throughFile(slashed(file)) {
		return p, err
	}
	for dir := path.Dir(slashed(file)); throughFile(dir) || outermost(dir) == dir; dir = path.Dir(dir) {
		p, failed := o.formats.Enter(ctx, dir, opts)
		if failed != nil {
			continue
		}
		defer p.Close()
		rest := strings.TrimPrefix(slashed(file), dir+"/")
		if p.Inner != "." {
			rest = path.Join(p.Inner, rest)
		}
		if near := nearEntry(p.Archive, rest); near != "" {
			return nil, withHint(err, "there is %s", near)
		}
		break
	}
	return nil, err
}

// nearEntry finds the entry that someone who asked for a name may have meant:
// one that is called so in another folder or another case, or nearly so.
func nearEntry(a archive.Archive, name string) string {
	base := path.Base(slashed(name))
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

func isFile(p *archive.Place) bool {
	info, err := p.Stat(p.Inner)
	return err == nil && !info.IsDir()
}

// resolve turns an argument into a path of the file system: "-" stands for
// standard input, which is read into a temporary file first, because every
// format needs to jump about in its file.
func (o *opener) resolve(ctx context.Context, name string) (string, error) {
	if isStdin(name) {
		spool, err := o.spoolStdin(ctx)
		return spool + name[1:], err
	}
	if trimmed := strings.TrimRight(name, "/"); trimmed != "" {
		return trimmed, nil
	}
	return name, nil
}

// isStdin reports whether a path is standard input or leads into it.
func isStdin(name string) bool { return name == "-" || strings.HasPrefix(name, "-/") }

// spoolStdin copies standard input to a temporary file called "-".
func (o *opener) spoolStdin(ctx context.Context) (string, error) {
	o.temporary.stdin.Lock()
	defer o.temporary.stdin.Unlock()
	if o.temporary.spool != "" {
		return o.temporary.spool, nil
	}
	dir, err := o.tempDir()
	if err != nil {
		return "", err
	}
	f, err := os.Create(filepath.Join(dir, "-"))
	if err != nil {
		return "", err
	}
	_, err = bulk.Copy(ctx, f, o.stdin)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	o.temporary.spool = f.Name()
	return f.Name(), nil
}
