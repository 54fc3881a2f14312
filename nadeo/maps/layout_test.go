package maps

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/nadeotest/roomtest"
)

// hiddenFlags say that a block has something that Block does not show.
const hiddenFlags = uint32(game.CGameCtnChallengeBlockFlagsHasDecal | game.CGameCtnChallengeBlockFlagsHasCardEvents |
	game.CGameCtnChallengeBlockFlagsHasSpecialProperty)

// Every map that can be edited, emptied and built anew from what Blocks and
// Items say, has the same blocks and items.
func TestRebuildMaps(t *testing.T) {
	t.Parallel()
	rebuilt := 0
	roomtest.Each(t, roomtest.MapFolders, func(c roomtest.File) {
		m, err := Of(c.File)
		if err != nil {
			return
		}
		if _, err := m.placed(); err != nil {
			return
		}
		rebuilt++
		name := filepath.Base(c.Path)
		blocks, items := m.Blocks(), m.Items()
		gone, err := m.RemoveBlocks(func(*Block) bool { return true })
		if err != nil || gone != len(blocks) || m.BlockCount() != 0 {
			t.Fatalf("%s: %d of %d blocks gone: %v", name, gone, len(blocks), err)
		}
		if gone, err := m.RemoveItems(func(*Item) bool { return true }); err != nil || gone != len(items) || m.ItemCount() != 0 {
			t.Fatalf("%s: %d of %d items gone: %v", name, gone, len(items), err)
		}
		if err := m.AddBlock(blocks...); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := m.AddItem(items...); err != nil && len(items) > 0 {
			t.Fatalf("%s: err = %v; want no error or len(items) at most 0", name, err)
		}
		sameLayout(t, name, again(t, m), blocks, items)
	})
	if rebuilt < 200 {
		t.Errorf("only %d maps", rebuilt)
	}
}

// again saves a map, reads it back, and holds it against verify; saved once
// more it is the same file.
func again(t testing.TB, m *Map) *Map {
	t.Helper()
	data, err := m.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	after, err := Of(Verify(t, data))
	if err != nil {
		t.Fatal(err)
	}
	twice, err := after.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, twice) {
		t.Error("the second save is another file")
	}
	return after
}

func sameLayout(t testing.TB, name string, m *Map, blocks []Block, items []Item) {
	t.Helper()
	got := m.Blocks()
	if len(got) != len(blocks) {
		t.Errorf("%s: %d blocks, want %d", name, len(got), len(blocks))
		return
	}
	for i := range got {
		x, y := got[i], blocks[i]
		x.Flags, y.Flags = x.Flags&^hiddenFlags, y.Flags&^hiddenFlags
		if !sameBlock(&x, &y) {
			t.Errorf("%s: block %d is %+v, want %+v", name, i, x, y)
			return
		}
	}
	if !slices.EqualFunc(m.Items(), items, func(x, y Item) bool { return sameItem(&x, &y) }) {
		t.Errorf("%s: the items are others", name)
	}
}

// A layout that is put back as it was leaves the file as it was.
func TestLayoutUnchanged(t *testing.T) {
	t.Parallel()
	for _, c := range editable {
		data := mapBytes(t, c.file)
		m := mapOf(t, data)
		l := m.Layout()
		l.Blocks, l.Items = slices.Clone(l.Blocks), slices.Clone(l.Items)
		if err := l.Apply(); err != nil {
			t.Fatal(err)
		}
		if got, err := m.File.Encode(); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: changed: %v", c.what, err)
		}
	}
}

// Blocks and items are changed where they are, and nothing else is.
func TestChangeInPlace(t *testing.T) {
	t.Parallel()
	for _, c := range editable {
		before := mapOf(t, mapBytes(t, c.file))
		list, _ := find[*game.Chunk0304301F](before)
		modern := list.Version >= gridVersion
		_, free := find[*game.Chunk0304305F](before)
		for name, change := range map[string]func(*Block){
			"name":      func(b *Block) { b.Name = "Other" },
			"move":      func(b *Block) { b.Coord = gbx.Int3{X: 5, Y: 6, Z: 7}; b.Position.X++ },
			"turn":      func(b *Block) { b.Direction = (b.Direction + 1) % 4; b.YawPitchRoll.X++ },
			"skin":      func(b *Block) { b.Skin, b.Author = `Skins\Any\x.dds`, "Nadeo" },
			"color":     func(b *Block) { b.Color = min(3, len(before.colors())) },
			"waypoint":  func(b *Block) { b.Waypoint, b.Order = "LinkedCheckpoint", 4 },
			"no more":   func(b *Block) { b.Waypoint, b.Order, b.Skin, b.Author = "", 0, "", "" },
			"from grid": func(b *Block) { b.Free, b.Position, b.YawPitchRoll = true, gbx.Vec3{X: 4}, gbx.Vec3{Y: 1} },
			"to grid":   func(b *Block) { b.Free, b.Coord, b.Direction = false, gbx.Int3{X: 5, Y: 6, Z: 7}, 2 },
		} {
			if name == "waypoint" && !modern || name == "from grid" && !free || name == "color" && len(before.colors()) == 0 {
				continue
			}
			m := mapOf(t, mapBytes(t, c.file))
			want, items := m.Blocks(), m.Items()
			for i := range want {
				if i%3 == 1 {
					change(&want[i])
				}
			}
			i := -1
			err := m.ChangeBlocks(func(b *Block) {
				if i++; i%3 == 1 {
					change(b)
				}
			})
			if err != nil {
				t.Fatalf("%s, %s: %v", c.what, name, err)
			}
			for i := range want { // these bits follow from the rest
				want[i].Flags &^= uint32(partFlags)
			}
			after := saved(t, m)
			got := after.Blocks()
			for i := range got {
				got[i].Flags &^= uint32(partFlags)
				if !sameBlock(&got[i], &want[i]) {
					t.Fatalf("%s, %s: block %d is %+v, want %+v", c.what, name, i, got[i], want[i])
				}
			}
			if !slices.EqualFunc(after.Items(), items, func(x, y Item) bool { return sameItem(&x, &y) }) {
				t.Errorf("%s, %s: items changed", c.what, name)
			}
		}
	}
}

// An item is changed where it is; the cell that it belongs to moves along.
func TestChangeItems(t *testing.T) {
	t.Parallel()
	changed := 0
	for _, c := range editable {
		m := mapOf(t, mapBytes(t, c.file))
		list, ok := find[*game.Chunk03043040](m)
		if !ok || len(list.Items) == 0 {
			continue
		}
		changed++
		version, _ := itemForm(list)
		cell := m.CellSize()
		change := func(it *Item) {
			it.Position.X += cell.X
			it.Model.ID = gbx.NewID("Other")
			it.Waypoint, it.Order = "Checkpoint", 2
			if version >= 7 {
				it.Skin = `Skins\Any\x.dds`
			}
		}
		want := m.Items()
		for i := range want {
			change(&want[i])
			want[i].Flags &^= itemSkin
		}
		var cells []gbx.Byte3
		for _, r := range list.Items {
			a, _ := gbx.Find[*game.Chunk03101002](r.Node)
			at := a.BlockUnitCoord
			if at.Y != noCell {
				at.X++
			}
			cells = append(cells, at)
		}
		if err := m.ChangeItems(change); err != nil {
			t.Fatal(err)
		}
		after := saved(t, m)
		list, _ = find[*game.Chunk03043040](after)
		for i, it := range after.Items() {
			it.Flags &^= itemSkin
			a, _ := gbx.Find[*game.Chunk03101002](list.Items[i].Node)
			if !sameItem(&it, &want[i]) || a.BlockUnitCoord != cells[i] {
				t.Fatalf("%s: item %d is %+v in %v, want %+v in %v", c.what, i, it, a.BlockUnitCoord, want[i], cells[i])
			}
		}
	}
	if changed < 4 {
		t.Errorf("only %d maps", changed)
	}
}

// A copy has all that the thing has which it is a copy of, but for what can be
// of one thing only; what the copy is changed to leaves the other alone.
func TestCopies(t *testing.T) {
	data := mapBytes(t, "03093000/6117c0454810.Replay.Gbx")
	m := mapOf(t, data)
	quality := &game.Chunk03043068{LightmapQualities: make([]byte, len(m.colors()))}
	quality.LightmapQualities[3] = 2
	m.File.Body.Chunks = append(m.File.Body.Chunks, gbx.Chunk{ID: classMap | 0x68, Skip: true, Body: quality})
	l := m.Layout()
	n, items := len(l.Blocks), len(l.Items)
	l.Blocks = append(l.Blocks, l.Blocks[3], l.Blocks[3])
	l.Blocks[n].Waypoint = "Goal"
	l.Items = append(l.Items, l.Items[7])
	if err := l.Apply(); err != nil {
		t.Fatal(err)
	}
	after := saved(t, m)
	quality, _ = find[*game.Chunk03043068](after)
	if q := quality.LightmapQualities; q[3] != 2 || q[n] != 2 || q[n+1] != 2 || q[4] != 0 {
		t.Error("the lightmap quality did not go with the copies")
	}
	blocks := after.Blocks()
	if blocks[n+1] != blocks[3] || blocks[3].Waypoint == "Goal" || blocks[n].Waypoint != "Goal" {
		t.Errorf("%+v of %+v", blocks[n:], blocks[3])
	}
	list, _ := find[*game.Chunk03043040](after)
	if list.ItemSnapIndexes[7] < 0 || list.ItemSnapIndexes[items] != -1 {
		t.Error("the copy of an item is snapped to what the item is")
	}
	if !sameItem(&after.Items()[items], &after.Items()[7]) {
		t.Error("the copy of an item is another")
	}
}

// Checkpoints that come and go are counted in the header.
func TestCheckpointsCounted(t *testing.T) {
	m := mapOf(t, mapBytes(t, "03043000/7799cf683ede.Map.Gbx"))
	count := func(want int) {
		t.Helper()
		if got, without := m.StoredCheckpoints(), m.Checkpoints(); got != want || without != want-1 {
			t.Errorf("%d checkpoints stored, %d without the finish; want %d stored", got, without, want)
		}
	}
	count(4) // three, and the finish
	linked := Block{Name: "RoadTechCheckpoint", Waypoint: "LinkedCheckpoint", Order: 7, Coord: gbx.Int3{X: 3, Y: 9, Z: 3}}
	try(t, m.AddBlock(linked, linked, Block{Name: "A", Waypoint: "Checkpoint"}))
	count(6)
	try(t, m.AddItem(Item{Model: m.Ident(), Waypoint: "Checkpoint"}))
	count(7)
	if n, err := m.RemoveBlocks(func(b *Block) bool { return b.Waypoint == "Checkpoint" }); n != 4 || err != nil {
		t.Errorf("n = %v, err = %v; want n = 4, no error", n, err)
	}
	count(3)
}

// A layout that a map cannot store is rejected, and the map stays unchanged.
func TestRefusedLayouts(t *testing.T) {
	old, recent := "03043000/01199bac5d50.Challenge.Gbx", "03043000/9dcf8d1fd282.Map.Gbx"
	for _, c := range []struct {
		file string
		edit func(*Map) error
		want string
	}{
		{old, func(m *Map) error { return m.AddBlock(Block{Name: "A", Free: true}) }, "no free blocks"},
		{old, func(m *Map) error { return m.AddBlock(Block{Name: "A", Color: 1}) }, "no colours"},
		{old, func(m *Map) error { return m.AddBlock(Block{Name: "A", Waypoint: "Goal"}) }, "by their names"},
		{old, func(m *Map) error { return m.AddItem(Item{}) }, "no items"},
		{recent, func(m *Map) error { return m.AddBlock(Block{Name: "A"}, Block{Coord: gbx.Int3{X: 255}}) }, "cannot stand at 255 0 0"},
		{recent, func(m *Map) error { return m.AddBlock(Block{Color: 256}) }, "colour 256"},
		{recent, func(m *Map) error { return m.AddBlock(Block{Order: 1}) }, "only a waypoint"},
		{recent, func(m *Map) error {
			l := m.Layout()
			l.Blocks[0].from = 99999
			return l.Apply()
		}, "block 99998"},
		{"03043000/419a42a7df54.Map.Gbx", func(m *Map) error { return m.AddItem(Item{Color: 1}) }, "no colours"},
	} {
		data := mapBytes(t, c.file)
		m := mapOf(t, data)
		if err := c.edit(m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
		if got, err := m.File.Encode(); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: the map changed all the same", c.want)
		}
	}
}

// Four quarters of a turn, and two mirrorings, change nothing. Cells turn with
// the blocks that take them.
func TestTurnAndMirror(t *testing.T) {
	m := mapOf(t, mapBytes(t, "03043000/01199bac5d50.Challenge.Gbx"))
	f, box := m.Frame(), m.Grid()
	large := 0
	for _, b := range m.Blocks() {
		turned := b
		f.TurnBlock(&turned, box, 1)
		var want []gbx.Int3
		for _, c := range m.Cells(&b) {
			want = append(want, gbx.Int3{X: box.Max.Z - c.Z, Y: c.Y, Z: c.X})
		}
		got := m.Cells(&turned)
		order := func(x, y gbx.Int3) int { return strings.Compare(fmt.Sprint(x), fmt.Sprint(y)) }
		slices.SortFunc(got, order)
		slices.SortFunc(want, order)
		if !slices.Equal(got, want) {
			t.Fatalf("%+v turned takes %v, want %v", b, got, want)
		}
		if len(got) > 1 {
			large++
		}
		f.TurnBlock(&turned, Box{Max: gbx.Int3{X: box.Max.Z, Y: box.Max.Y, Z: box.Max.X}}, 3)
		for _, axis := range []Axis{AxisX, AxisZ} {
			f.MirrorBlock(&turned, box, axis)
			f.MirrorBlock(&turned, box, axis)
		}
		if turned != b {
			t.Fatalf("%+v became %+v", b, turned)
		}
	}
	if large == 0 {
		t.Error("no block takes more than a cell")
	}
}

// A free block that lies on a cell does what a block of that cell does.
func TestFreeFollowsGrid(t *testing.T) {
	m := madeMap(&game.Chunk0304301F{Version: gridVersion, Size: gbx.Int3{X: 48, Y: 40, Z: 32}, MapInfo: gbx.Ident{Collection: gbx.NumberID(26)}})
	f, box := m.Frame(), m.Grid()
	at := gbx.Int3{X: 7, Y: 9, Z: 12}
	for name, change := range map[string]func(*Block){
		"move": func(b *Block) { f.MoveBlock(b, gbx.Int3{X: 2, Y: -1, Z: 3}) }, "turn": func(b *Block) { f.TurnBlock(b, box, 1) },
		"turn back": func(b *Block) { f.TurnBlock(b, box, -1) }, "half": func(b *Block) { f.TurnBlock(b, box, 2) },
		"mirror x": func(b *Block) { f.MirrorBlock(b, box, AxisX) }, "mirror z": func(b *Block) { f.MirrorBlock(b, box, AxisZ) },
		"both": func(b *Block) { f.TurnBlock(b, box, 1); f.MirrorBlock(b, Box{Max: gbx.Int3{X: 31, Z: 47}}, AxisX) },
	} {
		fixed := Block{Name: "A", Coord: at}
		free := Block{Name: "A", Free: true, Position: gbx.Vec3{X: 7 * 32, Y: float32(9-f.Floor) * 8, Z: 12 * 32}}
		change(&fixed)
		change(&free)
		// The middle of the free block, which turns about its corner.
		s, c := math.Sincos(float64(free.YawPitchRoll.X))
		middle := plus(free.Position, gbx.Vec3{X: float32(16*c + 16*s), Y: 4, Z: float32(16*c - 16*s)})
		if got := f.CellAt(middle); got != fixed.Coord {
			t.Errorf("%s: the free block is in %v, the other in %v", name, got, fixed.Coord)
		}
		want := -float64(fixed.Direction) * math.Pi / 2
		if d := math.Remainder(float64(free.YawPitchRoll.X)-want, 2*math.Pi); math.Abs(d) > 1e-5 {
			t.Errorf("%s: the free block is turned by %v, the other faces %d", name, free.YawPitchRoll.X, fixed.Direction)
		}
	}
}

// Every macroblock of the corpus can be pasted, in every direction.
func TestPaste(t *testing.T) {
	t.Parallel()
	pasted := 0
	for path, data := range corpus.GBX(t, "0310d000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		macro, err := MacroblockOf(f)
		if err != nil {
			t.Fatal(err)
		}
		for direction := range 4 {
			m := mapOf(t, mapBytes(t, "03043000/9dcf8d1fd282.Map.Gbx"))
			blocks, items := m.BlockCount(), m.ItemCount()
			if err := m.PasteMacroblock(macro, gbx.Int3{X: 10, Y: 9, Z: 11}, direction); err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			after := saved(t, m)
			if got, want := after.BlockCount()-blocks, len(macro.Blocks()); got != want {
				t.Errorf("%s: %d blocks more, want %d", path, got, want)
			}
			if got, want := after.ItemCount()-items, len(macro.Items()); got != want {
				t.Errorf("%s: %d items more, want %d", path, got, want)
			}
			pasted++
			for _, b := range after.Blocks()[blocks:] {
				if !b.Free && (b.Coord.X < 10 || b.Coord.Y < 9 || b.Coord.Z < 11) {
					t.Errorf("%s: %+v is before the corner", path, b)
				}
			}
		}
	}
	if pasted < 40 {
		t.Errorf("%d pasted", pasted)
	}
}

// A reference to a skin that is empty stays with an item that is moved or
// painted. It goes with its flag, or when the item gets a skin.
func TestEmptySkinStays(t *testing.T) {
	const flags = 5
	item := newItem(7, nil)
	a, _ := gbx.Find[*game.Chunk03101002](item)
	a.Flags, a.PackDesc = flags, gbx.FileRef{Version: 3, Checksum: gbx.Hash256{1}}
	m := madeMap(&game.Chunk0304301F{Version: gridVersion}, &game.Chunk03043040{Version: 7, Items: []gbx.Ref{gbx.NewRef(item)}})
	stored := func() *game.Chunk03101002 {
		c, _ := find[*game.Chunk03043040](m)
		a, _ := gbx.Find[*game.Chunk03101002](c.Items[0].Node)
		return a
	}
	want := a.PackDesc
	for _, change := range []func(*Item){
		func(it *Item) { it.Position.X += 32 }, func(it *Item) { it.YawPitchRoll.X = 1 }, func(it *Item) { it.Scale = 2 }, func(it *Item) { it.Flags |= 0x100 },
	} {
		if err := m.ChangeItems(change); err != nil {
			t.Fatal(err)
		}
		if a := stored(); a.Flags&^0x100 != flags || a.PackDesc != want {
			t.Errorf("flags %x, skin %+v", a.Flags, a.PackDesc)
		}
	}
	if err := m.AddItem(Item{Scale: 1, Flags: flags}); err != nil {
		t.Fatal(err)
	}
	if it := m.Items()[1]; it.Flags != flags || it.Skin != "" {
		t.Errorf("a new item with an empty skin is %+v", it)
	}
	for _, c := range []struct {
		change func(*Item)
		flags  uint16
		path   string
	}{
		{func(it *Item) { it.Skin = "x.dds" }, flags, "x.dds"},
		{func(it *Item) { it.Skin = "" }, 1, ""},
		{func(it *Item) { it.Flags = 1 }, 1, ""},
	} {
		if err := m.ChangeItems(c.change); err != nil {
			t.Fatal(err)
		}
		if a := stored(); a.Flags&^0x100 != c.flags || a.PackDesc.Path != c.path {
			t.Errorf("flags %x, skin %+v, want %x and %q", a.Flags, a.PackDesc, c.flags, c.path)
		}
	}
}

// BenchmarkPlaceMany compares 10,000 blocks placed in one save with decoding
// and saving the map.
func BenchmarkPlaceMany(b *testing.B) {
	data := mapBytes(b, "03043000/801dc9070351.Gbx")
	list := make([]Block, 10_000)
	for i := range list {
		list[i] = Block{Name: fmt.Sprint("StadiumRoadMain", i%20), Coord: gbx.Int3{X: int32(i % 60), Y: int32(9 + i/3600), Z: int32(i / 60 % 60)}, Direction: i % 4}
	}
	run := func(edit func(*Map) error) time.Duration {
		start := time.Now()
		m := mapOf(b, data)
		if err := edit(m); err != nil {
			b.Fatal(err)
		}
		if _, err := m.File.Encode(); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	var plain, placed time.Duration
	for b.Loop() {
		plain += run(func(m *Map) error { return m.Rename("again") }) // so that the body is re-encoded
		placed += run(func(m *Map) error { return m.AddBlock(list...) })
	}
	b.ReportMetric(float64(placed)/float64(plain), "x-decode-and-save")
}
