package places

import (
	"slices"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// name has three places: two in chunks of the header, one in the header's XML.
var name = &Fact[string]{
	What: "map's name",
	Text: func(s string) string { return s },
	Places: []Place[string]{
		InHeader(func(c *game.Header03043003) *string { return When(c.Version >= 1, &c.MapName) }),
		InXML("ident", "name"),
		InBody(func(c *game.Chunk03043049) *string { return nil }),
	},
}

func site(inChunk, xml string) (Site, *game.Header03043003, *game.Header03043005) {
	a, b := &game.Header03043003{Version: 1, MapName: inChunk}, &game.Header03043005{XML: xml}
	f := &gbx.File{Header: gbx.Header{Chunks: []gbx.HeaderChunk{{ID: 0x03043003, Body: a}, {ID: 0x03043005, Body: b}}}, Body: &gbx.Node{}}
	return SiteOf(f), a, b
}

func TestFirstPlaceWins(t *testing.T) {
	for _, c := range []struct {
		chunk, xml, want string
		ok               bool
	}{
		{"A", `<ident name="B"/>`, "A", true},
		{"", `<ident name="B"/>`, "B", true}, // an empty place is ignored
		{"", `<ident name=""/>`, "", true},
		{"", "", "", true},
	} {
		s, _, _ := site(c.chunk, c.xml)
		if got, ok := name.Find(s); got != c.want || ok != c.ok || name.Read(s) != got {
			t.Errorf("c.chunk = %q c.xml = %q: got = %q ok = %v; want got = %q, ok = %v, name.Read(s) = %v", c.chunk, c.xml, got, ok, c.want, c.ok, got)
		}
	}
	s, chunk, xml := site("A", `<ident name="B"/>`)
	chunk.Version = 0 // without a name
	if got, ok := name.Find(s); got != "B" || !ok {
		t.Errorf(`got = %q ok = %v; want got = "B", ok = true`, got, ok)
	}
	xml.XML = ""
	if got, ok := name.Find(s); got != "" || ok {
		t.Errorf("a file without the fact has %q %v", got, ok)
	}
	// Without Text, every value counts.
	any := &Fact[string]{None: "none", Places: name.Places}
	s, _, _ = site("", `<ident name="B"/>`)
	if got, ok := any.Find(s); got != "" || !ok {
		t.Errorf(`got = %q ok = %v; want got = "", ok = true`, got, ok)
	}
	if got, ok := any.Find(Site{Node: &gbx.Node{}}); got != "none" || ok {
		t.Errorf("a node inside of a file: %q %v", got, ok)
	}
}

func TestSetWritesEveryPlace(t *testing.T) {
	s, chunk, xml := site("A", `<header exever="3.0"><ident uid="u" name="B" author="a"/></header>`)
	name.Set(s, "x & <y>")
	if chunk.MapName != "x & <y>" || xml.XML != `<header exever="3.0"><ident uid="u" name="x &amp; &lt;y&gt;" author="a"/></header>` {
		t.Errorf("chunk.MapName = %q, xml.XML = %s; want chunk.MapName = \"x & <y>\", xml.XML = `<header exever=\"3.0\"><ident uid=\"u\" name=\"x &amp; &lt;y&gt;\" author=\"a\"/></header>`", chunk.MapName, xml.XML)
	}
	chunk.Version = 0
	name.Set(s, "z")
	if chunk.MapName != "x & <y>" {
		t.Error("a place that this version has not was written")
	}
	name.Set(Site{Node: &gbx.Node{}}, "z") // has no place
}

func TestContradiction(t *testing.T) {
	s, chunk, xml := site("A", `<ident name="B"/>`)
	want := `the map's name is "A" in header chunk 03043003, but "B" in the header's XML`
	if got := name.Contradiction(s); got != want {
		t.Errorf("got = %s; want %s", got, want)
	}
	other := &Fact[string]{What: "author", Text: name.Text, Places: []Place[string]{InXML("ident", "name")}}
	if got := Contradictions(s, other, name, other, name); !slices.Equal(got, []string{want, want}) {
		t.Errorf("got = %q; want got equal to []string{want, want}", got)
	}
	for _, matters := range []bool{false, true} {
		only := *name
		only.Matters = func(Site) bool { return matters }
		if got := only.Contradiction(s) != ""; got != matters {
			t.Errorf("matters %v, and a contradiction %v", matters, got)
		}
	}
	xml.XML = `<ident name="A"/>`
	if got := name.Contradiction(s); got != "" {
		t.Errorf(`got = %v; want ""`, got)
	}
	chunk.Version, xml.XML = 0, `<ident name="B"/>`
	if got := name.Contradiction(s); got != "" {
		t.Errorf("one place alone contradicts itself: %s", got)
	}
}

func TestNamesOfPlaces(t *testing.T) {
	field := InBody(func(c *game.Chunk03043049) *uint32 { return &c.Version })
	if got := field.Name(); got != "chunk 03043049" {
		t.Errorf(`got = %v; want "chunk 03043049"`, got)
	}
	for _, p := range []Place[string]{name.Places[0], Texts([]Place[gbx.ID]{IDOf(name.Places[0])})[0]} {
		if got := p.Name(); got != "header chunk 03043003" {
			t.Errorf(`got = %v; want "header chunk 03043003"`, got)
		}
	}
}

// A place of a whole value must serve as a place of a part of it, and keep the rest.
func TestWithin(t *testing.T) {
	type pair struct{ a, b string }
	whole, there := pair{"a", "b"}, true
	first := Within([]Place[pair]{{
		Get: func(Site) (pair, bool) { return whole, there },
		Set: func(_ Site, p pair) { whole = p },
	}}, func(p *pair) *string { return &p.a })[0]
	first.Set(Site{}, "c")
	if got, ok := first.Get(Site{}); got != "c" || !ok || whole.b != "b" {
		t.Errorf("%q %v, and %v", got, ok, whole)
	}
	there = false
	if first.Set(Site{}, "d"); whole.a != "c" {
		t.Error("a place that is not there was written")
	}
	if _, ok := first.Get(Site{}); ok {
		t.Error("it is there")
	}
}

// A place of an ID must serve as a place of a text and of an ident, and the other way round.
func TestIDForms(t *testing.T) {
	s, chunk, _ := site("A", "")
	id := IDOf(name.Places[0])
	if got, ok := id.Get(s); got.String() != "A" || !ok {
		t.Errorf(`got = %v ok = %v; want got.String() = "A", ok = true`, got, ok)
	}
	texts := Texts([]Place[gbx.ID]{id})[0]
	if got, ok := texts.Get(s); got != "A" || !ok {
		t.Errorf(`got = %q ok = %v; want got = "A", ok = true`, got, ok)
	}
	if texts.Set(s, "B"); chunk.MapName != "B" {
		t.Errorf(`chunk.MapName = %v; want "B"`, chunk.MapName)
	}
	ident := IdentOf(name.Places[0])
	if got, ok := ident.Get(s); got.ID.String() != "B" || got.Collection != gbx.NoID || got.Author != gbx.NoID || !ok {
		t.Errorf(`got = %v ok = %v; want got.ID.String() = "B", got.Collection = gbx.NoID, got.Author = gbx.NoID, ok = true`, got, ok)
	}
	if ident.Set(s, gbx.Ident{ID: gbx.NewID("C")}); chunk.MapName != "C" {
		t.Errorf(`chunk.MapName = %v; want "C"`, chunk.MapName)
	}
}

// Idents, titles and numbers must have the texts that games show.
func TestTexts(t *testing.T) {
	if got := IdentText(gbx.Ident{ID: gbx.NewID("x"), Collection: gbx.NewID("y"), Author: gbx.NewID("z")}); got != "xyz" {
		t.Errorf(`got = %v; want "xyz"`, got)
	}
	if IdentText(NoIdent) != "" || TitleText(gbx.NewID("Unassigned")) != "" || TitleText(gbx.NewID("TMStadium")) != "TMStadium" {
		t.Error("texts of idents")
	}
	if NumberText(uint32(1<<32-1)) != "4294967295" || NumberText(int32(-1)) != "-1" {
		t.Error("texts of numbers")
	}
}

func TestNumberInXML(t *testing.T) {
	s, _, xml := site("", `<times gold="700" silver="" bronze="x" none="-1"/>`)
	for _, c := range []struct {
		attribute string
		want      int32
		ok        bool
	}{{"gold", 700, true}, {"none", -1, true}, {"silver", 0, false}, {"bronze", 0, false}, {"author", 0, false}} {
		if got, ok := NumberInXML[int32]("times", c.attribute).Get(s); got != c.want || ok != c.ok {
			t.Errorf("%s: got = %d ok = %v; want got = %d, ok = %v", c.attribute, got, ok, c.want, c.ok)
		}
	}
	NumberInXML[uint32]("times", "gold").Set(s, 1<<32-1) // none, in the form that games write
	if xml.XML != `<times gold="-1" silver="" bronze="x" none="-1"/>` {
		t.Errorf("xml.XML = %v; want `<times gold=\"-1\" silver=\"\" bronze=\"x\" none=\"-1\"/>`", xml.XML)
	}
}

// Games before TrackMania Forever percent-encode the texts of their XML.
func TestXMLOfOldGames(t *testing.T) {
	s, _, xml := site("", `<header exever="0.1.7.9"><ident name="a%20b%26"/></header>`)
	p := InXML("ident", "name")
	if got, _ := p.Get(s); got != "a b&" {
		t.Errorf(`got = %v; want "a b&"`, got)
	}
	p.Set(s, "c&d e")
	if want := `<header exever="0.1.7.9"><ident name="c%26d+e"/></header>`; xml.XML != want {
		t.Errorf("xml.XML = %v; want %v", xml.XML, want)
	}
	if got, _ := p.Get(s); got != "c&d e" {
		t.Errorf(`got = %v; want "c&d e"`, got)
	}
	for value, want := range map[string]string{"a%zz": "a%zz", "&lt;%41": "<A"} {
		if got := UnescapeXML(value, `exever="0.1"`); got != want {
			t.Errorf("%s: got = %s; want %s", value, got, want)
		}
	}
	if got := UnescapeXML("a%20&amp;", `exever="2.1"`); got != "a%20&" {
		t.Errorf(`got = %v; want "a%%20&"`, got)
	}
}

func TestHeaderXML(t *testing.T) {
	replay := &game.Header03093001{XML: "r"}
	if x := HeaderXML(&gbx.Header{Chunks: []gbx.HeaderChunk{{ID: 0x03093001, Body: replay}}}); x != &replay.XML {
		t.Error("no XML of a replay")
	}
	if HeaderXML(nil) != nil || HeaderXML(&gbx.Header{}) != nil {
		t.Error("XML from nowhere")
	}
	s := Site{Header: &gbx.Header{}}
	InXML("ident", "name").Set(s, "x") // the header has no XML
	if _, ok := InXML("ident", "name").Get(s); ok {
		t.Error("XML from nowhere")
	}
	for text, ok := range map[string]bool{
		"<ident\t name='x'/>": false, "<ident \t\r\n name='x'/>": true, "<ident a='1' name='x'/>": true,
		"<ident name=x/>": false, "<ident name='x": false, "<ident name=": false, "<ident ='x'/>": false, "<ident >name='x'": false, "<ident name='": false, "<ident name=''": true,
	} {
		if from, to, got := XMLAttribute(text, "ident", "name"); got != ok || ok && text[from:to] != "x" && from != to {
			t.Errorf("%q: %d to %d, %v", text, from, to, got)
		}
	}
}
