package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"pakbox/fault"
	"pakbox/internal/lib/spool"
	"pakbox/internal/lib/vfs"
	"pakbox/internal/lib/wire"
)

// Location is where a path leads. The path may go through archives, such as
// Packs/Stadium.pak/Media/x.dds. A Location holds the innermost archive, opened, and the
// path inside it.
type Location struct {
	Path  string // as given
	File  string // the file or folder of the file system that the path goes through
	Inner string // path inside Archive; "." for the whole archive
	Archive
	// Outer is the archive that holds this one, and Outer.Inner is the path of this one
	// in it. Outer is nil if the archive is a file of the file system.
	Outer *Location

	closers []io.Closer
	seen    []seen
}

// Info describes the file of the file system when it was opened; nil for a folder, and for
// files of [Options.Files].
func (p *Location) Info() fs.FileInfo {
	if len(p.seen) == 0 {
		return nil
	}
	return p.seen[0].info
}

// Close closes every file opened on the way.
func (p *Location) Close() error {
	var errs []error
	for i := len(p.closers) - 1; i >= 0; i-- {
		errs = append(errs, p.closers[i].Close())
	}
	p.closers = nil
	return errors.Join(errs...)
}

// Locate follows a path through the file system and then through archives.
// The last element may name an archive, a folder or a file inside one; if it
// names a file that is itself an archive, that archive is not opened: see
// [Registry.Enter].
func (r Registry) Locate(ctx context.Context, name string, opts Options) (*Location, error) {
	return orClosed(r.Follow(ctx, name, opts))
}

// Follow is [Registry.Locate] for callers that want to know how far a path leads. If
// nothing stands at the path inside an archive, Follow returns that archive, open, with
// the rest of the path in Inner, and the error.
func (r Registry) Follow(ctx context.Context, name string, opts Options) (*Location, error) {
	file, inner, info, err := SplitPath(opts.Files, name)
	if err != nil {
		return nil, err
	}
	p, err := r.openOutermost(ctx, file, info, opts)
	if err != nil {
		return nil, err
	}
	p.Path, p.Inner = name, inner
	return r.descend(ctx, p, opts)
}

// orClosed closes the place if there is an error.
func orClosed(p *Location, err error) (*Location, error) {
	if err != nil && p != nil {
		p.Close()
		p = nil
	}
	return p, err
}

// LocateInput is [Registry.Locate] for a file that is already open. name is the name of
// the file, and inner is the path inside it. The Place closes closer.
func (r Registry) LocateInput(ctx context.Context, name string, in Input, closer io.Closer, inner string, opts Options) (*Location, error) {
	p, err := r.openInput(ctx, name, in, closer, opts)
	if err != nil {
		return nil, err
	}
	p.Path, p.Inner = path.Join(name, inner), inner
	return orClosed(r.descend(ctx, p, opts))
}

// Enter is [Registry.Locate], but where the path ends at a file inside an
// archive, that file is opened as an archive too.
func (r Registry) Enter(ctx context.Context, name string, opts Options) (*Location, error) {
	p, err := r.Locate(ctx, name, opts)
	if err != nil {
		return nil, err
	}
	in, err := r.EnterPlace(ctx, p, opts)
	if err != nil {
		p.Close()
	}
	return in, err
}

// EnterPlace opens the file at the end of a place as an archive, as [Registry.Enter]
// does. Closing the new place also closes the old one. A place that ends at an archive or
// a folder is returned as it is. After an error the old place stays open.
func (r Registry) EnterPlace(ctx context.Context, p *Location, opts Options) (*Location, error) {
	if p.Inner == "." {
		return p, nil
	}
	info, err := p.Stat(p.Inner)
	if err != nil {
		return nil, inPath(err, p.Path)
	}
	if info.IsDir() {
		return p, nil
	}
	return r.enterFile(ctx, p, p.Inner, ".", opts)
}

func (r Registry) openOutermost(ctx context.Context, file string, info fs.FileInfo, opts Options) (*Location, error) {
	if info.IsDir() && opts.Files != nil {
		return nil, fault.InFile(fault.New(fault.NotFormat, "is a folder"), file)
	}
	if info.IsDir() {
		for _, f := range r {
			if d, ok := f.(DirOpener); ok {
				a, err := d.OpenDir(file)
				if err != nil {
					return nil, fault.System(err)
				}
				return &Location{File: file, Archive: a}, nil
			}
		}
		return nil, fault.System(&fs.PathError{Op: "open", Path: file, Err: vfs.ErrIsDir})
	}
	in, closer, err := opts.files().OpenFile(file)
	if err != nil {
		return nil, err
	}
	return r.openInput(ctx, file, in, closer, opts)
}

// openInput opens in as an archive. file is its path.
func (r Registry) openInput(ctx context.Context, file string, in Input, closer io.Closer, opts Options) (*Location, error) {
	p := &Location{File: file, closers: []io.Closer{closer}, seen: []seen{in.seen}}
	in.Sibling = p.keepOpen(in.Sibling)
	var err error
	if p.Archive, err = r.Open(ctx, in, opts); err != nil {
		p.Close()
		var e *fault.Error
		if errors.As(err, &e) && e.Kind != fault.Usage {
			c := *e
			c.Path = file
			return nil, &c
		}
		return nil, err
	}
	return p, nil
}

// keepOpen keeps the files that a format opens beside its own open until the place is
// closed.
func (p *Location) keepOpen(sibling func(string) (Input, io.Closer, error)) func(string) (Input, io.Closer, error) {
	if sibling == nil {
		return nil
	}
	return func(name string) (Input, io.Closer, error) {
		in, closer, err := sibling(name)
		if err == nil {
			p.closers = append(p.closers, closer)
			p.seen = append(p.seen, in.seen)
		}
		return in, io.NopCloser(nil), err
	}
}

// maxDepth limits how deep archives are nested in archives.
const maxDepth = 16

// descend opens the archives on the way to p.Inner. If there is nothing at
// p.Inner, it returns the place of the last archive with the error.
func (r Registry) descend(ctx context.Context, p *Location, opts Options) (*Location, error) {
	for depth := 0; ; depth++ {
		if p.Inner == "." {
			return p, nil // looking up "." would make the archive sort its names
		}
		head, rest, found := firstFile(p.Archive, p.Inner)
		if !found {
			_, err := p.Stat(p.Inner)
			if err != nil {
				err = inPath(err, p.Path)
			}
			return p, err
		}
		if depth == maxDepth {
			p.Close()
			return nil, fault.New(fault.Limit, "%s: archives are nested more than %d deep", p.Path, maxDepth)
		}
		next, err := r.enterFile(ctx, p, head, rest, opts)
		if err != nil {
			p.Close()
			return nil, err
		}
		p = next
	}
}

// firstFile splits the path inner behind the first element that is a file in a, such as
// an archive in the archive. found is false if only the last element can be a file.
func firstFile(a Archive, inner string) (head, rest string, found bool) {
	for i, c := range inner {
		if c != '/' {
			continue
		}
		info, err := a.Stat(inner[:i])
		if err != nil {
			return "", "", false
		}
		if !info.IsDir() {
			return inner[:i], inner[i+1:], true
		}
	}
	return "", "", false
}

// enterFile opens a file inside p.Archive as an archive. Closing the new place also
// closes p. After an error p is unchanged.
func (r Registry) enterFile(ctx context.Context, p *Location, name, rest string, opts Options) (*Location, error) {
	next := &Location{Path: p.Path, File: p.File, Inner: rest}
	outer := *p
	outer.Inner, outer.closers = name, nil
	next.Outer = &outer

	where := path.Join(filepath.ToSlash(p.File), outer.pathInside(), name)
	input := func(name string) (Input, io.Closer, error) {
		in, closer, err := entryInput(ctx, p.Archive, name, opts)
		if err != nil {
			return in, nil, inPath(err, where)
		}
		return in, closer, nil
	}
	in, closer, err := input(name)
	if err != nil {
		return nil, err
	}
	next.closers = append(next.closers, closer)
	in.Sibling = next.keepOpen(func(sibling string) (Input, io.Closer, error) {
		dir, err := fs.Sub(p.Archive, path.Dir(name))
		if err != nil {
			return Input{}, nil, err
		}
		return input(path.Join(path.Dir(name), inAnyCase(dir, sibling)))
	})
	if next.Archive, err = r.openEntry(ctx, in, opts); err != nil {
		next.Close()
		return nil, inPath(err, where)
	}
	next.closers = append(slices.Clip(p.closers), next.closers...)
	return next, nil
}

// pathInside is the path from the outermost file to this archive.
func (p *Location) pathInside() string {
	if p.Outer == nil {
		return ""
	}
	return path.Join(p.Outer.pathInside(), p.Outer.Inner)
}

// openEntry is [Registry.Open] for a file from [entryInput]. Only the first bytes of a
// file that is not an archive are unpacked. An archive of usual size is unpacked at once,
// because most formats read the whole file.
func (r Registry) openEntry(ctx context.Context, in Input, opts Options) (Archive, error) {
	f, err := r.Detect(in)
	if err != nil {
		return nil, err
	}
	if _, packed := in.ReaderAt.(*packedEntry); packed && in.Size <= wholeEntry {
		data := make(wire.Content, in.Size)
		if _, err := in.ReadAt(data, 0); err != nil {
			return nil, fault.InEntry(err, in.Name)
		}
		in.ReaderAt = data
	}
	a, err := f.Open(ctx, in, opts)
	if err != nil {
		return nil, fault.InFile(err, in.Name)
	}
	return a, nil
}

// wholeEntry is the size up to which an archive in an archive is unpacked in
// memory.
const wholeEntry = 64 << 20

// packedEntry is an entry that is unpacked only as far as it is read.
type packedEntry struct{ *spool.Content }

// entryInput gives random access to a file inside an archive: directly if it is stored
// unpacked, otherwise by unpacking as far as it is read.
func entryInput(ctx context.Context, a Archive, name string, opts Options) (Input, io.Closer, error) {
	f, err := a.Open(name)
	if err != nil {
		return Input{}, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return Input{}, nil, err
	}
	in := Input{Size: info.Size(), Name: path.Base(name)}
	if ra, ok := f.(io.ReaderAt); ok && info.Size() >= 0 {
		in.ReaderAt = ra
		return in, f, nil
	}
	content := spool.New(f)
	if in.Size < 0 { // the size is unknown before unpacking
		if in.Size, err = content.Size(ctx, opts.EntryLimit()); err != nil {
			content.Close()
			return Input{}, nil, fault.InEntry(err, name)
		}
	}
	in.ReaderAt = &packedEntry{content}
	return in, content, nil
}

// inPath puts the whole path into an error.
func inPath(err error, where string) error {
	var e *fault.Error
	if errors.As(fault.System(err), &e) && e.Kind != fault.Usage {
		c := *e
		c.Path = where
		return &c
	}
	return fmt.Errorf("%s: %w", where, err)
}
