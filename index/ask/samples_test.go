package ask_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pakbox/fault"
	"pakbox/index"
	"pakbox/index/ask"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/nadeo/nadeotest/mapsample"
)

// samples is an index of what is in samples/, all of it of May 2021, and of the
// map that has something for every command, of the first hour of 2022, which in
// Greenwich is still 2021.
func samples(t *testing.T) *ask.Index {
	t.Helper()
	ctx := context.Background()
	local := time.Local
	time.Local = time.FixedZone("", 5*60*60)
	t.Cleanup(func() { time.Local = local })
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "samples"), os.DirFS(filepath.Join("..", "..", "samples"))); err != nil {
		t.Fatal(err)
	}
	data, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if err := os.Remove(filepath.Join("samples", "README.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("samples", "made.Map.Gbx"), data, 0o666); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir("samples", func(path string, _ os.DirEntry, err error) error {
		then := time.Date(2021, 5, 1, 12, 0, 0, 0, time.Local)
		if strings.HasSuffix(path, "made.Map.Gbx") {
			then = time.Date(2022, 1, 1, 0, 30, 0, 0, time.Local)
		}
		return errors.Join(err, os.Chtimes(path, then, then))
	})
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(ctx, "index.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	_, err = scan.Run(ctx, db, []string{"samples"}, scan.Options{Indexer: index.Indexer{Check: true, Lint: true}})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	x, err := ask.Open(ctx, "index.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

// lines are the rows of an answer, a line each.
func lines(t *testing.T, a *ask.Result, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for row, err := range a.Rows(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, strings.TrimPrefix(strings.Trim(fmt.Sprint(row), "[]"), "samples/"))
	}
	return b.String()
}

// The answers about the samples follow from the way the samples are made.
func TestSamples(t *testing.T) {
	x := samples(t)
	for _, c := range []struct {
		words, fields, sort string
		limit               int
		want                string
	}{
		{"kind=map", "", "", 0, `Sample.Pack.Gbx/Sample.Map.Gbx map $06fSample $fffmap pakbox Stadium 9950 <nil> 13886
Sample.Pack.Gbx/Sample.Replay.Gbx/map.Map.Gbx map $06fSample $fffmap pakbox Stadium 9950 <nil> 13886
made.Map.Gbx map $f00Sample $zmap Ada Stadium 36217 <nil> 2740
trackmania/Sample.Map.Gbx map $06fSample $fffmap pakbox Stadium 9950 <nil> 13886
trackmania/Sample.Replay.Gbx/map.Map.Gbx map $06fSample $fffmap pakbox Stadium 9950 <nil> 13886
`},
		{"kind=replay", "path time driver kind", "", 1, "Sample.Pack.Gbx/Sample.Replay.Gbx 9950 pakbox replay\n"},
		{"time=9.95 path~trackmania/", "path time", "-path", 0, "trackmania/Sample.Replay.Gbx 9950\ntrackmania/Sample.Ghost.Gbx 9950\n"},
		{"time<0:09.951 path~trackmania/ kind=ghost", "path", "", 0, "trackmania/Sample.Ghost.Gbx\n"},
		{"time<9950", "path", "", 0, ""},
		{"time!=9950 kind=replay", "path", "", 0, ""},
		{"kind=object", "path object speed", "speed", 0, "simutrans/vehicle.Sample_Tram.pak vehicle 60\nsimutrans/good.Sample_Parcels.pak good <nil>\nsimutrans/tree.Sample_Fir.pak tree <nil>\n"},
		{"object=VEHICLE speed>59 speed<=60 power>=120 engine=electric waytype=tram_track freight=passagiere", "path", "", 0, "simutrans/vehicle.Sample_Tram.pak\n"},
		{"speed>60", "path", "", 0, ""},
		{"holds=locale/en/item_names.txt", "path format", "", 0, "hello.eix eterpack\nhello.vpk vpk42\n"},
		{"holds=Items/Tree.*", "path embedded items blocks", "", 0, "made.Map.Gbx 5 3 6\n"},
		{"block=RoadTechStart", "path", "", 0, "made.Map.Gbx\n"},
		{"block!=RoadTechStart kind=map path~trackmania", "path", "", 2, "trackmania/Sample.Map.Gbx\ntrackmania/Sample.Replay.Gbx/map.Map.Gbx\n"},
		{"item=tree.item.gbx password=yes lightmap=true uses~snow.zip finding=bad_url", "path", "", 0, "made.Map.Gbx\n"},
		{"password=no kind=map uid=pakbox_sample_map_000000000 author_time=0:09.95", "path", "", 1, "Sample.Pack.Gbx/Sample.Map.Gbx\n"},
		{"verdict=unknown car=StadiumCar respawns=0 tminterface=no driver=PAKBOX", "path", "-size", 2, "Sample.Pack.Gbx/Sample.Replay.Gbx\ntrackmania/Sample.Replay.Gbx\n"},
		{"triangles=2", "path vertices triangles", "", 1, "Sample.Pack.Gbx/Sample.Mesh.Gbx 4 2\n"},
		{"changed=2022-01-01", "path", "", 0, "made.Map.Gbx\n"},
		{"changed>2021-05 file~map", "path", "", 0, "made.Map.Gbx\n"},
		{"changed!=2021 file~map kind=map", "path", "", 0, "Sample.Pack.Gbx/Sample.Map.Gbx\nSample.Pack.Gbx/Sample.Replay.Gbx/map.Map.Gbx\nmade.Map.Gbx\ntrackmania/Sample.Replay.Gbx/map.Map.Gbx\n"},
		{"changed<2022 changed>=2021-05-01 kind=map", "path", "", 0, "trackmania/Sample.Map.Gbx\n"},
		{"changed=2021 kind=map", "path", "", 0, "trackmania/Sample.Map.Gbx\n"},
		{"changed=2021-12", "path", "", 0, ""},
		{"changed=2021-12-31", "path", "", 0, ""},
		{"kind!=map path~trackmania/ format=gbx", "path kind", "kind,-size", 0, "trackmania/Sample.Ghost.Gbx ghost\ntrackmania/Sample.Item.Gbx item\ntrackmania/Sample.Replay.Gbx replay\ntrackmania/Sample.Mesh.Gbx <nil>\n"},
		{"env!=Stadium path~trackmania/", "path", "", 0, "trackmania/Sample.Ghost.Gbx\ntrackmania/Sample.Mesh.Gbx\n"},
		{"env=stadium kind=map path~trackmania/", "path title type time", "", 1, "trackmania/Sample.Map.Gbx <nil> <nil> <nil>\n"},
		{"size=2740", "path", "", 0, "made.Map.Gbx\n"},
		{"size=2.68kib size<2.7KiB", "path", "", 0, ""},
		{"size>=0.02MB size<1gib size<1GB size<1m size<1g size>10000b", "path", "", 0, "Sample.Pack.Gbx\n"},
		{"uid!=pakbox_sample_map_000000000 kind=map", "path", "", 0, "made.Map.Gbx\n"},
		{"author_time<=9.95 path~trackmania/", "path author_time", "", 1, "trackmania/Sample.Map.Gbx 9950\n"},
		{"author=ada kind=map", "path", "", 0, "made.Map.Gbx\n"},
		{"author>0:36", "path", "", 0, "made.Map.Gbx\n"},
		{"author=0:36.217", "path", "", 0, "made.Map.Gbx\n"},
		{"name=$f00SAMPLE kind=map path~made", "path", "", 0, ""},
		{"name=sample_fir", "path", "", 0, "simutrans/tree.Sample_Fir.pak\n"},
		{"file=*.PAK path~simu", "file", "file", 2, "good.Sample_Parcels.pak\ntree.Sample_Fir.pak\n"},
		{"class!=CGameCtnChallenge format=gbx path~trackmania/ class!=2E002000", "path", "", 0, "trackmania/Sample.Ghost.Gbx\ntrackmania/Sample.Mesh.Gbx\ntrackmania/Sample.Replay.Gbx\n"},
		{"name=12", "path", "", 0, ""},
		{"name=--", "path", "", 0, ""},
		{"made test", "path", "", 0, "made.Map.Gbx\n"},
		{"=x", "path", "", 0, ""},
		{"size>24KB", "path size", "", 0, "Sample.Pack.Gbx 56392\n"},
		{"size>=1.5k size<14kb format=gbx path~trackmania/", "path", "size", 0, "trackmania/Sample.Ghost.Gbx\ntrackmania/Sample.Replay.Gbx\ntrackmania/Sample.Map.Gbx\ntrackmania/Sample.Replay.Gbx/map.Map.Gbx\n"},
		{"class=CGameItemModel", "path class name author env", "", 1, "Sample.Pack.Gbx/Sample.Item.Gbx CGameItemModel Sample Ada Stadium\n"},
	} {
		s := ask.Search{Words: strings.Fields(c.words), Fields: strings.Fields(c.fields), Limit: c.limit}
		if c.sort != "" {
			s.Sort = strings.Split(c.sort, ",")
		}
		a, words, err := x.Find(context.Background(), s)
		if got := lines(t, a, err); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.words, got, c.want)
		}
		if len(s.Fields) == 0 {
			s.Fields = ask.DefaultFields
		}
		for i, w := range words {
			if w.Name != s.Fields[i] || a.Columns[i] != w.Name {
				t.Errorf("%s: column %d is %s, %s", c.words, i, w.Name, a.Columns[i])
			}
		}
	}
}

// Stats counts the files by every category.
func TestStats(t *testing.T) {
	x := samples(t)
	ctx := context.Background()
	if n, err := x.Files(ctx); n != 22 || err != nil {
		t.Errorf("%d files, %v", n, err)
	}
	sections, err := x.Stats(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range sections {
		got = append(got, fmt.Sprint(s.Name, s.Shares))
	}
	want := `kind[{ 9 4060} {object 3 15776} {pack 3 69455} {map 2 16626} {picture 2 26961} {ghost 1 1987} {item 1 115} {replay 1 13796}]
format[{ 7 2396} {gbx 6 32908} {simutrans 3 15776} {eterpack 2 1516} {picture 2 26961} {nadeopak 1 56392} {vpk42 1 12827}]
status[{ok 15 146380} {unknown 7 2396}]
game[{ 2 13911} {TrackMania Forever 2 15873} {ManiaPlanet 1 384} {Trackmania (2020) 1 2740}]
class[{CGameCtnChallenge 2 16626} {CGameCtnGhost 1 1987} {CGameCtnReplayRecord 1 13796} {CGameItemModel 1 115} {CPlugSolid2Model 1 384}]
environment[{Stadium 2 16626}]
mode[{Race 2 16626}]
object[{good 1 152} {tree 1 4359} {vehicle 1 11265}]
year[{2021 21 146036} {2022 1 2740}]
size[{below 1 KiB 10 2021} {1 to 10 KiB 5 11628} {10 to 100 KiB 7 135127}]`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("%s\nwant\n%s", s, want)
	}
	names := ""
	sections, err = made(t, sample...).Stats(ctx) // without objects of Simutrans
	for _, s := range sections {
		names += s.Name + " "
	}
	if names != "kind format status game class environment mode year size " || err != nil {
		t.Errorf("sections %s, %v", names, err)
	}
	if sections, err := made(t).Stats(ctx); len(sections) != 0 || err != nil {
		t.Errorf("an empty index has %v, %v", sections, err)
	}
	for words, want := range map[string]string{
		"kind=map":               "[{kind kind [{map 5}]} {game game [{TrackMania Forever 4} {Trackmania (2020) 1}]} {year changed [{2021 1} {2022 1}]}]",
		"kind=map changed=2022":  "[{kind kind [{map 1}]} {year changed [{2022 1}]}]",
		"kind=nothing":           "[]",
		"path~simutrans/ object": "[]",
	} {
		facets, err := x.Facets(ctx, strings.Fields(words))
		if got := fmt.Sprint(facets); got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", words, got, err, want)
		}
	}
}

// twins makes an index of files that have things in common.
func twins(t *testing.T) (path string) {
	t.Helper()
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "index.sqlite")
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	// A MinHash of 64 numbers, of which the first are those of a and the rest its own.
	hash := func(own byte, shared int) []byte {
		h := make([]byte, 256)
		for i := range h {
			if h[i] = byte(i); i >= 4*shared {
				h[i] = own
			}
		}
		return h
	}
	put := func(path string, n byte, body index.Hash, m row, items ...string) {
		t.Helper()
		key := index.Key(path)
		m["file"], m["name"], m["collection_name"] = key, "Twin "+path, []string{"Bay", "Stadium"}[n%2]
		f := row{"file": key, "path": path, "size": 10 * int64(n), "blake3": index.Hash{n}, "body_blake3": body, "kind": "map"}
		if parent, _, inside := strings.Cut(path, "/"); inside {
			f["parent"] = index.Key(parent)
		}
		rows := &index.Rows{}
		rows.Add("files", f)
		rows.Add("maps", m)
		for i, name := range items {
			rows.Add("embedded", row{"file": key, "ordinal": i, "name": name, "size": len(name), "blake3": index.Hash{name[0]}})
		}
		rows.AddTexts()
		if err := db.Put(ctx, sqlite.State{Path: path}, rows); err != nil {
			t.Fatal(err)
		}
	}
	put("a", 1, index.Hash{1}, row{"uid": "u", "shifted_hash": index.Hash{1}, "minhash": hash(0, 64)}, "tree", "bush")
	put("b", 2, index.Hash{1}, row{"uid": "v", "shifted_hash": index.Hash{2}, "minhash": hash(201, 48)}, "tree")
	put("c", 3, index.Hash{1}, row{"uid": "u", "shifted_hash": index.Hash{3}, "minhash": hash(202, 32)}, "bush")
	put("d", 4, index.Hash{2}, row{"shifted_hash": index.Hash{3}, "minhash": hash(202, 32)}, "twig")
	put("e", 4, index.Hash{2}, row{}, "moss")
	put("f/in", 5, index.Hash{3}, row{"uid": "v", "shifted_hash": index.Hash{5}, "minhash": hash(203, 63)}, "moss")
	put("g", 0, index.Hash{4}, row{})
	put("h", 0, index.Hash{5}, row{})
	if err := errors.Join(db.Finish(ctx), db.Close()); err != nil {
		t.Fatal(err)
	}
	return file
}

// Files that have something in common are grouped by it, the largest group first,
// and with those inside others if that is asked for.
func TestDupesOfEveryKind(t *testing.T) {
	ctx := context.Background()
	x, err := ask.Open(ctx, twins(t))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	for _, c := range []struct {
		by     ask.Likeness
		inside bool
		least  float64
		want   string
	}{
		{ask.SameBytes, true, 0, `d e of 40`},
		{ask.SameBody, false, 0, `a b c`},
		{ask.SameUID, false, 0, `u: a c`},
		{ask.SameUID, true, 0, `u: a c, v: b f/in`},
		{ask.SameLayout, false, 0, `c d`},
		{ask.SameItem, false, 0, `tree: a b d of 4, bush: a c of 4`},
		{ask.SameItem, true, 0, `tree: a b d of 4, bush: a c of 4, moss: e f/in of 4`},
		{ask.NearLayout, false, 0.5, `a b 0.75, a c 0.5, b c 0.5`},
		{ask.NearLayout, false, 0.51, `a b 0.75`},
		{ask.NearLayout, true, 0.75, `a f/in 0.984375, a b 0.75, b f/in 0.75`},
		{ask.NearLayout, true, 1, ``},
	} {
		groups, err := x.Dupes(ctx, c.by, c.inside, c.least)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, g := range groups {
			s := strings.Join(g.Files, " ")
			if g.What != "" {
				s = g.What + ": " + s
			}
			if g.Size != nil {
				s += fmt.Sprintf(" of %d", *g.Size)
			}
			if g.Similarity != nil {
				s += fmt.Sprintf(" %v", *g.Similarity)
			}
			if got = append(got, s); g.By != c.by {
				t.Errorf("%s: g.By = %s; want %s", c.by, g.By, c.by)
			}
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s, %v, %v: %s, want %s", c.by, c.inside, c.least, s, c.want)
		}
	}
}

// Values have their own types in answers, and a question without an answer has an error.
func TestSQL(t *testing.T) {
	x := samples(t)
	ctx := context.Background()
	a, err := x.SQL(ctx, "select null as a, 7 as b, 1.5 as c, 'text' as d, x'00ff' as e, ? as f union all select 1, 2, 3, 4, 5, 6 order by b desc", "given")
	if got := lines(t, a, err); got != "<nil> 7 1.5 text 00ff given\n1 2 3 4 5 6\n" || strings.Join(a.Columns, "") != "abcdef" {
		t.Errorf("a.Columns = %q, got = %s; want got = \"<nil> 7 1.5 text 00ff given\\n1 2 3 4 5 6\\n\", strings.Join(a.Columns, \"\") = \"abcdef\"", a.Columns, got)
	}
	for _, query := range []string{"select * from files", "values (1), (2), (3)"} {
		for range 20 { // more than there may be connections
			a, err := x.SQL(ctx, query)
			if err != nil {
				t.Fatal(err)
			}
			for range a.Rows(ctx) {
				break
			}
			if a, err = x.SQL(ctx, query); err != nil {
				t.Fatal(err)
			}
			a.Close()
		}
	}
	for query, says := range map[string]string{
		"select * from nobody":      "no such table",
		"delete from files":         "an index is only read here",
		"select zeroblob(67108865)": "too big",
		"select ?1, ?2":             "missing named argument",
		"select abs(x) from (select 1 as x union all select -9223372036854775808)": "integer overflow",
		"select abs(-9223372036854775808)":                                         "integer overflow",
	} {
		a, err := x.SQL(ctx, query)
		if err == nil {
			for _, err = range a.Rows(ctx) {
			}
		}
		var u *fault.Error
		if err == nil || !strings.Contains(err.Error(), says) || !errors.As(err, &u) || u.Kind != fault.Usage {
			t.Errorf("%s: err = %v; want an error, err with %q, err of the type of u, u.Kind = fault.Usage", query, err, says)
		}
		if wrong := errors.As(err, new(*ask.QueryError)); wrong != (says == "no such table" || says == "integer overflow") {
			t.Errorf("%s: %v is a query error: %v", query, u, wrong)
		}
	}
	if got := lines(t, first(x.SQL(ctx, "select length(zeroblob(67108864))")), nil); got != "67108864\n" {
		t.Errorf("got = %v; want \"67108864\\n\"", got)
	}
	called, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := x.SQL(called, "select 1"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := x.Facets(called, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := x.Files(called); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := x.Stats(called); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for _, by := range ask.Sames {
		if _, err := x.Dupes(called, by, true, 0); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v", by, err)
		}
	}
	if _, _, err := x.Find(called, ask.Search{Words: []string{"kind=map"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for _, s := range []ask.Search{{Fields: []string{"path", "colour"}}, {Sort: []string{"-colour"}}, {Words: []string{"colour=red"}}} {
		var u *fault.Error
		if _, _, err := x.Find(ctx, s); !errors.As(err, &u) || u.Kind != fault.Usage || !strings.Contains(err.Error(), `unknown word "colour"`) {
			t.Errorf("%+v: err = %v; want err of the type of u, u.Kind = fault.Usage, err with `unknown word \"colour\"`", s, err)
		}
	}
	if _, err := ask.Open(ctx, "samples/hello.vpk"); !errors.Is(err, fault.NotFormat) {
		t.Errorf("no index: %v", err)
	}
}

func first(a *ask.Result, _ error) *ask.Result { return a }
