package picture

import (
	"image/color"
	"math"
)

// outlined paints a block or item whose mesh is in the map: its outline, and inside it a
// tint, so that what is below stays visible. Something large, such as a hall or a sky,
// has no tint, and something tiny is tint alone.
func (c *Canvas) outlined(k *mark, p *plan, ground color.NRGBA) {
	const large, tiny = 4, 3 // cells, pixels
	around := make([]point, len(k.around))
	for i := range around {
		around[i] = p.at(k.around[i])
	}
	around = simple(around)
	colour := k.colour(p, k.height, ground)
	if k.item {
		colour = mix(colour, bright, 0.25)
	}
	line := uint8(0x80)
	switch {
	case k.reach*p.scale < tiny:
		c.fill(faded(colour, 0x90), around...)
		return
	case k.reach < large:
		c.fill(faded(colour, 0x60), around...)
	default:
		line = 0x70
	}
	c.fill(faded(colour, line), border(around, 0.5)...)
}

// simple leaves out corners of a convex outline that no pixel would show. Maps have tens of
// thousands of outlines, and painting takes as long as they have corners.
func simple(around []point) []point {
	const visible = 0.3 // pixels
	out := around[:0:0]
	for i, q := range around {
		before, after := around[(i+len(around)-1)%len(around)], around[(i+1)%len(around)]
		if len(out) > 0 {
			before = out[len(out)-1]
		}
		dx, dy := after.x-before.x, after.y-before.y
		if n := math.Hypot(dx, dy); n > 0 && math.Abs((q.x-before.x)*dy-(q.y-before.y)*dx) > visible*n {
			out = append(out, q)
		}
	}
	if len(out) < 3 {
		return around
	}
	return out
}

// border returns the line around a convex polygon as one polygon: the corners moved
// outwards, and then, backwards, those moved inwards. A stroke of so many short lines
// would take ten times as many corners.
func border(around []point, half float64) []point {
	n, area := len(around), 0.0
	for i, q := range around {
		next := around[(i+1)%n]
		area += q.x*next.y - q.y*next.x
	}
	if area < 0 {
		half = -half
	}
	normal := func(a, b point) point {
		l := math.Hypot(b.x-a.x, b.y-a.y)
		if l == 0 {
			return point{}
		}
		return point{(b.y - a.y) / l, (a.x - b.x) / l}
	}
	out := make([]point, 2*n+2)
	for i, q := range around {
		a, b := normal(around[(i+n-1)%n], q), normal(q, around[(i+1)%n])
		m := half / max(0.5, 1+a.x*b.x+a.y*b.y) // a sharp corner is cut
		dx, dy := (a.x+b.x)*m, (a.y+b.y)*m
		out[i], out[len(out)-1-i] = point{q.x + dx, q.y + dy}, point{q.x - dx, q.y - dy}
	}
	out[n], out[n+1] = out[0], out[len(out)-1]
	return out
}
