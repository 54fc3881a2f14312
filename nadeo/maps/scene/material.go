package scene

import "strings"

// materials maps words in names to what blocks are made of, where this is finer than their
// surface. The first word that fits counts. Photographs of maps show these as different.
var materials = []struct{ word, material string }{
	{"turbo", "booster"}, {"boost", "booster"}, {"wall", "wall"}, {"fabric", "fabric"}, {"control", "glass"}, {"airship", "fabric"},
	{"sculpt", "metal"}, {"tube", "metal"}, {"rail", "metal"}, {"circuit", "concrete"}, {"platform", "platform"}, {"loop", "platform"}, {"ramp", "platform"},
}

// Material returns what a thing is made of: its surface, or a finer word for roads and
// scenery.
func (t *Thing) Material() string {
	if t.Surface != "road" && t.Surface != "deco" {
		return t.Surface
	}
	n := strings.ToLower(t.Name)
	for _, m := range materials {
		if strings.Contains(n, m.word) {
			return m.material
		}
	}
	return t.Surface
}
