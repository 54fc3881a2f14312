// Package parquet writes the tables of an index as Apache Parquet files, one
// for each table. Tools for data read such files, also thousands at once. The
// same rows in the same order give the same bytes.
package parquet

import (
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"reflect"

	"github.com/parquet-go/parquet-go"

	"pakbox/archive"
	"pakbox/index"
)

// Rows in a group, which readers take as a whole, and rows that are handed to
// the library at once.
const (
	groupRows = 50_000
	batchRows = 256
)

// Small is the type of columns of small integers, which are int32 in a file and
// int64 in a row. The tables of an index have none.
const Small index.Type = "small integer"

// Writer writes rows. It must be closed.
type Writer struct {
	w       *parquet.GenericWriter[any]
	columns []index.Column
	batch   []parquet.Row
}

// NewWriter begins a file of rows with some columns. The file does not say which
// version of pakbox wrote it, so that the same rows stay the same bytes.
func NewWriter(w io.Writer, columns []index.Column) *Writer {
	return &Writer{columns: columns, w: parquet.NewGenericWriter[any](w, schema(columns),
		parquet.Compression(&parquet.Zstd), parquet.CreatedBy("pakbox", "", ""), parquet.MaxRowsPerRowGroup(groupRows))}
}

// Describe puts a sentence about a column into the file's metadata, under the name of
// the column.
func (w *Writer) Describe(column, text string) { w.w.SetKeyValueMetadata(column, text) }

// schema is the library's schema of the columns. A struct gives it, because the
// library's own way to list columns sorts them by name.
func schema(columns []index.Column) *parquet.Schema {
	fields := make([]reflect.StructField, len(columns))
	for i, c := range columns {
		tag, t := c.Name, goTypes[c.Type]
		switch {
		case c.Type == index.Bytes:
			t = reflect.ArrayOf(c.Size, reflect.TypeFor[byte]())
		case c.Type == index.Integers:
			tag += `,list" parquet-element:",optional`
		}
		if c.Null {
			t = reflect.PointerTo(t)
		}
		fields[i] = reflect.StructField{Name: fmt.Sprintf("Column%d", i), Type: t, Tag: reflect.StructTag(`parquet:"` + tag + `"`)}
	}
	return parquet.NewSchema("rows", parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()))
}

// goTypes are the types in Go by which the library knows the types of columns.
var goTypes = map[index.Type]reflect.Type{
	index.Integer: reflect.TypeFor[int64](), Small: reflect.TypeFor[int32](), index.Real: reflect.TypeFor[float64](),
	index.Boolean: reflect.TypeFor[bool](), index.Text: reflect.TypeFor[string](), index.Integers: reflect.TypeFor[[]*int64](),
}

// Write adds a row: a value for each column.
func (w *Writer) Write(row []any) error {
	w.batch = append(w.batch, w.values(row))
	if len(w.batch) < batchRows {
		return nil
	}
	return w.flush()
}

func (w *Writer) flush() error {
	_, err := w.w.WriteRows(w.batch)
	w.batch = w.batch[:0]
	return err
}

// EndGroup ends a group of rows, which readers take as a whole. One that has
// very many rows is several.
func (w *Writer) EndGroup() error {
	if err := w.flush(); err != nil {
		return err
	}
	return w.w.Flush()
}

// Close writes what is left.
func (w *Writer) Close() error {
	if err := w.flush(); err != nil {
		return err
	}
	return w.w.Close()
}

// values are the values of a row with their levels. The library's own way panics
// on lists of values that may be null.
func (w *Writer) values(row []any) parquet.Row {
	out := make(parquet.Row, 0, len(row))
	for i, v := range row {
		c := &w.columns[i]
		switch {
		case c.Type == index.Integers:
			out = appendList(out, v.([]*int64), i)
		case v == nil:
			out = append(out, parquet.NullValue().Level(0, 0, i))
		case c.Null:
			out = append(out, leaf(c.Type, v).Level(0, 1, i))
		default:
			out = append(out, leaf(c.Type, v).Level(0, 0, i))
		}
	}
	return out
}

// appendList adds the elements of a list. The second level of a value says how
// much of it is there: 0 no element, 1 a null, 2 a number. The first level says
// that the value goes on with a list.
func appendList(out parquet.Row, list []*int64, column int) parquet.Row {
	if len(list) == 0 {
		return append(out, parquet.NullValue().Level(0, 0, column))
	}
	for i, n := range list {
		again := min(i, 1)
		if n == nil {
			out = append(out, parquet.NullValue().Level(again, 1, column))
		} else {
			out = append(out, parquet.Int64Value(*n).Level(again, 2, column))
		}
	}
	return out
}

func leaf(t index.Type, x any) parquet.Value {
	switch v := x.(type) {
	case int64:
		if t == Small {
			return parquet.Int32Value(int32(v))
		}
		return parquet.Int64Value(v)
	case float64:
		return parquet.DoubleValue(v)
	case bool:
		return parquet.BooleanValue(v)
	case string:
		return parquet.ByteArrayValue([]byte(v))
	case []byte:
		return parquet.FixedLenByteArrayValue(v)
	}
	return parquet.NullValue()
}

// FileName is the name of a table's file. If there are several parts, it has the
// number of the part.
func FileName(table string, part, parts int) string {
	if parts <= 1 {
		return table + ".parquet"
	}
	return fmt.Sprintf("%s-%05d-of-%05d.parquet", table, part, parts)
}

// Export writes every table into a folder. Each file is there as a whole or not
// at all; one that is there is replaced.
func Export(dir string, part, parts int, rows func(*index.Table) iter.Seq2[[]any, error]) error {
	for _, t := range index.Tables() {
		if err := export(filepath.Join(dir, FileName(t.Name, part, parts)), t, rows(t)); err != nil {
			return err
		}
	}
	return nil
}

func export(path string, t *index.Table, rows iter.Seq2[[]any, error]) error {
	stage, err := archive.NewStage(path, true)
	if err != nil {
		return err
	}
	defer stage.Abort()
	f, err := stage.File()
	if err != nil {
		return err
	}
	if err := WriteTable(f, t, rows); err != nil {
		return err
	}
	return stage.Commit()
}

// WriteTable writes a file of a table's rows.
func WriteTable(w io.Writer, t *index.Table, rows iter.Seq2[[]any, error]) error {
	out := NewWriter(w, t.Columns)
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
