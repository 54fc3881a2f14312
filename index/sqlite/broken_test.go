package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pakbox/index"
	"pakbox/index/engine"
	"pakbox/index/sqlite"
)

// changed has another program change an index.
func changed(t *testing.T, file, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// put puts a file and makes that last.
func put(db *sqlite.DB, path string, start int64) error {
	if err := db.Put(context.Background(), state(path), rowsOf(path, start)); err != nil {
		return err
	}
	return db.Commit(context.Background())
}

// filledIndex is an index with the files of some paths, and its file.
func filledIndex(t *testing.T, name string, paths ...string) (*sqlite.DB, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	db := open(t, file)
	for i, path := range paths {
		if err := put(db, path, int64(1000*i+1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	return db, file
}

// whole asks for all states, or gives why that cannot be.
func whole(ctx context.Context, db *sqlite.DB) (err error) {
	for _, err = range db.Below(ctx, ".") {
	}
	return err
}

// contentOfX is the hash of a file that tests put.
func contentOfX() index.Hash {
	hash, _ := rowsOf("x", 1).Content()
	return hash
}

// An index that was damaged by something else must fail with the reason, or do what was
// asked. No error may change it.
func TestBroken(t *testing.T) {
	ctx := context.Background()
	work := map[string]func(db *sqlite.DB) error{
		"put":    func(db *sqlite.DB) error { return put(db, "new", 5000) },
		"again":  func(db *sqlite.DB) error { return put(db, "x", 6000) },
		"remove": func(db *sqlite.DB) error { return db.Remove(ctx, "x") },
		"load":   func(db *sqlite.DB) error { _, err := db.Load(ctx, "x"); return err },
		"same":   func(db *sqlite.DB) error { _, err := db.SameContent(ctx, contentOfX()); return err },
		"below":  func(db *sqlite.DB) error { return whole(ctx, db) },
	}
	db, file := filledIndex(t, "a.sqlite", "x")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	prepared, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ broken, says string }{
		{"drop table maps", "no such table: "},
		{"drop table texts", "no such table: "},
		{"drop table pakbox_state", "no such table: "},
		{"drop table files", "no such table: "},
		{"drop table pakbox_shares", "no such table: "},
		{"create trigger t before delete on pakbox_state begin select raise(abort, 'no less'); end", "no less"},
		{"create trigger t before delete on texts begin select raise(abort, 'no less'); end", "no less"},
		{"update files set blake3 = x'00'", "1 bytes where 32 belong"},
		{"update maps set minhash = zeroblob(257)", "257 bytes where 256 belong"},
		{`update ghosts set checkpoints = '["x"]'`, "cannot unmarshal"},
		{"create trigger t before insert on meshes begin select raise(abort, 'no more'); end", "meshes: "},
		{"create trigger t before delete on meshes begin select raise(abort, 'no less'); end", "no less"},
		{"create trigger t before insert on pakbox_state begin select raise(abort, 'no more'); end", "no more"},
	} {
		t.Run(c.broken, func(t *testing.T) {
			failures := 0
			for name, do := range work {
				db, read, done := opened(t, prepared)
				var file string
				if err := read.QueryRow("select file from pragma_database_list where name = 'main'").Scan(&file); err != nil {
					t.Fatal(err)
				}
				changed(t, file, c.broken)
				isReadable := !strings.HasPrefix(c.broken, "drop")
				before := ""
				if isReadable {
					before = contentOf(t, read)
				}
				if err := do(db); err != nil {
					failures++
					db.Rollback(ctx)
					if !strings.Contains(err.Error(), c.says) {
						t.Errorf("%s: error %q, want one with %q", name, err, c.says)
					}
					if isReadable && contentOf(t, read) != before {
						t.Errorf("%s failed and changed the index to\n%s\nwant\n%s", name, contentOf(t, read), before)
					}
				}
				done()
			}
			if failures == 0 {
				t.Errorf("nothing failed, want an error with %q", c.says)
			}
		})
	}
}

// All rows of a table are given until one cannot be read.
func TestBrokenRow(t *testing.T) {
	ctx := context.Background()
	db, file := filledIndex(t, "a.sqlite", "a", "b", "c")
	changed(t, file, `update maps set layout_hash = x'00' where file = `+fmt.Sprint(index.Key("b")))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	read, err := sqlite.OpenReadOnly(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	for name, want := range map[string]string{"maps": "row row layout_hash has 1 bytes where 32 belong", "files": "row row row row row row"} {
		var got []string
		for _, err := range sqlite.All(ctx, read, tableNamed(name)) {
			if err != nil {
				got = append(got, err.Error())
			} else {
				got = append(got, "row")
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: s = %s; want %s", name, s, want)
		}
	}
	for range sqlite.All(ctx, read, tableNamed("files")) {
		break // whoever has enough gets no more
	}
	called, cancel := context.WithCancel(ctx)
	cancel()
	for row, err := range sqlite.All(called, read, tableNamed("files")) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v, %v", row, err)
		}
	}
	if _, err := read.Exec("delete from files"); err == nil {
		t.Error("an index that is only to be asked was changed")
	}
}

// A merge that fails names the other index and changes nothing; the next one
// works.
func TestMergeFails(t *testing.T) {
	ctx := context.Background()
	for _, broken := range []string{"drop table maps", "drop table pakbox_state", "update pakbox_state set key = x'ff' where key = x'78'; drop table files"} {
		db, _ := filledIndex(t, "a.sqlite", "x", "y")
		other, file := filledIndex(t, "b.sqlite", "x", "z")
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		changed(t, file, broken)
		if err := db.Merge(ctx, file); err == nil || !strings.HasPrefix(err.Error(), file+": ") {
			t.Errorf(`%s: err = %v; want an error, err beginning with file + ": "`, broken, err)
		}
		if db.Pending() != 0 || paths(below(t, db, ".")) != "x y" {
			t.Errorf("%s: %d pending, %s", broken, db.Pending(), paths(below(t, db, ".")))
		}
		if got, err := db.Load(ctx, "x"); err != nil || !reflect.DeepEqual(got, rowsOf("x", 1)) {
			t.Errorf("%s: x is not as it was: %v", broken, err)
		}
		good, file := filledIndex(t, "c.sqlite", "z")
		if err := good.Close(); err != nil {
			t.Fatal(err)
		}
		if err := db.Merge(ctx, file); err != nil || paths(below(t, db, ".")) != "x y z" {
			t.Errorf("%s: after it: %v, %s", broken, err, paths(below(t, db, ".")))
		}
	}
	for _, broken := range []string{
		"drop table pakbox_state", "drop table maps",
		"create trigger t before insert on pakbox_state begin select raise(abort, 'no more'); end",
		"create trigger t before delete on meshes begin select raise(abort, 'no less'); end",
	} {
		db, own := filledIndex(t, "a.sqlite", "x")
		other, file := filledIndex(t, "b.sqlite", "x")
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		changed(t, own, broken)
		if err := db.Merge(ctx, file); err == nil {
			t.Errorf("%s in the index that takes: no error", broken)
		}
	}
	db, _ := filledIndex(t, "a.sqlite", "x")
	other, file := filledIndex(t, "b.sqlite", "y")
	other.Close()
	called, cancel := context.WithCancel(ctx)
	cancel()
	if err := db.Merge(called, file); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The tables refuse what the schema does not allow, and each is looked up by
// file without reading it all.
func TestTables(t *testing.T) {
	_, file := filledIndex(t, "a.sqlite", "x")
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for statement, says := range map[string]string{
		"update maps set name = null":                     "NOT NULL constraint failed: maps.name",
		"update ghosts set checkpoints = '[1,'":           "CHECK constraint failed",
		"update maps set block_count = 'many'":            "cannot store TEXT value in INTEGER column",
		"update files set file = 1":                       "UNIQUE constraint failed: files.file",
		"update sim_vehicles set price = 'a lot'":         "cannot store TEXT value in REAL column",
		"update maps set thumbnail_sha256 = 'a sum'":      "cannot store TEXT value in BLOB column",
		"update maps set mood = null, checkpoints = null": "",
	} {
		if _, err := db.Exec(statement); (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf(`%s: err = %v; want err is nil exactly if says is "", (no error or err with %q)`, statement, err, says)
		}
	}
	for _, table := range index.Tables() {
		var a, b, c int
		var plan string
		if err := db.QueryRow("explain query plan select * from "+table.Name+" where file = ?", 1).Scan(&a, &b, &c, &plan); err != nil || !strings.HasPrefix(plan, "SEARCH ") {
			t.Errorf(`%s: plan = %s, err = %v; want no error, plan beginning with "SEARCH "`, table.Name, plan, err)
		}
	}
}

// The full-text index has the files that are there, by whatever case and accents.
func TestSearch(t *testing.T) {
	ctx := context.Background()
	db, file := filledIndex(t, "a.sqlite")
	author := "Jürgen"
	for _, name := range []string{"Köln", "Bonn"} {
		rows := &index.Rows{}
		rows.Add("files", map[string]any{"file": index.Key(name), "path": name, "name": name})
		rows.Add("texts", map[string]any{"file": index.Key(name), "name": name, "author": author})
		if err := db.Put(ctx, state(name), rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	search := func(words string) (found string) {
		t.Helper()
		other, err := sqlite.OpenReadOnly(ctx, file)
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		if err := other.QueryRow("select coalesce(group_concat(name), '') from (select name from search(?) order by name)", words).Scan(&found); err != nil {
			t.Fatal(err)
		}
		return found
	}
	if a, b := search("JURGEN"), search("koln"); a != "Bonn,Köln" || b != "Köln" {
		t.Errorf(`a = %v, b = %v; want a = "Bonn,Köln", b = "Köln"`, a, b)
	}
	if err := db.Remove(ctx, "Köln"); err != nil || db.Pending() <= 0 {
		t.Fatalf("err = %v, db.Pending() = %v; want no error, db.Pending() above 0", err, db.Pending())
	}
	if err := db.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	if a, b := search("jurgen"), search("koln"); a != "Bonn" || b != "" {
		t.Errorf(`a = %v, b = %v; want a = "Bonn", b = ""`, a, b)
	}
}

// So many files that they are read in several parts come in their order, and to
// an end if somebody has seen enough, or cancels it.
func TestManyFiles(t *testing.T) {
	ctx := context.Background()
	db := open(t, filepath.Join(t.TempDir(), "a.sqlite"))
	var want []string
	for i := range 10001 {
		path := fmt.Sprintf("d/%05d", i)
		want = append(want, path)
		rows := &index.Rows{}
		rows.Add("files", map[string]any{"file": index.Key(path), "path": path})
		if err := db.Put(ctx, sqlite.State{Path: path, Size: int64(i)}, rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Finish(ctx); err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, s := range below(t, db, "d") {
		got = append(got, s.Path)
		if s.Size != int64(i) {
			t.Fatalf("%s: size %d", s.Path, s.Size)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	if err := put(db, "d\x01", 1); err != nil { // sorts right behind what is in d
		t.Fatal(err)
	}
	if n := len(below(t, db, "d")); n != len(want) {
		t.Errorf("%d files, with one that is beside the folder", n)
	}
	parts := 0
	for range db.Below(ctx, "d") {
		if parts++; parts == 2 {
			break
		}
	}
	if parts != 2 {
		t.Errorf("%d parts", parts)
	}
	called, cancel := context.WithCancel(ctx)
	cancel()
	for range 20 { // what ends first must not matter
		if err := whole(called, db); !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled: %v", err)
		}
	}
}

// Uncommitted work of a cancelled call can be rolled back, and the
// next call succeed.
func TestCommitFails(t *testing.T) {
	ctx := context.Background()
	db, _ := filledIndex(t, "a.sqlite", "x")
	if err := db.Put(ctx, state("y"), rowsOf("y", 5000)); err != nil {
		t.Fatal(err)
	}
	called, cancel := context.WithCancel(ctx)
	cancel()
	if err := db.Commit(called); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	db.Rollback(ctx)
	if err := put(db, "z", 6000); err != nil {
		t.Error(err)
	}
	if got := paths(below(t, db, ".")); got != "x z" {
		t.Errorf(`got = %v; want "x z"`, got)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{"put": put(db, "x", 1), "below": whole(ctx, db), "remove": db.Remove(ctx, "x")} {
		if err == nil {
			t.Errorf("%s in an index that is closed", name)
		}
	}
}

// An index that another program writes to, and a full disk, have errors in plain words.
func TestToldInWords(t *testing.T) {
	db, file := filledIndex(t, "a.sqlite", "x")
	other, err := sql.Open(engine.Driver, file+"?_pragma=max_page_count(1)")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetMaxOpenConns(1)
	if _, err := other.Exec("create table large as select zeroblob(1000000) as x"); !errors.Is(db.InFile(err), syscall.ENOSPC) {
		t.Errorf("a full disk: %v", db.InFile(err))
	}
	if err := db.Put(t.Context(), state("y"), rowsOf("y", 10)); err != nil { // begins a transaction
		t.Fatal(err)
	}
	if _, err := other.Exec("begin immediate"); err == nil || !strings.Contains(db.InFile(err).Error(), "another program") {
		t.Errorf("an index that is written to: %v", db.InFile(err))
	}
}
