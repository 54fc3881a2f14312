package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"

	"pakbox/archive"
)

// output is standard output, buffered.
type output struct {
	*bufio.Writer
	terminal bool
}

func newOutput(w io.Writer) *output {
	return &output{bufio.NewWriterSize(w, 64<<10), isTerminal(w)}
}

// isTerminal reports whether a reader or writer is a terminal.
func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// printable escapes what a name from a file could do to a terminal: control
// characters, invisible and direction-changing ones, and bytes that are no
// text.
func printable(s string) string {
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

// sizeText gives a number of bytes as people say it.
func sizeText(n int64) string {
	if n < 0 {
		return "unknown"
	}
	if n < 1024 {
		return count(n, "byte")
	}
	value, units := float64(n)/1024, "KMGTPE"
	for value >= 1023.95 && len(units) > 1 {
		value, units = value/1024, units[1:]
	}
	return fmt.Sprintf("%.1f %ciB", value, units[0])
}

// count gives a number of things.
func count[N int | int64](n N, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(thing, "y"))
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04")
}

// factText is what people see of a fact.
func factText(f archive.Fact) string {
	if f.Text != "" {
		return f.Text
	}
	switch v := f.Value.(type) {
	case nil:
		return "-"
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case time.Time:
		return timeText(v)
	case []string:
		return strings.Join(v, ", ")
	}
	return fmt.Sprint(f.Value)
}

// printableLines is printable for text of several lines.
func printableLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = printable(line)
	}
	return strings.Join(lines, "\n")
}
