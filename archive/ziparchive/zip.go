// Package ziparchive makes zip files archives like any other. Other formats contain zip
// files, and people convert from and to them. The format itself is left to the standard
// library.
package ziparchive

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"pakbox/archive"
	"pakbox/codec/zinflate"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/paged"
	"pakbox/internal/lib/wire"
)

// Format is the zip format.
type Format struct{}

func (Format) Name() string         { return "zip" }
func (Format) Description() string  { return "zip archive" }
func (Format) Extensions() []string { return []string{".zip"} }

// Match looks for the signature of a local file header, or of the end record of an empty
// archive.
func (Format) Match(in archive.Input) bool {
	magic := string(in.Prefix(4))
	return magic == "PK\x03\x04" || magic == endSignature
}

// Open is [Open] for a registry.
func (Format) Open(ctx context.Context, in archive.Input, opts archive.Options) (archive.Archive, error) {
	return archive.Opened(Open(ctx, in, opts))
}

// Open reads the central directory.
func Open(_ context.Context, in archive.Input, opts archive.Options) (*Archive, error) {
	headers := paged.NewAhead(in)
	r, err := zip.NewReader(headers, in.Size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, asFault(err)
	}
	r.RegisterDecompressor(zip.Deflate, zinflate.NewReader)
	a := &Archive{in: in, comment: r.Comment, stored: r.File, limit: opts.StreamLimit()}
	entries := make([]archive.Entry, 0, len(r.File))
	for _, f := range r.File {
		if isFolder(f) {
			continue // other folders follow from the names of files; an empty one is not shown
		}
		entries = append(entries, describe(f))
		a.files = append(a.files, f)
	}
	headers.Done()
	a.Tree = archive.NewTree(entries, false, a.open)
	return a, nil
}

func describe(f *zip.File) archive.Entry {
	e := archive.Entry{
		Name:       entryName(f),
		Size:       int64(f.UncompressedSize64),
		StoredSize: int64(f.CompressedSize64),
		Compressed: f.Method != zip.Store,
		Encrypted:  f.Flags&flagEncrypted != 0,
		Method:     methodName(f.Method),
		Hash:       "crc32:" + hex.EncodeToString(binary.BigEndian.AppendUint32(nil, f.CRC32)),
		Offset:     fault.NoOffset,
	}
	if f.Modified.After(zipEpoch) {
		e.ModTime = f.Modified
	}
	if off, err := f.DataOffset(); err == nil {
		e.Offset = off
	}
	switch {
	case e.Size < 0 || e.StoredSize < 0:
		e.Size, e.StoredSize = max(e.Size, 0), max(e.StoredSize, 0)
		e.Problem = fault.New(fault.BadEntry, "the entry claims an impossible size")
	case e.Encrypted:
		e.Problem = fault.New(fault.UnsupportedAlgorithm, "encrypted zip entries are not supported")
	case f.Method != zip.Store && f.Method != zip.Deflate:
		e.Problem = fault.New(fault.UnsupportedAlgorithm, "zip compression method %d is not supported", f.Method)
	}
	return e
}

func methodName(m uint16) string {
	switch m {
	case zip.Store:
		return "store"
	case zip.Deflate:
		return "deflate"
	}
	return fmt.Sprintf("method %d", m)
}

// Archive is an open zip file.
type Archive struct {
	*archive.Tree
	in      archive.Input
	comment string
	stored  []*zip.File // all stored files and folders
	files   []*zip.File // the files, in the order of the entries
	limit   int64
}

func (a *Archive) Format() string { return Format{}.Name() }

// Facts describe the archive.
func (a *Archive) Facts() fact.Record { return zipFacts.Of(a) }

// zipFacts are the facts of a zip.
var zipFacts = fact.NewTable("zip", "A zip.", []fact.Row[*Archive]{
	{Name: "comment", Label: "Comment", Kind: fact.Text, Doc: "comment of the maker", Also: []fact.Word{fact.Comment}, Search: fact.ByComment, Get: func(a *Archive) any { return a.comment }},
})

// Subjects lists the facts of zips.
func (Format) Subjects() []*fact.Subject { return []*fact.Subject{&zipFacts.Subject} }

// deflateRatio is the most that a byte of deflate expands to.
const deflateRatio = 1032

func (a *Archive) open(i int) (io.ReadCloser, error) {
	e := a.Entries()[i]
	if e.Problem != nil {
		return nil, fault.InEntry(e.Problem, e.Name)
	}
	// Content is streamed, so only the caller limits it, and the ratio of the codec.
	if e.Compressed && e.Size/deflateRatio > e.StoredSize {
		return nil, fault.InEntry(fault.New(fault.Limit, "claims to unpack %d bytes to %d", e.StoredSize, e.Size), e.Name)
	}
	if e.Compressed && a.limit > 0 && e.Size > a.limit {
		return nil, fault.InEntry(fault.New(fault.Limit, "claims to unpack to %d bytes, more than %d", e.Size, a.limit), e.Name)
	}
	return OpenFile(a.files[i], e.Name)
}

// OpenFile opens a file of the standard library's reader. Errors get their kind and the
// given name.
func OpenFile(f *zip.File, name string) (io.ReadCloser, error) {
	rc, err := f.Open()
	if err != nil {
		return nil, fault.InEntry(asFault(err), name)
	}
	return &reader{rc, name}, nil
}

// reader gives a kind to each error of the standard library.
type reader struct {
	io.ReadCloser
	name string
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = fault.InEntry(asFault(err), r.name)
	}
	return n, err
}

// asFault turns an error of the standard library into a fault with its kind.
func asFault(err error) error {
	var corrupt *zinflate.CorruptError
	switch {
	case errors.Is(err, zip.ErrChecksum):
		return fault.Wrap(fault.HashMismatch, err, "CRC-32 of the content")
	case errors.Is(err, zip.ErrAlgorithm):
		return fault.Wrap(fault.UnsupportedAlgorithm, err, "compression method")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fault.Wrap(fault.Truncated, err, "the file ends too early")
	case errors.Is(err, zip.ErrFormat):
		return fault.Wrap(fault.TableCorrupt, err, "central directory")
	case errors.As(err, &corrupt):
		return fault.Wrap(fault.DecompressFailed, err, "deflate stream")
	}
	return err
}

// The last end signature in the file marks the end record. The record ends with the
// length of the comment behind it. The standard library searches the last endReach bytes.
const (
	endSignature = "PK\x05\x06"
	endSize      = 22
	endReach     = 65 << 10
)

// rest returns the bytes behind the end of the archive. There should be none, but some
// files have them.
func (a *Archive) rest() ([]byte, error) {
	tail, err := wire.ReadAt(a.in, a.in.Size, max(0, a.in.Size-endReach), min(a.in.Size, endReach), "end of the archive")
	if err != nil {
		return nil, err
	}
	i := bytes.LastIndex(tail[:max(0, len(tail)-endSize+len(endSignature))], []byte(endSignature))
	if i < 0 {
		return nil, nil
	}
	comment := int(binary.LittleEndian.Uint16(tail[i+endSize-2:]))
	return tail[min(i+endSize+comment, len(tail)):], nil
}

// Verify unpacks every entry, which checks sizes and CRC-32, and compares the two places
// that describe an entry.
func (a *Archive) Verify(ctx context.Context, opts archive.Options) (*archive.Report, error) {
	report, err := archive.VerifyEntries(ctx, a.Tree, archive.EntryChecks{FileSize: a.in.Size}, opts)
	if err != nil {
		return nil, err
	}
	if err := a.findContradictions(ctx, report); err != nil {
		return nil, err
	}
	rest, err := a.rest()
	if err != nil {
		return nil, err
	}
	if len(rest) > 0 {
		report.Add(finding.Warning, fault.At(fault.TrailingData, a.in.Size-int64(len(rest)), "", "%d bytes follow the end of the archive", len(rest)))
	}
	return report, nil
}

var params = []archive.Param{
	{Name: "level", Usage: "compression level: 0 stores, 1 is fast, 9 and above is best", Default: "6"},
	{Name: "comment", Usage: "a comment stored in the archive"},
}

// Params are the settings of Create.
func (Format) Params() []archive.Param { return params }

// zipEpoch is the earliest time in zip and stands for "no time". Using it keeps archives
// of the same content identical.
var zipEpoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
