package nadeo

import (
	"fmt"
	"math"
	"pakbox/gbx/mesh"
	"pakbox/internal/answer"
)

// meshSum is what all meshes of a scene come to.
type meshSum struct{ vertices, triangles int }

func (m meshSum) String() string {
	vertices := fmt.Sprintf("%d vertices", m.vertices)
	if m.vertices == 1 {
		vertices = "1 vertex"
	}
	return vertices + ", " + answer.Count(m.triangles, "triangle")
}

func sumMeshes(s *mesh.Scene) (sum meshSum) {
	s.Visit(func(n *mesh.Node, _ mesh.Transform) {
		if n.Mesh != nil {
			sum.vertices += vertexCount(n.Mesh)
			sum.triangles += n.Mesh.Triangles()
		}
	})
	return sum
}

func vertexCount(m *mesh.Mesh) int {
	n := 0
	for _, p := range m.Parts {
		n += len(p.Positions)
	}
	return n
}

// meshJSON is one mesh in its place.
type meshJSON struct {
	Name      string      `json:"name"`
	Kind      string      `json:"kind"`
	Role      string      `json:"role"`
	Level     int         `json:"level"`
	Vertices  int         `json:"vertices"`
	Triangles int         `json:"triangles"`
	Materials []string    `json:"materials"`
	Bounds    *boundsJSON `json:"bounds"`
}

type boundsJSON struct {
	Min [3]float32 `json:"min"`
	Max [3]float32 `json:"max"`
}

func toBounds(b mesh.Bounds) *boundsJSON {
	out := &boundsJSON{[3]float32{b.Min.X, b.Min.Y, b.Min.Z}, [3]float32{b.Max.X, b.Max.Y, b.Max.Z}}
	for _, v := range append(out.Min[:], out.Max[:]...) {
		if math.IsInf(float64(v), 0) || math.IsNaN(float64(v)) {
			return nil // around nothing, or beyond all numbers
		}
	}
	return out
}

// meshes lists the meshes of a scene.
func meshes(s *mesh.Scene) []meshJSON {
	list := []meshJSON{}
	s.Visit(func(n *mesh.Node, t mesh.Transform) {
		if n.Mesh == nil {
			return
		}
		m := meshJSON{Name: n.Name, Kind: n.Mesh.Kind.String(), Role: n.Role.String(), Level: n.Level,
			Vertices: vertexCount(n.Mesh), Triangles: n.Mesh.Triangles(), Materials: []string{}}
		if m.Name == "" {
			m.Name = n.Mesh.Name
		}
		m.Bounds = toBounds(n.Mesh.Bounds(t))
		for _, p := range n.Mesh.Parts {
			if p.Material >= 0 {
				m.Materials = append(m.Materials, s.Materials[p.Material].Name)
			}
		}
		list = append(list, m)
	})
	return list
}

// meshObject is a scene as JSON.
func meshObject(name string, chosen *mesh.Scene) *answer.Object {
	total := sumMeshes(chosen)
	outside := chosen.Outside
	if outside == nil {
		outside = []string{}
	}
	return answer.New("mesh", name, "gbx").Add("vertex_count", total.vertices).Add("triangle_count", total.triangles).
		Add("bounds", toBounds(chosen.Bounds())).Add("meshes", meshes(chosen)).Add("outside", outside)
}
