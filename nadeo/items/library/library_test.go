package library_test

import (
	"slices"
	"testing"

	"pakbox/nadeo/items/library"
)

func TestMaterials(t *testing.T) {
	all := library.Materials()
	if len(all) != 370 {
		t.Errorf("%d materials, want 370", len(all))
	}
	for _, m := range all {
		if _, ok := library.Surface(m.Surface); !ok {
			t.Errorf("%s: surface %s has no number", m.Name, m.Surface)
		}
	}
	effects := 0
	for _, m := range all {
		if m.Effects() {
			effects++
		}
	}
	if effects != 8 {
		t.Errorf("%d materials take effects, want 8", effects)
	}
	for path, want := range map[string]uint8{`Stadium\Media\Material\PlatformTech`: 16, `Valley\Media\Material\Grass`: 2, `Storm\Media\Material\Nothing`: 0} {
		if n, known := library.SurfaceOf(path); n != want || known != (want != 0) {
			t.Errorf("%s drives as %d, want %d", path, n, want)
		}
	}
	if library.Find(`Valley\Media\Material\Grass`) != nil {
		t.Error("the importer has no materials of Valley")
	}
	m := library.Find(`stadium/Media/Material/platformtech`)
	if m == nil || m.Name != "PlatformTech" || m.Surface != "Asphalt" || !slices.Equal(m.UVLayers, []string{"BaseMaterial", "Lightmap"}) {
		t.Errorf(`m = %+v; want m other than nil, m.Name = "PlatformTech", m.Surface = "Asphalt", m.UVLayers equal to []string{"BaseMaterial", "Lightmap"}`, m)
	}
	if near := library.Near("PlatformTec"); !slices.Contains(near, "PlatformTech") {
		t.Errorf("near PlatformTec: %q", near)
	}
}

// The numbers are those of real items: NadeoStairs and two meshes of the importer.
func TestNumbers(t *testing.T) {
	for name, want := range map[string]uint8{"Asphalt": 16, "Dirt": 6, "Ice": 3, "Wood": 14, "Snow": 21, "NotCollidable": 28, "MetalTrans": 32, "RoadIce": 74, "Plastic": 77} {
		if n, ok := library.Surface(name); !ok || n != want || library.SurfaceName(n) != name {
			t.Errorf("%s is %d, want %d", name, n, want)
		}
	}
	for name, want := range map[string]uint8{"Turbo": 1, "Fragile": 13, "NoBrakes": 16, "ReactorBoost2_Oriented": 19} {
		if n, ok := library.Gameplay(name); !ok || n != want || library.GameplayName(n) != name {
			t.Errorf("%s is %d, want %d", name, n, want)
		}
	}
	for _, name := range library.Importable {
		if _, ok := library.Surface(name); !ok {
			t.Errorf("%s has no number", name)
		}
	}
	for _, name := range library.Gameplays {
		if _, ok := library.Gameplay(name); !ok {
			t.Errorf("%s has no number", name)
		}
	}
}
