package index_test

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pakbox/archive"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/index"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/runs"
)

// indexFile makes the rows of a file on disk.
func indexFile(t testing.TB, x *index.Indexer, file string) *index.Rows {
	t.Helper()
	in, closer, err := archive.OpenFile(file)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	hash, err := index.HashContent(in)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := x.File(context.Background(), index.Source{Input: in, Path: filepath.ToSlash(file), BLAKE3: hash})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func eachFile(t testing.TB, root string, do func(file string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			do(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Maps inside replays that are known have the rows that reading them gives.
func TestKnown(t *testing.T) {
	asked := index.Indexer{Check: true, Lint: true, Verify: true}
	remembering := asked
	nested := 0
	eachFile(t, filepath.Join(corpus.Dir(t, "gbx"), "03093000"), func(file string) {
		want := indexFile(t, &asked, file)
		remembering.Maps = &index.MapCache{}
		for range 2 { // the second time it is known
			if got := indexFile(t, &remembering, file); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: other rows if maps are remembered", file)
			}
		}
		// Under another name, which all keys are made of.
		other := filepath.Join(t.TempDir(), "other.Replay.Gbx")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(other, data, 0o666); err != nil {
			t.Fatal(err)
		}
		want = indexFile(t, &asked, other)
		if got := indexFile(t, &remembering, other); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: other rows under another name if maps are remembered", file)
		}
		nested += len(table(want, "files")) - 1
	})
	if nested == 0 {
		t.Error("no maps inside replays")
	}
}

// All tables get rows of real files, every row belongs to a file that has one,
// no parser fails, and what lies in archives and replays is entered.
func TestCorpus(t *testing.T) {
	x := &index.Indexer{Check: true, Lint: true, Verify: true}
	all := &index.Rows{}
	for _, name := range []string{"gbx", "gbx-hard", "nadeopak", "vpk42", "eterpack", "eterpack-hard", "simutrans"} {
		eachFile(t, corpus.Dir(t, name), func(file string) { all.Append(indexFile(t, x, file)) })
	}
	all.Append(samples(t)) // with the places of blocks, which are too many of the real maps
	files, nested := map[any]row{}, 0
	for _, f := range table(all, "files") {
		if files[f["file"]] != nil {
			t.Errorf("%s and %s have the same key", f["path"], files[f["file"]]["path"])
		}
		files[f["file"]] = f
		if parent := f["parent"]; parent != nil {
			nested++
			if files[parent] == nil {
				t.Errorf("%s: its parent comes later or never", f["path"])
			}
		}
		if (f["status"] == index.StatusOK) != (f["error_kind"] == nil) || f["error_kind"] == "defect" {
			t.Errorf("%s: %s, %s", f["path"], f["status"], f["error_message"])
		}
	}
	if nested < 100 {
		t.Errorf("%d files inside others", nested)
	}
	for _, table := range index.Tables() {
		if all.Len(table) == 0 {
			t.Errorf("%s has no rows", table.Name)
		}
		for i := range all.Len(table) {
			if files[all.Row(table, i)[0]] == nil {
				t.Fatalf("%s: row %d is of no file", table.Name, i)
			}
			fits(t, table, all.Row(table, i))
		}
	}
	addUp(t, all)
	for _, f := range table(all, "sim_fields") {
		if f["text"] == "" {
			t.Errorf("%s: the text of field %s is empty", files[f["file"]]["path"], f["field"])
		}
	}
	for _, r := range table(all, "replays") {
		if m := r["map_file"]; m != nil && files[m]["path"] != files[r["file"]]["path"].(string)+"/map.Map.Gbx" {
			t.Errorf("%s: its map is %s", files[r["file"]]["path"], files[m]["path"])
		}
	}
}

// fits compares the values of a row with the types of the columns.
func fits(t *testing.T, table *index.Table, row []any) {
	t.Helper()
	for k, c := range table.Columns() {
		fits := false
		switch v := row[k].(type) {
		case nil:
			fits = c.Null
		case int64:
			fits = c.Type == index.Integer
		case float64:
			fits = c.Type == index.Real
		case bool:
			fits = c.Type == index.Boolean
		case string:
			fits = c.Type == index.Text && !(c.Null && v == "")
		case []byte:
			fits = c.Type == index.Bytes && len(v) == c.Size
		case []*int64:
			fits = c.Type == index.Integers && v != nil
		}
		if !fits {
			t.Fatalf("%s: %s is %T %v", table.Name, c.Name, row[k], row[k])
		}
	}
}

// addUp compares what maps say they have with the rows of it, which are sorted
// by name, or numbered.
func addUp(t *testing.T, all *index.Rows) {
	t.Helper()
	type part struct {
		file any
		what any
	}
	sums, last := map[part]int64{}, map[part]string{}
	add := func(r row, what any, name string, n int64) {
		p := part{r["file"], what}
		if sums[p] > 0 && name <= last[p] {
			t.Errorf("%s %s after %s", what, name, last[p])
		}
		sums[p], last[p] = sums[p]+n, name
	}
	for _, b := range table(all, "map_blocks") {
		add(b, b["kind"], b["name"].(string), b["count"].(int64))
	}
	for _, it := range table(all, "map_items") {
		add(it, "item", it["name"].(string), it["count"].(int64))
	}
	for _, e := range table(all, "embedded") {
		add(e, "embedded", fmt.Sprintf("%06d", e["ordinal"]), 1)
		if last := sums[part{e["file"], "embedded"}] - 1; e["ordinal"] != last {
			t.Errorf("embedded file %d is the %dth", e["ordinal"], last)
		}
	}
	for _, d := range table(all, "dependencies") {
		p := part{d["file"], "dependency"}
		if d["ordinal"] != sums[p] {
			t.Errorf("dependency %d is the %dth", d["ordinal"], sums[p])
		}
		sums[p]++
	}
	seen := map[string]int{}
	for _, m := range table(all, "maps") {
		for what, column := range map[string]string{"block": "block_count", "baked": "baked_block_count", "item": "item_count", "embedded": "embedded_count"} {
			if got := sums[part{m["file"], what}]; got != m[column] {
				t.Errorf("%s: %d of %s, want %d", m["name"], got, what, m[column])
			}
			if m[column] != int64(0) {
				seen[what]++
			}
		}
		if (m["thumbnail_sha256"] == nil) != (m["thumbnail_size"] == nil) {
			t.Errorf("%s: half a thumbnail", m["name"])
		}
	}
	if len(seen) != 4 {
		t.Errorf("maps have only %v", seen)
	}
}

// Maps with the same blocks in the same places have the same layout hash, and
// the part of the numbers of MinHash that two maps share is about the part of
// their blocks that they share, as counted block by block.
func TestLayout(t *testing.T) {
	type place struct {
		name  string
		coord gbx.Int3
	}
	var sets []map[place]bool
	var rows []row
	validated := 0
	oracle := corpus.Oracle[struct {
		Map struct {
			IsLapRace *bool `json:"is_lap_race"`
		}
	}](t)
	for file, data := range corpus.GBX(t, "03043000", "24003000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		m, err := maps.Of(f)
		if err != nil {
			t.Fatal(err)
		}
		set := map[place]bool{}
		for _, b := range m.Blocks() {
			if !b.Free {
				set[place{b.Name, b.Coord}] = true
			}
		}
		made := indexFile(t, &index.Indexer{}, file)
		of, ghosts := table(made, "maps"), table(made, "ghosts")
		if g := runs.ValidationGhost(m); (g != nil) != (len(ghosts) == 1) || g != nil && (ghosts[0]["file"] != table(made, "files")[0]["file"] || ghosts[0]["login"] != g.Player().Login) {
			t.Errorf("%s: rows of its validation: %v", file, ghosts)
		} else if g != nil {
			validated++
		}
		if len(of) == 0 || (of[0]["layout_hash"] == nil) != (of[0]["block_count"] == int64(0)) {
			t.Fatalf("%s: %d rows of maps", file, len(of))
		}
		if want := oracle[corpus.Name(file)].Map.IsLapRace; want != nil && of[0]["is_lap_race"] != *want {
			t.Errorf("%s: a lap race: %v", file, of[0]["is_lap_race"])
		}
		sets, rows = append(sets, set), append(rows, of[0])
	}
	near := 0
	for i, a := range sets {
		for k, b := range sets[:i] {
			if len(a) == 0 || len(b) == 0 {
				continue
			}
			common := 0
			for p := range a {
				if b[p] {
					common++
				}
			}
			want := float64(common) / float64(len(a)+len(b)-common)
			got := rows[i].alike(rows[k])
			if math.Abs(got-want) > 0.2 {
				t.Errorf("similarity of %s and %s by MinHash = %.2f, want %.2f ± 0.2", rows[i]["name"], rows[k]["name"], got, want)
			}
			if want >= 0.3 {
				near++
			}
			if rows[i].same("layout_hash", rows[k]) && want < 1 {
				t.Errorf("%s and %s have one hash and other blocks", rows[i]["name"], rows[k]["name"])
			}
		}
	}
	if near == 0 || len(sets) < 200 || validated == 0 {
		t.Errorf("%d pairs that are alike among %d maps, %d of which hold a run", near, len(sets), validated)
	}
}
