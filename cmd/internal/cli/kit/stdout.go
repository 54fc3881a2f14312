package kit

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"

	"pakbox/fault"
)

// Stdout is buffered standard output.
type Stdout struct {
	*bufio.Writer
	Terminal bool
	guard    *guard // nil unless it is a terminal
}

func newOutput(w io.Writer) *Stdout {
	if !isTerminal(w) {
		return &Stdout{Writer: bufio.NewWriterSize(w, 64<<10)}
	}
	g := &guard{to: w}
	return &Stdout{bufio.NewWriterSize(g, 64<<10), true, g}
}

// WithoutColours states that all output is text without colours, such as JSON and CSV. A
// terminal then gets no control characters at all.
func (o *Stdout) WithoutColours() {
	if o.guard != nil {
		o.guard.strict = true
	}
}

// guard escapes characters with which a file could manipulate a terminal, whatever prints
// them. The escapes are those of JSON, so that JSON stays valid. Programs that read the
// output get it unchanged.
type guard struct {
	to     io.Writer
	strict bool   // escapes also what colours need
	rest   []byte // the beginning of a character
}

func (g *guard) Write(p []byte) (int, error) {
	data, text := append(g.rest, p...), make([]byte, 0, len(p))
	g.rest = nil
	for len(data) > 0 {
		if !utf8.FullRune(data) {
			g.rest = data
			break
		}
		r, n := utf8.DecodeRune(data)
		switch {
		case r == utf8.RuneError && n == 1 && g.strict:
			text = fmt.Appendf(text, `\x%02x`, data[0])
		case manipulates(r) || g.strict && r < ' ' && r != '\n' && r != '\r' && r != '\t':
			text = fmt.Appendf(text, `\u%04x`, r)
		default:
			text = append(text, data[:n]...)
		}
		data = data[n:]
	}
	if _, err := g.to.Write(text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// manipulates reports whether a character begins a command of terminals, or changes the
// direction of the text behind it. No colours need it.
func manipulates(r rune) bool {
	return r >= 0x7f && r < 0xa0 || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// isTerminal reports whether a reader or writer is a terminal.
func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// FitForTerminal refuses to print binary data on a terminal, where its effect is
// unpredictable. data is the beginning of the output.
func (a *App) FitForTerminal(data []byte) error {
	const enough = 4 << 10
	if !a.Out.Terminal {
		return nil
	}
	data = data[:min(len(data), enough)]
	for i := len(data); i > len(data)-utf8.UTFMax && i > 0; i-- { // the last character may be incomplete
		if utf8.Valid(data[:i]) && bytes.IndexByte(data, 0) < 0 {
			return nil
		}
	}
	if len(data) == 0 {
		return nil
	}
	return fault.Usagef("refusing to write binary data to a terminal").Hint("send it somewhere: > FILE, or where there is one, -o FILE")
}

// Printable escapes characters that could manipulate a terminal: control characters,
// invisible and direction-changing ones, and invalid UTF-8.
func Printable(s string) string {
	if plain(s) {
		return s
	}
	clean := true
	for i, r := range s {
		if !harmless(r, s[i:]) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case harmless(r, s[i:]):
			b.WriteRune(r)
		case r == utf8.RuneError:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// plain reports whether a text has only visible letters of ASCII and spaces, as most have.
func plain(s string) bool {
	for i := range len(s) {
		if s[i]-' ' > '~'-' ' {
			return false
		}
	}
	return true
}

// Joiners are invisible, but some scripts and emoji need them.
const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
)

func harmless(r rune, rest string) bool {
	if r == utf8.RuneError {
		_, width := utf8.DecodeRuneInString(rest)
		return width > 1
	}
	return unicode.IsGraphic(r) || r == zeroWidthJoiner || r == zeroWidthNonJoiner
}

// PrintableLines is Printable for text of several lines.
func PrintableLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = Printable(line)
	}
	return strings.Join(lines, "\n")
}
