package picture

import (
	"image/color"
	"math"
	"strconv"

	"pakbox/gbx"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/scene"
)

// Sizes in the picture of a map, in pixels.
const (
	mapWidth  = 1200
	mapTop    = 92
	mapEdge   = 32 // margin left, right and below the map
	mapFoot   = 56
	mapTall   = 1050 // largest height of the map itself
	mapLow    = 360  // smallest height of the map itself
	mostPixel = 44   // largest size of a cell
)

// Map draws a map from above, north up: blocks and items coloured by height,
// with start, checkpoints and finish marked.
func Map(m *maps.Map) *Canvas {
	all := marks(m)
	p := newPlan(all)
	c := newCanvas(mapWidth, int(mapTop+p.h+mapFoot))
	ground := grounds[m.Collection()]
	if ground == (color.NRGBA{}) {
		ground = panel
	}
	c.ground(&p, m.Size(), ground)
	all = arrange(all)
	for i := range all {
		c.mark(&all[i], &p, ground)
	}
	for i := range all {
		c.flag(&all[i], &p)
	}
	c.frame(&p)
	c.rim(&p)
	c.title(m)
	c.legend(m, &p, ground, all)
	return c
}

// grounds are the background colours of the environments, dark enough to stand behind
// everything.
var grounds = map[string]color.NRGBA{
	"Stadium": {0x1e, 0x30, 0x24, 0xff}, "Stadium2020": {0x1e, 0x30, 0x24, 0xff},
	"Speed": {0x3a, 0x2c, 0x1c, 0xff}, "Alpine": {0x2b, 0x36, 0x44, 0xff}, "Rally": {0x24, 0x33, 0x1c, 0xff},
	"Island": {0x17, 0x30, 0x40, 0xff}, "Bay": {0x18, 0x2c, 0x3a, 0xff}, "Coast": {0x36, 0x30, 0x20, 0xff},
	"Canyon": {0x3a, 0x26, 0x1c, 0xff}, "Valley": {0x24, 0x33, 0x1e, 0xff}, "Lagoon": {0x16, 0x34, 0x38, 0xff},
	"Storm": {0x2c, 0x2e, 0x26, 0xff}, "GreenCoast": {0x20, 0x34, 0x26, 0xff}, "RedIsland": {0x3a, 0x2a, 0x20, 0xff},
	"BlueBay": {0x16, 0x2e, 0x3e, 0xff}, "WhiteShore": {0x2b, 0x36, 0x44, 0xff},
}

// ground paints the ground of the map, its border and the lines of the grid.
func (c *Canvas) ground(p *plan, size gbx.Int3, colour color.NRGBA) {
	c.rect(panel, p.left, p.top, p.w, p.h)
	a, b := p.at(point{float64(size.X), float64(size.Z)}), p.at(point{0, 0})
	a.x, a.y = max(a.x, p.left), max(a.y, p.top)
	b.x, b.y = min(b.x, p.left+p.w), min(b.y, p.top+p.h)
	if size.X > 0 && size.Z > 0 && a.x < b.x && a.y < b.y {
		c.rect(colour, a.x, a.y, b.x-a.x, b.y-a.y)
	}
	step := 1.0
	for step*p.scale < 9 {
		step *= 4
	}
	line := faded(bright, 0x0c)
	for x := math.Ceil(p.lo.x/step) * step; x <= p.hi.x; x += step {
		c.rect(line, p.at(point{x, 0}).x-0.5, p.top, 1, p.h)
	}
	for z := math.Ceil(p.lo.y/step) * step; z <= p.hi.y; z += step {
		c.rect(line, p.left, p.at(point{0, z}).y-0.5, p.w, 1)
	}
}

// colour returns the colour of a part of a mark, by its height.
func (k *mark) colour(p *plan, at float64, ground color.NRGBA) color.NRGBA {
	height := p.shade(at)
	switch k.kind {
	case scene.Terrain:
		return mix(mix(ground, height, 0.2), bright, 0.06)
	case scene.Scenery:
		return mix(mix(panel, soft, 0.5), height, 0.25)
	}
	return height
}

// mark paints a block or item.
func (c *Canvas) mark(k *mark, p *plan, ground color.NRGBA) {
	if !p.reaches(k) {
		return
	}
	r := max(1.6, 0.1*p.scale)
	if k.around != nil && k.reach*p.scale > r {
		c.outlined(k, p, ground)
		return
	}
	if k.item {
		at := p.at(k.mid)
		if p.scale >= 6 {
			c.disc(faded(background, 0x90), at, r+0.8)
		}
		c.disc(mix(k.colour(p, k.height, ground), bright, 0.25), at, r)
		return
	}
	if p.scale >= edgesFrom {
		edge := mix(k.colour(p, k.height, ground), background, k.edge())
		for s := range k.strips {
			c.strip(s, p, edge, 0.8/p.scale)
		}
	}
	more := 0.0
	if len(k.parts) > 1 {
		more = min(0.4/p.scale, joint)
	}
	for s := range k.strips {
		c.strip(s, p, k.colour(p, s[len(s)/2].height, ground), more)
	}
}

// edgesFrom is the size of a cell in pixels from which blocks are drawn with edges.
const edgesFrom = 7

// joint is how far, in cells, the strips of a block overlap, so that no seam is visible.
const joint = 0.02

// strip paints a strip of a block, enlarged by so many cells.
func (c *Canvas) strip(s strip, p *plan, colour color.NRGBA, more float64) {
	around := s.outline(more)
	for i := range around {
		around[i] = p.at(around[i])
	}
	c.fill(colour, around...)
}

// edge states how dark the edge of a block is.
func (k *mark) edge() float64 {
	if k.kind == scene.Terrain {
		return 0.15
	}
	return 0.55
}

// The shape and colour of waypoints.
var ways = map[scene.Way]struct {
	letter string
	name   string
	names  string
	colour color.NRGBA
}{
	scene.Start: {"S", "start", "starts", green}, scene.Checkpoint: {"", "checkpoint", "checkpoints", blue}, scene.Finish: {"F", "finish", "finishes", red},
	scene.Lap: {"L", "start and finish", "starts and finishes", color.NRGBA{0xf2, 0xd0, 0x3c, 0xff}},
}

// flag marks a start, checkpoint or finish on top of everything else.
func (c *Canvas) flag(k *mark, p *plan) {
	w, ok := ways[k.way]
	if !ok || !p.shows(k) {
		return
	}
	mid := p.at(k.mid)
	r := min(max(4.5, 0.3*p.scale), 9)
	if w.letter != "" {
		r += 3
	}
	c.badge(mid, r, w.colour, w.letter)
}

func (c *Canvas) badge(at point, r float64, colour color.NRGBA, letter string) {
	c.disc(background, at, r+2)
	c.disc(colour, at, r)
	c.boldText(background, letter, at.x, at.y+r*0.52, r*1.45, center)
}

// frame covers everything outside the map, and shows where north is.
func (c *Canvas) frame(p *plan) {
	c.cut(box{p.left, p.top, p.w, p.h})
	x, y := p.left+p.w-24, p.top+20
	c.disc(faded(background, 0xb0), point{x, y + 8}, 20)
	c.fill(bright, point{x, y - 8}, point{x + 6, y + 6}, point{x, y + 3}, point{x - 6, y + 6})
	c.boldText(bright, "N", x, y+20, 13, center)
}

// rim writes the numbers of the cells along the map, so that people can read off a box of
// cells: x at the lower edge, z at the left. A number stands at the middle of its cell.
func (c *Canvas) rim(p *plan) {
	const size, apart = 11, 30 // pixels: size of letters, and least distance between numbers
	step := 1.0
	for i := 0; step*p.scale < apart; i++ {
		step *= []float64{2, 2.5, 2}[i%3] // 1, 2, 5, 10, 20, ...
	}
	each := func(lo, hi float64, write func(cell float64)) {
		for n := math.Ceil(lo/step) * step; n+1 <= hi; n += step {
			write(n)
		}
	}
	each(p.lo.x, p.hi.x, func(n float64) {
		c.text(soft, strconv.Itoa(int(n)), p.at(point{n + 0.5, 0}).x, p.top+p.h+size+3, size, center)
	})
	each(p.lo.y, p.hi.y, func(n float64) {
		c.text(soft, strconv.Itoa(int(n)), p.left-5, p.at(point{0, n + 0.5}).y+size/2.5, size, right)
	})
	c.boldText(soft, "x", p.left-5, p.top+p.h+size+3, size, right)
	c.boldText(soft, "z", p.left-5, p.top+size-1, size, right)
}
