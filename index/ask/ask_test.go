package ask_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pakbox/fact"
	"pakbox/fault"
	"pakbox/index"
	"pakbox/index/ask"
	"pakbox/index/sqlite"
)

// row is a row by the names of its columns.
type row = map[string]any

// made puts made-up files into an index: maps with names, authors and times. They
// were changed in the years from 2000, in the first moment of even ones and in the
// last of odd ones.
func made(t testing.TB, maps ...row) *ask.Index {
	t.Helper()
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "index.sqlite")
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range maps {
		path := fmt.Sprintf("maps/%02d.Map.Gbx", i)
		changed := time.Date(2000+i+i%2, 1, 1, 0, 0, 0, -i%2, time.Local).UnixNano()
		rows := &index.Rows{}
		rows.Add("files", row{
			"file": index.Key(path), "path": path, "name": filepath.Base(path), "size": (i + 1) * 1000, "mtime_ns": changed, "blake3": index.Hash{byte(i / 2)},
			"status": index.StatusOK, "kind": "map", "format": "gbx",
		})
		m["file"] = index.Key(path)
		rows.Add("maps", m)
		rows.AddTexts()
		if err := db.Put(ctx, sqlite.State{Path: path}, rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(db.Note(ctx, "findings", "asked for"), db.Note(ctx, "check_verdicts", "asked for"), db.Finish(ctx), db.Close()); err != nil {
		t.Fatal(err)
	}
	x, err := ask.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

var sample = []row{
	{"name": "$f00Sun$fffset", "author_login": "nadeo", "author_nick": "$o$0f0Nadéo", "collection_name": "Stadium", "medals_author": 29_999, "uid": "u1", "block_count": 5},
	{"name": "Sunrise 100%", "author_login": "nadeo_fan", "collection_name": "Stadium", "medals_author": 30_000, "uid": "u2"},
	{"name": "Élan", "author_login": "someone", "collection_name": "Bay", "uid": "u1", "comments": "made at sunset", "password": true},
	{"name": "no time", "author_login": "Nadeo", "collection_name": "stadium", "uid": "U1"},
}

// Words, operators, units, folding and sorting find the files they mean.
func TestFind(t *testing.T) {
	x := made(t, sample...)
	for _, c := range []struct {
		words []string
		sort  []string
		want  string
	}{
		{nil, nil, "0 1 2 3"},
		{[]string{"author=nadeo", "env=Stadium", "author<0:30"}, nil, "0"},
		{[]string{"author=nadeo"}, nil, "0 3"},
		{[]string{"author=NADÉO"}, nil, "0 3"},
		{[]string{"author!=nadeo"}, nil, "1 2"},
		{[]string{"author~nadeo"}, nil, "0 1 3"},
		{[]string{"author=nadeo*"}, nil, "0 1 3"},
		{[]string{"author<=0:30"}, []string{"-author_time"}, "1 0"},
		{[]string{"author>29.999"}, nil, "1"},
		{[]string{"author_time=30000"}, nil, "1"},
		{[]string{"name=sunset"}, nil, "0"},
		{[]string{"name=elan"}, nil, "2"},
		{[]string{"name~0%"}, nil, "1"},
		{[]string{"name=sunrise 100%"}, nil, "1"},
		{[]string{"name=%"}, nil, ""},
		{[]string{"comment=made at sunset"}, nil, "2"},
		{[]string{"changed<=2001", "changed>=2001"}, nil, "1"},
		{[]string{"sun"}, nil, "0 1 2"},
		{[]string{"sun", "env=bay"}, nil, "2"},
		{[]string{`"; drop table files`}, nil, ""},
		{[]string{"uid=u1"}, nil, "0 2 3"},
		{[]string{"password=yes"}, nil, "2"},
		{[]string{"kind=map", "size>=2KB", "size<4000"}, []string{"-size"}, "2 1"},
		{[]string{"changed=2001"}, nil, "1"},
		{[]string{"changed>2001"}, nil, "2 3"},
		{[]string{"changed<=2001-06"}, nil, "0"},
		{[]string{"changed<=2001-12"}, nil, "0 1"},
		{[]string{"changed>2001-12-31"}, nil, "2 3"},
		{[]string{"changed<2002"}, nil, "0 1"},
		{[]string{"changed=2002-01-01"}, nil, "2"},
		{[]string{"changed!=2002"}, nil, "0 1 3"},
		{[]string{"blocks>0"}, nil, "0"},
		{nil, []string{"name"}, "2 3 1 0"},
		{nil, []string{"env", "-size"}, "2 3 1 0"},
		{nil, []string{"-env", "size"}, "0 1 3 2"},
	} {
		a, _, err := x.Find(context.Background(), ask.Search{Words: c.words, Sort: c.sort, Fields: []string{"path"}})
		if err != nil {
			t.Errorf("%q: %v", c.words, err)
			continue
		}
		var got []string
		for row, err := range a.Rows(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, strings.TrimPrefix(strings.TrimSuffix(row[0].(string), ".Map.Gbx"), "maps/0"))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q sorted by %q: %q, want %q", c.words, c.sort, s, c.want)
		}
	}
}

// Every word can be asked, printed and sorted by.
func TestWords(t *testing.T) {
	x := made(t, sample...)
	values := map[fact.Kind]string{fact.Count: "1", fact.Number: "1.5", fact.Time: "0:01", fact.Bytes: "1MB", fact.Moment: "2001", fact.Flag: "no"}
	for _, w := range ask.Words() {
		for _, op := range []string{"=", "!=", "<", ">="} {
			value := cmp.Or(values[w.Kind], "x")
			a, _, err := x.Find(context.Background(), ask.Search{Words: []string{w.Name + op + value}, Fields: []string{w.Name}, Sort: []string{w.Name}})
			if err != nil {
				t.Errorf("%s%s: %v", w.Name, op, err)
				continue
			}
			for _, err := range a.Rows(context.Background()) {
				if err != nil {
					t.Errorf("%s%s: %v", w.Name, op, err)
				}
			}
		}
	}
	for wrong, says := range map[string]string{"autor=x": "did you mean author?", "zzzzzz=x": "words are path, file, size, changed, kind", "size=large": "such as 300000, 300KB or 1.5MiB"} {
		_, _, err := x.Find(context.Background(), ask.Search{Words: []string{wrong}})
		var u *fault.Error
		if !errors.As(err, &u) || u.Kind != fault.Usage || len(fault.Hints(u)) != 1 || !strings.HasPrefix(fault.Hints(u)[0], says) {
			t.Errorf("%s: u = %+v; want err of the type of u, u.Kind = fault.Usage, fault.Hints(u) of length 1, fault.Hints(u)[0] beginning with %q", wrong, u, says)
		}
	}
	for _, wrong := range []string{"autor=x", "x=1", "size=large", "size=-1", "size=5000000000gb", "size=inf", "blocks=many", "blocks=inf", "time=never", "time~1", "changed=soon", "password=maybe"} {
		_, _, err := x.Find(context.Background(), ask.Search{Words: []string{wrong}})
		var u *fault.Error
		if !errors.As(err, &u) || u.Kind != fault.Usage || len(fault.Hints(u)) == 0 && !strings.Contains(wrong, "~") {
			t.Errorf(`%s: err = %v; want err of the type of u, u.Kind = fault.Usage, (fault.Hints(u) not empty or wrong with "~")`, wrong, err)
		}
	}
}

// Nothing that is asked changes the index or another file, fills the memory, or
// goes on when it is cancelled.
func TestOnlyReads(t *testing.T) {
	x := made(t, sample...)
	other := filepath.Join(t.TempDir(), "other.sqlite")
	for _, query := range []string{
		"delete from files", "create table x(y)", "pragma user_version = 7", "vacuum into '" + other + "'", "attach '" + other + "' as o",
		"pragma query_only = off; delete from files", "select length(zeroblob(100000000))", "select load_extension('x')", "selec",
	} {
		a, err := x.SQL(context.Background(), query)
		if err == nil {
			for _, err = range a.Rows(context.Background()) {
			}
		}
		if err == nil {
			t.Errorf("%s: no error", query)
		}
	}
	if n, err := x.Files(context.Background()); n != 4 || err != nil {
		t.Errorf("%d files, %v", n, err)
	}
	if list, _ := filepath.Glob(filepath.Join(filepath.Dir(other), "*")); len(list) > 0 {
		t.Errorf("made %s", list)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	a, err := x.SQL(ctx, "with recursive n(i) as (values (0) union all select i + 1 from n) select count(*) from n")
	if err == nil {
		for _, err = range a.Rows(ctx) {
		}
	}
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

// Dupes finds what is the same, and what is nearly the same by its MinHash.
func TestDupes(t *testing.T) {
	var a, b, c [256]byte
	for i := range a {
		a[i], b[i], c[i] = byte(i), byte(i), 200
	}
	for i := 200; i < 256; i++ {
		b[i] = 99
	}
	x := made(t,
		row{"uid": "1", "shifted_hash": index.Hash{1}, "minhash": a[:]}, row{"uid": "2", "shifted_hash": index.Hash{2}, "minhash": b[:]},
		row{"uid": "1", "shifted_hash": index.Hash{3}, "minhash": c[:]}, row{"uid": "3", "shifted_hash": index.Hash{3}, "minhash": c[:]})
	for by, want := range map[ask.Likeness]string{
		ask.SameBytes:  "[[maps/00.Map.Gbx maps/01.Map.Gbx] [maps/02.Map.Gbx maps/03.Map.Gbx]]",
		ask.SameUID:    "[[maps/00.Map.Gbx maps/02.Map.Gbx]]",
		ask.SameLayout: "[]", // one file by its bytes
		ask.NearLayout: "[[maps/00.Map.Gbx maps/01.Map.Gbx]]",
		ask.SameItem:   "[]",
		ask.SameBody:   "[]",
	} {
		groups, err := x.Dupes(context.Background(), by, false, 0.7)
		if err != nil {
			t.Fatal(by, err)
		}
		files := [][]string{}
		for _, g := range groups {
			files = append(files, g.Files)
		}
		if got := fmt.Sprint(files); got != want {
			t.Errorf("%s: %s, want %s", by, got, want)
		}
	}
}

// A facet's value counts the files that are found when it is asked for too.
func TestFacets(t *testing.T) {
	ctx := context.Background()
	x := made(t, sample...)
	count := func(words ...string) (n int64) {
		found, _, err := x.Find(ctx, ask.Search{Words: words})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range found.Rows(ctx) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		return n
	}
	for _, words := range [][]string{nil, {"sun"}, {"env=Bay"}, {"author=nadeo", "changed>=2001"}} {
		facets, err := x.Facets(ctx, words)
		if err != nil {
			t.Fatal(err)
		}
		if len(facets) == 0 {
			t.Errorf("%q has no facets", words)
		}
		for _, f := range facets {
			for _, v := range f.Values {
				if got := count(append(words[:len(words):len(words)], f.Word+"="+v.Value)...); got != v.Files {
					t.Errorf("%q: %s=%s counts %d files, %d are found", words, f.Word, v.Value, v.Files, got)
				}
			}
		}
	}
	if facets, _ := x.Facets(ctx, []string{"sun"}); facets[0].Word != "env" || facets[0].Values[0] != (ask.FacetValue{Value: "Stadium", Files: 2}) {
		t.Errorf("environments of what sun finds: %+v", facets)
	}
	var many []row // of more environments than Facets returns
	for i := range 30 {
		many = append(many, row{"collection_name": fmt.Sprintf("E%02d", i%14)})
	}
	facets, err := made(t, many...).Facets(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range facets {
		if f.Word == "env" && (len(f.Values) != 12 || f.Values[0] != (ask.FacetValue{Value: "E00", Files: 3}) || f.Values[2] != (ask.FacetValue{Value: "E02", Files: 2})) {
			t.Errorf(`f = %+v; want f.Word other than "env" or f.Values of length 12, f.Values[0] = ask.FacetValue{Value: "E00", Files: 3}, f.Values[2] = ask.FacetValue{Value: "E02", Files: 2}`, f)
		}
	}
	if _, err := x.Facets(ctx, []string{"year=2000"}); err == nil {
		t.Error("Facets accepted an unknown word")
	}
}
