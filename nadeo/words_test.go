package nadeo

import (
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
)

// A name may hold what XML can hold, and nothing else.
func TestCheckName(t *testing.T) {
	for name, want := range map[string]bool{
		"": true, "$f00Größe 世界 \U0001F3CE": true, "a\uFFFDb": true, "a b": true, "\u00A0": true,
		"a\nb": false, "a\x00": false, "\x1b[31m": false, "\x7f": false, "\u0085": false, "\uFFFE": false, "\uFFFF": false, "a\xff": false, "\xed\xa0\x80": false,
	} {
		if err := CheckName(name); (err == nil) != want {
			t.Errorf("%q: err = %v; want success = %v", name, err, want)
		}
	}
}

// An ID is a number, a name or nothing, and a numbered environment has the name that
// players know.
func TestIDs(t *testing.T) {
	for _, test := range []struct {
		id    gbx.ID
		value any
		name  string
		known string
	}{
		{gbx.NewID("Stadium"), "Stadium", "Stadium", "Stadium"},
		{gbx.NewID("Speed"), "Speed", "Speed", "Desert"},
		{gbx.NoID, nil, "", ""},
		{gbx.ID{}, uint32(0), "Speed", "Desert"},
		{gbx.NumberID(26), uint32(26), "Stadium2020", "Stadium"},
		{gbx.NumberID(1), uint32(1), "Alpine", "Snow"},
		{gbx.NumberID(12), uint32(12), "Canyon", "Canyon"},
		{gbx.NumberID(27), uint32(27), gbx.NumberID(27).String(), gbx.NumberID(27).String()},
	} {
		if got := IDValue(test.id); got != test.value {
			t.Errorf("%v: %v (%T), want %v", test.id, got, got, test.value)
		}
		name := CollectionName(test.id)
		if name != test.name || EnvironmentName(name) != test.known {
			t.Errorf("%v: %q, which is called %q, want %q and %q", test.id, name, EnvironmentName(name), test.name, test.known)
		}
	}
}

func TestLoginWords(t *testing.T) {
	if got := LoginWords("vTr5QXsPTFi3a2QoTZkY2w"); got != "vTr5QXsPTFi3a2QoTZkY2w (account bd3af941-7b0f-4c58-b76b-64284d9918db)" {
		t.Errorf(`got = %v; want "vTr5QXsPTFi3a2QoTZkY2w (account bd3af941-7b0f-4c58-b76b-64284d9918db)"`, got)
	}
	if got := LoginWords("nadeo"); got != "" {
		t.Errorf(`got = %v; want ""`, got)
	}
}

// The game is derived from program names of twenty years.
func TestOriginOfProgram(t *testing.T) {
	for name, want := range map[string]Origin{
		"Trackmania date=2025-07-04_14_15 git=127252-1c2a3b GameVersion=3.3.0": {Version: "3.3.0", Build: "2025-07-04_14_15"},
		"ManiaPlanet Date=2011-10-07_12_00 Svn=1 GameVersion=3.1.0":            {Version: "3.1.0", Build: "2011-10-07_12_00"},
		"TmForever.2.11.26": {Version: "2.11.26"}, "TmForeverCompPatch.2.11.26": {Version: "2.11.26"}, "TmUnited.0.2.0.0": {Version: "0.2.0.0"},
		"TrackmaniaTurbo.3.3.0": {Version: "3.3.0", Title: "TMTurbo"}, "Tm.1.2": {}, "": {}, "TmForever": {},
	} {
		if got := OriginOfProgram(name); got != want {
			t.Errorf("%q: %+v, want %+v", name, got, want)
		}
	}
}

// The container is described by its header, for cards and for programs.
func TestContainerFacts(t *testing.T) {
	f := &gbx.File{}
	f.Header.Version, f.Header.NumNodes, f.Class = 6, 9, 0x03043000
	for _, test := range []struct {
		text, packed bool
		stored       string
	}{
		{false, false, "GBX version 6, binary, body uncompressed"}, {false, true, "GBX version 6, binary, body compressed"}, {true, false, "GBX version 6, text, body uncompressed"},
	} {
		f.Header.Format, f.Header.BodyCompression = 'B', 'U'
		if test.text {
			f.Header.Format = 'T'
		}
		if test.packed {
			f.Header.BodyCompression = 'C'
		}
		record := ContainerFacts.Of(f)
		stored, _ := record.Get("encoding")
		packed, _ := record.Get("compressed")
		nodes, _ := record.Get("node_count")
		if want := map[bool]string{false: "binary", true: "text"}[test.text]; stored.Value != want || stored.Text() != test.stored || packed.Value != test.packed || nodes.Value != int64(9) {
			t.Errorf("stored.Value = %v, stored.Text() = %q, packed.Value = %v, nodes.Value = %v; want stored.Value = %v, stored.Text() = %q, packed.Value = %v, nodes.Value = int64(9)", stored.Value, stored.Text(), packed.Value, nodes.Value, want, test.stored, test.packed)
		}
	}
	for _, game := range []string{"", "TrackMania Forever"} {
		record := FileFacts(func(*gbx.File) string { return game }).Of(f)
		v, _ := record.Get("game")
		class, _ := record.Get("class")
		if known := game != ""; v.OnCard() != known || (v.Value != nil) != known || known && v.Value != game {
			t.Errorf("%q: v = %+v; want v.OnCard() = %v, v.Value is not nil exactly if known, (known = false or v.Value = %v)", game, v, known, game)
		}
		if class.Value != "03043000" || !strings.HasSuffix(class.Text(), "(03043000)") {
			t.Errorf(`class.Value = %v, class.Text() = %q; want class.Value = "03043000", class.Text() ending in "(03043000)"`, class.Value, class.Text())
		}
	}
}

// Files outside are named by their paths, resources of the game by their numbers.
func TestReferences(t *testing.T) {
	table := gbx.RefTable{External: []gbx.External{{FileName: "Skin.zip"}, {Flags: 4 | 1, ResourceIndex: 7, FileName: "unused"}}}
	if got := References(&table); !slices.Equal(got, []string{"Skin.zip", "resource 7"}) {
		t.Errorf(`got = %q; want got equal to []string{"Skin.zip", "resource 7"}`, got)
	}
	if got := References(&gbx.RefTable{}); len(got) != 0 {
		t.Errorf("got = %q; want empty got", got)
	}
}
