// Package oracle reads what index/parquet writes with another implementation,
// Apache Arrow's.
package oracle

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"pakbox/index"
	ours "pakbox/index/parquet"
)

// rows is more than a group holds.
const rows = 60_000

// The other implementation finds the same columns and the same values, nulls
// and lists with nulls included, in every table of the index.
func TestReadBack(t *testing.T) {
	for _, table := range index.Tables() {
		var b bytes.Buffer
		w := ours.NewWriter(&b, table.Columns)
		for i := range rows {
			if err := w.Write(rowOf(table, i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := pqarrow.ReadTable(context.Background(), bytes.NewReader(b.Bytes()), parquet.NewReaderProperties(memory.DefaultAllocator), pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
		if err != nil {
			t.Fatalf("%s: %v", table.Name, err)
		}
		if got.NumRows() != rows || int(got.NumCols()) != len(table.Columns) {
			t.Fatalf("%s: %d rows of %d columns", table.Name, got.NumRows(), got.NumCols())
		}
		for k, c := range table.Columns {
			if name := got.Schema().Field(k).Name; name != c.Name {
				t.Fatalf("%s: column %d is %s, want %s", table.Name, k, name, c.Name)
			}
			compare(t, table, k, got.Column(k).Data())
		}
		got.Release()
	}
}

// rowOf makes up a row.
func rowOf(table *index.Table, i int) []any {
	row := make([]any, len(table.Columns))
	for k, c := range table.Columns {
		row[k] = valueOf(c, i*7+k)
	}
	return row
}

func valueOf(c index.Column, seed int) any {
	if c.Null && seed%3 == 0 {
		return nil
	}
	switch c.Type {
	case index.Integer:
		return int64(seed) * 1_000_000_000_000_007
	case index.Real:
		return float64(seed) / 3
	case index.Boolean:
		return seed%2 == 0
	case index.Text:
		return fmt.Sprintf("é%d", seed)
	case index.Bytes:
		data := make([]byte, c.Size)
		for i := range data {
			data[i] = byte(seed + i)
		}
		return data
	}
	list := make([]*int64, seed%4)
	for i := range list {
		if (seed+i)%3 != 0 {
			n := int64(seed+i) * 1_000_000_000_000_007
			list[i] = &n
		}
	}
	return list
}

func compare(t *testing.T, table *index.Table, column int, data *arrow.Chunked) {
	t.Helper()
	at := 0
	for _, chunk := range data.Chunks() {
		for i := range chunk.Len() {
			want := text(rowOf(table, at)[column])
			if got := found(chunk, i); got != want {
				t.Fatalf("%s: %s of row %d is %s, want %s", table.Name, table.Columns[column].Name, at, got, want)
			}
			at++
		}
	}
}

// text is a value for comparing.
func text(x any) string {
	switch v := x.(type) {
	case nil:
		return "null"
	case []byte:
		return fmt.Sprintf("%x", v)
	case []*int64:
		s := "["
		for _, n := range v {
			if n == nil {
				s += "null "
			} else {
				s += fmt.Sprint(*n, " ")
			}
		}
		return s + "]"
	}
	return fmt.Sprint(x)
}

// found is a value as the other implementation read it.
func found(a arrow.Array, i int) string {
	if a.IsNull(i) {
		return "null"
	}
	switch a := a.(type) {
	case *array.Int64:
		return fmt.Sprint(a.Value(i))
	case *array.Float64:
		return fmt.Sprint(a.Value(i))
	case *array.Boolean:
		return fmt.Sprint(a.Value(i))
	case *array.String:
		return a.Value(i)
	case *array.FixedSizeBinary:
		return fmt.Sprintf("%x", a.Value(i))
	case *array.List:
		from, to := a.ValueOffsets(i)
		s := "["
		for k := from; k < to; k++ {
			s += found(a.ListValues(), int(k)) + " "
		}
		return s + "]"
	}
	return fmt.Sprintf("a %T", a)
}
