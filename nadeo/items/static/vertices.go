package static

import (
	"math"

	"pakbox/gbx"
	"pakbox/gbx/engine/plug"
	"pakbox/nadeo/internal/chunks"
)

// welded holds the distinct vertices of a visual, in the order of first use.
type welded struct {
	vertices []Vertex
	tangents [][2]uint32 // empty unless there is a second layer of texture coordinates
	deltas   []int16     // indices, each as the difference from the one before
	last     int         // the previous index
}

// maxVertices is the number of vertices that 16-bit indices can name.
const maxVertices = 1 << 16

// sameVertex has the values that corners must share to become one vertex.
type sameVertex struct {
	Vertex
	tangents [2]uint32
}

// weld joins equal corners into vertices. A mesh with too many vertices for indices of 16
// bits becomes several visuals.
func weld(corners []Vertex, layers int) []*welded {
	var out []*welded
	var list []frame
	var of []int32
	if layers == 2 {
		list, of = frames(corners)
	}
	var w *welded
	var at map[sameVertex]int
	for t := 0; t+2 < len(corners); t += 3 {
		if w == nil || len(w.vertices)+3 > maxVertices {
			w, at = &welded{}, make(map[sameVertex]int, min(len(corners), maxVertices))
			out = append(out, w)
		}
		for k := t; k < t+3; k++ {
			key := sameVertex{Vertex: corners[k]}
			flat := false
			if layers == 2 {
				flat = list[of[k]].empty()
				key.tangents[0], key.tangents[1] = list[of[k]].tangents(corners[k].Normal)
			}
			i, ok := at[key]
			if !ok || flat { // like real meshes, a separate vertex for each corner without a texture direction
				i = len(w.vertices)
				at[key] = i
				w.vertices = append(w.vertices, corners[k])
				if layers == 2 {
					w.tangents = append(w.tangents, key.tangents)
				}
			}
			w.deltas = append(w.deltas, int16(i-w.last)) // may overflow: readers compute in 16 bits too
			w.last = i
		}
	}
	return out
}

// visual makes the node of the triangles.
func (w *welded) visual(layers int, by writer) *gbx.Node {
	index := chunks.Node(&plug.Chunk09057001{Flags: 2, Count: uint32(len(w.deltas)), IndexDeltas: w.deltas})
	if by.plainIndices {
		list := &plug.Chunk09057000{Flags: 2, Count: uint32(len(w.deltas))}
		var at uint16
		for _, d := range w.deltas {
			at += uint16(d)
			list.Indices = append(list.Indices, at)
		}
		index = chunks.Node(list)
	}
	count := uint32(len(w.vertices))
	n := chunks.Node(
		&plug.Chunk09006001{U01: gbx.NoID}, &plug.Chunk09006005{}, &plug.Chunk09006009{}, &plug.Chunk0900600B{},
		&plug.Chunk0900600F{
			Version: by.visual, VertexCount: count, BoundingBox: w.box(),
			Flags: plug.CPlugVisualVisualFlagsIsGeometryStatic | plug.CPlugVisualVisualFlagsIsIndexationStatic |
				plug.CPlugVisualVisualFlagsHasVertexNormals,
			VertexStreams: []gbx.Ref{gbx.NewRef(chunks.Node(&plug.Chunk09056000{
				Version: 1, Count: count, Flags: 3, VertexData: w.stream(layers),
			}))},
		},
		&plug.Chunk09006010{}, &plug.Chunk0902C002{}, &plug.Chunk0902C004{},
		&plug.Chunk0906A001{HasIndexBuffer: gbx.True, IndexBuffer: gbx.NewRef(index)})
	n.Class = 0x0901E000 // the class for indexed triangles
	return n
}

// box returns the bounding box as its middle and half its size.
func (w *welded) box() gbx.Box {
	lo := gbx.Vec3{X: math.MaxFloat32, Y: math.MaxFloat32, Z: math.MaxFloat32}
	hi := gbx.Vec3{X: -lo.X, Y: -lo.Y, Z: -lo.Z}
	for i := range w.vertices {
		p := &w.vertices[i].Position
		lo = gbx.Vec3{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
		hi = gbx.Vec3{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
	}
	return gbx.Box{
		Min: gbx.Vec3{X: (lo.X + hi.X) / 2, Y: (lo.Y + hi.Y) / 2, Z: (lo.Z + hi.Z) / 2},
		Max: gbx.Vec3{X: (hi.X - lo.X) / 2, Y: (hi.Y - lo.Y) / 2, Z: (hi.Z - lo.Z) / 2},
	}
}

// Usages and types of vertex columns, in the numbers of Direct3D 9.
const (
	usePosition, useNormal, useUV, useTangentU, useTangentV = 0, 5, 10, 18, 20
	typeVec2, typeVec3, typeDec3N                           = 1, 2, 14
)

// columnForm describes a column of the vertex data: its usage, its type, the bytes of a
// value, and bits 28 and up of the declaration.
type columnForm struct{ usage, typ, size, high uint32 }

// stream stores the vertices as columns. A material with two layers of texture
// coordinates has tangents too.
func (w *welded) stream(layers int) plug.VertexData {
	forms := []columnForm{{usePosition, typeVec3, 12, 0}, {useNormal, typeDec3N, 4, 1}}
	for i := range layers {
		forms = append(forms, columnForm{useUV + uint32(i), typeVec2, 8, 2})
	}
	if layers == 2 {
		forms = append(forms, columnForm{useTangentU, typeDec3N, 4, 1}, columnForm{useTangentV, typeDec3N, 4, 1})
	}
	var stride, offset uint32
	for _, f := range forms {
		stride += f.size
	}
	out := plug.VertexData{U01: gbx.True}
	for _, f := range forms {
		out.Decls = append(out.Decls, plug.VertexDecl{
			Flags: f.usage | f.typ<<9 | stride<<18 | f.high<<28, Flags2: offset << 2, Offset: uint16(offset),
		})
		offset += f.size
		out.Columns = append(out.Columns, w.column(f.usage))
	}
	return out
}

func (w *welded) column(usage uint32) (c plug.VertexColumn) {
	for i := range w.vertices {
		v := &w.vertices[i]
		switch usage {
		case usePosition:
			c.Vec3s = append(c.Vec3s, v.Position)
		case useNormal:
			c.Words = append(c.Words, packed(wide(v.Normal)))
		case useTangentU:
			c.Words = append(c.Words, w.tangents[i][0])
		case useTangentV:
			c.Words = append(c.Words, w.tangents[i][1])
		default:
			c.Vec2s = append(c.Vec2s, v.UVs[usage-useUV])
		}
	}
	return c
}
