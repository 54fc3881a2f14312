// Package parquet writes the tables of an index as Apache Parquet files, one
// for each table: what tools for data read, also thousands of such files at
// once. The same rows in the same order give the same bytes.
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

// Writer writes the rows of one table. It must be closed.
type Writer struct {
	w     *parquet.GenericWriter[any]
	batch []parquet.Row
}

// NewWriter begins a file of a table's rows.
func NewWriter(w io.Writer, t index.Table) *Writer { return NewRowWriter(w, t.Row) }

// NewRowWriter begins a file of rows of any struct, whose tags name the
// columns. Pointers may be null. The file does not say which version of pakbox
// wrote it, so that the same rows stay the same bytes.
func NewRowWriter(w io.Writer, row reflect.Type) *Writer {
	return &Writer{w: parquet.NewGenericWriter[any](w, parquet.SchemaOf(reflect.New(row).Interface()),
		parquet.Compression(&parquet.Zstd), parquet.CreatedBy("pakbox", "", ""), parquet.MaxRowsPerRowGroup(groupRows))}
}

// Write adds a row, given as a pointer to its type.
func (w *Writer) Write(row any) error {
	w.batch = append(w.batch, values(reflect.ValueOf(row).Elem()))
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

// values are the columns of a row. The library's own way panics on lists of
// what may be null.
func values(row reflect.Value) parquet.Row {
	out := make(parquet.Row, 0, row.NumField())
	for i := range row.NumField() {
		switch v := row.Field(i); {
		case v.Kind() == reflect.Slice:
			out = appendList(out, v, i)
		case v.Kind() != reflect.Pointer:
			out = append(out, leaf(v).Level(0, 0, i))
		case v.IsNil():
			out = append(out, parquet.NullValue().Level(0, 0, i))
		default:
			out = append(out, leaf(v.Elem()).Level(0, 1, i))
		}
	}
	return out
}

// appendList adds the elements of a list of pointers. How much of a value is
// there says its second level: 0 no element, 1 a null, 2 a value. The first
// says that it goes on with a list.
func appendList(out parquet.Row, list reflect.Value, column int) parquet.Row {
	if list.Len() == 0 {
		return append(out, parquet.NullValue().Level(0, 0, column))
	}
	for i := range list.Len() {
		again := min(i, 1)
		if e := list.Index(i); e.IsNil() {
			out = append(out, parquet.NullValue().Level(again, 1, column))
		} else {
			out = append(out, leaf(e.Elem()).Level(again, 2, column))
		}
	}
	return out
}

func leaf(v reflect.Value) parquet.Value {
	switch v.Kind() {
	case reflect.Int64:
		return parquet.Int64Value(v.Int())
	case reflect.Int32:
		return parquet.Int32Value(int32(v.Int()))
	case reflect.Float64:
		return parquet.DoubleValue(v.Float())
	case reflect.Bool:
		return parquet.BooleanValue(v.Bool())
	case reflect.String:
		return parquet.ByteArrayValue([]byte(v.String()))
	}
	return parquet.FixedLenByteArrayValue(v.Slice(0, v.Len()).Bytes()) // a hash
}

// FileName is what the file of a table is called: of one of several parts,
// which parts has more than one, after the part.
func FileName(table string, part, parts int) string {
	if parts <= 1 {
		return table + ".parquet"
	}
	return fmt.Sprintf("%s-%05d-of-%05d.parquet", table, part, parts)
}

// Export writes every table into a folder. Each file is there as a whole or not
// at all; one that is there is replaced.
func Export(dir string, part, parts int, rows func(table string) iter.Seq2[any, error]) error {
	for _, t := range index.Tables() {
		if err := export(filepath.Join(dir, FileName(t.Name, part, parts)), t, rows(t.Name)); err != nil {
			return err
		}
	}
	return nil
}

func export(path string, t index.Table, rows iter.Seq2[any, error]) error {
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
func WriteTable(w io.Writer, t index.Table, rows iter.Seq2[any, error]) error {
	out := NewWriter(w, t)
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
