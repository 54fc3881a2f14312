package maps

import (
	"path"
	"strings"

	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo/internal/places"
)

// mapScore is the author's score, which the games store as they store medals.
var mapScore = places.Fact[uint32]{What: "author's score", Text: places.NumberText[uint32], Places: []places.Place[uint32]{
	inParameters(func(c *game.Chunk0305B00A) *uint32 { return &c.AuthorScore }),
	inParameters(func(c *game.Chunk0305B008) *uint32 { return &c.AuthorScore }),
	places.InHeader(func(c *game.Header03043002) *uint32 { return places.When(c.Version >= 10, &c.AuthorScore) }),
	places.NumberInXML[uint32]("times", "authorscore"),
}}

// mapCost is the price of the blocks; since ManiaPlanet it is only shown.
var mapCost = places.Fact[uint32]{What: "cost", Text: places.NumberText[uint32], Places: []places.Place[uint32]{
	places.InHeader(func(c *game.Header03043002) *uint32 { return places.When(c.Version >= 4, &c.Cost) }),
	places.NumberInXML[uint32]("desc", "displaycost"),
	places.NumberInXML[uint32]("desc", "price"),
}}

var mapStyle = places.Fact[string]{What: "style", Text: styled.Unmarked, Places: []places.Place[string]{
	inParameters(func(c *game.Chunk0305B00E) *string { return &c.MapStyle }),
	places.InHeader(func(c *game.Header03043003) *string { return places.When(c.Version >= 6, &c.MapStyle) }),
	places.InXML("desc", "mapstyle"),
}}

// editorFlag makes a place that is one of the header's flags about the editor.
func editorFlag(flag game.CGameCtnChallengeEditorMode) places.Place[gbx.Bool] {
	whole := places.InHeader(func(c *game.Header03043002) *game.CGameCtnChallengeEditorMode {
		return places.When(c.Version >= 11, &c.Editor)
	})
	return places.Place[gbx.Bool]{
		Name: whole.Name,
		Get: func(s places.Site) (v gbx.Bool, ok bool) {
			flags, ok := whole.Get(s)
			if flags&flag != 0 {
				v = 1
			}
			return v, ok
		},
		Set: func(s places.Site, v gbx.Bool) {
			flags, _ := whole.Get(s)
			if flags &^= flag; v.True() {
				flags |= flag
			}
			whole.Set(s, flags)
		},
	}
}

var (
	mapSimpleEditor = places.Fact[gbx.Bool]{What: "answer whether the simple editor made the map", Text: yesOrNo, Places: []places.Place[gbx.Bool]{
		places.InBody(func(c *game.Chunk0304302A) *gbx.Bool { return &c.CreatedWithSimpleEditor }),
		editorFlag(game.CGameCtnChallengeEditorModeSimple),
	}}
	mapGamepadEditor = places.Fact[gbx.Bool]{What: "answer whether the editor for gamepads made the map", Text: yesOrNo, Places: []places.Place[gbx.Bool]{
		editorFlag(game.CGameCtnChallengeEditorModeGamepad),
	}}
	mapGhostBlocks = places.Fact[gbx.Bool]{What: "answer whether the map has ghost blocks", Text: yesOrNo, Places: []places.Place[gbx.Bool]{
		editorFlag(game.CGameCtnChallengeEditorModeHasGhostBlocks),
		places.NumberInXML[gbx.Bool]("desc", "hasghostblocks"),
	}}
)

// flagFact makes the fact for a yes or no that may be in several places.
func flagFact(name, doc string, of *places.Fact[gbx.Bool]) fact.Row[*Map] {
	return fact.Row[*Map]{Name: name, Kind: fact.Flag, Doc: doc, Set: setFlag(of),
		Get: func(m *Map) any { v, ok := of.Find(m.site()); return fact.Known(v.True(), ok) }}
}

// reference is a file outside of the map that the map names with its address: the mod or
// the music.
type reference struct {
	of  places.Fact[gbx.FileRef]
	xml places.Fact[string] // the name of the mod in the XML, without folders
}

func fileText(r gbx.FileRef) string { return styled.Unmarked(r.Path) + "\x00" + r.Locator }

var (
	mapMod = reference{
		of: places.Fact[gbx.FileRef]{What: "mod", Text: fileText, Places: []places.Place[gbx.FileRef]{
			places.InBody(func(c *game.Chunk03043019) *gbx.FileRef { return &c.ModPackDesc }),
		}},
		xml: places.Fact[string]{What: "mod", Text: styled.Unmarked, Places: []places.Place[string]{places.InXML("desc", "mod")}},
	}
	mapMusic = reference{
		of: places.Fact[gbx.FileRef]{What: "music", Text: fileText, Places: []places.Place[gbx.FileRef]{
			places.InBody(func(c *game.Chunk03043024) *gbx.FileRef { return &c.CustomMusicPackDesc }),
		}},
	}
)

// set writes another reference to the body, and to both lists of the XML. The checksum of
// another file is not known.
func (r *reference) set(m *Map, name, address string) error {
	old := r.of.Read(m.site())
	if styled.Unmarked(old.Path) == name && old.Locator == address {
		return nil
	}
	next := gbx.FileRef{Version: old.Version, Path: styled.Marked(name), Locator: address}
	if styled.Unmarked(old.Path) == name {
		next.Checksum = old.Checksum
	}
	if err := m.wrote(r.of.What, r.of.Change(m.site(), next)); err != nil {
		return err
	}
	base := path.Base("/" + strings.ReplaceAll(name, `\`, "/"))
	r.xml.Change(m.site(), strings.Trim(strings.TrimSuffix(base, path.Ext(base)), "/"))
	places.SetDependency(&m.File.Header, styled.Unmarked(old.Path), name, address)
	return nil
}

// referenceFacts makes the facts for a file outside of the map and its address.
func referenceFacts(name, doc string, r *reference) []fact.Row[*Map] {
	return []fact.Row[*Map]{
		{Name: name, Kind: fact.Text, Doc: "path of the " + doc,
			Get: func(m *Map) any { return stated(styled.Unmarked(r.of.Read(m.site()).Path)) },
			Set: func(m *Map, text string) error {
				old := r.of.Read(m.site())
				if text != styled.Unmarked(old.Path) {
					old.Locator = "" // it is the address of the old file
				}
				if err := checkText(text); err != nil {
					return err
				}
				return r.set(m, text, old.Locator)
			}},
		{Name: name + "_url", Kind: fact.Text, Doc: "web address of the " + doc,
			Get: func(m *Map) any { return stated(r.of.Read(m.site()).Locator) },
			Set: func(m *Map, text string) error {
				old := r.of.Read(m.site())
				if old.Path == "" && text != "" {
					return needs(name+"_url", name)
				}
				if err := checkText(text); err != nil {
					return err
				}
				return r.set(m, styled.Unmarked(old.Path), text)
			}},
	}
}

// physics is the version of the physics that the game uses on the map.
var mapPhysics = places.Fact[uint32]{What: "version of the physics", Text: places.NumberText[uint32], Places: []places.Place[uint32]{
	places.InBody(func(c *game.Chunk03043022) *uint32 { return &c.PhysicsVersion }),
}}

// LightmapVersion returns the version of the computed shadows, false if the map states
// none.
func (m *Map) LightmapVersion() (int, bool) {
	if c, ok := head[*game.Header03043003](m); ok && c.Version >= 9 {
		return int(c.LightmapVersion), true
	}
	return 0, false
}

// ProgramVersion returns the version of the program that saved the map, as the header's
// XML states it: 2.11.26.
func (m *Map) ProgramVersion() string {
	v, _ := places.InXML("header", "exever").Get(m.site())
	return v
}

// Vehicle returns the name of the vehicle, "" for that of the environment.
func (m *Map) Vehicle() string { return mapVehicle.Read(m.site()) }

// moreFacts are facts that few people look for first.
var moreFacts = append(append([]fact.Row[*Map]{
	{Name: "vehicle", Label: "Vehicle", Kind: fact.ID, Conflict: conflict(&mapVehicle), Doc: "vehicle of the map, if it is not that of the environment", Also: []fact.Word{{Name: "car", Doc: "vehicle of a map or run"}},
		Get: func(m *Map) any { return stated(m.Vehicle()) }, Shown: func(m *Map) bool { return m.Vehicle() != "" }, Set: setVehicle},
	{Name: "author_score", Kind: fact.Count, Doc: "score of the author's run; its unit is that of the mode",
		Get: func(m *Map) any { n, ok := mapScore.Find(m.site()); return fact.Known(int64(n), ok && n != 0xFFFFFFFF) }, Set: setScore},
	{Name: "cost", Kind: fact.Count, Doc: "price of the blocks in coppers; since ManiaPlanet it is only shown",
		Get: func(m *Map) any { n, ok := mapCost.Find(m.site()); return fact.Known(int64(n), ok) }, Set: setNumber(&mapCost)},
	{Name: "kind", Kind: fact.Text, Doc: "InProgress for a map that is not finished, otherwise Multi, Campaign or another kind",
		Get: func(m *Map) any { k, ok := mapKind.Find(m.site()); return fact.Known(k.String(), ok) }, Set: setKind},
	{Name: "map_style", Kind: fact.Text, Conflict: conflict(&mapStyle), Doc: "style of the map, as its author named it", Also: []fact.Word{{Name: "style", Doc: "style of a map"}},
		Get: func(m *Map) any { return stated(mapStyle.Read(m.site())) }, Set: setText(&mapStyle, nil)},
	flagFact("simple_editor", "whether the simple editor of the game made the map", &mapSimpleEditor),
	flagFact("gamepad_editor", "whether the editor for gamepads made the map", &mapGamepadEditor),
	flagFact("ghost_blocks", "whether the map states that it has ghost blocks", &mapGhostBlocks),
	{Name: "physics", Kind: fact.Count, Doc: "version of the physics: 7 in maps that keep the grip of wood of older versions",
		Get: func(m *Map) any { n, ok := mapPhysics.Find(m.site()); return fact.Known(int64(n), ok) }, Set: setNumber(&mapPhysics)},
	{Name: "lightmap_version", Kind: fact.Count, Doc: "version of the computed shadows",
		Get: func(m *Map) any { n, ok := m.LightmapVersion(); return fact.Known(n, ok) }},
	{Name: "program_version", Kind: fact.Text, Doc: "version of the program that saved the map, such as 2.11.26",
		Get: func(m *Map) any { return stated(m.ProgramVersion()) }},
}, referenceFacts("mod", "mod, which replaces the textures of the map", &mapMod)...), referenceFacts("music", "music of the map", &mapMusic)...)
