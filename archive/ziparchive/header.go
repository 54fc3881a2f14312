package ziparchive

import (
	"archive/zip"
	"encoding/binary"
	"hash/crc32"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Flags, versions and extra fields of a header: APPNOTE.TXT 4.4.4, 4.5 and appendix D, and
// Info-ZIP's extra fields.
const (
	flagEncrypted = 1
	flagUTF8      = 0x800

	version20        = 20 // the version that introduced folders and deflate
	extraTime        = 0x5455
	extraUnicodePath = 0x7075
)

// entryName is the name of an entry, with slashes. A name that is not marked as UTF-8 and is
// not valid UTF-8 comes from the extra field for Unicode names. Without this field it is in
// the code page of DOS.
func entryName(f *zip.File) string {
	name := f.Name
	if !utf8.ValidString(name) && f.Flags&flagUTF8 == 0 {
		if unicode, ok := unicodePath(f); ok {
			name = unicode
		} else if decoded, err := charmap.CodePage437.NewDecoder().String(name); err == nil {
			name = decoded
		}
	}
	return strings.ReplaceAll(name, `\`, "/")
}

// isFolder reports whether f is a folder that is stored as an entry.
func isFolder(f *zip.File) bool { return strings.HasSuffix(entryName(f), "/") }

// unicodePath is the name in the extra field for Unicode names, if that field belongs to the
// name in the header.
func unicodePath(f *zip.File) (string, bool) {
	for extra := f.Extra; len(extra) >= 4; {
		id, size := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		extra = extra[4:]
		if size > len(extra) {
			break
		}
		field := extra[:size]
		extra = extra[size:]
		if id == extraUnicodePath && size > 5 && field[0] == 1 && binary.LittleEndian.Uint32(field[1:]) == crc32.ChecksumIEEE([]byte(f.Name)) {
			return string(field[5:]), utf8.Valid(field[5:])
		}
	}
	return "", false
}

// newHeader is the header of a new entry, for [zip.Writer.CreateRaw], which writes it
// unchanged.
func newHeader(name string, modified time.Time) *zip.FileHeader {
	h := &zip.FileHeader{Method: zip.Deflate, CreatorVersion: version20, ReaderVersion: version20}
	setName(h, name)
	t := modified.UTC()
	if t.Before(zipEpoch) || t.Year() >= zipEpoch.Year()+1<<7 {
		t = zipEpoch // the field has seven bits: another year would wrap around
	}
	//lint:ignore SA1019 CreateRaw takes the two fields as they are and never looks at Modified
	h.ModifiedDate = uint16(t.Day() + int(t.Month())<<5 + (t.Year()-zipEpoch.Year())<<9)
	//lint:ignore SA1019 see above
	h.ModifiedTime = uint16(t.Second()/2 + t.Minute()<<5 + t.Hour()<<11)
	if t.After(zipEpoch) && t.Unix() <= math.MaxInt32 { // the field is a signed 32-bit number
		h.Extra = binary.LittleEndian.AppendUint16(h.Extra, extraTime)
		h.Extra = binary.LittleEndian.AppendUint16(h.Extra, 5)
		h.Extra = append(h.Extra, 1) // only the time of modification follows
		h.Extra = binary.LittleEndian.AppendUint32(h.Extra, uint32(t.Unix()))
	}
	return h
}

// setName sets the name of an entry, and the UTF-8 flag if the name is not ASCII.
func setName(h *zip.FileHeader, name string) {
	h.Name = name
	h.Flags &^= flagUTF8
	if strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) {
		h.Flags |= flagUTF8
	}
}
