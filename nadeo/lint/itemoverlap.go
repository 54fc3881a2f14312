package lint

import (
	"math"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/nadeo/items"
)

// gridSide is the width of the grid in which faces are counted.
const gridSide = 256

// overlaps checks how many faces share the same points of a crystal's lightmap.
func (l *linter) overlaps(m *items.Model) {
	s, err := m.Mesh()
	if err != nil {
		return
	}
	s.Visit(func(n *mesh.Node, _ mesh.Transform) {
		if n.Mesh == nil || n.Mesh.Kind != mesh.Crystal || n.Role != mesh.Drawn {
			return
		}
		var g grid
		for _, p := range n.Mesh.Parts {
			if len(p.UVs) < 2 {
				return
			}
			for i := 0; i+2 < len(p.Indices); i += 3 {
				g.add(p.UVs[1][p.Indices[i]], p.UVs[1][p.Indices[i+1]], p.UVs[1][p.Indices[i+2]])
			}
		}
		// In most real items faces overlap a little: a point is shared with up to three
		// others on average.
		if g.twice > 4*g.once {
			l.add(&lightmapOverlap, "layer "+n.Name, "a place of the lightmap belongs to %d faces on average", 1+g.twice/max(g.once, 1))
		}
	})
}

// grid counts how many triangles cover each point.
type grid struct {
	cells       [gridSide * gridSide]bool
	once, twice int
	steps       int
}

const maxSteps = 1 << 22 // limit for all triangles of a layer together

func (g *grid) add(a, b, c gbx.Vec2) {
	side := func(p, q gbx.Vec2, x, y float32) float32 { return (q.X-p.X)*(y-p.Y) - (q.Y-p.Y)*(x-p.X) }
	area := side(a, b, c.X, c.Y)
	if area < 0 {
		b, c, area = c, b, -area
	}
	inner := 1e-6 + area*1e-3 // points on an edge belong to no triangle
	if !(area > 0) || math.IsInf(float64(area), 0) {
		return
	}
	low := func(v ...float32) int { return max(int(min(v[0], v[1], v[2])*gridSide), 0) }
	high := func(v ...float32) int { return min(int(max(v[0], v[1], v[2])*gridSide), gridSide-1) }
	for y := low(a.Y, b.Y, c.Y); y <= high(a.Y, b.Y, c.Y); y++ {
		for x := low(a.X, b.X, c.X); x <= high(a.X, b.X, c.X); x++ {
			if g.steps++; g.steps > maxSteps {
				return
			}
			u, v := (float32(x)+0.5)/gridSide, (float32(y)+0.5)/gridSide
			if side(a, b, u, v) <= inner || side(b, c, u, v) <= inner || side(c, a, u, v) <= inner {
				continue
			}
			cell := &g.cells[y*gridSide+x]
			if *cell {
				g.twice++
			} else {
				g.once++
			}
			*cell = true
		}
	}
}
