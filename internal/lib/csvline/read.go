package csvline

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"io"
	"strings"
	"unicode/utf16"
)

// Spreadsheets and shells of Windows write texts in other ways than they read them: with a
// byte order mark, in UTF-16, with semicolons where the comma is the decimal mark, and with
// a line that names the separator.

// Text returns a text that people give as UTF-8 without a byte order mark.
func Text(data []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		order = binary.LittleEndian
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		order = binary.BigEndian
	default:
		return bytes.TrimPrefix(data, []byte("\ufeff"))
	}
	units := make([]uint16, 0, len(data)/2)
	for i := 2; i+1 < len(data); i += 2 {
		units = append(units, order.Uint16(data[i:]))
	}
	return []byte(string(utf16.Decode(units)))
}

// TextReader is [Text] for a text that is too large to keep, unless it is UTF-16.
func TextReader(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	mark, _ := b.Peek(3) // a shorter text has no mark
	if string(mark) == "\ufeff" {
		b.Discard(len(mark))
	}
	if len(mark) < 2 || string(mark[:2]) != "\xff\xfe" && string(mark[:2]) != "\xfe\xff" {
		return b, nil
	}
	data, err := io.ReadAll(b)
	return bytes.NewReader(Text(data)), err
}

// NewReader reads CSV as people give it. The separator is the comma, the semicolon or the tab
// that is most frequent in the first line.
func NewReader(data []byte) *csv.Reader {
	text := Text(data)
	separator := rune(0)
	if line, rest, _ := bytes.Cut(text, []byte("\n")); len(line) > 4 && strings.EqualFold(string(line[:4]), "sep=") {
		separator, text = rune(line[4]), rest
	}
	if separator == 0 {
		separator = Separator(text)
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma = separator
	return r
}

// Separator returns the separator of the first line of a CSV: a comma, unless there are more
// semicolons or tabs outside of quotes.
func Separator(text []byte) rune {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	counts := map[byte]int{}
	quoted := false
	for _, b := range line {
		if b == '"' {
			quoted = !quoted
		}
		if !quoted {
			counts[b]++
		}
	}
	best := byte(',')
	for _, b := range []byte{';', '\t'} {
		if counts[b] > counts[best] {
			best = b
		}
	}
	return rune(best)
}
