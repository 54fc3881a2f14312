package mesh

import (
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/plug"
)

// classIndexedTriangles is CPlugVisualIndexedTriangles, the only visual of
// triangles.
const classIndexedTriangles classid.ID = 0x0901E000

func (r *reader) visual(n *gbx.Node) *Geometry {
	if n == nil || n.Class.Latest() != classIndexedTriangles {
		return nil
	}
	if g, ok := r.geometries[n]; ok {
		return g
	}
	g := r.readVisual(n)
	r.geometries[n] = g
	return g
}

func (r *reader) readVisual(n *gbx.Node) *Geometry {
	g := &Geometry{}
	h := headOf(n)
	if c, ok := gbx.Find[*plug.Chunk0902C003](n); ok {
		g.vertices(c.Vertices.List, true, true)
	}
	if c, ok := gbx.Find[*plug.Chunk0902C004](n); ok {
		g.packedVertices(c.Vertices.List, h.flags)
	}
	for _, set := range h.texs {
		if set.Version >= 3 {
			g.addUVs(set.Uvs)
			continue
		}
		uvs := make([]gbx.Vec2, len(set.TexCoords))
		for i := range set.TexCoords {
			uvs[i] = set.TexCoords[i].Uv
		}
		g.addUVs(uvs)
	}
	for _, ref := range h.streams {
		if c, ok := gbx.Find[*plug.Chunk09056000](ref.Node); ok {
			g.stream(c)
		}
	}
	g.Indices = VisualIndices(n)
	return r.finish(g)
}

// finish checks that all indices refer to vertices and that positions are finite. It
// returns nil for a geometry without triangles.
func (r *reader) finish(g *Geometry) *Geometry {
	g.Indices = g.Indices[:len(g.Indices)/3*3]
	if len(g.Indices) == 0 || len(g.Positions) == 0 {
		return nil
	}
	for _, i := range g.Indices {
		if int64(i) >= int64(len(g.Positions)) {
			r.fail("a triangle has vertex %d of %d", i, len(g.Positions))
			return nil
		}
	}
	for _, p := range g.Positions {
		if !finite(p) {
			r.fail("a vertex is at a place that is not a number")
			return nil
		}
	}
	g.repair()
	return g
}

// head has the facts about the vertices of a visual that files of all ages state.
type head struct {
	flags   plug.CPlugVisualVisualFlags
	texs    []plug.CPlugVisualTexCoordSet
	streams []gbx.Ref
}

func headOf(n *gbx.Node) head {
	for i := range n.Chunks {
		switch c := n.Chunks[i].Body.(type) {
		case *plug.Chunk0900600F:
			return head{c.Flags, c.TexCoordSets, c.VertexStreams}
		case *plug.Chunk0900600E:
			return head{c.Flags, c.TexCoordSets, c.VertexStreams}
		case *plug.Chunk0900600D:
			return head{c.Flags, c.TexCoordSets, c.VertexStreams}
		case *plug.Chunk0900600C:
			return head{texs: c.TexCoordSets, streams: c.VertexStreams}
		case *plug.Chunk0900600A:
			return head{texs: c.TexCoordSets, streams: c.VertexStreams}
		case *plug.Chunk09006008:
			return head{texs: c.TexCoordSets}
		}
	}
	return head{}
}

// VisualIndices returns the indices of the vertices that form the triangles of a visual.
func VisualIndices(n *gbx.Node) []uint32 {
	if c, ok := gbx.Find[*plug.Chunk0906A000](n); ok {
		return widen(c.Indices)
	}
	c, ok := gbx.Find[*plug.Chunk0906A001](n)
	if !ok {
		return nil
	}
	if b, ok := gbx.Find[*plug.Chunk09057001](c.IndexBuffer.Node); ok {
		out := make([]uint32, len(b.IndexDeltas))
		var at uint16
		for i, d := range b.IndexDeltas {
			at += uint16(d)
			out[i] = uint32(at)
		}
		return out
	}
	if b, ok := gbx.Find[*plug.Chunk09057000](c.IndexBuffer.Node); ok {
		return widen(b.Indices)
	}
	return nil
}

func widen(in []uint16) []uint32 {
	out := make([]uint32, len(in))
	for i, v := range in {
		out[i] = uint32(v)
	}
	return out
}

// packedVertices converts vertices whose components depend on flags.
func (g *Geometry) packedVertices(list []plug.CPlugVisual3DVertex, flags plug.CPlugVisualVisualFlags) {
	all := flags&plug.CPlugVisualVisualFlagsOnlyNeeded == 0
	g.vertices(list, all || flags&plug.CPlugVisualVisualFlagsHasVertexNormals != 0, flags&plug.CPlugVisualVisualFlagsHasVertexColors != 0)
	if flags&plug.CPlugVisualVisualFlagsPackedNormals != 0 && g.Normals != nil {
		for i := range list {
			g.Normals[i] = packedNormal(list[i].PackedNormal)
		}
	}
	if flags&plug.CPlugVisualVisualFlagsPackedColors != 0 && g.Colors != nil {
		for i := range list {
			g.Colors[i] = packedColor(list[i].PackedColor)
		}
	}
}

func (g *Geometry) vertices(list []plug.CPlugVisual3DVertex, normals, colors bool) {
	g.Positions = make([]gbx.Vec3, len(list))
	for i := range list {
		g.Positions[i] = list[i].Position
	}
	if normals {
		g.Normals = make([]gbx.Vec3, len(list))
		for i := range list {
			g.Normals[i] = list[i].Normal
		}
	}
	if colors {
		g.Colors = make([][4]uint8, len(list))
		for i := range list {
			c := &list[i].Color
			g.Colors[i] = [4]uint8{to8(c.X), to8(c.Y), to8(c.Z), to8(c.W)}
		}
	}
}

// packedNormal unpacks three signed numbers of ten bits.
func packedNormal(v uint32) gbx.Vec3 {
	part := func(shift int) float32 { return max(float32(int32(v<<(22-shift))>>22)/511, -1) }
	return gbx.Vec3{X: part(0), Y: part(10), Z: part(20)}
}

// packedColor unpacks a colour of Direct3D: blue in the lowest byte.
func packedColor(v uint32) [4]uint8 {
	return [4]uint8{uint8(v >> 16), uint8(v >> 8), uint8(v), uint8(v >> 24)}
}

// to8 converts a colour component from 0..1 to a byte.
func to8(f float32) uint8 {
	if !(f > 0) {
		return 0
	}
	return uint8(min(f, 1)*255 + 0.5)
}
