package picture

import (
	"math"
	"slices"
	"strings"

	"pakbox/gbx"
)

// footprint is the ground that a block takes, in cells. Of the blocks up to
// TrackMania United it is known which those are. Of later ones only the name
// tells, and that only of curves and squares; all others are drawn one cell
// large.
type footprint struct {
	x, z     float64 // the corner that the block's place names
	sin, cos float64 // of its turn about that corner
	size     float64 // cells on each side; 0 for an item
	ring     bool    // a quarter of a ring, about a corner
	centre   int     // of the ring: the corner it is about, as in corners
	// cells are those of a block that is known to take several: each by its
	// corner, from x and z.
	cells []point
}

// corners are those of a square, one after the other.
var corners = [4]point{{0, 0}, {1, 0}, {1, 1}, {0, 1}}

// The corner that a curve goes about when it faces north, east, south and
// west, by environment and the beginning of the block's name. Neighbours of
// thousands of curves in real maps tell: roads go on at the ends of such arcs.
// Of other blocks too little is known.
var (
	oneWay   = [4]int{3, 0, 1, 2}
	otherWay = [4]int{1, 2, 3, 0}
	curves   = map[string][]curve{
		"Stadium":     {{"stadiumroad", &oneWay}, {"stadiumtube", &oneWay}},
		"Stadium2020": {{"road", &oneWay}},
		"Bay":         {{"bayroad", &oneWay}, {"baybridge", &otherWay}, {"baytunnel", &otherWay}},
		"Coast":       {{"coastroad", &otherWay}, {"coasttunnel", &oneWay}},
		"Island":      {{"islandhighway", &otherWay}, {"islandseaway", &otherWay}, {"islandtunnel", &otherWay}},
		"Alpine":      {{"alpinetunnel", &otherWay}, {"alpinegreatwall", &otherWay}},
		"Rally":       {{"rallytunnel", &otherWay}},
		"Speed":       {{"speed", &otherWay}},
	}
)

type curve struct {
	prefix string
	around *[4]int // by direction: an index in corners
}

// footprintOf guesses how large a block is by its name. A free block has no
// direction, and faces north before it is turned.
func footprintOf(name, collection string, x, z float64, direction int) footprint {
	f := footprint{x: x, z: z, cos: 1, size: 1}
	n := strings.ToLower(name)
	if i := strings.LastIndex(n, "curve"); i >= 0 {
		rest := n[i+len("curve"):]
		if rest == "" || rest[0] < '2' || rest[0] > '6' {
			return f
		}
		f.size = float64(rest[0] - '0')
		for _, c := range curves[collection] {
			if len(rest) == 1 && strings.HasPrefix(n, c.prefix) {
				f.ring, f.centre = true, c.around[max(direction, 0)%4]
			}
		}
		return f
	}
	if i := strings.LastIndexByte(n, 'x'); i > 0 && i+1 < len(n) && n[i-1] == n[i+1] && n[i+1] >= '2' && n[i+1] <= '8' {
		f.size = float64(n[i+1] - '0') // 2x2, 4x4
	}
	return f
}

// whole reports whether the block is one cell of some grid.
func (f *footprint) whole() bool {
	return f.size == 1 && len(f.cells) == 0 && f.sin*f.cos < 1e-3 && f.sin*f.cos > -1e-3
}

// turned is a place of the block in the map.
func (f *footprint) turned(p point) point {
	return point{f.x + p.x*f.cos + p.y*f.sin, f.z - p.x*f.sin + p.y*f.cos}
}

// extent is how far the block goes from its corner, before it is turned.
func (f *footprint) extent() point {
	if len(f.cells) == 0 {
		return point{f.size, f.size}
	}
	most := point{}
	for _, c := range f.cells {
		most = point{max(most.x, c.x+1), max(most.y, c.y+1)}
	}
	return most
}

func (f *footprint) middle() point {
	e := f.extent()
	return f.turned(point{e.x / 2, e.y / 2})
}

// reach is how far the block goes from its middle.
func (f *footprint) reach() float64 {
	e := f.extent()
	return math.Hypot(e.x, e.y) / 2
}

// take makes the footprint that of known cells. A curve stays one.
func (f *footprint) take(cells []gbx.Int3, corner gbx.Int3) {
	if f.ring {
		return
	}
	seen := map[point]bool{}
	var list []point
	for _, c := range cells {
		at := point{float64(c.X - corner.X), float64(c.Z - corner.Z)}
		if !seen[at] {
			seen[at] = true
			list = append(list, at)
		}
	}
	if f.size = 1; len(list) > 1 {
		f.cells = list
	}
}

// squares are the outlines of the cells, some way inside the edge of the whole.
func (f *footprint) squares(inset float64) [][]point {
	in := func(c point, dx, dy float64) float64 {
		if slices.Contains(f.cells, point{c.x + dx, c.y + dy}) {
			return 0
		}
		return inset
	}
	var out [][]point
	for _, c := range f.cells {
		x0, x1 := c.x+in(c, -1, 0), c.x+1-in(c, 1, 0)
		y0, y1 := c.y+in(c, 0, -1), c.y+1-in(c, 0, 1)
		out = append(out, []point{f.turned(point{x0, y0}), f.turned(point{x1, y0}), f.turned(point{x1, y1}), f.turned(point{x0, y1})})
	}
	return out
}

// outline goes around the block, some way inside its edge.
func (f *footprint) outline(inset float64) []point {
	var out []point
	if !f.ring {
		for _, c := range corners {
			out = append(out, f.turned(point{inset + c.x*(f.size-2*inset), inset + c.y*(f.size-2*inset)}))
		}
		return out
	}
	c := corners[f.centre]
	from := math.Atan2(1-2*c.y, 1-2*c.x) - math.Pi/4 // half a quarter before the middle
	const steps = 12
	arc := func(radius float64, i int) {
		s, k := math.Sincos(from + math.Pi/2*float64(i)/steps)
		out = append(out, f.turned(point{c.x*f.size + radius*k, c.y*f.size + radius*s}))
	}
	for i := range steps + 1 {
		arc(f.size-inset, i)
	}
	for i := steps; i >= 0; i-- {
		arc(f.size-1+inset, i)
	}
	return out
}
