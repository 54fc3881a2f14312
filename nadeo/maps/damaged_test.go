package maps

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/script"
	"pakbox/nadeo/items"
	"pakbox/nadeo/nadeotest/roomtest"
)

// Macroblocks of items alone are turned in the box around those; in games
// without colours nothing has one; skins go to the blocks that they name.
func TestMacroblockDetails(t *testing.T) {
	at := func(x, z float32) game.CGameCtnMacroBlockInfoObjectSpawn {
		return game.CGameCtnMacroBlockInfoObjectSpawn{Version: 11, Color: 4, AbsolutePositionInMap: gbx.Vec3{X: x, Z: z}, ItemModel: gbx.Ident{ID: gbx.NewID("I"), Collection: gbx.NoID, Author: gbx.NoID}}
	}
	macro := func(b ...gbx.Body) *Macroblock {
		return &Macroblock{items.Collector{File: roomtest.NodeFile(classMacroblock, b...)}}
	}
	items := macro(&game.Chunk0310D00E{ObjectSpawns: []game.CGameCtnMacroBlockInfoObjectSpawn{at(10, 20), at(70, 5)}}) // in cells 0 0 and 2 0
	m := madeMap(&game.Chunk0304301F{Version: 6, Size: gbx.Int3{X: 32, Y: 32, Z: 32}}, &game.Chunk03043040{Version: 4})
	if err := m.PasteMacroblock(items, gbx.Int3{}, 1); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, it := range m.Items() {
		got = append(got, fmt.Sprint(it.Position.X, " ", it.Position.Z, " #", it.Color))
	}
	// A box of 3 by 1 cells, turned clockwise: what is z to the north is then
	// counted from the other side of the one cell, what is x becomes z.
	if s := strings.Join(got, ", "); s != "12 10 #-1, 27 70 #-1" {
		t.Errorf(`s = %v; want "12 10 #-1, 27 70 #-1"`, s)
	}
	skins := macro(
		&game.Chunk0310D000{BlockSpawns: make([]game.CGameCtnMacroBlockInfoBlockSpawn, 3)},
		&game.Chunk0310D001{BlockSkinSpawns: []game.CGameCtnMacroBlockInfoBlockSkinSpawn{
			{Version: 1, BlockSpawnIndex: 1, Skin: gbx.NewRef(roomtest.Node(classSkin, &game.Chunk03059002{PackDesc: gbx.FileRef{Path: "one"}}))},
			{Version: 0, BlockSpawnIndex: 2, Skin: gbx.NewRef(roomtest.Node(classSkin, &game.Chunk03059002{PackDesc: gbx.FileRef{Path: "by its cell"}}))},
			{Version: 1, BlockSpawnIndex: 3, Skin: gbx.NewRef(roomtest.Node(classSkin, &game.Chunk03059002{PackDesc: gbx.FileRef{Path: "none"}}))},
		}})
	got = nil
	for _, b := range skins.Blocks() {
		got = append(got, b.Skin)
	}
	if s := strings.Join(got, ","); s != ",one," {
		t.Errorf(`s = %v; want ",one,"`, s)
	}
	if macro().Blocks() != nil || macro().Items() != nil {
		t.Error("a macroblock of nothing has blocks or items")
	}
}

// Where the list of checkpoints is not that of the blocks, only what came and
// went changes in it.
func TestCheckpointsAfter(t *testing.T) {
	at := func(list ...int32) (out []gbx.Int3) {
		for _, x := range list {
			out = append(out, gbx.Int3{X: x})
		}
		return out
	}
	for _, c := range []struct{ list, before, after, want []gbx.Int3 }{
		{at(1, 2), at(1, 2), at(2, 3), at(2, 3)},
		{at(2, 1), at(1, 2), at(1, 2), at(2, 1)},
		{at(2, 1), at(1, 2), at(1, 2, 3), at(2, 1, 3)},
		{at(2, 1), at(1, 2), at(2), at(2)},
		{at(9, 1), at(1, 2), at(2, 3), at(9, 3)}, // one that no block has stays
		{at(1, 1, 5), at(1, 1), at(1), at(1, 5)},
		{nil, at(1), at(1, 2), at(2)},
	} {
		if got := checkpointsAfter(c.list, c.before, c.after); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v, of blocks %v then %v: %v, want %v", c.list, c.before, c.after, got, c.want)
		}
	}
}

// An item that moves takes its cell along, and one that leaves the grid has
// none.
func TestMovedCell(t *testing.T) {
	cell, none := gbx.Vec3{X: 32, Y: 8, Z: 32}, gbx.Byte3{X: noCell, Y: noCell, Z: noCell}
	for _, c := range []struct {
		at       gbx.Byte3
		from, to gbx.Vec3
		want     gbx.Byte3
	}{
		{gbx.Byte3{X: 1, Y: 9, Z: 2}, gbx.Vec3{X: 40, Y: 1, Z: 70}, gbx.Vec3{X: 63, Y: 7, Z: 95}, gbx.Byte3{X: 1, Y: 9, Z: 2}},
		{gbx.Byte3{X: 1, Y: 9, Z: 2}, gbx.Vec3{X: 40, Y: 1, Z: 70}, gbx.Vec3{X: 64, Y: -1, Z: 31}, gbx.Byte3{X: 2, Y: 8, Z: 0}},
		{gbx.Byte3{X: 1, Y: 9, Z: 2}, gbx.Vec3{X: 40, Y: 1, Z: 70}, gbx.Vec3{X: -1, Y: 1, Z: 70}, none},
		{gbx.Byte3{X: 1, Y: 9, Z: 2}, gbx.Vec3{X: 40, Y: 1, Z: 70}, gbx.Vec3{X: 31, Y: 1, Z: 70}, gbx.Byte3{X: 0, Y: 9, Z: 2}},
		{gbx.Byte3{X: 1, Y: 9, Z: 2}, gbx.Vec3{X: 40, Y: 1, Z: 70}, gbx.Vec3{X: 40 + 32*253, Y: 1, Z: 70}, gbx.Byte3{X: 254, Y: 9, Z: 2}},
		{gbx.Byte3{X: 1, Y: 9, Z: 2}, gbx.Vec3{X: 40, Y: 1, Z: 70}, gbx.Vec3{X: 40 + 32*254, Y: 1, Z: 70}, none},
		{none, gbx.Vec3{}, gbx.Vec3{X: 100}, none},
	} {
		if got := movedCell(c.at, c.from, c.to, cell); got != c.want {
			t.Errorf("%v, from %v to %v: %v, want %v", c.at, c.from, c.to, got, c.want)
		}
	}
}

// A copy of a waypoint is one of its own: what is changed of one stays with it.
func TestCopiedWaypoint(t *testing.T) {
	m := madeMap(&game.Chunk0304301F{Version: 6, Size: gbx.Int3{X: 9, Y: 9, Z: 9}})
	if err := m.AddBlock(Block{Name: "A", Waypoint: "Checkpoint", Order: 1}); err != nil {
		t.Fatal(err)
	}
	l := m.Layout()
	l.Blocks = append(l.Blocks, l.Blocks[0], l.Blocks[0])
	if err := l.Apply(); err != nil {
		t.Fatal(err)
	}
	made, _ := find[*game.Chunk0304301F](m)
	if w := made.Blocks.Unpack()[0].Extra.Waypoint.Node; len(w.Chunks) != 2 || w.Chunks[0].ID != 0x2E009000 || w.Chunks[1].ID != 0x2E009001 || w.Chunks[0].Skip || !w.Chunks[1].Skip { // as in real maps
		t.Errorf("w.Chunks = %+v; want w.Chunks of length 2, w.Chunks[0].ID = 0x2E009000, w.Chunks[1].ID = 0x2E009001, w.Chunks[0].Skip = false, w.Chunks[1].Skip = true", w.Chunks)
	}
	l.Blocks[1].Order = 2
	l.Blocks[2].Waypoint, l.Blocks[2].Order = "", 0
	if err := l.Apply(); err != nil {
		t.Fatal(err)
	}
	var got []string
	c, _ := find[*game.Chunk0304301F](m)
	for _, b := range m.Blocks() {
		got = append(got, fmt.Sprint(b.Waypoint, b.Order))
	}
	if s := strings.Join(got, " "); s != "Checkpoint1 Checkpoint2 0" {
		t.Errorf(`s = %v; want "Checkpoint1 Checkpoint2 0"`, s)
	}
	stored := c.Blocks.Unpack()
	if stored[0].Extra.Waypoint.Node == stored[1].Extra.Waypoint.Node || stored[2].Extra != nil {
		t.Error("blocks share what makes them waypoints")
	}
}

// Metadata of scripts is found by its key.
func TestMetaByKey(t *testing.T) {
	kind := func(k script.Kind) *script.Type { return &script.Type{Kind: k} }
	traits := &script.Chunk11002000{}
	pairs := []script.Pair{{Key: script.Value{Int: 3}, Value: script.Value{Text: "c"}}, {Key: script.Value{Int: 1}, Value: script.Value{Text: "a"}}}
	traits.Traits.Traits = []script.Trait{
		{Name: "A", Type: &script.Type{Kind: script.Array, Key: kind(script.Integer), Value: kind(script.Text)}, Value: script.Value{Pairs: pairs}},
		{Name: "B", Type: &script.Type{Kind: script.Array, Key: kind(script.Void), Value: kind(script.Text)}, Value: script.Value{Pairs: pairs}},
	}
	m := madeMap(&game.Chunk03043044{ScriptMetadata: gbx.NewRef(roomtest.Node(0x11002000, traits))})
	if got := fmt.Sprint(m.Meta()); got != "[{A Text[Integer] map[1:a 3:c]} {B Text[] [c a]}]" {
		t.Errorf(`got = %v; want "[{A Text[Integer] map[1:a 3:c]} {B Text[] [c a]}]"`, got)
	}
}

// ScrubPaths cuts absolute paths to the part below the player's folder: in items, in
// embedded files, and in their list. Unreadable files stay unchanged.
func TestScrubPaths(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"C:/Users/Ada/Tree.Item.Gbx", "/home/ada/Items/Sub/Bush.Item.Gbx", "Items/Plain.Item.Gbx"} {
		if err := addFile(w, name, []byte("no item")); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	ident := func(name, author string) gbx.Ident {
		return gbx.Ident{ID: gbx.NewID(name), Author: gbx.NewID(author), Collection: gbx.NoID}
	}
	items := &game.Chunk03043040{}
	for _, id := range []gbx.Ident{ident(`C:\Users\Ada\Tree.Item.Gbx`, "ada"), ident(`/home/ada/Items/Sub/Bush.Item.Gbx`, "ada"), ident(`C:\Users\Ada\Other.Item.Gbx`, "Nadeo"), ident("Flag8m", "ada")} {
		n := newItem(8, nil)
		a, _ := gbx.Find[*game.Chunk03101002](n)
		a.ItemModel = id
		items.Items = append(items.Items, gbx.NewRef(n))
	}
	m := madeMap(items, &game.Chunk03043054{EmbeddedZip: b.Bytes()})
	found, err := m.Scrub()
	if err != nil || len(found) == 0 {
		t.Fatalf("found = %v, err = %v; want no error, found not empty", found, err)
	}
	var got []string
	for _, it := range m.Items() {
		got = append(got, it.Model.ID.String())
	}
	if s := strings.Join(got, " "); s != `Tree.Item.Gbx Items/Sub/Bush.Item.Gbx C:\Users\Ada\Other.Item.Gbx Flag8m` {
		t.Errorf("s = %v; want `Tree.Item.Gbx Items/Sub/Bush.Item.Gbx C:\\Users\\Ada\\Other.Item.Gbx Flag8m`", s)
	}
	e, err := m.EmbeddedFiles()
	if err != nil {
		t.Fatal(err)
	}
	got = nil
	for i := range e.Files {
		got = append(got, e.Files[i].Name)
	}
	if s := strings.Join(got, " "); s != "Items/Tree.Item.Gbx Items/Sub/Bush.Item.Gbx Items/Plain.Item.Gbx" {
		t.Errorf(`s = %v; want "Items/Tree.Item.Gbx Items/Sub/Bush.Item.Gbx Items/Plain.Item.Gbx"`, s)
	}
	again, err := m.Scrub()
	if err != nil || len(again) != 0 {
		t.Errorf("once more: %v, %v", again, err)
	}
	for _, bare := range []*Map{madeMap(), madeMap(&game.Chunk03043054{})} {
		if found, err := bare.Scrub(); len(found) != 0 || err != nil {
			t.Errorf("found = %v, err = %v; want empty found, no error", found, err)
		}
	}
}
