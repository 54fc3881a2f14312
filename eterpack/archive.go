package eterpack

import (
	"bytes"
	"context"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"maps"
	"slices"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

// Archive is an open pack.
type Archive struct {
	*archive.Tree
	eix, epk archive.Input
	closer   io.Closer
	index    *index
	record   []int // of each entry, its place in index.records
	keys     keys
	limit    int64
}

// Format is the name of the format.
func (a *Archive) Format() string { return Format{}.Name() }

// PrimaryName is the base name of the index, which is the file that stands
// for the pair.
func (a *Archive) PrimaryName() string { return a.eix.Name }

// Close closes the files of the pair that Open opened by itself.
func (a *Archive) Close() error { return a.closer.Close() }

// The ways to store an entry.
const (
	typeRaw       = 0
	typeCompress  = 1
	typeEncrypted = 2
)

// methods names the types.
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
	for i := range a.index.records {
		if r := &a.index.records[i]; !r.free() {
			if err := ctx.Err(); err != nil {
				return err
			}
			entries = append(entries, a.entry(r))
			a.record = append(a.record, i)
		}
	}
	a.Tree = archive.NewTree(entries, true, a.open)
	return nil
}

func (a *Archive) entry(r *record) archive.Entry {
	e := archive.Entry{
		Name:       showName(r.name),
		Size:       -1,
		StoredSize: int64(max(r.dataSize, 0)),
		Offset:     int64(max(r.position, -1)),
		Compressed: r.kind == typeCompress || r.kind == typeEncrypted || r.kind == 6,
		Encrypted:  r.kind >= typeEncrypted,
		Method:     method(r.kind),
	}
	if e.Problem = a.checkRange(r); e.Problem != nil {
		return e
	}
	switch r.kind {
	case typeRaw:
		e.Size = int64(r.dataSize)
		// The CRC is that of the stored bytes, so only here of the content.
		e.Hash = fmt.Sprintf("crc32:%08x", r.dataCRC)
	case typeCompress, typeEncrypted:
		head := make([]byte, min(objectHeaderSize, r.dataSize))
		if _, err := a.epk.ReadAt(head, int64(r.position)); err != nil && err != io.EOF {
			e.Problem = err
			return e
		}
		h, err := parseObjectHeader(head, int64(r.position))
		if e.Problem = err; err == nil {
			e.Size = int64(h.realSize)
		}
	case 3, 4, 5:
		e.Problem = fault.New(fault.KeyRequired, "%s", method(r.kind))
	default:
		e.Problem = fault.New(fault.UnsupportedAlgorithm, "%s is not supported", method(r.kind))
	}
	return e
}

// checkRange makes sure that the data lies in the file.
func (a *Archive) checkRange(r *record) error {
	end := int64(r.position) + int64(r.dataSize)
	if r.position < 0 || r.dataSize < 0 || end > a.epk.Size {
		return fault.At(fault.EntryRange, r.offset+atPosition, "data_position", "%d bytes at %d do not lie in the %s of %d bytes",
			r.dataSize, r.position, dataExt, a.epk.Size)
	}
	return nil
}

// open gives the content of the i-th entry.
func (a *Archive) open(i int) (io.ReadCloser, error) {
	e, r := a.Entries()[i], &a.index.records[a.record[i]]
	if e.Problem != nil {
		return nil, fault.InEntry(e.Problem, e.Name)
	}
	if e.Size > a.limit {
		return nil, fault.InEntry(fault.New(fault.Limit, "claims to unpack to %d bytes, more than %d", e.Size, a.limit), e.Name)
	}
	if r.kind == typeRaw {
		section := io.NewSectionReader(a.epk, int64(r.position), int64(r.dataSize))
		return readCloser{&rawReader{ReaderAt: section, src: section, sum: crc32.NewIEEE(), r: r, name: e.Name}}, nil
	}
	blob, err := a.blob(r)
	if err != nil {
		return nil, fault.InEntry(err, e.Name)
	}
	// The client checks the CRC of this type, and it tells damage from a key
	// that does not fit.
	if r.kind == typeEncrypted {
		if sum := crc32.ChecksumIEEE(blob); sum != r.dataCRC {
			return nil, fault.InEntry(crcError(r, sum), e.Name)
		}
	}
	content, _, err := a.decode(r, blob)
	if err != nil {
		return nil, fault.InEntry(err, e.Name)
	}
	return readCloser{bytes.NewReader(content)}, nil
}

// readCloser is content that can be read anywhere and needs no closing.
type readCloser struct{ randomReader }

type randomReader interface {
	io.Reader
	io.ReaderAt
}

func (readCloser) Close() error { return nil }

// rawReader is content that is stored as it is. Whoever reads it from its
// beginning to its end learns there whether the CRC holds.
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

// blob reads what is stored for a record.
func (a *Archive) blob(r *record) ([]byte, error) {
	return wire.ReadAt(a.epk, a.epk.Size, int64(r.position), int64(r.dataSize), "data")
}

// decode unpacks a blob of type 1 or 2, which it may change.
func (a *Archive) decode(r *record, blob []byte) ([]byte, codec, error) {
	first := codecLZO
	if a.index.codec != "" {
		first = a.index.codec // one packer wrote both
	}
	return decodeObject(blob, int64(r.position), a.keys.data, first, a.limit, nil)
}

func crcError(r *record, sum uint32) error {
	return fault.At(fault.HashMismatch, r.offset+atDataCRC, "data_crc", "the CRC-32 of the stored data is %08x, not %08x", sum, r.dataCRC)
}

// Facts describe the pack.
func (a *Archive) Facts() []archive.Fact {
	kinds := map[int8]int{}
	free, used := 0, int64(0)
	for i := range a.index.records {
		r := &a.index.records[i]
		if r.free() {
			free++
			continue
		}
		kinds[r.kind]++
		used += int64(max(r.dataSize, 0))
	}
	form := string(a.index.form)
	if a.index.codec != "" {
		form += ", " + string(a.index.codec)
	}
	facts := []archive.Fact{
		{Name: "index", Label: "Index", Value: string(a.index.form), Text: form},
		{Name: "index_version", Label: "Index version", Value: indexVersion},
		{Name: "free_slots", Label: "Free slots", Value: free},
		{Name: "data_size", Label: "Data file", Value: a.epk.Size, Text: fmt.Sprintf("%s, %d bytes", a.epk.Name, a.epk.Size)},
		{Name: "data_used", Label: "Of that in use", Value: used, Text: fmt.Sprintf("%d bytes", used)},
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		facts = append(facts, archive.Fact{Name: fmt.Sprintf("type_%d", kind), Label: "Entries of " + method(kind), Value: kinds[kind]})
	}
	return facts
}
