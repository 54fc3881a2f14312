package parquet_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/fact"
	"pakbox/index"
	"pakbox/index/parquet"
)

// columns are of every type that tables have.
var columns = []index.Column{
	{Name: "number", Type: index.Integer}, {Name: "small", Type: parquet.Small}, {Name: "real", Type: index.Real}, {Name: "yes", Type: index.Boolean},
	{Name: "text", Type: index.Text, Raw: true}, {Name: "maybe", Type: index.Integer, Null: true}, {Name: "list", Type: index.Integers}, {Name: "hash", Type: index.Bytes, Size: 16},
	{Name: "moment", Type: index.Integer, Null: true, Fact: &fact.Fact{Kind: fact.Moment}},
	{Name: "none1", Type: index.Real, Null: true}, {Name: "none2", Type: index.Real, Null: true}, {Name: "none3", Type: index.Real, Null: true},
	{Name: "none4", Type: index.Real, Null: true}, {Name: "none5", Type: index.Real, Null: true}, {Name: "none6", Type: index.Real, Null: true},
}

var update = flag.Bool("update", false, "write testdata anew")

// numbered is a row that has nothing but a number.
func numbered(n int) []any {
	return []any{int64(n), int64(0), 0.0, false, "", nil, []*int64{}, make([]byte, 16), nil, nil, nil, nil, nil, nil, nil}
}

func number(n int64) *int64 { return &n }

// The same rows give the same bytes. TestGoldenInDuckDB reads the file.
func TestGolden(t *testing.T) {
	var b bytes.Buffer
	w := parquet.NewWriter(&b, columns)
	full := []any{int64(7), int64(-3), 0.5, true, "a", int64(9), []*int64{number(1), nil, number(3)}, []byte("0123456789abcdef"), int64(1580638830500), nil, nil, nil, nil, nil, nil}
	other := numbered(0)
	other[4], other[6] = "b\xffé", []*int64{nil}
	for _, row := range [][]any{full, other, numbered(0)} {
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.EndGroup(); err != nil {
		t.Fatal(err)
	}
	if err := w.EndGroup(); err != nil { // an empty group is not written
		t.Fatal(err)
	}
	if err := w.Write(numbered(8)); err != nil {
		t.Fatal(err)
	}
	if err := w.EndGroup(); err != nil {
		t.Fatal(err)
	}
	for i := range 20_100 { // more than a page
		row := numbered(i * i % 300)
		row[2], row[3] = float64(i), i%3 == 0
		if i%20 < 10 {
			row[5] = int64(i)
		}
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/types.parquet", b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/types.parquet")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Error("the file has changed; -update writes it anew, and then TestGoldenInDuckDB must read it")
	}
}

func TestFileName(t *testing.T) {
	for want, name := range map[string]string{
		"files.parquet":                parquet.FileName("files", 0, 1),
		"maps.parquet":                 parquet.FileName("maps", 0, 0),
		"files-00001-of-00002.parquet": parquet.FileName("files", 1, 2),
		"files-00012-of-12345.parquet": parquet.FileName("files", 12, 12345),
	} {
		if name != want {
			t.Errorf("%s, want %s", name, want)
		}
	}
}

// rowsOf gives every table one row, and then perhaps an error.
func rowsOf(fails string, why error) func(*index.Table) iter.Seq2[[]any, error] {
	return func(t *index.Table) iter.Seq2[[]any, error] {
		return func(yield func([]any, error) bool) {
			rows := &index.Rows{}
			rows.Add(t.Name, nil)
			if yield(rows.Row(t, 0), nil) && t.Name == fails {
				yield(nil, why)
			}
		}
	}
}

func export(dir string, part, parts int, rows func(*index.Table) iter.Seq2[[]any, error]) error {
	return parquet.Write(context.Background(), parquet.Disk(dir), parquet.NewManifest(index.Fingerprint{}, part, parts), rows)
}

// A folder has a file for each table; one that could not be written is not
// there, and what was there stays.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	if err := export(dir, 2, 3, rowsOf("", nil)); err != nil {
		t.Fatal(err)
	}
	for _, table := range index.Tables() {
		data, err := os.ReadFile(filepath.Join(dir, table.Name+"-00002-of-00003.parquet"))
		if err != nil {
			t.Error(err)
			continue
		}
		if s := string(data); !strings.HasPrefix(s, "PAR1") || !strings.HasSuffix(s, "PAR1") {
			t.Errorf("%s: no Parquet file", table.Name)
		}
	}
	tables := index.Tables()
	last, why := tables[len(tables)-1].Name, errors.New("the index is damaged")
	old := filepath.Join(dir, last+".parquet")
	if err := os.WriteFile(old, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := export(dir, 0, 1, rowsOf(last, why)); !errors.Is(err, why) {
		t.Errorf("err = %v; want err matching %v", err, why)
	}
	if data, err := os.ReadFile(old); err != nil || string(data) != "old" {
		t.Errorf(`data = %q, err = %v; want no error, data = "old"`, data, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.parquet")); len(left) != 2*len(tables) {
		t.Errorf("%d files in the folder, want %d", len(left), 2*len(tables))
	}
	if err := export(dir, 0, 1, rowsOf("", nil)); err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(old); err != nil || string(data) == "old" {
		t.Errorf("the old file is still there (%v)", err)
	}
}

// failing takes room bytes.
type failing struct {
	err  error
	room int
}

func (w *failing) Write(data []byte) (int, error) {
	if w.room -= len(data); w.room < 0 {
		return 0, w.err
	}
	return len(data), nil
}

// A full disk is an error of the call that ends the group of rows that does not fit.
func TestFullDiskAtGroups(t *testing.T) {
	full := errors.New("disk full")
	for _, c := range []struct {
		rows int
		end  func(*parquet.Writer) error // nil: writing itself
	}{{122_880, nil}, {100, (*parquet.Writer).EndGroup}, {100, (*parquet.Writer).Close}} {
		w := parquet.NewWriter(&failing{full, len("PAR1")}, columns[:1])
		var err error
		for i := 0; i < c.rows && err == nil; i++ {
			err = w.Write([]any{int64(i)})
		}
		if c.end != nil {
			if err != nil {
				t.Errorf("%d rows: %v", c.rows, err)
			}
			err = c.end(w)
		}
		if !errors.Is(err, full) {
			t.Errorf("%d rows: %v", c.rows, err)
		}
	}
}

// A full disk is reported, at the latest by Close.
func TestFullDisk(t *testing.T) {
	full := errors.New("disk full")
	w := parquet.NewWriter(&failing{err: full}, columns)
	err := w.Write(numbered(0))
	if end := w.EndGroup(); err == nil {
		err = end
	}
	if end := w.Close(); err == nil {
		err = end
	}
	if !errors.Is(err, full) {
		t.Errorf("err = %v; want err matching %v", err, full)
	}
	if err := parquet.WriteTable(&failing{err: full}, index.Tables()[0], rowsOf("", nil)(index.Tables()[0])); !errors.Is(err, full) {
		t.Errorf("err = %v; want err matching %v", err, full)
	}
}
