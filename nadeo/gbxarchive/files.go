package gbxarchive

import (
	"slices"

	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo"
	"pakbox/nadeo/campaigns"
	"pakbox/nadeo/clips"
	"pakbox/nadeo/internal/places"
	"pakbox/nadeo/items"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/runs"
)

// GameOf names the game that made a file, by its header or by the run that it holds.
// Items, meshes, shapes and materials do not name a game. For them the version of a
// chunk decides, because each game raised it. GameOf is "" if the game is not known.
func GameOf(f *gbx.File) string {
	if g := nadeo.OriginOf(&f.Header).Game(); g != "" {
		return g
	}
	if run, err := runs.GhostOf(f); err == nil {
		return run.Origin().Game()
	}
	if c, ok := gbx.Find[*gamedata.Chunk2E002019](f.Body); ok {
		return gameSince(c.Version, 13)
	}
	if c, ok := gbx.Find[*plug.Chunk090BB000](f.Body); ok {
		return gameSince(c.Version, 30)
	}
	if c, ok := gbx.Find[*plug.Chunk0900C003](f.Body); ok {
		return gameSince(c.Version, 3)
	}
	if c, ok := gbx.Find[*plug.Chunk090FD000](f.Body); ok {
		return gameSince(c.Version, 10)
	}
	return ""
}

// Facts are the first facts that are shown about any file.
var Facts = nadeo.FileFacts(GameOf)

// gameSince chooses between the two games that write such files: versions from latest on
// were seen only in files of Trackmania (2020).
func gameSince(version, latest uint32) string {
	if version >= latest {
		return "Trackmania (2020)"
	}
	return "ManiaPlanet"
}

// otherName lists the places of a name in files that no other package is about, such as
// shapes of items and materials.
var otherName = places.Fact[string]{Text: styled.Unmarked, Places: append([]places.Place[string]{
	places.InBody(func(c *gamedata.Chunk2E008000) *string { return &c.Name }),
	places.InBody(func(c *gamedata.Chunk2E015000) *string { return places.When(c.Name != "", &c.Name) }),
}, places.Texts([]places.Place[gbx.ID]{
	places.InBody(func(c *gamedata.Chunk2E015000) *gbx.ID { return &c.NameID }),
	places.InBody(func(c *plug.Chunk090FD000) *gbx.ID { return &c.MaterialName }),
})...)}

// NameOf returns the name of a file's main object, with its colour codes; false for files
// that cannot hold a name.
func NameOf(f *gbx.File) (name string, ok bool) {
	for _, of := range []func(*gbx.File) (string, bool){maps.NameOf, campaigns.NameOf, items.NameOf, clips.NameOf, nameOfOther} {
		given, there := of(f)
		if ok = ok || there; given != "" {
			return given, true
		}
	}
	return "", ok
}

func nameOfOther(f *gbx.File) (string, bool) { return otherName.Find(places.SiteOf(f)) }

// Contradictions lists the facts that a file states in two different ways, in sentences
// such as "the map's name is "A" in chunk 0304301F, but "B" in the header's XML". The
// games write the same value to all places; an edit of one place leaves the others
// behind.
func Contradictions(f *gbx.File) []string {
	return slices.Concat(maps.Contradictions(f), campaigns.Contradictions(f), items.Contradictions(f), clips.Contradictions(f))
}
