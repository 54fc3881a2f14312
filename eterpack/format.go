package eterpack

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

// The extensions of the pair.
const (
	indexExt = ".eix"
	dataExt  = ".epk"
)

// Format is the EterPack format.
type Format struct{}

func (Format) Name() string         { return "eterpack" }
func (Format) Description() string  { return "Metin2 pack: index .eix and data .epk" }
func (Format) Extensions() []string { return []string{indexExt, dataExt} }

// Match looks at the index. A data file has no signature, and often begins
// with that of a crypted object because its first entry is one, so the name
// decides which of the pair it is.
func (Format) Match(in archive.Input) bool {
	if !isDataName(in.Name) {
		return isIndex(in)
	}
	pair, closer, err := openSibling(in, indexExt)
	if err != nil {
		return false
	}
	defer closer.Close()
	return isIndex(pair)
}

func isDataName(name string) bool { return strings.EqualFold(path.Ext(name), dataExt) }

func isIndex(in archive.Input) bool {
	magic := string(in.Prefix(4))
	return magic == indexMagic || magic == objectMagic
}

// Open is [Open] for a registry.
func (Format) Open(ctx context.Context, in archive.Input, opts archive.Options) (archive.Archive, error) {
	return archive.Opened(Open(ctx, in, opts))
}

// Open reads the index and the header of every compressed entry. in may be
// either file of the pair.
func Open(ctx context.Context, in archive.Input, opts archive.Options) (*Archive, error) {
	eix := in
	var closers closers
	if isDataName(in.Name) {
		index, closer, err := openSibling(in, indexExt)
		if err != nil {
			return nil, missing(err, indexExt)
		}
		eix, closers = index, append(closers, closer)
	}
	// The data is opened after the index, also where it is open already:
	// opening the index may finish a commit that replaces both.
	epk, closer, err := openSibling(in, dataExt)
	if err != nil {
		closers.Close()
		return nil, missing(err, dataExt)
	}
	closers = append(closers, closer)
	a, err := open(ctx, eix, epk, opts)
	if err != nil {
		closers.Close()
		return nil, fault.InFile(err, eix.Name)
	}
	a.closer = closers
	return a, nil
}

// missing says which file of the pair is not there.
func missing(err error, ext string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fault.Wrap(fault.Truncated, err, "the %s file that belongs to it is missing", ext)
	}
	return err
}

// closers closes several files.
type closers []io.Closer

func (c closers) Close() error {
	var errs []error
	for _, f := range c {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

func open(ctx context.Context, eix, epk archive.Input, opts archive.Options) (*Archive, error) {
	keys, err := newKeys(opts.Keys)
	if err != nil {
		return nil, err
	}
	if !isIndex(eix) {
		return nil, fault.At(fault.NotFormat, 0, "fourcc", "an index begins with %q or %q, this with %q", indexMagic, objectMagic, eix.Prefix(4))
	}
	data, err := wire.ReadAt(eix, eix.Size, 0, eix.Size, "index")
	if err != nil {
		return nil, err
	}
	x, err := decodeIndex(data, keys.index, min(maxIndex(epk.Size), opts.EntryLimit()))
	if err != nil {
		return nil, err
	}
	a := &Archive{eix: eix, epk: epk, index: x, keys: keys, limit: opts.EntryLimit()}
	return a, a.describe(ctx)
}

// openSibling opens the other file of the pair. Its extension is tried in the
// case of the one that is there, then in lower and in upper case.
func openSibling(in archive.Input, ext string) (archive.Input, io.Closer, error) {
	if in.Sibling == nil {
		return archive.Input{}, nil, fault.New(fault.Unsupported, "a pack is a pair of files, and this one stands alone")
	}
	var missing error
	for _, e := range []string{sameCase(ext, path.Ext(in.Name)), ext, strings.ToUpper(ext)} {
		pair, closer, err := in.Sibling(withExt(in.Name, e))
		if err == nil {
			pair.Name = withExt(in.Name, e)
			return pair, closer, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return archive.Input{}, nil, err
		}
		if missing == nil {
			missing = err
		}
	}
	return archive.Input{}, nil, missing
}

// withExt replaces the extension of a file name.
func withExt(name, ext string) string { return strings.TrimSuffix(name, path.Ext(name)) + ext }

// sameCase gives ext the upper-case letters that like has at the same places.
func sameCase(ext, like string) string {
	b := []byte(ext)
	for i := range min(len(ext), len(like)) {
		if 'A' <= like[i] && like[i] <= 'Z' && 'a' <= b[i] && b[i] <= 'z' {
			b[i] -= 'a' - 'A'
		}
	}
	return string(b)
}
