package plug

import (
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/code"
)

// VertexData is the content of a vertex stream: declarations, then a column of values for
// each. In version 0 whole vertices follow the first declaration instead. The code is
// written by hand because the layout depends on the declarations.
type VertexData struct {
	Decls   []VertexDecl
	U01     gbx.Bool
	Columns []VertexColumn
}

// VertexDecl states what one column holds.
type VertexDecl struct {
	Flags    uint32 // bits 0 to 8 usage, 9 to 17 type, 18 to 27 size of a vertex
	Flags2   uint32 // bits 2 to 11 offset of the value in a vertex
	U01      uint16
	Offset   uint16
	Vertices []byte // in version 0: all vertices, in the declaration with offset 0
}

// Usage is the meaning of the values: 0 position, 5 normal, 8 color, 10 to 17 texture
// coordinates, 18 and 20 tangents.
func (d *VertexDecl) Usage() int { return int(d.Flags & 0x1FF) }

// Type is the type of the values, as a vertex element type of Direct3D 9.
func (d *VertexDecl) Type() int { return int(d.Flags >> 9 & 0x1FF) }

// Stride is the number of bytes of a vertex.
func (d *VertexDecl) Stride() int { return int(d.Flags >> 18 & 0x3FF) }

// VertexColumn has one value of each vertex, in one of its lists.
type VertexColumn struct {
	Floats []float32
	Vec2s  []gbx.Vec2
	Vec3s  []gbx.Vec3
	Vec4s  []gbx.Vec4
	Words  []uint32 // colors, bytes, or three 10-bit numbers
	Longs  []uint64
}

// Code reads or writes the data of count vertices.
func (d *VertexData) Code(x *gbx.Coder, version, count int) {
	code.List(x, &d.Decls, 8, "decls")
	for i := range d.Decls {
		x.Elem(i, &d.Decls[i])
		d.Decls[i].code(x)
		if version == 0 && d.Decls[i].Flags2&0xFFC == 0 {
			x.Bytes(&d.Decls[i].Vertices, d.Decls[i].Stride()*count, "vertices")
		}
		x.EndElem()
	}
	x.EndList()
	if version == 0 {
		return
	}
	x.Bool(&d.U01, "u01")
	code.SizedList(x, &d.Columns, len(d.Decls), 1, "columns")
	if len(d.Columns) > len(d.Decls) { // in a document that was edited
		x.Fail(fault.SizeMismatch, "columns", "%d columns for %d declarations", len(d.Columns), len(d.Decls))
		return
	}
	for i := range d.Columns {
		x.Elem(i, &d.Columns[i])
		d.Columns[i].code(x, d.Decls[i].Type(), count)
		x.EndElem()
	}
	x.EndList()
}

func (d *VertexDecl) code(x *gbx.Coder) {
	x.U32(&d.Flags, "flags")
	x.U32(&d.Flags2, "flags2")
	if d.Flags2&0xFFC != 0 {
		x.U16(&d.U01, "u01")
		x.U16(&d.Offset, "offset")
	}
}

func (c *VertexColumn) code(x *gbx.Coder, typ, count int) {
	switch typ {
	case 0:
		column(x, &c.Floats, count, 4, "floats", x.F32)
	case 1:
		column(x, &c.Vec2s, count, 8, "vec2s", x.Vec2)
	case 2:
		column(x, &c.Vec3s, count, 12, "vec3s", x.Vec3)
	case 3:
		column(x, &c.Vec4s, count, 16, "vec4s", x.Vec4)
	case 4, 5, 6, 8, 9, 11, 13, 14, 15:
		column(x, &c.Words, count, 4, "words", x.U32)
	case 7, 10, 12, 16:
		column(x, &c.Longs, count, 8, "longs", x.U64)
	default:
		x.Fail(fault.Unsupported, "columns", "vertex values of type %d", typ)
	}
}

func column[T any](x *gbx.Coder, p *[]T, count, size int, name string, element func(*T, string)) {
	code.SizedList(x, p, count, size, name)
	for i := range *p {
		element(&(*p)[i], x.ElemName(i))
	}
	x.EndList()
}
