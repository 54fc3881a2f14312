package maps

import (
	"encoding/xml"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/tree"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/nadeotest/roomtest"
)

// editable are maps of every generation. Those out of replays bring what the
// maps of the corpus lack: free blocks, items that are snapped to others.
var editable = []struct {
	file string
	what string
}{
	{"24003000/05e08b66d639.Challenge.Gbx", "an old class ID"},
	{"03043000/01199bac5d50.Challenge.Gbx", "TrackMania United, Bay"},
	{"03043000/49db2d012eef.Map.Gbx", "ManiaPlanet 2, Canyon, lightmap, nothing embedded"},
	{"03043000/8e10f2666444.Map.Gbx", "ManiaPlanet 3, Stadium"},
	{"03043000/c6a1caab9d5f.Map.Gbx", "ManiaPlanet 4, Lagoon"},
	{"03043000/1b4521a87f25.gbx", "ShootMania, Storm"},
	{"03093000/7ec31d6b4cea.Replay.Gbx", "Trackmania Turbo, Canyon, connected items"},
	{"03043000/ed61a14dcfed.Map.Gbx", "Trackmania, no items"},
	{"03043000/9dcf8d1fd282.Map.Gbx", "Trackmania, three blocks with a colour"},
	{"03043000/419a42a7df54.Map.Gbx", "ManiaPlanet 4, Stadium"},
	{"03093000/8bfcc82b40a6.Replay.Gbx", "Trackmania, one item, embedded"},
	{"03093000/6117c0454810.Replay.Gbx", "Trackmania, 500 items snapped to blocks, free blocks"},
	{"03093000/6f6dce8c6dce.Gbx", "Trackmania, version 8 of the items, 26 files embedded"},
}

// mapBytes returns a map of the corpus, be it inside a replay.
func mapBytes(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "gbx"), file))
	if err != nil {
		t.Fatal(err)
	}
	f := roomtest.Parse(t, data)
	if c, ok := gbx.Find[*game.Chunk03093002](f.Body); ok {
		return c.Map
	}
	return data
}

func mapOf(t testing.TB, data []byte) *Map {
	t.Helper()
	m, err := Of(roomtest.Parse(t, data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func differences(t testing.TB, a, b *gbx.File) []archive.ValueChange {
	t.Helper()
	list, err := tree.Diff(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Verify reads a file and holds it to what 'pakbox verify' looks at. It is set
// in verify_test.go: what verifies files imports this package.
var Verify func(t testing.TB, data []byte) *gbx.File

// saved saves a changed map and reads it back. Verify must report the same findings
// as before.
func saved(t testing.TB, m *Map) *Map {
	t.Helper()
	data, err := m.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	after, err := Of(Verify(t, data))
	if err != nil {
		t.Fatal(err)
	}
	return after
}

// things lists all values that a map has for each block, baked block and item, from
// all chunks.
func things(m *Map) (blocks, baked, items []string) {
	column := func(c []byte, i int) string {
		if i >= len(c) {
			return "-"
		}
		return fmt.Sprint(c[i])
	}
	var quality, phases []byte
	var macro []int32
	var foregrounds []game.CGameCtnChallengeForeground
	if c, ok := find[*game.Chunk03043068](m); ok {
		quality = c.LightmapQualities
	}
	if c, ok := find[*game.Chunk03043069](m); ok {
		macro = c.MacroblockIndices
	}
	if c, ok := find[*game.Chunk03043063](m); ok {
		phases = c.AnimPhaseOffsets
	}
	if c, ok := find[*game.Chunk03043065](m); ok {
		foregrounds = c.Foregrounds
	}
	for i, b := range m.Blocks() {
		s := fmt.Sprintf("%+v quality %s", b, column(quality, i))
		if i < len(macro) {
			s += fmt.Sprint(" macroblock ", macro[i])
		}
		blocks = append(blocks, s)
	}
	for i, b := range m.BakedBlocks() {
		baked = append(baked, fmt.Sprintf("%+v quality %s", b, column(quality, len(blocks)+i)))
	}
	c, _ := find[*game.Chunk03043040](m)
	for i, it := range m.Items() {
		s := fmt.Sprintf("%+v quality %s phase %s", it, column(quality, len(blocks)+len(baked)+i), column(phases, i))
		if k := len(blocks) + i; k < len(macro) {
			s += fmt.Sprint(" macroblock ", macro[k])
		}
		if i < len(foregrounds) {
			s += fmt.Sprintf(" foreground %+v", foregrounds[i])
		}
		items = append(items, s+snapped(c, i, blocks))
	}
	return blocks, baked, items
}

// snapped states what an item is snapped to.
func snapped(c *game.Chunk03043040, i int, blocks []string) string {
	if i >= len(c.ItemSnapIndexes) || c.ItemSnapIndexes[i] < 0 {
		return ""
	}
	row := c.ItemSnapIndexes[i]
	if k := c.SnappedBlocks[row]; k >= 0 {
		return " on " + blocks[k]
	}
	return fmt.Sprint(" on item ", c.SnappedItems[row])
}

// followers is what follows when something comes or goes: the lightmap no longer
// covers the map, and checkpoints are counted.
const followers = `|030430(3D|5B)\.(hasLightmaps|lightmaps)|lightmapVersion$|03043005\.xml$|nbCheckpoints$`

// edits are changes of a map, what may differ after them (patterns of paths),
// and what the map is then. A map that cannot be changed so gives errNot.
var edits = []struct {
	name    string
	apply   func(t *testing.T, m *Map) bool
	allowed string
	change  func(blocks, items []string) (b, i []string)
	done    func(*Map) bool
}{
	{
		"rename", func(_ *testing.T, m *Map) bool { return m.Rename("$f00Renamed <&> \"x\"") == nil },
		`mapName$|03043005\.xml$`, nil,
		func(m *Map) bool { return m.Name() == "$f00Renamed <&> \"x\"" && headerName(m) == m.Name() },
	},
	{
		"medals", func(_ *testing.T, m *Map) bool { m.SetMedals(Medals{11111, 22222, 33333, 44444}); return true },
		`(author|gold|silver|bronze)Time$|03043005\.xml$`, nil,
		func(m *Map) bool { return m.Medals() == Medals{11111, 22222, 33333, 44444} },
	},
	{
		"strip lightmap", func(_ *testing.T, m *Map) bool { m.StripLightmap(); return true },
		`030430(3D|5B)\.(hasLightmaps|lightmaps)|lightmapVersion$|03043005\.xml$`, nil,
		func(m *Map) bool { return !m.HasLightmap() && len(m.Lightmap()) == 0 },
	},
	{
		"remove password", func(_ *testing.T, m *Map) bool { m.RemovePassword(); return true },
		`03043029\.|[.]password$`, nil,
		func(m *Map) bool { p := m.Password(); return !p.Set && p.CRC == p.WantCRC },
	},
	{
		"add block", func(t *testing.T, m *Map) bool {
			return try(t, m.AddBlock(Block{Name: "PakboxTestBlock", Coord: gbx.Int3{X: 3, Y: 9, Z: 4}, Direction: 2, Flags: uint32(game.CGameCtnChallengeBlockFlagsIsGround), Color: min(2, len(m.colors()))}))
		},
		`0304301F\.(blocks|count)|030430(62|68|69)\.` + followers,
		func(b, i []string) ([]string, []string) { return append(slices.Clip(b), "PakboxTestBlock"), i }, nil,
	},
	{
		"add free block", func(t *testing.T, m *Map) bool {
			err := m.AddBlock(Block{Name: "PakboxTestBlock", Free: true, Position: gbx.Vec3{X: 100, Y: 50, Z: 200}, YawPitchRoll: gbx.Vec3{X: 1}})
			if _, ok := find[*game.Chunk0304305F](m); !ok && err != nil {
				return false // maps of this game have none
			}
			return try(t, err)
		},
		`0304301F\.(blocks|count)|030430(5F|62|68|69)\.` + followers,
		func(b, i []string) ([]string, []string) { return append(slices.Clip(b), "PakboxTestBlock"), i },
		func(m *Map) bool {
			list := m.Blocks()
			b := list[len(list)-1]
			return b.Free && b.Position == gbx.Vec3{X: 100, Y: 50, Z: 200} && b.YawPitchRoll == gbx.Vec3{X: 1}
		},
	},
	{
		"delete block", func(t *testing.T, m *Map) bool { return try(t, deleteBlock(m, 1)) },
		`0304301F\.(blocks|count)|030430(62|68|69|5F)\.|03043040\.encapsulated\.snappedBlocks|03043017|03043048\.bakedBlocks` + followers,
		func(b, i []string) ([]string, []string) { return without(b, 1), i }, nil,
	},
	{
		"add item", func(t *testing.T, m *Map) bool {
			err := m.AddItem(Item{Model: gbx.Ident{ID: gbx.NewID("PakboxTestItem"), Collection: m.Ident().Collection, Author: gbx.NewID("me")},
				Position: gbx.Vec3{X: 10, Y: 20, Z: 30}, Waypoint: "Checkpoint", Color: min(3, len(m.colors()))})
			if _, ok := find[*game.Chunk03043040](m); !ok && err != nil {
				return false
			}
			return try(t, err)
		},
		`03043040\.|030430(62|63|65|68|69)\.` + followers,
		func(b, i []string) ([]string, []string) { return b, append(slices.Clip(i), "PakboxTestItem") },
		func(m *Map) bool {
			list := m.Items()
			it := list[len(list)-1]
			return it.Position == gbx.Vec3{X: 10, Y: 20, Z: 30} && it.Waypoint == "Checkpoint"
		},
	},
	{
		"delete item", func(t *testing.T, m *Map) bool {
			if len(m.Items()) > 0 {
				return try(t, deleteItem(m, len(m.Items())/2))
			}
			return m.AddItem(Item{Model: m.Ident()}) == nil && try(t, deleteItem(m, 0))
		},
		`03043040\.|030430(62|63|65|68|69)\.` + followers,
		func(b, i []string) ([]string, []string) { return b, without(i, len(i)/2) }, nil,
	},
	{
		"add embedded item", func(t *testing.T, m *Map) bool {
			if _, err := m.embedding(); err != nil {
				return false
			}
			return try(t, m.AddEmbedded(testItem, roomtest.Item(t)))
		},
		`03043054\.`, nil,
		func(m *Map) bool {
			e, err := m.EmbeddedFiles()
			return err == nil && slices.ContainsFunc(e.Files, func(f EmbeddedFile) bool { return f.Name == testItem && f.Listed && f.Uses == 0 })
		},
	},
	{
		"remove embedded item", func(t *testing.T, m *Map) bool {
			if _, err := m.embedding(); err != nil {
				return false
			}
			e, err := m.EmbeddedFiles()
			if err == nil && len(e.Files) > 0 {
				return try(t, m.RemoveEmbedded(e.Files[0].Name))
			}
			return try(t, m.AddEmbedded(testItem, roomtest.Item(t))) && try(t, m.RemoveEmbedded(testItem))
		},
		`03043054\.`, nil, nil,
	},
}

const testItem = "Items/Pakbox/Test.Item.Gbx"

// deleteBlock removes blocks by their indices.
func deleteBlock(m *Map, indices ...int) error {
	i := -1
	_, err := m.RemoveBlocks(func(*Block) bool {
		i++
		return slices.Contains(indices, i)
	})
	return err
}

// deleteItem removes items by their indices.
func deleteItem(m *Map, indices ...int) error {
	i := -1
	_, err := m.RemoveItems(func(*Item) bool {
		i++
		return slices.Contains(indices, i)
	})
	return err
}

// headerName is the name as sites read it, of the header's XML.
func headerName(m *Map) string {
	c, ok := head[*game.Header03043005](m)
	if !ok {
		return m.Name()
	}
	var x struct {
		Ident struct {
			Name string `xml:"name,attr"`
		} `xml:"ident"`
	}
	if err := xml.Unmarshal([]byte(c.XML), &x); err != nil {
		return err.Error()
	}
	if plain, err := url.QueryUnescape(x.Ident.Name); err == nil {
		return plain
	}
	return x.Ident.Name
}

func try(t *testing.T, err error) bool {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return true
}

// Each edit makes the difference it should make and no other.
func TestEdits(t *testing.T) {
	t.Parallel()
	done := map[string]int{}
	for _, c := range editable {
		data := mapBytes(t, c.file)
		before := mapOf(t, data)
		blocks, baked, items := things(before)
		large := len(before.File.BodyBytes()) > 1<<20
		for _, e := range edits {
			if large && e.change == nil && !strings.Contains(e.name, "embedded") {
				continue // slow, and large maps have nothing of their own for these
			}
			t.Run(filepath.Base(c.file)+"/"+strings.ReplaceAll(e.name, " ", "_"), func(t *testing.T) {
				m := mapOf(t, data)
				if !e.apply(t, m) {
					return
				}
				done[e.name]++
				after := saved(t, m)
				allowed := regexp.MustCompile(e.allowed)
				for _, d := range differences(t, before.File, after.File) {
					if !allowed.MatchString(strings.ReplaceAll(d.Path, "24003", "03043")) {
						t.Errorf("%s: %s changed too", c.what, d.Path)
					}
				}
				wantBlocks, wantItems := blocks, items
				if e.change != nil {
					wantBlocks, wantItems = e.change(blocks, items)
				}
				gotBlocks, gotBaked, gotItems := things(after)
				sameThings(t, "blocks", gotBlocks, wantBlocks)
				wantBaked := baked
				if e.name == "delete block" {
					wantBaked = withoutPieces(t, baked, gotBaked, before.Blocks()[1].Name)
				}
				sameThings(t, "baked blocks", gotBaked, wantBaked)
				sameThings(t, "items", gotItems, wantItems)
				if e.done != nil && !e.done(after) {
					t.Error("the edit is not there")
				}
			})
		}
	}
	for _, e := range edits {
		if done[e.name] < 10 && e.name != "add free block" {
			t.Errorf("%s: only %d maps could be changed so", e.name, done[e.name])
		}
	}
}

// An item that is snapped to a block or item stands free once that is gone.
func TestSnappedTargetGoes(t *testing.T) {
	data := mapBytes(t, "03093000/6117c0454810.Replay.Gbx")
	m := mapOf(t, data)
	c, _ := find[*game.Chunk03043040](m)
	target, rows := int(c.SnappedBlocks[0]), len(c.SnappedBlocks)
	blocks, _, items := things(m)
	free, others := 0, 0
	if err := deleteBlock(m, target); err != nil {
		t.Fatal(err)
	}
	after := saved(t, m)
	gotBlocks, _, got := things(after)
	sameThings(t, "blocks", gotBlocks, without(blocks, target))
	for i := range got {
		switch {
		case got[i] == items[i]:
			others++
		case got[i]+" on "+blocks[target] == items[i]:
			free++
		default:
			t.Fatalf("item %d: %s\nwas %s", i, got[i], items[i])
		}
	}
	c, _ = find[*game.Chunk03043040](after)
	if free == 0 || others == 0 || len(c.SnappedBlocks) >= rows {
		t.Errorf("%d items stand free, %d as before; %d of %d rows left", free, others, len(c.SnappedBlocks), rows)
	}
}

// Items of one map that are snapped to one another, or connected.
func TestItemOnItemGoes(t *testing.T) {
	c := &game.Chunk03043040{
		Version: 7, Items: make([]gbx.Ref, 4), ConnectedItemPairs: []gbx.Int2{{X: 0, Y: 1}, {X: 2, Y: 3}, {X: 1, Y: 3}},
		SnappedBlocks: []int32{5, -1, -1}, SnapItemGroups: []int32{0, 1, 2}, SnappedItems: []int32{-1, 1, 3}, U01: []int32{-1, -1, -1},
		ItemSnapIndexes: []int32{1, 0, 1, 2},
	}
	m := &Map{&gbx.File{Body: &gbx.Node{Chunks: []gbx.Chunk{{Body: c}}}}}
	if err := deleteItem(m, 1); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(c.ConnectedItemPairs, c.SnappedBlocks, c.SnapItemGroups, c.SnappedItems, c.U01, c.ItemSnapIndexes)
	if want := "[{1 2}] [5 -1] [0 2] [-1 2] [-1 -1] [-1 -1 1]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// sameThings compares what stands on a map. Something added is only named.
// withoutPieces returns the baked blocks of before that are left in after. Only pieces of
// the block with this name may be gone.
func withoutPieces(t *testing.T, before, after []string, name string) []string {
	t.Helper()
	var left []string
	for _, b := range before {
		switch {
		case len(left) < len(after) && after[len(left)] == b:
			left = append(left, b)
		case !strings.Contains(b, name) || !strings.Contains(b, pieceMark):
			t.Errorf("baked block %s is gone with the block %s", b, name)
		}
	}
	return left
}

func sameThings(t *testing.T, what string, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d %s, want %d", len(got), what, len(want))
		return
	}
	for i := range got {
		if got[i] != want[i] && !(strings.HasPrefix(want[i], "Pakbox") && strings.Contains(got[i], want[i])) {
			t.Errorf("%s %d: %s\nwant %s", what, i, got[i], want[i])
			return
		}
	}
}
