package static

import (
	"pakbox/gbx"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh"
	"pakbox/nadeo/internal/chunks"
)

// Surface is a set of triangles that stop cars, or that fire a waypoint.
type Surface struct {
	Points    []gbx.Vec3
	Triangles [][3]int32 // indexes of points
	Kinds     []uint16   // one for each triangle: surface, and 256 times the effect
	Table     []uint16   // kinds to list first, in this order; others follow in order of use
}

func (s *Surface) ref() gbx.Ref {
	if s == nil {
		return gbx.Ref{}
	}
	return gbx.NewRef(s.Node())
}

// Node makes the surface as in the importer's shape files: positions in the order of
// first use, and a table of kinds that triangles refer to.
func (s *Surface) Node() *gbx.Node {
	m := plug.CPlugSurfaceMesh{Version: 7}
	at := make([]int32, len(s.Points)) // new number of each point plus 1; 0 if not used yet
	kinds := map[uint16]uint32{}
	var table []uint16
	for _, kind := range s.Table {
		if _, ok := kinds[kind]; !ok {
			kinds[kind] = uint32(len(table))
			table = append(table, kind)
		}
	}
	for t, kind := range s.Kinds {
		row, ok := kinds[kind]
		if !ok {
			row = uint32(len(table))
			kinds[kind] = row
			table = append(table, kind)
		}
		var index [3]int32
		for k := range 3 {
			p := s.Triangles[t][k]
			if at[p] == 0 {
				m.Vertices = append(m.Vertices, s.Points[p])
				at[p] = int32(len(m.Vertices))
			}
			index[k] = at[p] - 1
		}
		m.Triangles = append(m.Triangles, plug.CPlugSurfaceTriangle{
			Indices: gbx.Int3{X: index[0], Y: index[1], Z: index[2]}, U01: uint32(kind) | row<<16,
		})
	}
	joint := plug.CPlugSkelJoint{Name: gbx.NoID, ParentIndex: -1, U02: gbx.Iso4(mesh.Identity)}
	skel := plug.CPlugSkelSkel{Name: gbx.NoID, Joints: []plug.CPlugSkelJoint{joint}, U01: []byte{0}, U02: []byte{0}, U06: []byte{0}, U07: 1}
	return chunks.Node(&plug.Chunk0900C003{
		Version: 4, SurfVersion: 2, SurfaceIDs: table, Skel: gbx.NewRef(chunks.Node(&plug.Chunk090BA000{Version: skelVersion, Skel: skel})),
		Surf: plug.CPlugSurfaceSurf{
			Type: plug.CPlugSurfaceSurfTypeMesh, MeshSurf: &plug.CPlugSurfaceSurfMeshSurf{Mesh: m}, U02: gbx.Vec3{Z: 1},
		},
	})
}
