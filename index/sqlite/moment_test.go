package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"pakbox/index"
	"pakbox/index/sqlite"
	"pakbox/internal/testkit/leak"
)

// moment is a context that is cancelled when it has been looked at so many times.
type moment struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func newMoment(looks int64) *moment {
	m := new(moment)
	m.Context, m.cancel = context.WithCancel(context.Background())
	m.left.Store(looks)
	return m
}

func (m *moment) look() {
	if m.left.Add(-1) < 0 {
		m.cancel()
	}
}

func (m *moment) Done() <-chan struct{} { m.look(); return m.Context.Done() }
func (m *moment) Err() error            { m.look(); return m.Context.Err() }

// contentOf formats the content of an index.
func contentOf(t *testing.T, read *sql.DB) string {
	t.Helper()
	return values(t, read, `select (select group_concat(hex(key)) from (select key from pakbox_state order by key)),
		(select count(*) from texts) || ' ' || (select count(*) from maps) || ' ' || (select count(*) from ghosts),
		(select group_concat(section || name || files) from (select * from pakbox_shares where files > 0 order by section, name)) || ' ' ||
		(select ifnull(group_concat(name || value), '-') from (select * from pakbox_about order by name)) || ' ' || (select count(*) from sqlite_schema)`)
}

// opened is a copy of an index in a new file, open for writing and for reading.
func opened(t *testing.T, data []byte) (db *sqlite.DB, read *sql.DB, done func()) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.sqlite")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	if read, err = sqlite.OpenReadOnly(context.Background(), file); err != nil {
		t.Fatal(err)
	}
	return db, read, func() {
		read.Close()
		db.Close()
	}
}

// work is what can be done to an index, and gives what it found.
type work struct {
	on string // the index that it is done to
	do func(ctx context.Context, db *sqlite.DB) (string, error)
}

func works(other string, hash index.Hash) map[string]work {
	return map[string]work{
		"put": {"a.sqlite", func(ctx context.Context, db *sqlite.DB) (string, error) {
			err := db.Put(ctx, state("d/x"), rowsOf("d/x", 7000))
			if err == nil {
				err = db.Commit(ctx)
			}
			return "", err
		}},
		"remove": {"a.sqlite", func(ctx context.Context, db *sqlite.DB) (string, error) {
			err := db.Remove(ctx, "d/x")
			if err == nil {
				err = db.Commit(ctx)
			}
			return "", err
		}},
		"note": {"a.sqlite", func(ctx context.Context, db *sqlite.DB) (string, error) {
			err := db.Note(ctx, "name", "value")
			if err == nil {
				err = db.Commit(ctx)
			}
			return "", err
		}},
		"merge": {"a.sqlite", func(ctx context.Context, db *sqlite.DB) (string, error) { return "", db.Merge(ctx, other) }},
		"unknown": {"a.sqlite", func(ctx context.Context, db *sqlite.DB) (string, error) {
			return "", db.RemoveUnknown(ctx, other, "d", func(string) bool { return true })
		}},
		"join": {"a.sqlite", func(ctx context.Context, db *sqlite.DB) (string, error) {
			n, err := db.Join(ctx, "join_x", strings.NewReader(`{"uid":"a","wr":1}{"uid":"b","more":2}`), "uid")
			return fmt.Sprint(n), err
		}},
		"load": {"a.sqlite", func(ctx context.Context, db *sqlite.DB) (string, error) {
			rows, err := db.Load(ctx, "d/x")
			if err != nil {
				return "", err
			}
			return fmt.Sprint(rows.Len(tableNamed("files")), rows.Len(tableNamed("maps")), rows.Len(tableNamed("ghosts"))), nil
		}},
		"same": {"a.sqlite", func(ctx context.Context, db *sqlite.DB) (string, error) {
			list, err := db.SameContent(ctx, hash)
			return paths(list), err
		}},
		"shares": {"a.sqlite", func(ctx context.Context, db *sqlite.DB) (string, error) {
			list, err := db.Shares(ctx)
			return fmt.Sprint(list), err
		}},
		"about": {"a.sqlite", func(ctx context.Context, db *sqlite.DB) (string, error) {
			all, err := db.About(ctx)
			return fmt.Sprint(all), err
		}},
		"seen": {"a.sqlite", func(ctx context.Context, db *sqlite.DB) (string, error) {
			some, err := db.Seen(ctx)
			return fmt.Sprint(some), err
		}},
		"finish": {"begun.sqlite", func(ctx context.Context, db *sqlite.DB) (string, error) { return "", db.Finish(ctx) }},
	}
}

// A call that is cancelled at any moment returns the error, unless it was done. The index
// has its old content or the new one, and nothing between. Afterwards the same call
// succeeds.
func TestCalledOffAtAnyMoment(t *testing.T) {
	prepared := t.TempDir()
	for name, paths := range map[string][]string{"a.sqlite": {"d/x", "d/y"}, "other.sqlite": {"d/y", "d/z"}} {
		t.Run(name, func(t *testing.T) {
			db, file := filledIndex(t, name, paths...)
			if err := errors.Join(db.Close(), os.Rename(file, filepath.Join(prepared, name))); err != nil {
				t.Fatal(err)
			}
		})
	}
	begun := open(t, filepath.Join(prepared, "begun.sqlite"))
	if err := errors.Join(put(begun, "d/x", 1), begun.Close()); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(prepared, "other.sqlite")
	for name, c := range works(other, contentOfX()) {
		data, err := os.ReadFile(filepath.Join(prepared, c.on))
		if err != nil {
			t.Fatal(err)
		}
		db, read, done := opened(t, data)
		before := contentOf(t, read)
		want, err := c.do(context.Background(), db)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		after := contentOf(t, read)
		done()
		db, read, done = opened(t, data)
		for looks := int64(0); !t.Failed(); looks += 1 + looks/8 {
			ctx := newMoment(looks)
			gave, err := c.do(ctx, db)
			calledOff := ctx.Context.Err() != nil
			ctx.cancel()
			if err != nil {
				db.Rollback(ctx)
			}
			is := contentOf(t, read)
			switch {
			case err == nil && (gave != want || is != after):
				t.Errorf("%s: after %d looks no error, but it gave %q, not %q, and the index is\n%s\nwant\n%s", name, looks, gave, want, is, after)
			case err != nil && calledOff && !errors.Is(err, context.Canceled):
				t.Errorf("%s: error %v after %d looks, want one that is context.Canceled", name, err, looks)
			case err != nil && !calledOff:
				t.Errorf("%s: after what was cancelled, %v", name, err)
			case err != nil && is != before && is != after && name != "finish": // whose indexes come one after the other
				t.Errorf("%s: after %d looks, %v: the index is\n%s\nbefore\n%s", name, looks, err, is, before)
			}
			if !calledOff {
				break
			}
			if is != before {
				done()
				db, read, done = opened(t, data)
			}
		}
		done()
	}
}

// An index that is not opened leaves nothing behind: no file that was not there, unless it
// is a finished index, and none that is open.
func TestOpeningCalledOff(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.sqlite")
	files := leak.OpenFiles()
	for looks := int64(0); ; looks++ {
		ctx := newMoment(looks)
		db, err := sqlite.Open(ctx, file)
		if err == nil {
			if err := put(db, "x", 1); err != nil {
				t.Errorf("after %d looks the index does not work: %v", looks, err)
			}
			db.Close()
			break
		}
		names, _ := filepath.Glob(filepath.Join(dir, "*"))
		if len(names) == 1 && sqlite.Check(context.Background(), file) == nil { // it was cancelled after that
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			names = nil
		}
		if len(names) > 0 {
			t.Fatalf("after %d looks, %v: there is %q", looks, err, names)
		}
	}
	leak.Settled(t, "open files", files, leak.OpenFiles)
	for _, work := range []func(ctx context.Context) error{
		func(ctx context.Context) error {
			db, err := sqlite.Open(ctx, file)
			if err == nil {
				err = db.Close()
			}
			return err
		},
		func(ctx context.Context) error { return sqlite.Check(ctx, file) },
		func(ctx context.Context) error {
			db, err := sqlite.OpenReadOnly(ctx, file)
			if err == nil {
				db.Close()
			}
			return err
		},
	} {
		for looks := int64(0); ; looks++ {
			ctx := newMoment(looks)
			err := work(ctx)
			calledOff := ctx.Context.Err() != nil
			ctx.cancel()
			if err != nil && !calledOff {
				t.Fatalf("err = %v; want no error or calledOff = true", err)
			}
			if err == nil && !calledOff {
				break
			}
		}
	}
	leak.Settled(t, "open files", files, leak.OpenFiles)
	db := open(t, file)
	if got := paths(below(t, db, ".")); got != "x" {
		t.Errorf("the index has %s", got)
	}
}

// A note is there once it is committed, and the last of a name stays.
func TestNotes(t *testing.T) {
	db, file := filledIndex(t, "a.sqlite")
	for _, value := range []string{"one", "two"} {
		if err := db.Note(t.Context(), "name", value); err != nil {
			t.Fatal(err)
		}
	}
	read, err := sqlite.OpenReadOnly(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if got, err := sqlite.About(t.Context(), read, "name"); got != "" || err != nil {
		t.Errorf("before it is committed: %q, %v", got, err)
	}
	if err := db.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"name": "two", "none": ""} {
		if got, err := sqlite.About(t.Context(), read, name); got != want || err != nil {
			t.Errorf("%s: got = %q, err = %v; want got = %q, no error", name, got, err, want)
		}
	}
	changed(t, file, "drop table pakbox_about")
	if _, err := sqlite.About(t.Context(), read, "name"); err == nil {
		t.Error("notes of an index that has none")
	}
	if err := db.Note(t.Context(), "name", "three"); err == nil {
		t.Error("a note in an index without notes")
	}
}
