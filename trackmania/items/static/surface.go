package static

import (
	"pakbox/gbx"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh"
	"pakbox/trackmania/internal/build"
)

// Surface is triangles that cars run into, or that fire a waypoint.
type Surface struct {
	Corners []gbx.Vec3 // three for each triangle
	Kinds   []uint16   // one for each triangle: surface, and 256 times the effect
}

// Add appends a triangle.
func (s *Surface) Add(corners [3]gbx.Vec3, kind uint16) {
	s.Corners = append(s.Corners, corners[:]...)
	s.Kinds = append(s.Kinds, kind)
}

func (s *Surface) ref() gbx.Ref {
	if s == nil {
		return gbx.Ref{}
	}
	return gbx.NewRef(s.Node())
}

// Node is the surface as the importer's files of shapes have it: positions in the
// order of first use, and a table of kinds that triangles point into.
func (s *Surface) Node() *gbx.Node {
	m := plug.CPlugSurfaceMesh{Version: 7}
	at := map[gbx.Vec3]int32{}
	kinds := map[uint16]uint32{}
	var table []uint16
	for t, kind := range s.Kinds {
		row, ok := kinds[kind]
		if !ok {
			row = uint32(len(table))
			kinds[kind] = row
			table = append(table, kind)
		}
		var index [3]int32
		for k := range 3 {
			p := s.Corners[3*t+k]
			i, ok := at[p]
			if !ok {
				i = int32(len(m.Vertices))
				at[p] = i
				m.Vertices = append(m.Vertices, p)
			}
			index[k] = i
		}
		m.Triangles = append(m.Triangles, plug.CPlugSurfaceTriangle{
			Indices: gbx.Int3{X: index[0], Y: index[1], Z: index[2]}, U01: uint32(kind) | row<<16,
		})
	}
	joint := plug.CPlugSkelJoint{Name: gbx.NoID, ParentIndex: -1, U02: gbx.Iso4(mesh.Identity)}
	skel := plug.CPlugSkelSkel{Name: gbx.NoID, Joints: []plug.CPlugSkelJoint{joint}, U01: []byte{0}, U02: []byte{0}, U06: []byte{0}, U07: 1}
	return build.Node(&plug.Chunk0900C003{
		Version: 4, SurfVersion: 2, SurfaceIDs: table, Skel: gbx.NewRef(build.Node(&plug.Chunk090BA000{Version: skelVersion, Skel: skel})),
		Surf: plug.CPlugSurfaceSurf{
			Type: plug.CPlugSurfaceSurfTypeMesh, MeshSurf: &plug.CPlugSurfaceSurfMeshSurf{Mesh: m}, U02: gbx.Vec3{Z: 1},
		},
	})
}
