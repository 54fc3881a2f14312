package maps_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/items"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
)

// near compares places and angles, which are 32 bits of float.
func near(a, b gbx.Vec3) bool {
	return math.Abs(float64(a.X-b.X))+math.Abs(float64(a.Y-b.Y))+math.Abs(float64(a.Z-b.Z)) < 1e-3
}

// TestTurningAndMirroring: places in a box of 3 by 5 cells, worked out by hand.
func TestTurningAndMirroring(t *testing.T) {
	f := mapsample.New(t).Frame()
	if f.Cell != (gbx.Vec3{X: 32, Y: 8, Z: 32}) {
		t.Fatalf("f.Cell = %v; want gbx.Vec3{X: 32, Y: 8, Z: 32}", f.Cell)
	}
	box := maps.Box{Min: gbx.Int3{X: 1, Z: 2}, Max: gbx.Int3{X: 3, Z: 6}}      // from 32, 64 to 128, 224 m
	at, turn := gbx.Vec3{X: 42, Y: 9, Z: 84}, gbx.Vec3{X: 0.3, Y: 0.1, Z: 0.2} // 10, 20 m from its corner
	quarter := float32(math.Pi / 2)
	for _, test := range []struct {
		quarters int
		at       gbx.Vec3
		yaw      float32
	}{
		{0, at, 0.3}, {4, at, 0.3}, {-4, at, 0.3},
		{1, gbx.Vec3{X: 32 + 160 - 20, Y: 9, Z: 64 + 10}, 0.3 - quarter},
		{-3, gbx.Vec3{X: 32 + 160 - 20, Y: 9, Z: 64 + 10}, 0.3 - quarter},
		{2, gbx.Vec3{X: 32 + 96 - 10, Y: 9, Z: 64 + 160 - 20}, 0.3 - 2*quarter},
		{3, gbx.Vec3{X: 32 + 20, Y: 9, Z: 64 + 96 - 10}, 0.3 + quarter},
	} {
		it := maps.Item{Position: at, YawPitchRoll: turn}
		f.TurnItem(&it, box, test.quarters)
		if !near(it.Position, test.at) || !near(it.YawPitchRoll, gbx.Vec3{X: test.yaw, Y: 0.1, Z: 0.2}) {
			t.Errorf("%d quarters: %v, %v, want %v, %g", test.quarters, it.Position, it.YawPitchRoll, test.at, test.yaw)
		}
		it = maps.Item{Position: at, YawPitchRoll: turn}
		f.SpinItem(&it, test.quarters)
		if it.Position != at || !near(it.YawPitchRoll, gbx.Vec3{X: test.yaw, Y: 0.1, Z: 0.2}) {
			t.Errorf("spun by %d quarters: %v, %v", test.quarters, it.Position, it.YawPitchRoll)
		}
		b := maps.Block{Free: true, Position: at, YawPitchRoll: turn}
		f.SpinBlock(&b, test.quarters)
		if b.Position != at || !near(b.YawPitchRoll, gbx.Vec3{X: test.yaw, Y: 0.1, Z: 0.2}) {
			t.Errorf("a block spun by %d quarters: %v, %v", test.quarters, b.Position, b.YawPitchRoll)
		}
		b = maps.Block{Coord: gbx.Int3{X: 2, Y: 9, Z: 3}, Direction: 1}
		f.SpinBlock(&b, test.quarters)
		if want := ((1+test.quarters)%4 + 4) % 4; b.Direction != want || b.Coord != (gbx.Int3{X: 2, Y: 9, Z: 3}) {
			t.Errorf("a block of the grid spun by %d quarters: %d", test.quarters, b.Direction)
		}
	}
	for axis, want := range map[maps.Axis]gbx.Vec3{maps.AxisX: {X: 32 + 96 - 10, Y: 9, Z: 84}, maps.AxisZ: {X: 42, Y: 9, Z: 64 + 160 - 20}} {
		it := maps.Item{Position: at, YawPitchRoll: turn}
		f.MirrorItem(&it, box, axis)
		if !near(it.Position, want) {
			t.Errorf("mirrored: %v, want %v", it.Position, want)
		}
		// Once more, and all is as it was.
		f.MirrorItem(&it, box, axis)
		if !near(it.Position, at) || !near(it.YawPitchRoll, turn) {
			t.Errorf("mirrored twice: %v, %v", it.Position, it.YawPitchRoll)
		}
		for name, image := range map[string]string{"RoadTechChicaneX2Left": "RoadTechChicaneX2Right", "RoadTechCurve3": "RoadTechCurve3", "Unknown": "Unknown"} {
			b := maps.Block{Name: name, Free: true, Position: at, YawPitchRoll: turn}
			f.MirrorBlock(&b, box, axis)
			if b.Name != image || near(b.Position, at) || f.Mirrorable(&b) == (name == "Unknown") {
				t.Errorf(`b = %+v; want b.Name = %v, near(b.Position, at) = false, f.Mirrorable(&b) unless the block is unknown`, b, image)
			}
			f.MirrorBlock(&b, box, axis)
			if b.Name != name || !near(b.Position, at) || !near(b.YawPitchRoll, turn) {
				t.Errorf("a free block mirrored twice: %+v", b)
			}
		}
	}
	// A free block that is not turned has its corner on the other side.
	b := maps.Block{Free: true, Position: at}
	f.MirrorBlock(&b, box, maps.AxisX)
	if !near(b.Position, gbx.Vec3{X: 118 - 32, Y: 9, Z: 84}) {
		t.Errorf("b.Position = %v; want near(b.Position, gbx.Vec3{X: 118 - 32, Y: 9, Z: 84}) = true", b.Position)
	}
}

// TestCellAt: positions inside and outside of the grid.
func TestCellAt(t *testing.T) {
	f := mapsample.New(t).Frame()
	floor := int32(f.Floor)
	nowhere := int32(-1 << 30)
	nan := float32(math.NaN())
	for _, test := range []struct {
		at   gbx.Vec3
		want gbx.Int3
	}{
		{gbx.Vec3{}, gbx.Int3{Y: floor}}, {gbx.Vec3{X: 31.9, Y: 7.9, Z: 31.9}, gbx.Int3{Y: floor}}, {gbx.Vec3{X: 32, Y: 8, Z: 64}, gbx.Int3{X: 1, Y: floor + 1, Z: 2}},
		{gbx.Vec3{X: -0.1, Y: -0.1, Z: -33}, gbx.Int3{X: -1, Y: floor - 1, Z: -2}}, {gbx.Vec3{X: nan, Y: 1e30, Z: -1e30}, gbx.Int3{X: nowhere, Y: nowhere, Z: nowhere}},
	} {
		if got := f.CellAt(test.at); got != test.want {
			t.Errorf("%v: %v, want %v", test.at, got, test.want)
		}
		free := maps.Block{Free: true, Position: test.at, Coord: gbx.Int3{X: 7}}
		if got := f.CellOf(&free); got != test.want {
			t.Errorf("a free block at %v: %v", test.at, got)
		}
	}
	if got := f.CellOf(&maps.Block{Coord: gbx.Int3{X: 7}}); got != (gbx.Int3{X: 7}) {
		t.Errorf("got = %v; want gbx.Int3{X: 7}", got)
	}
}

// TestFlagsOfBlocks: each is set and taken back alone.
func TestFlagsOfBlocks(t *testing.T) {
	b := maps.Block{Flags: 5}
	b.SetGround(true)
	if !b.Ground() || b.Ghost() || b.Pillar() {
		t.Errorf("b.Flags = %#x; want b.Ground() = true, b.Ghost() = false, b.Pillar() = false", b.Flags)
	}
	b.SetGhost(true)
	b.SetGround(false)
	if b.Ground() || !b.Ghost() {
		t.Errorf("b.Flags = %#x; want b.Ground() = false, b.Ghost() = true", b.Flags)
	}
	b.SetGhost(false)
	if b.Flags != 5 {
		t.Errorf("b.Flags = %#x; want 5", b.Flags)
	}
}

// stamp is a macroblock with a block of each form, and three items.
func stamp() *maps.Macroblock {
	named := func(name, author string) gbx.Ident { return gbx.Ident{ID: gbx.NewID(name), Author: gbx.NewID(author)} }
	free := game.CGameCtnMacroBlockInfoBlockSpawnFlagsIsFree
	at, turn := gbx.Vec3{X: 10, Y: 20, Z: 30}, gbx.Vec3{X: 0.1, Y: 0.2, Z: 0.3}
	blocks := &game.Chunk0310D000{BlockSpawns: []game.CGameCtnMacroBlockInfoBlockSpawn{
		{Version: 1, BlockModel: named("Old", "Nadeo"), OldCoord: gbx.Int3{X: 1, Y: 2, Z: 3}, OldDirection: 2},
		{Version: 2, BlockModel: named("Cell", "Nadeo"), Coord: gbx.Byte3{X: 4, Y: 5, Z: 6}, Direction: 1},
		{Version: 4, BlockModel: named("NotFree", "ada"), Coord: gbx.Byte3{X: 1}, Flags: free, AbsolutePositionInMap: at, Color: 9},
		{Version: 5, BlockModel: named("Free", "ada"), Coord: gbx.Byte3{X: 1}, Flags: free, AbsolutePositionInMap: at, PitchYawRoll: turn},
		{Version: 7, BlockModel: named("My.Block.Gbx_CustomBlock", "ada"), Coord: gbx.Byte3{X: 2}, Color: 3},
	}}
	objects := &game.Chunk0310D00E{ObjectSpawns: []game.CGameCtnMacroBlockInfoObjectSpawn{
		{Version: 8, ItemModel: named("A", "ada"), AbsolutePositionInMap: at, PitchYawRoll: turn, PivotPosition: gbx.Vec3{Y: 1}, Scale: 7, Color: 2, Flags: 4},
		{Version: 9, ItemModel: named("B", "ada"), Scale: 7, Color: 2},
		{Version: 11, ItemModel: named("C", "ada"), Scale: 7, Color: 2},
	}}
	body := &gbx.Node{Class: 0x0310D000, Chunks: []gbx.Chunk{{ID: 0x0310D000, Body: blocks}, {ID: 0x0310D00E, Body: objects}}}
	return &maps.Macroblock{Collector: items.Collector{File: &gbx.File{Body: body}}}
}

// TestMacroblocksOfEveryVersion: what versions have, and others do not.
func TestMacroblocksOfEveryVersion(t *testing.T) {
	var got []string
	for _, b := range stamp().Blocks() {
		got = append(got, fmt.Sprint(b.Name, " ", b.Author, " ", b.Coord, " ", b.Direction, " ", b.Free, " ", b.Position, " ", b.YawPitchRoll, " #", b.Color))
	}
	for _, it := range stamp().Items() {
		got = append(got, fmt.Sprint(it.Model.ID, " ", it.Position, " ", it.YawPitchRoll, " ", it.Pivot, " ", it.Scale, " ", it.Flags, " #", it.Color))
	}
	want := `Old Nadeo {1 2 3} 2 false {0 0 0} {0 0 0} #-1
Cell Nadeo {4 5 6} 1 false {0 0 0} {0 0 0} #-1
NotFree ada {1 0 0} 0 false {0 0 0} {0 0 0} #-1
Free ada {0 0 0} 0 true {10 20 30} {0.1 0.2 0.3} #-1
My.Block.Gbx_CustomBlock ada {2 0 0} 0 false {0 0 0} {0 0 0} #3
A {10 20 30} {0.1 0.2 0.3} {0 1 0} 1 4 #-1
B {0 0 0} {0 0 0} {0 0 0} 7 0 #-1
C {0 0 0} {0 0 0} {0 0 0} 7 0 #2`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}

// TestPastedMacroblock: cells from the corner, metres from the ground, and an
// author only for what does not come with the game.
func TestPastedMacroblock(t *testing.T) {
	m := mapsample.New(t)
	blocks, items, f := m.BlockCount(), m.ItemCount(), m.Frame()
	if err := m.PasteMacroblock(stamp(), gbx.Int3{X: 10, Y: 9, Z: 20}, 0); err != nil {
		t.Fatal(err)
	}
	m = again(t, m)
	var got []string
	for _, b := range m.Blocks()[blocks:] {
		got = append(got, fmt.Sprint(b.Name, " ", b.Author, " ", b.Coord, " ", b.Direction, " #", b.Color))
	}
	if text := strings.Join(got[:3], "|") + "|" + got[4]; text != "Old  {11 11 23} 2 #0|Cell  {14 14 26} 1 #0|NotFree  {11 9 20} 0 #0|My.Block.Gbx_CustomBlock ada {12 9 20} 0 #3" {
		t.Errorf(`text = %v; want "Old {11 11 23} 2 #0|Cell {14 14 26} 1 #0|NotFree {11 9 20} 0 #0|My.Block.Gbx_CustomBlock ada {12 9 20} 0 #3"`, text)
	}
	// Ten cells of 32 m, and heights that count from the floor of the map.
	want := gbx.Vec3{X: 10*32 + 10, Y: 9*8 + 20 - float32(f.Floor)*8, Z: 20*32 + 30}
	if b := m.Blocks()[blocks+3]; !b.Free || !near(b.Position, want) {
		t.Errorf("%+v, want %v", b, want)
	}
	if it := m.Items()[items]; !near(it.Position, want) || it.Scale != 1 || it.Color != 0 {
		t.Errorf("%+v, want %v", it, want)
	}
	if it := m.Items()[items+2]; it.Scale != 7 || it.Color != 2 {
		t.Errorf("it = %+v; want it.Scale = 7, it.Color = 2", it)
	}
}

// TestEmbeddedFilesAreCounted: by blocks and items, in any case of letters.
func TestEmbeddedFilesAreCounted(t *testing.T) {
	m := mapsample.New(t)
	for i, name := range []string{"Tree.Item.Gbx", "tree.item.gbx", "Gone.Block.Gbx_CustomBlock"} {
		if err := m.AddBlock(maps.Block{Name: name, Author: "ada", Coord: gbx.Int3{X: int32(i), Y: 9, Z: 5}}); err != nil {
			t.Fatal(err)
		}
	}
	e, err := m.EmbeddedFiles()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range e.Files {
		got = append(got, fmt.Sprint(f.Name, " ", f.Uses, " ", f.Listed))
	}
	want := "Items/Tree.Item.Gbx 4 true|Items/Unused.Item.Gbx 0 true|Items/Tree.txt 0 false|C:/Users/Ada/Items/Leak.Item.Gbx 0 false|../Evil.Item.Gbx 0 false"
	if text := strings.Join(got, "|"); text != want || fmt.Sprint(e.Missing) != "[Gone.Block.Gbx_CustomBlock Lost.Item.Gbx]" {
		t.Errorf("%s, missing %s", text, e.Missing)
	}
}
