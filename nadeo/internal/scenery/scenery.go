// Package scenery lists the environments of each game, with their sizes and
// decorations, as maps store them.
package scenery

import (
	"slices"

	"pakbox/gbx"
	"pakbox/nadeo"
)

// Scenery is an environment in one generation of games.
type Scenery struct {
	Name       string // of the collection
	Collection gbx.ID // the ID in maps
	PackMask   gbx.Hash128
	Title      string // title pack that the editor opens; "" before ManiaPlanet
	MapType    string
	Ground     Ground // not stored in maps before ManiaPlanet
	Bases      []Base
}

// Ground is the content of each ground cell in an empty map.
type Ground struct {
	Zones   []string // zones from which the game derived this cell
	Current string
	Block   string // name of the block that the game puts there
	Level   uint8
	Offset  int32 // height of the ground in the decoration, in cells
}

// Base is a size of empty maps in an environment.
type Base struct {
	Size gbx.Int3
	// Decorations are the names of the decorations, one for each of the [Moods]; "" if
	// unknown.
	Decorations [4]string
	MoodSuffix  string  // text that the XML since ManiaPlanet adds to the mood
	Ground      *Ground // nil for the ground of the environment
}

// Moods are the times of day.
var Moods = [4]string{"Day", "Sunrise", "Sunset", "Night"}

// each makes a base whose decorations are named after the moods, with a text before and
// after.
func each(before, after string, x, y, z int32) Base {
	b := Base{Size: gbx.Int3{X: x, Y: y, Z: z}}
	for i, mood := range Moods {
		b.Decorations[i] = before + mood + after
	}
	return b
}

// All lists the environments of real maps. Each name of a decoration was seen in a map,
// or public lists have it beside its three sisters. The height of maps of 16 by 12 cells
// is a guess.
var All = map[nadeo.Generation][]Scenery{
	nadeo.Forever: {
		foreverScenery("Stadium", 0x40, each("", "", 32, 32, 32)),
		foreverScenery("Speed", 0x02, each("", "", 45, 18, 45), named(30, 18, 30, "30x30", "30x30sunrise", "30x30sunset", ""), long),
		foreverScenery("Rally", 0x04, each("", "", 45, 18, 45), square, long),
		foreverScenery("Alpine", 0x01, each("", "", 45, 18, 45), square, long),
		foreverScenery("Island", 0x08, each("", "", 36, 36, 36), each("", " ", 45, 36, 45)),
		foreverScenery("Coast", 0x10, each("", "", 36, 36, 36), each("", " ", 45, 36, 45)),
		foreverScenery("Bay", 0x20, each("", "", 36, 36, 36), each("", " ", 45, 36, 45)),
	},
	nadeo.ManiaPlanet4: {
		{Name: "Stadium", Collection: gbx.NewID("Stadium"), PackMask: gbx.Hash128{0x40}, Title: "TMStadium", MapType: `Trackmania\Race`,
			Ground: Ground{[]string{"VoidToGrass"}, "Grass", "StadiumGrass", 9, 8},
			Bases:  []Base{each("", "", 32, 40, 32), suffixed("64", each("64x64", "", 64, 64, 64))}},
		{Name: "Canyon", Collection: gbx.NumberID(12), PackMask: gbx.Hash128{0, 0x01}, Title: "TMCanyon", MapType: `Trackmania\Race`,
			Ground: Ground{[]string{"VoidToDirt"}, "Dirt", "Dirt", 15, 0}, Bases: []Base{each("", "", 32, 40, 32)}},
		{Name: "Valley", Collection: gbx.NumberID(11), PackMask: gbx.Hash128{0x80}, Title: "TMValley", MapType: `Trackmania\Race`,
			Ground: Ground{[]string{"VoidToGrass"}, "Grass", "Grass", 5, 0}, Bases: []Base{each("", "48", 48, 40, 48)}},
		{Name: "Lagoon", Collection: gbx.NumberID(13), PackMask: gbx.Hash128{0, 0x02}, Title: "TMLagoon", MapType: `Trackmania\Race`,
			Ground: Ground{[]string{"VoidToSea"}, "Sea", "Sea", 5, 0}, Bases: []Base{each("", "48", 48, 48, 48)}},
		{Name: "Storm", Collection: gbx.NumberID(202), PackMask: gbx.Hash128{0, 0x40}, Title: "SMStorm", MapType: `ShootMania\ObstacleArena`,
			Ground: Ground{[]string{"VoidToGrass"}, "Grass", "Grass", 9, 0}, Bases: []Base{
				each("Land48x48", "", 48, 40, 48),
				onGround(Ground{[]string{"VoidToGrass", "WaterDeepCliff2"}, "WaterDeep", "WaterDeep", 6, 0}, each("Water48x48", "", 48, 40, 48)),
			}},
	},
	nadeo.Trackmania2020: {
		{Name: "Stadium", Collection: gbx.NumberID(26), Title: "TMStadium", MapType: `TrackMania\TM_Race`,
			Ground: Ground{[]string{"VoidToGrass"}, "Grass", "Grass", 9, 8},
			Bases: []Base{
				each("48x48", "", 48, 40, 48), each("48x48Screen155", "", 48, 40, 48),
				suffixed(" (no stadium)", each("NoStadium48x48", "", 48, 40, 48)), each("", "16x12", 16, 40, 12),
			}},
		vista("BlueBay", 28, Ground{[]string{"VoidToSea"}, "Sea", "Sea", 5, 0}, each("", "64", 64, 64, 64)),
		vista("GreenCoast", 15, Ground{[]string{"VoidToLake"}, "Lake", "Lake", 4, 0}, each("", "64", 64, 64, 64)),
		vista("RedIsland", 16, Ground{[]string{"VoidToWater"}, "Water", "Water", 14, 0}, each("", "", 64, 64, 64), each("", "64", 64, 64, 64)),
		vista("WhiteShore", 29, Ground{[]string{"VoidToWater"}, "Water", "Water", 14, 0}, each("", "64", 64, 64, 64), each("", "", 64, 64, 64)),
	},
}

// vista makes one of the environments that came to Trackmania in 2024. Maps of BlueBay
// and RedIsland were seen. For GreenCoast and WhiteShore the heights and names of zones
// come from other sources, and the decorations are guesses.
func vista(name string, number uint32, ground Ground, bases ...Base) Scenery {
	return Scenery{Name: name, Collection: gbx.NumberID(number), Title: "TMStadium", MapType: `TrackMania\TM_Race`, Ground: ground, Bases: bases}
}

// onGround gives a base a ground that differs from its environment's.
func onGround(g Ground, b Base) Base {
	b.Ground = &g
	return b
}

func foreverScenery(name string, pack byte, bases ...Base) Scenery {
	return Scenery{Name: name, Collection: gbx.NewID(name), PackMask: gbx.Hash128{pack}, Bases: bases}
}

// Sizes of the environments of the first game. Their decorations for Day have no word for
// the mood.
var (
	square = named(30, 18, 30, "30x30", "30x30Sunrise", "30x30Sunset", "30x30Night")
	long   = named(20, 18, 60, "20x60", "20x60Sunrise", "20x60Sunset", "20x60Night")
)

func named(x, y, z int32, names ...string) Base {
	b := Base{Size: gbx.Int3{X: x, Y: y, Z: z}}
	copy(b.Decorations[:], names)
	return b
}

func suffixed(suffix string, b Base) Base {
	b.MoodSuffix = suffix
	return b
}

// Has reports whether the decorations of a collection are known.
func Has(g nadeo.Generation, collection string) bool {
	return slices.ContainsFunc(All[g], func(s Scenery) bool { return s.is(collection) })
}

func (s *Scenery) is(collection string) bool {
	return s.Name == nadeo.EnvironmentName(collection) || s.Name == collection
}

// BasesOf lists the sizes of empty maps with the blocks of a collection.
func BasesOf(g nadeo.Generation, collection string) []Base {
	for _, s := range All[g] {
		if s.is(collection) {
			return s.Bases
		}
	}
	return nil
}

// DecorationSize returns the size of maps with a decoration, if known.
func DecorationSize(g nadeo.Generation, collection, decoration string) (size gbx.Int3, ok bool) {
	for _, s := range All[g] {
		if !s.is(collection) {
			continue
		}
		for _, b := range s.Bases {
			if decoration != "" && slices.Contains(b.Decorations[:], decoration) {
				return b.Size, true
			}
		}
	}
	return size, false
}
