package scene

import "strings"

// surfaces maps words in names to materials. The first word that fits counts.
var surfaces = []struct{ word, surface string }{
	{"ice", "ice"}, {"bobsleigh", "ice"}, {"snow", "snow"}, {"dirt", "dirt"}, {"grass", "grass"}, {"plastic", "plastic"}, {"inflatable", "plastic"},
	{"water", "water"}, {"sea", "water"}, {"lake", "water"}, {"pool", "water"}, {"sand", "sand"}, {"beach", "sand"},
}

// surfaceOf guesses the material from a name. The default is road.
func surfaceOf(name string) string {
	n := strings.ToLower(name)
	for _, s := range surfaces {
		if strings.Contains(n, s.word) {
			return s.surface
		}
	}
	switch kindOf(name) {
	case Scenery:
		return "deco"
	case Terrain:
		return "grass"
	}
	return "road"
}

// tints are the colours in which materials are shown, as red, green and blue.
var tints = map[string][3]uint8{
	"road": {107, 112, 122}, "dirt": {158, 112, 66}, "grass": {92, 153, 69}, "ice": {158, 212, 242}, "plastic": {242, 199, 51},
	"water": {51, 115, 204}, "sand": {217, 189, 128}, "snow": {235, 242, 250}, "deco": {128, 128, 140}, "border": {70, 74, 82}, "seats": {70, 84, 120}, "roof": {168, 172, 176}, "pavement": {150, 146, 138},
	"booster": {196, 160, 52}, "wall": {62, 62, 56}, "fabric": {196, 196, 192}, "glass": {140, 152, 158}, "metal": {112, 116, 112}, "concrete": {158, 156, 150}, "platform": {88, 88, 86},
}

// wayTints are the tints of start, checkpoints and finish.
var wayTints = map[Way][3]uint8{Start: {38, 204, 77}, Checkpoint: {51, 128, 255}, Finish: {230, 38, 38}, Lap: {242, 191, 26}}

// painted are the colours in which players can paint blocks; colour 1 is the first.
var painted = []struct {
	name string
	tint [3]uint8
}{{"white", [3]uint8{242, 242, 242}}, {"green", [3]uint8{51, 153, 64}}, {"blue", [3]uint8{51, 102, 217}}, {"red", [3]uint8{217, 51, 51}}, {"black", [3]uint8{31, 31, 36}}}

// Tint returns the colour for a thing without a texture in an environment, and the name of
// its meaning: a waypoint, a painted colour, or a material.
func (t *Thing) Tint(environment string) (name string, tint [3]uint8) {
	switch {
	case t.Way != NoWay:
		return t.Way.String(), wayTints[t.Way]
	case t.Color > 0 && t.Color <= len(painted):
		return painted[t.Color-1].name, painted[t.Color-1].tint
	}
	if tint, ok := palettes[environment][t.Surface]; ok {
		return t.Surface, tint
	}
	return t.Surface, tints[t.Surface]
}
