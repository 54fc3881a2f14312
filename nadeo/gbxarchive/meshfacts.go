package gbxarchive

import (
	"fmt"
	"strings"

	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/gbx/mesh"
)

// geometry is the size of a mesh, and the other files that hold parts of it.
type geometry struct {
	vertices, triangles, collision int
	outside                        []string
}

// words states the size of the mesh as 'pakbox mesh' does, or the files that hold the
// mesh.
func (g *geometry) words() string {
	switch {
	case g.vertices == 0 && len(g.outside) > 0:
		return "in other files: " + strings.Join(g.outside, ", ")
	case g.vertices == 0:
		return "none in this file"
	}
	return fmt.Sprintf("%d vertices, %d triangles", g.vertices, g.triangles)
}

// meshFacts are the facts of files that store geometry.
var meshFacts = fact.NewTable("mesh", "The geometry of a file.", []fact.Row[*geometry]{
	{Name: "vertex_count", Label: "Mesh", Kind: fact.Count, Doc: "number of vertices that are drawn at the finest level of detail", Also: []fact.Word{{Name: "vertices", Doc: "number of vertices of an item or mesh"}}, Always: true,
		Get:   func(g *geometry) any { return g.vertices },
		Words: (*geometry).words,
		Shown: func(g *geometry) bool { return g.vertices > 0 || g.collision == 0 }},
	{Name: "triangle_count", Kind: fact.Count, Doc: "number of triangles that are drawn at the finest level of detail", Also: []fact.Word{{Name: "triangles", Doc: "number of triangles of an item or mesh"}}, Always: true,
		Get: func(g *geometry) any { return g.triangles }},
	{Name: "collision_triangle_count", Label: "Collision", Kind: fact.Count, Doc: "number of triangles that cars collide with", Always: true,
		Get: func(g *geometry) any { return g.collision }, Words: func(g *geometry) string { return fmt.Sprintf("%d triangles", g.collision) },
		Shown: func(g *geometry) bool { return g.collision > 0 }},
})

// MeshFactsOf reads the facts of a file's geometry, none if its class has none.
func MeshFactsOf(f *gbx.File) fact.Record {
	if g := geometryOf(f); g != nil {
		return meshFacts.Of(g)
	}
	return nil
}

// geometryOf measures the geometry of a file, nil if its class has none.
func geometryOf(f *gbx.File) *geometry {
	s, err := mesh.Read(f, mesh.Options{})
	if err != nil || len(s.Nodes) == 0 && f.Class.Latest() != classItem {
		return nil
	}
	vertices, triangles := s.Finest().Count()
	return &geometry{vertices, triangles, s.CollisionTriangles(), s.Outside}
}
