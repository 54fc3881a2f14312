package page_test

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/cmd/internal/page"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/gltf"
	"pakbox/internal/testkit/corpus"
)

// The bytes of a file in each layer, and searches in them.
func TestBytes(t *testing.T) {
	data := sampleMap(t)
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	body := f.BodyBytes()
	long := make([]byte, 3<<20)
	copy(long[1<<20-2:], "over the edge")
	copy(long[3<<20-3:], "end")
	a := folder(t, map[string][]byte{"a.Map.Gbx": data, "hello.vpk": sample(t, "hello.vpk"), "long.bin": long})
	for question, want := range map[string][]byte{
		"bytes?path=files/a.Map.Gbx": data, "bytes?layer=file&path=files/a.Map.Gbx": data, "bytes?layer=body&path=files/a.Map.Gbx": body, "content?path=files/a.Map.Gbx": data,
		// A cache with 48 bytes of numbers, the first of them 0xFACADE01.
		"bytes?layer=inside-0&path=files/a.Map.Gbx":                           {1, 0xDE, 0xCA, 0xFA, 100, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 100, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0},
		"content?path=files/hello.vpk/readme.txt":                             sample(t, "hello/readme.txt"),
		"bytes?path=files/a.Map.Gbx/body.bin":                                 body,
		"bytes?layer=file&path=files/hello.vpk/d%3A/ymir+work/item/sword.txt": sample(t, "hello/ymir work/item/sword.txt"),
	} {
		if got := a.read(question); !bytes.Equal(got, want) {
			t.Errorf("%s = %d bytes, want %d", question, len(got), len(want))
		}
	}
	if got := a.ask("content?path=files/hello.vpk/readme.txt"); got.File != "readme.txt" || got.Type != "application/octet-stream" {
		t.Errorf(`got.File = %q, got.Type = %q; want got.File = "readme.txt", got.Type = "application/octet-stream"`, got.File, got.Type)
	}
	at := func(in []byte, what string) int { return bytes.Index(in, []byte(what)) }
	a.expect([]expected{
		{"layers?path=files/a.Map.Gbx", ".layers | map(.name, .title, .size, .decoded)", fmt.Sprintf(`["file","File",%d,null,"body","Body",%d,%[2]d,"inside-0","Inside 0304303D.lightmaps.cache",48,48]`, len(data), len(body))},
		{"layers?path=files/hello.vpk", ".layers", `[{"name":"file","size":12827,"title":"File"}]`},
		{"search?q=Sample&path=files/a.Map.Gbx", ".offset, .length, .wrapped", fmt.Sprint(at(data, "Sample"), 6, true)},
		{fmt.Sprintf("search?q=Sample&path=files/a.Map.Gbx&from=%d", at(data, "Sample")), ".offset", fmt.Sprint(at(data, "Sample"))},
		{fmt.Sprintf("search?q=Sample&path=files/a.Map.Gbx&from=%d", at(data, "Sample")+1), ".offset, .wrapped", fmt.Sprint(at(data, "Sample $zmap"), false)},
		{"search?q=no such thing&path=files/a.Map.Gbx", ".offset, .length", "null 13"},
		{"search?q=RoadTechFinish&layer=body&path=files/a.Map.Gbx", ".offset", fmt.Sprint(at(body, "RoadTechFinish"))},
		{"search?q=03+04+43+00&path=files/a.Map.Gbx", ".offset", "null"},
		{"search?q=00+30+04+03&path=files/a.Map.Gbx", ".offset, .length", "9 4"}, // the class
		{"search?q=0x03043000&path=files/a.Map.Gbx", ".offset, .length", "9 4"},
		{"search?q=700.5f&layer=body&path=files/a.Map.Gbx", ".offset", fmt.Sprint(at(body, "\x00\x20\x2f\x44"))}, // the position of the free block
		{"search?q=nf&path=files/a.Map.Gbx", ".length", "2"},
		{"search?q=de+ad+b&path=files/a.Map.Gbx", ".length", "7"},
		{"search?q=over the edge&path=files/long.bin", ".offset", fmt.Sprint(1<<20 - 2)},
		{"search?q=end&path=files/long.bin", ".offset", fmt.Sprint(3<<20 - 3)},
		{"search?q=0xcafade01&layer=inside-0&path=files/a.Map.Gbx", ".offset", "null"},
		{"search?q=0xfacade01&layer=inside-0&path=files/a.Map.Gbx", ".offset", "0"},
		{"search?q=" + strings.Repeat("x", 1000) + "&path=files/a.Map.Gbx", ".length", "1000"},
	})
	a.refuses([]refused{
		{"search?path=files/a.Map.Gbx", nil, page.Bad, "search for something"},
		{"search?q=" + strings.Repeat("x", 1001) + "&path=files/a.Map.Gbx", nil, page.Bad, "at most 1000"},
		{"search?q=x&from=-1&path=files/a.Map.Gbx", nil, page.Bad, "from"},
		{"search?q=x&path=files", nil, page.Unknown, "is a folder"},
		{"bytes?layer=body&path=files/hello.vpk", nil, page.Bad, "has no body"},
		{"bytes?layer=odd&path=files/a.Map.Gbx", nil, page.Bad, "unknown layer"},
		{"bytes?layer=0&path=files/a.Map.Gbx", nil, page.Bad, "unknown layer"},
		{"bytes?layer=inside-1&path=files/a.Map.Gbx", nil, page.Bad, "no compressed block 1"},
		{"bytes?layer=inside--1&path=files/a.Map.Gbx", nil, page.Bad, "unknown layer"},
		{"bytes?layer=inside-0&path=files/hello.vpk", nil, page.Bad, "no compressed block 0"},
		{"bytes?path=files/hello.vpk/locale", nil, page.Unknown, "is a folder"},
		{"bytes?path=files/hello.vpk/nothing", nil, page.NotFound, "nothing"},
	})
}

// Ranges of a real file that are not understood have offsets.
func TestGaps(t *testing.T) {
	a := looking(t, []string{corpus.Dir(t, "gbx-hard")})
	seen := 0
	for _, name := range []string{"062aaeb006808e45.Item.Gbx", "4ef10461bfa32f88.TMEDRoad.Gbx", "54875368723a7ffe.Replay.Gbx"} {
		var verified struct {
			Body    int64 `json:"body_bytes"`
			Decoded int64 `json:"decoded_bytes"`
		}
		if err := json.Unmarshal(a.read("verify?path=gbx-hard/"+name), &verified); err != nil {
			t.Fatal(err)
		}
		var layers struct {
			Layers []struct {
				Size, Decoded int64
				Coverage      [][2]int64
			}
		}
		if err := json.Unmarshal(a.read("layers?path=gbx-hard/"+name), &layers); err != nil {
			t.Fatal(err)
		}
		body := layers.Layers[1]
		var gaps int64
		for _, g := range body.Coverage {
			gaps += g[1] - g[0]
		}
		seen += len(body.Coverage)
		if body.Size != verified.Body || body.Decoded != verified.Decoded || gaps != body.Size-body.Decoded {
			t.Errorf("%s: %+v with %d bytes in gaps, but verify reports %+v", name, body, gaps, verified)
		}
	}
	if seen != 3 {
		t.Errorf("%d ranges are not understood, want 3", seen)
	}
}

// The compressed blocks of a real file are layers with the content that zlib unpacks.
func TestInside(t *testing.T) {
	a := looking(t, []string{corpus.Dir(t, "gbx-hard")})
	const path = "path=gbx-hard/c5fdce713feac2f2.Replay.Gbx"
	body := a.read("bytes?layer=body&" + path)
	for i := range 4 {
		at := fmt.Sprintf("2403F004.ghosts[%d].0303F005.samples", i)
		var block struct{ Value struct{ Offset, Length int } }
		if err := json.Unmarshal(a.read("value?at=body."+at+"&"+path), &block); err != nil {
			t.Fatal(err)
		}
		stored := body[block.Value.Offset:][:block.Value.Length]
		r, err := zlib.NewReader(bytes.NewReader(stored[8:])) // behind the two sizes
		if err != nil {
			t.Fatal(err)
		}
		want, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("inside-%d", i)
		if got := a.read("bytes?layer=" + name + "&" + path); !bytes.Equal(got, want) {
			t.Errorf("%s = %d bytes, want %d", name, len(got), len(want))
		}
		a.expect([]expected{
			{"layers?" + path, fmt.Sprintf(".layers[%d]", i+2), fmt.Sprintf(`{"decoded":%d,"name":%q,"size":%[1]d,"title":%[3]q}`, len(want), name, "Inside "+at)},
			{fmt.Sprintf("value-at?layer=%s&offset=%d&%s", name, len(want)-1, path), ".value | [.layer, (.path | startswith(\"body." + at + ".\"))]", fmt.Sprintf(`[%q,true]`, name)},
			{fmt.Sprintf("value-at?layer=%s&offset=%d&%s", name, len(want), path), ".value", "null"},
		})
	}
	a.expect([]expected{{"layers?path=gbx-hard/4b392f37ce654fb1.Map.Gbx", ".layers | length, .[-1].name", `18 "inside-15"`}}) // the limit of layers
}

// The values of a file level by level, and the value at a byte.
func TestValues(t *testing.T) {
	a := folder(t, map[string][]byte{"a.Map.Gbx": sampleMap(t), "item.Item.Gbx": sample(t, "trackmania/Sample.Item.Gbx")})
	const path = "path=files/a.Map.Gbx"
	a.expect([]expected{
		{"values?" + path, ".children | map(.path, .name, .kind, .leaf, .layer, .offset)", `["header","header",null,false,"file",0,"body","body","CGameCtnChallenge",false,"body",0]`},
		{"values?at=header.03043002&" + path, ".children[5]", `{"layer":"file","leaf":true,"length":4,"name":"authorTime","offset":70,"path":"header.03043002.authorTime","text":"0:36.217"}`},
		{"values?at=body.0304301F.blocks&" + path, ".children", `[{"layer":"body","leaf":true,"length":4,"name":"count","offset":361,"path":"body.0304301F.blocks.count","text":"6"},{"kind":"6","layer":"body","leaf":false,"length":169,"name":"blocks","offset":365,"path":"body.0304301F.blocks.blocks"}]`},
		{"values?at=body.0304301F.blocks.blocks&" + path, ".children | map(.name)", `["[0]","[1]","[2]","[3]","[4]","[5]"]`},
		{"values?at=body.0304301F.blocks.blocks[1..3]&" + path, ".children | map(.path)", `["body.0304301F.blocks.blocks[1]","body.0304301F.blocks.blocks[2]"]`},
		{"values?at=body.0304301F.blocks.blocks[4..100]&" + path, ".children | map(.name)", `["[4]","[5]"]`},
		{"values?at=body.0304301F.blocks.blocks[2..2]&" + path, ".children", `[]`},
		{"values?at=body.0304301F.blocks.blocks[7..9]&" + path, ".children", `[]`},
		// A reference names its target, and a list its length.
		{"values?at=body.03043011&" + path, ".children[:2] | map(.name, .kind, .text, .leaf)", `["blockStock",null,"none",true,"challengeParameters","CGameCtnChallengeParameters",null,false]`},
		{"value?at=body.03043040.encapsulated.snappedItems&" + path, ".value | [.kind, .text, .leaf]", `["0",null,true]`},
		{"values?path=files/item.Item.Gbx", ".children[1] | [.kind, .text, .leaf, .length]", `["CGameItemModel",null,true,4]`},
		{"value?at=body.0304301F.mapName&" + path, ".value", `{"layer":"body","leaf":true,"length":20,"name":"mapName","offset":297,"path":"body.0304301F.mapName","text":"\"$f00Sample $zmap\""}`},
		{"value?at=header.03043005.xml&" + path, ".value.text | length, .[-1:]", `201 "…"`},
		{"value?at=body.0304303D.lightmaps.cache.content&" + path, ".value | [.layer, .offset, .length]", `["inside-0",0,48]`},
		// A value is found by its first and its last byte; the byte behind it belongs to another.
		{"value-at?offset=297&layer=body&" + path, ".value.path", `"body.0304301F.mapName"`},
		{"value-at?offset=316&layer=body&" + path, ".value.path", `"body.0304301F.mapName"`},
		{"value-at?offset=317&layer=body&" + path, ".value.path", `"body.0304301F.decoration.id"`},
		{"value-at?offset=239&layer=body&" + path, ".value.path", `"body.0304301F"`}, // the number of the chunk
		{"value-at?offset=9&" + path, ".value.path", `"header.classID"`},
		{"value-at?offset=12&layer=file&" + path, ".value.path", `"header.classID"`},
		{"value-at?offset=13&layer=file&" + path, ".value.path", `"header"`},
		{"value-at?offset=1000000&" + path, ".value", `null`},
		{"value-at?offset=2720&layer=body&" + path, ".value.path", `"body"`}, // the marker of its end
		{"value-at?offset=2721&layer=body&" + path, ".value", `null`},
		{"value-at?offset=0&layer=inside-0&" + path, ".value | [.layer, .offset, (.path | startswith(\"body.0304303D.lightmaps.cache.content\"))]", `["inside-0",0,true]`},
		{"get?value=mapName&" + path, ".values | map(.path, .value)", `["header.03043003.mapName","$f00Sample $zmap","body.0304301F.mapName","$f00Sample $zmap"]`},
		{"query?q=.body.chunks[].chunk%3F&" + path, ".results[:2], .cut", `["03043011","03043018"] false`},
		// A search that takes long still ends with an answer.
		{"query?q=reduce+range(300000)+as+$i+(0%3B.%2B$i)&" + path, ".results", "[44999850000]"},
		{"query?q=range(1000)&" + path, "(.results | length), .results[999], .cut", "1000 999 false"},
		{"query?q=range(1001)&" + path, "(.results | length), .cut", "1000 true"},
	})
	a.refuses([]refused{
		{"values?at=body.nothing&" + path, nil, page.Bad, "value not found"},
		{"value?at=body.0304301F.blocks.blocks[3..1]&" + path, nil, page.Bad, "is not a path of a value"},
		{"value?at=body.0304301F.blocks.blocks[-1..1]&" + path, nil, page.Bad, "is not a path of a value"},
		{"value?at=body.0304301F.blocks.blocks[x..1]&" + path, nil, page.Bad, "is not a path of a value"},
		{"value-at?offset=x&" + path, nil, page.Bad, "offset"},
		{"value-at?offset=0&layer=inside-7&" + path, nil, page.Bad, "unknown layer"},
		{"get?value=nothing&" + path, nil, page.Bad, "nothing"},
	})
}

// A long list is divided into ranges that can be opened one by one.
func TestLongList(t *testing.T) {
	root := filepath.Join(corpus.Dir(t, "gbx"), "03043000")
	a := looking(t, []string{root})
	// The map of the corpus with the most blocks, as counted by another reader.
	name, count := mostBlocks(t, root)
	var found []string
	var search func(at string)
	search = func(at string) {
		var got struct {
			Children []struct {
				Path, Kind string
				Leaf       bool
			}
		}
		if err := json.Unmarshal(a.read("values?path=03043000/"+name+"&at="+at), &got); err != nil {
			t.Fatal(err)
		}
		for _, c := range got.Children {
			if c.Kind == fmt.Sprint(count) {
				found = append(found, c.Path)
			} else if strings.Count(c.Path, ".") < 3 && !c.Leaf && c.Kind == "" {
				search(c.Path)
			}
		}
	}
	search("body")
	if len(found) == 0 {
		t.Fatalf("%s: no list of %d elements found", name, count)
	}
	at := found[0]
	var stretches []string
	for from := 0; from < count; from += 2000 {
		stretches = append(stretches, fmt.Sprintf("%q", fmt.Sprintf("%d to %d", from, min(from+2000, count)-1)))
	}
	last := fmt.Sprintf("%s[%d..%d]", at, (count-1)/2000*2000, count)
	a.expect([]expected{
		{"values?path=03043000/" + name + "&at=" + at, ".children | map(.name)", "[" + strings.Join(stretches, ",") + "]"},
		{"values?path=03043000/" + name + "&at=" + at, ".children[-1].path", fmt.Sprintf("%q", last)},
		{"values?path=03043000/" + name + "&at=" + last, ".children | length, .[-1].path", fmt.Sprintf("%d %q", count-(count-1)/2000*2000, fmt.Sprintf("%s[%d]", at, count-1))},
		{"value?path=03043000/" + name + "&at=" + at, ".value.leaf", "false"},
		{fmt.Sprintf("values?path=03043000/%s&at=%s[2500..4500]", name, at), ".children | length", "2000"},
		{fmt.Sprintf("values?path=03043000/%s&at=%s[2500..4501]", name, at), ".children | map(.name)", `["2500 to 4499","4500 to 4500"]`},
	})
	// The ranges together cover the list.
	whole := a.pick(a.ask("value?path=03043000/"+name+"&at="+at), ".value | [.offset, .length]")
	parts := a.pick(a.ask("values?path=03043000/"+name+"&at="+at), ".children | [.[0].offset, (map(.length) | add)]")
	var x, y [2]int64
	if json.Unmarshal([]byte(whole), &x) != nil || json.Unmarshal([]byte(parts), &y) != nil || y[0] < x[0] || y[0]-x[0] > 8 || x[0]+x[1] != y[0]+y[1] {
		t.Errorf("range of the list = %s, of its parts = %s", whole, parts)
	}
}

// mostBlocks returns the file with the most blocks in a folder of maps, and their number.
func mostBlocks(t *testing.T, root string) (name string, count int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(filepath.Dir(root), "oracle.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var sum string
	for text := range bytes.Lines(data) {
		var k struct {
			SHA256 string
			Map    struct {
				Blocks struct{ Count int }
			}
		}
		if err := json.Unmarshal(text, &k); err == nil && k.Map.Blocks.Count > count {
			sum, count = k.SHA256, k.Map.Blocks.Count
		}
	}
	for _, file := range corpus.Files(t, root, sum[:12]+"*") {
		return filepath.Base(file), count
	}
	return "", 0
}

// Texts are decoded from their code page.
func TestTexts(t *testing.T) {
	long := bytes.Repeat([]byte("ü"), 1<<19) // a mebibyte
	a := folder(t, map[string][]byte{
		"utf8": []byte("\ufeffStraße"), "korean": []byte("\xb8\xde\xc6\xbe"), "western": []byte("caf\xe9 \x93x\x94"), "binary": []byte("a\x00b"), "whole": long, "cut": append([]byte("x"), long...),
		"controls": []byte(strings.Repeat("x", 98) + "\x01\x02"), "control": []byte(strings.Repeat("x", 98) + "\x01\t"), "lines": []byte("a\tb\r\n\r\n\r\n"),
	})
	a.expect([]expected{
		{"text?path=files/utf8", ".text, .encoding, .size, .cut", `"Straße" "UTF-8" 10 false`},
		{"text?path=files/korean", ".text, .encoding", `"메틴" "CP949"`},
		{"text?path=files/western", ".text, .encoding", `"café “x”" "Windows-1252"`},
		{"text?path=files/whole", "(.text | length), .encoding, .size, .cut", `524288 "UTF-8" 1048576 false`},
		{"text?path=files/cut", "(.text | length), .encoding, .size, .cut", `524288 "UTF-8" 1048577 true`}, // no character is cut in half
		{"what?path=files/utf8", ".looks", `"text"`},
		{"what?path=files/binary", ".looks", `"bytes"`},
		{"what?path=files/controls", ".looks", `"text"`}, // two control characters of a hundred bytes still count as text
		{"what?path=files/control", ".looks", `"text"`},
		{"what?path=files/lines", ".looks", `"text"`},
	})
}

// Pictures of any format are returned as PNG. The thumbnail of a map is its JPEG, turned
// upright.
func TestPictures(t *testing.T) {
	a := folder(t, map[string][]byte{"a.Map.Gbx": sampleMap(t), "tram.png": sample(t, "simutrans/tram.png"), "Sample.Mesh.Gbx": sample(t, "trackmania/Sample.Mesh.Gbx")})
	got := a.ask("thumbnail?path=files/a.Map.Gbx")
	m, err := jpeg.Decode(got.Content)
	if err != nil || got.Type != "image/jpeg" || m.Bounds().Dx() != 64 || m.Bounds().Dy() != 64 {
		t.Fatalf(`err = %v, got.Type = %s, m = %v; want no error, got.Type = "image/jpeg", m.Bounds().Dx() = 64, m.Bounds().Dy() = 64`, err, got.Type, m)
	}
	for y, want := range map[int]color.NRGBA{10: {255, 0, 0, 255}, 50: {0, 0, 255, 255}} { // red is at the top
		c := color.NRGBAModel.Convert(m.At(30, y)).(color.NRGBA)
		if max(c.R, want.R)-min(c.R, want.R) > 8 || max(c.B, want.B)-min(c.B, want.B) > 8 {
			t.Errorf("colour at row %d = %v, want %v", y, c, want)
		}
	}
	want, err := png.Decode(bytes.NewReader(sample(t, "simutrans/tram.png")))
	if err != nil {
		t.Fatal(err)
	}
	same(t, a.read("picture?path=files/tram.png"), want.At, want.Bounds().Dx(), want.Bounds().Dy())
	items := looking(t, []string{filepath.Join(corpus.Dir(t, "gbx"), "2e002000")})
	list, err := items.files.ReadDir("2e002000")
	if err != nil {
		t.Fatal(err)
	}
	icons := 0
	for _, e := range list {
		path := "path=2e002000/" + e.Name()
		if items.pick(items.ask("what?"+path), ".thumbnail") != "true" || icons == 3 {
			continue
		}
		icons++
		if m, err := png.Decode(items.ask("thumbnail?" + path).Content); err != nil || m.Bounds().Dx() < 16 || m.Bounds().Dx() != m.Bounds().Dy() {
			t.Errorf("%s: err = %v; want no error, m.Bounds().Dx() at least 16, m.Bounds().Dx() = m.Bounds().Dy()", path, err)
		}
	}
	if icons == 0 {
		t.Error("no item has an icon")
	}
}

// same compares a PNG with pixels.
func same(t *testing.T, data []byte, at func(x, y int) color.Color, width, height int) {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil || m.Bounds().Dx() != width || m.Bounds().Dy() != height {
		t.Fatalf("image = %v, %v, want %d x %d", err, m.Bounds(), width, height)
	}
	for y := range height {
		for x := range width {
			if color.NRGBAModel.Convert(m.At(x, y)) != color.NRGBAModel.Convert(at(x, y)) {
				t.Fatalf("pixel %d, %d = %v, want %v", x, y, m.At(x, y), at(x, y))
			}
		}
	}
}

// A mesh is returned in the requested level of detail, or as collision shape.
func TestMeshes(t *testing.T) {
	a := samples(t)
	for question, want := range map[string]string{"": "Lod0 2", "&level=0": "Lod0 2", "&level=1": "Lod1 1"} {
		t.Run(question, func(t *testing.T) {
			s, err := gltf.Read(a.read("mesh.file?path=samples/trackmania/Sample.Mesh.Gbx"+question), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := shape(s); got != want {
				t.Errorf("%q = %s, want %s", question, got, want)
			}
		})
	}
	a.refuses([]refused{
		{"mesh.file?level=2&path=samples/trackmania/Sample.Mesh.Gbx", nil, page.Unusable, "mesh not found"},
		{"mesh.file?collision=true&path=samples/trackmania/Sample.Mesh.Gbx", nil, page.Unusable, "mesh not found"},
	})
	// An item of the corpus whose collision shape differs from its mesh.
	hard := looking(t, []string{corpus.Dir(t, "gbx-hard")})
	const item = "path=gbx-hard/0e8173c438bb42fb.Item.Gbx"
	drawn := hard.pick(hard.ask("mesh?lods=true&collision=true&"+item), `[.meshes[] | select(.role == "drawn" and .level == 0) | .triangles] | add`)
	other := hard.pick(hard.ask("mesh?lods=true&collision=true&"+item), `[.meshes[] | select(.role != "drawn") | .triangles] | add`)
	for question, want := range map[string]string{"": drawn, "&collision=true": other} {
		t.Run(question, func(t *testing.T) {
			if want == "null" {
				hard.refuses([]refused{{"mesh.file?" + item + question, nil, page.Unusable, "mesh not found"}})
				return
			}
			s, err := gltf.Read(hard.read("mesh.file?"+item+question), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := shape(s); !strings.HasSuffix(got, " "+want) {
				t.Errorf("triangles of %q = %s, want %s", question, got, want)
			}
		})
	}
}

// shape returns the names of the meshes in a scene, with their numbers of triangles.
func shape(s *mesh.Scene) string {
	var names []string
	sum := 0
	s.Visit(func(n *mesh.Node, _ mesh.Transform) {
		if n.Mesh != nil {
			names, sum = append(names, n.Name), sum+n.Mesh.Triangles()
		}
	})
	slices.Sort(names)
	return fmt.Sprint(strings.Join(names, " "), " ", sum)
}

// The content of a file decides its view: an empty file is an empty text, a sound is
// played, and a name that leads out of a folder is marked.
func TestLooks(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"good.txt", "../evil.txt"} {
		if _, err := z.CreateRaw(&zip.FileHeader{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	a := folder(t, map[string][]byte{"empty.txt": nil, "a.ogg": []byte("OggS\x00\x02 and so on"), "b.wav": []byte("RIFF\x00\x00\x00\x00WAVEfmt "), "names.zip": b.Bytes()})
	a.expect([]expected{
		{"what?path=files/empty.txt", ".looks, .size", `"empty" 0`},
		{"what?path=files/a.ogg", ".looks", `"sound"`},
		{"what?path=files/b.wav", ".looks", `"sound"`},
		{"children?path=files/names.zip", `.children | map([.name, (.unsafe // "" | length > 0)])`, `[["good.txt",false],["..",true]]`},
	})
}

// Chunks have names, or their class and their first values.
func TestChunkNames(t *testing.T) {
	a := samples(t)
	for at, want := range map[string]string{"header": `"text":"TmDesc"`, "body": `"text":"mapInfo, mapName, decoration, … · CGameCtnChallenge"`} {
		if said := a.read("values?path=samples/trackmania/Sample.Map.Gbx&at=" + at); !strings.Contains(string(said), want) {
			t.Errorf("%s: %s is missing in %s", at, want, said)
		}
	}
}
