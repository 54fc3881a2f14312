package kit

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Table prints text in aligned columns.
type Table struct {
	Rows  [][]string
	Right int // number of columns, from the left, that contain numbers
	Width int // largest width of a line; 0 for no limit

	numbers []bool // whether each column contains numbers
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Row adds a labelled fact, unless its text is empty.
func (t *Table) Row(label, text string) {
	if text != "" {
		t.Add("  "+label, text)
	}
}

const between = "  " // columns

const (
	leastWidth  = 8  // characters that a column keeps at least
	usefulWidth = 16 // characters that are enough of a long text
)

// fit removes columns of a table with a head until the others have space: first columns
// with the same text in all rows, then the last ones. The first column stays. It returns
// a sentence for each removal.
func (t *Table) fit() (left []string) {
	if t.Width == 0 || len(t.Rows) < 2 {
		return nil
	}
	if t.least() <= t.Width {
		return nil
	}
	var same, further []string
	for i := len(t.Rows[0]) - 1; i > 0; i-- {
		if text, ok := t.constant(i); ok && len(t.Rows) > 2 {
			same = append(same, unpainted(t.Rows[0][i])+" "+unpainted(text))
			t.drop(i)
		}
	}
	for len(t.Rows[0]) > 2 && t.least() > t.Width {
		last := len(t.Rows[0]) - 1
		further = append(further, unpainted(t.Rows[0][last]))
		t.drop(last)
	}
	if slices.Reverse(same); len(same) > 0 {
		left = append(left, "the same in all rows: "+strings.Join(same, ", "))
	}
	if slices.Reverse(further); len(further) > 0 {
		left = append(left, "left out, for want of room: "+strings.Join(further, ", "))
	}
	return left
}

// least returns the width of the table if long columns are cut to a useful width.
func (t *Table) least() int {
	total := -len(between)
	for _, n := range t.full() {
		total += len(between) + min(n, usefulWidth)
	}
	return total
}

// constant returns the text of a column that is the same in all rows below the head.
func (t *Table) constant(column int) (string, bool) {
	for _, row := range t.Rows[2:] {
		if row[column] != t.Rows[1][column] {
			return "", false
		}
	}
	return t.Rows[1][column], true
}

func (t *Table) drop(column int) {
	for i, row := range t.Rows {
		t.Rows[i] = slices.Delete(row, column, column+1)
	}
	if column < len(t.numbers) {
		t.numbers = slices.Delete(t.numbers, column, column+1)
	}
}

// Print prints the rows, each column as wide as its widest cell. If a line becomes too
// wide, the widest columns are cut.
func (t *Table) Print(w io.Writer) {
	widths := t.widths()
	var b []byte
	for _, row := range t.Rows {
		b = b[:0]
		for i, cell := range row {
			n := shownWidth(cell)
			if n > widths[i] {
				cell = shorten(cell, widths[i])
				n = shownWidth(cell)
			}
			switch {
			case i < t.Right || i < len(t.numbers) && t.numbers[i]:
				b = append(spaces(b, widths[i]-n), cell...)
			case i == len(row)-1:
				b = append(b, cell...)
			default:
				b = spaces(append(b, cell...), widths[i]-n)
			}
			if i < len(row)-1 {
				b = append(b, between...)
			}
		}
		w.Write(append(bytes.TrimRight(b, " "), '\n'))
	}
}

// spaces appends n spaces.
func spaces(b []byte, n int) []byte {
	for range n {
		b = append(b, ' ')
	}
	return b
}

// full returns the widths of the columns without cutting.
func (t *Table) full() (widths []int) {
	for _, row := range t.Rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], shownWidth(cell))
		}
	}
	return widths
}

func (t *Table) widths() []int {
	widths := t.full()
	for t.Width > 0 {
		total, widest := len(between)*(len(widths)-1), 0
		for i, n := range widths {
			total += n
			if n > widths[widest] {
				widest = i
			}
		}
		if total <= t.Width || widths[widest] <= leastWidth {
			break
		}
		widths[widest]--
	}
	return widths
}

// shownWidth counts the characters of a text, without colour codes.
func shownWidth(s string) int { return utf8.RuneCountInString(unpainted(s)) }

// unpainted removes colour codes from a text.
func unpainted(s string) string {
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			return s
		}
		end := strings.IndexByte(s[i:], 'm')
		if end < 0 {
			return s
		}
		s = s[:i] + s[i+end+1:]
	}
}

// shorten cuts a text to the width of a column, and marks the cut.
func shorten(s string, width int) string {
	if shownWidth(s) <= width {
		return s
	}
	var b strings.Builder
	shown, coloured := 0, false
	for s != "" && shown < width-1 {
		if strings.HasPrefix(s, "\x1b[") {
			if end := strings.IndexByte(s, 'm'); end > 0 {
				b.WriteString(s[:end+1])
				s, coloured = s[end+1:], true
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(s)
		b.WriteRune(r)
		s, shown = s[size:], shown+1
	}
	b.WriteString("…")
	if coloured {
		b.WriteString("\x1b[0m")
	}
	return b.String()
}
