// Package parquet writes the tables of an index as Apache Parquet files, one for each
// table. Data tools such as DuckDB read these files, also thousands at once. The same
// rows in the same order give the same bytes.
package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"pakbox/index"
	"pakbox/internal/lib/pathname"
)

// A row group ends after groupRows rows, or when its pages have groupBytes. Readers read
// a row group as a whole.
const (
	groupRows  = 122_880 // the same as DuckDB writes
	groupBytes = 64 << 20
)

// Types of columns that only Parquet files have.
const (
	Small index.Type = "small integer" // int64 in a row, int32 in a file
	Raw   index.Type = "raw bytes"     // []byte of any length
)

// Writer writes rows. It must be closed.
type Writer struct {
	w       io.Writer
	columns []*column
	rows    int64 // rows in the current group
	offset  int64
	groups  []group
	notes   [][2]string
	z       *zstd.Encoder
	err     error
}

type group struct {
	rows   int64
	chunks []chunk
}

// NewWriter starts a file with these columns. A text that may not be UTF-8 gets a second
// column NAME_raw with the bytes of texts that are not UTF-8. In the text itself each
// invalid byte is written as \xNN.
func NewWriter(w io.Writer, columns []index.Column) *Writer {
	out := &Writer{w: w}
	for _, c := range columns {
		out.columns = append(out.columns, newColumn(c))
		if c.Raw {
			out.columns = append(out.columns, newColumn(index.Column{Name: c.Name + "_raw", Type: Raw, Null: true}))
		}
	}
	out.z, out.err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	out.write([]byte(magic))
	return out
}

// Describe adds a sentence about a column to the file's metadata, under the name of the
// column.
func (w *Writer) Describe(column, text string) { w.notes = append(w.notes, [2]string{column, text}) }

// magic is at the beginning and at the end of a file.
const magic = "PAR1"

func (w *Writer) write(data []byte) {
	if w.err == nil {
		_, w.err = w.w.Write(data)
		w.offset += int64(len(data))
	}
}

// Write adds a row, with a value for each column.
func (w *Writer) Write(row []any) error {
	size, next := 0, 0
	var raw any
	for _, c := range w.columns {
		if c.Type == Raw {
			c.add(raw)
		} else {
			value := row[next]
			raw = nil
			if text, isText := value.(string); isText && !utf8.ValidString(text) {
				raw, value = []byte(text), pathname.Escaped(text)
			}
			c.add(value)
			next++
		}
		if c.full() {
			c.endPage(w.z)
		}
		size += c.pages.Len()
	}
	w.rows++
	if w.rows >= groupRows || size >= groupBytes {
		return w.EndGroup()
	}
	return w.err
}

// EndGroup ends a group of rows.
func (w *Writer) EndGroup() error {
	if w.rows == 0 {
		return w.err
	}
	g := group{rows: w.rows}
	for _, c := range w.columns {
		pages, described := c.end(w.z, w.offset)
		g.chunks = append(g.chunks, described)
		w.write(pages)
	}
	w.groups = append(w.groups, g)
	w.rows = 0
	return w.err
}

// Close writes the last row group and the footer.
func (w *Writer) Close() error {
	w.EndGroup()
	footer := w.footer()
	w.write(binary.LittleEndian.AppendUint32(footer, uint32(len(footer))))
	w.write([]byte(magic))
	return w.err
}

// FileName is the name of a table's file. With several parts it includes the number of
// the part.
func FileName(table string, part, parts int) string {
	if parts <= 1 {
		return table + ".parquet"
	}
	return fmt.Sprintf("%s-%05d-of-%05d.parquet", table, part, parts)
}

// WriteTable writes a file of a table's rows.
func WriteTable(w io.Writer, t *index.Table, rows iter.Seq2[[]any, error]) error {
	out := NewWriter(w, t.Columns())
	for row, err := range rows {
		if err == nil {
			err = out.Write(row)
		}
		if err != nil {
			return err
		}
	}
	return out.Close()
}
