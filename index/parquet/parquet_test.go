package parquet_test

import (
	"bytes"
	"context"
	"path/filepath"
	"reflect"
	"testing"

	library "github.com/parquet-go/parquet-go"

	"pakbox/index"
	"pakbox/index/parquet"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/internal/testkit/corpus"
)

// Every row of the SQLite file is in the Parquet files, in the same order, and
// the same rows give the same bytes.
func TestParquetEqualsSQLite(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "index.sqlite")
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	o := scan.Options{Indexer: index.Indexer{Check: true, Lint: true, Verify: true}}
	_, err = scan.Run(ctx, db, []string{corpus.Dir(t, "gbx"), corpus.Dir(t, "simutrans"), corpus.Dir(t, "vpk42"), corpus.Dir(t, "nadeopak"), corpus.Dir(t, "eterpack")}, o)
	db.Close()
	if err != nil {
		t.Fatal(err)
	}
	ask, err := sqlite.OpenReadOnly(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer ask.Close()
	for _, table := range index.Tables() {
		var files [2]bytes.Buffer
		rows := 0
		for i := range files {
			w := parquet.NewWriter(&files[i], table.Columns)
			rows = 0
			for row, err := range sqlite.All(ctx, ask, table) {
				if err != nil {
					t.Fatal(err)
				}
				if err := w.Write(row); err != nil {
					t.Fatal(err)
				}
				rows++
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
			t.Errorf("%s: the same rows gave other bytes", table.Name)
		}
		if rows == 0 {
			t.Errorf("%s: no rows", table.Name)
		}
		compareRows(t, table, files[0].Bytes(), rows, func(yield func([]any)) {
			for row, err := range sqlite.All(ctx, ask, table) {
				if err != nil {
					t.Fatal(err)
				}
				yield(row)
			}
		})
	}
}

// compareRows compares the rows of a Parquet file with others.
func compareRows(t *testing.T, table *index.Table, data []byte, n int, rows func(yield func([]any))) {
	t.Helper()
	f, err := library.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if f.NumRows() != int64(n) {
		t.Fatalf("%s: %d rows, want %d", table.Name, f.NumRows(), n)
	}
	r := library.NewReader(f)
	defer r.Close()
	at := 0
	buffer := make([]library.Row, 1)
	rows(func(want []any) {
		if k, err := r.ReadRows(buffer); k != 1 {
			t.Fatalf("%s: row %d: %v", table.Name, at, err)
		}
		got := make([]any, len(table.Columns))
		for _, v := range buffer[0] {
			set(&got[v.Column()], table.Columns[v.Column()].Type, v)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: row %d is %v, want %v", table.Name, at, got, want)
		}
		at++
	})
}

// set gives a column the value that stands in the file.
func set(column *any, t index.Type, v library.Value) {
	if t == index.Integers {
		list, _ := (*column).([]*int64)
		switch {
		case v.DefinitionLevel() == 0:
			list = []*int64{}
		case v.IsNull():
			list = append(list, nil)
		default:
			n := v.Int64()
			list = append(list, &n)
		}
		*column = list
		return
	}
	if v.IsNull() {
		return
	}
	switch t {
	case index.Integer:
		*column = v.Int64()
	case index.Real:
		*column = v.Double()
	case index.Boolean:
		*column = v.Boolean()
	case index.Text:
		*column = string(v.ByteArray())
	default:
		*column = bytes.Clone(v.ByteArray())
	}
}
