package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/index"
	"pakbox/index/sqlite"
	"pakbox/internal/testkit/leak"
)

// A file that is not an index is refused and left as it is; nothing stays open.
func TestNoIndex(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{"text": "hello, this is not an index", "short": "SQLite", "garbage": "SQLite format 3\x00" + strings.Repeat("x", 5000)} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(at(name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
	changed(t, at("foreign"), "create table x(y)")
	changed(t, at("named"), "pragma application_id = 7; pragma user_version = 2; create table x(y)")
	changed(t, at("numbered"), "pragma user_version = 2")
	changed(t, at("marked"), "pragma application_id = 7")
	for name, version := range map[string]int{"newer": 77, "older": 1} {
		t.Run(name, func(t *testing.T) {
			db, err := sqlite.Open(ctx, at(name))
			if err != nil {
				t.Fatal(err)
			}
			db.Close()
			changed(t, at(name), fmt.Sprintf("pragma user_version = %d", version))
		})
	}
	before := leak.OpenFiles()
	for name, c := range map[string]struct {
		kind error
		says string
	}{
		"text": {fault.NotFormat, "is not an index: not an SQLite file"}, "short": {fault.NotFormat, "is not an index: not an SQLite file"},
		"foreign": {fault.NotFormat, "no index of pakbox"}, "named": {fault.NotFormat, "no index of pakbox"},
		"numbered": {fault.NotFormat, "no index of pakbox"}, "marked": {fault.NotFormat, "no index of pakbox"},
		"newer":   {fault.UnsupportedVersion, fmt.Sprintf("is an index of version 77, and this pakbox makes version %d", index.Version)},
		"older":   {nil, "remove it, and index the files again"},
		"garbage": {nil, "garbage"},
	} {
		t.Run(name, func(t *testing.T) {
			old, err := os.ReadFile(at(name))
			if err != nil {
				t.Fatal(err)
			}
			_, asked := sqlite.OpenReadOnly(ctx, at(name))
			_, opened := sqlite.Open(ctx, at(name))
			for _, err := range []error{asked, opened} {
				if err == nil || c.kind != nil && !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), at(name)) {
					t.Errorf("%s: err = %v; want kind %v with the text %q and the path", name, err, c.kind, c.says)
				}
			}
			if now, err := os.ReadFile(at(name)); err != nil || string(now) != string(old) {
				t.Errorf("%s was changed, %v", name, err)
			}
		})
	}
	if _, err := sqlite.OpenReadOnly(ctx, at("none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	if _, err := sqlite.Open(ctx, at("no/folder")); err == nil || !strings.Contains(err.Error(), "no/folder") {
		t.Errorf("in no folder: %v", err)
	}
	called, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := sqlite.Open(called, at("cancelled")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := os.WriteFile(at("empty"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		db, err := sqlite.Open(ctx, at("empty"))
		if err != nil {
			t.Fatal(err)
		}
		if err := put(db, "x", 1); err != nil {
			t.Fatal(err)
		}
		if err := db.Put(ctx, state("y"), rowsOf("y", 1000)); err != nil { // not committed
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if left, _ := filepath.Glob(at("empty-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	db, err := sqlite.Open(ctx, at("empty"))
	if err != nil {
		t.Fatal(err)
	}
	if got := paths(below(t, db, ".")); got != "x" {
		t.Errorf(`got = %v; want "x"`, got)
	}
	db.Close()
	leak.Settled(t, "open files", before, leak.OpenFiles)
}

// An index that lacks a table is not opened to be written to, and not locked.
func TestLacksTable(t *testing.T) {
	ctx := context.Background()
	for _, table := range []string{"maps", "pakbox_state", "files"} {
		db, file := filledIndex(t, "a.sqlite", "x")
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		changed(t, file, "drop table "+table)
		if _, err := sqlite.Open(ctx, file); err == nil || !strings.HasPrefix(err.Error(), file+": ") || !strings.Contains(err.Error(), table) {
			t.Errorf("without %s: %v", table, err)
		}
		changed(t, file, "create table "+table+"(x)") // which needs the lock, and the file
	}
}

// A note of an older program lacks newer facts of a file and is read as far as it goes.
func TestShortNote(t *testing.T) {
	db, file := filledIndex(t, "a.sqlite", "x")
	changed(t, file, "update pakbox_state set seen = substr(seen, 1, 23), siblings = null")
	if got, want := below(t, db, "x"), (sqlite.State{Path: "x", Size: 1, MtimeNS: -2}); len(got) != 1 || got[0] != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// After every question, finished or not, all files of the index are
// closed.
func TestNothingStaysOpen(t *testing.T) {
	ctx := context.Background()
	db, file := filledIndex(t, "a.sqlite", "x", "y")
	lacks := filepath.Join(t.TempDir(), "lacks.sqlite")
	exists, err := sqlite.Open(ctx, lacks)
	if err != nil {
		t.Fatal(err)
	}
	exists.Close()
	changed(t, lacks, "drop table maps")
	read, err := sqlite.OpenReadOnly(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	ask := func() {
		for range 8 {
			if _, err := db.Load(ctx, "x"); err != nil {
				t.Fatal(err)
			}
			if _, err := db.SameContent(ctx, contentOfX()); err != nil {
				t.Fatal(err)
			}
			for range db.Below(ctx, ".") {
				break
			}
			for range sqlite.All(ctx, read, tableNamed("files")) {
				break
			}
			if _, err := sqlite.Open(ctx, lacks); err == nil {
				t.Fatal("opened")
			}
		}
	}
	ask()
	files, routines := leak.OpenFiles(), runtime.NumGoroutine()
	ask()
	leak.Settled(t, "open files", files+2, leak.OpenFiles) // pools may keep two
	leak.Settled(t, "goroutines", routines+2, runtime.NumGoroutine)
}
