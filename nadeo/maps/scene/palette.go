package scene

// palettes are the colours of materials that differ between environments, as red, green
// and blue: a designer chose them beside photographs of each environment. A missing material
// has the colour in [tints].
var palettes = map[string]map[string][3]uint8{
	"Speed":       desert,
	"Desert":      desert,
	"Alpine":      snow,
	"Snow":        snow,
	"Rally":       {"grass": {127, 154, 60}, "road": {141, 133, 120}, "deco": {154, 147, 138}, "dirt": {160, 115, 63}, "water": {63, 115, 150}},
	"Island":      {"grass": {111, 154, 62}, "road": {75, 74, 76}, "deco": {224, 207, 160}, "water": {57, 169, 184}},
	"Bay":         {"grass": {138, 160, 122}, "road": {69, 72, 78}, "deco": {143, 144, 151}, "water": {79, 168, 154}},
	"Coast":       {"grass": {125, 138, 74}, "road": {77, 76, 80}, "deco": {216, 200, 160}, "water": {63, 143, 192}},
	"Stadium":     stadium,
	"Canyon":      {"grass": {201, 140, 92}, "road": {108, 104, 100}, "deco": {184, 168, 144}, "dirt": {181, 113, 63}, "water": {47, 95, 122}},
	"Valley":      {"grass": {111, 143, 74}, "road": {85, 88, 94}, "deco": {138, 133, 120}, "dirt": {138, 106, 68}, "water": {63, 127, 175}},
	"Lagoon":      {"grass": {95, 154, 76}, "road": {88, 90, 96}, "deco": {200, 191, 174}, "dirt": {200, 168, 112}, "water": {47, 168, 188}},
	"BlueBay":     {"grass": {106, 168, 76}, "road": {120, 124, 132}, "deco": {200, 191, 174}, "dirt": {216, 191, 144}, "water": {47, 152, 200}},
	"Stadium2020": stadium,
}

var (
	desert  = map[string][3]uint8{"grass": {217, 154, 85}, "sand": {217, 154, 85}, "road": {106, 100, 96}, "deco": {179, 112, 47}, "water": {79, 143, 150}}
	snow    = map[string][3]uint8{"grass": {238, 243, 248}, "snow": {238, 243, 248}, "road": {154, 106, 42}, "deco": {125, 138, 128}, "water": {143, 196, 224}}
	stadium = map[string][3]uint8{"grass": {79, 154, 58}, "deco": {154, 160, 168}, "dirt": {141, 95, 56}, "plastic": {242, 199, 51}, "water": {63, 134, 200}}
)
