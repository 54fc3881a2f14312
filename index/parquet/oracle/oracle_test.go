// Package oracle reads what index/parquet writes with another implementation,
// Apache Arrow's.
package oracle

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"pakbox/fact"
	"pakbox/index"
	ours "pakbox/index/parquet"
)

// The first table has more rows than a group holds, the others more than a page.
const manyGroups, manyPages = 125_000, 21_000

// The other implementation finds the same columns and the same values, nulls
// and lists with nulls included, in every table of the index.
func TestReadBack(t *testing.T) {
	for i, table := range index.Tables() {
		many := manyPages
		if i == 0 {
			many = manyGroups
		}
		var b bytes.Buffer
		w := ours.NewWriter(&b, table.Columns())
		for i := range many {
			if err := w.Write(rowOf(table, i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		compareRows(t, table, b.Bytes(), func(yield func([]any, error) bool) {
			for i := range many {
				if !yield(rowOf(table, i), nil) {
					return
				}
			}
		})
	}
}

// rowOf makes up a row.
func rowOf(table *index.Table, i int) []any {
	row := make([]any, len(table.Columns()))
	for k, c := range table.Columns() {
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
		return int64(seed%5000) * 1_000_000_000_000_007
	case index.Real:
		return float64(seed) / 3
	case index.Boolean:
		return seed%2 == 0
	case index.Text:
		return fmt.Sprintf("é%d", seed%70_000)
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

// textOf is a value of a column for comparing.
func textOf(c index.Column, x any) string {
	if n, ok := x.(int64); ok && c.Kind == fact.Moment {
		if c.Nano {
			return time.Unix(0, n).UTC().String()
		}
		return time.UnixMilli(n).UTC().String()
	}
	return text(x)
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
	case *array.Int32:
		return fmt.Sprint(a.Value(i))
	case *array.Timestamp:
		return a.Value(i).ToTime(a.DataType().(*arrow.TimestampType).Unit).String()
	case *array.Binary:
		return fmt.Sprintf("%x", a.Value(i))
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
