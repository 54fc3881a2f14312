package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/index"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/peer"
)

// Debian's sqlite3 opens an index, finds it sound, and counts the same rows in
// every table, the full-text index included. The index is one file.
func TestOtherSQLite(t *testing.T) {
	other := peer.Program(t, "sqlite3", "sqlite3")
	ctx := context.Background()
	dir := t.TempDir()
	file := filepath.Join(dir, "a b?.sqlite") // a name that is no URL
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scan.Run(ctx, db, []string{corpus.Dir(t, "gbx") + "/03093000", corpus.Dir(t, "vpk42")}, scan.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	ask := func(query string) string {
		t.Helper()
		out, err := exec.Command(other, "-readonly", file, query).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", query, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	if s := ask("pragma integrity_check"); s != "ok" {
		t.Errorf(`s = %v; want "ok"`, s)
	}
	ours, err := sqlite.OpenReadOnly(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	for _, table := range index.Tables() {
		query := "select count(*) from " + table.Name
		var want string
		if err := ours.QueryRow(query).Scan(&want); err != nil {
			t.Fatal(err)
		}
		if got := ask(query); got != want {
			t.Errorf("%s: %s rows, want %s", table.Name, got, want)
		}
	}
	if n := ask("select count(*) from search('replay')"); n == "0" {
		t.Error("the full-text index finds nothing")
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files in place of one", len(left))
	}
}

// An index whose maker was killed before it had tables is reported as begun when it is asked,
// and is made by the next one.
func TestBegun(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "begun.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("pragma journal_mode = wal; create table x (y); drop table x"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	if r, err := sqlite.OpenReadOnly(ctx, path); err == nil || !strings.Contains(err.Error(), "stopped before it began") {
		t.Errorf(`r = %v, err = %v; want an error, err with "stopped before it began"`, r, err)
	}
	d, err := sqlite.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	d.Close()
	r, err := sqlite.OpenReadOnly(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
}

// An index of an earlier pakbox gets the indexes that it lacks when it is brought
// up to date.
func TestIndexesAreAdded(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "old.sqlite")
	for range 2 {
		d, err := sqlite.Open(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(d.Finish(ctx), d.Close()); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		var n int
		if err := db.QueryRow("select count(*) from sqlite_schema where name = 'maps_collection_name'").Scan(&n); err != nil || n != 1 {
			t.Errorf("%d indexes, %v", n, err)
		}
		if _, err := db.Exec("drop index if exists maps_collection_name"); err != nil {
			t.Fatal(err)
		}
		db.Close()
	}
}
