package shell

import (
	"io"
	"strings"
	"unicode/utf8"
)

// Table lines up columns for people to read.
type Table struct {
	Rows  [][]string
	Right int // how many columns, from the left, hold numbers
	Width int // how wide lines may be; 0 for any width

	numbers []bool // the columns that hold numbers, wherever they stand
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Row adds a fact to a card, unless there is nothing to say.
func (t *Table) Row(label, text string) {
	if text != "" {
		t.Add("  "+label, text)
	}
}

const between = "  " // columns

// Print prints the rows, each column as wide as its widest cell. Where that is
// wider than a line may be, the widest columns give way.
func (t *Table) Print(w io.Writer) {
	widths := t.widths()
	for _, row := range t.Rows {
		var b strings.Builder
		for i, cell := range row {
			cell = shorten(cell, widths[i])
			pad := strings.Repeat(" ", widths[i]-shownWidth(cell))
			switch {
			case i < t.Right || i < len(t.numbers) && t.numbers[i]:
				b.WriteString(pad + cell)
			case i == len(row)-1:
				b.WriteString(cell)
			default:
				b.WriteString(cell + pad)
			}
			if i < len(row)-1 {
				b.WriteString(between)
			}
		}
		io.WriteString(w, strings.TrimRight(b.String(), " ")+"\n")
	}
}

func (t *Table) widths() (widths []int) {
	for _, row := range t.Rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], shownWidth(cell))
		}
	}
	const least = 8 // characters that a column keeps
	for t.Width > 0 {
		total, widest := len(between)*(len(widths)-1), 0
		for i, n := range widths {
			total += n
			if n > widths[widest] {
				widest = i
			}
		}
		if total <= t.Width || widths[widest] <= least {
			break
		}
		widths[widest]--
	}
	return widths
}

// shownWidth counts the characters of a text, without the codes of colours.
func shownWidth(s string) int {
	n := utf8.RuneCountInString(s)
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			return n
		}
		end := strings.IndexByte(s[i:], 'm')
		if end < 0 {
			return n
		}
		n -= end + 1
		s = s[i+end+1:]
	}
}

// shorten cuts what is wider than a column, and shows that it did.
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
