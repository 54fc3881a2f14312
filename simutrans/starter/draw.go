package starter

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"pakbox/simutrans/img"
)

// canvas is one cell of a picture. A tile fills its lower half. Coordinates are parts of
// a tile: x goes from the upper corner to the right one, which is east, y to the left
// one, which is south, and z up.
type canvas struct {
	m    *image.NRGBA
	x, y int // upper left corner of the cell
	size float64
}

type point struct{ x, y float64 }

// at returns the pixel of a position on the tile.
func (c *canvas) at(x, y, z float64) point {
	return point{c.size/2 + (x-y)*c.size/2, c.size/2 + (x+y)*c.size/4 - z*c.size/2}
}

// fill draws the convex hull of points.
func (c *canvas) fill(colour color.NRGBA, points ...point) {
	points = hull(points)
	for py := range int(c.size) {
		y := float64(py) + 0.5
		left, right := math.Inf(1), math.Inf(-1)
		for i, a := range points {
			b := points[(i+1)%len(points)]
			if (a.y <= y) == (b.y <= y) {
				continue
			}
			x := a.x + (y-a.y)/(b.y-a.y)*(b.x-a.x)
			left, right = min(left, x), max(right, x)
		}
		for px := max(int(math.Ceil(left-0.5)), 0); float64(px)+0.5 < right && px < int(c.size); px++ {
			c.m.SetNRGBA(c.x+px, c.y+py, colour)
		}
	}
}

// hull is the convex hull of points, by Andrew's monotone chain.
func hull(points []point) []point {
	points = slices.Clone(points)
	slices.SortFunc(points, func(a, b point) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
	chain := func(list []point) (out []point) {
		for _, p := range list {
			for len(out) > 1 {
				a, b := out[len(out)-2], out[len(out)-1]
				if (b.x-a.x)*(p.y-a.y)-(b.y-a.y)*(p.x-a.x) > 0 {
					break
				}
				out = out[:len(out)-1]
			}
			out = append(out, p)
		}
		return out[:len(out)-1]
	}
	lower := chain(points)
	slices.Reverse(points)
	return append(lower, chain(points)...)
}

// shade is one of the eight shades of the player's first colour.
func shade(i int) color.NRGBA { return img.SpecialColors[i] }

var (
	asphalt = color.NRGBA{96, 96, 96, 255}
	wall    = color.NRGBA{200, 176, 136, 255}
	dark    = color.NRGBA{144, 120, 96, 255}
	roof    = color.NRGBA{152, 64, 48, 255}
	edge    = color.NRGBA{112, 48, 40, 255}
)

// vehicle draws a box that faces one of the eight directions.
func (c *canvas) vehicle(direction int) {
	// Steps to the east and south for s w sw se n e ne nw.
	step := [][2]float64{{0, 1}, {-1, 0}, {-1, 1}, {1, 1}, {0, -1}, {1, 0}, {1, -1}, {-1, -1}}[direction]
	length := math.Hypot(step[0], step[1])
	dx, dy := step[0]/length, step[1]/length
	corner := func(along, across, z float64) point {
		return c.at(0.5+dx*along-dy*across, 0.5+dy*along+dx*across, z)
	}
	box := func(from, to, half, low, high float64, side, top color.NRGBA) {
		var all, upper []point
		for _, along := range []float64{from, to} {
			for _, across := range []float64{-half, half} {
				all = append(all, corner(along, across, low), corner(along, across, high))
				upper = append(upper, corner(along, across, high))
			}
		}
		c.fill(side, all...)
		c.fill(top, upper...)
	}
	box(-0.25, 0.25, 0.1, 0.02, 0.18, shade(2), shade(5))
	box(0.08, 0.2, 0.07, 0.18, 0.24, shade(1), shade(3))
}

// way draws a cell of a way: its connections, slopes, diagonals and tools.
func (c *canvas) way(row, column int) {
	const half = 0.18
	band := func(direction rune, z float64) {
		x0, x1, y0, y1 := 0.5-half, 0.5+half, 0.5-half, 0.5+half
		switch direction {
		case 'n':
			y0 = 0
		case 's':
			y1 = 1
		case 'e':
			x1 = 1
		case 'w':
			x0 = 0
		}
		c.fill(asphalt, c.at(x0, y0, z), c.at(x1, y0, z), c.at(x0, y1, z), c.at(x1, y1, z))
	}
	switch {
	case row < 2:
		for _, direction := range ways[row*8+column] {
			band(direction, 0)
		}
	case row == 2 && column < 4:
		const step = 0.25 // the height of a slope
		// Height of the edges in the north, south, west and east.
		north, south, west, east := 0.0, 0.0, 0.0, 0.0
		*[]*float64{&north, &west, &east, &south}[column] = step
		if column == 0 || column == 3 {
			c.fill(asphalt, c.at(0.5-half, 0, north), c.at(0.5+half, 0, north), c.at(0.5-half, 1, south), c.at(0.5+half, 1, south))
		} else {
			c.fill(asphalt, c.at(0, 0.5-half, west), c.at(0, 0.5+half, west), c.at(1, 0.5-half, east), c.at(1, 0.5+half, east))
		}
	case row == 2:
		// From the middle of one edge to the middle of the next.
		ends := [][4]float64{{0.5, 0, 1, 0.5}, {0.5, 1, 1, 0.5}, {0.5, 0, 0, 0.5}, {0.5, 1, 0, 0.5}}[column-4]
		x, y := (ends[0]+ends[2])/2-0.5, (ends[1]+ends[3])/2-0.5
		c.fill(asphalt, c.at(ends[0]-x*half*4, ends[1]-y*half*4, 0), c.at(ends[0]+x*half, ends[1]+y*half, 0),
			c.at(ends[2]-x*half*4, ends[3]-y*half*4, 0), c.at(ends[2]+x*half, ends[3]+y*half, 0))
	case column == 0: // the icon fills its cell
		c.fill(asphalt, point{c.size * 0.2, c.size * 0.9}, point{c.size * 0.4, c.size * 0.1}, point{c.size * 0.6, c.size * 0.1}, point{c.size * 0.8, c.size * 0.9})
	case column == 1:
		band('n', 0)
		band('s', 0)
	}
}

// house draws a building, with a chimney for a factory.
func (c *canvas) house(isFactory bool) {
	const low, high = 0.15, 0.85
	height, ridge := 0.35, 0.65
	if isFactory {
		height, ridge = 0.3, 0.3
	}
	c.fill(wall, c.at(low, high, 0), c.at(high, high, 0), c.at(low, high, height), c.at(high, high, height))
	c.fill(dark, c.at(high, high, 0), c.at(high, low, 0), c.at(high, high, height), c.at(high, low, height))
	top := c.at(0.5, 0.5, ridge)
	c.fill(edge, c.at(low, low, height), c.at(high, low, height), c.at(high, high, height), c.at(low, high, height))
	c.fill(roof, c.at(low, high, height), c.at(high, high, height), top)
	c.fill(edge, c.at(high, low, height), c.at(high, high, height), top)
	if isFactory {
		c.fill(dark, c.at(0.3, 0.4, 0.3), c.at(0.4, 0.3, 0.3), c.at(0.3, 0.4, 0.8), c.at(0.4, 0.3, 0.8))
	}
}
