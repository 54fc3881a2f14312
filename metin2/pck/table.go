package pck

import (
	"bytes"
	"encoding/binary"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

// record describes one entry.
type record struct {
	name      []byte // without the NUL
	offset    uint64 // offset from data_begin
	size      uint64 // bytes of the content
	stored    uint64
	encrypted uint8
	nonce     [nonceSize]byte
	raw       []byte // the decrypted bytes of the record in the file; nil for a new record
}

// Offsets of the fields of a record.
const (
	atOffset    = nameField
	atSize      = atOffset + 8
	atStored    = atSize + 8
	atEncrypted = atStored + 8
	atNonce     = atEncrypted + 1
)

func parseRecord(raw []byte) record {
	r := wire.NewReader(raw, 0)
	rec := record{raw: raw}
	rec.name = r.Bytes(nameField, "name")
	if end := bytes.IndexByte(rec.name, 0); end >= 0 {
		rec.name = rec.name[:end]
	}
	rec.offset, rec.size, rec.stored = r.U64("offset"), r.U64("size"), r.U64("stored size")
	rec.encrypted = r.U8("encrypted")
	copy(rec.nonce[:], r.Bytes(nonceSize, "nonce"))
	return rec
}

// encode returns the bytes of the record. Unknown bytes behind the end of the name are
// kept.
func (r *record) encode() []byte {
	b := make([]byte, recordSize)
	if r.raw != nil {
		copy(b, r.raw)
	}
	if old := parseRecord(b); !bytes.Equal(old.name, r.name) {
		clear(b[:nameField])
		copy(b, r.name)
	}
	binary.LittleEndian.PutUint64(b[atOffset:], r.offset)
	binary.LittleEndian.PutUint64(b[atSize:], r.size)
	binary.LittleEndian.PutUint64(b[atStored:], r.stored)
	b[atEncrypted] = r.encrypted
	copy(b[atNonce:], r.nonce[:])
	return b
}

// check returns why an entry cannot be read, in a pack with n bytes of data. at is the
// offset of the record.
func (r *record) check(n uint64, at int64) error {
	switch {
	case r.offset > n || r.stored > n-r.offset:
		return fault.At(fault.EntryRange, at+atOffset, "offset", "%d bytes at %d do not lie in the %d bytes of data", r.stored, r.offset, n)
	case r.encrypted > 1:
		return fault.At(fault.UnsupportedAlgorithm, at+atEncrypted, "encrypted", "%d is neither 0 nor 1", r.encrypted)
	case r.size > 1<<62:
		return fault.At(fault.BadEntry, at+atSize, "size", "%d bytes are too many", r.size)
	}
	return nil
}

// plausible reports whether a record makes sense. With a wrong key no record does.
func (r *record) plausible(n uint64) bool {
	return len(r.name) > 0 && len(r.name) <= maxName && bytes.IndexByte(r.name, '\n') < 0 && r.check(n, 0) == nil
}
