package trackmania

import (
	"slices"

	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
)

// fileName is what the main thing of a file is called, whatever it is.
var fileName = fact[string]{what: "name", text: unmarked, places: slices.Concat(
	mapName.places, collectorName.places, clipName.places, campaignName.places,
	[]place[string]{
		inBody(func(c *gamedata.Chunk2E008000) *string { return &c.Name }),
		inBody(func(c *gamedata.Chunk2E015000) *string { return when(c.Name != "", &c.Name) }),
	},
	texts([]place[gbx.ID]{
		inBody(func(c *gamedata.Chunk2E015000) *gbx.ID { return &c.NameID }),
		inBody(func(c *plug.Chunk090FD000) *gbx.ID { return &c.MaterialName }),
	}),
)}

// NameOf returns what the main thing of a file is called, with its colour
// codes; false for files that have no place for a name.
func NameOf(f *gbx.File) (string, bool) { return fileName.find(siteOf(f)) }
