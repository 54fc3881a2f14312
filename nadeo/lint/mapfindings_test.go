package lint_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pakbox/codec/lzo1x"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/nadeo"
	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
)

// mapEdge is a change of a map without mistakes, and the expected findings.
type mapEdge struct {
	name   string
	change func(t testing.TB, m *maps.Map) *maps.Map
	want   string
}

func uid(text string) func(t testing.TB, m *maps.Map) *maps.Map {
	return func(t testing.TB, m *maps.Map) *maps.Map {
		do(t, m.SetUID(text))
		return m
	}
}

func medals(author, gold, silver, bronze gbx.Time) func(t testing.TB, m *maps.Map) *maps.Map {
	return func(t testing.TB, m *maps.Map) *maps.Map {
		m.SetMedals(maps.Medals{Author: author, Gold: gold, Silver: silver, Bronze: bronze})
		return m
	}
}

// in does several changes.
func in(changes ...func(t testing.TB, m *maps.Map) *maps.Map) func(t testing.TB, m *maps.Map) *maps.Map {
	return func(t testing.TB, m *maps.Map) *maps.Map {
		for _, change := range changes {
			m = change(t, m)
		}
		return m
	}
}

func blocksOf(list ...maps.Block) func(t testing.TB, m *maps.Map) *maps.Map {
	return func(t testing.TB, m *maps.Map) *maps.Map {
		do(t, m.AddBlock(list...))
		return m
	}
}

func road(x, y, z int32) maps.Block {
	return maps.Block{Name: "RoadTechStraight", Coord: gbx.Int3{X: x, Y: y, Z: z}, Flags: ground}
}

func tree(x float32) maps.Item {
	return maps.Item{Model: ident("Tree.Item.Gbx"), Position: gbx.Vec3{X: x, Y: 8, Z: 750}, Scale: 1}
}

func zipped(header func(h *zip.FileHeader), more ...string) func(t testing.TB, m *maps.Map) *maps.Map {
	return func(t testing.TB, m *maps.Map) *maps.Map {
		rezip(t, m, header, more...)
		return m
	}
}

// edited makes an item one that was made in an editor, whose node has this class.
func edited(class classid.ID) func(f *gbx.File) {
	return func(f *gbx.File) {
		f.Body.Chunks = append(f.Body.Chunks, gbx.Chunk{ID: 0x2E002019, Body: &gamedata.Chunk2E002019{Version: 12, DefaultWeaponName: gbx.NoID, EntityModelEdition: gbx.NewRef(&gbx.Node{Class: class})}})
	}
}

var containerEdges = []mapEdge{
	{"compressed otherwise", func(t testing.TB, m *maps.Map) *maps.Map { m.File.SetCompression(true, lzo1x.Best); return m }, ""},
	{"uncompressed", breakers["uncompressed_map"], "error uncompressed_map: the body of the file is not compressed\n"},
	{"one node more", func(t testing.TB, m *maps.Map) *maps.Map { m = again(t, m); m.File.NumNodes++; return m }, ""},
	{"unreadable", breakers["unreadable_chunk"], "error unreadable_chunk: chunk 03043063 cannot be read: "},
	{"free cells", change(func(c *game.Chunk0304301F) {
		list := c.Blocks.Unpack()
		list[4].Coord = gbx.Byte3{X: 7, Y: 8, Z: 9}
		c.Blocks.Blocks = game.PackBlocks(list)
	}), "note free_block_cell: 1 free blocks have a cell, which the game ignores\n"},
	{"no light and blocks", func(t testing.TB, m *maps.Map) *maps.Map { without(m, 0x0304305B); return m }, ""},
	{"no light and no blocks", breakers["empty_without_light"], "error empty_without_light: the map has neither blocks nor chunk 0304305B\nnote upload_incomplete: the map lacks an author time, a gold time, a silver time, a bronze time\n"},
	{"too small a zip", change(func(c *game.Chunk03043054) { c.EmbeddedZip = []byte("no zip") }), "error embedded_zip: "},
	{"names that lead out", zipped(func(*zip.FileHeader) {}, "Items/../a.txt", "Items/..a.txt", "..b/c.txt"), "error unsafe_path: embedded Items/../a.txt leads out of the player's folder\n"},
	{"names that begin at the root", zipped(func(*zip.FileHeader) {}, "/Items/a.txt", "C:/Games/Items/b.txt"), "warning private_path: embedded C:/Games/Items/b.txt names a folder of its maker's computer\nwarning absolute_embed: embedded /Items/a.txt begins at the root of a drive\nwarning absolute_embed: embedded C:/Games/Items/b.txt begins at the root of a drive\n"},
	{"names on a drive", zipped(func(*zip.FileHeader) {}, "D:/b.txt", `E:\c.txt`, "F:d.txt", ":/e.txt"), "warning private_path: embedded D:/b.txt names a folder of its maker's computer\n" +
		"warning private_path: embedded E:/c.txt names a folder of its maker's computer\nwarning private_path: embedded :/e.txt names a folder of its maker's computer\n" +
		"warning absolute_embed: embedded D:/b.txt begins at the root of a drive\nwarning absolute_embed: embedded E:/c.txt begins at the root of a drive\n" +
		"note embed_form: the zip has names with backslashes (1)\n"},
	{"forms", zipped(func(h *zip.FileHeader) {
		if h.Name == "Items/x.txt" {
			h.Extra = []byte{1, 0, 0, 0}
		}
		if h.Name == "Items/s.txt" {
			h.Method = zip.Store
		}
	}, "Items/", "Blocks/", `Items\b.txt`, "Items/x.txt", "Items/s.txt"), "note embed_form: the zip has entries for folders (2)\nnote embed_form: the zip has entries with extra fields (1)\nnote embed_form: the zip has names with backslashes (1)\n"},
	{"an unusual compression", func(t testing.TB, m *maps.Map) *maps.Map {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for i, method := range []uint16{zip.Store, zip.Deflate, 12, 93} {
			_, err := w.CreateRaw(&zip.FileHeader{Name: fmt.Sprintf("Items/%d.txt", i), Method: method})
			do(t, err)
		}
		do(t, w.Close())
		_, err := m.RemoveItems(func(it *maps.Item) bool { return it.Model.ID.String() == "Tree.Item.Gbx" })
		do(t, err)
		chunk[*game.Chunk03043054](t, m).EmbeddedZip = b.Bytes()
		return m
	}, "note embed_form: the zip has entries with an unusual compression (2)\n"},
	{"unused", func(t testing.TB, m *maps.Map) *maps.Map {
		embed(t, m, "Items/Unused.Item.Gbx", item(t, func(f *gbx.File) {
			h, _ := gbx.FindHeader[*gamedata.Header2E001003](&f.Header)
			h.Model.Author = gbx.NewID("#40000001")
		}))
		return m
	}, ""},
	{"twice", zipped(func(*zip.FileHeader) {}, "Items/a.txt", `items\A.txt`), "note embed_form: the zip has names with backslashes (1)\n" + `warning embed_twice: embedded items\A.txt is duplicated` + "\n"},
	{"not listed", change(func(c *game.Chunk03043054) { c.EmbeddedItemModels = nil }), "warning embed_ident: embedded Items/Tree.Item.Gbx is not in the map's list\n"},
	{"listed under another author", breakers["embed_ident"], "warning embed_ident: embedded Items/Tree.Item.Gbx: its author is Bob in the map's list and Ada in the file\n"},
	{"listed under another collection", change(func(c *game.Chunk03043054) { c.EmbeddedItemModels[0].Collection = gbx.NumberID(7) }), "warning embed_ident: embedded Items/Tree.Item.Gbx: its collection is 7 in the map's list and 26 in the file\n"},
	{"another author in the body", remade(func(f *gbx.File) {
		f.Body.Chunks = append(f.Body.Chunks, gbx.Chunk{ID: 0x2E00100B, Body: &gamedata.Chunk2E00100B{Model: gbx.Ident{ID: gbx.NewID("Tree"), Collection: gbx.NumberID(26), Author: gbx.NewID("Bob")}}})
	}), "warning embed_ident: embedded Items/Tree.Item.Gbx: header and body of the file name different authors or collections\n"},
	{"the same author in the body", remade(func(f *gbx.File) {
		f.Body.Chunks = append(f.Body.Chunks, gbx.Chunk{ID: 0x2E00100B, Body: &gamedata.Chunk2E00100B{Model: gbx.Ident{ID: gbx.NewID("Tree"), Collection: gbx.NumberID(26), Author: gbx.NewID("Ada")}}})
	}), ""},
	{"no name for an author", breakers["embed_author"], "warning embed_ident: embedded Items/Tree.Item.Gbx: its author is Ada in the map's list and #40000001 in the file\nwarning embed_author: embedded Items/Tree.Item.Gbx: its author is #40000001\n"},
	{"references", breakers["embed_references"], "warning embed_references: embedded Items/Tree.Item.Gbx refers to 1 other files\n"},
	{"block as item", breakers["block_as_item"], "warning block_as_item: embedded Items/Tree.Item.Gbx is a custom block\n"},
	{"textures", zipped(func(*zip.FileHeader) {}, "Items/a.DDS", "Items/b.dds", "Items/dds"), "note loose_texture: 2 textures are embedded beside the items\nwarning item_texture_form: Items/a.DDS: is neither a DDS nor a TGA file\nwarning item_texture_form: Items/b.dds: is neither a DDS nor a TGA file\n"},
}

var thingEdges = []mapEdge{
	{"equal medals", medals(30000, 30000, 30000, 30000), ""},
	{"medals", medals(30000, 36000, 32000, 45000), "warning medal_order: a better medal is easier to get than a lesser one: author 0:30.000, gold 0:36.000, silver 0:32.000, bronze 0:45.000\n"},
	{"a checksum", breakers["crc_mismatch"], "warning crc_mismatch: the checksum of UID and password is "},
	{"no author time", in(medals(gbx.NoTime, 2000, 3000, 4000)), "note upload_incomplete: the map lacks an author time\n"},
	{"no other times", in(medals(1000, gbx.NoTime, gbx.NoTime, gbx.NoTime)), "note upload_incomplete: the map lacks a gold time, a silver time, a bronze time\n"},
	{"an unknown decoration", breakers["decoration"], "warning decoration: Stadium2020 has no decoration \"49x49Day\"\n"},
	{"unknown blocks", blocksOf(maps.Block{Name: "RoadTechStraigth", Coord: gbx.Int3{X: 30, Y: 9, Z: 30}}, maps.Block{Name: "RoadTechStraigth", Coord: gbx.Int3{X: 32, Y: 9, Z: 30}}), "warning unknown_block: RoadTechStraigth (2) is not known; did you mean RoadTechStraight?\n"},
	{"an item of other letters", breakers["unknown_item"], "warning unknown_item: gatecheckpointcenter16m (1) is not known; did you mean GateCheckpointCenter16m"},
	{"two equal items", add(tree(650)), "note duplicates: Tree.Item.Gbx stands 1 times where another one stands\n"},
	{"three equal items", in(add(tree(650)), add(tree(650))), "note duplicates: Tree.Item.Gbx stands 2 times where another one stands\n"},
	{"beside", add(tree(651)), ""},
	{"turned", add(maps.Item{Model: ident("Tree.Item.Gbx"), Position: gbx.Vec3{X: 650, Y: 8, Z: 750}, YawPitchRoll: gbx.Vec3{X: 1}, Scale: 1}), ""},
	{"another variant", add(maps.Item{Model: ident("Tree.Item.Gbx"), Position: gbx.Vec3{X: 650, Y: 8, Z: 750}, Flags: 1 << 8, Scale: 1}), ""},
	{"two free blocks", blocksOf(maps.Block{Name: "PlatformTechBase", Free: true, Position: gbx.Vec3{X: 700, Y: 40, Z: 800}}, maps.Block{Name: "PlatformTechBase", Free: true, Position: gbx.Vec3{X: 700, Y: 41, Z: 800}}), "note duplicates: PlatformTechBase stands 1 times where another one stands\n"},
	{"scaled", in(breakers["item_scale"]), "note item_scale: Tree.Item.Gbx (1) is scaled, which the game ignores\n"},
	{"scaled, of the game", add(maps.Item{Model: stock("GateCheckpointCenter16m"), Position: gbx.Vec3{X: 600, Y: 8, Z: 750}, Scale: 2}), "note item_scale: GateCheckpointCenter16m (1) is scaled, which the game ignores\n"},
	{"scaled crystal", in(remade(edited(0x2E026000)), breakers["item_scale"]), ""},
	{"scaled custom block", in(remade(edited(0x2E025000)), breakers["item_scale"]), "warning block_as_item: embedded Items/Tree.Item.Gbx is a custom block\n"},
	{"scaled, made otherwise", in(remade(edited(0x2E027000)), breakers["item_scale"]), "note item_scale: Tree.Item.Gbx (1) is scaled, which the game ignores\n"},
	{"dressed", breakers["item_skin"], "note item_skin: Tree.Item.Gbx (1) has a skin, which the game does not show\n"},
	{"off the map", in(place("RoadTechStraight", 48, 9, 10, 0), place("RoadTechStraight", 47, 9, 10, 0), place("RoadTechStraight", 48, 9, 12, 0)), "warning off_map: RoadTechStraight (2) stands outside of the map\n"},
	{"two in one cell", in(blocksOf(road(21, 9, 24)), blocksOf(maps.Block{Name: "RoadTechCurve1", Coord: gbx.Int3{X: 21, Y: 9, Z: 24}, Flags: ground})), "note overlap: RoadTechCurve1 and RoadTechStraight take the same cell (1)\nnote overlap: RoadTechStraight and RoadTechStraight take the same cell (1)\n"},
	{"a ghost in a cell", blocksOf(maps.Block{Name: "RoadTechCurve1", Coord: gbx.Int3{X: 21, Y: 9, Z: 24}, Flags: ground | 1<<28}), ""},
	{"wrong tags", in(breakers["waypoint_tag"], add(maps.Item{Model: stock("GateCheckpointCenter16m"), Position: gbx.Vec3{X: 600, Y: 8, Z: 790}, Scale: 1, Waypoint: "Goal"})), "note waypoint_tag: GateCheckpointCenter16m is tagged Goal, and its model is checkpoint (1)\nnote waypoint_tag: RoadTechCheckpoint is tagged Goal, and its model is checkpoint (1)\n"},
	{"linked", blocksOf(maps.Block{Name: "RoadTechCheckpoint", Coord: gbx.Int3{X: 20, Y: 9, Z: 25}, Flags: ground, Waypoint: "LinkedCheckpoint"}), ""},
	{"two starts", breakers["several_starts"], "note several_starts: there are 2 starts\n"},
	{"no start", breakers["no_start"], "warning no_start: nothing on the map is a start\n"},
	{"a start of another kind", in(breakers["no_start"], add(maps.Item{Model: ident("Tree.Item.Gbx"), Position: gbx.Vec3{X: 600, Y: 8, Z: 790}, Scale: 1, Waypoint: "Spawn"})), ""},
	{"no finish", breakers["no_finish"], "warning no_finish: nothing on the map is a finish\n"},
	{"laps", in(breakers["no_finish"], breakers["no_start"], add(maps.Item{Model: ident("Tree.Item.Gbx"), Position: gbx.Vec3{X: 600, Y: 8, Z: 790}, Scale: 1, Waypoint: "StartFinish"})), ""},
	{"lonely", place("RoadTechCheckpoint", 5, 30, 6, 0), "note lonely_checkpoint: RoadTechCheckpoint at 5 30 6: nothing leads to it\n"},
	{"not lonely", in(place("RoadTechCheckpoint", 5, 30, 6, 0), blocksOf(road(6, 32, 5))), ""},
	{"not lonely below", in(place("RoadTechCheckpoint", 5, 30, 6, 0), blocksOf(road(4, 28, 7))), ""},
	{"too far", in(place("RoadTechCheckpoint", 5, 30, 6, 0), blocksOf(road(7, 30, 6), road(5, 38, 6), road(5, 27, 6), road(5, 30, 8), road(3, 30, 6), road(5, 30, 4))), "note lonely_checkpoint: RoadTechCheckpoint at 5 30 6: nothing leads to it\n" +
		"warning road_gap: the road ends at 5 30 6 (RoadTechCheckpoint) and goes on at 5 30 8 (RoadTechStraight): 5 30 7 (RoadTechStraight) is missing\n" +
		"warning road_gap: the road ends at 5 30 6 (RoadTechCheckpoint) and goes on at 5 30 4 (RoadTechStraight): 5 30 5 (RoadTechStraight) is missing\n"},
	{"beside an item", in(place("RoadTechCheckpoint", 5, 30, 6, 0), add(maps.Item{Model: ident("Tree.Item.Gbx"), Position: gbx.Vec3{X: 6*32 + 1, Y: 21*8 + 1, Z: 6*32 + 1}, Scale: 1})), ""},
	{"beside a free block", in(place("RoadTechCheckpoint", 5, 30, 6, 0), blocksOf(maps.Block{Name: "PlatformTechBase", Free: true, Position: gbx.Vec3{X: 6*32 + 1, Y: 21*8 + 1, Z: 6*32 + 1}})), ""},
}

// Findings of maps at the edges of rules. An expected text without a line end is a prefix
// of the finding.
func TestMapEdges(t *testing.T) {
	for _, e := range append(containerEdges, thingEdges...) {
		m := again(t, e.change(t, fresh(t)))
		got := ""
		for _, line := range strings.SplitAfter(findingLines(lint.Map(m, 1000)), "\n") {
			if !strings.Contains(line, "have their sizes behind") { // as the zip writer of these tests does it
				got += line
			}
		}
		if got != e.want && (e.want == "" || strings.HasSuffix(e.want, "\n") || !strings.HasPrefix(got, e.want)) {
			t.Errorf("%s:\n%swant\n%s", e.name, got, e.want)
		}
	}
}

// At most twelve findings of one kind are reported, then the number of the others.
func TestMostOfOneKind(t *testing.T) {
	for n, want := range map[int]string{12: "", 13: "note lonely_checkpoint: 1 more of this kind", 15: "note lonely_checkpoint: 3 more of this kind"} {
		m := fresh(t)
		for i := range n {
			place("RoadTechCheckpoint", int32(1+3*i), 30, 5, 0)(t, m)
		}
		lines := strings.Split(strings.TrimSpace(findingLines(lint.Map(again(t, m), 1000))), "\n")
		if strings.Count(strings.Join(lines, "\n"), "nothing leads to it") != 12 || len(lines) != 12+min(n-12, 1) || want != "" && lines[12] != want {
			t.Errorf("of %d:\n%s", n, strings.Join(lines, "\n"))
		}
	}
	var few bytes.Buffer
	for _, f := range lint.Map(again(t, zipped(func(*zip.FileHeader) {}, "Items/a.txt")(t, fresh(t))), 1000) {
		few.WriteString(findingLines([]finding.Finding{f}))
	}
	if few.String() != "note embed_twice: 2 entries of the zip have their sizes behind their content\n" {
		t.Errorf("few.String() = %s; want \"note embed_twice: 2 entries of the zip have their sizes behind their content\\n\"", few.String())
	}
}

// The limits on the size of maps of older games.
func TestSizesOfOlderGames(t *testing.T) {
	m, err := maps.New(maps.Options{Game: nadeo.ManiaPlanet4})
	do(t, err)
	m = again(t, m)
	for size, want := range map[int64]string{
		lint.ManiaPlanetLimit: "", lint.ManiaPlanetLimit + 1: "warning oversize: 4194305 bytes; servers of ManiaPlanet and older games take 4194304\n",
		lint.UploadLimit + 1: "warning oversize: 26214401 bytes; servers of ManiaPlanet and older games take 4194304\n",
	} {
		got := ""
		for _, f := range lint.Map(m, size) {
			if strings.Contains(f.Rule, "size") {
				got += findingLines([]finding.Finding{f})
			}
		}
		if got != want {
			t.Errorf("%d: %q, want %q", size, got, want)
		}
	}
}

// Maps of one folder contradict each other by UID and by embedded files, whatever the
// case of names; the first of them by name is right.
func TestFolderOfMaps(t *testing.T) {
	var folder lint.Folder
	other := func(f *gbx.File) {
		h, _ := gbx.FindHeader[*gamedata.Header2E001003](&f.Header)
		h.Name = "another tree"
	}
	for name, change := range map[string]func(t testing.TB, m *maps.Map) *maps.Map{
		"a": in(), "b": in(), "c": in(blocksOf(road(30, 9, 30))), "d": in(uid("Other_000000000000000000000"), remade(other)), "e": in(uid("Third_000000000000000000000"), zipped(func(*zip.FileHeader) {}, "Items/more.txt")),
	} {
		folder.Add(name, again(t, change(t, fresh(t))))
	}
	got := ""
	folder.Findings(func(name string, found []finding.Finding) { got += name + " " + findingLines(found) })
	if want := "c warning uid_twice: the UID Fresh_000000000000000000000 is that of a, too\nd note embed_differs: embedded Items/Tree.Item.Gbx is another file than in a\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// The words for where a rule comes from.
func TestSureWords(t *testing.T) {
	for sure, want := range map[lint.Evidence]string{lint.Measured: "Measured on real files.", lint.Tested: "Tested by others, who loaded such files in the game.", lint.Guess: "A guess: from a single source, or derived from names.", lint.Transcribed: "Read out of the program by others."} {
		for fact, behind := range map[string]string{"": "", "M01": " (M01)", "M01 M02": " (M01, M02)"} {
			if got := sure.Words(fact); got != want+behind {
				t.Errorf("sure = %s fact = %q: got = %s; want got = want + behind", sure, fact, got)
			}
		}
	}
	items := 0
	for _, r := range lint.Rules() {
		if r.OfItems() {
			items++
		}
		if (strings.HasPrefix(r.Name, "item_") && r.Name != "item_scale" && r.Name != "item_skin") != r.OfItems() {
			t.Errorf("%s is about items: %v", r.Name, r.OfItems())
		}
	}
	if items == 0 {
		t.Error("no rule is about items")
	}
}

// Addresses that nobody can fetch say why.
func TestBadURLs(t *testing.T) {
	for url, want := range map[string]string{
		"http://[": "is not an address", "ftp://example.org/a": "is not a web address", "http:///a.zip": "leads nowhere outside its maker's network", "http://nas/a.zip": "leads nowhere outside its maker's network",
		"http://192.168.1.2/x": "leads nowhere outside its maker's network", "http://127.0.0.1/x": "leads nowhere outside its maker's network", "http://192.169.1.2/x": "", "http://www.dropbox.com/u/1/a.zip": "this service is gone", "http://www.dropbox.com/s/1/a.zip": "", "http://geocities.com/a": "this service is gone",
	} {
		m := fresh(t)
		chunk[*game.Chunk03043019](t, m).ModPackDesc = gbx.FileRef{Version: 3, Path: `Skins\Stadium\Mod\Snow.zip`, Locator: url}
		if want != "" {
			want = fmt.Sprintf("warning bad_url: mod Skins\\Stadium\\Mod\\Snow.zip: %s: %s\n", url, want)
		}
		if got := findingLines(lint.Map(m, 1000)); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
}

// A UID has 25 to 27 letters, digits, dashes and underscores.
func TestFormOfUIDs(t *testing.T) {
	for text, want := range map[string]bool{
		strings.Repeat("a", 24): false, strings.Repeat("a", 25): true, strings.Repeat("Z-_09", 6)[:27]: true, strings.Repeat("a", 28): false, strings.Repeat("a", 25) + ".": false, strings.Repeat("ä", 13): false,
	} {
		m := fresh(t)
		chunk[*game.Chunk0304301F](t, m).MapInfo.ID = gbx.NewID(text)
		got := findingLines(lint.Map(again(t, m), 1000))
		if want == strings.Contains(got, fmt.Sprintf("warning uid_form: the UID %q is not of the form that the games give\n", text)) {
			t.Errorf("%s: got = %s; want want other than strings.Contains(got, fmt.Sprintf(\"warning uid_form: the UID %%q is not of the form that the games give\\n\", text))", text, got)
		}
	}
}
