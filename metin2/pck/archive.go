package pck

import (
	"bytes"
	"cmp"
	"context"
	"crypto/cipher"
	"errors"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/lib/wire"
	"pakbox/metin2/internal/codepage"
	"pakbox/metin2/internal/packname"
)

// Archive is an open pack.
type Archive struct {
	*archive.Tree
	in        archive.Input
	key       []byte
	dataBegin int64
	records   []record
	page      *codepage.Page // code page of the names
	askedPage string         // the code page that the user named
	limit     int64
}

// Open reads the table.
func Open(ctx context.Context, in archive.Input, opts archive.Options) (*Archive, error) {
	start, err := wire.ReadAt(in, in.Size, 0, min(in.Size, startSize), "count")
	if err != nil {
		return nil, err
	}
	if matches(start, in.Size, oldHeadSize, oldRecordSize) {
		return nil, fault.At(fault.UnsupportedAlgorithm, 8, "data_begin", "a pack of the older variant, encrypted with Camellia, which pakbox cannot read")
	}
	if !matches(start, in.Size, headSize, recordSize) {
		return nil, fault.At(fault.NotFormat, 8, "data_begin", "does not agree with the number of records, as it does in a pack")
	}
	key, err := findKey(opts.Keys)
	if err != nil {
		return nil, err
	}
	a := &Archive{in: in, key: key, limit: opts.StreamLimit(), askedPage: opts.CodePage}
	if err := a.readTable(ctx); err != nil {
		return nil, err
	}
	names := make([][]byte, len(a.records))
	for i := range a.records {
		names[i] = a.records[i].name
	}
	if a.page, err = packname.CodePage(opts.CodePage, names); err != nil {
		return nil, err
	}
	a.Tree = archive.NewTree(a.describe(), true, a.open).WithRoot(packname.Root)
	return a, nil
}

// readTable reads and decrypts the records. A wrong key shows only in records that make
// no sense.
func (a *Archive) readTable(ctx context.Context) error {
	head, err := wire.ReadAt(a.in, a.in.Size, 0, headSize, "head")
	if err != nil {
		return err
	}
	r := wire.NewReader(head, 0)
	count := r.U64("count")
	a.dataBegin = int64(r.U64("data_begin"))
	nonce := r.Bytes(nonceSize, "nonce")
	table, err := wire.ReadAt(a.in, a.in.Size, headSize, a.dataBegin-headSize, "records")
	if err != nil {
		return err
	}
	cryptRecords(table, a.key, nonce)
	a.records = make([]record, count)
	sense := 0
	for i := range a.records {
		if err := ctx.Err(); err != nil {
			return err
		}
		if a.records[i] = parseRecord(table[i*recordSize:][:recordSize]); a.records[i].plausible(a.dataSize()) {
			sense++
		}
	}
	if count > 0 && sense == 0 {
		return fault.At(fault.WrongKey, headSize, "records", "the key does not fit: no record makes sense")
	}
	return nil
}

func (a *Archive) dataSize() uint64 { return uint64(a.in.Size - a.dataBegin) }

// recordAt returns the offset of the i-th record.
func recordAt(i int) int64 { return headSize + int64(i)*recordSize }

func (a *Archive) describe() []archive.Entry {
	entries := make([]archive.Entry, len(a.records))
	for i := range a.records {
		r := &a.records[i]
		e := archive.Entry{
			Name: a.page.Text(r.name), Size: -1, Offset: -1, Compressed: true,
			Encrypted: r.encrypted != 0, Method: "zstd",
		}
		if e.Problem = r.check(a.dataSize(), recordAt(i)); e.Problem == nil {
			e.Size, e.StoredSize, e.Offset = int64(r.size), int64(r.stored), a.dataBegin+int64(r.offset)
		}
		entries[i] = e
	}
	return entries
}

// Format returns "pck".
func (a *Archive) Format() string { return Format{}.Name() }

// packFacts are the facts of a pack.
var packFacts = fact.NewTable("pck", "A .pck pack of Metin2.", []fact.Row[*Archive]{
	{Name: "data_begin", Label: "Data begins at", Kind: fact.Count, Doc: "offset of the first content", Get: func(a *Archive) any { return a.dataBegin }},
	{Name: "encrypted_entries", Label: "Encrypted entries", Kind: fact.Count, Doc: "number of encrypted entries", Get: func(a *Archive) any {
		encrypted := 0
		for i := range a.records {
			encrypted += int(min(a.records[i].encrypted, 1))
		}
		return encrypted
	}},
})

// Subjects lists the facts of packs.
func (Format) Subjects() []*fact.Subject { return []*fact.Subject{&packFacts.Subject} }

// Facts describe the pack.
func (a *Archive) Facts() fact.Record { return packFacts.Of(a) }

// maxWindow limits the memory of the decoder. The packer's level needs 8 MiB.
const maxWindow = 32 << 20

var decoders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		panic(err) // only wrong options fail, and these are constant
	}
	return d
}}

// open returns the content of the i-th entry, which is unpacked while it is read.
func (a *Archive) open(i int) (io.ReadCloser, error) {
	e, r := a.Entries()[i], &a.records[i]
	if e.Problem != nil {
		return nil, fault.InEntry(e.Problem, e.Name)
	}
	if e.Size > a.limit {
		return nil, fault.InEntry(fault.New(fault.Limit, "claims to unpack to %d bytes, more than %d", e.Size, a.limit), e.Name)
	}
	if e.StoredSize == 0 && e.Size == 0 {
		return io.NopCloser(bytes.NewReader(nil)), nil
	}
	f := &file{entry: e, left: e.Size, decoder: decoders.Get().(*zstd.Decoder)}
	if err := f.decoder.Reset(a.stored(r)); err != nil {
		f.Close()
		return nil, f.fault(err)
	}
	return f, nil
}

// stored reads the stored bytes of an entry, decrypted.
func (a *Archive) stored(r *record) io.Reader {
	section := io.NewSectionReader(a.in, a.dataBegin+int64(r.offset), int64(r.stored))
	if r.encrypted == 0 {
		return section
	}
	return &cipher.StreamReader{S: newCipher(a.key, r.nonce[:]), R: section}
}

// file is an open entry. At its end, Read returns an error if the size differs from the
// record.
type file struct {
	entry   archive.Entry
	left    int64
	decoder *zstd.Decoder // nil after Close
	err     error
}

func (f *file) Read(p []byte) (int, error) {
	if f.err != nil || f.decoder == nil {
		return 0, cmp.Or(f.err, errClosed)
	}
	n, err := f.decoder.Read(p)
	if int64(n) > f.left {
		n, err = int(f.left), errLonger
	}
	f.left -= int64(n)
	if err == io.EOF && f.left > 0 {
		err = errShorter
	}
	if err != nil && err != io.EOF {
		err = f.fault(err)
	}
	f.err = err
	return n, err
}

var (
	errClosed  = errors.New("the file is closed")
	errLonger  = errors.New("the content is longer than the size in its record")
	errShorter = errors.New("the content is shorter than the size in its record")
)

// fault turns an error of the decoder into a fault with its place.
func (f *file) fault(err error) error {
	kind := fault.DecompressFailed
	switch {
	case err == errLonger, err == errShorter:
		return fault.InEntry(fault.At(fault.SizeMismatch, f.entry.Offset, "size", "%v, %d bytes", err, f.entry.Size), f.entry.Name)
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		kind = fault.Limit
	case f.entry.Encrypted && errors.Is(err, zstd.ErrMagicMismatch):
		kind = fault.WrongKey // the first bytes may also be damaged
	}
	return fault.InEntry(&fault.Error{Kind: kind, Offset: f.entry.Offset, Field: "data", Err: err, Message: "Zstandard frame"}, f.entry.Name)
}

func (f *file) Close() error {
	if f.decoder != nil {
		f.decoder.Reset(nil)
		decoders.Put(f.decoder)
		f.decoder = nil
	}
	return nil
}
