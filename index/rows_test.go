package index_test

import (
	"bytes"
	"html"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/index"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/runsample"
	"pakbox/nadeo/runs"
)

// Keys and parts of an index are the same on every machine: those of BLAKE3, as
// another program computed them.
func TestKeys(t *testing.T) {
	for _, c := range []struct {
		path  string
		key   int64
		parts [3]int // of 1, 7 and 1000
	}{
		{"a/b", 982857455446260457, [3]int{0, 4, 986}},
		{"maps/Köln.Map.Gbx", 4725762569908923073, [3]int{0, 5, 648}},
	} {
		parts := [3]int{index.Shard(c.path, 1), index.Shard(c.path, 7), index.Shard(c.path, 1000)}
		if key := index.Key(c.path); key != c.key || parts != c.parts {
			t.Errorf("%s: key = %d, parts = %v; want key = %d, parts = %v", c.path, key, parts, c.key, c.parts)
		}
	}
}

// The schema has a description for every column.
func TestSchema(t *testing.T) {
	ghosts, ok := index.TableNamed("ghosts")
	if !ok || ghosts.Name != "ghosts" || ghosts.Doc == "" {
		t.Fatalf(`ghosts = %+v; want ok = true, ghosts.Name = "ghosts", ghosts.Doc not empty`, ghosts)
	}
	var columns []string
	for _, c := range ghosts.Columns() {
		s := c.Name + " " + string(c.Type)
		if c.Null {
			s += " null"
		}
		if c.Ref {
			s += " ref"
		}
		columns = append(columns, s)
	}
	want := "file integer ref, ghost integer, nick text, login text, zone text null, account_id text null, race_time integer null, respawns integer null, " +
		"checkpoints integers, car text null, map_uid text null, stunt_score integer, program text null, driven integer null, sample_count integer, input_count integer"
	if got := strings.Join(columns, ", "); got != want {
		t.Errorf("got = %v; want %v", got, want)
	}
	types := map[string]index.Type{}
	for _, t := range index.Tables() {
		for _, c := range t.Columns() {
			types[t.Name+"."+c.Name] = c.Type
		}
	}
	for name, want := range map[string]index.Type{"maps.is_lap_race": index.Boolean, "sim_vehicles.price": index.Real, "files.blake3": index.Bytes, "maps.minhash": index.Bytes} {
		if types[name] != want {
			t.Errorf("%s is %s", name, types[name])
		}
	}
	if _, ok := index.TableNamed("nothing"); ok {
		t.Error("there is a table nothing")
	}
}

// rowOfMap is the row of a new map with some blocks.
func rowOfMap(t *testing.T, blocks ...maps.Block) row {
	t.Helper()
	m, err := maps.New(maps.Options{Game: nadeo.Trackmania2020, Environment: "Stadium", Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.AddBlock(blocks...); err != nil {
		t.Fatal(err)
	}
	data, err := m.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	maps := table(indexBytes(t, &index.Indexer{}, "x.Map.Gbx", data), "maps")
	if len(maps) != 1 {
		t.Fatalf("%d maps", len(maps))
	}
	return maps[0]
}

// same reports whether a column of bytes is the same in another row.
func (r row) same(column string, other row) bool {
	return bytes.Equal(r[column].([]byte), other[column].([]byte))
}

// alike is the similarity of two maps.
func (r row) alike(other row) float64 {
	a, _ := r["minhash"].([]byte)
	b, _ := other["minhash"].([]byte)
	return index.Similarity(a, b)
}

// The hashes of a layout are of what stands where, in whatever order; the one is
// the same wherever on the ground it stands.
func TestSameLayout(t *testing.T) {
	road := maps.Block{Name: "RoadTechStraight", Coord: gbx.Int3{X: 20, Y: 9, Z: 24}}
	tower := maps.Block{Name: "RoadTechCurve1", Coord: gbx.Int3{X: 22, Y: 12, Z: 20}, Direction: 2}
	free := maps.Block{Name: "PlatformTechBase", Free: true, Position: gbx.Vec3{X: 1, Y: 2, Z: 3}, YawPitchRoll: gbx.Vec3{X: 0.5}}
	with := func(b maps.Block, change func(*maps.Block)) maps.Block {
		change(&b)
		return b
	}
	shift := func(x, y, z int32) func(*maps.Block) {
		return func(b *maps.Block) { b.Coord.X += x; b.Coord.Y += y; b.Coord.Z += z }
	}
	base := rowOfMap(t, road, tower, free)
	for _, c := range []struct {
		name          string
		blocks        []maps.Block
		same, shifted bool
		alike         float64
	}{
		{"another order", []maps.Block{free, tower, road}, true, true, 1},
		{"moved", []maps.Block{with(road, shift(3, 0, -5)), with(tower, shift(3, 0, -5)), free}, false, true, 0},
		{"raised", []maps.Block{with(road, shift(0, 1, 0)), with(tower, shift(0, 1, 0)), free}, false, false, 0},
		{"one moved", []maps.Block{with(road, shift(0, 0, 1)), tower, free}, false, false, -1},
		{"turned", []maps.Block{with(road, func(b *maps.Block) { b.Direction = 1 }), tower, free}, false, false, 1},
		{"another", []maps.Block{with(road, func(b *maps.Block) { b.Name = "RoadTechSlope" }), tower, free}, false, false, -1},
		{"twice", []maps.Block{road, road, tower, free}, false, false, 1},
		{"free one moved", []maps.Block{road, tower, with(free, func(b *maps.Block) { b.Position.Z = 4 })}, false, false, 1},
		{"free one turned", []maps.Block{road, tower, with(free, func(b *maps.Block) { b.YawPitchRoll.Z = 0.5 })}, false, false, 1},
		{"without it", []maps.Block{road, tower}, false, false, 1},
	} {
		row := rowOfMap(t, c.blocks...)
		if row.same("layout_hash", base) != c.same || row.same("shifted_hash", base) != c.shifted {
			t.Errorf("%s: same layout: %v; without regard to the place: %v", c.name, !c.same, !c.shifted)
		}
		got := row.alike(base)
		if c.alike >= 0 && got != c.alike || c.alike < 0 && (got == 0 || got == 1) {
			t.Errorf("%s: similarity is %v", c.name, got)
		}
	}
	if row := rowOfMap(t, free); row["layout_hash"] == nil || row["minhash"] != nil || row.alike(base) != 0 || base.alike(row) != 0 {
		t.Errorf("only a free block: %+v", row)
	}
	if row := rowOfMap(t); row["layout_hash"] != nil || row["shifted_hash"] != nil || row["minhash"] != nil || row["block_count"] != int64(0) {
		t.Errorf("no blocks: %+v", row)
	}
}

// The player's inputs are counted, and so are the reversals of the wheel.
func TestInputs(t *testing.T) {
	var presses []runsample.Press
	at := gbx.Time(100)
	press := func(control byte, values ...int32) {
		for _, v := range values {
			presses = append(presses, runsample.Press{Time: at, Control: control, Value: v})
			at += 10
		}
	}
	press(runsample.Accelerate, 1, 0, 1)
	// Up to 300, down to 200, up to 500, down through nothing to -100, up; where it
	// rests on its way it does not turn back.
	press(runsample.Steer, 100, 300, 300, 200, 200, 500, 0, 0, -100, -50)
	press(runsample.Brake, 1, 0, 1, 0)
	for _, declared := range []gbx.Time{2000, gbx.NoTime, 0} {
		run := runsample.Straight(declared)
		run.Presses = presses
		data, err := run.Ghost().Encode()
		if err != nil {
			t.Fatal(err)
		}
		rows := indexBytes(t, &index.Indexer{}, "x.Ghost.Gbx", data)
		summaries := table(rows, "inputs_summary")
		if len(summaries) != 1 || len(table(rows, "ghosts")) != 1 || len(table(rows, "check_verdicts")) != 0 {
			t.Fatalf(`written(rows) = %v; want summaries of length 1, table(rows, "ghosts") of length 1, empty table(rows, "check_verdicts")`, written(rows))
		}
		want := row{
			"file": index.Key("x.Ghost.Gbx"), "ghost": int64(0), "input_count": int64(19), "accelerate": int64(2), "brake": int64(2), "steer_keys": int64(0),
			"steer_analog": int64(10), "respawn": int64(0), "horn": int64(0), "spikes": int64(4), "damaged": false,
			"first_time": int64(0), "last_time": int64(2900), "tminterface": false, "spikes_per_second": nil,
		}
		if declared == 2000 {
			want["spikes_per_second"] = 2.0
		}
		if !reflect.DeepEqual(summaries[0], want) {
			t.Errorf("%v: %v, want %v", declared, summaries[0], want)
		}
	}
}

// The numbers of the inputs of real runs are those of a list of them.
func TestRealInputs(t *testing.T) {
	pressed := map[string]int64{}
	for file, data := range corpus.GBX(t, "03092000", "03093000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		var ghosts []*runs.Ghost
		if r, err := runs.ReplayOf(f); err == nil {
			ghosts = r.Ghosts()
		} else if g, err := runs.GhostOf(f); err == nil {
			ghosts = []*runs.Ghost{g}
		}
		rows := map[any]row{}
		for _, r := range table(indexFile(t, &index.Indexer{}, file), "inputs_summary") {
			if r["file"] == index.Key(filepath.ToSlash(file)) { // and not of the map in a replay
				rows[r["ghost"]] = r
			}
		}
		for i, g := range ghosts {
			row, there := rows[int64(i)]
			if there != (g.InputCount() > 0) {
				t.Errorf("%s: run %d: %d inputs, and a row: %v", file, i, g.InputCount(), there)
			}
			if there {
				sameInputs(t, file, g, row, pressed)
			}
		}
	}
	for _, name := range []string{"Accelerate", "Brake", "SteerLeft", "SteerRight", "Steer", "Respawn", "SecondaryRespawn", "Horn"} {
		if pressed[name] == 0 {
			t.Errorf("nobody pressed %s", name)
		}
	}
}

func sameInputs(t *testing.T, file string, g *runs.Ghost, got row, pressed map[string]int64) {
	t.Helper()
	list, err := g.Inputs()
	counts := map[string]int64{}
	wheel := []int32{0}
	for _, in := range list {
		if in.Value != 0 || in.Name == "Steer" {
			counts[in.Name]++
			pressed[in.Name]++
		}
		if in.Name == "Steer" && in.Analog {
			wheel = append(wheel, in.Value)
		}
	}
	wheel = slices.Compact(wheel)
	var spikes int64
	for i := 1; i < len(wheel)-1; i++ {
		if (wheel[i] > wheel[i-1]) == (wheel[i] > wheel[i+1]) {
			spikes++
		}
	}
	for column, want := range map[string]any{
		"accelerate": counts["Accelerate"], "brake": counts["Brake"], "steer_keys": counts["SteerLeft"] + counts["SteerRight"], "steer_analog": counts["Steer"],
		"respawn": counts["Respawn"] + counts["SecondaryRespawn"], "horn": counts["Horn"], "spikes": spikes, "damaged": err != nil,
	} {
		if got[column] != want {
			t.Errorf("%s: %s is %v, want %v", file, column, got[column], want)
		}
	}
	if (got["first_time"] == nil) != (len(list) == 0) {
		t.Errorf(`%s: got = %v; want got["first_time"] is nil exactly if the list is empty`, file, got)
	}
}

// The files that a header names are dependencies, as another program reads them.
func TestReferences(t *testing.T) {
	oracle := corpus.Oracle[struct {
		Refs *struct {
			Files     []string
			Resources int
		}
	}](t)
	found := 0
	for file := range corpus.GBX(t, "03051000", "09005000", "090bb000", "090ec000", "0911c000", "24004000", "24022000", "2407e000") {
		refs := oracle[corpus.Name(file)].Refs
		if refs == nil {
			continue
		}
		var files []string
		resources := 0
		for i, d := range table(indexFile(t, &index.Indexer{}, file), "dependencies") {
			if d["file"] != index.Key(filepath.ToSlash(file)) || d["ordinal"] != int64(i) || d["kind"] != "reference" || d["url"] != nil || d["uses"] != nil {
				t.Errorf(`%s: d = %v; want d["file"] = index.Key(filepath.ToSlash(file)), d["ordinal"] = int64(i), d["kind"] = "reference", d["url"] = nil, d["uses"] = nil`, file, d)
			}
			if path := d["path"].(string); strings.HasPrefix(path, "resource ") {
				resources++
			} else {
				files = append(files, path)
			}
		}
		if !slices.Equal(files, refs.Files) || resources != refs.Resources {
			t.Errorf("%s: %d resources, %q, want %d, %q", file, resources, files, refs.Resources, refs.Files)
		}
		found++
	}
	if found < 15 {
		t.Errorf("%d files with references", found)
	}
}

// A file that the XML in the header of a map requires is a dependency, whether a block, an
// item or only a car of a clip uses it.
func TestListedInHeader(t *testing.T) {
	named := regexp.MustCompile(`<dep file="([^"]*)"`)
	only := 0
	for file := range corpus.GBX(t, "03043000") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, ok := bytes.Cut(data, []byte("<deps>"))
		list, _, whole := bytes.Cut(rest, []byte("</deps>"))
		rows := indexFile(t, &index.Indexer{}, file)
		if !ok || !whole || len(table(rows, "maps")) == 0 {
			continue
		}
		got := map[string]bool{}
		for _, d := range table(rows, "dependencies") {
			got[strings.ToLower(d["path"].(string))] = true
			if d["kind"] == "listed" {
				only++
			}
		}
		for _, m := range named.FindAllSubmatch(list, -1) {
			if path := html.UnescapeString(string(m[1])); !got[strings.ToLower(strings.TrimPrefix(path, "\ufeff"))] {
				t.Errorf("%s: %q is not a dependency", file, path)
			}
		}
	}
	if only < 10 {
		t.Errorf("%d files that only a header lists", only)
	}
}
