package sqlite_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pakbox/index"
	"pakbox/index/sqlite"
)

// filled is a value of its own for a column; null if so asked and allowed.
func filled(c index.Column, n int64, nulls bool) any {
	switch {
	case nulls && c.Null:
		return nil
	case c.Type == index.Integer:
		return n
	case c.Type == index.Real:
		return float64(n) + 0.5
	case c.Type == index.Boolean:
		return n%2 == 0
	case c.Raw:
		return fmt.Sprintf("name \xff %d", n)
	case c.Type == index.Text:
		return fmt.Sprintf("text %d", n)
	case c.Type == index.Bytes:
		return bytes.Repeat([]byte{byte(n)}, c.Size)
	case nulls:
		return []*int64{}
	}
	return []*int64{&n, nil}
}

// rowsOf are two rows in every table for a file; the second of the files lies in
// the first.
func rowsOf(path string, start int64) *index.Rows {
	rows := &index.Rows{}
	n := start
	for _, t := range index.Tables() {
		for i := range 2 {
			row := make([]any, len(t.Columns()))
			for k, c := range t.Columns() {
				n++
				row[k] = filled(c, n, i == 1)
			}
			row[0] = index.Key(path)
			if t.Name == "files" {
				row[1], row[2] = path, any(nil)
				if i == 1 {
					row[0], row[1], row[2] = index.Key(path+"/inner"), path+"/inner", index.Key(path)
				}
			}
			rows.AddRow(t, row)
		}
	}
	return rows
}

func tableNamed(name string) *index.Table {
	t, _ := index.TableNamed(name)
	return t
}

func state(path string) sqlite.State {
	return sqlite.State{Path: path, Size: 1, MtimeNS: -2, CtimeNS: 3, Device: 4, ScanStartNS: 6, Version: 7, Requests: 8, Siblings: "beside " + path}
}

func open(t *testing.T, path string) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// below are the states at and below a path.
func below(t *testing.T, db *sqlite.DB, root string) (list []sqlite.State) {
	t.Helper()
	for batch, err := range db.Below(context.Background(), root) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, batch...)
	}
	return list
}

func paths(list []sqlite.State) string {
	var names []string
	for _, s := range list {
		names = append(names, s.Path)
	}
	return strings.Join(names, " ")
}

// Every row is read back unchanged: every column of every table, values and
// nulls, by the file and over all files.
func TestEveryColumnComesBack(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "a.sqlite")
	db := open(t, file)
	first, second := rowsOf("b/x", 1), rowsOf("a/y", 5000)
	for path, rows := range map[string]*index.Rows{"b/x": first, "a/y": second} {
		t.Run(path, func(t *testing.T) {
			if err := db.Put(ctx, state(path), rows); err != nil {
				t.Fatal(err)
			}
		})
	}
	if want := 2 * 2 * len(index.Tables()); db.Pending() != want {
		t.Errorf("%d rows to write, want %d", db.Pending(), want)
	}
	if err := db.Finish(ctx); err != nil || db.Pending() != 0 {
		t.Fatalf("err = %v, db.Pending() = %v; want no error, db.Pending() = 0", err, db.Pending())
	}
	got, err := db.Load(ctx, "b/x")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range index.Tables() {
		if g, w := got.Cells(table), first.Cells(table); !reflect.DeepEqual(g, w) {
			t.Errorf("%s:\n%v, want\n%v", table.Name, g, w)
		}
	}
	read, err := sqlite.OpenReadOnly(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	for _, table := range index.Tables() {
		var all []any
		for row, err := range sqlite.Tables(ctx, read)(table) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, row...)
		}
		// In the order of the paths of files.
		if want := slices.Concat(second.Cells(table), first.Cells(table)); !reflect.DeepEqual(all, want) {
			t.Errorf("%s: all rows are\n%v, want\n%v", table.Name, all, want)
		}
	}
	content, _ := first.Content()
	same, err := db.SameContent(ctx, content)
	if err != nil || len(same) != 1 || same[0] != state("b/x") {
		t.Errorf(`same = %+v, err = %v; want no error, same of length 1, same[0] = state("b/x")`, same, err)
	}
	if same, err := db.SameContent(ctx, index.Hash{9, 9}); err != nil || len(same) != 0 {
		t.Errorf("same = %+v, err = %v; want no error, empty same", same, err)
	}
}

// Files are put, put again, removed; what was not committed can be forgotten.
func TestPutAndRemove(t *testing.T) {
	ctx := context.Background()
	db := open(t, filepath.Join(t.TempDir(), "a.sqlite"))
	put := func(path string, start int64) {
		t.Helper()
		if err := db.Put(ctx, state(path), rowsOf(path, start)); err != nil {
			t.Fatal(err)
		}
	}
	commit := func() {
		t.Helper()
		if err := db.Commit(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for i, path := range []string{"d/a", "d/a b", "d/b/c", "d", "e", "/top/f"} {
		put(path, int64(1000*i+1))
	}
	commit()
	plain := state("e")
	plain.Siblings = ""
	if err := db.Put(ctx, plain, rowsOf("e", 9001)); err != nil {
		t.Fatal(err)
	}
	commit()
	for root, want := range map[string]string{".": "d d/a d/a b d/b/c e", "d": "d d/a d/a b d/b/c", "d/a": "d/a", "e": "e", "/": "/top/f", "/top": "/top/f", "none": ""} {
		if got := paths(below(t, db, root)); got != want {
			t.Errorf("below %s: %s, want %s", root, got, want)
		}
	}
	if got := below(t, db, "e"); len(got) != 1 || got[0] != plain {
		t.Errorf("%+v, want %+v", got, plain)
	}
	if got, err := db.Load(ctx, "e"); err != nil || !reflect.DeepEqual(got, rowsOf("e", 9001)) {
		t.Errorf("put again: %v, %v", got, err)
	}
	if err := db.Remove(ctx, "d/a"); err != nil {
		t.Fatal(err)
	}
	put("new", 20000)
	db.Rollback(ctx)
	if got := paths(below(t, db, ".")); got != "d d/a d/a b d/b/c e" || db.Pending() != 0 {
		t.Errorf("forgotten: %s, %d pending", got, db.Pending())
	}
	if err := db.Remove(ctx, "d/a"); err != nil {
		t.Fatal(err)
	}
	if err := db.Remove(ctx, "never there"); err != nil {
		t.Fatal(err)
	}
	commit()
	got, err := db.Load(ctx, "d/a")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range index.Tables() {
		if n := got.Len(table); n != 0 {
			t.Errorf("%s: %d rows of a file that was removed", table.Name, n)
		}
	}
	if got := paths(below(t, db, ".")); got != "d d/a b d/b/c e" {
		t.Errorf(`got = %v; want "d d/a b d/b/c e"`, got)
	}
}

// A file that is put again replaces its rows, whether these were committed or
// not, and also if another program put it in the meantime.
func TestPutAgain(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "a.sqlite")
	one, other := open(t, file), open(t, file)
	put := func(db *sqlite.DB, path string, start int64) {
		t.Helper()
		if err := db.Put(ctx, state(path), rowsOf(path, start)); err != nil {
			t.Fatal(err)
		}
	}
	commit := func(db *sqlite.DB) {
		t.Helper()
		if err := db.Commit(ctx); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(path string, start int64) {
		t.Helper()
		got, err := one.Load(ctx, path)
		if err != nil || !reflect.DeepEqual(got, rowsOf(path, start)) {
			t.Errorf("%s: %v, not as it was put", path, err)
		}
	}
	put(one, "b", 1)
	put(one, "b", 1000)
	put(one, "a", 2000)
	commit(one)
	expect("b", 1000)
	put(other, "c", 3000)
	put(other, "b", 4000)
	commit(other)
	put(one, "c", 5000)
	put(one, "gone", 6000)
	if err := one.Remove(ctx, "gone"); err != nil {
		t.Fatal(err)
	}
	commit(one)
	for path, start := range map[string]int64{"a": 2000, "b": 4000, "c": 5000} {
		expect(path, start)
	}
	if got := paths(below(t, one, ".")); got != "a b c" {
		t.Errorf(`got = %v; want "a b c"`, got)
	}
}

// Merge joins two indexes; for a file in both, the rows of the other index win.
func TestMerge(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	db, other := open(t, filepath.Join(dir, "a.sqlite")), open(t, filepath.Join(dir, "b.sqlite"))
	for _, p := range []struct {
		db    *sqlite.DB
		path  string
		start int64
	}{{db, "x", 1}, {db, "both", 1000}, {other, "both", 2000}, {other, "y", 3000}} {
		if err := p.db.Put(ctx, state(p.path), rowsOf(p.path, p.start)); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range []*sqlite.DB{db, other} {
		if err := d.Finish(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // once more changes nothing
		if err := db.Merge(ctx, filepath.Join(dir, "b.sqlite")); err != nil {
			t.Fatal(err)
		}
		if got := paths(below(t, db, ".")); got != "both x y" {
			t.Errorf(`got = %v; want "both x y"`, got)
		}
		for path, start := range map[string]int64{"x": 1, "both": 2000, "y": 3000} {
			got, err := db.Load(ctx, path)
			if err != nil || !reflect.DeepEqual(got, rowsOf(path, start)) {
				t.Errorf("%s: %v, not as it was put", path, err)
			}
		}
	}
	if err := db.Merge(ctx, filepath.Join(dir, "none.sqlite")); err == nil || !strings.Contains(err.Error(), "none.sqlite") {
		t.Errorf("an index that is not there: %v", err)
	}
	if got := paths(below(t, db, ".")); got != "both x y" {
		t.Errorf("after a merge that failed: %s", got)
	}
}
