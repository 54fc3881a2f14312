package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/internal/lib/spool"
	"pakbox/internal/lib/vfs"
	"pakbox/internal/lib/wire"
)

// Place is where a path leads that may go through archives, such as
// Packs/Stadium.pak/Media/x.dds: the innermost archive, opened, and the path
// inside it.
type Place struct {
	Path  string // as given
	File  string // the file or folder of the file system it goes through
	Inner string // inside Archive; "." for the whole archive
	Archive
	// Outer is the archive that holds this one, with Inner naming it there;
	// nil if the archive is a file of the file system.
	Outer *Place

	closers []io.Closer
}

// Close closes every file opened on the way.
func (p *Place) Close() error {
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
func (r Registry) Locate(ctx context.Context, name string, opts Options) (*Place, error) {
	return orClosed(r.Follow(ctx, name, opts))
}

// Follow is [Registry.Locate] for callers that want to know how far a path
// leads. If the path leads to nothing inside an archive, Follow returns that
// archive, open, with the rest of the path in Inner, and the error.
func (r Registry) Follow(ctx context.Context, name string, opts Options) (*Place, error) {
	file, inner, err := splitPath(name)
	if err != nil {
		return nil, err
	}
	p, err := r.openOutermost(ctx, file, opts)
	if err != nil {
		return nil, err
	}
	p.Path, p.Inner = name, inner
	return r.descend(ctx, p, opts)
}

// orClosed closes a place that comes with an error.
func orClosed(p *Place, err error) (*Place, error) {
	if err != nil && p != nil {
		p.Close()
		p = nil
	}
	return p, err
}

// LocateInput is [Registry.Locate] for a file that is open already, wherever it
// comes from: in is called name, and inner is the path inside it. The Place
// closes closer.
func (r Registry) LocateInput(ctx context.Context, name string, in Input, closer io.Closer, inner string, opts Options) (*Place, error) {
	p, err := r.openInput(ctx, name, in, closer, opts)
	if err != nil {
		return nil, err
	}
	p.Path, p.Inner = path.Join(name, inner), inner
	return orClosed(r.descend(ctx, p, opts))
}

// Enter is [Registry.Locate], but where the path ends at a file inside an
// archive, that file is opened as an archive too.
func (r Registry) Enter(ctx context.Context, name string, opts Options) (*Place, error) {
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

// EnterPlace opens the file that a place ends at as an archive, as
// [Registry.Enter] does. The new place takes the old one over: closing it closes
// both. A place that ends at an archive or a folder is returned as it is. After
// an error the old place stays open.
func (r Registry) EnterPlace(ctx context.Context, p *Place, opts Options) (*Place, error) {
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

// splitPath finds the longest part of name that exists in the file system
// as long as it leads through folders; the rest is inside the file it ends at.
func splitPath(name string) (file, inner string, err error) {
	_, full := stat(name)
	if full == nil {
		return name, ".", nil
	}
	full = fault.System(full)
	clean := filepath.ToSlash(filepath.Clean(name))
	for head := clean; ; {
		i := strings.LastIndexByte(head, '/')
		if i <= 0 {
			return "", "", full
		}
		head = head[:i]
		if info, err := stat(filepath.FromSlash(head)); err == nil {
			if info.IsDir() {
				return "", "", full
			}
			return filepath.FromSlash(head), clean[i+1:], nil
		}
	}
}

// stat is os.Stat, but it also finds a file whose writer was killed before a
// new set of files had all its names.
func stat(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	main, err := findTarget(path)
	if err == nil {
		err = finishCommit(main)
	}
	if err != nil {
		return nil, err
	}
	return os.Stat(path)
}

// dirOpener is a format that opens a folder of the file system.
type dirOpener interface {
	OpenDir(path string) (Archive, error)
}

func (r Registry) openOutermost(ctx context.Context, file string, opts Options) (*Place, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fault.System(err)
	}
	if info.IsDir() {
		for _, f := range r {
			if d, ok := f.(dirOpener); ok {
				a, err := d.OpenDir(file)
				if err != nil {
					return nil, fault.System(err)
				}
				return &Place{File: file, Archive: a}, nil
			}
		}
		return nil, fault.System(&fs.PathError{Op: "open", Path: file, Err: vfs.ErrIsDir})
	}
	in, closer, err := OpenFile(file)
	if err != nil {
		return nil, err
	}
	return r.openInput(ctx, file, in, closer, opts)
}

// openInput opens an archive that is called file.
func (r Registry) openInput(ctx context.Context, file string, in Input, closer io.Closer, opts Options) (*Place, error) {
	p := &Place{File: file, closers: []io.Closer{closer}}
	in.Sibling = p.keepOpen(in.Sibling)
	var err error
	if p.Archive, err = r.Open(ctx, in, opts); err != nil {
		p.Close()
		var e *fault.Error
		if errors.As(err, &e) {
			c := *e
			c.Path = file
			return nil, &c
		}
		return nil, err
	}
	return p, nil
}

// keepOpen makes the files that a format opens beside its own live as long as
// the place.
func (p *Place) keepOpen(sibling func(string) (Input, io.Closer, error)) func(string) (Input, io.Closer, error) {
	if sibling == nil {
		return nil
	}
	return func(name string) (Input, io.Closer, error) {
		in, closer, err := sibling(name)
		if err == nil {
			p.closers = append(p.closers, closer)
		}
		return in, io.NopCloser(nil), err
	}
}

// maxDepth bounds archives inside archives inside archives.
const maxDepth = 16

// descend opens the archives on the way to p.Inner. If there is nothing at
// p.Inner, it returns the place of the last archive with the error.
func (r Registry) descend(ctx context.Context, p *Place, opts Options) (*Place, error) {
	for depth := 0; ; depth++ {
		if p.Inner == "." {
			return p, nil // asking for it would make an archive sort its names
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

// firstFile finds a proper prefix of inner that is a file in a.
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

// enterFile opens a file inside p.Archive as an archive. The new place takes p
// over; after an error p is as it was.
func (r Registry) enterFile(ctx context.Context, p *Place, name, rest string, opts Options) (*Place, error) {
	next := &Place{Path: p.Path, File: p.File, Inner: rest}
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

// pathInside is the way from the outermost file to this archive.
func (p *Place) pathInside() string {
	if p.Outer == nil {
		return ""
	}
	return path.Join(p.Outer.pathInside(), p.Outer.Inner)
}

// openEntry is [Registry.Open] for what [entryInput] gives. What is no archive is
// known by its first bytes, and no more of it is unpacked. Most formats read all of
// a file, so an archive of usual size is unpacked at once.
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

// packedEntry is an entry that is unpacked as far as it is read.
type packedEntry struct{ *spool.Content }

// entryInput gives random access to a file inside an archive: directly where
// it is stored as it is, else by unpacking it as far as somebody reads.
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
	if in.Size < 0 { // only unpacking tells
		if in.Size, err = content.Size(ctx, opts.EntryLimit()); err != nil {
			content.Close()
			return Input{}, nil, fault.InEntry(err, name)
		}
	}
	in.ReaderAt = &packedEntry{content}
	return in, content, nil
}

// inPath makes an error name the whole path that led to it.
func inPath(err error, where string) error {
	var e *fault.Error
	if errors.As(fault.System(err), &e) {
		c := *e
		c.Path = where
		return &c
	}
	return fmt.Errorf("%s: %w", where, err)
}
