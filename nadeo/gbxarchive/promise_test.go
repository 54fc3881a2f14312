package gbxarchive

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/nadeo/nadeotest/mapsample"
)

// input is a file in memory.
func input(data []byte) archive.Input {
	return archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "a.Gbx"}
}

// A file keeps the ending of its class: a name with that of another class is refused, and
// the advice has the right one. Names without an ending, or with an unknown one, are free.
func TestFits(t *testing.T) {
	data := sampleFile(t, "Sample.Ghost.Gbx")
	for name, advice := range map[string]string{
		"a.Ghost.Gbx": "", "A.GHOST.GBX": "", "d/a.ghost.gbx": "", "a.Gbx": "", "a": "", "a.Replay": "", "a.Other.Gbx": "", "a.Map.zip": "",
		"a.Replay.Gbx": "call it a.Ghost.Gbx", "d/My b.map.GBX": "call it d/My b.Ghost.Gbx", "a.Ghost.Item.Gbx": "call it a.Ghost.Ghost.Gbx",
	} {
		for i, err := range []error{(Format{}).Fits(open(t, data, "a.Gbx"), name), (Format{}).FitsContent(input(data), name), (Format{}).FitsContent(input(data[:13]), name)} {
			var usage *fault.Error
			if advice == "" && err != nil || advice != "" && (!errors.As(err, &usage) || usage.Kind != fault.Usage || !slices.Equal(fault.Hints(usage), []string{advice}) || !strings.Contains(err.Error(), name)) {
				t.Errorf("%s, %d: %v, want %q", name, i, err, advice)
			}
		}
	}
	if err := (Format{}).Fits(nil, "a.Replay.Gbx"); err != nil {
		t.Errorf("of another format: %v", err)
	}
	if err := (Format{}).FitsContent(input(data[:12]), "a.Replay.Gbx"); err != nil {
		t.Errorf("of a file that ends before its class: %v", err)
	}
}

// A map that breaks off in its body still has its header: its pictures, its texts, and
// its facts as a file. Facts from the body are missing.
func TestSalvageMap(t *testing.T) {
	whole := sampleFile(t, "Sample.Map.Gbx")
	plain, err := recoded(t, open(t, whole, "a.Map.Gbx"), map[string]string{"body": "uncompressed"})
	if err != nil {
		t.Fatal(err)
	}
	salvaged, err := Format{}.Salvage(t.Context(), input(plain[:len(plain)-100]), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := salvaged.(*Archive)
	var names []string
	for _, e := range a.Entries() {
		names = append(names, e.Name)
	}
	if got := strings.Join(names, " "); got != "header.xml thumbnail.jpg facts.json body.bin" {
		t.Errorf("files: %s", got)
	}
	facts := factMap(a.Facts())
	for _, name := range []string{"name", "uid", "author_login", "game", "mood", "class_name", "collection_name"} {
		if facts[name] == nil {
			t.Errorf("no %s in %v", name, facts)
		}
	}
	for _, name := range []string{"block_count", "item_count", "body_size", "node_count"} {
		if v, ok := facts[name]; ok {
			t.Errorf("%s is %v, of a body that breaks off", name, v)
		}
	}
	text, err := a.Facts().MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := fs.ReadFile(a, "facts.json"); err != nil || string(got) != string(text)+"\n" {
		t.Errorf("got = %s, err = %v; want no error, got = string(text) + \"\\n\"", got, err)
	}
	if got, err := fs.ReadFile(a, "body.bin"); err != nil || len(got) == 0 || !bytes.HasSuffix(plain[:len(plain)-100], got) {
		t.Errorf("%d bytes of the body, %v", len(got), err)
	}
	packed, err := Format{}.Salvage(t.Context(), input(whole[:len(whole)-100]), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := recoded(t, packed.(*Archive), map[string]string{"body": "uncompressed"}); err == nil {
		t.Error("a salvaged file was written as a complete one")
	}
	if all := factMap(open(t, whole, "a.Map.Gbx").Facts()); all["block_count"] == nil || len(all) <= len(facts) {
		t.Errorf("the whole file: %v", all)
	}
}

// Data without a GBX header cannot be saved, and a file above the limit is not read, whether
// intact or damaged. One of exactly that size is read.
func TestLimits(t *testing.T) {
	data := sampleFile(t, "Sample.Item.Gbx")
	for name, read := range map[string]func(archive.Options) (archive.Archive, error){
		"open":    func(o archive.Options) (archive.Archive, error) { return Format{}.Open(t.Context(), input(data), o) },
		"salvage": func(o archive.Options) (archive.Archive, error) { return Format{}.Salvage(t.Context(), input(data), o) },
	} {
		if a, err := read(archive.Options{MaxEntrySize: int64(len(data))}); err != nil || a == nil {
			t.Errorf("%s at the limit: %v", name, err)
		}
		if a, err := read(archive.Options{MaxEntrySize: int64(len(data)) - 1}); !errors.Is(err, fault.Limit) || a != nil {
			t.Errorf("%s above the limit: %v, %v", name, a, err)
		}
	}
	for _, bad := range []string{"", "no GBX at all", "GBX\x06\x00BUUR"} {
		if a, err := (Format{}).Salvage(t.Context(), input([]byte(bad)), archive.Options{}); err == nil || a != nil {
			t.Errorf("%q is saved: %v", bad, a)
		}
	}
	short := archive.Input{ReaderAt: bytes.NewReader(data[:50]), Size: int64(len(data))}
	if _, err := (Format{}).Salvage(context.Background(), short, archive.Options{}); err == nil {
		t.Error("a file that cannot be read to its end is saved")
	}
}

// The line about a mesh states its size, or where the mesh is.
func TestMeshWords(t *testing.T) {
	for _, k := range []struct {
		g                  geometry
		mesh, collision    string
		meshed, collision2 bool
	}{
		{geometry{3, 1, 0, nil}, "3 vertices, 1 triangles", "", true, false},
		{geometry{0, 0, 0, []string{"a", "b"}}, "in other files: a, b", "", true, false},
		{geometry{3, 1, 2, []string{"a"}}, "3 vertices, 1 triangles", "2 triangles", true, true},
		{geometry{0, 0, 0, nil}, "none in this file", "", true, false},
		{geometry{0, 0, 5, nil}, "", "5 triangles", false, true},
	} {
		lines, fields := cardLines(meshFacts.Of(&k.g))
		if k.meshed != strings.Contains(lines, "Mesh: "+k.mesh) || k.meshed != strings.Contains(lines, "Mesh: ") || k.collision2 != strings.Contains(lines, "Collision: "+k.collision) || k.collision2 != strings.Contains(lines, "Collision: ") {
			t.Errorf("%+v: lines = %s", k.g, lines)
		}
		if fields != "vertex_count triangle_count collision_triangle_count" {
			t.Errorf(`%+v: fields = %s; want "vertex_count triangle_count collision_triangle_count"`, k.g, fields)
		}
	}
	if MeshFactsOf(open(t, sampleFile(t, "Sample.Map.Gbx"), "a.Gbx").file) != nil {
		t.Error("a map has a mesh")
	}
	if facts := factMap(MeshFactsOf(open(t, sampleFile(t, "Sample.Mesh.Gbx"), "a.Gbx").file)); facts["vertex_count"] == 0 || facts["triangle_count"] == 0 {
		t.Errorf(`facts = %v; want facts["vertex_count"] other than 0, facts["triangle_count"] other than 0`, facts)
	}
}

// The line about nodes has the most frequent classes first, at most six of them.
func TestNodeWords(t *testing.T) {
	for want, count := range map[string]map[string]int{
		"":                                {},
		"2 B, 1 A, 1 C":                   {"A": 1, "B": 2, "C": 1},
		"6 F, 5 E, 4 D, 3 C, 2 B, 1 A":    {"A": 1, "B": 2, "C": 3, "D": 4, "E": 5, "F": 6},
		"7 G, 6 F, 5 E, 4 D, 3 C, 2 B, …": {"A": 1, "B": 2, "C": 3, "D": 4, "E": 5, "F": 6, "G": 7},
	} {
		if got := nodeWords(count); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// An edit reports the contradictions that it creates, and omits earlier ones.
func TestNewContradictionsAlone(t *testing.T) {
	data, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	first, err := open(t, data, "a.Map.Gbx").Set([]archive.Assignment{{Path: "body.0304301F.mapName", Value: "Other"}})
	if err != nil || len(first.Notes) != 1 {
		t.Fatalf("err = %v, first.Notes = %q; want no error, first.Notes of length 1", err, first.Notes)
	}
	a := open(t, first.Data, "a.Map.Gbx")
	second, err := a.Set([]archive.Assignment{{Path: "body.0304301F.blocks.blocks[0].direction", Value: "2"}})
	if err != nil || len(second.Notes) != 0 {
		t.Errorf("err = %v, second.Notes = %q; want no error, empty second.Notes", err, second.Notes)
	}
	same, err := a.Set(nil)
	if err != nil || !bytes.Equal(same.Data, a.data) || len(same.Changes) != 0 {
		t.Errorf("nothing is set: %v, %d changes", err, len(same.Changes))
	}
	for _, c := range second.Changes {
		if bytes.Equal(c.Old, c.New) || c.Offset < 0 {
			t.Errorf("c = %+v; want c.Old different from c.New, c.Offset at least 0", c)
		}
	}
	if len(second.Changes) == 0 {
		t.Error("no bytes have changed")
	}
}

// The facts of a file are the same, open as an archive or not.
func TestFactsOfFile(t *testing.T) {
	for _, kind := range []string{"Ghost", "Item", "Map", "Mesh", "Replay"} {
		a := open(t, sampleFile(t, "Sample."+kind+".Gbx"), "a.Gbx")
		text, err := a.Facts().MarshalJSON()
		other, err2 := FactsOf(a.File()).MarshalJSON()
		if err != nil || err2 != nil || !bytes.Equal(text, other) {
			t.Errorf("%s: err = %v, err2 = %v\ntext = %s\nother = %s; want no error, err2 = nil, text equal to other", kind, err, err2, text, other)
		}
		if a.Format() != "gbx" || kind == "Map" && a.Game() == "" {
			t.Errorf(`%s: a.Format() = %s, a.Game() = %q; want a.Format() = "gbx", (kind other than "Map" or a.Game() not empty)`, kind, a.Format(), a.Game())
		}
	}
	if n := len((Format{}).Subjects()); n != 8 {
		t.Errorf("%d subjects", n)
	}
}
