package picture

import (
	"pakbox/nadeo/maps/scene"

	"image/color"
	"math"
	"slices"
)

// plan converts places on a map to places in its picture. North is up: there z grows, and
// x grows to the west.
type plan struct {
	lo, hi    point // the part of the map that is shown, in cells
	low, high float64
	scale     float64
	left, top float64
	w, h      float64
}

func (p *plan) at(q point) point {
	return point{p.left + (p.hi.x-q.x)*p.scale, p.top + (p.hi.y-q.y)*p.scale}
}

// shade returns the colour of a height. A flat map gets a colour from the middle of the
// scale.
func (p *plan) shade(height float64) color.NRGBA {
	if p.high <= p.low {
		return shade(0.45)
	}
	return shade((height - p.low) / (p.high - p.low))
}

// shows reports whether the middle of a mark is in the picture.
func (p *plan) shows(k *mark) bool { return p.within(k, 0) }

// reaches reports whether a part of a mark may be in the picture.
func (p *plan) reaches(k *mark) bool { return p.within(k, k.reach*p.scale) }

func (p *plan) within(k *mark, far float64) bool {
	q := p.at(k.mid)
	return q.x >= p.left-far && q.y >= p.top-far && q.x <= p.left+p.w+far && q.y <= p.top+p.h+far
}

// newPlan scales the marks to the width of the picture.
func newPlan(all []mark) plan {
	p := plan{}
	p.lo, p.hi, p.low, p.high = extent(all)
	wide, tall := p.hi.x-p.lo.x, p.hi.y-p.lo.y
	p.scale = min((mapWidth-2*mapEdge)/wide, mapTall/tall, mostPixel)
	p.w, p.h = mapWidth-2*mapEdge, max(tall*p.scale, mapLow)
	// Spare space shows more of the map's surroundings.
	if extra := p.w/p.scale - wide; extra > 0 {
		p.lo.x, p.hi.x = p.lo.x-extra/2, p.hi.x+extra/2
	}
	if extra := p.h/p.scale - tall; extra > 0 {
		p.lo.y, p.hi.y = p.lo.y-extra/2, p.hi.y+extra/2
	}
	p.left, p.top = mapEdge, mapTop
	return p
}

// maxCell is a coordinate that no map reaches.
const maxCell = 4096

// extent returns the box around the things on a map, with some cells to spare, and its
// lowest and highest level. It ignores a few distant things, unless they are waypoints.
// The legend has the number of those outside.
func extent(all []mark) (lo, hi point, low, high float64) {
	var xs, ys, hs []float64
	for i := range all {
		k := &all[i]
		if p := k.mid; !(math.Abs(p.x) < maxCell && math.Abs(p.y) < maxCell && math.Abs(k.height) < maxCell) {
			continue
		}
		xs, ys = append(xs, k.mid.x), append(ys, k.mid.y)
		if k.kind == scene.Track {
			hs = append(hs, k.height)
		}
	}
	if len(xs) == 0 {
		return point{0, 0}, point{16, 16}, 0, 1
	}
	if len(hs) == 0 {
		hs = []float64{0}
	}
	most := func(v []float64, share int) (float64, float64) {
		slices.Sort(v)
		out := len(v) / share
		return v[out], v[len(v)-1-out]
	}
	lo.x, hi.x = most(xs, 400)
	lo.y, hi.y = most(ys, 400)
	for i := range all {
		if p := all[i].mid; all[i].way != scene.NoWay && math.Abs(p.x) < maxCell && math.Abs(p.y) < maxCell {
			lo, hi = point{min(lo.x, p.x), min(lo.y, p.y)}, point{max(hi.x, p.x), max(hi.y, p.y)}
		}
	}
	low, high = most(hs, 50)
	const spare = 2.5
	return point{lo.x - spare, lo.y - spare}, point{hi.x + spare, hi.y + spare}, math.Floor(low), math.Ceil(high)
}
