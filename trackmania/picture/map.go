package picture

import (
	"image/color"
	"math"

	"pakbox/gbx"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/scene"
)

// Sizes of the picture of a map, in pixels.
const (
	mapWidth  = 1200
	mapTop    = 92
	mapEdge   = 32 // left, right and below the map
	mapFoot   = 56
	mapTall   = 1050 // the most that the map itself takes
	mapLow    = 360  // the least
	mostPixel = 44   // of a cell
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
	c.title(m)
	c.legend(m, &p, ground, all)
	return c
}

// grounds are the colours of the environments, dark enough to stand behind
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

// colour is what a mark is painted in.
func (k *mark) colour(p *plan, ground color.NRGBA) color.NRGBA {
	height := p.shade(k.height)
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
	colour := k.colour(p, ground)
	if k.item {
		at, r := p.at(k.middle()), max(1.6, 0.1*p.scale)
		if p.scale >= 6 {
			c.disc(faded(background, 0x90), at, r+0.8)
		}
		c.disc(mix(colour, bright, 0.25), at, r)
		return
	}
	if len(k.cells) > 0 {
		c.cells(k, p, colour)
		return
	}
	if k.size > 1 && !k.ring {
		c.fill(faded(colour, 0x48), p.outline(k, 0)...) // it may not fill all of its cells
	}
	if p.scale < 7 {
		c.fill(colour, p.outline(k, 0)...)
		return
	}
	edge := k.edge()
	if k.size > 1 && !k.ring {
		one := *k
		one.size = 1
		k = &one
	}
	c.fill(mix(colour, background, edge), p.outline(k, 0)...)
	c.fill(colour, p.outline(k, min(1.2/p.scale, 0.1))...)
}

// edge is how dark the edge of a block is.
func (k *mark) edge() float64 {
	if k.kind == scene.Terrain {
		return 0.15
	}
	return 0.55
}

// cells paints a block of several cells as one.
func (c *Canvas) cells(k *mark, p *plan, colour color.NRGBA) {
	paint := func(colour color.NRGBA, inset float64) {
		for _, s := range k.squares(inset) {
			for i := range s {
				s[i] = p.at(s[i])
			}
			c.fill(colour, s...)
		}
	}
	if p.scale < 7 {
		paint(colour, 0)
		return
	}
	paint(mix(colour, background, k.edge()), 0)
	paint(colour, min(1.2/p.scale, 0.1))
}

// What waypoints look like.
var ways = map[scene.Way]struct {
	letter string
	name   string
	names  string
	colour color.NRGBA
}{
	scene.Start: {"S", "start", "starts", green}, scene.Checkpoint: {"", "checkpoint", "checkpoints", blue}, scene.Finish: {"F", "finish", "finishes", red},
	scene.Lap: {"L", "start and finish", "starts and finishes", color.NRGBA{0xf2, 0xd0, 0x3c, 0xff}},
}

// flag marks a start, checkpoint or finish above everything else.
func (c *Canvas) flag(k *mark, p *plan) {
	w, ok := ways[k.way]
	if !ok || !p.shows(k) {
		return
	}
	mid := p.at(k.middle())
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

// frame covers what reaches beyond the map, and shows where north is.
func (c *Canvas) frame(p *plan) {
	c.cut(box{p.left, p.top, p.w, p.h})
	x, y := p.left+p.w-24, p.top+20
	c.disc(faded(background, 0xb0), point{x, y + 8}, 20)
	c.fill(bright, point{x, y - 8}, point{x + 6, y + 6}, point{x, y + 3}, point{x - 6, y + 6})
	c.boldText(bright, "N", x, y+20, 13, center)
}
