package model

import (
	"pakbox/gbx"
	"pakbox/gbx/mesh"
)

// Meshes returns the scene as triangles, one part for each material of a mesh.
// Empties and lights become nodes without a mesh.
func (s *Scene) Meshes() *mesh.Scene {
	out := &mesh.Scene{}
	for i, name := range s.Materials {
		m := mesh.Material{Name: name}
		if i < len(s.Links) {
			m.Link = s.Links[i]
		}
		out.Materials = append(out.Materials, m)
	}
	done := map[*Mesh]*mesh.Mesh{}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		to := &mesh.Node{Name: n.Name, Transform: n.World.Short()}
		if n.Mesh != nil {
			if done[n.Mesh] == nil {
				done[n.Mesh] = n.Mesh.parts()
			}
			to.Mesh = done[n.Mesh]
		}
		out.Nodes = append(out.Nodes, to)
	}
	return out
}

// Short is the matrix in the numbers of meshes.
func (m Matrix) Short() mesh.Transform {
	return mesh.Transform{Mat3: gbx.Mat3{X: m.X.short(), Y: m.Y.short(), Z: m.Z.short()}, T: m.T.short()}
}

func (a Vec3) short() gbx.Vec3 {
	return gbx.Vec3{X: float32(a[0]), Y: float32(a[1]), Z: float32(a[2])}
}

// parts is the mesh as triangles, whose corners are vertices of their own.
func (m *Mesh) parts() *mesh.Mesh {
	out := &mesh.Mesh{Name: m.Name, Kind: mesh.Made}
	at := map[int32]int{}
	var points []gbx.Vec3
	var cut []int
	for _, p := range m.Polygons {
		i, ok := at[p.Material]
		if !ok {
			i = len(out.Parts)
			at[p.Material] = i
			out.Parts = append(out.Parts, mesh.Part{Material: int(p.Material), Geometry: &mesh.Geometry{UVs: make([][]gbx.Vec2, len(m.UVLayers))}})
		}
		points = points[:0]
		for _, c := range m.CornersOf(p) {
			points = append(points, m.Positions[c].short())
		}
		cut = mesh.Triangulate(cut[:0], points)
		g := out.Parts[i].Geometry
		first := uint32(len(g.Positions))
		g.Positions = append(g.Positions, points...)
		for _, c := range cut {
			g.Indices = append(g.Indices, first+uint32(c))
		}
		for c := p.First; c < p.First+p.Count; c++ {
			m.corner(g, int(c))
		}
	}
	return out
}

// corner appends what a corner has beside its position.
func (m *Mesh) corner(g *mesh.Geometry, c int) {
	if m.Normals != nil {
		g.Normals = append(g.Normals, m.Normals[c].Unit().short())
	}
	if m.Colors != nil {
		var bytes [4]uint8
		for i, v := range m.Colors[c] {
			bytes[i] = uint8(min(max(v, 0), 1)*255 + 0.5)
		}
		g.Colors = append(g.Colors, bytes)
	}
	for i, layer := range m.UVLayers {
		uv := layer.UVs[c]
		g.UVs[i] = append(g.UVs[i], gbx.Vec2{X: float32(uv[0]), Y: float32(1 - uv[1])}) // meshes count from above
	}
}
