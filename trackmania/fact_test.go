package trackmania

import (
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
)

// Every place that holds a map's name holds the new one after Rename, and the
// saved file does not contradict itself.
func TestRenameEverywhere(t *testing.T) {
	t.Parallel()
	maps, of12 := 0, 0
	eachFile(t, mapFolders, func(c corpusFile) {
		m, err := MapOf(c.file)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			return
		}
		maps++
		const name = `A <new> "name" & more`
		if err := m.Rename(name); err != nil {
			t.Error(err)
		}
		m.SetMedals(Medals{1, 2, 3, 4})
		for _, p := range mapName.places {
			if v, ok := p.get(m.site()); ok && v != name {
				t.Errorf("%s: %s still has %q", c.path, p.name, v)
			}
		}
		if b, ok := gbx.Find[*game.Chunk03043012](c.file.Body); ok {
			of12++
			if h, ok := gbx.FindHeader[*game.Header03043003](&c.file.Header); !ok || h.MapName != name || b.MapName != name {
				t.Errorf("%s: header %+v, body %q", c.path, h, b.MapName)
			}
		}
		data, err := c.file.Encode()
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			return
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			return
		}
		for _, s := range Contradictions(f) {
			if strings.Contains(s, "name is") && !strings.Contains(s, "nick") || strings.Contains(s, "time") {
				t.Errorf("%s: %s", c.path, s)
			}
		}
	})
	if maps < 200 || of12 < 2 {
		t.Errorf("%d maps, %d with chunk 03043012", maps, of12)
	}
}

// The games write all places of a fact alike: of the maps of the corpus three
// contradict themselves, which other programs have written.
func TestContradictionsOfRealMaps(t *testing.T) {
	t.Parallel()
	var found []string
	eachFile(t, mapFolders, func(c corpusFile) {
		for _, s := range Contradictions(c.file) {
			found = append(found, c.path[strings.LastIndexByte(c.path, '/')+1:]+": "+s[:strings.Index(s, " is ")])
		}
	})
	slices.Sort(found)
	want := []string{
		"6ce0bbb91fcd.Map.Gbx: the author's login", "6ce0bbb91fcd.Map.Gbx: the author's nickname", "6ce0bbb91fcd.Map.Gbx: the author's zone",
		"6ce0bbb91fcd.Map.Gbx: the map's UID", "6ce0bbb91fcd.Map.Gbx: the map's name",
		"cfc5cda7a4ca.Map.Gbx: the map's name", "f312f7fc7fb1.Challenge.Gbx: the map's name",
	}
	if !slices.Equal(found, want) {
		t.Errorf("got  %q\nwant %q", found, want)
	}
}

func TestXMLAttribute(t *testing.T) {
	const text = "\ufeff" + `<header type="map" a='x="y"'><ident uid="u" name="1 &lt; 2"/><times gold="7" broken=></header>`
	for _, test := range []struct{ tag, name, want string }{
		{"header", "type", "map"}, {"header", "a", `x="y"`}, {"header", "y", ""}, {"ident", "name", "1 < 2"}, {"ident", "nam", ""},
		{"times", "gold", "7"}, {"times", "broken", ""}, {"time", "gold", ""}, {"none", "a", ""},
	} {
		f := &gbx.File{Header: gbx.Header{Chunks: []gbx.HeaderChunk{{Body: &game.Header03043005{XML: text}}}}}
		got, ok := inXML(test.tag, test.name).get(siteOf(f))
		if got != test.want || ok != (test.want != "") {
			t.Errorf("%s %s: %q, want %q", test.tag, test.name, got, test.want)
		}
	}
}
