package eterpack

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
	"pakbox/metin2/internal/xtea"
)

// Sizes and marks of the index.
const (
	indexVersion = 2
	headSize     = 12
	recordSize   = 192
	nameField    = maxName + 1
)

// maxIndex limits the unpacked size of an index, so that a small file cannot claim much
// memory. Records are mostly zeros: real indexes unpack to about eight times their packed
// size.
func maxIndex(packed int64) int64 { return max(1<<20, 32*packed) }

// indexForm is how an index is stored in its file.
type indexForm string

const (
	indexPlain      indexForm = "plain"
	indexCompressed indexForm = "compressed" // a crypted object that is not encrypted
	indexEncrypted  indexForm = "encrypted"
)

// index is a decoded .eix.
type index struct {
	form    indexForm
	marks   marks
	codec   codec // codec of a compressed or encrypted index
	spare   int   // bytes that follow the object in the file
	records []record
	tail    []byte // bytes behind the records
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
	offset   int64 // offset of the record in the decoded index
	raw      []byte
}

func (r *record) free() bool { return r.nameCRC == 0 }

func nameCRC(raw []byte) uint32 { return crc32.ChecksumIEEE(raw) }

// decodeIndex reads the content of an .eix. It may change data.
func decodeIndex(data []byte, known marks, key *xtea.Cipher, limit int64) (*index, error) {
	x := &index{form: indexPlain, marks: known}
	if !isTable(data, known) && !sizedTable(data, int64(len(data))) {
		h, err := readObjectHeader(data, 0)
		if err != nil {
			return nil, err
		}
		x.marks.object = h.mark
		// Only the right codec gives an index, even if the stream can be decoded with
		// both.
		isIndex := func(b []byte) bool { return isTable(b, known) || sizedTable(b, int64(len(b))) }
		x.form = indexCompressed
		if h.encryptSize != 0 {
			x.form = indexEncrypted
		}
		x.spare = h.spare(len(data))
		if data, x.codec, err = decodeObject(nil, data, 0, key, codecLZO, limit, isIndex); err != nil {
			return nil, err
		}
	}
	return x, x.parse(data)
}

// parse reads the table.
func (x *index) parse(data []byte) error {
	r := wire.NewReader(data, 0)
	x.marks.index = string(r.Bytes(4, "fourcc"))
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

// Offsets of the fields of a record.
const (
	atName     = 4
	atNameCRC  = 168
	atSlotSize = 172
	atDataSize = 176
	atDataCRC  = 180
	atPosition = 184
	atKind     = 188
)

// readRecord reads one record. The caller has checked that it is there.
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

// encode returns the bytes of the record. An unchanged record keeps its original bytes,
// including padding.
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

// encode returns the content of the .eix.
func (x *index) encode(key *xtea.Cipher, level int) ([]byte, error) {
	if len(x.records) > (math.MaxInt32-headSize)/recordSize {
		return nil, fault.New(fault.Limit, "%d records are more than an index can hold", len(x.records))
	}
	b := make([]byte, 0, headSize+len(x.records)*recordSize+len(x.tail))
	b = append(b, x.marks.index...)
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
		return encodeObject(b, x.marks.object, nil, x.codec, level)
	}
	return encodeObject(b, x.marks.object, key, x.codec, level)
}

// isTable reports whether data begins like a table with a known mark.
func isTable(data []byte, known marks) bool {
	return bytes.HasPrefix(data, []byte(known.index)) || bytes.HasPrefix(data, []byte(defaultMarks.index))
}

// sizedTable reports whether a file that begins with head can be a table with any mark,
// because its size and record count agree exactly.
func sizedTable(head []byte, size int64) bool {
	if len(head) < headSize || !isMark(string(head[:4])) {
		return false
	}
	version, count := binary.LittleEndian.Uint32(head[4:]), binary.LittleEndian.Uint32(head[8:])
	return version == indexVersion && size == headSize+recordSize*int64(count)
}

// sizedObject is the same as sizedTable for a table in an encrypted object.
func sizedObject(head []byte, size int64) bool {
	h, err := parseObjectHeader(head, 0)
	if err != nil || h.encryptSize == 0 || !isMark(h.mark) {
		return false
	}
	spare := h.spare(int(size))
	return (spare == 0 || spare == objectSpare) &&
		int64(h.encryptSize) < int64(h.compressedSize)+encryptExtra+xtea.BlockSize &&
		h.realSize >= headSize && (h.realSize-headSize)%recordSize == 0
}
