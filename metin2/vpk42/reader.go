package vpk42

import (
	"bytes"
	"context"
	"crypto/hmac"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"

	"github.com/zeebo/blake3"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/wire"
	"pakbox/metin2/internal/packname"
)

// Archive is an open archive. It is safe for concurrent use if its file is.
type Archive struct {
	*archive.Tree
	in     archive.Input
	raw    []byte // bytes of the header in the file
	header Header
	table  []Entry
	keys   *keys // nil unless the archive is encrypted
	limit  int64 // limit for content that is unpacked in memory

	buffers bufferPool
}

// Open reads the header and the entry table of in. An encrypted archive is read from
// beginning to end once, to check its HMAC.
func Open(ctx context.Context, in archive.Input, opts archive.Options) (*Archive, error) {
	raw, err := readRawHeader(in, in.Size)
	if err != nil {
		return nil, err
	}
	header, err := parseHeader(raw, in.Size)
	if err != nil {
		return nil, err
	}
	a := &Archive{in: in, raw: raw, header: header, limit: opts.EntryLimit()}
	if err := a.readTable(ctx, opts); err != nil {
		return nil, err
	}
	a.Tree = archive.NewTree(a.describe(), true, a.openContent).WithRoot(packname.Root)
	return a, nil
}

// Format returns "vpk42".
func (a *Archive) Format() string { return Format{}.Name() }

// Header returns the archive's header.
func (a *Archive) Header() Header { return a.header }

// Table returns the records of the entry table. The caller must not change
// them.
func (a *Archive) Table() []Entry { return a.table }

// readTable reads, authenticates and decodes the entry table.
func (a *Archive) readTable(ctx context.Context, opts archive.Options) error {
	h := &a.header
	data, err := wire.ReadAt(a.in, a.in.Size, h.EntryTableOffset, int64(h.EntryTableSize), "entry table")
	if err != nil {
		return err
	}
	base := h.EntryTableOffset
	if h.IsEncrypted {
		if data, err = a.unlock(ctx, data, opts); err != nil {
			return err
		}
		base += tableOverhead
	}
	a.table, err = parseTable(data, h.EntryCount, base)
	return err
}

// unlock derives the keys, checks the HMAC and decrypts the table.
//
// The HMAC alone cannot distinguish a wrong passphrase from damage. The table has a tag
// of its own: if this tag matches, the passphrase is right and the file is damaged. If it
// does not match, both are possible.
func (a *Archive) unlock(ctx context.Context, stored []byte, opts archive.Options) ([]byte, error) {
	passphrase, err := askPassphrase(opts)
	if err != nil {
		return nil, err
	}
	if a.keys, err = deriveKeys(passphrase, &a.header); err != nil {
		return nil, err
	}
	end := a.in.Size - trailerSize
	want, err := wire.ReadAt(a.in, a.in.Size, end, trailerSize, "HMAC-SHA256")
	if err != nil {
		return nil, err
	}
	sum, err := a.keys.sum(ctx, a.in, end)
	if err != nil {
		return nil, err
	}
	table, authentic := a.keys.openTable(stored)
	switch valid := hmac.Equal(sum, want); {
	case !valid && authentic:
		return nil, fault.At(fault.HMACMismatch, end, "HMAC-SHA256", "the passphrase is right, but the file is damaged or was altered")
	case !valid:
		return nil, fault.At(fault.HMACMismatch, end, "HMAC-SHA256", "wrong passphrase, or the file is damaged")
	case !authentic:
		return nil, fault.At(fault.TableAuthFailed, a.header.EntryTableOffset, "entry table", "the table's authentication tag does not fit")
	}
	return table, nil
}

// describe converts the table to the entries of package archive.
func (a *Archive) describe() []archive.Entry {
	entries := make([]archive.Entry, len(a.table))
	for i := range a.table {
		e := &a.table[i]
		method := "stored"
		if e.IsCompressed {
			method = a.header.CompressionAlgorithm.String()
		}
		entries[i] = archive.Entry{
			Name:       e.FileName,
			Size:       max(e.OriginalSize, -1),
			StoredSize: e.StoredSize,
			Offset:     e.DataOffset,
			Compressed: e.IsCompressed,
			Encrypted:  e.IsEncrypted,
			Method:     method,
			Problem:    e.check(&a.header),
			Record:     e,
		}
		if len(e.ContentHash) > 0 {
			entries[i].Hash = "blake3:" + hex.EncodeToString(e.ContentHash)
		}
	}
	return entries
}

// openContent opens the i-th entry. Uncompressed, unencrypted content is streamed from
// the file; small content of other kinds is unpacked and checked before the first byte is
// returned.
func (a *Archive) openContent(i int) (io.ReadCloser, error) {
	e := &a.table[i]
	if err := e.check(&a.header); err != nil {
		return nil, err
	}
	if !e.IsCompressed && !e.IsEncrypted {
		return newStoredFile(a.in, e), nil
	}
	if e.isLarge() {
		f, err := a.openLarge(e)
		if err != nil {
			return nil, fault.InEntry(err, e.FileName)
		}
		return f, nil
	}
	content, err := a.content(e)
	if err != nil {
		return nil, fault.InEntry(err, e.FileName)
	}
	return &memoryFile{bytes.NewReader(content), content, &a.buffers}, nil
}

// content returns the checked content of an entry that check has accepted, in one of the
// archive's buffers.
func (a *Archive) content(e *Entry) ([]byte, error) {
	if e.StoredSize > a.limit {
		return nil, fault.At(fault.Limit, e.offset, "StoredSize", "%d bytes are stored, the limit is %d", e.StoredSize, a.limit)
	}
	// Decryption needs room for the tag behind the data.
	data := a.buffers.get(int(e.StoredSize) + tagSize)[:e.StoredSize]
	if n, err := a.in.ReadAt(data, e.DataOffset); n < len(data) {
		return nil, readFault(err, e.DataOffset+int64(n))
	}
	if e.IsEncrypted {
		plain, ok := a.keys.open(data, e.Nonce, e.AuthTag)
		if !ok {
			return nil, fault.At(fault.DataAuthFailed, e.DataOffset, "AuthTag", "the data's authentication tag does not fit")
		}
		data = plain
	}
	if e.IsCompressed {
		plain, err := decompressEntry(a.header.CompressionAlgorithm, data, e.OriginalSize, a.limit, &a.buffers)
		a.buffers.put(data)
		if err != nil {
			return nil, at(err, e.DataOffset)
		}
		data = plain
	}
	if sum := blake3.Sum256(data); !bytes.Equal(sum[:], e.ContentHash) {
		return nil, hashMismatch(e)
	}
	return data, nil
}

func hashMismatch(e *Entry) error {
	return fault.InEntry(fault.At(fault.HashMismatch, e.DataOffset, "ContentHash", "the content's BLAKE3 hash is not the one in the table"), e.FileName)
}

// at sets the offset of a fault that has none.
func at(err error, offset int64) error {
	if e, ok := err.(*fault.Error); ok && e.Offset == fault.NoOffset {
		e.Offset = offset
	}
	return err
}

// readFault explains a read that returned too few bytes. The range was checked before, so
// the file has become shorter since, or it cannot be read.
func readFault(err error, offset int64) error {
	if err == nil || errors.Is(err, io.EOF) {
		return fault.At(fault.Truncated, offset, "", "the file ended early")
	}
	return err
}

// memoryFile is content that was unpacked into a buffer.
type memoryFile struct {
	*bytes.Reader
	content []byte
	buffers *bufferPool
}

// Whole returns the content from memory; see [wire.Whole].
func (f *memoryFile) Whole() []byte { return f.content }

// Close makes the buffer available for other content.
func (f *memoryFile) Close() error {
	f.Reset(nil)
	f.buffers.put(f.content)
	f.content = nil
	return nil
}

// storedFile is content that is stored uncompressed and unencrypted. Read computes the
// hash, and returns an error at the end if it is wrong. ReadAt checks nothing.
type storedFile struct {
	section *io.SectionReader
	entry   *Entry
	hash    *blake3.Hasher // nil before the first read and after the last
	err     error          // what all further calls of Read return
}

func newStoredFile(ra io.ReaderAt, e *Entry) *storedFile {
	return &storedFile{section: io.NewSectionReader(ra, e.DataOffset, e.StoredSize), entry: e}
}

func (f *storedFile) Read(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	if f.hash == nil {
		f.hash = hashers.Get().(*blake3.Hasher)
		f.hash.Reset()
	}
	n, err := f.section.Read(p)
	f.hash.Write(p[:n])
	if err != nil {
		f.end(err)
	}
	return n, f.err
}

// end sets what all further calls of Read return.
func (f *storedFile) end(err error) {
	pos, _ := f.section.Seek(0, io.SeekCurrent)
	switch {
	case err == io.EOF && pos < f.entry.StoredSize:
		err = fault.InEntry(readFault(nil, f.entry.DataOffset+pos), f.entry.FileName)
	case err == io.EOF && !bytes.Equal(f.hash.Sum(nil), f.entry.ContentHash):
		err = hashMismatch(f.entry)
	}
	f.err = err
	if f.hash != nil {
		hashers.Put(f.hash)
		f.hash = nil
	}
}

func (f *storedFile) ReadAt(p []byte, off int64) (int, error) { return f.section.ReadAt(p, off) }

func (f *storedFile) Close() error {
	f.end(fs.ErrClosed)
	return nil
}
