package pak

import (
	"io"
	"strings"
	"time"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

const magic = "NadeoPak"

// Versions of the format that can be read. No pack of version 4 or 5 is known.
const (
	minVersion = 1
	maxVersion = 18
)

// DecryptFlags say how the private parts of a pack are encrypted.
type DecryptFlags uint32

const (
	IsHeaderPrivate     DecryptFlags = 1 << iota // the header is encrypted with the pack's key
	UseDefaultHeaderKey                          // the header is encrypted with a key that every game knows
	IsDataPrivate
	IsImpostor
)

var decryptFlagNames = []string{"IsHeaderPrivate", "UseDefaultHeaderKey", "IsDataPrivate", "IsImpostor"}

// headerEncrypted reports whether the private header is encrypted.
func (f DecryptFlags) headerEncrypted() bool { return f&(IsHeaderPrivate|UseDefaultHeaderKey) != 0 }

// Names lists the flags that are set.
func (f DecryptFlags) Names() []string { return bitNames(uint64(f), decryptFlagNames) }

// AuthorInfo states who made a pack.
type AuthorInfo struct {
	Version                  uint32 // 0
	Login, Nick, Zone, Extra string
}

func (a *AuthorInfo) code(c *coder) {
	c.u32(&a.Version, "AuthorInfo.Version")
	c.str(&a.Login, "AuthorInfo.Login")
	c.str(&a.Nick, "AuthorInfo.Nick")
	c.str(&a.Zone, "AuthorInfo.Zone")
	c.str(&a.Extra, "AuthorInfo.Extra")
}

// IncludedPack describes a pack that was merged into this one.
type IncludedPack struct {
	ContentsChecksum [32]byte
	Name             string
	Author           AuthorInfo
	InfoManialinkURL string
	CreationDate     FileTime
	SecondName       string // the same name again
	NestingLevel     uint32 // version 11 and later
}

// FileTime counts 100-nanosecond steps since 1601, as Windows does.
type FileTime uint64

// Time converts t. Zero stays the zero time.
func (t FileTime) Time() time.Time {
	if t == 0 {
		return time.Time{}
	}
	const unixEpoch = 11644473600 // seconds from 1601 to 1970
	return time.Unix(int64(t/1e7)-unixEpoch, int64(t%1e7)*100).UTC()
}

// fileTimeOf is the inverse of [FileTime.Time].
func fileTimeOf(t time.Time) FileTime {
	if t.IsZero() {
		return 0
	}
	const unixEpoch = 11644473600
	return FileTime((t.Unix()+unixEpoch)*1e7 + int64(t.Nanosecond()/100))
}

// Header is the clear header. Before version 6 there is only the version.
type Header struct {
	Version           uint32
	ContentsChecksum  [32]byte // SHA-256 of everything behind this field
	DecryptFlags      DecryptFlags
	HeaderMaxSize     uint32 // version 15 and later: offset of the data
	Author            AuthorInfo
	ManialinkURL      string
	DownloadURL       string
	CreationDate      FileTime
	Comment           string
	XML               string
	TitleID           string
	UsageSubDir       string
	CreationBuildInfo string
	AuthorURL         string // version 8 only
	Unused            [16]byte
	IncludedPacks     []IncludedPack
}

// Offsets of the fields at the beginning of the clear header, in version 6 and later.
const (
	checksumOffset = 12
	checkedOffset  = 44 // ContentsChecksum covers the file from here on
)

func (h *Header) code(c *coder) {
	mark := []byte(magic)
	c.raw(mark, "magic")
	c.u32(&h.Version, "version")
	v := h.Version
	if v < 6 {
		return
	}
	c.raw(h.ContentsChecksum[:], "ContentsChecksum")
	c.u32((*uint32)(&h.DecryptFlags), "DecryptFlags")
	if v >= 15 {
		c.u32(&h.HeaderMaxSize, "HeaderMaxSize")
	}
	switch {
	case v >= 9:
		h.codeFrom9(c)
	case v >= 7:
		h.Author.code(c)
		c.str(&h.Comment, "Comment")
		c.raw(h.Unused[:], "unused")
		if v >= 8 {
			c.str(&h.CreationBuildInfo, "CreationBuildInfo")
			c.str(&h.AuthorURL, "AuthorUrl")
		}
	}
}

func (h *Header) codeFrom9(c *coder) {
	v := h.Version
	h.Author.code(c)
	c.str(&h.ManialinkURL, "ManialinkUrl")
	if v >= 13 {
		c.str(&h.DownloadURL, "DownloadUrl")
	}
	c.u64((*uint64)(&h.CreationDate), "CreationDate")
	c.str(&h.Comment, "Comment")
	if v >= 12 {
		c.str(&h.XML, "Xml")
		c.str(&h.TitleID, "TitleID")
	}
	c.str(&h.UsageSubDir, "UsageSubDir")
	c.str(&h.CreationBuildInfo, "CreationBuildInfo")
	c.raw(h.Unused[:], "unused")
	if v < 10 {
		return
	}
	list(c, &h.IncludedPacks, 72, "NbIncludedPacks", func(p *IncludedPack) {
		c.raw(p.ContentsChecksum[:], "IncludedPack.ContentsChecksum")
		c.str(&p.Name, "IncludedPack.Name")
		p.Author.code(c)
		c.str(&p.InfoManialinkURL, "IncludedPack.InfoManialinkUrl")
		c.u64((*uint64)(&p.CreationDate), "IncludedPack.CreationDate")
		c.str(&p.SecondName, "IncludedPack.Name")
		if v >= 11 {
			c.u32(&p.NestingLevel, "IncludedPack.NestingLevel")
		}
	})
}

// ReadHeader reads only the clear header, which needs no key. It returns the offset of
// the private header.
func ReadHeader(ra io.ReaderAt, size int64) (*Header, int64, error) {
	start, err := wire.ReadAt(ra, size, 0, min(size, 12), "magic")
	if err != nil {
		return nil, 0, err
	}
	if !strings.HasPrefix(string(start), magic) {
		return nil, 0, fault.At(fault.NotFormat, 0, "magic", "does not begin with %q", magic)
	}
	var h Header
	var end int64
	err = growing(16<<10, size, func(n int64) error {
		data, err := wire.ReadAt(ra, size, 0, n, "header")
		if err != nil {
			return err
		}
		h = Header{}
		r := wire.NewReader(data, 0)
		if v := wire.NewReader(data[min(8, len(data)):], 8).U32("version"); len(data) >= 12 && !readable(v) {
			return fault.At(fault.UnsupportedVersion, 8, "version", "version %d is not known", v)
		}
		h.code(&coder{r: r})
		end = r.Offset()
		return r.Err()
	})
	if err != nil {
		return nil, 0, err
	}
	return &h, end, nil
}

func readable(version uint32) bool {
	return version >= minVersion && version <= 3 || version >= 6 && version <= maxVersion
}

// growing calls parse with more and more bytes, from first up to limit, until they are
// enough. The length of a header is known only while it is read, and its limit may be a
// gigabyte.
func growing(first, limit int64, parse func(n int64) error) error {
	for n := first; ; n *= 2 {
		n = min(n, limit)
		err := parse(n)
		if n == limit || fault.KindOf(err) != fault.Truncated {
			return err
		}
	}
}

func bitNames(bits uint64, names []string) []string {
	var set []string
	for i, name := range names {
		if bits>>i&1 != 0 {
			set = append(set, name)
		}
	}
	return set
}
