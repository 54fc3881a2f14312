// Package styled reads texts with the colour and style codes of Nadeo's games.
package styled

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A code begins with a dollar sign. A hex digit and two further characters are a colour;
// another code may cut it short. Letters are styles. $l[url] is a link, $$ a dollar sign.
// Styles between $< and $> end at $>.

// style is the look of a piece of text.
type style struct {
	color                             string // three hex digits, "" for the default colour
	bold, italic, wide, narrow, upper bool
}

// span is a piece of text in one style.
type span struct {
	text string
	style
}

// byteOrderMark is at the beginning of every text that is not ASCII, in all games.
const byteOrderMark = "\ufeff"

// Marked adds the byte order mark if a text needs it, as the games store it.
func Marked(s string) string {
	if s = strings.ReplaceAll(s, byteOrderMark, ""); !IsASCII(s) {
		return byteOrderMark + s
	}
	return s
}

// Unmarked removes the byte order mark.
func Unmarked(s string) string { return strings.TrimPrefix(s, byteOrderMark) }

// IsASCII reports whether a text needs no mark.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// spans splits a text into pieces of one style.
func spans(s string) []span {
	s = Unmarked(s)
	out := make([]span, 0, 4)
	var now style
	var kept []style // the styles before each open $<
	link := ""
	text := ""            // of the next span, if it is one piece of s
	var b strings.Builder // the same, if it is more
	add := func(piece string) {
		if text == "" {
			text = piece
			return
		}
		if b.Len() == 0 {
			b.WriteString(text)
		}
		b.WriteString(piece)
	}
	flush := func() {
		if b.Len() > 0 {
			text = b.String()
			b.Reset()
		}
		if text != "" {
			out = append(out, span{text, now})
			text = ""
		}
	}
	for i := 0; i < len(s); i++ {
		if s[i] != '$' {
			end := strings.IndexByte(s[i:], '$')
			if end < 0 {
				end = len(s) - i
			}
			add(s[i : i+end])
			i += end - 1
			continue
		}
		if i++; i == len(s) {
			break // a dollar sign at the end is not shown
		}
		if s[i] == '$' {
			add("$")
			continue
		}
		flush()
		if isHex(s[i]) {
			now.color, i = colorCode(s, i)
			continue
		}
		switch s[i] {
		case '<':
			kept = append(kept, now)
		case '>':
			if n := len(kept) - 1; n >= 0 {
				now, kept = kept[n], kept[:n]
			}
		default:
			i, link = now.apply(s, i, link)
		}
	}
	flush()
	return out
}

// colorCode reads the colour at s[i] and returns the index of its last character. In
// codes such as $coo, a character that is not a hex digit counts as 0.
func colorCode(s string, i int) (string, int) {
	color := []byte("000")
	for n := range color {
		if i >= len(s) || s[i] == '$' {
			break
		}
		if isHex(s[i]) {
			color[n] = s[i] | 0x20 // lower case; digits already have this bit
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return string(color), i - 1
}

// maxLink limits the search for the end of a link, because a text can open a million
// links.
const maxLink = 4096

// apply changes the style by the letter at s[i] and returns the index of the code's last
// character.
func (t *style) apply(s string, i int, link string) (int, string) {
	switch s[i] | 0x20 {
	case 'o':
		t.bold = !t.bold
	case 'i':
		t.italic = !t.italic
	case 'w':
		t.wide, t.narrow = true, false
	case 'n':
		t.narrow, t.wide = true, false
	case 'm':
		t.wide, t.narrow = false, false
	case 't':
		t.upper = !t.upper
	case 's': // a shadow
	case 'g':
		t.color = ""
	case 'z':
		*t, link = style{}, ""
	case 'l', 'h', 'p':
		if link != "" {
			return i, ""
		}
		if i+1 < len(s) && s[i+1] == '[' {
			if end := strings.IndexByte(s[i:min(len(s), i+maxLink)], ']'); end >= 0 {
				return i + end, s[i+2 : i+end]
			}
		}
	default:
		_, size := utf8.DecodeRuneInString(s[i:])
		return i + size - 1, link
	}
	return i, link
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func (p *span) shown() string {
	if p.upper {
		return strings.ToUpper(p.text)
	}
	return p.text
}

// Plain returns a text without its codes, for lists, sorting and searching.
func Plain(s string) string {
	if strings.IndexByte(s, '$') < 0 { // few texts have codes
		return Unmarked(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, p := range spans(s) {
		b.WriteString(p.text)
	}
	return b.String()
}

// channel converts a hex digit of a colour to 0 to 255.
func channel(c byte) int {
	if c >= 'a' {
		return int(c-'a'+10) * 17
	}
	return int(c-'0') * 17
}

// ANSI converts the codes of a text to those of a terminal. It drops control characters,
// and characters that change the direction of writing.
func ANSI(s string) string {
	var b strings.Builder
	styled := false
	for _, p := range spans(s) {
		codes := "0"
		if p.bold {
			codes += ";1"
		}
		if p.italic {
			codes += ";3"
		}
		if p.color != "" {
			codes += fmt.Sprintf(";38;2;%d;%d;%d", channel(p.color[0]), channel(p.color[1]), channel(p.color[2]))
		}
		if codes != "0" || styled {
			b.WriteString("\x1b[" + codes + "m")
			styled = codes != "0"
		}
		b.WriteString(strings.Map(func(r rune) rune {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				return -1
			}
			return r
		}, p.shown()))
	}
	if styled {
		b.WriteString("\x1b[0m")
	}
	return b.String()
}
