package ask_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/index"
	"pakbox/index/ask"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/internal/testkit/corpus"
)

// A search with a list of files finds the same files as one without a list. A * in the
// value, which is an ordinary character here, prevents the list.
func TestWays(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "index.sqlite")
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	roots := []string{corpus.Dir(t, "vpk42")}
	for _, class := range []string{"03043000", "03092000", "03093000", "2e002000"} {
		roots = append(roots, corpus.Dir(t, "gbx")+"/"+class)
	}
	roots = append(roots, corpus.Dir(t, "simutrans")+"/pak")
	_, err = scan.Run(ctx, db, roots, scan.Options{})
	db.Close()
	if err != nil {
		t.Fatal(err)
	}
	x, err := ask.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	find := func(limit int, words ...string) (list []string) {
		t.Helper()
		a, _, err := x.Find(ctx, ask.Search{Words: words, Limit: limit})
		if err != nil {
			t.Fatal(words, err)
		}
		for row, err := range a.Rows(ctx) {
			if err != nil {
				t.Fatal(words, err)
			}
			list = append(list, fmt.Sprint(row...))
		}
		return list
	}
	for _, c := range []struct {
		word, value string
		some        bool
	}{
		{"kind", "map", true}, {"kind", "Replay", true}, {"kind", "ghost", true}, {"kind", "item", true}, {"kind", "pack", true}, {"kind", "object", true},
		{"kind", "none", false}, {"env", "Stadium", true}, {"env", "stadium", true}, {"env", "Nowhere", false},
	} {
		for _, limit := range []int{0, 3} {
			for _, more := range [][]string{nil, {"size>20KB"}, {"kind=replay", "env=Stadium"}} {
				got := find(limit, append([]string{c.word + "=" + c.value}, more...)...)
				want := find(limit, append([]string{c.word + "=" + c.value[:1] + "*" + c.value[1:]}, more...)...)
				if fmt.Sprint(got) != fmt.Sprint(want) || more == nil && (len(got) > 0) != c.some {
					t.Errorf("%s=%s %q: %d files, and %d by going through all", c.word, c.value, more, len(got), len(want))
				}
			}
		}
	}
	from, to := len(find(0, "author_time>=0:30")), len(find(0, "author_time>=1:00"))
	for _, words := range []string{"author_time>=0:30 author_time<1:00", "author_time<1:00 author_time>=0:30 author_time>0:10"} {
		if n := len(find(0, strings.Fields(words)...)); n != from-to || n == 0 {
			t.Errorf("%s: %d files, want %d less %d", words, n, from, to)
		}
	}
}

// A question goes through the shortest list that has all it asks for, whatever
// the order of its words, and sorts what it finds; through all files, in order,
// only where there is no such list, or where the first of many are enough.
func TestWayTaken(t *testing.T) {
	ctx := context.Background()
	x := manyOfStadium(t)
	const all, list, search, grams = "all files in order", "a list", "full-text search", "three letters"
	for _, c := range []struct {
		words string
		limit int
		way   string
		of    string // what the list must be of
	}{
		{"", 0, all, ""},
		{"size>5", 0, all, ""},
		{"sunset", 0, search, ""},
		{"sunset", 5, search, ""},
		{"name=sunset", 0, search, ""},
		{"name=7", 0, search, ""},
		{"name=é", 5, search, ""},
		{"author=nadeo", 0, search, ""},
		{"author=nadeo kind=map", 5, search, ""},
		{"driver=nadeo", 0, search, ""},
		{"sunset kind=map env=bay", 5, search, ""},
		{"name=sunset env=bay", 0, search, ""},
		{"name!=sunset", 0, all, ""},
		{"name=sun*", 0, grams, ""},
		{"name=su*", 0, all, ""},
		{"name~sun", 0, grams, ""},
		{"name~sun", 5, grams, ""},
		{"name~su", 0, all, ""},
		{"author~nad", 0, grams, ""},
		{"author_login~nad kind=map", 5, grams, ""},
		{"login~nad", 0, grams, ""},
		{"name~sun author=nadeo", 0, search, "grams"},
		{"file~sun", 0, grams, ""},
		{"login=nad", 0, search, ""},
		{"block~road", 0, list, "map_blocks_name"},
		{"holds=road", 0, list, "entries_name"},
		{"holds~road", 0, list, "entries_name"},
		{"name=--", 0, all, ""},
		{"uid=u", 0, list, "maps_uid"},
		{"uid=u", 5, list, "maps_uid"},
		{"uid!=u", 0, all, ""},
		{"time<9.95", 0, list, "ghosts_race_time"},
		{"author_time=9.95", 5, list, "maps_medals_author"},
		{"author_time=9.95 kind=map", 0, list, "maps_medals_author"},
		{"env=bay author_time=9.95", 5, list, "maps_medals_author"},
		{"author_time>9.94 kind=map author_time<9.95", 0, list, "maps_medals_author (medals_author>? AND medals_author<?)"},
		{"race_time>9.94 race_time<9.95", 0, list, "json_each"},
		{"time>9.94 kind=map time<9.95", 5, list, "json_each"},
		{"gold=9.95", 0, list, "SCAN maps"},
		{"kind=map", 0, list, "files_kind"},
		{"kind=map", 5, list, "files_kind"},
		{"kind=replay", 5, list, "files_kind"},
		{"kind!=map", 5, all, ""},
		{"kind=ma*", 5, list, "files_kind"},
		{"kind=none", 5, list, ""},
		{"env=bay", 5, list, "maps_collection_name"},
		{"env=stadium", 5, all, ""},
		{"env=stadium", 0, list, "maps_collection_name"},
		{"env=stadium kind=object", 5, list, "files_kind"},
		{"kind=object env=stadium", 5, list, "files_kind"},
		{"kind=object env=stadium", 0, list, "files_kind"},
		{"kind=object env=bay", 0, list, "maps_collection_name"},
	} {
		a, err := x.Plan(ctx, ask.Search{Words: strings.Fields(c.words), Limit: c.limit, Fields: []string{"path"}})
		plan := lines(t, a, err)
		way := list
		switch {
		case strings.Contains(plan, "SCAN search VIRTUAL TABLE"):
			way = search
		case strings.Contains(plan, "SCAN grams VIRTUAL TABLE"):
			way = grams
		case strings.Contains(plan, "SCAN files USING"):
			way = all
		}
		if sorts := strings.Contains(plan, "FOR ORDER BY"); way != c.way || sorts != (c.way != all) || !strings.Contains(plan, c.of) {
			t.Errorf("%q, at most %d: by %s, want %s of %s\n%s", c.words, c.limit, way, c.way, c.of, plan)
		}
		if also := strings.Contains(plan, "LIST SUBQUERY"); also && c.way == search && c.of == "" {
			t.Errorf("%q: there are few already, and still a list is made\n%s", c.words, plan)
		}
	}
}

// manyOfStadium is an index of 10,000 files: maps and objects, one replay, and one map
// that is not of Stadium.
func manyOfStadium(t *testing.T) *ask.Index {
	t.Helper()
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "index.sqlite")
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	var rows index.Rows
	for i := range 10_000 {
		path := fmt.Sprintf("%05d.Map.Gbx", i)
		key, kind := index.Key(path), "map"
		switch {
		case i == 0:
			kind = "replay"
		case i%5 == 4:
			kind = "object"
		}
		rows.Add("files", row{"file": key, "path": path, "kind": kind, "format": []string{"gbx", "simutrans"}[i%5/4]})
		switch {
		case i == 0: // so that Stadium has as many files as are many, and maps are one less
			rows.Add("replays", row{"file": key, "collection_name": "Stadium"})
			rows.Add("replays", row{"file": key, "collection_name": "Stadium"})
			rows.Add("ghosts", row{"file": key})
		case i == 1:
			rows.Add("maps", row{"file": key, "collection_name": "Bay"})
		default:
			rows.Add("maps", row{"file": key, "collection_name": "Stadium"})
		}
	}
	if err := errors.Join(db.Put(ctx, sqlite.State{Path: "all"}, &rows), db.Finish(ctx), db.Close()); err != nil {
		t.Fatal(err)
	}
	x, err := ask.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

// A search that finds many files does not read all of them for the first few, and lets
// a short list lead. The result does not depend on the way, nor on the rowids
// of files, which another program may change.
func TestManyTexts(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "index.sqlite")
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	put := func(archive string, n int) error {
		var rows index.Rows
		for i := range n {
			path := fmt.Sprintf("%s/%05d.Map.Gbx", archive, (i+n/2)%n) // the first path is not the first row
			key := index.Key(path)
			rows.Add("files", row{"file": key, "path": path, "name": "a.Map.Gbx", "parent": index.Key(archive)})
			rows.Add("maps", row{"file": key, "name": []string{"$f00Sun$fffset", "sunny settings", "Sunset"}[i%3], "uid": fmt.Sprint(archive, i%5000)})
		}
		rows.Add("files", row{"file": index.Key(archive), "path": archive})
		rows.AddTexts()
		return db.Put(ctx, sqlite.State{Path: archive}, &rows)
	}
	if err := errors.Join(put("a", 100), put("b", 16_000), put("c", 200), db.Finish(ctx), db.Remove(ctx, "a"), db.Commit(ctx), db.Close()); err != nil {
		t.Fatal(err)
	}
	type asked struct {
		words string
		limit int
		sort  []string
	}
	const all, list, search, grams = "SCAN files USING INDEX files_path", "LIST SUBQUERY", "SCAN search VIRTUAL TABLE", "SCAN grams VIRTUAL TABLE"
	ways := []struct {
		asked
		way string
	}{
		{asked{"sunset", 5, nil}, all}, {asked{"name~sunset", 5, nil}, all}, {asked{"sunset name~sunset", 5, nil}, all},
		{asked{"sunset", 0, nil}, search}, {asked{"name~sunset", 0, nil}, grams}, {asked{"name~sunset", 5, []string{"-uid"}}, grams},
		{asked{"sunset uid=b7", 5, nil}, list}, {asked{"sunset uid=b7", 0, nil}, list}, {asked{"name~sunset uid=b7", 0, nil}, list},
		{asked{"name~settings", 5, nil}, grams}, {asked{"settings", 5, nil}, search},
	}
	ask1 := func(x *ask.Index, q asked, plan bool) string {
		s := ask.Search{Words: strings.Fields(q.words), Limit: q.limit, Sort: q.sort, Fields: []string{"path", "uid", "name"}}
		if plan {
			a, err := x.Plan(ctx, s)
			return lines(t, a, err)
		}
		a, _, err := x.Find(ctx, s)
		return lines(t, a, err)
	}
	var answers []string
	for _, renumbered := range []bool{false, true} {
		if renumbered {
			raw, err := sql.Open("sqlite", file)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := raw.Exec("update files set rowid = -rowid"); err != nil {
				t.Fatal(err)
			}
			raw.Close()
		}
		x, err := ask.Open(ctx, file)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range ways {
			if plan := ask1(x, c.asked, true); !strings.Contains(plan, c.way) || strings.Contains(plan, "texts") != renumbered {
				t.Errorf("%+v, renumbered %t: not by %s\n%s", c.asked, renumbered, c.way, plan)
			}
			got := ask1(x, c.asked, false)
			if !renumbered {
				answers = append(answers, got)
			} else if got != answers[i] {
				t.Errorf("%+v: another answer with other rowids", c.asked)
			}
		}
		x.Close()
	}
	count := func(i int) int { return strings.Count(answers[i], "\n") }
	if !strings.HasPrefix(answers[3], answers[0]) || !strings.HasPrefix(answers[4], answers[1]) || answers[4] != answers[3] || count(3) != 10_800 || count(6) == 0 || answers[7] != answers[8] || count(9) != 5 {
		t.Errorf("%d %d %d %d files\n%s%s", count(3), count(4), count(6), count(9), answers[0], answers[1])
	}
}
