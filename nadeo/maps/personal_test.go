package maps_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/script"
	"pakbox/nadeo/items"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
)

// personal lists the personal data in a map.
func personal(t *testing.T, m *maps.Map, change bool) (list []string) {
	t.Helper()
	look := m.Personal
	if change {
		look = m.Scrub
	}
	found, err := look()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range found {
		list = append(list, fmt.Sprintf("%s of %s: %s becomes %s", p.Kind, p.Where, p.Value, p.New))
	}
	return list
}

// TestScrub: personal data is listed and removed.
func TestScrub(t *testing.T) {
	m := mapsample.New(t)
	mod, _ := gbx.Find[*game.Chunk03043019](m.File.Body)
	mod.ModPackDesc.Path = `C:\Users\Ada\Documents\Trackmania\Skins\Stadium\Mod\Snow.zip`
	custom := func(name, author string) {
		if err := m.AddBlock(maps.Block{Name: name, Author: author, Coord: gbx.Int3{X: 5, Y: 9, Z: 5}}); err != nil {
			t.Fatal(err)
		}
	}
	custom("Tree.Item.Gbx", "Grace") // one that the map embeds, and one that it does not
	custom("Other.Block.Gbx_CustomBlock", "Lin")
	want := []string{
		`path of mod: C:\Users\Ada\Documents\Trackmania\Skins\Stadium\Mod\Snow.zip becomes Skins\Stadium\Mod\Snow.zip`,
		"login of block Tree.Item.Gbx: Grace becomes anonymous",
		"login of item Tree.Item.Gbx: Ada becomes anonymous",
		"login of item Unused.Item.Gbx: Ada becomes anonymous",
		"login of embedded Items/Tree.Item.Gbx: Ada becomes anonymous",
		"login of embedded Items/Unused.Item.Gbx: Ada becomes anonymous",
		"path of embedded file: C:/Users/Ada/Items/Leak.Item.Gbx becomes Items/Leak.Item.Gbx",
		"login of embedded Items/Leak.Item.Gbx: Ada becomes anonymous",
		"login of embedded ../Evil.Item.Gbx: Ada becomes anonymous",
	}
	before, err := m.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	m = mapsample.Parsed(t, before)
	if got := personal(t, m, false); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if after, err := m.File.Encode(); err != nil || !bytes.Equal(before, after) {
		t.Errorf("looking changed the map (%v)", err)
	}
	if got := personal(t, m, true); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("took out\n%s", strings.Join(got, "\n"))
	}
	clean := again(t, m)
	if left := personal(t, clean, false); len(left) > 0 {
		t.Errorf("left: %s", left)
	}
	authors := ""
	for _, b := range clean.Blocks() {
		if b.Author != "" {
			authors += b.Name + " by " + b.Author + " "
		}
	}
	if authors != "Tree.Item.Gbx by anonymous Other.Block.Gbx_CustomBlock by Lin " {
		t.Errorf(`authors = %v; want "Tree.Item.Gbx by anonymous Other.Block.Gbx_CustomBlock by Lin "`, authors)
	}
	for _, it := range clean.Items() {
		if got, want := it.Model.Author.String(), map[bool]string{true: "anonymous", false: "Ada"}[it.Model.ID.String() == "Tree.Item.Gbx"]; got != want {
			t.Errorf("%s is by %s", it.Model.ID, got)
		}
	}
	files, err := clean.EmbeddedFiles()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files.Files {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "Items/Tree.txt Items/Tree.Item.Gbx Items/Unused.Item.Gbx Items/Leak.Item.Gbx ../Evil.Item.Gbx" {
		t.Errorf(`got = %v; want "Items/Tree.txt Items/Tree.Item.Gbx Items/Unused.Item.Gbx Items/Leak.Item.Gbx ../Evil.Item.Gbx"`, got)
	}
	broken := mapsample.New(t)
	zip, _ := gbx.Find[*game.Chunk03043054](broken.File.Body)
	zip.EmbeddedZip = []byte("no zip")
	if _, err := broken.Scrub(); fault.KindOf(err) != fault.Corrupt {
		t.Errorf("err = %v; want err of kind fault.Corrupt", err)
	}
}

// TestModels: the names that a map has for its models, embedded or not.
func TestModels(t *testing.T) {
	m := mapsample.New(t)
	if err := m.AddBlock(maps.Block{Name: "My.Block.Gbx_CustomBlock", Author: "lin", Coord: gbx.Int3{X: 5, Y: 9, Z: 5}}); err != nil {
		t.Fatal(err)
	}
	s := m.Models()
	for _, test := range []struct {
		name, author, want string
		kind               fault.Kind
	}{
		{"Tree.Item.Gbx", "", "Tree.Item.Gbx by Ada", ""}, {`tree.item.gbx`, "", "Tree.Item.Gbx by Ada", ""}, {"Tree.Item.Gbx", "grace", "Tree.Item.Gbx by grace", ""},
		{"Lost.Item.Gbx", "", "Lost.Item.Gbx by Ada", ""}, {"Unused.Item.Gbx", "", "Unused.Item.Gbx by Ada", ""},
		{"My.Block.Gbx_CustomBlock", "", "My.Block.Gbx_CustomBlock by lin", ""},
		{"RoadTechStart", "", "RoadTechStart by Nadeo", ""}, {"New.Item.Gbx", "", "", fault.BadEntry}, {"New.Item.Gbx", "grace", "New.Item.Gbx by grace", ""},
	} {
		id, err := s.Ident(test.name, test.author)
		if got := id.ID.String() + " by " + id.Author.String(); fault.KindOf(err) != test.kind || err == nil && (got != test.want || id.Collection != m.Ident().Collection) {
			t.Errorf("%s of %q: %s (%v)", test.name, test.author, got, err)
		}
	}
	for _, test := range []struct{ name, author, skin, want string }{
		{"RoadTechStart", "", "", ""}, {"RoadTechStart", "", "a.dds", "Nadeo"}, {"RoadTechStart", "ada", "", "ada"}, {"My.Block.Gbx_CustomBlock", "", "", "lin"},
	} {
		if got, err := s.BlockAuthor(test.name, test.author, test.skin); err != nil || got != test.want {
			t.Errorf("%v: got = %q (err = %v); want no error, got = %q", test, got, err, test.want)
		}
	}
}

// TestListedDependencies: the files that the header lists for download.
func TestListedDependencies(t *testing.T) {
	m := mapsample.New(t)
	for xml, want := range map[string]string{
		`<header><deps><dep file="Skins\a &amp; b.zip" url="http://x/a?b=1&amp;c=2"/><dep file="b.zip"/><dep url="http://y"/><dep other="x"/></deps></header>`: `Skins\a & b.zip http://x/a?b=1&c=2|b.zip |` + ` http://y`,
		`<header><deps></deps></header>`:      "",
		`<header><deps><dep file="c.zip"`:     "c.zip ",
		`<header><deps><dep ><dep file="d"/>`: "d ",
	} {
		for i := range m.File.Header.Chunks {
			if c, ok := m.File.Header.Chunks[i].Body.(*game.Header03043005); ok {
				c.XML = xml
			}
		}
		var got []string
		for _, d := range maps.ListedDependencies(&m.File.Header) {
			got = append(got, d.Path+" "+d.URL)
		}
		if text := strings.Join(got, "|"); text != want {
			t.Errorf("%s: %q, want %q", xml, text, want)
		}
	}
}

// TestMetaOfEveryType: values of scripts as scripts write their types.
func TestMetaOfEveryType(t *testing.T) {
	m := mapsample.New(t)
	c, _ := gbx.Find[*game.Chunk03043044](m.File.Body)
	traits, _ := gbx.Find[*script.Chunk11002000](c.ScriptMetadata.Node)
	kind := func(k script.Kind) *script.Type { return &script.Type{Kind: k} }
	traits.Traits.Traits = nil
	add := func(t *script.Type, v script.Value) {
		traits.Traits.Traits = append(traits.Traits.Traits, script.Trait{Name: "x", Type: t, Value: v})
	}
	add(kind(script.Boolean), script.Value{Bool: 1})
	add(kind(script.Boolean), script.Value{})
	add(kind(script.Real), script.Value{Real: 1.5})
	add(kind(script.Real), script.Value{Real: float32(math.NaN())})
	add(kind(script.Vec2), script.Value{Vec2: gbx.Vec2{X: 1, Y: 2}})
	add(kind(script.Vec3), script.Value{Vec3: gbx.Vec3{X: 1, Y: 2, Z: 3}})
	add(kind(script.Int2), script.Value{Int2: gbx.Int2{X: 1, Y: 2}})
	add(kind(script.Int3), script.Value{Int3: gbx.Int3{X: 1, Y: 2, Z: 3}})
	add(kind(script.Void), script.Value{})
	add(kind(script.Kind(99)), script.Value{})
	add(&script.Type{Kind: script.Struct, Name: "K_Car", Members: []script.Member{{Name: "Fast", Type: *kind(script.Boolean)}, {Name: "Doors", Type: *kind(script.Integer)}}}, script.Value{Items: []script.Value{{Bool: 1}, {Int: 4}, {Int: 5}}})
	var got []string
	for _, v := range m.Meta() {
		got = append(got, fmt.Sprintf("%s %v", v.Type, v.Value))
	}
	want := "Boolean true|Boolean false|Real 1.5|Real <nil>|Vec2 [1 2]|Vec3 [1 2 3]|Int2 [1 2]|Int3 [1 2 3]|Void <nil>|Kind99 <nil>|K_Car map[Doors:4 Fast:true]"
	if text := strings.Join(got, "|"); text != want {
		t.Errorf("%s, want\n%s", text, want)
	}
}

// TestPartsShareWhatTheBodyTakes: every chunk has its part of the file.
func TestPartsShareWhatTheBodyTakes(t *testing.T) {
	m := mapsample.New(t)
	all, err := m.Parts()
	if err != nil {
		t.Fatal(err)
	}
	file, err := m.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if all.Stored != int64(len(file)) || len(all.Parts) != 2 || all.Parts[0].Stored+all.Parts[1].Stored != all.Stored {
		t.Fatalf("all = %+v; want all.Stored = int64(len(file)), all.Parts of length 2, all.Parts[0].Stored + all.Parts[1].Stored = %v", all, all.Stored)
	}
	for _, part := range all.Parts {
		sum, bytes := int64(0), int64(0)
		for _, p := range part.Parts {
			sum, bytes = sum+p.Stored, bytes+p.Bytes
			if p.Stored <= 0 || p.Bytes <= 0 {
				t.Errorf("%s takes %d bytes, stored as %d", p.ID, p.Bytes, p.Stored)
			}
		}
		// Rounding takes a byte from each; a header has its table besides.
		if sum > part.Stored || sum < part.Stored-100-int64(len(part.Parts)) || bytes > part.Bytes {
			t.Errorf("%s: %d and %d bytes of %d and %d", part.Name, bytes, sum, part.Bytes, part.Stored)
		}
		if !slices.IsSortedFunc(part.Parts, func(a, b *maps.Part) int { return int(max(b.Bytes, b.Stored) - max(a.Bytes, a.Stored)) }) {
			t.Errorf("%s: not the largest first", part.Name)
		}
	}
}

// TestNoSuchDirection: macroblocks are pasted in four.
func TestNoSuchDirection(t *testing.T) {
	none := &maps.Macroblock{Collector: items.Collector{File: &gbx.File{Body: &gbx.Node{}}}}
	for _, direction := range []int{-1, 4} {
		if err := mapsample.New(t).PasteMacroblock(none, gbx.Int3{}, direction); fault.KindOf(err) != fault.Limit {
			t.Errorf("%d: err = %v; want err of kind fault.Limit", direction, err)
		}
	}
	if err := mapsample.New(t).PasteMacroblock(none, gbx.Int3{}, 3); err != nil {
		t.Error(err)
	}
}
