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
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Print prints the rows, each column as wide as its widest cell.
func (t *Table) Print(w io.Writer) {
	var widths []int
	for _, row := range t.Rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range t.Rows {
		var b strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			switch {
			case i < t.Right:
				b.WriteString(pad + cell)
			case i == len(row)-1:
				b.WriteString(cell)
			default:
				b.WriteString(cell + pad)
			}
			if i < len(row)-1 {
				b.WriteString("  ")
			}
		}
		io.WriteString(w, strings.TrimRight(b.String(), " ")+"\n")
	}
}

// Row adds a fact to a card, unless there is nothing to say.
func (t *Table) Row(label, text string) {
	if text != "" {
		t.Add("  "+label, text)
	}
}
