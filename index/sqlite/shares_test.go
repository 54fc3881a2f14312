package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"pakbox/index"
	"pakbox/index/sqlite"
)

// The counts that an index keeps while files come and go equal those of SQL at the end.
func TestShares(t *testing.T) {
	ctx := context.Background()
	db, file := filledIndex(t, "a.sqlite", "x", "y", "z")
	other, otherFile := filledIndex(t, "b.sqlite", "z", "new")
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	failed := func(path string) *index.Rows {
		return index.FailureRow(path, index.StatusUnreadable, 20_000, nil, errors.New("not today"))
	}
	if err := errors.Join(
		db.Put(ctx, sqlite.State{Path: "x"}, failed("x")), db.Put(ctx, sqlite.State{Path: "x"}, failed("x")),
		db.Put(ctx, sqlite.State{Path: "zz"}, failed("zz")), db.Remove(ctx, "y"), db.Remove(ctx, "never there"), db.Commit(ctx),
		db.Merge(ctx, otherFile), db.Close(),
	); err != nil {
		t.Fatal(err)
	}
	read, err := sqlite.OpenReadOnly(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	for section, query := range map[string]string{
		"status":      "select status, count(*), sum(size) from files where parent is null group by 1",
		"kind":        "select ifnull(kind, ''), count(*), sum(size) from files where parent is null group by 1",
		"environment": "select collection_name, count(*), sum(size) from maps join files using (file) where parent is null group by 1",
		"object":      "select type, count(*), sum(f.size) from sim_objects join files f using (file) group by 1",
	} {
		want := values(t, read, query+" order by 1")
		got := values(t, read, "select name, files, bytes from pakbox_shares where files > 0 and section = '"+section+"' order by 1")
		if got != want || got == "" {
			t.Errorf("%s: %q, want %q", section, got, want)
		}
	}
}

// values is what a question of three columns gives.
func values(t *testing.T, db *sql.DB, query string) string {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var name, files, bytes string
		if err := rows.Scan(&name, &files, &bytes); err != nil {
			t.Fatal(err)
		}
		list = append(list, name+" "+files+" "+bytes)
	}
	return strings.Join(list, ", ")
}

// Facts from elsewhere become a table, which is replaced by the next of its name.
func TestJoin(t *testing.T) {
	ctx := context.Background()
	db, file := filledIndex(t, "a.sqlite", "x")
	if got := sqlite.JoinName("d/Maps of 2024.jsonl"); got != "join_maps_of_2024" {
		t.Errorf(`got = %v; want "join_maps_of_2024"`, got)
	}
	for _, c := range []struct {
		objects string
		rows    int
		fails   bool
	}{
		{`{"uid":"a","records":[1,2]} {"uid":"b","wr":9950,"by \"x\"":"me"}`, 2, false},
		{`{"uid":"a"} 7`, 1, true},
		{`{"id":"a"}`, 0, true},
		{`{"uid":"c","wr":1.5}`, 1, false},
	} {
		n, err := db.Join(ctx, "join_r", strings.NewReader(c.objects), "uid")
		if n != c.rows || (err != nil) != c.fails {
			t.Errorf("%s: %d rows, %v", c.objects, n, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	read, err := sqlite.OpenReadOnly(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if got := values(t, read, "select uid, wr, count(*) from join_r"); got != "c 1.5 1" {
		t.Errorf(`got = %v; want "c 1.5 1"`, got)
	}
}
