package eterpack

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"pakbox/archive"
	"pakbox/fault"
)

// maxName is the longest name a record holds; one more byte is for the NUL.
const maxName = 160

// Names are bytes in the code page of the client's country, which nothing in
// the file tells. Those that are valid UTF-8, ASCII above all, are shown as
// they are. A byte that is not is shown as %XX, so that no name is lost and
// each can be typed, extracted and packed again; a '%' that would read as such
// an escape is shown as %25.

// showName gives the name that stands for the stored bytes.
func showName(raw []byte) string {
	plain := utf8.Valid(raw)
	for i := 0; plain && i < len(raw); i++ {
		plain = raw[i] != '%' || !isEscape(raw[i:])
	}
	if plain {
		return string(raw)
	}
	var b strings.Builder
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRune(raw[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, "%%%02X", raw[i])
		case r == '%' && isEscape(raw[i:]):
			b.WriteString("%25")
		default:
			b.Write(raw[i : i+n])
		}
		i += n
	}
	return b.String()
}

// rawName is the inverse of showName.
func rawName(name string) []byte {
	raw := make([]byte, 0, len(name))
	for i := 0; i < len(name); i++ {
		if name[i] == '%' && isEscape([]byte(name[i:min(i+3, len(name))])) {
			raw = append(raw, unhex(name[i+1])<<4|unhex(name[i+2]))
			i += 2
			continue
		}
		raw = append(raw, name[i])
	}
	return raw
}

// isEscape reports whether b begins with an escape that showName writes: that
// of a byte beyond ASCII, or of '%' itself. Either case of digits counts,
// because tools on the way may lower it.
func isEscape(b []byte) bool {
	if len(b) < 3 || b[0] != '%' || unhex(b[1]) > 15 || unhex(b[2]) > 15 {
		return false
	}
	c := unhex(b[1])<<4 | unhex(b[2])
	return c >= utf8.RuneSelf || c == '%'
}

func unhex(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 0xff
}

// lower lowers ASCII letters, as the client does before it looks a name up.
func lower(raw []byte) []byte {
	out := make([]byte, len(raw))
	for i, c := range raw {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		out[i] = c
	}
	return out
}

// storeName gives the bytes that a new entry of that name is stored under:
// below d:/ymir work/ where the name says so, and in lower case.
func storeName(name string) ([]byte, error) {
	if err := archive.CheckName(name); err != nil {
		return nil, err
	}
	raw := lower(rawName(archive.DriveName(name)))
	if len(raw) > maxName {
		return nil, fault.InEntry(fault.New(fault.NameTooLong, "the name has %d bytes, a record holds %d", len(raw), maxName), name)
	}
	if nameCRC(raw) == 0 {
		return nil, fault.InEntry(fault.New(fault.BadEntry, "the CRC-32 of the name is 0, which marks a free slot"), name)
	}
	return raw, nil
}
