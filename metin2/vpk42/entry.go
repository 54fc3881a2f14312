package vpk42

import (
	"encoding/binary"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

const (
	hashSize  = 32
	nonceSize = 12
	tagSize   = 16
	// minRecordSize is the size of a record with empty names, hash, nonce and tag.
	minRecordSize = 4 + 4 + 3*8 + 4 + 1 + 1 + 4 + 4
)

// Entry is a VpkEntry, a record of the entry table.
type Entry struct {
	StoredName   string // the mangled name, or the same as FileName
	FileName     string
	OriginalSize int64
	StoredSize   int64
	DataOffset   int64
	ContentHash  []byte // BLAKE3 of the original data
	IsCompressed bool
	IsEncrypted  bool
	Nonce        []byte
	AuthTag      []byte

	offset int64  // offset of the record in the file
	raw    []byte // bytes of the record in the file; nil for a new record
}

// parseTable decodes count records that must fill data. base is the offset of data in the
// file. Offsets are also right for an encrypted table, because GCM keeps lengths.
func parseTable(data []byte, count int32, base int64) ([]Entry, error) {
	if int64(count) > int64(len(data)/minRecordSize) {
		return nil, fault.At(fault.TableCorrupt, 6, "EntryCount",
			"%d entries of at least %d bytes do not fit into a table of %d bytes", count, minRecordSize, len(data))
	}
	r := wire.NewReader(data, base)
	entries := make([]Entry, count)
	for i := range entries {
		start := len(data) - r.Len()
		entries[i].parse(r)
		if err := r.Err(); err != nil {
			e := err.(*fault.Error)
			return nil, &fault.Error{Kind: fault.TableCorrupt, Offset: e.Offset, Field: e.Field, Message: e.Message}
		}
		entries[i].offset = base + int64(start)
		entries[i].raw = data[start : len(data)-r.Len()]
	}
	if r.Len() > 0 {
		return nil, fault.At(fault.TableCorrupt, r.Offset(), "entry table", "%d bytes are left after the last of %d entries", r.Len(), count)
	}
	return entries, nil
}

func (e *Entry) parse(r *wire.Reader) {
	e.StoredName = string(counted(r, "StoredName"))
	e.FileName = string(counted(r, "FileName"))
	if e.FileName == e.StoredName {
		e.StoredName = e.FileName // one string in memory instead of two
	}
	e.OriginalSize = r.I64("OriginalSize")
	e.StoredSize = r.I64("StoredSize")
	e.DataOffset = r.I64("DataOffset")
	e.ContentHash = counted(r, "ContentHash")
	e.IsCompressed = r.U8("IsCompressed") != 0
	e.IsEncrypted = r.U8("IsEncrypted") != 0
	e.Nonce = counted(r, "Nonce")
	e.AuthTag = counted(r, "AuthTag")
}

// counted reads a 32-bit length and that many bytes.
func counted(r *wire.Reader, field string) []byte {
	return r.Bytes(int(r.I32(field)), field)
}

// append adds the record to table. An old record keeps its bytes except for the offset,
// which may have changed.
func (e *Entry) append(table []byte) []byte {
	if e.raw != nil {
		at := len(table) + 4 + len(e.StoredName) + 4 + len(e.FileName) + 8 + 8
		table = append(table, e.raw...)
		binary.LittleEndian.PutUint64(table[at:], uint64(e.DataOffset))
		return table
	}
	table = appendCounted(table, e.StoredName)
	table = appendCounted(table, e.FileName)
	table = binary.LittleEndian.AppendUint64(table, uint64(e.OriginalSize))
	table = binary.LittleEndian.AppendUint64(table, uint64(e.StoredSize))
	table = binary.LittleEndian.AppendUint64(table, uint64(e.DataOffset))
	table = appendCounted(table, e.ContentHash)
	table = append(table, flag(e.IsCompressed), flag(e.IsEncrypted))
	table = appendCounted(table, e.Nonce)
	return appendCounted(table, e.AuthTag)
}

func appendCounted[T string | []byte](table []byte, s T) []byte {
	table = binary.LittleEndian.AppendUint32(table, uint32(len(s)))
	return append(table, s...)
}

// check returns why an entry cannot be read, without reading its data.
func (e *Entry) check(h *Header) error {
	bad := func(kind fault.Kind, field, format string, args ...any) error {
		return fault.InEntry(fault.At(kind, e.offset, field, format, args...), e.FileName)
	}
	switch {
	case e.DataOffset < headerSize || e.StoredSize < 0 ||
		e.DataOffset > h.EntryTableOffset || e.StoredSize > h.EntryTableOffset-e.DataOffset:
		return bad(fault.EntryRange, "DataOffset", "%d bytes at %d do not lie between header and table", e.StoredSize, e.DataOffset)
	case len(e.ContentHash) != hashSize:
		return bad(fault.BadEntry, "ContentHash", "the hash has %d bytes, a BLAKE3 hash has %d", len(e.ContentHash), hashSize)
	case e.IsEncrypted != h.IsEncrypted:
		return bad(fault.BadEntry, "IsEncrypted", "the entry's flag contradicts the header's")
	case e.IsEncrypted && (len(e.Nonce) != nonceSize || len(e.AuthTag) != tagSize):
		return bad(fault.BadEntry, "Nonce", "nonce and tag have %d and %d bytes, not %d and %d", len(e.Nonce), len(e.AuthTag), nonceSize, tagSize)
	case !e.IsEncrypted && len(e.Nonce)+len(e.AuthTag) > 0:
		return bad(fault.BadEntry, "Nonce", "an entry in clear has a nonce or a tag")
	case e.IsCompressed && !h.CompressionAlgorithm.known():
		return bad(fault.UnsupportedAlgorithm, "CompressionAlgorithm", "compressed with %s", h.CompressionAlgorithm)
	case e.IsCompressed && (e.StoredSize < prefixSize || e.OriginalSize < 0):
		return bad(fault.SizeMismatch, "OriginalSize", "%d compressed bytes cannot hold %d", e.StoredSize, e.OriginalSize)
	case !e.IsCompressed && e.OriginalSize != e.StoredSize:
		return bad(fault.SizeMismatch, "OriginalSize", "the entry is not compressed, but holds %d bytes for %d", e.StoredSize, e.OriginalSize)
	}
	return nil
}
