package maps

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/script"
	"pakbox/nadeo"
	"pakbox/nadeo/clips"
	"pakbox/nadeo/nadeotest/roomtest"
)

// refusal is something that cannot be done: it is refused with its kind and a reason, and
// nothing is changed by half.
type refusal struct {
	m    *Map
	do   func(*Map) error
	kind fault.Kind
	want string
}

func testRefused(t *testing.T, cases []refusal) {
	t.Helper()
	for _, c := range cases {
		err := c.do(c.m)
		if e := new(fault.Error); !errors.As(err, &e) || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %v: %s", err, c.kind, c.want)
		}
	}
}

// Files that a map embeds: maps without a place for them, damaged zips, wrong names.
func TestRefusedFiles(t *testing.T) {
	item := roomtest.Item(t)
	damaged := func() *Map { return madeMap(&game.Chunk03043054{EmbeddedZip: []byte("PK\x03\x04 and no more")}) }
	broken := func() *Map { // the local header of the file does not match the zip's directory
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		err := errors.Join(addFile(w, "Items/A.Item.Gbx", item), w.Close())
		if err != nil {
			t.Fatal(err)
		}
		b.Bytes()[0] = 'X'
		return madeMap(&game.Chunk03043054{EmbeddedZip: b.Bytes()})
	}
	empty := func() *Map { return madeMap(&game.Chunk03043054{}) }
	testRefused(t, []refusal{
		{madeMap(), func(m *Map) error { return m.RemoveEmbedded("Items/A.Item.Gbx") }, fault.Unsupported, "cannot embed files"},
		{madeMap(), func(m *Map) error { return m.AddEmbedded("Items/A.Item.Gbx", item) }, fault.Unsupported, "cannot embed files"},
		{empty(), func(m *Map) error { return m.RemoveEmbedded("Items/A.Item.Gbx") }, fault.Unsupported, "does not embed Items/A.Item.Gbx"},
		{empty(), func(m *Map) error { return m.AddEmbedded("Items/A.txt", item) }, fault.Unsupported, "Items/A.txt is not a path of an item or block"},
		{empty(), func(m *Map) error { return m.AddEmbedded("Items/A.Item.Gbx", []byte("none")) }, fault.NotFormat, ""},
		{empty(), func(m *Map) error {
			return m.AddEmbedded("Items/"+strings.Repeat("A", 70_000)+".Item.Gbx", item)
		}, fault.Limit, "embedded items"},
		{empty(), func(m *Map) error {
			return m.AddEmbedded("Items/A.Item.Gbx", encoded(t, mapOf(t, mapBytes(t, "03043000/9dcf8d1fd282.Map.Gbx"))))
		}, fault.NotFormat, "neither an item nor a block"},
		{damaged(), func(m *Map) error { return m.RemoveEmbedded("A") }, fault.Corrupt, "embedded items"},
		{damaged(), func(m *Map) error { return m.AddEmbedded("Items/A.Item.Gbx", item) }, fault.Corrupt, "embedded items"},
		{damaged(), func(m *Map) error { _, err := m.RootedZip(); return err }, fault.Corrupt, "embedded items"},
		{damaged(), func(m *Map) error { _, err := m.EmbeddedFiles(); return err }, fault.Corrupt, "embedded items"},
		{damaged(), func(m *Map) error { _, err := m.Scrub(); return err }, fault.Corrupt, "embedded items"},
		{broken(), func(m *Map) error { _, err := m.RootedZip(); return err }, fault.Corrupt, "embedded items"},
	})
}

// Blocks and items that a map of this game cannot hold.
func TestRefusedLayout(t *testing.T) {
	items := func(version uint32) *Map {
		n := newItem(version, nil)
		return madeMap(&game.Chunk03043040{Version: 3, Items: []gbx.Ref{gbx.NewRef(n)}})
	}
	change := func(edit func(*Item)) func(*Map) error {
		return func(m *Map) error {
			l := m.Layout()
			edit(&l.Items[0].Item)
			return l.Apply()
		}
	}
	unlimited := madeMap(&game.Chunk0304301F{})
	unlimited.File.Body.Chunks = append(unlimited.File.Body.Chunks, gbx.Chunk{ID: 0x3F001000})
	testRefused(t, []refusal{
		{items(5), change(func(it *Item) { it.Scale = 2 }), fault.Unsupported, "have no scale"},
		{items(6), change(func(it *Item) { it.Skin = "a" }), fault.Unsupported, "have no skin"},
		{items(7), change(func(it *Item) { it.Waypoint, it.Order = "Goal", -1 }), fault.Limit, "the order -1"},
		{items(7), change(func(it *Item) { it.Waypoint, it.Order = "Goal", 1<<31 }), fault.Limit, "the order 2147483648"},
		{items(7), func(m *Map) error { l := m.Layout(); l.Items[0].from = 3; return l.Apply() }, fault.Limit, "item 2 "},
		{madeMap(&game.Chunk03043040{Items: make([]gbx.Ref, 1)}), change(func(it *Item) { it.Position.X = 1 }), fault.Unsupported, "of this kind cannot be changed"},
		{madeMap(), func(m *Map) error { return m.CheckItem(&Item{}) }, fault.Unsupported, "no items"},
		{items(5), func(m *Map) error { return m.CheckItem(&Item{Scale: 2}) }, fault.Unsupported, "have no scale"},
		{madeMap(), func(m *Map) error { return m.CheckBlock(&Block{}) }, fault.Unsupported, "old kind of map"},
		{unlimited, func(m *Map) error { return m.CheckBlock(&Block{}) }, fault.Unsupported, "TMUnlimiter"},
		{madeMap(&game.Chunk0304301F{}), func(m *Map) error { return m.CheckBlock(&Block{Coord: gbx.Int3{Y: 256}}) }, fault.Limit, "cannot stand at 0 256 0"},
	})
}

// Thumbnails, values of scripts and clips; values that fit are set.
func TestRefusedValues(t *testing.T) {
	traits := &script.Chunk11002000{}
	traits.Traits.Traits = []script.Trait{
		{Name: "yes", Type: &script.Type{Kind: script.Boolean}}, {Name: "place", Type: &script.Type{Kind: script.Vec3}}, {Name: "real", Type: &script.Type{Kind: script.Real}},
	}
	scripted := madeMap(&game.Chunk03043044{ScriptMetadata: gbx.NewRef(roomtest.Node(0x11002000, traits))})
	older := gbx.NewRef(roomtest.Node(0x0307A000, &game.Chunk0307A001{}))
	newClip := func(g nadeo.Generation) clips.Clip {
		c, err := clips.NewClip(g, "a")
		if err != nil {
			t.Fatal(err)
		}
		return *c
	}
	testRefused(t, []refusal{
		{madeMap(), func(m *Map) error { return m.SetThumbnail(nil, ThumbnailForm{}) }, fault.Unsupported, "no place for a thumbnail"},
		{madeMap(), func(m *Map) error { return m.SetMeta("yes", "true") }, fault.Unsupported, "no script stored anything"},
		{scripted, func(m *Map) error { return m.SetMeta("no", "true") }, fault.Unsupported, `no value "no"`},
		{scripted, func(m *Map) error { return m.SetMeta("yes", "maybe") }, fault.Unsupported, `"maybe" is not a value of type Boolean`},
		{scripted, func(m *Map) error { return m.SetMeta("real", "inf") }, fault.Unsupported, `"inf" is not a value of type Real`},
		{scripted, func(m *Map) error { return m.SetMeta("place", "1") }, fault.Unsupported, "cannot be set from one word"},
		{madeMap(&game.Chunk03043049{ClipGroupInGame: older}), func(m *Map) error {
			return m.addTriggered(&older, Clip{Clip: newClip(nadeo.ManiaPlanet4), Use: ClipInGame, Trigger: &Trigger{Coords: []gbx.Int3{{}}}})
		}, fault.Unsupported, "lies outside the map"},
		{madeMap(&game.Chunk03043049{ClipGroupInGame: older}), func(m *Map) error {
			_, err := m.RemoveClips(func(*Clip) bool { return true })
			return err
		}, fault.Unsupported, "as an older game does"},
	})
	for value, want := range map[string]uint8{"true": 1, "false": 0} {
		if err := scripted.SetMeta("yes", value); err != nil || uint8(traits.Traits.Traits[0].Value.Bool) != want {
			t.Errorf("%s: err = %v; want no error, uint8(traits.Traits.Traits[0].Value.Bool) = %v", value, err, want)
		}
	}
	if err := scripted.SetMeta("real", "0.5"); err != nil || traits.Traits.Traits[2].Value.Real != 0.5 {
		t.Errorf("err = %v; want no error, traits.Traits.Traits[2].Value.Real = 0.5", err)
	}
	if meta := madeMap().Meta(); meta != nil {
		t.Errorf("meta = %v; want nil", meta)
	}
}

// Maps and clips that no game knows.
func TestRefusedNew(t *testing.T) {
	testRefused(t, []refusal{
		{nil, func(*Map) error { _, err := clips.NewClip(nadeo.Forever, "a\x00"); return err }, fault.Unsupported, ""},
		{nil, func(*Map) error { _, err := New(Options{Game: nadeo.Forever, Title: "t"}); return err }, fault.Unsupported, "neither a title nor a map type"},
		{nil, func(*Map) error { _, err := New(Options{Game: nadeo.Forever, Type: "t"}); return err }, fault.Unsupported, "neither a title nor a map type"},
		{nil, func(*Map) error { _, err := New(Options{UID: "short"}); return err }, fault.Unsupported, `"short" is not a UID`},
		{nil, func(*Map) error { _, err := New(Options{Name: "a\x00"}); return err }, fault.Unsupported, ""},
		{nil, func(*Map) error { _, err := New(Options{Game: "Tetris"}); return err }, fault.Unsupported, "new maps of Tetris cannot be made"},
		{nil, func(*Map) error { _, err := New(Options{Size: gbx.Int3{X: 1}}); return err }, fault.Unsupported, "there are "},
		{nil, func(*Map) error { _, err := MacroblockOf(roomtest.NodeFile(classMap)); return err }, fault.NotFormat, "macroblock"},
		{nil, func(*Map) error { _, err := nadeo.GenerationOf("tmo"); return err }, fault.Unsupported, `"tmo"`},
	})
	for word, want := range map[string]nadeo.Generation{"tmf": nadeo.Forever, "MP4": nadeo.ManiaPlanet4, "tm2020": nadeo.Trackmania2020} {
		if g, err := nadeo.GenerationOf(word); g != want || err != nil {
			t.Errorf("%s: g = %s, err = %v; want g = %s, no error", word, g, err, want)
		}
	}
}

// An embedded file is found by the map's name for it and by its path; folders of the zip
// do not count as files.
func TestEmbeddedByName(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{`Items\Folder\`, `Items\Tree.Item.Gbx`, "ClubItems/Wall.Item.Gbx", "Blocks/Ramp.Block.Gbx", "Items/Tree.Mesh.Gbx", "items/TREE.item.gbx", "Items/é.Item.Gbx"} {
		if err := addFile(w, name, []byte("content of "+name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	m := madeMap(&game.Chunk03043054{EmbeddedZip: b.Bytes(), EmbeddedItemModels: []gbx.Ident{{ID: gbx.NewID(`tree.ITEM.gbx`)}}})
	e, err := m.EmbeddedFiles()
	if err != nil || len(e.Files) != 6 {
		t.Fatalf("e = %+v, err = %v; want no error, e.Files of length 6", e, err)
	}
	for name, want := range map[string]string{
		"Tree.Item.Gbx": `Items\Tree.Item.Gbx`, `club:Wall.Item.Gbx`: "ClubItems/Wall.Item.Gbx", "Ramp.Block.Gbx_CustomBlock": "Blocks/Ramp.Block.Gbx", "é.Item.Gbx": "Items/é.Item.Gbx",
	} {
		t.Run(name, func(t *testing.T) {
			f := e.Model(name)
			if f == nil {
				t.Errorf("%s is not found", name)
				return
			}
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			if data, err := io.ReadAll(r); string(data) != "content of "+want || err != nil {
				t.Errorf("%s is %q, %v", name, data, err)
			}
			if f.Listed != (name == "Tree.Item.Gbx") {
				t.Errorf("%s is listed: %v", name, f.Listed)
			}
		})
	}
	if f := e.Path("items/tree.mesh.GBX"); f == nil || f.Model != "" || f.Size != int64(len("content of Items/Tree.Mesh.Gbx")) {
		t.Errorf(`f = %+v; want f other than nil, f.Model = "", f.Size = int64(len("content of Items/Tree.Mesh.Gbx"))`, f)
	}
	if e.Model("Bush.Item.Gbx") != nil || e.Path("Items/Bush.Item.Gbx") != nil {
		t.Error("found what is not there")
	}
	if names := strings.Join(m.EmbeddedNames(), " "); names != "Tree.Item.Gbx ClubItems/Wall.Item.Gbx Blocks/Ramp.Block.Gbx Tree.Mesh.Gbx items/TREE.item.gbx é.Item.Gbx" {
		t.Errorf(`names = %v; want "Tree.Item.Gbx ClubItems/Wall.Item.Gbx Blocks/Ramp.Block.Gbx Tree.Mesh.Gbx items/TREE.item.gbx é.Item.Gbx"`, names)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File { // other programs have to know how a name is written
		if f.NonUTF8 != !strings.Contains(f.Name, "é") && f.Flags&0x800 != 0 || strings.Contains(f.Name, "é") && f.Flags&0x800 == 0 {
			t.Errorf("%s: flags %x", f.Name, f.Flags)
		}
	}
	if err := m.RemoveEmbedded(); err != nil {
		t.Error(err)
	}
	if err := m.RemoveEmbedded("Items/Tree.Item.Gbx", "items/TREE.item.gbx"); err != nil || len(m.EmbeddedNames()) != 4 {
		t.Errorf("err = %v, m.EmbeddedNames() = %q; want no error, m.EmbeddedNames() of length 4", err, m.EmbeddedNames())
	}
	if c, _ := find[*game.Chunk03043054](m); len(c.EmbeddedItemModels) != 0 {
		t.Errorf("still listed: %v", c.EmbeddedItemModels)
	}
	for file, want := range map[string]string{"a/Tree.Item.Gbx": "Items/Tree.Item.Gbx", "Ramp.BLOCK.gbx": "Blocks/Ramp.BLOCK.gbx", "x.Mesh.Gbx": "Items/x.Mesh.Gbx"} {
		if got := EmbedName(file); got != want {
			t.Errorf("%s goes to %s", file, got)
		}
	}
}

// Stand-ins in the list, which editors outside the games leave, go with the
// block before them.
func TestStandIns(t *testing.T) {
	block := func(name string) game.CGameCtnChallengeBlock {
		return game.CGameCtnChallengeBlock{Name: gbx.NewID(name), Flags: game.CGameCtnChallengeBlockFlagsIsGround}
	}
	none := game.CGameCtnChallengeBlock{Name: gbx.NewID("-"), Flags: game.StandIn}
	list := []game.CGameCtnChallengeBlock{none, block("A"), none, none, block("B"), block("C"), none}
	for _, c := range []struct {
		edit func(l *Layout)
		want string
	}{
		{func(l *Layout) { l.Blocks[0].Name = "a" }, "- a - - B C -"},
		{func(l *Layout) { l.Blocks = l.Blocks[1:] }, "- B C -"},
		{func(l *Layout) { l.Blocks = l.Blocks[:1] }, "- A - -"},
		{func(l *Layout) { slices.Reverse(l.Blocks) }, "- C - B A - -"},
		{func(l *Layout) { l.Blocks = append(l.Blocks, l.Blocks[0], PlacedBlock{Block: Block{Name: "N"}}) }, "- A - - B C - A N"},
		{func(l *Layout) { l.Blocks = nil }, "-"},
	} {
		c301F := &game.Chunk0304301F{Version: 6}
		c301F.Blocks.Blocks = game.PackBlocks(list)
		m := madeMap(c301F)
		l := m.Layout()
		if len(l.Blocks) != 3 || l.Blocks[0].New() {
			t.Fatalf("%d blocks", len(l.Blocks))
		}
		c.edit(l)
		if err := l.Apply(); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, b := range c301F.Blocks.Unpack() {
			got = append(got, b.Name.String())
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s, want %s", s, c.want)
		}
	}
}

// Painting a block moves nothing, so the index of positions is kept.
func TestPaintMovesNothing(t *testing.T) {
	for _, c := range []struct {
		edit func(l *Layout)
		tree bool
	}{
		{func(l *Layout) { l.Blocks[0].Color = 3 }, true},
		{func(l *Layout) { l.Blocks[1].Color = 3 }, true},
		{func(l *Layout) { l.Blocks[0].Coord.Y++ }, false},
		{func(l *Layout) { l.Blocks[1].Name = "C" }, false},
		{func(l *Layout) { l.Blocks = l.Blocks[:1] }, false},
		{func(l *Layout) { l.Blocks = append(l.Blocks, l.Blocks[0]) }, false},
	} {
		blocks, tree := &game.Chunk0304301F{Version: 6}, &game.Chunk0304305D{HasBlockOctree: gbx.True}
		blocks.Blocks.Blocks = game.PackBlocks([]game.CGameCtnChallengeBlock{{Name: gbx.NewID("A")}, {Name: gbx.NewID("B")}})
		m := madeMap(blocks, tree, &game.Chunk03043062{Colors: make([]byte, 2)})
		l := m.Layout()
		c.edit(l)
		if err := l.Apply(); err != nil {
			t.Fatal(err)
		}
		if tree.HasBlockOctree.True() != c.tree {
			t.Errorf("the tree is there: %v", !c.tree)
		}
	}
}

// far returns the distance of two vectors.
func far(a, b gbx.Vec3) float64 {
	return math.Hypot(float64(a.X-b.X), math.Hypot(float64(a.Y-b.Y), float64(a.Z-b.Z)))
}

// The variant must combine the bits of a block, and differ in the air and on the ground.
func TestVariant(t *testing.T) {
	b := Block{Flags: 5 | 7<<6 | 9<<21}
	if got := b.Variant(); got != 5*10_000_000+1_000_000+9*1000+7 {
		t.Errorf("variant %d in the air", got)
	}
	b.SetGround(true)
	if got := b.Variant(); got != 5*10_000_000+9*1000+7 {
		t.Errorf("variant %d on the ground", got)
	}
	if got := (&Item{Flags: 0x3A04}).Variant(); got != 10 {
		t.Errorf("variant %d of an item", got)
	}
}

// A curve must have the size of its form on the ground or in the air, without the corner
// that it leaves free.
func TestBlockSizeOfCurve(t *testing.T) {
	bay := madeMap(&game.Chunk0304301F{Decoration: gbx.Ident{Collection: gbx.NewID("Bay")}, MapInfo: gbx.Ident{Collection: gbx.NewID("Bay")}})
	for ground, want := range map[bool]gbx.Int3{true: {X: 3, Y: 1, Z: 3}, false: {X: 3, Y: 2, Z: 3}} {
		curve := Block{Name: "BayRoadGTCurve3Support"}
		curve.SetGround(ground)
		if size, ok := bay.BlockSize(&curve); size != want || !ok {
			t.Errorf("%v, %v, want %v", size, ok, want)
		}
		if cells := len(bay.Cells(&curve)); cells != int(want.Y)*8 { // a corner is left free
			t.Errorf("%d cells on the ground: %v", cells, ground)
		}
		curve.Free = true
		if cells := bay.Cells(&curve); cells != nil {
			t.Errorf("a free block takes %v", cells)
		}
	}
	if _, ok := bay.BlockSize(&Block{Name: "Anything"}); ok {
		t.Error("the size of an unknown block is known")
	}
}

// Each environment has cells of its own size.
func TestCellSize(t *testing.T) {
	for name, want := range map[string]gbx.Vec3{
		"Coast": {X: 16, Y: 4, Z: 16}, "Speed": {X: 32, Y: 16, Z: 32}, "Alpine": {X: 32, Y: 16, Z: 32}, "Island": {X: 64, Y: 8, Z: 64}, "Storm": {X: 8, Y: 2, Z: 8},
		"Canyon": {X: 64, Y: 16, Z: 64}, "Stadium": {X: 32, Y: 8, Z: 32}, "Bay": {X: 32, Y: 8, Z: 32},
	} {
		if got := cellSize(name); got != want {
			t.Errorf("cells of %s are %v", name, got)
		}
	}
}

// A box must contain its two corners, and nothing one cell further.
func TestBoxHas(t *testing.T) {
	box := Box{Min: gbx.Int3{X: 1, Y: 2, Z: 3}, Max: gbx.Int3{X: 4, Y: 5, Z: 6}}
	for _, at := range []gbx.Int3{box.Min, box.Max} {
		if !box.Has(at) {
			t.Errorf("%v is outside", at)
		}
	}
	for _, at := range []gbx.Int3{{X: 0, Y: 2, Z: 3}, {X: 1, Y: 1, Z: 3}, {X: 1, Y: 2, Z: 2}, {X: 5, Y: 5, Z: 6}, {X: 4, Y: 6, Z: 6}, {X: 4, Y: 5, Z: 7}} {
		if box.Has(at) {
			t.Errorf("%v is inside", at)
		}
	}
}

// Loops over blocks must end when their body ends them.
func TestEachBlockEnds(t *testing.T) {
	for _, file := range []string{"24003000/05e08b66d639.Challenge.Gbx", "03043000/9dcf8d1fd282.Map.Gbx"} {
		m := mapOf(t, mapBytes(t, file))
		all, n := m.Blocks(), 0
		for b := range m.EachBlock() {
			if b.Name != all[n].Name || n == 2 {
				break
			}
			n++
		}
		for b := range m.EachBareBlock() {
			if b.Name != all[0].Name || n == 3 {
				break
			}
			n++
		}
		if n != 3 {
			t.Errorf("%s: went through %d blocks", file, n)
		}
	}
}

// A map without chunks has no baked blocks.
func TestNoBakedBlocks(t *testing.T) {
	if madeMap().EachBakedBlock() == nil || len(madeMap().BakedBlocks()) != 0 {
		t.Error("a map of nothing has baked blocks")
	}
}

// Mirroring must change the direction of a turn, not its tilt.
func TestMirroredTurn(t *testing.T) {
	for r, want := range map[gbx.Vec3]gbx.Vec3{{X: 1, Y: 2, Z: 3}: {X: 3.1415927 - 1, Y: 2, Z: -3}, {X: -1}: {X: 1 - 3.1415927}, {}: {X: 3.1415927}} {
		if got := mirroredTurn(r, AxisZ); far(got, want) > 1e-5 {
			t.Errorf("%v mirrored is %v, want %v", r, got, want)
		}
	}
}

// Logins of nobody must not count as personal.
func TestScrubOfNobody(t *testing.T) {
	var s scrubber
	for _, nobody := range []gbx.ID{gbx.NoID, gbx.NewID(""), gbx.NewID("Nadeo"), gbx.NewID(anonymous)} {
		s.login("here", &nobody)
	}
	if len(s.found) != 0 {
		t.Errorf("s.found = %v; want empty s.found", s.found)
	}
}
