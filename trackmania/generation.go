package trackmania

import (
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// Generation is a game, or several, whose maps are built alike. Its text is
// what [Origin.Game] says of such a map.
type Generation string

// The generations of which new maps can be made, and whose maps strict checks
// know.
const (
	Forever        Generation = "TrackMania Forever" // Nations and United
	ManiaPlanet4   Generation = "ManiaPlanet 4"
	Trackmania2020 Generation = "Trackmania (2020)"
)

// generationWords are short names of the generations, for commands.
var generationWords = map[string]Generation{"tmf": Forever, "mp4": ManiaPlanet4, "tm2020": Trackmania2020}

// GenerationOf returns the generation with a short name: tmf, mp4 or tm2020.
func GenerationOf(word string) (Generation, error) {
	if g, ok := generationWords[strings.ToLower(word)]; ok {
		return g, nil
	}
	return "", fault.New(fault.Unsupported, "%q is none of the games tmf, mp4 and tm2020", word)
}

// Generation returns the generation of the map, as its header says, the
// program that saved its body, or, where neither says, its chunks; "" if it is
// another one, or cannot be told.
func (m *Map) Generation() Generation {
	name := OriginOf(&m.File.Header).Game()
	if name == "" {
		name = originOfProgram(m.Build()).Game()
	}
	if name == "" {
		_, forever := find[*game.Chunk03043029](m)
		_, later := find[*game.Chunk03043034](m)
		if forever && !later { // the chunks came with the games
			return Forever
		}
	}
	if g := Generation(name); slices.Contains([]Generation{Forever, ManiaPlanet4, Trackmania2020}, g) {
		return g
	}
	return ""
}

// scenery is an environment as one generation has it.
type scenery struct {
	name       string // of the collection
	collection gbx.ID // as maps store it
	packMask   gbx.Hash128
	title      string // that the editor opens for it; "" before ManiaPlanet
	mapType    string
	ground     ground // before ManiaPlanet maps do not store it
	bases      []base
}

// ground is what an empty map has in each cell.
type ground struct {
	zone, current string // how the cell came to be what it is
	block         string // that the game puts there
	level         uint8
	offset        int32 // of the ground in the decoration, in cells
}

// base is a size in which an environment comes.
type base struct {
	size gbx.Int3
	// decorations are the names of the moods, in the order of the list of
	// them; "" where none is known.
	decorations [4]string
	moodSuffix  string // what the XML of ManiaPlanet and later adds to the mood
}

// moods are the times of day.
var moods = [4]string{"Day", "Sunrise", "Sunset", "Night"}

// each is the base whose decorations are called as the moods are, between two
// other words.
func each(before, after string, x, y, z int32) base {
	b := base{size: gbx.Int3{X: x, Y: y, Z: z}}
	for i, mood := range moods {
		b.decorations[i] = before + mood + after
	}
	return b
}

// The environments that real maps show. A name of a decoration was seen in a
// map, or is one that its family of four has in public lists.
var sceneries = map[Generation][]scenery{
	Forever: {
		foreverScenery("Stadium", 0x40, each("", "", 32, 32, 32)),
		foreverScenery("Speed", 0x02, each("", "", 45, 18, 45), named(30, 18, 30, "30x30", "30x30sunrise", "30x30sunset", ""), long),
		foreverScenery("Rally", 0x04, each("", "", 45, 18, 45), square, long),
		foreverScenery("Alpine", 0x01, each("", "", 45, 18, 45), square, long),
		foreverScenery("Island", 0x08, each("", "", 36, 36, 36), each("", " ", 45, 36, 45)),
		foreverScenery("Coast", 0x10, each("", "", 36, 36, 36), each("", " ", 45, 36, 45)),
		foreverScenery("Bay", 0x20, each("", "", 36, 36, 36), each("", " ", 45, 36, 45)),
	},
	ManiaPlanet4: {
		{name: "Stadium", collection: gbx.NewID("Stadium"), packMask: gbx.Hash128{0x40}, title: "TMStadium", mapType: `Trackmania\Race`,
			ground: ground{"VoidToGrass", "Grass", "StadiumGrass", 9, 8},
			bases:  []base{each("", "", 32, 40, 32), suffixed("64", each("64x64", "", 64, 64, 64))}},
		{name: "Canyon", collection: gbx.NumberID(12), packMask: gbx.Hash128{0, 0x01}, title: "TMCanyon", mapType: `Trackmania\Race`,
			ground: ground{"VoidToDirt", "Dirt", "Dirt", 15, 0}, bases: []base{each("", "", 32, 40, 32)}},
		{name: "Valley", collection: gbx.NumberID(11), packMask: gbx.Hash128{0x80}, title: "TMValley", mapType: `Trackmania\Race`,
			ground: ground{"VoidToGrass", "Grass", "Grass", 5, 0}, bases: []base{each("", "48", 48, 40, 48)}},
		{name: "Lagoon", collection: gbx.NumberID(13), packMask: gbx.Hash128{0, 0x02}, title: "TMLagoon", mapType: `Trackmania\Race`,
			ground: ground{"VoidToSea", "Sea", "Sea", 5, 0}, bases: []base{each("", "48", 48, 48, 48)}},
		{name: "Storm", collection: gbx.NumberID(202), packMask: gbx.Hash128{0, 0x40}, title: "SMStorm", mapType: `ShootMania\ObstacleArena`,
			ground: ground{"VoidToGrass", "Grass", "Grass", 9, 0}, bases: []base{each("Land48x48", "", 48, 40, 48)}},
	},
	Trackmania2020: {
		{name: "Stadium", collection: gbx.NumberID(26), title: "TMStadium", mapType: `TrackMania\TM_Race`,
			ground: ground{"VoidToGrass", "Grass", "Grass", 9, 8},
			bases:  []base{each("48x48", "", 48, 40, 48), each("48x48Screen155", "", 48, 40, 48)}},
	},
}

func foreverScenery(name string, pack byte, bases ...base) scenery {
	return scenery{name: name, collection: gbx.NewID(name), packMask: gbx.Hash128{pack}, bases: bases}
}

// Sizes of the environments of the first game, whose day has no name.
var (
	square = named(30, 18, 30, "30x30", "30x30Sunrise", "30x30Sunset", "30x30Night")
	long   = named(20, 18, 60, "20x60", "20x60Sunrise", "20x60Sunset", "20x60Night")
)

func named(x, y, z int32, names ...string) base {
	b := base{size: gbx.Int3{X: x, Y: y, Z: z}}
	copy(b.decorations[:], names)
	return b
}

func suffixed(suffix string, b base) base {
	b.moodSuffix = suffix
	return b
}

// decorationSize returns the size of the maps with a decoration, if it is
// known.
func decorationSize(g Generation, collection, decoration string) (size gbx.Int3, ok bool) {
	for _, s := range sceneries[g] {
		if s.name != EnvironmentName(collection) && s.name != collection {
			continue
		}
		for _, b := range s.bases {
			if decoration != "" && slices.Contains(b.decorations[:], decoration) {
				return b.size, true
			}
		}
	}
	return size, false
}
