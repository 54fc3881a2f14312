package eterpack

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
	"pakbox/internal/lib/xtea"
)

// Sizes and marks of the index.
const (
	indexMagic   = "EPKD"
	indexVersion = 2
	headSize     = 12
	recordSize   = 192
	nameField    = maxName + 1
)

// maxIndex bounds what an index may unpack to, so that a small file cannot
// claim much memory: every entry has a slot of 256 bytes or more, so a record
// of 192 for each is less than the data itself. Four times that leaves room for
// packs whose entries share data, and small packs get some room in any case.
func maxIndex(dataSize int64) int64 { return max(1<<20, 4*recordSize*(dataSize/slotUnit)) }

// indexForm is the way an index stands in its file.
type indexForm string

const (
	indexPlain      indexForm = "plain"
	indexCompressed indexForm = "compressed" // a crypted object in clear
	indexEncrypted  indexForm = "encrypted"
)

// index is a decoded .eix.
type index struct {
	form    indexForm
	codec   codec // of a compressed or encrypted one
	spare   int   // bytes that follow the object in the file
	records []record
	tail    []byte // what follows the records
}

// record describes one slot of the .epk. A free slot has nameCRC 0.
type record struct {
	id       int32
	name     []byte // without the NUL
	nameCRC  uint32
	slotSize int32 // real_data_size
	dataSize int32
	dataCRC  uint32
	position int32 // data_position
	kind     int8  // type
	offset   int64 // of the record in the decoded index
	raw      []byte
}

func (r *record) free() bool { return r.nameCRC == 0 }

func nameCRC(raw []byte) uint32 { return crc32.ChecksumIEEE(raw) }

// decodeIndex reads the content of an .eix, which it may change.
func decodeIndex(data []byte, key *xtea.Cipher, limit int64) (*index, error) {
	x := &index{form: indexPlain}
	if bytes.HasPrefix(data, []byte(objectMagic)) {
		h, err := readObjectHeader(data, 0)
		if err != nil {
			return nil, err
		}
		// Only the right codec gives an index, which settles the choice even
		// where the stream happens to make sense to both.
		isIndex := func(b []byte) bool { return bytes.HasPrefix(b, []byte(indexMagic)) }
		x.form = indexCompressed
		if h.encryptSize != 0 {
			x.form = indexEncrypted
		}
		x.spare = h.spare(len(data))
		if data, x.codec, err = decodeObject(data, 0, key, codecLZO, limit, isIndex); err != nil {
			return nil, err
		}
	}
	return x, x.parse(data)
}

// parse reads the table.
func (x *index) parse(data []byte) error {
	r := wire.NewReader(data, 0)
	if magic := r.Bytes(4, "fourcc"); r.Err() == nil && string(magic) != indexMagic {
		return fault.At(fault.NotFormat, 0, "fourcc", "the index begins with %q, not %q", magic, indexMagic)
	}
	if v := r.U32("version"); r.Err() == nil && v != indexVersion {
		return fault.At(fault.UnsupportedVersion, 4, "version", "index version %d, only %d is known", v, indexVersion)
	}
	n := r.Count(recordSize, "index_count")
	if r.Err() != nil {
		return r.Err()
	}
	x.records = make([]record, n)
	for i := range x.records {
		x.records[i] = readRecord(r)
	}
	x.tail = r.Bytes(r.Len(), "")
	return r.Err()
}

// Where the fields of a record are.
const (
	atName     = 4
	atNameCRC  = 168
	atSlotSize = 172
	atDataSize = 176
	atDataCRC  = 180
	atPosition = 184
	atKind     = 188
)

// readRecord reads one record, which must be there.
func readRecord(r *wire.Reader) record {
	at := r.Offset()
	raw := r.Bytes(recordSize, "record")
	f := wire.NewReader(raw, at)
	rec := record{offset: at, raw: raw}
	rec.id = f.I32("id")
	rec.name = f.Bytes(nameField, "filename")
	if end := bytes.IndexByte(rec.name, 0); end >= 0 {
		rec.name = rec.name[:end]
	}
	f.Skip(3, "padding")
	rec.nameCRC = f.U32("filename_crc")
	rec.slotSize = f.I32("real_data_size")
	rec.dataSize = f.I32("data_size")
	rec.dataCRC = f.U32("data_crc")
	rec.position = f.I32("data_position")
	rec.kind = f.I8("compressed_type")
	return rec
}

// encode gives the record's bytes. One that nobody changed keeps those it was
// read from, padding and all.
func (r *record) encode() []byte {
	if r.raw != nil {
		return r.raw
	}
	b := make([]byte, recordSize)
	binary.LittleEndian.PutUint32(b[0:], uint32(r.id))
	copy(b[atName:atName+nameField], r.name)
	binary.LittleEndian.PutUint32(b[atNameCRC:], r.nameCRC)
	binary.LittleEndian.PutUint32(b[atSlotSize:], uint32(r.slotSize))
	binary.LittleEndian.PutUint32(b[atDataSize:], uint32(r.dataSize))
	binary.LittleEndian.PutUint32(b[atDataCRC:], r.dataCRC)
	binary.LittleEndian.PutUint32(b[atPosition:], uint32(r.position))
	b[atKind] = byte(r.kind)
	return b
}

// encode gives the content of the .eix.
func (x *index) encode(key *xtea.Cipher, level int) ([]byte, error) {
	if len(x.records) > (math.MaxInt32-headSize)/recordSize {
		return nil, fault.New(fault.Limit, "%d records are more than an index can hold", len(x.records))
	}
	b := make([]byte, 0, headSize+len(x.records)*recordSize+len(x.tail))
	b = append(b, indexMagic...)
	b = binary.LittleEndian.AppendUint32(b, indexVersion)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(x.records)))
	for i := range x.records {
		b = append(b, x.records[i].encode()...)
	}
	b = append(b, x.tail...)
	switch x.form {
	case indexPlain:
		return b, nil
	case indexCompressed:
		return encodeObject(b, nil, x.codec, level)
	}
	return encodeObject(b, key, x.codec, level)
}
