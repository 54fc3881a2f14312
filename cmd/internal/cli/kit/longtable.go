package kit

import (
	"bytes"
	"encoding/binary"
	"io"
)

// LongTable is a table of many rows. It keeps the texts of the cells behind each other,
// because a string for each cell would need three times the memory. Its lines are those of
// a [Table] of the same rows.
type LongTable struct {
	pieces [][]byte // of whole rows: each cell as its length and its text
	rows   int
	widths []int
	said   []bool // whether a column has a text below the head
}

// pieceSize is the least size of a piece.
const pieceSize = 256 << 10

// Add adds a row. The first one is the head, and all others have as many cells.
func (t *LongTable) Add(cells ...string) {
	if t.rows == 0 {
		t.widths, t.said = make([]int, len(cells)), make([]bool, len(cells))
	}
	size := 0
	for i, cell := range cells {
		t.widths[i] = max(t.widths[i], shownWidth(cell))
		t.said[i] = t.said[i] || t.rows > 0 && cell != ""
		size += binary.MaxVarintLen64 + len(cell)
	}
	last := len(t.pieces) - 1
	if last < 0 || cap(t.pieces[last])-len(t.pieces[last]) < size {
		t.pieces = append(t.pieces, make([]byte, 0, max(size, pieceSize)))
		last++
	}
	piece := t.pieces[last]
	for _, cell := range cells {
		piece = append(binary.AppendUvarint(piece, uint64(len(cell))), cell...)
	}
	t.pieces[last] = piece
	t.rows++
}

// Print prints the rows. With onlySaid it leaves out columns in which no row below the
// head has a text, if there are such rows.
func (t *LongTable) Print(w io.Writer, onlySaid bool) error {
	end := len(t.widths) - 1 // the last column that is printed
	left := func(column int) bool { return onlySaid && t.rows > 1 && !t.said[column] }
	for end > 0 && left(end) {
		end--
	}
	var b []byte
	for _, piece := range t.pieces {
		for len(piece) > 0 {
			b = b[:0]
			for i, width := range t.widths {
				n, head := binary.Uvarint(piece)
				cell := piece[head : head+int(n)]
				piece = piece[head+int(n):]
				if left(i) {
					continue
				}
				b = append(b, cell...)
				if i < end {
					b = append(spaces(b, width-shownWidth(string(cell))), between...)
				}
			}
			if _, err := w.Write(append(bytes.TrimRight(b, " "), '\n')); err != nil {
				return err
			}
		}
	}
	return nil
}
