package shell

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// Output is standard output, buffered.
type Output struct {
	*bufio.Writer
	Terminal bool
}

func newOutput(w io.Writer) *Output {
	return &Output{bufio.NewWriterSize(w, 64<<10), isTerminal(w)}
}

// isTerminal reports whether a reader or writer is a terminal.
func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Printable escapes what a name from a file could do to a terminal: control
// characters, invisible and direction-changing ones, and bytes that are no
// text.
func Printable(s string) string {
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

// Joiners are invisible but part of how some scripts and emoji are spelt.
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

// PrintableLines is printable for text of several lines.
func PrintableLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = Printable(line)
	}
	return strings.Join(lines, "\n")
}
