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
	"pakbox/trackmania/maps"
	"pakbox/trackmania/runs"
)

// indexFile makes the rows of a file on disk.
func indexFile(t testing.TB, x *index.Indexer, file string) *index.Rows {
	t.Helper()
	in, closer, err := archive.OpenFile(file)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	hash, err := index.Hashed(in)
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
		remembering.Known = &index.Known{}
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
		nested += len(want.Files) - 1
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
	files, nested := map[int64]*index.File{}, 0
	for i := range all.Files {
		f := &all.Files[i]
		if files[f.File] != nil {
			t.Errorf("%s and %s have the same key", f.Path, files[f.File].Path)
		}
		files[f.File] = f
		if f.Parent != nil {
			nested++
			if files[*f.Parent] == nil {
				t.Errorf("%s: its parent comes later or never", f.Path)
			}
		}
		if (f.Status == index.StatusOK) != (f.ErrorKind == nil) || f.ErrorKind != nil && *f.ErrorKind == "defect" {
			t.Errorf("%s: %s, %s", f.Path, f.Status, *f.ErrorMessage)
		}
	}
	if nested < 100 {
		t.Errorf("%d files inside others", nested)
	}
	for _, table := range index.Tables() {
		rows := table.Of(all)
		if rows.Len() == 0 {
			t.Errorf("%s has no rows", table.Name)
		}
		for i := range rows.Len() {
			if key := rows.Index(i).FieldByName("File").Int(); files[key] == nil {
				t.Fatalf("%s: row %d is of no file", table.Name, i)
			}
		}
	}
	addUp(t, all)
	for _, f := range all.SimFields {
		if f.Text == "" {
			t.Errorf("%s: %s says nothing", files[f.File].Path, f.Field)
		}
	}
	for _, r := range all.Replays {
		if r.MapFile != nil && files[*r.MapFile].Path != files[r.File].Path+"/map.Map.Gbx" {
			t.Errorf("%s: its map is %s", files[r.File].Path, files[*r.MapFile].Path)
		}
	}
}

// addUp compares what maps say they have with the rows of it, which are sorted
// by name, or numbered.
func addUp(t *testing.T, all *index.Rows) {
	t.Helper()
	type part struct {
		file int64
		what string
	}
	sums, last := map[part]int64{}, map[part]string{}
	add := func(file int64, what, name string, n int64) {
		p := part{file, what}
		if sums[p] > 0 && name <= last[p] {
			t.Errorf("%s %s after %s", what, name, last[p])
		}
		sums[p], last[p] = sums[p]+n, name
	}
	for _, b := range all.MapBlocks {
		add(b.File, b.Kind, b.Name, b.Count)
	}
	for _, it := range all.MapItems {
		add(it.File, "item", it.Name, it.Count)
	}
	for _, e := range all.Embedded {
		add(e.File, "embedded", fmt.Sprintf("%06d", e.Ordinal), 1)
		if last := sums[part{e.File, "embedded"}] - 1; e.Ordinal != last {
			t.Errorf("embedded file %d is the %dth", e.Ordinal, last)
		}
	}
	for _, d := range all.Dependencies {
		p := part{d.File, "dependency"}
		if d.Ordinal != sums[p] {
			t.Errorf("dependency %d is the %dth", d.Ordinal, sums[p])
		}
		sums[p]++
	}
	seen := map[string]int{}
	for _, m := range all.Maps {
		for what, want := range map[string]int64{"block": m.BlockCount, "baked": m.BakedBlockCount, "item": m.ItemCount, "embedded": m.EmbeddedCount} {
			if got := sums[part{m.File, what}]; got != want {
				t.Errorf("%s: %d of %s, want %d", m.Name, got, what, want)
			}
			if want > 0 {
				seen[what]++
			}
		}
		if (m.ThumbnailSHA256 == nil) != (m.ThumbnailSize == nil) {
			t.Errorf("%s: half a thumbnail", m.Name)
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
	var rows []index.Map
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
		of := made.Maps
		if g := runs.ValidationGhost(m); (g != nil) != (len(made.Ghosts) == 1) || g != nil && (made.Ghosts[0].File != made.Files[0].File || made.Ghosts[0].Login != g.Player().Login) {
			t.Errorf("%s: rows of its validation: %+v", file, made.Ghosts)
		} else if g != nil {
			validated++
		}
		if len(of) == 0 || (of[0].LayoutHash == nil) != (of[0].BlockCount == 0) {
			t.Fatalf("%s: %d rows of maps", file, len(of))
		}
		if want := oracle[corpus.Name(file)].Map.IsLapRace; want != nil && of[0].IsLapRace != *want {
			t.Errorf("%s: a lap race: %v", file, of[0].IsLapRace)
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
			got := index.Similarity(rows[i].MinHash, rows[k].MinHash)
			if math.Abs(got-want) > 0.2 {
				t.Errorf("%s and %s have %.2f of their blocks in common; MinHash says %.2f", rows[i].Name, rows[k].Name, want, got)
			}
			if want >= 0.3 {
				near++
			}
			if *rows[i].LayoutHash == *rows[k].LayoutHash && want < 1 {
				t.Errorf("%s and %s have one hash and other blocks", rows[i].Name, rows[k].Name)
			}
		}
	}
	if near == 0 || len(sets) < 200 || validated == 0 {
		t.Errorf("%d pairs that are alike among %d maps, %d of which hold a run", near, len(sets), validated)
	}
}
