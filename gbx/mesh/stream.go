package mesh

import (
	"encoding/binary"
	"math"

	"pakbox/gbx"
	"pakbox/gbx/engine/plug"
)

// Usages of columns of a vertex stream, and Direct3D 9's numbers of their types.
const (
	usagePosition = 0
	usageNormal   = 5
	usageColor    = 8
	usageTexCoord = 10 // to 17

	typeFloat2 = 1
	typeFloat3 = 2
	typeColor  = 4
	typeDec3N  = 14
)

func (g *Geometry) stream(c *plug.Chunk09056000) {
	d := &c.VertexData
	for i := range d.Decls {
		var column plug.VertexColumn
		if c.Version == 0 {
			column = interleaved(d, i, int(c.Count))
		} else if i < len(d.Columns) {
			column = d.Columns[i]
		}
		g.column(d.Decls[i].Usage(), d.Decls[i].Type(), &column)
	}
}

// column stores one column in the geometry, if it is needed.
func (g *Geometry) column(usage, typ int, c *plug.VertexColumn) {
	switch {
	case usage == usagePosition && typ == typeFloat3:
		g.Positions = c.Vec3s
	case usage == usageNormal && typ == typeFloat3:
		g.Normals = append([]gbx.Vec3(nil), c.Vec3s...)
	case usage == usageNormal && typ == typeDec3N:
		g.Normals = make([]gbx.Vec3, len(c.Words))
		for i, v := range c.Words {
			g.Normals[i] = packedNormal(v)
		}
	case usage == usageColor && typ == typeColor:
		g.Colors = make([][4]uint8, len(c.Words))
		for i, v := range c.Words {
			g.Colors[i] = packedColor(v)
		}
	case usage >= usageTexCoord && usage < usageTexCoord+8 && typ == typeFloat2:
		g.addUVs(c.Vec2s)
	}
}

// interleaved extracts a column from interleaved vertices. These are in the declaration
// with offset 0.
func interleaved(d *plug.VertexData, i, count int) (c plug.VertexColumn) {
	var vertices []byte
	stride := 0
	for j := range d.Decls[:i+1] {
		if d.Decls[j].Vertices != nil {
			vertices, stride = d.Decls[j].Vertices, d.Decls[j].Stride()
		}
	}
	size := map[int]int{typeFloat2: 8, typeFloat3: 12, typeColor: 4, typeDec3N: 4}[d.Decls[i].Type()]
	offset := int(d.Decls[i].Flags2 >> 2 & 0x3FF)
	if size == 0 || stride == 0 || offset+size > stride || count > len(vertices)/stride {
		return c
	}
	for v := range count {
		b := vertices[v*stride+offset:]
		float := func(i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])) }
		switch d.Decls[i].Type() {
		case typeFloat2:
			c.Vec2s = append(c.Vec2s, gbx.Vec2{X: float(0), Y: float(1)})
		case typeFloat3:
			c.Vec3s = append(c.Vec3s, gbx.Vec3{X: float(0), Y: float(1), Z: float(2)})
		default:
			c.Words = append(c.Words, binary.LittleEndian.Uint32(b))
		}
	}
	return c
}

// addUVs adds texture coordinates, flipped so that the origin is at the upper edge.
func (g *Geometry) addUVs(uvs []gbx.Vec2) {
	out := make([]gbx.Vec2, len(uvs))
	for i, uv := range uvs {
		out[i] = flipped(uv)
	}
	g.UVs = append(g.UVs, out)
}

// flipped converts a texture coordinate of the engine, which points up, to one that
// points down.
func flipped(uv gbx.Vec2) gbx.Vec2 { return gbx.Vec2{X: uv.X, Y: 1 - uv.Y} }

// repair drops columns of the wrong length, and corrects normals of length zero and
// coordinates that are not finite.
func (g *Geometry) repair() {
	n := len(g.Positions)
	if len(g.Normals) != n {
		g.Normals = nil
	}
	if len(g.Colors) != n || uniform(g.Colors) {
		g.Colors = nil
	}
	sets := g.UVs[:0]
	for _, set := range g.UVs {
		if len(set) == n {
			sets = append(sets, set)
		}
	}
	g.UVs = sets
	for _, set := range g.UVs {
		for i, uv := range set {
			if !finite1(uv.X) || !finite1(uv.Y) {
				set[i] = gbx.Vec2{}
			}
		}
	}
	var faces []gbx.Vec3
	for i, v := range g.Normals {
		u, ok := unit(v)
		if !ok {
			if faces == nil {
				faces = g.faceNormals()
			}
			u, _ = unit(faces[i])
		}
		g.Normals[i] = u
	}
}

// uniform reports whether all colours are white, or all are black. Then they are not
// used.
func uniform(colors [][4]uint8) bool {
	for _, c := range colors {
		if c != colors[0] {
			return false
		}
	}
	return len(colors) > 0 && (colors[0] == [4]uint8{255, 255, 255, 255} || colors[0] == [4]uint8{3: 255})
}

// faceNormals adds up the normals of the triangles around each vertex.
func (g *Geometry) faceNormals() []gbx.Vec3 {
	out := make([]gbx.Vec3, len(g.Positions))
	for i := 0; i+2 < len(g.Indices); i += 3 {
		a, b, c := g.Indices[i], g.Indices[i+1], g.Indices[i+2]
		normal := cross(sub(g.Positions[b], g.Positions[a]), sub(g.Positions[c], g.Positions[a]))
		for _, v := range []uint32{a, b, c} {
			out[v] = add(out[v], normal)
		}
	}
	return out
}
