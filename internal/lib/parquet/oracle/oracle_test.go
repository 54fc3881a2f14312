// Package oracle reads what internal/lib/parquet writes with another implementation.
package oracle

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	other "github.com/parquet-go/parquet-go"

	"pakbox/internal/lib/parquet"
)

type row struct {
	File  string   `parquet:"file"`
	Ghost int32    `parquet:"ghost"`
	Speed *float64 `parquet:"speed_m_s,optional"`
}

// The other implementation finds the same columns and the same values, with
// nulls where a value is not a number.
func TestReadBack(t *testing.T) {
	var b bytes.Buffer
	w, err := parquet.NewWriter(&b, "pakbox", []parquet.Column{{Name: "file", Kind: parquet.Text}, {Name: "ghost", Kind: parquet.Int32}, {Name: "speed_m_s", Kind: parquet.Double}})
	if err != nil {
		t.Fatal(err)
	}
	var want []row
	for group, n := range []int{1, 1000, 0, 70000} {
		values := make([]parquet.Values, 3)
		for i := range n {
			r := row{File: fmt.Sprintf("é%d", group), Ghost: int32(i - 5)}
			v := math.NaN()
			if i%7 != 3 && (i < 500 || i > 600) {
				v = float64(i) / 3
				r.Speed = &v
			}
			want = append(want, r)
			values[0].Texts = append(values[0].Texts, r.File)
			values[1].Ints = append(values[1].Ints, r.Ghost)
			values[2].Doubles = append(values[2].Doubles, v)
		}
		if err := w.WriteGroup(values); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := other.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if f.NumRows() != int64(len(want)) || len(f.RowGroups()) != 4 {
		t.Fatalf("%d rows in %d groups", f.NumRows(), len(f.RowGroups()))
	}
	t.Log(f.Schema())
	got, err := other.Read[row](bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		a, b := got[i], want[i]
		if a.File != b.File || a.Ghost != b.Ghost || (a.Speed == nil) != (b.Speed == nil) || a.Speed != nil && *a.Speed != *b.Speed {
			t.Fatalf("row %d is %+v, want %+v", i, a, b)
		}
	}
}
