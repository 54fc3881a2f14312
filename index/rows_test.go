package index_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/index"
	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/runsample"
	"pakbox/trackmania"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/runs"
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
			t.Errorf("%s: %d, %v", c.path, key, parts)
		}
	}
}

// The schema says of every column what it holds.
func TestSchema(t *testing.T) {
	table, ok := index.TableNamed("ghosts")
	if !ok || table.Name != "ghosts" || table.Doc == "" {
		t.Fatalf("%+v", table)
	}
	var columns []string
	for _, c := range table.Columns {
		s := c.Name + " " + string(c.Kind)
		if c.Null {
			s += " null"
		}
		if c.Ref {
			s += " ref"
		}
		columns = append(columns, s)
	}
	want := "file integer ref, ghost integer, race_time integer null, respawns integer null, checkpoints integers, login text, nick text, zone text null, " +
		"account_id text null, car text null, map_uid text null, stunt_score integer, program text null, sample_count integer, input_count integer"
	if got := strings.Join(columns, ", "); got != want {
		t.Error(got)
	}
	kinds := map[string]index.Kind{}
	for _, t := range index.Tables() {
		for _, c := range t.Columns {
			kinds[t.Name+"."+c.Name] = c.Kind
		}
	}
	for name, kind := range map[string]index.Kind{"maps.is_lap_race": index.Boolean, "sim_vehicles.price": index.Real, "files.blake3": index.Bytes, "maps.minhash": index.Bytes} {
		if kinds[name] != kind {
			t.Errorf("%s is %s", name, kinds[name])
		}
	}
	if _, ok := index.TableNamed("nothing"); ok {
		t.Error("there is a table nothing")
	}
}

// rowOfMap is the row of a new map with some blocks.
func rowOfMap(t *testing.T, blocks ...maps.Block) index.Map {
	t.Helper()
	m, err := maps.New(maps.Options{Game: trackmania.Trackmania2020, Environment: "Stadium", Name: "x"})
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
	rows := indexBytes(t, &index.Indexer{}, "x.Map.Gbx", data)
	if len(rows.Maps) != 1 {
		t.Fatalf("%d maps", len(rows.Maps))
	}
	return rows.Maps[0]
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
		if (*row.LayoutHash == *base.LayoutHash) != c.same || (*row.ShiftedHash == *base.ShiftedHash) != c.shifted {
			t.Errorf("%s: same layout: %v; without regard to the place: %v", c.name, !c.same, !c.shifted)
		}
		got := index.Similarity(row.MinHash, base.MinHash)
		if c.alike >= 0 && got != c.alike || c.alike < 0 && (got == 0 || got == 1) {
			t.Errorf("%s: similarity is %v", c.name, got)
		}
	}
	if row := rowOfMap(t, free); row.LayoutHash == nil || row.MinHash != nil || index.Similarity(row.MinHash, base.MinHash) != 0 || index.Similarity(base.MinHash, nil) != 0 {
		t.Errorf("only a free block: %+v", row)
	}
	if row := rowOfMap(t); row.LayoutHash != nil || row.ShiftedHash != nil || row.MinHash != nil || row.BlockCount != 0 {
		t.Errorf("no blocks: %+v", row)
	}
}

// What the player did is counted, and how often the wheel turned back.
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
		if len(rows.InputsSummary) != 1 || len(rows.Ghosts) != 1 || len(rows.CheckVerdicts) != 0 {
			t.Fatalf("%+v", rows)
		}
		got := rows.InputsSummary[0]
		rate := got.SpikesPerSecond
		if (rate != nil) != (declared == 2000) || rate != nil && *rate != 2 {
			t.Errorf("%v: spikes per second: %v", declared, rate)
		}
		if *got.First != 0 || *got.Last != 2900 || *got.TMInterface {
			t.Errorf("%+v", got)
		}
		got.First, got.Last, got.SpikesPerSecond, got.TMInterface = nil, nil, nil, nil
		want := index.InputsSummary{File: index.Key("x.Ghost.Gbx"), InputCount: 19, Accelerate: 2, Brake: 2, SteerAnalog: 10, Spikes: 4}
		if got != want {
			t.Errorf("%+v, want %+v", got, want)
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
		rows := map[int64]index.InputsSummary{}
		for _, row := range indexFile(t, &index.Indexer{}, file).InputsSummary {
			if row.File == index.Key(filepath.ToSlash(file)) { // and not of the map in a replay
				rows[row.Ghost] = row
			}
		}
		for i, g := range ghosts {
			row, there := rows[int64(i)]
			if there != (g.Info().InputCount > 0) {
				t.Errorf("%s: run %d: %d inputs, and a row: %v", file, i, g.Info().InputCount, there)
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

func sameInputs(t *testing.T, file string, g *runs.Ghost, row index.InputsSummary, pressed map[string]int64) {
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
	want := [...]int64{
		counts["Accelerate"], counts["Brake"], counts["SteerLeft"] + counts["SteerRight"], counts["Steer"],
		counts["Respawn"] + counts["SecondaryRespawn"], counts["Horn"], spikes,
	}
	got := [...]int64{row.Accelerate, row.Brake, row.SteerKeys, row.SteerAnalog, row.Respawn, row.Horn, row.Spikes}
	if got != want || row.Damaged != (err != nil) || (row.First == nil) != (len(list) == 0) {
		t.Errorf("%s: %v, want %v; %+v, %v", file, got, want, row, err)
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
		for i, d := range indexFile(t, &index.Indexer{}, file).Dependencies {
			if d.File != index.Key(filepath.ToSlash(file)) || d.Ordinal != int64(i) || d.Kind != "reference" || d.URL != nil || d.Uses != nil {
				t.Errorf("%s: %+v", file, d)
			}
			if strings.HasPrefix(d.Path, "resource ") {
				resources++
			} else {
				files = append(files, d.Path)
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
