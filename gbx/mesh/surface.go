package mesh

import (
	"pakbox/gbx"
	"pakbox/gbx/engine/plug"
)

// surface reads a collision shape made of triangles. Spheres and boxes are left out.
func (r *reader) surface(s *plug.CPlugSurfaceSurf, role Role) []*Node {
	var out []*Node
	if s.MeshSurf != nil {
		out = r.surfaceNode(&s.MeshSurf.Mesh, role)
	}
	if s.Compound != nil {
		for i := range s.Compound.Surfaces {
			if children := r.surface(&s.Compound.Surfaces[i], role); len(children) > 0 {
				t := Identity
				if i < len(s.Compound.Locations) {
					t = r.location(fromIso4(s.Compound.Locations[i]))
				}
				out = append(out, &Node{Name: "Part", Transform: t, Role: touched(role), Children: children})
			}
		}
	}
	return out
}

// surfaceNode reads a shape made of triangles and makes a node of it.
func (r *reader) surfaceNode(from *plug.CPlugSurfaceMesh, role Role) []*Node {
	m := r.surfaceMesh(from)
	if len(m.Parts) == 0 {
		return nil
	}
	return []*Node{{Name: "Surface", Transform: Identity, Mesh: m, Role: touched(role)}}
}

// touched returns the role of a collision shape, which is never drawn.
func touched(role Role) Role {
	if role == Drawn {
		return Collision
	}
	return role
}

// surfaceMesh reads the triangles of a shape.
func (r *reader) surfaceMesh(from *plug.CPlugSurfaceMesh) *Mesh {
	if m, ok := r.surfaces[from]; ok {
		return m
	}
	m := &Mesh{Name: "Surface", Kind: Surface}
	r.surfaces[from] = m
	g := &Geometry{Positions: from.Vertices}
	corners := func(i gbx.Int3) { g.Indices = append(g.Indices, uint32(i.X), uint32(i.Y), uint32(i.Z)) }
	for i := range from.CookedTriangles {
		corners(from.CookedTriangles[i].Indices)
	}
	for i := range from.Triangles {
		corners(from.Triangles[i].Indices)
	}
	if g = r.finish(g); g != nil {
		m.Parts = []Part{{-1, g}}
	}
	return m
}
