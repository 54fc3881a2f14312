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
