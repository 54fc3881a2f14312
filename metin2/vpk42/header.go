package vpk42

import (
	"bytes"
	"encoding/binary"
	"io"
	"time"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

const (
	magic       = "42PK"
	headerSize  = 512
	trailerSize = 32
	saltSize    = 32
	authorSize  = 64
	commentSize = 128
	blockAlign  = 4096
)

// Header is the VpkHeader. Version 1 has no CompressionAlgorithm; the field is then LZ4,
// the only algorithm of version 1.
type Header struct {
	Version              uint16
	EntryCount           int32
	EntryTableOffset     int64
	EntryTableSize       int32
	IsEncrypted          bool
	CompressionLevel     int32
	CompressionAlgorithm Algorithm
	FileNamesMangled     bool
	CreatedAtUtcTicks    int64
	Salt                 [saltSize]byte
	Author               string // up to the first NUL; a long text may be cut inside a character
	Comment              string
	Reserved             []byte // must be zero
}

// ReadHeader reads the header of a file of the given size and checks what can
// be checked without the rest.
func ReadHeader(ra io.ReaderAt, size int64) (Header, error) {
	raw, err := readRawHeader(ra, size)
	if err != nil {
		return Header{}, err
	}
	return parseHeader(raw, size)
}

// readRawHeader reads the bytes of the header, and checks magic and version, which
// determine the meaning of the other bytes.
func readRawHeader(ra io.ReaderAt, size int64) ([]byte, error) {
	raw, err := wire.ReadAt(ra, size, 0, min(size, headerSize), "VpkHeader")
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(raw, []byte(magic)) {
		return nil, notThisFormat(raw)
	}
	if len(raw) < headerSize {
		return nil, fault.At(fault.Truncated, int64(len(raw)), "VpkHeader", "the header needs %d bytes, the file has %d", headerSize, len(raw))
	}
	if v := binary.LittleEndian.Uint16(raw[4:]); v != 1 && v != 2 {
		return nil, fault.At(fault.UnsupportedVersion, 4, "Version", "version %d is neither 1 nor 2", v)
	}
	return raw, nil
}

// notThisFormat states what a .vpk of another format is.
func notThisFormat(raw []byte) error {
	if len(raw) == 0 {
		return fault.At(fault.NotFormat, 0, "Magic", "the file is empty")
	}
	if bytes.HasPrefix(raw, []byte("\x34\x12\xaa\x55")) {
		return fault.At(fault.NotFormat, 0, "Magic", "this is a Valve VPK (Source engine), which shares only the extension with 42pak's")
	}
	return fault.At(fault.NotFormat, 0, "Magic", "a 42pak archive begins with %q, not % x", magic, raw[:min(len(raw), 4)])
}

// parseHeader decodes raw, whose magic and version [readRawHeader] has checked.
func parseHeader(raw []byte, size int64) (Header, error) {
	r := wire.NewReader(raw, 0)
	r.Skip(len(magic), "Magic")
	h := Header{
		Version:              r.U16("Version"),
		EntryCount:           r.I32("EntryCount"),
		EntryTableOffset:     r.I64("EntryTableOffset"),
		EntryTableSize:       r.I32("EntryTableSize"),
		IsEncrypted:          r.U8("IsEncrypted") != 0,
		CompressionLevel:     r.I32("CompressionLevel"),
		CompressionAlgorithm: LZ4,
	}
	if h.Version >= 2 {
		h.CompressionAlgorithm = Algorithm(r.U8("CompressionAlgorithm"))
	}
	h.FileNamesMangled = r.U8("FileNamesMangled") != 0
	h.CreatedAtUtcTicks = r.I64("CreatedAtUtcTicks")
	copy(h.Salt[:], r.Bytes(saltSize, "Salt"))
	h.Author = untilNUL(r.Bytes(authorSize, "Author"))
	h.Comment = untilNUL(r.Bytes(commentSize, "Comment"))
	h.Reserved = r.Bytes(r.Len(), "Reserved")

	switch end := size - trailerSize; {
	case h.EntryCount < 0:
		return h, fault.At(fault.BadHeader, 6, "EntryCount", "the count is negative: %d", h.EntryCount)
	case h.EntryTableOffset < headerSize:
		return h, fault.At(fault.BadHeader, 10, "EntryTableOffset", "the table cannot begin at %d, inside the header", h.EntryTableOffset)
	case h.EntryTableSize < 0:
		return h, fault.At(fault.BadHeader, 18, "EntryTableSize", "the size is negative: %d", h.EntryTableSize)
	case h.EntryTableOffset > end || int64(h.EntryTableSize) > end-h.EntryTableOffset:
		return h, fault.At(fault.Truncated, 10, "EntryTableOffset",
			"table of %d bytes at 0x%x and trailer do not fit into a file of %d bytes", h.EntryTableSize, h.EntryTableOffset, size)
	}
	return h, r.Err()
}

// encode returns the header's 512 bytes. Author and Comment must fit.
func (h *Header) encode() []byte {
	b := make([]byte, 0, headerSize)
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint16(b, h.Version)
	b = append(b, make([]byte, 16)...) // room for the fields that patchTable writes
	b = append(b, flag(h.IsEncrypted))
	b = binary.LittleEndian.AppendUint32(b, uint32(h.CompressionLevel))
	if h.Version >= 2 {
		b = append(b, byte(h.CompressionAlgorithm))
	}
	b = append(b, flag(h.FileNamesMangled))
	b = binary.LittleEndian.AppendUint64(b, uint64(h.CreatedAtUtcTicks))
	b = append(b, h.Salt[:]...)
	b = append(b, h.Author...)
	b = append(b, make([]byte, authorSize-len(h.Author))...)
	b = append(b, h.Comment...)
	b = append(b, make([]byte, commentSize-len(h.Comment))...)
	b = append(b, make([]byte, headerSize-len(b))...)
	h.patchTable(b)
	return b
}

// patchTable writes the place of the table into the bytes of the header, and changes no
// other byte. These fields have the same offsets in both versions.
func (h *Header) patchTable(raw []byte) {
	binary.LittleEndian.PutUint32(raw[6:], uint32(h.EntryCount))
	binary.LittleEndian.PutUint64(raw[10:], uint64(h.EntryTableOffset))
	binary.LittleEndian.PutUint32(raw[18:], uint32(h.EntryTableSize))
}

// tableEnd is the offset behind the entry table.
func (h *Header) tableEnd() int64 { return h.EntryTableOffset + int64(h.EntryTableSize) }

// reservedOffset is the offset of Reserved.
func (h *Header) reservedOffset() int64 { return headerSize - int64(len(h.Reserved)) }

// CreatedAt is the time when the archive was made. The file stores it as a .NET time. It
// is the zero time if the value is outside the range of .NET.
func (h *Header) CreatedAt() time.Time {
	if h.CreatedAtUtcTicks < 0 || h.CreatedAtUtcTicks > maxTicks {
		return time.Time{}
	}
	ticks := h.CreatedAtUtcTicks - unixEpochTicks
	return time.Unix(ticks/ticksPerSecond, ticks%ticksPerSecond*100).UTC()
}

// .NET counts time in units of 100 ns since the year 1.
const (
	ticksPerSecond = 10_000_000
	unixEpochTicks = 621_355_968_000_000_000
	maxTicks       = 3_155_378_975_999_999_999 // the last moment of the year 9999
)

func ticksOf(t time.Time) int64 {
	return t.Unix()*ticksPerSecond + int64(t.Nanosecond())/100 + unixEpochTicks
}

func untilNUL(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// alignUp rounds off up to the next block boundary.
func alignUp(off int64) int64 {
	return (off + blockAlign - 1) &^ (blockAlign - 1)
}
