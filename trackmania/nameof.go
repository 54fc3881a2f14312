package trackmania

import (
	"slices"

	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
)

// otherName is the name of what no room is about: shapes of items and
// materials, for example.
var otherName = fact[string]{text: unmarked, places: append([]place[string]{
	inBody(func(c *gamedata.Chunk2E008000) *string { return &c.Name }),
	inBody(func(c *gamedata.Chunk2E015000) *string { return when(c.Name != "", &c.Name) }),
}, texts([]place[gbx.Id]{
	inBody(func(c *gamedata.Chunk2E015000) *gbx.Id { return &c.NameId }),
	inBody(func(c *plug.Chunk090FD000) *gbx.Id { return &c.MaterialName }),
})...)}

// NameOf returns what the main thing of a file is called, with its colour
// codes; false for files that have no place for a name.
func NameOf(f *gbx.File) (name string, ok bool) {
	for _, of := range []func(*gbx.File) (string, bool){NameOfMap, NameOfItem, NameOfClip, nameOfOther} {
		given, there := of(f)
		if ok = ok || there; given != "" {
			return given, true
		}
	}
	return "", ok
}

func nameOfOther(f *gbx.File) (string, bool) { return otherName.find(siteOf(f)) }

// Contradictions lists the facts that a file states in two ways: sentences such
// as "the map's name is "A" in chunk 0304301F, but "B" in the header's XML". The
// games write all places alike; an edit of one leaves the others as they are.
func Contradictions(f *gbx.File) []string {
	return slices.Concat(MapContradictions(f), ItemContradictions(f), ClipContradictions(f))
}
