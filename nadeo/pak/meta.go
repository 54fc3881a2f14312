package pak

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/klauspost/compress/zlib"

	"pakbox/codec/zinflate"
	"pakbox/fault"
	"pakbox/internal/lib/wire"
	"pakbox/nadeo/internal/crypt"
)

// MetaRecord is the record of one entry in the metadata section. Before version 18 it is
// the beginning of a GBX file, up to and including the number of nodes; in version 18 it
// is only the user data of the GBX header.
type MetaRecord struct {
	File int
	Data []byte
}

// metaEnd ends the list of records.
const metaEnd = 0xffffffff

// hasMetadata reports whether there is a metadata section.
func (p *Pack) hasMetadata() bool { return p.GbxHeadersStart != 0 }

// Metadata reads the metadata section.
func (p *Pack) Metadata() ([]MetaRecord, error) {
	if !p.hasMetadata() {
		return nil, nil
	}
	plain, err := p.unpackMetadata()
	if err != nil {
		return nil, err
	}
	var records []MetaRecord
	r := wire.NewReader(plain, 0)
	for {
		file := r.U32("fileIndex")
		if r.Err() != nil {
			return nil, r.Err()
		}
		if file == metaEnd {
			return records, nil
		}
		if int64(file) >= int64(len(p.Files)) {
			return nil, fault.At(fault.TableCorrupt, r.Offset()-4, "fileIndex", "metadata for file %d of %d", file, len(p.Files))
		}
		var data []byte
		if p.Version >= 18 {
			data = r.Bytes(int(r.U16("userDataSize")), "userData")
		} else {
			data = r.Bytes(gbxHeadLen(r), "metaGBX")
		}
		records = append(records, MetaRecord{int(file), data})
	}
}

// metadata reads the section, only once, and returns the records by entry.
func (p *Pack) metadata() (map[int][]byte, error) {
	p.metaOnce.Do(func() {
		var records []MetaRecord
		records, p.metaErr = p.Metadata()
		p.meta = make(map[int][]byte, len(records))
		for _, rec := range records {
			p.meta[rec.File] = rec.Data
		}
	})
	return p.meta, p.metaErr
}

// gbxHeadLen is the length of a GBX file up to and including the number of nodes. It does
// not move r.
func gbxHeadLen(r *wire.Reader) int {
	look := *r
	head, n := parseGBXHead(look.Bytes(look.Len(), "metaGBX"))
	if head == nil {
		r.Fail(fault.TableCorrupt, r.Offset(), "metaGBX", "this is not the beginning of a GBX file")
		return 0
	}
	return n
}

// gbxHead has the parts of a GBX header that a pack needs.
type gbxHead struct {
	classID  uint32
	userData []byte
}

// parseGBXHead reads the beginning of a GBX file and returns its length up to and
// including the number of nodes; nil if data is no GBX.
func parseGBXHead(data []byte) (*gbxHead, int) {
	if len(data) < 5 || string(data[:3]) != "GBX" {
		return nil, 0
	}
	version := binary.LittleEndian.Uint16(data[3:])
	at := 8 // magic, version, three letters of format
	if version >= 4 {
		at = 9
	}
	if version < 3 || len(data) < at+4 {
		return nil, 0
	}
	h := &gbxHead{classID: binary.LittleEndian.Uint32(data[at:])}
	at += 4
	if version >= 6 {
		if len(data) < at+4 {
			return nil, 0
		}
		n := int64(binary.LittleEndian.Uint32(data[at:]))
		if at += 4; n > int64(len(data)-at) {
			return nil, 0
		}
		h.userData = data[at : at+int(n)]
		at += int(n)
	}
	if len(data) < at+4 {
		return nil, 0
	}
	return h, at + 4
}

func (p *Pack) unpackMetadata() ([]byte, error) {
	start := int64(p.GbxHeadersStart)
	if start > p.size {
		return nil, fault.At(fault.Truncated, start, "metadata", "the section begins behind the end of the file")
	}
	var src source = plainSource{io.NewSectionReader(p.ra, start, p.size-start)}
	if p.headerEncrypted() {
		if p.size-start < crypt.BlockSize {
			return nil, fault.At(fault.Truncated, start, "metadata", "the section has no room for its IV")
		}
		size := (p.size - start - crypt.BlockSize) &^ (crypt.BlockSize - 1)
		src = crypt.NewReader(src, p.headerCipher(), crypt.CBC, size)
	}
	var unpacked io.Reader
	if p.Version >= 18 {
		unpacked = newLZ4Reader(src, int64(p.GbxHeadersComprSize), int64(p.GbxHeadersSize), p.Dictionary)
	} else {
		// The stored length may or may not include the padding, so the end of the zlib
		// stream decides.
		unpacked = zinflate.NewPageReader(src)
	}
	var plain bytes.Buffer
	if _, err := io.CopyN(&plain, unpacked, maxHeader); err != io.EOF {
		if err == nil {
			return nil, fault.At(fault.Limit, start, "metadata", "the section unpacks to more than %d bytes", maxHeader)
		}
		if fault.KindOf(err) != "" {
			return nil, err
		}
		e := fault.Wrap(fault.DecompressFailed, err, "the section cannot be unpacked")
		e.Offset, e.Field = start, "metadata"
		return nil, e
	}
	return plain.Bytes(), nil
}

// metadataFor makes the record of a new entry, or nil if it needs none: only a GBX has a
// record, and from version 18 on only if it has the flag PublishFid and user data.
func metadataFor(version uint32, f *File, content []byte) []byte {
	head, n := parseGBXHead(content)
	switch {
	case head == nil:
		return nil
	case version < 18:
		return bytes.Clone(content[:n])
	case f.Flags&PublishFid == 0 || len(head.userData) > maxRecord:
		return nil
	}
	return recordOrNone(head.userData)
}

// notesOffsets reports whether the file table states the offsets of records. Version 18
// does, version 3 does not; for versions between, the table itself shows it.
func notesOffsets(version uint32, files []File) bool {
	for i := range files {
		if version >= 6 && files[i].MetaOffset != noMetadata {
			return true
		}
	}
	return version >= 18
}

// packMetadata encodes records, which are in ascending order of their files, and sets
// their offsets in the file table. It returns the compressed section and its uncompressed
// length.
func packMetadata(version uint32, records []MetaRecord, files []File) ([]byte, int) {
	noted := notesOffsets(version, files)
	for i := range files {
		if noted {
			files[i].MetaOffset = noMetadata
		}
	}
	var plain []byte
	for _, rec := range records {
		if noted {
			files[rec.File].MetaOffset = uint32(len(plain))
		}
		plain = binary.LittleEndian.AppendUint32(plain, uint32(rec.File))
		if version >= 18 {
			plain = binary.LittleEndian.AppendUint16(plain, uint16(len(rec.Data)))
		}
		plain = append(plain, rec.Data...)
	}
	plain = binary.LittleEndian.AppendUint32(plain, metaEnd)
	return compress(version, plain), len(plain)
}

func packZlib(data []byte) []byte {
	var b bytes.Buffer
	w, _ := zlib.NewWriterLevel(&b, zlib.BestCompression) // fails only for an invalid level
	w.Write(data)                                         // cannot fail: it writes into memory
	w.Close()
	return b.Bytes()
}
