package model_test

import (
	"math"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/model"
)

// A square of one polygon becomes two triangles, where the node stands.
func TestMeshes(t *testing.T) {
	square := &model.Mesh{
		Positions: []model.Vec3{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
		Corners:   []int32{0, 1, 2, 3},
		Normals:   []model.Vec3{{0, 0, 2}, {0, 0, 2}, {0, 0, 2}, {0, 0, 2}},
		UVLayers:  []model.UVLayer{{Name: "LightMap", UVs: []model.Vec2{{0, 0}, {1, 0}, {1, 1}, {0, 0.25}}}},
		Polygons:  []model.Polygon{{First: 0, Count: 4, Material: 0}},
	}
	world := model.Identity
	world.T = model.Vec3{5, 6, 7}
	s := &model.Scene{Nodes: []model.Node{{Name: "a", Parent: -1, World: world, Mesh: square}, {Name: "empty", Parent: 0}}, Materials: []string{"Grass"}}
	out := s.Meshes()
	part := out.Nodes[0].Mesh.Parts[0]
	if part.Triangles() != 2 || len(part.Positions) != 4 || part.UVs[0][3] != (gbx.Vec2{X: 0, Y: 0.75}) || part.Normals[0] != (gbx.Vec3{Z: 1}) {
		t.Errorf("part %+v", part.Geometry)
	}
	if b := out.Bounds(); b.Min != (gbx.Vec3{X: 5, Y: 6, Z: 7}) || b.Max != (gbx.Vec3{X: 6, Y: 7, Z: 7}) {
		t.Errorf("box %v", b)
	}
	if out.Materials[0] != (mesh.Material{Name: "Grass"}) || out.Nodes[1].Mesh != nil {
		t.Errorf("scene %+v", out)
	}
	if square.UVLayer(model.BaseMaterial) != nil || square.UVLayer(model.BaseMaterial, model.Lightmap) != &square.UVLayers[0] {
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
