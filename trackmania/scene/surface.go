package scene

import "strings"

// surfaces are what things are made of, by words in their names; the first that
// fits counts.
var surfaces = []struct{ word, surface string }{
	{"ice", "ice"}, {"bobsleigh", "ice"}, {"snow", "snow"}, {"dirt", "dirt"}, {"grass", "grass"}, {"plastic", "plastic"}, {"inflatable", "plastic"},
	{"water", "water"}, {"sea", "water"}, {"lake", "water"}, {"pool", "water"}, {"sand", "sand"}, {"beach", "sand"},
}

// surfaceOf guesses what something is made of: a road where no word tells.
func surfaceOf(name string) string {
	n := strings.ToLower(name)
	for _, s := range surfaces {
		if strings.Contains(n, s.word) {
			return s.surface
		}
	}
	switch KindOf(name) {
	case Scenery:
		return "deco"
	case Terrain:
		return "grass"
	}
	return "road"
}

// tints are the colours that surfaces are shown in, as red, green and blue.
var tints = map[string][3]uint8{
	"road": {107, 112, 122}, "dirt": {158, 112, 66}, "grass": {92, 153, 69}, "ice": {158, 212, 242}, "plastic": {242, 199, 51},
	"water": {51, 115, 204}, "sand": {217, 189, 128}, "snow": {235, 242, 250}, "deco": {128, 128, 140},
}

// wayTints are the tints of start, checkpoints and finish.
var wayTints = map[Way][3]uint8{Start: {38, 204, 77}, Checkpoint: {51, 128, 255}, Finish: {230, 38, 38}, Lap: {242, 191, 26}}

// painted are the colours that players paint blocks with, from 1 on.
var painted = []struct {
	name string
	tint [3]uint8
}{{"white", [3]uint8{242, 242, 242}}, {"green", [3]uint8{51, 153, 64}}, {"blue", [3]uint8{51, 102, 217}}, {"red", [3]uint8{217, 51, 51}}, {"black", [3]uint8{31, 31, 36}}}

// Tint is the colour in which a thing is shown if its own look is not known, and the
// name of what the colour stands for: a waypoint, a painted colour, or a surface.
func (t *Thing) Tint() (name string, tint [3]uint8) {
	switch {
	case t.Way != NoWay:
		return t.Way.String(), wayTints[t.Way]
	case t.Color > 0 && t.Color <= len(painted):
		return painted[t.Color-1].name, painted[t.Color-1].tint
	}
	return t.Surface, tints[t.Surface]
}
