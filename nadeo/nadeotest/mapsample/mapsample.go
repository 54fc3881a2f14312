// Package mapsample makes a small map for tests. It has something for every command about
// maps, in chunks of Trackmania (2020) and ManiaPlanet.
package mapsample

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"image"
	"image/color"
	"image/jpeg"

	"pakbox/codec/lzo1x"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/script"
	"pakbox/nadeo/maps"
)

// Facts of the sample.
const (
	Name = "$f00Sample $zmap"
	UID  = "Sample_0000000000000000Map0"
	// Leaked is an embedded file whose name reveals its author's computer.
	Leaked = "C:/Users/Ada/Items/Leak.Item.Gbx"
	// Evil is an embedded file whose name leads out of a folder.
	Evil = "../Evil.Item.Gbx"
)

// classMap is the class of the sample.
const classMap classid.ID = 0x03043000

func local(name string) gbx.ID { return gbx.NewID(name) }

func ident(id string) gbx.Ident {
	return gbx.Ident{ID: local(id), Collection: gbx.NumberID(26), Author: local("Ada")}
}

// empty makes a file without any chunk.
func empty(class classid.ID) (*gbx.File, error) {
	b := []byte("GBX\x06\x00BUUR")
	for _, word := range []uint32{uint32(class), 0, 1, 0, 0xFACADE01} { // no user data, one node, no external files
		b = binary.LittleEndian.AppendUint32(b, word)
	}
	f, err := gbx.Parse(b, engine.Registry())
	if err == nil {
		f.RawUserData = nil
		f.SetCompression(true, lzo1x.Fast)
	}
	return f, err
}

// Map returns the sample.
func Map() ([]byte, error) {
	f, err := empty(classMap)
	if err != nil {
		return nil, err
	}
	thumbnail, err := picture()
	if err != nil {
		return nil, err
	}
	f.Chunks = headerChunks(thumbnail)
	f.Body.Chunks, err = bodyChunks()
	if err != nil {
		return nil, err
	}
	m, err := maps.Of(f)
	if err != nil {
		return nil, err
	}
	if err := place(m); err != nil {
		return nil, err
	}
	if err := light(m); err != nil {
		return nil, err
	}
	if c, ok := gbx.Find[*game.Chunk03043029](f.Body); ok {
		c.CRC32 = m.Password().WantCRC
	}
	return f.Encode()
}

func headerChunks(thumbnail []byte) []gbx.HeaderChunk {
	xml := `<header type="map" exever="3.3.0" exebuild="2024-01-10" title="TMStadium" lightmap="8"><ident uid="` + UID +
		`" name="$f00Sample $zmap" author="Ada" authorzone="World"/><desc envir="Stadium" mood="Day" type="Race" maptype="TrackMania\TM_Race" nblaps="0"/>` +
		`<times bronze="60000" silver="48000" gold="43000" authortime="36217" authorscore="0"/><deps><dep file="Skins\Stadium\Mod\Snow.zip" url="http://dl.dropbox.com/u/1/Snow.zip"/></deps></header>`
	return []gbx.HeaderChunk{
		{ID: classMap | 2, Body: &game.Header03043002{
			Version: 13, BronzeTime: 60000, SilverTime: 48000, GoldTime: 43000, AuthorTime: 36217,
		}},
		{ID: classMap | 3, IDVersion: 3, Body: &game.Header03043003{
			Version: 11, MapInfo: ident(UID), MapName: Name, Decoration: ident("48x48Day"), MapType: `TrackMania\TM_Race`, LightmapVersion: 8,
			TitleID: local("TMStadium"),
		}},
		{ID: classMap | 5, Heavy: true, Body: &game.Header03043005{XML: xml}},
		{ID: classMap | 7, Heavy: true, Body: &game.Header03043007{Version: 1, ThumbSize: uint32(len(thumbnail)), Thumbnail: thumbnail, Comments: "made by a test"}},
	}
}

// picture makes a thumbnail as maps store it, upside down: red is up.
func picture() ([]byte, error) {
	m := image.NewRGBA(image.Rect(0, 0, 64, 64))
	for y := range 64 {
		for x := range 64 {
			c := color.RGBA{0, 0, 255, 255}
			if y >= 32 {
				c = color.RGBA{255, 0, 0, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	err := jpeg.Encode(&b, m, nil)
	return b.Bytes(), err
}

func bodyChunks() ([]gbx.Chunk, error) {
	items, err := embedded()
	if err != nil {
		return nil, err
	}
	parameters := &gbx.Node{Class: 0x0305B000, Chunks: []gbx.Chunk{
		{ID: 0x0305B00A, Skip: true, Body: &game.Chunk0305B00A{BronzeTime: 60000, SilverTime: 48000, GoldTime: 43000, AuthorTime: 36217}},
		{ID: 0x0305B00E, Skip: true, Body: &game.Chunk0305B00E{MapType: `TrackMania\TM_Race`}},
	}}
	list := []gbx.Chunk{
		{ID: 0x011, Body: &game.Chunk03043011{ChallengeParameters: gbx.NewRef(parameters), Kind: game.CGameCtnChallengeMapKindInProgress}},
		{ID: 0x018, Skip: true, Body: &game.Chunk03043018{NbLaps: 3}},
		{ID: 0x019, Skip: true, Body: &game.Chunk03043019{ModPackDesc: gbx.FileRef{Version: 3, Path: `Skins\Stadium\Mod\Snow.zip`, Locator: "http://dl.dropbox.com/u/1/Snow.zip"}}},
		{ID: 0x01F, Body: &game.Chunk0304301F{
			MapInfo: ident(UID), MapName: Name, Decoration: ident("48x48Day"), Size: gbx.Int3{X: 48, Y: 40, Z: 48}, Version: 6,
		}},
		{ID: 0x029, Skip: true, Body: &game.Chunk03043029{PasswordHash: gbx.Hash128{1, 2, 3}}},
		{ID: 0x040, Skip: true, Body: &game.Chunk03043040{Version: 7, Encapsulated: gbx.Encapsulation{IDVersion: 3}}},
		{ID: 0x044, Skip: true, Body: &game.Chunk03043044{Encapsulated: gbx.Encapsulation{IDVersion: 3}, ScriptMetadata: gbx.NewRef(metadata())}},
		{ID: 0x048, Skip: true, Body: &game.Chunk03043048{BlocksVersion: 6}},
		{ID: 0x051, Skip: true, Body: &game.Chunk03043051{TitleID: local("TMStadium"), BuildVersion: "date=2024-01-10"}},
		{ID: 0x054, Skip: true, Body: &game.Chunk03043054{Version: 1, Encapsulated: gbx.Encapsulation{IDVersion: 3}, EmbeddedZip: items,
			EmbeddedItemModels: []gbx.Ident{ident(`Tree.Item.Gbx`), ident(`Unused.Item.Gbx`)}}},
		{ID: 0x03D, Skip: true, Body: &game.Chunk0304303D{}},
		{ID: 0x05F, Skip: true, Body: &game.Chunk0304305F{}},
		{ID: 0x062, Skip: true, Body: &game.Chunk03043062{}},
		{ID: 0x063, Skip: true, Body: &game.Chunk03043063{}},
		{ID: 0x065, Skip: true, Body: &game.Chunk03043065{}},
		{ID: 0x068, Skip: true, Body: &game.Chunk03043068{}},
		{ID: 0x069, Skip: true, Body: &game.Chunk03043069{}},
	}
	for i := range list {
		list[i].ID |= classMap
	}
	return list, nil
}

// place puts a short track on the map.
func place(m *maps.Map) error {
	const ground = 1 << 12
	for x, name := range []string{"RoadTechStart", "RoadTechStraight", "RoadTechCheckpoint", "RoadTechStraight", "RoadTechFinish"} {
		b := maps.Block{Name: name, Coord: gbx.Int3{X: int32(20 + x), Y: 9, Z: 24}, Direction: 1, Flags: ground, Color: x}
		if err := m.AddBlock(b); err != nil {
			return err
		}
	}
	free := maps.Block{Name: "PlatformTechBase", Free: true, Position: gbx.Vec3{X: 700.5, Y: 40, Z: 800}, YawPitchRoll: gbx.Vec3{X: 0.5}}
	if err := m.AddBlock(free); err != nil {
		return err
	}
	for i, name := range []string{"Tree.Item.Gbx", "Tree.Item.Gbx", "Lost.Item.Gbx"} {
		it := maps.Item{Model: ident(name), Position: gbx.Vec3{X: float32(650 + 20*i), Y: 8, Z: 750}}
		if err := m.AddItem(it); err != nil {
			return err
		}
	}
	return nil
}

// light adds computed shadows to the map.
func light(m *maps.Map) error {
	pictures, err := lightmap()
	if c, ok := gbx.Find[*game.Chunk0304303D](m.File.Body); ok {
		c.HasLightmaps, c.Lightmaps = gbx.True, pictures
	}
	return err
}

// embedded makes the zip of embedded files.
func embedded() ([]byte, error) {
	tree, err := Item("Tree")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"Items/Tree.Item.Gbx", `Items\Unused.Item.Gbx`, "Items/Tree.txt", Leaked, Evil} {
		dst, err := w.Create(name)
		if err != nil {
			return nil, err
		}
		if _, err := dst.Write(tree); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return b.Bytes(), err
}

// Item returns an item with nothing but its identity.
func Item(name string) ([]byte, error) {
	const class classid.ID = 0x2E002000
	f, err := empty(class)
	if err != nil {
		return nil, err
	}
	f.Chunks = []gbx.HeaderChunk{{ID: 0x2E001003, IDVersion: 3, Body: &gamedata.Header2E001003{Model: ident(name), Version: 8, U01: gbx.NoID, ParentCollectorID: gbx.NoID, Name: name}}}
	return f.Encode()
}

func metadata() *gbx.Node {
	number, text := script.Type{Kind: script.Integer}, script.Type{Kind: script.Text}
	return &gbx.Node{Class: 0x11002000, Chunks: []gbx.Chunk{{ID: 0x11002000, Body: &script.Chunk11002000{Version: 6, Traits: script.Traits{
		Types: []script.Type{number, text},
		Traits: []script.Trait{
			{Name: "Race_Version", TypeIndex: 0, Type: &number, Value: script.Value{Int: 7}},
			{Name: "Race_Note", TypeIndex: 1, Type: &text, Value: script.Value{Text: "hello"}},
		},
	}}}}}
}

// webp is a picture of one pixel.
const webp = "524946461a000000574542505650384c0d0000002f00000010071011118888fe0700"

// lightmap has one frame with two pictures in its first buffer.
func lightmap() (l game.CGameCtnChallengeLightmaps, err error) {
	one, err := hex.DecodeString(webp)
	if err != nil {
		return l, err
	}
	l.Version = 4
	l.Frame.Image1 = append(one, one...)
	// An empty cache, one pixel wide and high, in WebP.
	var cache []byte
	for _, word := range []uint32{0xFACADE01, 100, 1, 1, 1, 1, 100, 5, 0, 1, 1, 0} {
		cache = binary.LittleEndian.AppendUint32(cache, word)
	}
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	if _, err := w.Write(cache); err != nil {
		return l, err
	}
	err = w.Close()
	l.Cache.Size, l.Cache.Stored = uint32(len(cache)), packed.Bytes()
	return l, err
}
