package maps

import (
	"bytes"
	"image"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/places"
	"pakbox/nadeo/nadeotest/roomtest"
)

// altered are maps that a tool has changed after the game had saved them; each
// shows it.
var altered = map[string]string{
	"6ce0bbb91fcd": "an empty base of 255 cells a side, with the header of another map",
	"f312f7fc7fb1": "another name in the body, by a generator",
	"cfc5cda7a4ca": "another name in the body, by a generator",
}

// Every property holds for every real map of the corpus, those in replays too.
func TestStrictPropertiesAreShared(t *testing.T) {
	count := map[nadeo.Generation]int{}
	check := func(path string, f *gbx.File) {
		m, err := Of(f)
		if err != nil || m.Generation() == "" {
			return
		}
		list := m.LintStrict()
		if why, ok := altered[corpus.Name(path)]; ok {
			if len(list) == 0 {
				t.Errorf("%s: not found: %s", path, why)
			}
			return
		}
		count[m.Generation()]++
		for _, f := range list {
			t.Errorf("%s: f.Rule = %s: f.Message = %s", filepath.Base(path), f.Rule, f.Message)
		}
	}
	for path, data := range corpus.GBX(t) {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			continue
		}
		check(path, f)
		if inner, err := gbx.Parse(roomtest.MapInReplay(f), engine.Registry()); err == nil {
			check(path, inner)
		}
	}
	if count[nadeo.Forever] < 200 || count[nadeo.ManiaPlanet4] < 20 || count[nadeo.Trackmania2020] < 15 {
		t.Errorf("too few maps: %v", count)
	}
	t.Log(count)
}

func TestNewMapsAreStrict(t *testing.T) {
	everyNewMap(t, func(t *testing.T, _ Options, m *Map) {
		for _, f := range m.LintStrict() {
			t.Errorf("%s: f.Message = %s", f.Rule, f.Message)
		}
	})
}

// hasRule reports whether one of the findings is of a rule.
func hasRule(list []finding.Finding, rule string) bool {
	return slices.ContainsFunc(list, func(f finding.Finding) bool { return f.Rule == rule })
}

// generationMaps calls test with a function that makes the same new map of
// each generation again and again.
func generationMaps(t *testing.T, test func(t *testing.T, g nadeo.Generation, fresh func() *Map)) {
	for _, g := range []nadeo.Generation{nadeo.Forever, nadeo.ManiaPlanet4, nadeo.Trackmania2020} {
		t.Run(string(g), func(t *testing.T) {
			test(t, g, func() *Map {
				m, err := New(Options{Game: g, UID: sampleUID})
				if err != nil {
					t.Fatal(err)
				}
				return m
			})
		})
	}
}

// A chunk that is missing, in another place, stored in another way or of
// another version is found, whichever it is.
func TestStrictFindsChunks(t *testing.T) {
	generationMaps(t, func(t *testing.T, g nadeo.Generation, fresh func() *Map) {
		broken := 0
		find := func(what string, id any, m *Map) {
			broken++
			if !hasRule(m.LintStrict(), "strict_chunks") {
				t.Errorf("%s: not found: %v", id, what)
			}
		}
		for i, want := range shapes()[g].header {
			m := fresh()
			m.File.Chunks = slices.Delete(m.File.Chunks, i, i+1)
			find("missing", want.id, m)
			m = fresh()
			m.File.Chunks[i].Heavy = !m.File.Chunks[i].Heavy
			find("heavy", want.id, m)
		}
		inNode := func(node func(*Map) *gbx.Node, want []chunkShape) {
			for i, c := range node(fresh()).Chunks {
				at := slices.IndexFunc(want, func(w chunkShape) bool { return w.id == c.ID })
				if !want[at].optional {
					m := fresh()
					n := node(m)
					n.Chunks = slices.Delete(n.Chunks, i, i+1)
					find("missing", c.ID, m)
				}
				m := fresh()
				node(m).Chunks[i].Skip = !c.Skip
				find("skippable", c.ID, m)
				if i > 0 {
					m = fresh()
					n := node(m)
					n.Chunks[i-1], n.Chunks[i] = n.Chunks[i], n.Chunks[i-1]
					find("order", c.ID, m)
				}
				m = fresh()
				if setVersion(node(m).Chunks[i].Body, 99) {
					find("version", c.ID, m)
				}
				m = fresh()
				node(m).Chunks[i].Body = &gbx.Opaque{Reason: "damage"}
				find("damage", c.ID, m)
			}
		}
		inNode(func(m *Map) *gbx.Node { return m.File.Body }, shapes()[g].body)
		// Without chunk 011 the parameters are missing.
		inNode(func(m *Map) *gbx.Node { return parameters(m.File.Body) }, shapes()[g].parameters)
		m := fresh()
		m.File.Body.Chunks = append(m.File.Body.Chunks, gbx.Chunk{ID: 0x03043014, Body: &game.Chunk03043014{}})
		find("strange", "03043014", m)
		t.Log(broken, "broken chunks found")
	})
}

func setVersion(b gbx.Body, v uint64) bool {
	f := reflect.ValueOf(b).Elem().FieldByName("Version")
	if !f.IsValid() || !f.CanUint() {
		return false
	}
	f.SetUint(v)
	return true
}

// breakers break each property that is not about chunks.
var breakers = map[string][]func(*Map){
	"container": {
		func(m *Map) { m.File.Version = 5 },
		func(m *Map) { m.File.Trailer = []byte{0} },
		func(m *Map) { m.File.Body.Tail = &gbx.Opaque{} },
	},
	"facts": {
		change(func(c *game.Chunk0304301F) { c.MapName = "other" }),
		change(func(c *game.Chunk0304301F) { c.MapInfo.Author = gbx.NewID("other") }),
		func(m *Map) {
			inParameters(func(c *game.Chunk0305B004) *gbx.Time { return &c.GoldTime }).Set(m.site(), 1)
		},
		func(m *Map) {
			inParameters(func(c *game.Chunk0305B008) *uint32 { return &c.AuthorScore }).Set(m.site(), 1)
		},
		func(m *Map) {
			places.InHeader(func(c *game.Header03043002) *gbx.Time { return &c.BronzeTime }).Set(m.site(), 1)
		},
	},
	"decoration in header": {change(func(c *game.Chunk0304301F) { c.Decoration.ID = gbx.NewID("Dusk") })},
	"pack": {func(m *Map) {
		places.InHeader(func(c *game.Header03043003) *gbx.Hash128 { return &c.PackMask }).Set(m.site(), gbx.Hash128{5: 1})
	}},
	"XML": {
		func(m *Map) { m.setXML("desc", "type", "Puzzle") },
		func(m *Map) { m.setXML("desc", "envir", "Moon") },
		func(m *Map) { *places.HeaderXML(&m.File.Header) += " " },
	},
	"build":      {func(m *Map) { m.setXML("header", "exebuild", "2021-01-01_00_00") }},
	"UID":        {func(m *Map) { mapUID.Set(m.site(), gbx.NewID("short")) }},
	"checksum":   {change(func(c *game.Chunk03043029) { c.CRC32++ })},
	"collection": {change(func(c *game.Chunk0304301F) { c.Decoration.Collection = gbx.NumberID(9) })},
	"thumbnail": {
		thumbnailOf([]byte("GIF89a")),
		func(m *Map) {
			small := image.NewGray(image.Rect(0, 0, 64, 64))
			data, _ := encodeJPEG(small, jpegQuality)
			thumbnailOf(data)(m)
		},
		func(m *Map) { thumbnailOf(bytes.Replace(m.StoredThumbnail(), []byte("JFIF"), []byte("JPEG"), 1))(m) },
	},
	"size":        {change(func(c *game.Chunk0304301F) { c.Size.Y++ })},
	"zones":       {change(func(c *game.Chunk03043043) { c.ZoneGenealogies = game.Genealogies{} })},
	"base":        {change(func(c *game.Chunk03043052) { c.DecoBaseHeightOffset++ })},
	"checkpoints": {change(func(c *game.Chunk03043017) { c.Checkpoints = []gbx.Int3{{X: 99}} })},
}

// change changes a chunk of the body.
func change[C gbx.Body](do func(C)) func(*Map) {
	return func(m *Map) {
		c, _ := find[C](m)
		do(c)
	}
}

func thumbnailOf(data []byte) func(*Map) {
	return func(m *Map) {
		c, _ := head[*game.Header03043007](m)
		c.Thumbnail, c.ThumbSize = data, uint32(len(data))
	}
}

// Each property, broken, is found by its rule.
func TestStrictFindsProperties(t *testing.T) {
	generationMaps(t, func(t *testing.T, g nadeo.Generation, fresh func() *Map) {
		for _, p := range strictProperties {
			if p.rule == "strict_chunks" || len(p.of) > 0 && !slices.Contains(p.of, g) {
				continue
			}
			if len(breakers[p.name]) == 0 {
				t.Errorf("nothing breaks %q", p.name)
			}
			for i, breaks := range breakers[p.name] {
				m := fresh()
				breaks(m)
				if !hasRule(m.LintStrict(), p.rule) {
					t.Errorf("%s: breaking it in way %d is not found", p.name, i)
				}
			}
		}
	})
}

// Maps of other games are not judged.
func TestStrictKnowsItsGames(t *testing.T) {
	m, err := New(Options{Game: nadeo.Forever})
	if err != nil {
		t.Fatal(err)
	}
	m.setXML("header", "exever", "0.1.9.0")
	if list := m.LintStrict(); len(list) != 1 || list[0].Rule != "strict_generation" || list[0].Severity != finding.Note {
		t.Errorf(`list = %v; want list of length 1, list[0].Rule = "strict_generation", list[0].Severity = finding.Note`, list)
	}
}
