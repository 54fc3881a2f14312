package answer

import (
	"fmt"
	"math"

	"pakbox/gbx/mesh"
)

// MeshSum is what all meshes of a scene come to.
type MeshSum struct{ Vertices, Triangles int }

// String is the sum in words.
func (m MeshSum) String() string {
	vertices := fmt.Sprintf("%d vertices", m.Vertices)
	if m.Vertices == 1 {
		vertices = "1 vertex"
	}
	return vertices + ", " + Count(m.Triangles, "triangle")
}

// SumMeshes adds the meshes of a scene up.
func SumMeshes(s *mesh.Scene) (sum MeshSum) {
	sum.Vertices, sum.Triangles = s.Count()
	return sum
}

// Mesh is one mesh in its place.
type Mesh struct {
	Name      string   `json:"name"`
	Kind      string   `json:"kind"`
	Role      string   `json:"role"`
	Level     int      `json:"level"`
	Vertices  int      `json:"vertices"`
	Triangles int      `json:"triangles"`
	Materials []string `json:"materials"`
	Bounds    *Bounds  `json:"bounds"`
}

// Bounds is the box around a mesh or a scene, in metres.
type Bounds struct {
	Min [3]float32 `json:"min"`
	Max [3]float32 `json:"max"`
}

// BoundsOf is a box as JSON has it, nil if there is none.
func BoundsOf(b mesh.Bounds) *Bounds {
	out := &Bounds{[3]float32{b.Min.X, b.Min.Y, b.Min.Z}, [3]float32{b.Max.X, b.Max.Y, b.Max.Z}}
	for _, v := range append(out.Min[:], out.Max[:]...) {
		if math.IsInf(float64(v), 0) || math.IsNaN(float64(v)) {
			return nil // around nothing, or beyond all numbers
		}
	}
	return out
}

// Meshes lists the meshes of a scene.
func Meshes(s *mesh.Scene) []Mesh {
	list := []Mesh{}
	s.Visit(func(n *mesh.Node, t mesh.Transform) {
		if n.Mesh == nil {
			return
		}
		m := Mesh{Name: n.Name, Kind: n.Mesh.Kind.String(), Role: n.Role.String(), Level: n.Level,
			Vertices: n.Mesh.Vertices(), Triangles: n.Mesh.Triangles(), Materials: []string{}}
		if m.Name == "" {
			m.Name = n.Mesh.Name
		}
		m.Bounds = BoundsOf(n.Mesh.Bounds(t))
		for _, p := range n.Mesh.Parts {
			if p.Material >= 0 {
				m.Materials = append(m.Materials, s.Materials[p.Material].Name)
			}
		}
		list = append(list, m)
	})
	return list
}

// MeshObject is a scene as JSON.
func MeshObject(name string, chosen *mesh.Scene) *Object {
	total := SumMeshes(chosen)
	outside := chosen.Outside
	if outside == nil {
		outside = []string{}
	}
	return New("mesh", name, "gbx").Add("vertex_count", total.Vertices).Add("triangle_count", total.Triangles).
		Add("bounds", BoundsOf(chosen.Bounds())).Add("meshes", Meshes(chosen)).Add("outside", outside)
}
