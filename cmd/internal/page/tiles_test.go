package page_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/cmd/internal/page"
	"pakbox/internal/testkit/corpus"
)

// Every kind of file has a tile of its own kind: a picture for a map, an item or an
// object, the line of a run, the parts of a pack. A missing file has an error, and does not
// affect the others.
func TestTiles(t *testing.T) {
	read := func(parts ...string) []byte {
		data, err := os.ReadFile(filepath.Join(corpus.Dir(t, parts[0]), filepath.Join(parts[1:]...)))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	a := folder(t, map[string][]byte{
		"a.Map.Gbx": read("gbx", "03043000", "4c6acf6dd9cf.Map.Gbx"), "a.Replay.Gbx": read("gbx", "03093000", "78f5d18307c0.Replay.gbx"),
		"a.Item.Gbx": read("gbx", "2e002000", "b2fa97204062.Item.Gbx"), "a.Mesh.Gbx": read("gbx", "090bb000", "094444981f0e.Mesh.gbx"),
		"a.Pack.Gbx": read("nadeopak", "real", "DuelElite.Title.Pack.gbx"), "a.pak": sample(t, "simutrans/vehicle.Sample_Tram.pak"), "a.vpk": sample(t, "hello.vpk"),
	})
	names := []string{"a.Map.Gbx", "a.Replay.Gbx", "a.Item.Gbx", "a.Mesh.Gbx", "a.Pack.Gbx", "a.pak", "a.vpk", "none"}
	question := "tiles?path=files/" + strings.Join(names, "&path=files/")
	a.expect([]expected{
		{question, ".tiles | map(.path)", `["files/` + strings.Join(names, `","files/`) + `"]`},
		{question, ".tiles | map(.picture != null), map((.line // []) | length > 100), map((.cells // []) | length > 0)", "[true,false,true,true,true,true,false,false] [false,true,false,false,false,false,false,false] [false,false,false,false,false,false,true,false]"},
		{question, ".tiles[5].facts | .waytype, (.topspeed | endswith(\"km/h\"))", `"tram_track" true`},
		{question, ".tiles[7].error.kind, .tiles[0].what.title", `"not_found" "Tiger Blood"`},
	})
	// Pictures fit into a tile, whatever the file contains.
	for i, name := range names[:6] {
		if name == "a.Replay.Gbx" {
			continue
		}
		coded := a.pick(a.ask(question), ".tiles["+string(rune('0'+i))+"].picture.data")
		data, err := base64.StdEncoding.DecodeString(strings.Trim(coded, `"`))
		if err != nil {
			t.Fatal(err)
		}
		if c, _, err := image.DecodeConfig(bytes.NewReader(data)); err != nil || c.Width > 272 || c.Width == 0 || len(data) > 64<<10 {
			t.Errorf("%s: size %v, %d bytes, %v", name, c, len(data), err)
		}
	}
	for _, q := range []string{"tiles", "tiles?" + strings.Repeat("path=a&", 25)} {
		if got := a.ask(q); got.Status != page.Bad {
			t.Errorf("%.20s: status %d", q, got.Status)
		}
	}
}

// A macroblock has a scene: its blocks on an empty map.
func TestMacroblockScene(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "gbx"), "0310d000", "0369b60097eb.Macroblock.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	a := folder(t, map[string][]byte{"a.Macroblock.Gbx": data})
	a.expect([]expected{
		{"what?path=files/a.Macroblock.Gbx", ".macroblock.blocks, .macroblock.names.TrackWallStraight", "29 7"},
		{"map.scene?path=files/a.Macroblock.Gbx", ".blocks, (.boxes.kind | length >= 4*20*4/3), ([.kinds[].name] | index(\"TrackWallStraight\") != null)", "29 true true"},
	})
}

// The question rules explains findings by the names of their rules.
func TestRules(t *testing.T) {
	folder(t, map[string][]byte{"a.txt": nil}).expect([]expected{{"rules?name=missing_embed&name=nothing", "[.rules[] | .rule, (.means | length > 20)]", `["missing_embed",true]`}})
}

// A tile is cached until its file changes.
func TestTileOfChanged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "files")
	name := filepath.Join(dir, "a.txt")
	write(t, name, []byte("short"))
	a := looking(t, []string{dir})
	const question = "tiles?path=files/a.txt"
	a.expect([]expected{{question, ".tiles[0].what.size", "5"}, {question, ".tiles[0].what.size", "5"}})
	write(t, name, []byte("a longer text"))
	a.expect([]expected{{question, ".tiles[0].what.size", "13"}})
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	a.expect([]expected{{question, ".tiles[0].error.kind", `"not_found"`}})
}
