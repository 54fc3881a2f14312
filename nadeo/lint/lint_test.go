package lint_test

import (
	"archive/zip"
	"bytes"
	"slices"
	"strings"
	"testing"

	"pakbox/codec/lzo1x"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo"
	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
)

const ground = 1 << 12

// fresh is a map in which no rule finds anything: a short road with an item
// that the map embeds, and one that stands free.
func fresh(t testing.TB) *maps.Map {
	t.Helper()
	m, err := maps.New(maps.Options{UID: "Fresh_000000000000000000000"})
	if err != nil {
		t.Fatal(err)
	}
	for x, name := range []string{"RoadTechStart", "RoadTechStraight", "RoadTechCheckpoint", "RoadTechFinish"} {
		b := maps.Block{Name: name, Coord: gbx.Int3{X: int32(20 + x), Y: 9, Z: 24}, Direction: 1, Flags: ground}
		b.Waypoint = [...]string{"Spawn", "", "Checkpoint", "Goal"}[x]
		do(t, m.AddBlock(b))
	}
	do(t, m.AddBlock(maps.Block{Name: "PlatformTechBase", Free: true, Position: gbx.Vec3{X: 700, Y: 40, Z: 800}}))
	m.SetMedals(maps.Medals{Author: 30000, Gold: 32000, Silver: 36000, Bronze: 45000})
	embed(t, m, "Items/Tree.Item.Gbx", item(t, nil))
	do(t, m.AddItem(maps.Item{Model: ident("Tree.Item.Gbx"), Position: gbx.Vec3{X: 650, Y: 8, Z: 750}, Scale: 1}))
	do(t, m.AddItem(maps.Item{Model: stock("GateCheckpointCenter16m"), Position: gbx.Vec3{X: 650, Y: 8, Z: 790}, Scale: 1, Waypoint: "Checkpoint"}))
	return m
}

func do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ident(name string) gbx.Ident {
	return gbx.Ident{ID: gbx.NewID(name), Collection: gbx.NumberID(26), Author: gbx.NewID("Ada")}
}

func stock(name string) gbx.Ident {
	return gbx.Ident{ID: gbx.NewID(name), Collection: gbx.NumberID(26), Author: gbx.NewID("Nadeo")}
}

// item is an item that was changed.
func item(t testing.TB, change func(f *gbx.File)) []byte {
	t.Helper()
	data, err := mapsample.Item("Tree")
	do(t, err)
	f, err := gbx.Parse(data, engine.Registry())
	do(t, err)
	if change != nil {
		change(f)
	}
	data, err = f.Encode()
	do(t, err)
	return data
}

func embed(t testing.TB, m *maps.Map, name string, data []byte) {
	t.Helper()
	do(t, m.AddEmbedded(name, data))
}

// rezip writes the embedded files of a map anew.
func rezip(t testing.TB, m *maps.Map, header func(h *zip.FileHeader), more ...string) {
	t.Helper()
	data, err := mapsample.Item("Tree")
	do(t, err)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range append([]string{"Items/Tree.Item.Gbx"}, more...) {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate}
		header(h)
		out, err := w.CreateHeader(h)
		do(t, err)
		if !strings.HasSuffix(name, "/") {
			_, err = out.Write(data)
			do(t, err)
		}
	}
	do(t, w.Close())
	chunk[*game.Chunk03043054](t, m).EmbeddedZip = b.Bytes()
}

func chunk[C gbx.Body](t testing.TB, m *maps.Map) C {
	t.Helper()
	for _, n := range []*gbx.Node{m.File.Body, m.Parameters()} {
		if c, ok := gbx.Find[C](n); ok {
			return c
		}
	}
	c, ok := gbx.FindHeader[C](&m.File.Header)
	if !ok {
		t.Fatalf("there is no %T", c)
	}
	return c
}

func without(m *maps.Map, id uint32) {
	n := m.File.Body
	n.Chunks = slices.DeleteFunc(n.Chunks, func(c gbx.Chunk) bool { return uint32(c.ID) == id })
}

// again saves a map and reads it back.
func again(t testing.TB, m *maps.Map) *maps.Map {
	t.Helper()
	data, err := m.File.Encode()
	do(t, err)
	return mapsample.Parsed(t, data)
}

// breakers has a change for each rule that a single map can break.
var breakers = map[string]func(t testing.TB, m *maps.Map) *maps.Map{
	"uncompressed_map": func(t testing.TB, m *maps.Map) *maps.Map {
		m.File.SetCompression(false, lzo1x.Fast)
		return m
	},
	"node_count": func(t testing.TB, m *maps.Map) *maps.Map {
		m = again(t, m)
		m.File.NumNodes -= 2
		return m
	},
	"unreadable_chunk": func(t testing.TB, m *maps.Map) *maps.Map {
		for i := range m.File.Body.Chunks {
			if c := &m.File.Body.Chunks[i]; c.ID == 0x03043063 {
				c.Body = &gbx.Opaque{Bytes: []byte{1, 2, 3}}
			}
		}
		return m
	},
	"columns": change(func(c *game.Chunk03043062) { c.Colors = c.Colors[1:] }),
	"cut_chunk": func(t testing.TB, m *maps.Map) *maps.Map {
		m.File.Chunks = nil
		m.File.SetCompression(false, lzo1x.Fast)
		data, err := m.File.Encode()
		do(t, err)
		return mapsample.Parsed(t, data[:len(data)-30])
	},
	"empty_without_light": func(t testing.TB, _ *maps.Map) *maps.Map {
		m, err := maps.New(maps.Options{})
		do(t, err)
		without(m, 0x0304305B)
		return m
	},
	"free_block_cell": change(func(c *game.Chunk0304301F) {
		list := c.Blocks.Unpack()
		list[4].Coord = gbx.Byte3{X: 7, Y: 8, Z: 9}
		c.Blocks.Blocks = game.PackBlocks(list)
	}),
	"facts_differ": func(t testing.TB, m *maps.Map) *maps.Map {
		if h, ok := gbx.FindHeader[*game.Header03043003](&m.File.Header); ok {
			h.MapName = "another"
		}
		return m
	},
	"header_xml": func(t testing.TB, m *maps.Map) *maps.Map {
		if h, ok := gbx.FindHeader[*game.Header03043005](&m.File.Header); ok {
			h.XML = "foo"
		}
		return m
	},
	"medal_order": func(t testing.TB, m *maps.Map) *maps.Map {
		m.SetMedals(maps.Medals{Author: 5000, Gold: 4000, Silver: 6000, Bronze: 7000})
		return m
	},
	"crc_mismatch": change(func(c *game.Chunk03043029) { c.CRC32++ }),
	"uid_mismatch": change(func(c *game.Chunk0304301F) { c.MapInfo.ID = gbx.NewID("Another_0000000000000000000") }),
	"uid_form": func(t testing.TB, m *maps.Map) *maps.Map {
		chunk[*game.Chunk0304301F](t, m).MapInfo.ID = gbx.NewID("short")
		return m
	},
	"needs_unlock": change(func(c *game.Header03043002) { c.NeedUnlock = gbx.True }),
	"validation": func(t testing.TB, m *maps.Map) *maps.Map {
		ghost := &gbx.Node{Class: 0x03092000, Chunks: []gbx.Chunk{{ID: 0x03092010, Body: &game.Chunk03092010{ChallengeUID: gbx.NewID("Another_0000000000000000000")}}}}
		chunk[*game.Chunk0305B00E](t, m).IsValidated = gbx.True
		m.File.Chunks = nil // the map of an older game: the newest gives maps another UID after the run
		chunk[*game.Chunk03043051](t, m).BuildVersion = "date=2015-01-10_00_00"
		for i := range m.Parameters().Chunks {
			if c, ok := m.Parameters().Chunks[i].Body.(*game.Chunk0305B00F); ok {
				c.RaceValidateGhost, c.Encapsulated.IDVersion = gbx.NewRef(ghost), 3
			}
			if c, ok := m.Parameters().Chunks[i].Body.(*game.Chunk0305B00D); ok {
				c.RaceValidateGhost = gbx.NewRef(ghost)
			}
		}
		return m
	},
	"times_differ": change(func(c *game.Header03043002) { c.GoldTime++ }),
	"decoration":   change(func(c *game.Chunk0304301F) { c.Decoration.ID = gbx.NewID("49x49Day") }),
	"upload_incomplete": func(t testing.TB, m *maps.Map) *maps.Map {
		m.RemoveValidation()
		return m
	},
	"bad_url": change(func(c *game.Chunk03043019) {
		c.ModPackDesc = gbx.FileRef{Version: 3, Path: `Skins\Stadium\Mod\Snow.zip`, Locator: "http://dl.dropbox.com/u/1/Snow.zip"}
	}),
	"private_path":  change(func(c *game.Chunk03043019) { c.ModPackDesc = gbx.FileRef{Version: 3, Path: `C:\Users\Ada\Snow.zip`} }),
	"embedded_zip":  change(func(c *game.Chunk03043054) { c.EmbeddedZip = []byte("no zip") }),
	"missing_embed": add(maps.Item{Model: ident("Lost.Item.Gbx"), Position: gbx.Vec3{X: 1}, Scale: 1}),
	"unsafe_path": func(t testing.TB, m *maps.Map) *maps.Map {
		rezip(t, m, func(*zip.FileHeader) {}, "../Evil.Item.Gbx")
		return m
	},
	"absolute_embed": func(t testing.TB, m *maps.Map) *maps.Map {
		rezip(t, m, func(*zip.FileHeader) {}, "C:/Games/Items/Rock.Item.Gbx")
		return m
	},
	"embed_form": func(t testing.TB, m *maps.Map) *maps.Map {
		rezip(t, m, func(*zip.FileHeader) {}, "Items/")
		return m
	},
	"embed_twice": func(t testing.TB, m *maps.Map) *maps.Map {
		rezip(t, m, func(*zip.FileHeader) {}, "Items/tree.Item.Gbx")
		return m
	},
	"embed_ident": change(func(c *game.Chunk03043054) { c.EmbeddedItemModels[0].Author = gbx.NewID("Bob") }),
	"embed_author": remade(func(f *gbx.File) {
		h, _ := gbx.FindHeader[*gamedata.Header2E001003](&f.Header)
		h.Model.Author = gbx.NewID("#40000001")
	}),
	"embed_references": remade(func(f *gbx.File) {
		f.Refs.External = []gbx.External{{FileName: "A.Material.Gbx", NodeIndex: 1}}
		f.NumNodes = 2
	}),
	"block_as_item": remade(func(f *gbx.File) {
		f.Body.Chunks = append(f.Body.Chunks, gbx.Chunk{ID: 0x2E002019, Body: &gamedata.Chunk2E002019{
			Version: 15, DefaultWeaponName: gbx.NoID, EntityModelEdition: gbx.NewRef(&gbx.Node{Class: 0x2E025000}),
		}})
	}),
	"loose_texture": func(t testing.TB, m *maps.Map) *maps.Map {
		rezip(t, m, func(*zip.FileHeader) {}, "Items/Tree.dds")
		return m
	},
	"unknown_block": place("RoadTechStraigth", 30, 9, 30, 0),
	"foreign_block": place("StadiumRoadMain", 30, 9, 30, 0),
	"unknown_item":  add(maps.Item{Model: stock("gatecheckpointcenter16m"), Position: gbx.Vec3{X: 1}, Scale: 1}),
	"foreign_item":  add(maps.Item{Model: stock("PalmGrove"), Position: gbx.Vec3{X: 1}, Scale: 1}),
	"waypoint_tag": func(t testing.TB, m *maps.Map) *maps.Map {
		do(t, m.AddBlock(maps.Block{Name: "RoadTechCheckpoint", Coord: gbx.Int3{X: 20, Y: 9, Z: 25}, Flags: ground, Waypoint: "Goal"}))
		return m
	},
	"duplicates": add(maps.Item{Model: ident("Tree.Item.Gbx"), Position: gbx.Vec3{X: 650, Y: 8, Z: 750}, Scale: 1}),
	"item_scale": add(maps.Item{Model: ident("Tree.Item.Gbx"), Position: gbx.Vec3{X: 600, Y: 8, Z: 750}, Scale: 2}),
	"item_skin":  add(maps.Item{Model: ident("Tree.Item.Gbx"), Position: gbx.Vec3{X: 600, Y: 8, Z: 750}, Scale: 1, Skin: `Skins\Any\A.dds`}),
	"off_map":    place("RoadTechCurve3", 47, 9, 10, 0),
	"overlap":    place("RoadTechCurve2", 20, 9, 23, 0),
	"no_start": func(t testing.TB, m *maps.Map) *maps.Map {
		_, err := m.RemoveBlocks(func(b *maps.Block) bool { return b.Name == "RoadTechStart" })
		do(t, err)
		return m
	},
	"no_finish": func(t testing.TB, m *maps.Map) *maps.Map {
		_, err := m.RemoveBlocks(func(b *maps.Block) bool { return b.Name == "RoadTechFinish" })
		do(t, err)
		return m
	},
	"several_starts":    place("RoadTechStart", 19, 9, 24, 0),
	"lonely_checkpoint": place("RoadTechCheckpoint", 5, 30, 5, 0),
	"stray_pieces": change(func(c *game.Chunk03043048) {
		list := c.BakedBlocks.Unpack()
		list[0].Name = gbx.NewID("GateExpandableFinishLeftVFC")
		c.BakedBlocks = game.PackBlocks(list)
	}),
	"road_gap":  blocksOf(road(30, 9, 30), road(30, 9, 32)),
	"road_step": blocksOf(maps.Block{Name: "RoadTechStart", Coord: gbx.Int3{X: 30, Y: 9, Z: 30}, Flags: ground}, road(30, 10, 31)),
	"light_version": func(t testing.TB, _ *maps.Map) *maps.Map {
		m := lit(t)
		c := chunk[*game.Header03043005](t, m)
		c.XML = strings.Replace(c.XML, `lightmap="8"`, `lightmap="7"`, 1)
		return m
	},
	"light_objects": func(t testing.TB, _ *maps.Map) *maps.Map {
		m := lit(t)
		c := chunk[*game.Chunk03043048](t, m)
		c.BakedBlocks = game.PackBlocks(c.BakedBlocks.Unpack()[1:])
		return m
	},
}

// change changes a chunk.
func change[C gbx.Body](with func(C)) func(t testing.TB, m *maps.Map) *maps.Map {
	return func(t testing.TB, m *maps.Map) *maps.Map {
		with(chunk[C](t, m))
		return m
	}
}

// add adds an item.
func add(it maps.Item) func(t testing.TB, m *maps.Map) *maps.Map {
	return func(t testing.TB, m *maps.Map) *maps.Map {
		do(t, m.AddItem(it))
		return m
	}
}

// place adds a block.
func place(name string, x, y, z int32, direction int) func(t testing.TB, m *maps.Map) *maps.Map {
	return func(t testing.TB, m *maps.Map) *maps.Map {
		do(t, m.AddBlock(maps.Block{Name: name, Coord: gbx.Int3{X: x, Y: y, Z: z}, Direction: direction, Flags: ground}))
		return m
	}
}

// remade embeds a changed item.
func remade(with func(f *gbx.File)) func(t testing.TB, m *maps.Map) *maps.Map {
	return func(t testing.TB, m *maps.Map) *maps.Map {
		embed(t, m, "Items/Tree.Item.Gbx", item(t, with))
		return m
	}
}

// lit is a real map with shadows.
func lit(t testing.TB) *maps.Map {
	t.Helper()
	for _, data := range corpus.GBX(t, "03043000") {
		f, err := gbx.Parse(data, engine.Registry())
		do(t, err)
		if m, err := maps.Of(f); err == nil && m.Generation() == nadeo.Trackmania2020 && m.HasLightmap() && m.BlockCount() > 1 {
			return m
		}
	}
	t.Fatal("no map with shadows")
	return nil
}

func rulesOf(list []finding.Finding) (names []string) {
	for _, f := range list {
		names = append(names, f.Rule)
	}
	return names
}

// Each rule finds a map that breaks it, and not one that does not.
func TestRules(t *testing.T) {
	clean := again(t, fresh(t))
	if list := lint.Map(clean, 1000); len(list) > 0 {
		t.Errorf("in a map without mistakes: %v", list)
	}
	for _, r := range lint.Rules() {
		if r.Means == "" || r.Mend == "" || r.Evidence == "" || r.Severity == "" {
			t.Errorf("%s does not say all", r.Name)
		}
		breaks := breakers[r.Name]
		switch r.Name {
		case "oversize", "upload_size", "uid_twice", "embed_differs", "foreign_macroblock", "unknown_in_macroblock":
			continue // below
		}
		if r.OfItems() {
			continue // TestItemRules
		}
		if breaks == nil {
			t.Errorf("nothing breaks %s", r.Name)
			continue
		}
		t.Run(r.Name, func(t *testing.T) {
			m := breaks(t, fresh(t))
			if r.Name != "columns" && r.Name != "light_objects" { // as a program has it that is about to write it wrongly
				m = again(t, m)
			}
			if found := rulesOf(lint.Map(m, 1000)); !slices.Contains(found, r.Name) {
				t.Errorf("a map that breaks it has %v", found)
			}
		})
	}
}

// A real map with shadows breaks no rule about them.
func TestLit(t *testing.T) {
	if found := rulesOf(lint.Map(lit(t), 1000)); slices.Contains(found, "light_objects") || slices.Contains(found, "light_version") {
		t.Errorf("Map(lit map) finds %v, want neither light_objects nor light_version", found)
	}
}

// The limits on the size of a file.
func TestSizes(t *testing.T) {
	m := again(t, fresh(t))
	for size, want := range map[int64]string{
		lint.TrackmaniaLimit: "", lint.TrackmaniaLimit + 1: "oversize", lint.UploadLimit: "oversize", lint.UploadLimit + 1: "oversize upload_size",
	} {
		if got := strings.Join(rulesOf(lint.Map(m, size)), " "); got != want {
			t.Errorf("%d bytes: %q, want %q", size, got, want)
		}
	}
}

// Maps that share a UID, or bring different files of one name along.
func TestFolder(t *testing.T) {
	a, b, c := fresh(t), fresh(t), fresh(t)
	do(t, b.SetUID("Other_000000000000000000000"))
	embed(t, c, "Items/Tree.Item.Gbx", item(t, func(f *gbx.File) {
		h, _ := gbx.FindHeader[*gamedata.Header2E001003](&f.Header)
		h.Name = "another tree"
	}))
	var folder lint.Folder
	for _, m := range []struct {
		name string
		m    *maps.Map
	}{{"c", c}, {"a", a}, {"b", b}, {"a2", fresh(t)}} {
		folder.Add(m.name, again(t, m.m))
	}
	var got []string
	folder.Findings(func(name string, found []finding.Finding) {
		got = append(got, name+": "+strings.Join(rulesOf(found), " "))
	})
	if want := "c: uid_twice embed_differs"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A macroblock of one game is not one of another.
func TestMacroblock(t *testing.T) {
	n := 0
	for path, data := range corpus.GBX(t, "0310d000") {
		f, err := gbx.Parse(data, engine.Registry())
		do(t, err)
		m, err := maps.MacroblockOf(f)
		if err != nil || len(m.Blocks()) == 0 {
			continue
		}
		n++
		for _, l := range lint.Macroblock(m, m.Collection()) {
			if l.Severity != finding.Note && m.Collection() == "Stadium2020" {
				t.Errorf(`%s: l.Message = %s; want l.Severity = finding.Note or m.Collection() other than "Stadium2020"`, path, l.Message)
			}
		}
		if found := rulesOf(lint.Macroblock(m, "Coast")); !slices.Contains(found, "foreign_macroblock") && !slices.Contains(found, "unknown_in_macroblock") && m.Collection() != "Coast" {
			for _, b := range m.Blocks() {
				if !maps.IsOwnModel(b.Name, "") {
					t.Errorf("%s, of %s, fits Coast: %v", path, m.Collection(), b.Name)
					break
				}
			}
		}
	}
	if n == 0 {
		t.Error("no macroblocks")
	}
}

// Addresses that look dead.
func TestURLs(t *testing.T) {
	for url, bad := range map[string]bool{
		"": false, "http://example.org/a.zip": false, "https://tm.example.org/s?x=1": false, "file:///C:/x.zip": true, "x.zip": true,
		"http://localhost/x": true, "http://192.168.1.2/x": true, "http://127.0.0.1/x": true, "http://dl.dropbox.com/u/12/a.zip": true,
		"http://www.megaupload.com/x": true, "ftp://example.org/x": true, "http://[": true,
	} {
		m := mapsample.New(t)
		chunk[*game.Chunk03043019](t, m).ModPackDesc.Locator = url
		if got := slices.Contains(rulesOf(lint.Map(m, 0)), "bad_url"); got != bad {
			t.Errorf("%q: got = %v; want %v", url, got, bad)
		}
	}
}

// Paths that name folders of the maker's computer.
func TestPaths(t *testing.T) {
	for path, want := range map[string]bool{
		`C:\Users\Ada\Skins\a.zip`: true, "/home/ada/a.zip": true, `Skins\a.zip`: false, "http://example.org/a.zip": false, "/Users/ada/a": true, "D:/a.zip": true,
	} {
		if got := maps.IsPrivate(path); got != want {
			t.Errorf("%s: got = %v; want %v", path, got, want)
		}
	}
}

// A title may bring what is missing.
func TestTitleMayBringIt(t *testing.T) {
	for title, want := range map[string]string{
		"TMStadium@nadeo": "Lost.Item.Gbx is used but not embedded", "Trackmania": "Lost.Item.Gbx is used but not embedded",
		"Royal@ada": "Lost.Item.Gbx is used but not embedded, unless the title Royal@ada brings it",
	} {
		m := breakers["missing_embed"](t, fresh(t))
		chunk[*game.Chunk03043051](t, m).TitleID = gbx.NewID(title)
		got := ""
		for _, f := range lint.Map(m, 1) {
			if f.Rule == "missing_embed" {
				got = f.Message
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}
