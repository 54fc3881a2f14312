package mesh

import (
	"pakbox/fault"
	"pakbox/gbx"
)

// Flat returns all meshes of the scene as one mesh, in the coordinates of the
// scene. It fails above most vertices.
func (s *Scene) Flat(name string, most int) (*Mesh, error) {
	out := &Mesh{Name: name}
	vertices, far := 0, false
	s.Visit(func(n *Node, t Transform) {
		if n.Mesh == nil || vertices > most {
			return
		}
		out.Kind = n.Mesh.Kind
		for _, p := range n.Mesh.Parts {
			if vertices += len(p.Positions); vertices > most {
				return
			}
			if t != Identity {
				p.Geometry = p.moved(t)
				far = far || !p.near()
			}
			out.Parts = append(out.Parts, p)
		}
	})
	if vertices > most {
		return nil, fault.New(fault.Limit, "the mesh has more than %d vertices", most)
	}
	if far {
		return nil, fault.New(fault.Corrupt, "the mesh has infinite or NaN coordinates")
	}
	return out, nil
}

// near reports whether all positions are finite numbers.
func (g *Geometry) near() bool {
	for _, p := range g.Positions {
		if !finite(p) {
			return false
		}
	}
	return true
}

// moved returns the geometry with a transform applied.
func (g *Geometry) moved(t Transform) *Geometry {
	out := *g
	out.Positions = make([]gbx.Vec3, len(g.Positions))
	for i, p := range g.Positions {
		out.Positions[i] = t.Point(p)
	}
	// Cofactors keep normals perpendicular to their triangles.
	upright := Transform{Mat3: gbx.Mat3{X: cross(t.Y, t.Z), Y: cross(t.Z, t.X), Z: cross(t.X, t.Y)}}
	mirrored := dot(t.X, upright.X) < 0
	if g.Normals != nil {
		out.Normals = make([]gbx.Vec3, len(g.Normals))
		for i, n := range g.Normals {
			n = upright.vector(n)
			if mirrored {
				n = scaled(n, -1)
			}
			out.Normals[i], _ = unit(n)
		}
	}
	if mirrored { // make the triangles counter-clockwise again
		out.Indices = make([]uint32, len(g.Indices))
		for i := 0; i+2 < len(g.Indices); i += 3 {
			out.Indices[i], out.Indices[i+1], out.Indices[i+2] = g.Indices[i], g.Indices[i+2], g.Indices[i+1]
		}
	}
	return &out
}
