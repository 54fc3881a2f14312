package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	library "github.com/parquet-go/parquet-go"

	"pakbox/index"
	"pakbox/index/parquet"
)

// columns are of every type that tables have.
var columns = []index.Column{
	{Name: "number", Type: index.Integer}, {Name: "small", Type: parquet.Small}, {Name: "real", Type: index.Real}, {Name: "yes", Type: index.Boolean},
	{Name: "text", Type: index.Text}, {Name: "maybe", Type: index.Integer, Null: true}, {Name: "list", Type: index.Integers}, {Name: "hash", Type: index.Bytes, Size: 16},
}

// numbered is a row that has nothing but a number.
func numbered(n int) []any {
	return []any{int64(n), int64(0), 0.0, false, "", nil, []*int64{}, make([]byte, 16)}
}

func number(n int64) *int64 { return &n }

// shown reads a file with the library alone: each row with its values, their
// levels as the format has them, and how many rows are in each group.
func shown(t *testing.T, data []byte) (rows []string, groups []int64) {
	t.Helper()
	f, err := library.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range f.RowGroups() {
		groups = append(groups, g.NumRows())
	}
	r := library.NewReader(f)
	defer r.Close()
	buffer := make([]library.Row, 1)
	for range f.NumRows() {
		if n, err := r.ReadRows(buffer); n != 1 {
			t.Fatal(err)
		}
		var values []string
		for _, v := range buffer[0] {
			values = append(values, fmt.Sprintf("%d:%v/%d,%d", v.Column(), v, v.RepetitionLevel(), v.DefinitionLevel()))
		}
		rows = append(rows, strings.Join(values, " "))
	}
	return rows, groups
}

func TestRowsAndGroups(t *testing.T) {
	var b bytes.Buffer
	w := parquet.NewWriter(&b, columns)
	empty := numbered(0)
	empty[6] = []*int64{nil}
	for _, row := range [][]any{
		{int64(7), int64(-3), 0.5, true, "a", int64(9), []*int64{number(1), nil, number(3)}, []byte("0123456789abcdef")},
		empty,
		numbered(0),
	} {
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.EndGroup(); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(numbered(8)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	rows, groups := shown(t, b.Bytes())
	want := []string{
		"0:7/0,0 1:-3/0,0 2:0.5/0,0 3:true/0,0 4:a/0,0 5:9/0,1 6:1/0,2 6:<null>/1,1 6:3/1,2 7:0123456789abcdef/0,0",
		"0:0/0,0 1:0/0,0 2:0/0,0 3:false/0,0 4:/0,0 5:<null>/0,0 6:<null>/0,1 7:\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00/0,0",
		"0:0/0,0 1:0/0,0 2:0/0,0 3:false/0,0 4:/0,0 5:<null>/0,0 6:<null>/0,0 7:\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00/0,0",
		"0:8/0,0 1:0/0,0 2:0/0,0 3:false/0,0 4:/0,0 5:<null>/0,0 6:<null>/0,0 7:\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00/0,0",
	}
	for i := range want {
		if i >= len(rows) || rows[i] != want[i] {
			t.Errorf("row %d is\n%q, want\n%q", i, rows[i], want[i])
		}
	}
	if fmt.Sprint(groups) != "[3 1]" {
		t.Errorf("groups of %v rows", groups)
	}
}

// However many rows there are, all are written, and as they come.
func TestManyRows(t *testing.T) {
	for _, n := range []int{0, 1, 255, 256, 257, 1000} {
		var b bytes.Buffer
		w := parquet.NewWriter(&b, columns)
		for i := range n {
			if err := w.Write(numbered(i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		rows, _ := shown(t, b.Bytes())
		if len(rows) != n {
			t.Errorf("%d rows of %d", len(rows), n)
		}
		for i, row := range rows {
			if !strings.HasPrefix(row, fmt.Sprintf("0:%d/", i)) {
				t.Errorf("row %d of %d is %s", i, n, row)
				break
			}
		}
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

// A folder has a file for each table; one that could not be written is not
// there, and what was there stays.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	if err := parquet.Export(dir, 2, 3, rowsOf("", nil)); err != nil {
		t.Fatal(err)
	}
	for _, table := range index.Tables() {
		data, err := os.ReadFile(filepath.Join(dir, table.Name+"-00002-of-00003.parquet"))
		if err != nil {
			t.Error(err)
			continue
		}
		if rows, _ := shown(t, data); len(rows) != 1 {
			t.Errorf("%s: %d rows", table.Name, len(rows))
		}
	}
	tables := index.Tables()
	last, why := tables[len(tables)-1].Name, errors.New("the index is damaged")
	old := filepath.Join(dir, last+".parquet")
	if err := os.WriteFile(old, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := parquet.Export(dir, 0, 1, rowsOf(last, why)); !errors.Is(err, why) {
		t.Errorf("%v", err)
	}
	if data, err := os.ReadFile(old); err != nil || string(data) != "old" {
		t.Errorf("%q, %v", data, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 2*len(tables) {
		t.Errorf("%d files in the folder, want %d", len(left), 2*len(tables))
	}
	if err := parquet.Export(dir, 0, 1, rowsOf("", nil)); err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(old); err != nil || string(data) == "old" {
		t.Errorf("the old file is still there (%v)", err)
	}
	if err := parquet.Export(filepath.Join(dir, "none"), 0, 1, rowsOf("", nil)); err == nil {
		t.Error("a folder that is not there is written to")
	}
}

type failing struct{ err error }

func (w failing) Write([]byte) (int, error) { return 0, w.err }

// A full disk is told by whoever ends the group of rows that does not fit.
func TestFullDiskAtGroups(t *testing.T) {
	full := errors.New("disk full")
	for _, c := range []struct {
		rows int
		end  func(*parquet.Writer) error // nil: writing itself
	}{{50_432, nil}, {50_100, (*parquet.Writer).EndGroup}, {50_100, (*parquet.Writer).Close}, {100, (*parquet.Writer).Close}} {
		w := parquet.NewWriter(failing{full}, columns[:1])
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

// A full disk is told, at the latest by Close.
func TestFullDisk(t *testing.T) {
	full := errors.New("disk full")
	w := parquet.NewWriter(failing{full}, columns)
	err := w.Write(numbered(0))
	if end := w.EndGroup(); err == nil {
		err = end
	}
	if end := w.Close(); err == nil {
		err = end
	}
	if !errors.Is(err, full) {
		t.Error(err)
	}
	if err := parquet.WriteTable(failing{full}, index.Tables()[0], rowsOf("", nil)(index.Tables()[0])); !errors.Is(err, full) {
		t.Error(err)
	}
}
