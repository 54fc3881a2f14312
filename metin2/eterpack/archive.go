package eterpack

import (
	"bytes"
	"context"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"slices"
	"unicode/utf8"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/paged"
	"pakbox/internal/lib/wire"
	"pakbox/metin2/internal/codepage"
	"pakbox/metin2/internal/packname"
	"pakbox/metin2/internal/xtea"
)

// Archive is an open pack.
type Archive struct {
	*archive.Tree
	eix, epk archive.Input
	noData   error // why the data file is missing
	closer   io.Closer
	index    *index
	record   []int          // for each entry the index in index.records
	heads    []objectHeader // for each entry the header of its object
	unset    map[uint32]bool
	page     *codepage.Page // code page of the names
	// askedPage is the code page that the user named.
	askedPage string
	keys      keys
	limit     int64
}

// Format is the name of the format.
func (a *Archive) Format() string { return Format{}.Name() }

// PrimaryName is the base name of the index, because a stage is made for the index.
func (a *Archive) PrimaryName() string { return a.eix.Name }

// Close closes the files of the pair that Open itself opened.
func (a *Archive) Close() error { return a.closer.Close() }

// Types of entries.
const (
	typeRaw       = 0
	typeCompress  = 1
	typeEncrypted = 2
)

// methods are the names of the types.
var methods = []string{
	"type 0: raw",
	"type 1: compressed",
	"type 2: compressed, XTEA",
	"type 3: Panama, needs the server's IV",
	"type 4: HybridCrypt, needs the server's keys",
	"type 5: HybridCrypt, the end of the content stays on the server",
	"type 6: Snappy, XTEA",
}

func method(kind int8) string {
	if kind >= 0 && int(kind) < len(methods) {
		return methods[kind]
	}
	return fmt.Sprintf("type %d: unknown", kind)
}

// describe lists the entries.
func (a *Archive) describe(ctx context.Context) error {
	entries := make([]archive.Entry, 0, len(a.index.records))
	a.unset = a.index.unsetCRCs()
	heads := paged.NewAhead(a.epk)
	for i := range a.index.records {
		if r := &a.index.records[i]; !r.free() {
			if err := ctx.Err(); err != nil {
				return err
			}
			e, h := a.entry(r, heads)
			entries = append(entries, e)
			a.record, a.heads = append(a.record, i), append(a.heads, h)
		}
	}
	a.Tree = archive.NewTree(entries, true, a.open).WithRoot(packname.Root)
	return nil
}

func (a *Archive) entry(r *record, heads io.ReaderAt) (e archive.Entry, h objectHeader) {
	e = archive.Entry{
		Name:       a.page.Text(r.name),
		Size:       -1,
		StoredSize: int64(max(r.dataSize, 0)),
		Offset:     int64(max(r.position, -1)),
		Compressed: r.kind == typeCompress || r.kind == typeEncrypted || r.kind == typeSnappy,
		Encrypted:  r.kind >= typeEncrypted,
		Method:     method(r.kind),
	}
	if e.Problem = a.noData; e.Problem != nil {
		return e, h
	}
	switch r.kind {
	case typeRaw:
		if e.Problem = a.checkRange(r, int64(r.dataSize)); e.Problem == nil {
			e.Size = int64(r.dataSize)
			// The CRC covers the stored bytes, which are the content only for a raw
			// entry.
			e.Hash = fmt.Sprintf("crc32:%08x", r.dataCRC)
		}
	case typeCompress, typeEncrypted:
		if h, e.Problem = a.head(r, heads); e.Problem == nil {
			e.Size, e.StoredSize = int64(h.realSize), h.size()
		}
	default:
		if e.Problem = a.checkRange(r, int64(r.dataSize)); e.Problem == nil {
			e.Problem = unreadable(r.kind)
			if snappy, err := a.head(r, heads); r.kind == typeSnappy && err == nil && snappy.mark == snappyMark {
				h, e.Problem, e.Size, e.StoredSize = snappy, nil, int64(snappy.realSize), snappy.size()
			}
		}
	}
	return e, h
}

// unreadable returns why an entry of a type cannot be read.
func unreadable(kind int8) error {
	if kind >= 3 && kind <= 5 {
		return fault.New(fault.KeyRequired, "%s", method(kind))
	}
	return fault.New(fault.UnsupportedAlgorithm, "%s is not supported", method(kind))
}

// checkRange returns an error unless n bytes of the entry lie in the file.
func (a *Archive) checkRange(r *record, n int64) error {
	if r.position < 0 || n < 0 || int64(r.position)+n > a.epk.Size {
		return fault.At(fault.EntryRange, r.offset+atPosition, "data_position", "%d bytes at %d do not lie in the %s of %d bytes",
			n, r.position, dataExt, a.epk.Size)
	}
	return nil
}

// head reads the header of a crypted object. The client uses this header and not the
// sizes in the record, which packers fill in different ways.
func (a *Archive) head(r *record, heads io.ReaderAt) (h objectHeader, err error) {
	at := int64(r.position)
	if err := a.checkRange(r, objectHeaderSize); err != nil {
		return h, err
	}
	b, err := wire.ReadAt(heads, a.epk.Size, at, objectHeaderSize, "header")
	if err != nil {
		return h, err
	}
	if h, err = parseObjectHeader(b, at); err != nil {
		return h, err
	}
	if h.mark != a.index.marks.object && h.mark != defaultMarks.object && h.mark != snappyMark {
		return h, fault.At(fault.BadEntry, at, "fourcc", "a crypted object begins with %q, this with %q", a.index.marks.object, h.mark)
	}
	if h.size() > a.epk.Size-at {
		return h, fault.At(fault.Truncated, at, "encrypt_size", "the object needs %d bytes, the %s ends after %d", h.size(), dataExt, a.epk.Size-at)
	}
	return h, nil
}

// unsetCRCs returns the values of data_crc that the packer never computed: zero, and
// values that records of different sizes share.
func (x *index) unsetCRCs() map[uint32]bool {
	sizes, unset := map[uint32]int32{}, map[uint32]bool{0: true}
	for i := range x.records {
		if r := &x.records[i]; !r.free() {
			if size, ok := sizes[r.dataCRC]; ok && size != r.dataSize {
				unset[r.dataCRC] = true
			}
			sizes[r.dataCRC] = r.dataSize
		}
	}
	return unset
}

// open returns the content of the i-th entry.
func (a *Archive) open(i int) (io.ReadCloser, error) {
	e, r := a.Entries()[i], &a.index.records[a.record[i]]
	if e.Problem != nil {
		return nil, fault.InEntry(e.Problem, e.Name)
	}
	if r.kind == typeRaw {
		section := io.NewSectionReader(a.epk, int64(r.position), int64(r.dataSize))
		if a.unset[r.dataCRC] {
			return readCloser{section}, nil
		}
		return readCloser{&rawReader{ReaderAt: section, src: section, sum: crc32.NewIEEE(), r: r, name: e.Name}}, nil
	}
	if e.Size > a.limit {
		return nil, fault.InEntry(fault.New(fault.Limit, "claims to unpack to %d bytes, more than %d", e.Size, a.limit), e.Name)
	}
	u, err := a.unpack(r, a.heads[i])
	damage := a.damage(r, u, err)
	switch {
	case err == nil && damage != nil:
		return io.NopCloser(io.MultiReader(bytes.NewReader(u.content), failing{fault.InEntry(damage, e.Name)})), nil
	case damage != nil:
		err = damage
	}
	if err != nil {
		return nil, fault.InEntry(err, e.Name)
	}
	return readCloser{bytes.NewReader(u.content)}, nil
}

// damage returns an error if the CRC of an object matches no known way to compute it. err
// is the error of unpacking: a wrong CRC means damage rather than a wrong key. The client
// checks the CRC of type 2 only, so packers may leave the CRC of type 1 unset.
func (a *Archive) damage(r *record, u unpacked, err error) error {
	unset := r.kind == typeCompress && a.unset[r.dataCRC]
	if u.fits || unset || err != nil && (r.kind != typeEncrypted || fault.KindOf(err) != fault.WrongKey) {
		return nil
	}
	return crcError(r, u.sum)
}

// failing is a reader that returns the error of damaged content.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// readCloser is content with random access that needs no closing.
type readCloser struct{ randomReader }

type randomReader interface {
	io.Reader
	io.ReaderAt
}

func (readCloser) Close() error { return nil }

// rawReader is content that is stored as it is. Reading it from the beginning to the end
// checks the CRC.
type rawReader struct {
	io.ReaderAt
	src  io.Reader
	sum  hash.Hash32
	r    *record
	name string
}

func (c *rawReader) Read(p []byte) (int, error) {
	n, err := c.src.Read(p)
	c.sum.Write(p[:n])
	if err == io.EOF && c.sum.Sum32() != c.r.dataCRC {
		err = fault.InEntry(crcError(c.r, c.sum.Sum32()), c.name)
	}
	return n, err
}

// unpacked is a decoded entry of type 1 or 2.
type unpacked struct {
	content []byte
	codec   codec
	sum     uint32 // CRC of the stored bytes
	fits    bool   // data_crc matches a known way to compute it
}

// unpack reads and decodes an entry. Even with an error, sum and fits are set as far as
// they are known.
func (a *Archive) unpack(r *record, h objectHeader) (u unpacked, err error) {
	n := h.size()
	if a.checkRange(r, int64(r.dataSize)) == nil {
		n = max(n, int64(r.dataSize))
	}
	before, blob, err := a.readObject(r, h, n)
	if err != nil {
		return u, err
	}
	for _, size := range []int64{int64(r.dataSize), int64(r.slotSize)} {
		if size >= 0 && size <= n && !u.fits {
			sum := crc32.ChecksumIEEE(blob[:size])
			if u.fits = sum == r.dataCRC; size == int64(r.dataSize) {
				u.sum = sum
			}
		}
	}
	if !u.fits {
		before = nil // no decoding in place: the stream is needed for further CRCs
	}
	first := codecLZO
	if a.index.codec != "" {
		first = a.index.codec // the same packer wrote index and entries
	}
	u.content, u.codec, err = decodeObject(before, blob, int64(r.position), a.keys.data, first, a.limit, nil)
	if err == nil && !u.fits {
		stream := blob[streamStart:][:h.compressedSize]
		u.fits = crc32.ChecksumIEEE(stream) == r.dataCRC || crc32.ChecksumIEEE(u.content) == r.dataCRC
	}
	return u, err
}

// readObject reads the n bytes of an object. For a large object it leaves memory before
// the object. The object can then be unpacked in place and takes little more memory than
// its content: a stream is at most a sixteenth longer than its content.
func (a *Archive) readObject(r *record, h objectHeader, n int64) (before, blob []byte, err error) {
	if h.realSize <= streamSize {
		blob, err = wire.ReadAt(a.epk, a.epk.Size, int64(r.position), n, "data")
		return nil, blob, err
	}
	if int64(h.realSize) > a.limit {
		return nil, nil, fault.At(fault.Limit, int64(r.position)+12, "real_size", "claims to unpack to %d bytes, more than %d", h.realSize, a.limit)
	}
	lead := max(0, int64(codecLZO.bound(int(h.realSize)))-int64(h.compressedSize)) + xtea.BlockSize
	room := make([]byte, lead+n)
	_, err = a.epk.ReadAt(room[lead:], int64(r.position))
	return room[:lead], room[lead:], err
}

func crcError(r *record, sum uint32) error {
	return fault.At(fault.HashMismatch, r.offset+atDataCRC, "data_crc", "the CRC-32 of the stored data is %08x, not %08x", sum, r.dataCRC)
}

// packer returns the packer that fits the most entries, and their number.
func (a *Archive) packer() (best packer, most int) {
	if a.noData != nil {
		return "", 0
	}
	for _, p := range packers {
		n := 0
		for i, k := range a.record {
			if p.lays(&a.index.records[k], a.heads[i]) {
				n++
			}
		}
		if n > most {
			best, most = p, n
		}
	}
	return best, most
}

// byKnownPackers reports whether each entry fits a known packer.
func (a *Archive) byKnownPackers() bool {
	for i := range a.record {
		if a.packerOf(i) == "" {
			return false
		}
	}
	return true
}

// packerOf returns the packer that fits the i-th entry.
func (a *Archive) packerOf(i int) packer { return packerOf(&a.index.records[a.record[i]], a.heads[i]) }

// beyondASCII reports whether any name depends on the code page.
func (a *Archive) beyondASCII() bool {
	return slices.ContainsFunc(a.index.records, func(r record) bool {
		return bytes.ContainsFunc(r.name, func(c rune) bool { return c >= utf8.RuneSelf })
	})
}
