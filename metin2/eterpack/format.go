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
	"pakbox/metin2/internal/packname"
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

// Root is the drive and folder that the client's names begin with.
func (Format) Root() archive.Root { return packname.Root }

// Match looks at the index. A data file has no signature of its own, and often begins
// with a crypted object like an index, so the extension decides which file of the pair in
// is.
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

// isIndex recognises an index by the marks of the client. An index with marks chosen by a
// server is recognised by its sizes, which must agree exactly.
func isIndex(in archive.Input) bool {
	head := in.Prefix(objectHeaderSize)
	mark := string(head[:min(len(head), 4)])
	return mark == defaultMarks.index || mark == defaultMarks.object || sizedTable(head, in.Size) || sizedObject(head, in.Size)
}

// Open is [Open] for a registry.
func (Format) Open(ctx context.Context, in archive.Input, opts archive.Options) (archive.Archive, error) {
	return archive.Opened(Open(ctx, in, opts))
}

// Pair returns the extensions of the file that stands for the archive, and of the other.
func (Format) Pair() (primary, other string) { return indexExt, dataExt }

// Open reads the index and the header of every compressed entry. in may be
// either file of the pair. Without the data file the index can still be read:
// its entries then have a Problem.
func Open(ctx context.Context, in archive.Input, opts archive.Options) (*Archive, error) {
	k, err := newKeys(opts.Keys)
	if err != nil {
		return nil, err
	}
	eix := in
	var closers closers
	if isDataName(in.Name) {
		index, closer, err := openSibling(in, indexExt)
		if err != nil {
			return nil, missing(err, in.Name, indexExt)
		}
		eix, closers = index, append(closers, closer)
	}
	// The data file is always opened after the index: opening the index may finish a
	// commit that replaces both.
	epk, closer, noData := openSibling(in, k.dataExtFor(path.Ext(in.Name)))
	if noData == nil {
		closers = append(closers, closer)
		noData = epk.CheckPointer()
	}
	a, err := open(ctx, eix, epk, missing(noData, in.Name, dataExt), k, opts)
	if err != nil {
		closers.Close()
		return nil, fault.InFile(err, eix.Name)
	}
	a.closer = closers
	return a, nil
}

// dataExtFor is the extension of the data file beside an index with extension ext.
func (k keys) dataExtFor(ext string) string {
	if strings.EqualFold(ext, k.indexExt) {
		return k.dataExt
	}
	return dataExt
}

// missing turns the error for a missing file of the pair into a fault.
func missing(err error, name, ext string) error {
	if errors.Is(err, fs.ErrNotExist) {
		e := fault.Wrap(fault.Truncated, err, "the %s file that belongs to it is missing", ext)
		return fault.WithHint(e, "put %s beside %s", path.Base(withExt(name, ext)), path.Base(name))
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

func open(ctx context.Context, eix, epk archive.Input, noData error, k keys, opts archive.Options) (*Archive, error) {
	if !isIndex(eix) && string(eix.Prefix(4)) != k.marks.index && string(eix.Prefix(4)) != k.marks.object {
		return nil, fault.At(fault.NotFormat, 0, "fourcc", "an index begins with %q or %q, this with %q", k.marks.index, k.marks.object, eix.Prefix(4))
	}
	data, err := wire.ReadAt(eix, eix.Size, 0, eix.Size, "index")
	if err != nil {
		return nil, err
	}
	x, err := decodeIndex(data, k.marks, k.index, min(maxIndex(eix.Size), opts.EntryLimit()))
	if err != nil {
		return nil, err
	}
	a := &Archive{eix: eix, epk: epk, noData: noData, index: x, keys: k, limit: opts.EntryLimit(), askedPage: opts.CodePage}
	if a.page, err = x.codePage(opts.CodePage); err != nil {
		return nil, err
	}
	return a, a.describe(ctx)
}

// openSibling opens the other file of the pair.
func openSibling(in archive.Input, ext string) (archive.Input, io.Closer, error) {
	if in.Sibling == nil {
		return archive.Input{}, nil, fault.New(fault.Unsupported, "a pack is a pair of files, and this one stands alone")
	}
	return in.Sibling(withExt(in.Name, sameCase(ext, path.Ext(in.Name))))
}

// withExt replaces the extension of a file name.
func withExt(name, ext string) string { return strings.TrimSuffix(name, path.Ext(name)) + ext }

// sameCase makes the letters of ext upper-case where like is upper-case.
func sameCase(ext, like string) string {
	b := []byte(ext)
	for i := range min(len(ext), len(like)) {
		if 'A' <= like[i] && like[i] <= 'Z' && 'a' <= b[i] && b[i] <= 'z' {
			b[i] -= 'a' - 'A'
		}
	}
	return string(b)
}
