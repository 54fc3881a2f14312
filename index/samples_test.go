package index_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/index"
	"pakbox/nadeo/nadeotest/mapsample"
)

// row is a row by the names of its columns.
type row map[string]any

// table gives the rows of a table.
func table(rows *index.Rows, name string) (list []row) {
	t, ok := index.TableNamed(name)
	if !ok {
		panic("no table " + name)
	}
	for i := range rows.Len(t) {
		r := row{}
		for k, c := range t.Columns() {
			r[c.Name] = rows.Row(t, i)[k]
		}
		list = append(list, r)
	}
	return list
}

// written gives rows as text, a line each: the table, and the values that are
// not null, with the path of a file for its key.
func written(rows *index.Rows) string {
	paths := map[any]string{}
	for _, f := range table(rows, "files") {
		paths[f["file"]] = f["path"].(string)
	}
	var b strings.Builder
	for _, t := range index.Tables() {
		for i := range rows.Len(t) {
			b.WriteString(t.Name)
			for k, c := range t.Columns() {
				if v := rows.Row(t, i)[k]; v != nil {
					fmt.Fprintf(&b, " %s=%s", c.Name, shown(c, v, paths))
				}
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func shown(c index.Column, x any, paths map[any]string) string {
	switch v := x.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case []byte:
		return fmt.Sprintf("%x", v)
	case []*int64:
		text := ""
		for _, n := range v {
			if n == nil {
				text += "null,"
			} else {
				text += fmt.Sprintf("%d,", *n)
			}
		}
		return text
	}
	if c.Ref {
		return paths[x]
	}
	return fmt.Sprint(x)
}

// samples makes the rows of what is in samples/, and of the map that has
// something for every command.
func samples(t *testing.T) *index.Rows {
	t.Helper()
	made, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	x := &index.Indexer{Check: true, Lint: true, Verify: true, Places: true}
	all := indexBytes(t, x, "made.Map.Gbx", made)
	t.Chdir(filepath.Join("..", "samples"))
	for _, name := range []string{
		"hello.vpk", "hello.eix", "hello.epk", "Sample.Pack.Gbx",
		"simutrans/good.Sample_Parcels.pak", "simutrans/tree.Sample_Fir.pak", "simutrans/vehicle.Sample_Tram.pak", "simutrans/tram.dat", "simutrans/tram.png",
	} {
		all.Append(indexFile(t, x, name))
	}
	return all
}

// indexBytes makes the rows of bytes.
func indexBytes(t *testing.T, x *index.Indexer, name string, data []byte) *index.Rows {
	t.Helper()
	in := archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: path.Base(name)}
	hash, err := index.HashContent(in)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := x.File(t.Context(), index.Source{Input: in, Path: name, BLAKE3: hash})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

var update = flag.Bool("update", false, "write testdata/samples.rows anew; read what changed before it is committed")

// The samples give the rows that follow from what they are made of. Rows of
// another kind are those of another version: see [index.Version].
func TestSamples(t *testing.T) {
	golden, err := filepath.Abs(filepath.Join("testdata", "samples.rows"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var comment, want strings.Builder
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			comment.WriteString(line)
		} else {
			want.WriteString(line)
		}
	}
	got := written(samples(t))
	if *update {
		if err := os.WriteFile(golden, []byte(comment.String()+got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	sameLines(t, got, want.String())
}

// sameLines compares texts, and shows the first lines that differ.
func sameLines(t *testing.T, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Fatalf("row %d is\n%s\nwant\n%s", i, g[i], w[i])
		}
	}
	t.Fatalf("%d rows, want %d", len(g)-1, len(w)-1)
}

// A file that was moved has the rows that it would have if it had been read
// where it is now.
func TestMove(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "samples", "Sample.Pack.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	x := &index.Indexer{Check: true, Lint: true, Verify: true}
	rows, want := indexBytes(t, x, "a/Sample.Pack.Gbx", data), indexBytes(t, x, "other/place/Moved.Pack.Gbx", data)
	mtime := int64(1234)
	setColumn(want, "files", 0, "mtime_ns", mtime)
	rows.Move("a/Sample.Pack.Gbx", "other/place/Moved.Pack.Gbx", &mtime)
	sameLines(t, written(rows), written(want))
	if !reflect.DeepEqual(rows, want) {
		t.Error("other keys")
	}
}

// setColumn sets a value of a row.
func setColumn(rows *index.Rows, name string, i int, column string, v any) {
	t, _ := index.TableNamed(name)
	rows.Row(t, i)[slices.IndexFunc(t.Columns(), func(c index.Column) bool { return c.Name == column })] = v
}

// Sorted rows are in the order of paths, and those of one file as they were.
func TestSort(t *testing.T) {
	rows := samples(t)
	before := map[string][]string{} // by table and file
	for line := range strings.Lines(written(rows)) {
		table, rest, _ := strings.Cut(line, " file=")
		file, _, _ := strings.Cut(rest, " ")
		before[table+" "+strings.TrimSuffix(file, "\n")] = append(before[table+" "+strings.TrimSuffix(file, "\n")], line)
	}
	var want []string
	for _, table := range index.Tables() {
		var keys []string
		for key := range before {
			if strings.HasPrefix(key, table.Name+" ") {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		for _, key := range keys {
			want = append(want, before[key]...)
		}
	}
	rows.Sort()
	sameLines(t, written(rows), strings.Join(want, ""))
}
