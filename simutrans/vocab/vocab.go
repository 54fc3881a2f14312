// Package vocab holds the words of the .dat language that both directions
// need, compiling and decompiling: the names of values, and the order in
// which the images of an object are stored.
package vocab

import "pakbox/simutrans/desc"

// Directions are the eight headings of things that move.
var Directions = []string{"s", "w", "sw", "se", "n", "e", "ne", "nw"}

// Ribis are the sixteen sets of directions a way can have, in binary order of
// n, e, s and w.
var Ribis = []string{
	"-", "n", "e", "ne", "s", "ns", "se", "nse", "w", "nw", "ew", "new", "sw", "nsw", "sew", "nsew",
}

// Switches are the images of switches in both positions.
var Switches = []string{
	"nse1", "new1", "nsw1", "sew1", "nsew1", "nse2", "new2", "nsw2", "sew2", "nsew2",
}

// Slopes are the four slopes a way can have.
var Slopes = []string{"3", "6", "9", "12"}

// Diagonals are the images of diagonal ways; the last two are newer.
var Diagonals = []string{"ne", "se", "nw", "sw", "close1", "close2"}

// Portals are the images of a tunnel; those behind the fourth are for
// entrances broader than a tile.
var Portals = []string{
	"n", "s", "e", "w", "nl", "sl", "el", "wl", "nr", "sr", "er", "wr", "nm", "sm", "em", "wm",
}

// BridgeParts are the keys of one side of a bridge, without the side.
var BridgeParts = []string{
	"image[ns]", "image[ew]", "start[n]", "start[s]", "start[e]", "start[w]",
	"ramp[n]", "ramp[s]", "ramp[e]", "ramp[w]", "pillar[s]", "pillar[w]",
	"image2[ns]", "image2[ew]", "start2[n]", "start2[s]", "start2[e]", "start2[w]",
	"ramp2[n]", "ramp2[s]", "ramp2[e]", "ramp2[w]", "pillar2[s]", "pillar2[w]",
}

// CrossingStates are the images of a crossing, without "image".
var CrossingStates = []string{"open", "front_open", "closed", "front_closed"}

// Waytypes are the names of way types.
var Waytypes = map[string]desc.Waytype{
	"none": 0, "road": 1, "track": 2, "water": 3, "electrified_track": 4, "monorail_track": 5,
	"maglev_track": 6, "tram_track": 7, "schiene_tram": 7, "narrowgauge_track": 8, "air": 16,
	"power": 128, "decoration": 255,
}

// Engines are the names of kinds of traction.
var Engines = map[string]desc.Engine{
	"unknown": 255, "steam": 0, "diesel": 1, "electric": 2, "bio": 3, "sail": 4,
	"fuel_cell": 5, "hydrogene": 6, "battery": 7,
}

// Climates are the names of climates.
var Climates = map[string]desc.Climates{
	"water": 1, "desert": 2, "tropic": 4, "mediterran": 8, "temperate": 16, "tundra": 32,
	"rocky": 64, "arctic": 128,
}

// Placements are the places of factories.
var Placements = map[string]desc.Placement{
	"": 0, "land": 0, "water": 1, "city": 2, "river": 3, "shore": 4, "forest": 5,
}

// BuildingTypes are the values of type= for buildings. An attraction is one
// of the country unless it has a time at which cities build it.
var BuildingTypes = map[string]desc.BuildingType{
	"res": 37, "com": 38, "ind": 39, "cur": 2, "mon": 3, "fac": 4, "tow": 5, "hq": 7,
	"habour": 11, "harbour": 11, "dock": 36, "depot": 33, "stop": 34, "extension": 35,
	"any": 6, "": 6,
}

// StationKeys are the keys for what a building accepts, lowest bit first, and
// FlagKeys those for its flags.
var (
	StationKeys = []string{"enables_pax", "enables_post", "enables_ware"}
	FlagKeys    = []string{"noinfo", "noconstruction", "needs_ground"}
)
