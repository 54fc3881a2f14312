package sqlite_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/index"
	"pakbox/index/sqlite"
	"pakbox/nadeo/nadeotest/mapsample"
)

// A map counts in the sections that only files of games have, until it is removed.
func TestSharesOfMap(t *testing.T) {
	data, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	x := index.Indexer{Maps: &index.MapCache{}}
	rows, err := x.File(t.Context(), index.Source{Input: archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "a.Map.Gbx"}, Path: "a.Map.Gbx"})
	if err != nil {
		t.Fatal(err)
	}
	db, file := filledIndex(t, "a.sqlite")
	if err := errors.Join(db.Put(t.Context(), sqlite.State{Path: "a.Map.Gbx"}, rows), db.Commit(t.Context())); err != nil {
		t.Fatal(err)
	}
	read, err := sqlite.OpenReadOnly(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	for section, query := range map[string]string{
		"format": "select format, count(*), sum(size) from files where parent is null", "game": "select game, count(*), sum(size) from files where parent is null",
		"class": "select class_name, count(*), sum(size) from files where parent is null", "mode": "select mode, count(*), sum(size) from maps join files using (file)",
		"environment": "select collection_name, count(*), sum(size) from maps join files using (file)",
	} {
		got := values(t, read, "select name, files, bytes from pakbox_shares where files > 0 and section = '"+section+"'")
		if want := values(t, read, query); got != want || strings.HasPrefix(got, " ") {
			t.Errorf("%s: %q, want %q", section, got, want)
		}
	}
	if err := errors.Join(db.Remove(t.Context(), "a.Map.Gbx"), db.Commit(t.Context())); err != nil {
		t.Fatal(err)
	}
	if list, err := db.Shares(t.Context()); err != nil || list != nil {
		t.Errorf("of nothing: %v, %v", list, err)
	}
}

// A row that cannot be written fails in Put or Commit, and the earlier rows stay; a
// removal does too.
func TestCannotWrite(t *testing.T) {
	db, file := filledIndex(t, "a.sqlite", "x")
	changed(t, file, "create trigger no before insert on pakbox_shares begin select raise(abort, 'no more'); end")
	if err := db.Put(t.Context(), state("y"), rowsOf("y", 3000)); err != nil {
		t.Fatal(err)
	}
	if err := db.Commit(t.Context()); err == nil || !strings.Contains(err.Error(), "no more") {
		t.Errorf("a commit of what cannot be written: %v", err)
	}
	db.Rollback(t.Context())
	changed(t, file, "drop trigger no")
	if err := put(db, "z", 6000); err != nil || paths(below(t, db, ".")) != "x z" {
		t.Errorf(`err = %v, %s; want no error, paths(below(t, db, ".")) = "x z"`, err, paths(below(t, db, ".")))
	}
	changed(t, file, "create trigger no before delete on meshes begin select raise(abort, 'no less'); end")
	if err := db.Remove(t.Context(), "x"); err == nil {
		t.Error("a file is removed whose rows stay")
	}
	db.Rollback(t.Context())
	if got := paths(below(t, db, ".")); got != "x z" {
		t.Errorf(`got = %v; want "x z"`, got)
	}
}

// Errors of SQLite have the file and the words of the system; other errors stay as they are.
func TestToldErrors(t *testing.T) {
	db, file := filledIndex(t, "a.sqlite")
	if mine := errors.New("mine"); db.InFile(mine) != mine || db.InFile(nil) != nil {
		t.Errorf("db.InFile(mine) = %v, db.InFile(nil) = %v; want db.InFile(mine) = %v, db.InFile(nil) = nil", db.InFile(mine), db.InFile(nil), mine)
	}
	changed(t, file, "drop table pakbox_about")
	err := db.Note(t.Context(), "a", "b")
	if err == nil {
		err = db.Commit(t.Context())
	}
	if told := db.InFile(err); told == nil || !strings.HasPrefix(told.Error(), file+": ") {
		t.Errorf(`told = %v; want told other than nil, told beginning with file + ": "`, told)
	}
	none := filepath.Join(t.TempDir(), "none", "a.sqlite")
	if _, err := sqlite.Open(t.Context(), none); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), none) {
		t.Errorf("err = %v; want err matching fs.ErrNotExist, err with %q", err, none)
	}
	if os.Geteuid() != 0 { // root may write anywhere
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
		if _, err := sqlite.Open(t.Context(), filepath.Join(dir, "a.sqlite")); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("err = %v; want err matching fs.ErrPermission", err)
		}
	}
}
