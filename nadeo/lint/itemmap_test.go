package lint_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo"
	"pakbox/nadeo/items/crystal"
	"pakbox/nadeo/items/static"
	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
)

// itemRulesOf are the rules that a map with an embedded file breaks, about items.
func itemRulesOf(t *testing.T, name string, data []byte, scale float32) []string {
	t.Helper()
	m, err := maps.New(maps.Options{Game: nadeo.Trackmania2020, UID: "SampleUID_00000000000000001"})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.AddEmbedded("Items/"+name, data); err != nil {
		t.Fatal(err)
	}
	model := gbx.Ident{ID: gbx.NewID(name), Collection: gbx.NewID("Stadium"), Author: gbx.NewID("ada")}
	if err := m.AddItem(maps.Item{Model: model, Position: gbx.Vec3{X: 500, Y: 20, Z: 500}, Scale: scale}); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range lint.Map(m, 0) {
		if strings.HasPrefix(f.Rule, "item_") {
			out = append(out, f.Rule)
		}
	}
	return out
}

// Lint looks into the items that a map embeds.
func TestLintItems(t *testing.T) {
	for physics, want := range map[uint8][]string{16: nil, 13: {"item_water_surface"}} {
		m, err := crystal.New(static.Item{Name: "Box", Solid: static.Solid{
			Materials: []static.Material{{Link: `Stadium\Media\Material\PlatformTech`, Whole: true, Surface: physics, UVLayers: 2, Lightmap: 1}},
			Parts:     []static.Part{{Levels: 1, Corners: []static.Vertex{{}, {Position: gbx.Vec3{X: 1}}, {Position: gbx.Vec3{Y: 1}}}}},
		}}, nadeo.Trackmania2020)
		if err != nil {
			t.Fatal(err)
		}
		data, err := m.File.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if got := itemRulesOf(t, "Box.Item.Gbx", data, 2); !slices.Equal(got, want) {
			t.Errorf("surface %d: %v, want %v", physics, got, want)
		}
	}
}

// A static object cannot be scaled, as a crystal can.
func TestLintScale(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "importer"), "NadeoStairs.Item.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	for scale, want := range map[float32][]string{1: nil, 2: {"item_scale"}} {
		if got := itemRulesOf(t, "NadeoStairs.Item.Gbx", data, scale); !slices.Equal(got, want) {
			t.Errorf("scale %v: %v, want %v", scale, got, want)
		}
	}
}
