// Package oracle reads what index/parquet writes with another implementation,
// Apache Arrow's.
package oracle

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
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
		w := ours.NewWriter(&b, table)
		for i := range rows {
			if err := w.Write(rowOf(table, i).Addr().Interface()); err != nil {
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
func rowOf(table index.Table, i int) reflect.Value {
	row := reflect.New(table.Row).Elem()
	for k := range row.NumField() {
		fill(row.Field(k), i*7+k)
	}
	return row
}

func fill(v reflect.Value, seed int) {
	switch v.Kind() {
	case reflect.Pointer:
		if seed%3 == 0 {
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), seed)
	case reflect.Int64:
		v.SetInt(int64(seed) * 1_000_000_000_000_007)
	case reflect.Float64:
		v.SetFloat(float64(seed) / 3)
	case reflect.Bool:
		v.SetBool(seed%2 == 0)
	case reflect.String:
		v.SetString(fmt.Sprintf("é%d", seed))
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).SetUint(uint64(seed+i) & 0xFF)
		}
	case reflect.Slice:
		for i := range seed % 4 {
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
			fill(v.Index(i), seed+i)
		}
	}
}

func compare(t *testing.T, table index.Table, column int, data *arrow.Chunked) {
	t.Helper()
	at := 0
	for _, chunk := range data.Chunks() {
		for i := range chunk.Len() {
			want := text(rowOf(table, at).Field(column))
			if got := found(chunk, i); got != want {
				t.Fatalf("%s: %s of row %d is %s, want %s", table.Name, table.Columns[column].Name, at, got, want)
			}
			at++
		}
	}
}

// text is a value for comparing.
func text(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return "null"
		}
		return text(v.Elem())
	case reflect.Slice:
		s := "["
		for i := range v.Len() {
			s += text(v.Index(i)) + " "
		}
		return s + "]"
	case reflect.Array:
		b := make([]byte, v.Len())
		reflect.Copy(reflect.ValueOf(b), v)
		return fmt.Sprintf("%x", b)
	}
	return fmt.Sprint(v.Interface())
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
