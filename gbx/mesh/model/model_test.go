package model_test

import (
	"math"
	"testing"

	"pakbox/gbx/mesh/model"
)

// Layers of texture coordinates are found by their names, whatever their case.
func TestUVLayer(t *testing.T) {
	m := &model.Mesh{UVLayers: []model.UVLayer{{Name: "LightMap"}}}
	if m.UVLayer(model.BaseMaterial) != nil || m.UVLayer(model.BaseMaterial, model.Lightmap) != &m.UVLayers[0] {
		t.Error("the layer is not found by its name")
	}
}

// A normal stays upright on its face when a matrix stretches or mirrors.
func TestNormal(t *testing.T) {
	slope, along := model.Vec3{1, 1, 0}, model.Vec3{1, -1, 0}
	for name, m := range map[string]model.Matrix{
		"stretched": {X: model.Vec3{3, 0, 0}, Y: model.Vec3{0, 1, 0}, Z: model.Vec3{0, 0, 2}},
		"mirrored":  {X: model.Vec3{-1, 0, 0}, Y: model.Vec3{0, 1, 0}, Z: model.Vec3{0, 0, 1}},
	} {
		n := m.Normal(slope)
		if math.Abs(n.Dot(m.Direction(along))) > 1e-15 || math.Abs(n.Dot(n)-1) > 1e-15 || n.Dot(m.Direction(slope)) <= 0 {
			t.Errorf("%s: normal %v", name, n)
		}
		if m.Mirrors() != (name == "mirrored") {
			t.Errorf("%s: mirrors %v", name, m.Mirrors())
		}
	}
}
