// Package library lists the materials that items of Trackmania (2020) may use, and the
// numbers of surfaces and gameplay effects. The table has the materials of Nadeo's
// importer (NadeoImporterMaterialLib.txt), followed by materials in real items that the
// importer does not know.
package library

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"pakbox/gbx/mesh/model"
	"pakbox/internal/lib/spell"
)

// Material is a material of the game.
type Material struct {
	Library string // Stadium or Stadium256
	Name    string // the name that people write as Link
	Path    string // inside the library: Media\Material\PlatformTech
	Surface string // physics of the surface: Asphalt
	// UVLayers are the layers of texture coordinates that the mesh must have, in the
	// order of the vertex data.
	UVLayers []string
	Color    bool // the item may give it a colour
}

// Full returns the path of the material's file in the game, without the extensions.
func (m *Material) Full() string { return m.Library + `\` + m.Path }

// Lightmap reports whether the material is lit by the lightmap.
func (m *Material) Lightmap() bool { return slices.Contains(m.UVLayers, model.Lightmap) }

//go:embed materials.txt
var table string

// rows are all materials of the table: under true those that the importer knows, under
// false the others.
var rows = sync.OnceValue(func() map[bool][]Material {
	out := map[bool][]Material{}
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		m := Material{Library: f[0], Name: f[1], Path: f[2], Surface: f[3], Color: f[5] == "color"}
		if f[4] != "-" {
			m.UVLayers = strings.Split(f[4], ",")
		}
		known := f[5] != "seen"
		out[known] = append(out[known], m)
	}
	return out
})

// Materials returns the importer's materials, in the order of its table.
func Materials() []Material { return rows()[true] }

var byName = sync.OnceValue(func() map[string]*Material {
	out := map[string]*Material{}
	all := Materials()
	for i := range all {
		for _, name := range []string{all[i].Name, all[i].Full()} {
			key := strings.ToLower(name)
			if out[key] == nil {
				out[key] = &all[i]
			}
		}
	}
	return out
})

// Effects reports whether faces of the material may have a gameplay effect, such as
// Turbo. The game ignores effects on other materials.
func (m *Material) Effects() bool { return slices.Contains(effects, m.Name) }

var effects = strings.Fields(`PlatformTech PlatformDirt_PlatformTech PlatformGrass_PlatformTech
	PlatformIce_PlatformTech RoadTech RoadBump RoadDirt RoadIce`)

// SurfaceOf returns the number of the surface of a material, given its whole path. It
// also knows materials that the importer does not know.
func SurfaceOf(path string) (number uint8, known bool) {
	if m := byName()[strings.ToLower(path)]; m != nil {
		return Surface(m.Surface)
	}
	for _, m := range rows()[false] {
		if strings.EqualFold(m.Full(), path) {
			return Surface(m.Surface)
		}
	}
	return 0, false
}

// Find returns the material with this name or whole path, nil if none exists. Case does
// not matter.
func Find(name string) *Material {
	return byName()[strings.ToLower(strings.ReplaceAll(name, "/", `\`))]
}

// Near returns up to three names of materials that are similar to a name.
func Near(name string) []string {
	var names []string
	for _, m := range Materials() {
		names = append(names, m.Name)
	}
	if i := strings.LastIndexAny(name, `\/`); i >= 0 {
		name = name[i+1:]
	}
	return spell.Near(name, names, 3)
}
