package maps

import (
	"bytes"
	_ "embed"
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/chunks"
	"pakbox/nadeo/internal/places"
	"pakbox/nadeo/internal/scenery"
)

// LintStrict compares the map with the common properties of all real maps of its
// generation: their chunks (strict.txt) and the properties below. A map without a header,
// as in replays, is compared as far as possible. A map of an unknown generation gets the
// finding strict_generation. A difference does not prove that a game refuses the map,
// because tools may omit parts that games never read. And no difference does not prove
// that a game accepts it.
func (m *Map) LintStrict() []finding.Finding {
	g := m.Generation()
	if g == "" {
		return []finding.Finding{finding.New(finding.Note, "strict_generation", finding.Nowhere,
			"the game that saved the map is unknown, or has no strict checks")}
	}
	var out []finding.Finding
	for _, p := range strictProperties {
		if len(p.of) > 0 && !slices.Contains(p.of, g) || p.header && len(m.File.Chunks) == 0 {
			continue
		}
		for _, sentence := range p.check(m, g) {
			out = append(out, finding.New(finding.Error, p.rule, finding.Nowhere, "%s", sentence))
		}
	}
	return out
}

// property is a property that all real maps of some generations share.
type property struct {
	name   string
	rule   string
	of     []nadeo.Generation // empty for all generations
	header bool               // only for maps with a header
	check  func(*Map, nadeo.Generation) []string
}

var since4 = []nadeo.Generation{nadeo.ManiaPlanet4, nadeo.Trackmania2020}

// strictProperties lists the properties.
var strictProperties = []property{
	{name: "container", rule: "strict_container", check: strictContainer},
	{name: "header chunks", rule: "strict_chunks", header: true, check: func(m *Map, g nadeo.Generation) []string {
		return compareChunks("header", shapes()[g].header, headerChunks(m))
	}},
	{name: "body chunks", rule: "strict_chunks", check: func(m *Map, g nadeo.Generation) []string {
		return compareChunks("body", shapes()[g].body, nodeChunks(m.File.Body))
	}},
	{name: "parameter chunks", rule: "strict_chunks", header: true, check: func(m *Map, g nadeo.Generation) []string {
		return compareChunks("parameters", shapes()[g].parameters, nodeChunks(parameters(m.File.Body)))
	}},
	{name: "facts", rule: "strict_header", header: true, check: strictFacts},
	{name: "decoration in header", rule: "strict_header", header: true, check: strictDecoration},
	{name: "pack", rule: "strict_header", header: true, check: strictPack},
	{name: "XML", rule: "strict_header", header: true, check: strictXML},
	{name: "build", rule: "strict_header", of: []nadeo.Generation{nadeo.Trackmania2020}, header: true, check: strictBuild},
	{name: "UID", rule: "strict_identity", header: true, check: func(m *Map, _ nadeo.Generation) []string {
		return unless(isUID(m.UID()), "the UID %q has not the form that the games give: %d letters, digits and underscores", m.UID(), uidLength)
	}},
	{name: "checksum", rule: "strict_identity", header: true, check: func(m *Map, _ nadeo.Generation) []string {
		p := m.Password()
		return unless(p.HasCRC && p.CRC == p.WantCRC, "the checksum of UID and password is %08X, not %08X", p.CRC, p.WantCRC)
	}},
	{name: "collection", rule: "strict_identity", check: func(m *Map, _ nadeo.Generation) []string {
		a, b := m.Ident().Collection, m.Decoration().Collection
		return unless(a.Equal(b), "the map's environment is %q, its decoration's %q", a, b)
	}},
	{name: "thumbnail", rule: "strict_thumbnail", header: true, check: strictThumbnail},
	{name: "size", rule: "strict_size", check: func(m *Map, g nadeo.Generation) []string {
		name := m.Decoration().ID.String()
		size, known := scenery.DecorationSize(g, m.Collection(), name)
		return unless(!known || size == m.Size(), "the decoration %q belongs to maps of %v, not %v", name, size, m.Size())
	}},
	{name: "zones", rule: "strict_size", of: since4, check: strictZones},
	{name: "base", rule: "strict_size", of: since4, check: strictBase},
	{name: "checkpoints", rule: "strict_columns", of: []nadeo.Generation{nadeo.Forever}, check: strictCheckpoints},
}

// unless returns a sentence if a condition does not hold.
func unless(holds bool, format string, args ...any) []string {
	if holds {
		return nil
	}
	return []string{fmt.Sprintf(format, args...)}
}

func strictContainer(m *Map, _ nadeo.Generation) []string {
	f := m.File
	out := unless(f.Version == 6 && f.Format == 'B', "the container is of version %d, format %c", f.Version, f.Format)
	out = append(out, unless(f.Class == classMap, "the class is %v", f.Class)...)
	out = append(out, unless(f.Body.Tail == nil && len(f.Rest) == 0 && len(f.Trailer) == 0, "the body does not end with the map")...)
	return append(out, unless(len(f.Refs.External) == 0, "the map refers to files outside by the reference table")...)
}

func headerChunks(m *Map) []foundChunk {
	var out []foundChunk
	for _, c := range m.File.Chunks {
		out = append(out, foundChunk{c.ID, c.Heavy, c.Body})
	}
	return out
}

func nodeChunks(n *gbx.Node) []foundChunk {
	var out []foundChunk
	if n != nil {
		for _, c := range n.Chunks {
			out = append(out, foundChunk{c.ID, c.Skip, c.Body})
		}
	}
	return out
}

// strictFacts checks that a fact that is stored in several places has the same value everywhere.
// Exception: the times and scores of maps with script scoring, which store anything.
func strictFacts(m *Map, _ nadeo.Generation) []string {
	list := []places.Agreeing{
		&mapName, &mapUID, &mapAuthor, &mapNick, &mapZone, &mapTitle, &mapType, &mapMode, &mapIsLapRace, &mapLaps, &mapComments,
	}
	if m.Mode() != game.CGameCtnChallengePlayModeScript {
		list = append(list, &mapBronze, &mapSilver, &mapGold, &mapAuthorTime, &mapScore)
	}
	return places.Contradictions(m.site(), list...)
}

// strictDecoration checks that the header names the body's decoration, or none.
func strictDecoration(m *Map, _ nadeo.Generation) []string {
	c, ok := head[*game.Header03043003](m)
	if !ok || c.Decoration.ID.IsEmpty() {
		return nil
	}
	return unless(places.IdentText(c.Decoration) == places.IdentText(m.Decoration()), "the decoration is %s in the header, but %s in the body",
		places.IdentText(c.Decoration), places.IdentText(m.Decoration()))
}

// strictPack checks that the header names the pack of the environment, or none.
func strictPack(m *Map, g nadeo.Generation) []string {
	c, ok := head[*game.Header03043003](m)
	if !ok || c.PackMask == (gbx.Hash128{}) {
		return nil
	}
	for _, s := range scenery.All[g] {
		if s.Collection.Equal(m.Ident().Collection) {
			return unless(c.PackMask == s.PackMask, "the packs are %x, those of %s are %x", c.PackMask, s.Name, s.PackMask)
		}
	}
	return nil
}

// strictXML checks that the header's XML agrees with the header.
func strictXML(m *Map, g nadeo.Generation) []string {
	xml := places.HeaderXML(&m.File.Header)
	if xml == nil {
		return nil // another rule reports a missing chunk
	}
	kind := `<header type="map" `
	if g == nadeo.Forever {
		kind = `<header type="challenge" `
	}
	out := unless(strings.HasPrefix(styled.Unmarked(*xml), kind) && strings.HasSuffix(*xml, "</header>"), "the root of the header's XML is not %q", kind)
	attribute := func(tag, name, want string) {
		got, ok := places.InXML(tag, name).Get(m.site())
		out = append(out, unless(ok && got == want, "%s in the header's XML is %q, not %q", name, got, want)...)
	}
	if c, ok := head[*game.Header03043002](m); ok {
		cost := "displaycost"
		if g == nadeo.Forever {
			cost = "price"
		}
		attribute("desc", cost, fmt.Sprint(c.Cost))
		attribute("desc", "type", c.Mode.String())
	}
	if c, ok := head[*game.Header03043003](m); ok {
		attribute("desc", "envir", xmlEnvironment(c.MapInfo.Collection))
		if g != nadeo.Forever {
			attribute("header", "lightmap", fmt.Sprint(c.LightmapVersion))
		}
	}
	return out
}

// xmlEnvironment returns the name of an environment in the header's XML, which is the
// name of its collection.
func xmlEnvironment(id gbx.ID) string {
	return strings.TrimSuffix(nadeo.CollectionName(id), "2020")
}

// strictBuild checks that header and body were saved by the same program. Programs of ManiaPlanet
// write only a new header if nothing was changed.
func strictBuild(m *Map, _ nadeo.Generation) []string {
	in, out := nadeo.OriginOf(&m.File.Header).Build, nadeo.OriginOfProgram(m.Build()).Build
	return unless(in == out, "the header was saved by the build of %s, the body by that of %s", in, out)
}

// strictThumbnail checks that the thumbnail is a JPEG of a certain size. In TrackMania Forever it
// may be missing.
func strictThumbnail(m *Map, g nadeo.Generation) []string {
	stored, side := m.StoredThumbnail(), thumbnailSide[g]
	if len(stored) == 0 {
		return unless(g == nadeo.Forever, "the thumbnail is missing")
	}
	config, kind, err := image.DecodeConfig(bytes.NewReader(stored))
	if err != nil || kind != "jpeg" || !strings.HasPrefix(string(stored[2:]), jfif[:8]) {
		return []string{"the thumbnail is no JPEG of the kind that games write"}
	}
	return unless(config.Width == side && config.Height == side, "the thumbnail has %d by %d pixels, not %d by %d", config.Width, config.Height, side, side)
}

// strictZones checks that each cell of the ground has a zone.
func strictZones(m *Map, _ nadeo.Generation) []string {
	c, ok := find[*game.Chunk03043043](m)
	if !ok {
		return nil
	}
	cells, n := int64(m.Size().X)*int64(m.Size().Z), c.ZoneGenealogies.Len()
	return unless(int64(n) == cells, "%d cells of the ground have a zone, of %d", n, cells)
}

// strictBase checks that the ground is at the height that the environment has.
func strictBase(m *Map, g nadeo.Generation) []string {
	c, ok := find[*game.Chunk03043052](m)
	if !ok {
		return nil
	}
	for _, s := range scenery.All[g] {
		if s.Collection.Equal(m.Ident().Collection) {
			return unless(c.DecoBaseHeightOffset == s.Ground.Offset, "the ground lies at level %d, that of %s at %d",
				c.DecoBaseHeightOffset, s.Name, s.Ground.Offset)
		}
	}
	return nil
}

// strictCheckpoints checks that every listed checkpoint lies on the map.
func strictCheckpoints(m *Map, _ nadeo.Generation) []string {
	c, ok := find[*game.Chunk03043017](m)
	if !ok {
		return nil
	}
	size := m.Size()
	for _, at := range c.Checkpoints {
		if at.X < 0 || at.Y < 0 || at.Z < 0 || at.X >= size.X || at.Y >= size.Y || at.Z >= size.Z {
			return []string{fmt.Sprintf("a checkpoint at %v lies outside the map", at)}
		}
	}
	return nil
}

//go:embed strict.txt
var shapeTable string

// shape lists the chunks that all maps of a generation have.
type shape struct {
	header, body, parameters []chunkShape
}

// chunkShape is a line of the table strict.txt.
type chunkShape struct {
	id       classid.ID
	marked   bool // skippable in a body, heavy in a header
	optional bool
	versions []uint64 // empty if the chunk has no version
}

// shapes reads the table strict.txt.
var shapes = sync.OnceValue(func() map[nadeo.Generation]*shape {
	all := map[nadeo.Generation]*shape{}
	var now *shape
	for line := range strings.Lines(shapeTable) {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] == "#" {
			continue
		}
		if words[0] == "generation" {
			now = new(shape)
			all[nadeo.Generation(strings.Join(words[1:], " "))] = now
			continue
		}
		to := map[string]*[]chunkShape{"header": &now.header, "body": &now.body, "parameters": &now.parameters}[words[0]]
		*to = append(*to, parseChunkShape(words[1:]))
	}
	return all
})

func parseChunkShape(words []string) chunkShape {
	id, _ := strconv.ParseUint(words[0], 16, 32)
	c := chunkShape{id: classid.ID(id)}
	for i, word := range words[1:] {
		switch word {
		case "skippable", "heavy":
			c.marked = true
		case "optional":
			c.optional = true
		case "version":
			for _, v := range words[i+2:] {
				n, _ := strconv.ParseUint(v, 10, 32)
				c.versions = append(c.versions, n)
			}
		}
	}
	return c
}

// foundChunk is a chunk of a map, of its header or body.
type foundChunk struct {
	id     classid.ID
	marked bool
	body   gbx.Body
}

// compareChunks describes how chunks differ from those of real maps.
func compareChunks(where string, want []chunkShape, got []foundChunk) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	last := classid.ID(0)
	for i := range got {
		g := &got[i]
		at := slices.IndexFunc(want, func(w chunkShape) bool { return w.id == g.id })
		if at < 0 {
			if _, opaque := g.body.(*gbx.Opaque); !opaque && g.id>>12 == want[0].id>>12 {
				say("%s chunk %v is in no real map of this game", where, g.id)
			}
			continue // written by a tool, or by a later build
		}
		if g.id <= last {
			say("%s chunk %v stands behind %v, in no real map so", where, g.id, last)
		}
		last = g.id
		if o, ok := g.body.(*gbx.Opaque); ok {
			say("%s chunk %v cannot be read: %s", where, g.id, o.Reason)
			continue
		}
		if g.marked != want[at].marked {
			say("%s chunk %v is marked in another way than in all real maps (skippable, heavy: %v)", where, g.id, g.marked)
		}
		if v, ok := chunks.ChunkVersion(g.body); ok && !slices.Contains(want[at].versions, v) {
			say("%s chunk %v has version %d; in real maps it has %v", where, g.id, v, want[at].versions)
		}
	}
	for _, w := range want {
		if !w.optional && !slices.ContainsFunc(got, func(g foundChunk) bool { return g.id == w.id }) {
			say("%s chunk %v is missing, which all real maps of this game have", where, w.id)
		}
	}
	return out
}
