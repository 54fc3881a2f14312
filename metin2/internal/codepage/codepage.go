// Package codepage converts names in a code page to text and back. Files do not name
// their code page. If a name is not valid in the page, all its bytes beyond ASCII become
// %XX, so that every name can be typed, extracted and packed again. A '%' that would look
// like such an escape becomes %25.
package codepage

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// Page is a code page. The nil Page knows ASCII only.
type Page struct {
	Name string
	enc  encoding.Encoding
}

// The pages of the countries that the game was published in.
var (
	cp949 = &Page{"949", korean.EUCKR} // Microsoft's superset of EUC-KR
	utf_8 = &Page{"utf-8", unicode.UTF8}
	pages = []*Page{
		cp949, utf_8,
		{"1250", charmap.Windows1250}, {"1251", charmap.Windows1251}, {"1252", charmap.Windows1252},
		{"1253", charmap.Windows1253}, {"1254", charmap.Windows1254}, {"437", charmap.CodePage437}, {"936", simplifiedchinese.GBK},
	}
)

// Names lists the pages that [Find] knows.
func Names() (names []string) {
	for _, p := range pages {
		names = append(names, p.Name)
	}
	return names
}

// Find returns the page of that name, with or without "cp" before its number.
func Find(name string) (*Page, bool) {
	name = strings.TrimPrefix(strings.ToLower(name), "cp")
	for _, p := range pages {
		if p.Name == name || strings.ReplaceAll(p.Name, "-", "") == name {
			return p, true
		}
	}
	return nil, false
}

// Guess returns the page in which all names are valid. It prefers Korean to UTF-8,
// because most files of the game use it. It returns nil if no page fits.
func Guess(names [][]byte) *Page {
	for _, p := range []*Page{cp949, utf_8} {
		if p.fits(names) {
			return p
		}
	}
	return nil
}

func (p *Page) fits(names [][]byte) bool {
	for _, raw := range names {
		if isASCII(raw) {
			continue
		}
		if _, ok := p.decode(raw); !ok {
			return false
		}
	}
	return true
}

// For returns the page for new names, such that [Guess] finds it again; nil if names must
// be escaped.
func For(names []string) (*Page, error) {
	for _, p := range []*Page{cp949, utf_8, nil} {
		raws, err := p.all(names)
		if err == nil && Guess(raws) == p {
			return p, nil
		}
	}
	return nil, fmt.Errorf("the names hold letters that code page 949 does not have, and in UTF-8 they would look like it")
}

func (p *Page) all(names []string) (raws [][]byte, err error) {
	for _, name := range names {
		raw, err := p.Bytes(name)
		if err != nil {
			return nil, err
		}
		raws = append(raws, raw)
	}
	return raws, nil
}

// decode converts bytes to text, if the page has a character for each.
func (p *Page) decode(raw []byte) (string, bool) {
	if isASCII(raw) {
		return string(raw), true
	}
	if p == nil {
		return "", false
	}
	text, err := p.enc.NewDecoder().Bytes(raw)
	if err != nil || bytes.ContainsRune(text, utf8.RuneError) {
		return "", false
	}
	again, err := p.enc.NewEncoder().Bytes(text)
	return string(text), err == nil && bytes.Equal(again, raw)
}

func isASCII(raw []byte) bool {
	for _, c := range raw {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Text converts the bytes of a name to text.
func (p *Page) Text(raw []byte) string {
	text, ok := p.decode(raw)
	if !ok {
		text = string(raw)
	} else if !strings.Contains(text, "%") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '%' && isEscape(text[i:]):
			b.WriteString("%25")
		case c >= utf8.RuneSelf && !ok:
			fmt.Fprintf(&b, "%%%02X", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Bytes is the inverse of Text. It fails for characters that the page lacks.
func (p *Page) Bytes(text string) ([]byte, error) {
	raw := make([]byte, 0, len(text))
	for len(text) > 0 {
		if isEscape(text) {
			raw = append(raw, unhex(text[1])<<4|unhex(text[2]))
			text = text[3:]
			continue
		}
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r < utf8.RuneSelf:
			raw = append(raw, text[0])
		case p == nil:
			return nil, fmt.Errorf("%q is not a letter of ASCII", r)
		default:
			b, err := p.enc.NewEncoder().Bytes([]byte(text[:n]))
			if err != nil || r == utf8.RuneError {
				return nil, fmt.Errorf("code page %s has no letter %q", p.Name, r)
			}
			raw = append(raw, b...)
		}
		text = text[n:]
	}
	return raw, nil
}

// isEscape reports whether s begins with an escape of Text: for a byte beyond ASCII, or
// for '%'. The hexadecimal digits may have any case.
func isEscape(s string) bool {
	if len(s) < 3 || s[0] != '%' || unhex(s[1]) > 15 || unhex(s[2]) > 15 {
		return false
	}
	c := unhex(s[1])<<4 | unhex(s[2])
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
