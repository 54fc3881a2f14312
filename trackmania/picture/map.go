package picture

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/trackmania"
)

// mark is something on a map, seen from above. Places are in cells of the
// grid, heights in levels.
type mark struct {
	footprint
	height float64
	kind   kind
	way    way
	item   bool
}

// marks collects what stands on a map. Blocks that the game adds by itself
// are the ground, which is the background here.
func marks(m *trackmania.Map) []mark {
	cell, floor := m.CellSize(), m.Floor()
	place := func(p gbx.Vec3) (x, y, z float64) {
		return float64(p.X / cell.X), float64(p.Y/cell.Y) + floor, float64(p.Z / cell.Z)
	}
	blocks := m.Blocks()
	out := make([]mark, 0, len(blocks))
	for i := range blocks {
		b := &blocks[i]
		k := mark{kind: kindOf(b.Name), way: wayOf(b.Waypoint, b.Name)}
		if k.kind == hidden && k.way == noWay || b.Pillar() && k.kind != track {
			continue
		}
		if b.Free {
			x, y, z := place(b.Position)
			k.footprint, k.height = footprintOf(b.Name, m.Collection(), x, z, -1), y
			k.sin, k.cos = math.Sincos(float64(b.YawPitchRoll.X))
		} else {
			k.footprint, k.height = footprintOf(b.Name, m.Collection(), float64(b.Coord.X), float64(b.Coord.Z), b.Direction), float64(b.Coord.Y)
		}
		out = append(out, k)
	}
	for _, it := range m.Items() {
		x, y, z := place(it.Position)
		name := it.Model.ID.String()
		out = append(out, mark{footprint: footprint{x: x, z: z}, height: y, item: true, kind: kindOf(name), way: itemWay(it.Waypoint, name)})
	}
	return out
}

// itemWay is wayOf an item: one without a tag is none, whatever its name.
func itemWay(tag, name string) way {
	if tag == "" {
		return noWay
	}
	return wayOf(tag, name)
}

// arrange brings marks into the order of painting: the ground, what stands
// about, the tracks, the items, and the higher above the lower. What is
// hidden below another of its kind is left out.
func arrange(all []mark) []mark {
	slices.SortStableFunc(all, func(a, b mark) int {
		switch {
		case a.item != b.item:
			if a.item {
				return 1
			}
			return -1
		case a.kind != b.kind:
			return int(b.kind) - int(a.kind)
		case a.height < b.height:
			return -1
		case a.height > b.height:
			return 1
		}
		return 0
	})
	type cell struct {
		x, z float64
		kind kind
	}
	covered := map[cell]bool{}
	keep := len(all)
	for i := len(all) - 1; i >= 0; i-- {
		k := &all[i]
		if p := k.middle(); k.whole() {
			at := cell{math.Round(p.x*8) / 8, math.Round(p.y*8) / 8, k.kind}
			if covered[at] && k.way == noWay {
				continue
			}
			covered[at] = true
		}
		keep--
		all[keep] = *k
	}
	return all[keep:]
}

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

// plan is where things of a map are in its picture. North is up, where z
// grows; x grows to the west.
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

// shade is the colour of a height. A map that is flat has one from the middle
// of the scale.
func (p *plan) shade(height float64) color.NRGBA {
	if p.high <= p.low {
		return shade(0.45)
	}
	return shade((height - p.low) / (p.high - p.low))
}

// shows reports whether a mark lies in the picture.
func (p *plan) shows(k *mark) bool {
	q := p.at(k.middle())
	return q.x >= p.left && q.y >= p.top && q.x <= p.left+p.w && q.y <= p.top+p.h
}

// outline is that of a mark on the canvas.
func (p *plan) outline(k *mark, inset float64) []point {
	out := k.outline(inset)
	for i := range out {
		out[i] = p.at(out[i])
	}
	return out
}

// newPlan fits the marks into the width of the picture.
func newPlan(all []mark) plan {
	p := plan{}
	p.lo, p.hi, p.low, p.high = extent(all)
	wide, tall := p.hi.x-p.lo.x, p.hi.y-p.lo.y
	p.scale = min((mapWidth-2*mapEdge)/wide, mapTall/tall, mostPixel)
	p.w, p.h = mapWidth-2*mapEdge, max(tall*p.scale, mapLow)
	// What is left over shows more of the map's surroundings.
	if extra := p.w/p.scale - wide; extra > 0 {
		p.lo.x, p.hi.x = p.lo.x-extra/2, p.hi.x+extra/2
	}
	if extra := p.h/p.scale - tall; extra > 0 {
		p.lo.y, p.hi.y = p.lo.y-extra/2, p.hi.y+extra/2
	}
	p.left, p.top = mapEdge, mapTop
	return p
}

// maxCell is farther out than any map goes.
const maxCell = 4096

// extent is the box around what stands on a map, with some cells to spare, and
// its lowest and highest level. A few things far out do not count.
func extent(all []mark) (lo, hi point, low, high float64) {
	var xs, ys, hs []float64
	for i := range all {
		k := &all[i]
		if p := k.middle(); !(math.Abs(p.x) < maxCell && math.Abs(p.y) < maxCell && math.Abs(k.height) < maxCell) {
			continue
		}
		xs, ys = append(xs, k.middle().x), append(ys, k.middle().y)
		if k.kind == track {
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
	low, high = most(hs, 50)
	const spare = 2.5
	return point{lo.x - spare, lo.y - spare}, point{hi.x + spare, hi.y + spare}, math.Floor(low), math.Ceil(high)
}

// Map draws a map from above, north up: blocks and items coloured by height,
// with start, checkpoints and finish marked.
func Map(m *trackmania.Map) *Canvas {
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
	case terrain:
		return mix(mix(ground, height, 0.2), bright, 0.06)
	case scenery:
		return mix(mix(panel, soft, 0.5), height, 0.25)
	}
	return height
}

// mark paints a block or item.
func (c *Canvas) mark(k *mark, p *plan, ground color.NRGBA) {
	if !p.shows(k) {
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
	if k.size > 1 && !k.ring {
		c.fill(faded(colour, 0x48), p.outline(k, 0)...) // it may not fill all of its cells
	}
	if p.scale < 7 {
		c.fill(colour, p.outline(k, 0)...)
		return
	}
	edge := 0.55
	if k.kind == terrain {
		edge = 0.15
	}
	if k.size > 1 && !k.ring {
		one := *k
		one.size = 1
		k = &one
	}
	c.fill(mix(colour, background, edge), p.outline(k, 0)...)
	c.fill(colour, p.outline(k, min(1.2/p.scale, 0.1))...)
}

// What waypoints look like.
var ways = map[way]struct {
	letter string
	name   string
	names  string
	colour color.NRGBA
}{
	start: {"S", "start", "starts", green}, checkpoint: {"", "checkpoint", "checkpoints", blue}, finish: {"F", "finish", "finishes", red},
	lap: {"L", "start and finish", "starts and finishes", color.NRGBA{0xf2, 0xd0, 0x3c, 0xff}},
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
	w, h := float64(c.Width), float64(c.Height)
	c.rect(background, 0, 0, w, p.top)
	c.rect(background, 0, p.top+p.h, w, h-p.top-p.h)
	c.rect(background, 0, 0, p.left, h)
	c.rect(background, p.left+p.w, 0, w-p.left-p.w, h)
	x, y := p.left+p.w-24, p.top+20
	c.disc(faded(background, 0xb0), point{x, y + 8}, 20)
	c.fill(bright, point{x, y - 8}, point{x + 6, y + 6}, point{x, y + 3}, point{x - 6, y + 6})
	c.boldText(bright, "N", x, y+20, 13, center)
}

// title writes whose map it is, and what its author drove.
func (c *Canvas) title(m *trackmania.Map) {
	right0 := float64(mapWidth - mapEdge)
	room := right0 - mapEdge
	if t := m.Medals().Texts(m.Mode())[0]; m.Medals().Author > 0 {
		c.boldText(bright, t, right0, 46, 26, right)
		c.text(soft, "author time", right0, 70, 15, right)
		room -= textWidth(t, 26, true) + 40
	}
	c.boldText(bright, shortened(plainLine(trackmania.Plain(m.Name())), room, 30, true), mapEdge, 46, 30, left)
	who := plainLine(trackmania.Plain(m.Author().Nick))
	if who == "" {
		who = plainLine(m.Author().Login)
	}
	parts := []string{}
	if who != "" {
		parts = append(parts, "by "+who)
	}
	parts = append(parts, strings.TrimSpace(trackmania.EnvironmentName(m.Collection())+" "+m.Mood()))
	if m.Mode() != game.CGameCtnChallengePlayModeRace && m.Mode() != game.CGameCtnChallengePlayModeScript {
		parts = append(parts, m.Mode().String())
	}
	c.text(soft, shortened(strings.Join(parts, "  ·  "), room, 15, false), mapEdge, 70, 15, left)
}

// plainLine makes a text fit for one line.
func plainLine(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s))
}

// legend tells what the colours and marks mean.
func (c *Canvas) legend(m *trackmania.Map, p *plan, ground color.NRGBA, all []mark) {
	y := float64(c.Height) - 22
	x := float64(mapEdge)
	seen := map[way]int{}
	for i := range all {
		seen[all[i].way]++
	}
	label := func(s string) {
		c.text(soft, s, x, y, 14, left)
		x += textWidth(s, 14, false) + 22
	}
	label(fmt.Sprintf("%d blocks, %d items", len(m.Blocks()), len(m.Items())))
	for _, w := range []way{start, lap, checkpoint, finish} {
		if n := seen[w]; n > 0 {
			r := 6.0
			if ways[w].letter != "" {
				r = 8
			}
			c.badge(point{x + 8, y - 5}, r, ways[w].colour, ways[w].letter)
			x += 22
			name := ways[w].name
			if n > 1 {
				name = fmt.Sprintf("%d %s", n, ways[w].names)
			}
			label(name)
		}
	}
	cell := m.CellSize()
	const width = 170.0
	end := float64(mapWidth - mapEdge)
	if to := fmt.Sprintf("%.0f m high", (p.high-p.low)*float64(cell.Y)); p.high > p.low {
		end -= textWidth(to, 13, false) + 10 + width
		c.scaleBar(end, y-11, width, 11, "0", to)
	}
	x = c.swatches(x, y, p, ground, all)
	c.distance(x, y, end-40, p.scale/float64(cell.X))
}

// swatches show the colours of what is no track.
func (c *Canvas) swatches(x, y float64, p *plan, ground color.NRGBA, all []mark) float64 {
	for _, s := range []struct {
		kind kind
		name string
	}{{terrain, "ground"}, {scenery, "scenery"}} {
		i := slices.IndexFunc(all, func(k mark) bool { return k.kind == s.kind && !k.item })
		if i < 0 {
			continue
		}
		k := mark{kind: s.kind, height: (p.low + p.high) / 2}
		c.rect(k.colour(p, ground), x, y-11, 13, 13)
		c.text(soft, s.name, x+20, y, 14, left)
		x += 20 + textWidth(s.name, 14, false) + 22
	}
	return x
}

// distance paints a bar as long as a round number of metres, where there is
// room for it.
func (c *Canvas) distance(x, y, end, pixels float64) {
	const most = 130
	length := 1.0
	for i := 0; length*[]float64{2, 2.5, 2}[i%3]*pixels <= most && i < 15; i++ {
		length *= []float64{2, 2.5, 2}[i%3]
	}
	text := fmt.Sprintf("%.0f m", length)
	to := x + length*pixels
	if to+8+textWidth(text, 14, false) > end {
		return
	}
	c.rect(soft, x, y-5, to-x, 2)
	c.rect(soft, x, y-9, 2, 10)
	c.rect(soft, to-2, y-9, 2, 10)
	c.text(soft, text, to+8, y, 14, left)
}
