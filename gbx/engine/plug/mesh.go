package plug

import (
	"pakbox/gbx"
	"pakbox/gbx/code"
)

// classSurfaceGeom is the class CPlugSurfaceGeom. Its chunk 0900C000 differs from that of
// CPlugSurface.
const classSurfaceGeom = 0x0900F000

func isSurfaceGeom(x *gbx.Coder) int {
	if x.NodeClass() == classSurfaceGeom {
		return 1
	}
	return 0
}

// visualLayout returns the number of vertices and the flags from an earlier chunk of the
// visual.
func visualLayout(x *gbx.Coder) (count int, flags CPlugVisualVisualFlags) {
	if c, ok := code.Sibling[*Chunk0900600F](x); ok {
		if len(c.VertexStreams) > 0 {
			return 0, c.Flags
		}
		return int(c.VertexCount), c.Flags
	}
	if c, ok := code.Sibling[*Chunk0900600E](x); ok {
		return int(c.VertexCount), c.Flags
	}
	if c, ok := code.Sibling[*Chunk0900600D](x); ok {
		return int(c.VertexCount), c.Flags
	}
	if c, ok := code.Sibling[*Chunk0900600C](x); ok {
		return int(c.VertexCount), 0
	}
	if c, ok := code.Sibling[*Chunk0900600A](x); ok {
		return int(c.VertexCount), 0
	}
	if c, ok := code.Sibling[*Chunk09006008](x); ok {
		return int(c.VertexCount), 0
	}
	return 0, 0
}

func vertexCount(x *gbx.Coder) int {
	n, _ := visualLayout(x)
	return n
}

func vertexFlags(x *gbx.Coder) int {
	_, flags := visualLayout(x)
	return int(flags)
}
