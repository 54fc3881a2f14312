package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"pakbox/index"
	"pakbox/index/sqlite"
)

// Other programs refuse texts that are not UTF-8, and with them the whole table. Two names
// stay two, and a name with a backslash is not taken for the bytes that it writes.
func TestNamesOfBytes(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "names.sqlite")
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]bool{`a\xff`: false, "a\xff": true, "a\xfe": true, "a\u00ff": false}
	for name := range texts {
		rows := index.FailureRow(name, index.StatusUnreadable, 1, nil, index.ChangedError())
		if err := db.Put(ctx, state(name), rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Finish(ctx); err != nil {
		t.Fatal(err)
	}
	if rows, err := db.Load(ctx, "a\xff"); err != nil || rows.Get(index.Tables()[0], 0, "path") != "a\xff" {
		t.Errorf("another path: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	ask, err := sqlite.OpenReadOnly(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer ask.Close()
	found, err := ask.Query("select path, name, path_raw from files")
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	seen := map[string]bool{}
	for found.Next() {
		var path, name string
		var raw []byte
		if err := found.Scan(&path, &name, &raw); err != nil {
			t.Fatal(err)
		}
		if !utf8.ValidString(path) || path != name {
			t.Errorf("path = %q, name = %q; want utf8.ValidString(path) = true, path = %q", path, name, name)
		}
		if raw != nil {
			path = string(raw)
		}
		if is, known := texts[path]; !known || is != (raw != nil) {
			t.Errorf("path = %q, raw = %q; want known = true, is = (raw is not nil)", path, raw)
		}
		seen[path] = true
	}
	if len(seen) != len(texts) {
		t.Errorf("seen = %v; want seen of length len(texts)", seen)
	}
}
