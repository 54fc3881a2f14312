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
func (a *app) open(ctx context.Context, name string) (*source, error) {
	s, err := a.openAny(ctx, name)
	if err == nil && !s.whole && isFile(s.place) {
		s.Close()
		return nil, fault.InFile(fault.New(fault.NotFormat, "is a file in a %s archive, and not an archive itself", s.place.Format()), name)
	}
	return s, err
}

// openAny is open, but where the path leads to a file in an archive that is
// no archive itself, the source holds just that file.
func (a *app) openAny(ctx context.Context, name string) (*source, error) {
	opts, err := a.options(name)
	if err != nil {
		return nil, err
	}
	file, err := a.resolve(name)
	if err != nil {
		return nil, err
	}
	p, err := a.locate(ctx, file, opts)
	if err != nil {
		return nil, err
	}
	s := &source{path: strings.TrimRight(name, "/"), place: p, opts: opts}
	if s.path == "" {
		s.path = name
	}
	if p.Inner != "." && isFile(p) {
		inner, err := a.env.Formats.Enter(ctx, file, opts)
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
func (a *app) find(ctx context.Context, name string) (*archive.Place, archive.Options, error) {
	opts, err := a.options(name)
	if err != nil {
		return nil, opts, err
	}
	file, err := a.resolve(name)
	if err != nil {
		return nil, opts, err
	}
	p, err := a.locate(ctx, file, opts)
	return p, opts, err
}

// locate follows a path. Where it leads to nothing inside an archive, the
// error says what is near.
func (a *app) locate(ctx context.Context, file string, opts archive.Options) (*archive.Place, error) {
	p, err := a.env.Formats.Locate(ctx, file, opts)
	if err == nil || !errors.Is(err, fs.ErrNotExist) || !throughFile(slashed(file)) {
		return p, err
	}
	for dir := path.Dir(slashed(file)); throughFile(dir) || outermost(dir) == dir; dir = path.Dir(dir) {
		p, failed := a.env.Formats.Enter(ctx, dir, opts)
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
func (a *app) resolve(name string) (string, error) {
	if isStdin(name) {
		spool, err := a.spoolStdin()
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
func (a *app) spoolStdin() (string, error) {
	if a.spool != "" {
		return a.spool, nil
	}
	dir, err := a.tempDir()
	if err != nil {
		return "", err
	}
	f, err := os.Create(filepath.Join(dir, "-"))
	if err != nil {
		return "", err
	}
	_, err = bulk.Copy(a.ctx, f, a.env.Stdin)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	a.spool = f.Name()
	return a.spool, nil
}

// unspool gives standard input its own name back in a message.
func (a *app) unspool(message string) string {
	if a.spool == "" {
		return message
	}
	return strings.ReplaceAll(message, a.spool, "-")
}

// view is a folder or a single file of an archive as an archive.
type view struct {
	archive.Archive
	dir     string
	entries []archive.Entry
	index   []int // of the entries in the whole archive
}

func newView(a archive.Archive, inner string) *view {
	v := &view{Archive: a, dir: inner}
	// As the archive finds names: as stored, then in any case, then as they
	// are called outside.
	asStored := func(s string) string { return s }
	v.collect(inner, asStored)
	if len(v.entries) == 0 {
		v.collect(inner, strings.ToLower)
	}
	if len(v.entries) == 0 {
		v.collect(archive.DriveName(inner), strings.ToLower)
	}
	return v
}

func (v *view) collect(inner string, fold func(string) string) {
	want, depth := fold(inner), strings.Count(inner, "/")+1
	for i, e := range v.Archive.Entries() {
		head, rest := cutParts(e.Name, depth)
		switch {
		case fold(head) != want:
			continue
		case rest == "":
			e.Name = path.Base(e.Name)
			v.dir = path.Dir(inner)
		default:
			e.Name = rest
		}
		v.entries = append(v.entries, e)
		v.index = append(v.index, i)
	}
}

// cutParts cuts the first n parts off a path. Letters of another case may take
// more or fewer bytes, so that parts are counted.
func cutParts(name string, n int) (head, rest string) {
	at := 0
	for ; n > 0; n-- {
		slash := strings.IndexByte(name[at:], '/')
		if slash < 0 {
			return name, ""
		}
		at += slash + 1
	}
	return name[:at-1], name[at:]
}

// Facts describe the thing that the folder stands for, if it does.
func (v *view) Facts() []archive.Fact {
	if g, ok := archive.GroupAt(v.Archive, v.dir); ok {
		return g.Facts()
	}
	return nil
}

func (v *view) Entries() []archive.Entry              { return v.entries }
func (v *view) OpenEntry(i int) (fs.File, error)      { return v.Archive.OpenEntry(v.index[i]) }
func (v *view) Open(name string) (fs.File, error)     { return v.Archive.Open(path.Join(v.dir, name)) }
func (v *view) Stat(name string) (fs.FileInfo, error) { return v.Archive.Stat(path.Join(v.dir, name)) }
func (v *view) ReadDir(n string) ([]fs.DirEntry, error) {
	return v.Archive.ReadDir(path.Join(v.dir, n))
}
