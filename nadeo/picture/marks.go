package picture

import (
	"math"
	"slices"

	"pakbox/gbx"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/mapmesh"
	"pakbox/nadeo/maps/scene"
)

// mark is a block or item seen from above. Places are in cells of the grid, heights in
// levels.
type mark struct {
	parts  []part
	around []point // outline of a mesh that the map embeds, in place of parts
	mid    point
	reach  float64 // distance from the middle to the farthest corner
	height float64
	kind   scene.Kind
	way    scene.Way
	item   bool
}

// part is a flat part of a block, seen as a parallelogram.
type part struct {
	mid    point
	a, b   point // vectors from the middle to the middles of two sides
	height float64
}

// strip is a row of parts that continue each other at about the same height.
type strip []part

// strips groups the parts of a mark into strips.
func (k *mark) strips(yield func(strip) bool) {
	for from := 0; from < len(k.parts); {
		to := from + 1
		for to < len(k.parts) && k.parts[to].goesOn(&k.parts[to-1], k.parts[from].height) {
			to++
		}
		if !yield(k.parts[from:to]) {
			return
		}
		from = to
	}
}

// goesOn reports whether a part begins where the part before ends, at about the same
// height.
func (q *part) goesOn(before *part, height float64) bool {
	const near, step = 0.02, 0.15 // tolerance in cells, and in levels
	dx, dy := q.mid.x-q.b.x-before.mid.x-before.b.x, q.mid.y-q.b.y-before.mid.y-before.b.y
	return math.Abs(dx) < near && math.Abs(dy) < near && math.Abs(q.height-height) < step && q.a.x*before.a.x+q.a.y*before.a.y > 0
}

// outline returns the corners of a strip, enlarged by so many cells on each side.
func (s strip) outline(more float64) []point {
	out := make([]point, 4*len(s))
	for i := range s {
		q := &s[i]
		a, back, ahead := longer(q.a, more), q.b, q.b
		if i == 0 {
			back = longer(q.b, more)
		}
		if i == len(s)-1 {
			ahead = longer(q.b, more)
		}
		out[2*i] = point{q.mid.x - a.x - back.x, q.mid.y - a.y - back.y}
		out[2*i+1] = point{q.mid.x - a.x + ahead.x, q.mid.y - a.y + ahead.y}
		out[len(out)-1-2*i] = point{q.mid.x + a.x - back.x, q.mid.y + a.y - back.y}
		out[len(out)-2-2*i] = point{q.mid.x + a.x + ahead.x, q.mid.y + a.y + ahead.y}
	}
	return out
}

func longer(v point, more float64) point {
	n := math.Hypot(v.x, v.y)
	if n == 0 || more == 0 {
		return v
	}
	return point{v.x * (n + more) / n, v.y * (n + more) / n}
}

// marks collects the blocks and items of a map, from the same scene as the meshes. Blocks
// that the game adds by itself are the ground; here the background stands for them.
func marks(m *maps.Map) []mark {
	s := scene.Of(m)
	view := fromAbove{cell: s.Cell, floor: s.Floor}
	own := mapmesh.FootprintsOf(m, s)
	parts := make([]part, 0, len(s.Blocks))
	out := make([]mark, 0, len(s.Items)+len(s.Blocks)/2)
	for i := 0; i < len(s.Blocks); {
		first, from := &s.Blocks[i], len(parts)
		for ; i < len(s.Blocks) && s.Blocks[i].Index == first.Index; i++ {
			parts = append(parts, view.slab(&s.Blocks[i]))
		}
		k := mark{parts: parts[from:len(parts):len(parts)], kind: first.Kind, way: first.Way}
		k.measure()
		if k.kind == scene.Terrain {
			k.flatten()
		}
		if corners, ok := own.Blocks[first.Index]; ok && !k.outline(corners, &view) {
			continue
		}
		out = append(out, k)
	}
	for i := range s.Items {
		t := &s.Items[i]
		k := mark{item: true, kind: t.Kind, way: t.Way}
		k.mid, k.height = view.at(t.Center)
		if corners, ok := own.Items[t.Index]; ok && !k.outline(corners, &view) {
			continue
		}
		out = append(out, k)
	}
	return out
}

// outline gives a mark the outline of its mesh. It reports whether the mark is to be drawn:
// a mesh without a visible part only matters as a waypoint.
func (k *mark) outline(corners []gbx.Vec3, view *fromAbove) bool {
	if len(corners) < 3 {
		return len(corners) > 0 || k.way != scene.NoWay
	}
	k.parts, k.around = nil, make([]point, len(corners))
	lo, hi := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for i, v := range corners {
		q := view.flat(v)
		k.around[i] = q
		lo, hi = point{min(lo.x, q.x), min(lo.y, q.y)}, point{max(hi.x, q.x), max(hi.y, q.y)}
	}
	k.mid, k.reach = point{(lo.x + hi.x) / 2, (lo.y + hi.y) / 2}, math.Hypot(hi.x-lo.x, hi.y-lo.y)/2
	return true
}

// fromAbove converts metres to cells and levels.
type fromAbove struct {
	cell  gbx.Vec3
	floor float64
}

func (v *fromAbove) at(p gbx.Vec3) (point, float64) {
	return v.flat(p), (float64(p.Y) - v.floor) / float64(v.cell.Y)
}

// flat converts a place or direction to the view from above.
func (v *fromAbove) flat(p gbx.Vec3) point {
	return point{float64(p.X / v.cell.X), float64(p.Z / v.cell.Z)}
}

// slab returns the upper side of a slab, seen from above. Of an upright slab only the
// edge is visible.
func (v *fromAbove) slab(t *scene.Thing) part {
	e := t.Extent
	if t.Middle > 0 {
		e.Z = t.Middle // parts of a curve meet in the middle of the road
	}
	right, up, along := t.Turn.Apply(gbx.Vec3{X: e.X / 2}), t.Turn.Apply(gbx.Vec3{Y: e.Y / 2}), t.Turn.Apply(gbx.Vec3{Z: e.Z / 2})
	top := gbx.Vec3{X: t.Center.X + up.X, Y: t.Center.Y + up.Y, Z: t.Center.Z + up.Z}
	q := part{a: v.flat(right), b: v.flat(along)}
	q.mid, q.height = v.at(top)
	if steep := up.Y < 0.3*e.Y/2; steep {
		edge := v.flat(up)
		if math.Hypot(q.a.x, q.a.y) < math.Hypot(q.b.x, q.b.y) {
			q.a = edge
		} else {
			q.b = edge
		}
	}
	return q
}

// measure computes the middle of the mark and how far it reaches.
func (k *mark) measure() {
	lo, hi := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	sum := 0.0
	for i := range k.parts {
		q := &k.parts[i]
		x, y := math.Abs(q.a.x)+math.Abs(q.b.x), math.Abs(q.a.y)+math.Abs(q.b.y)
		lo = point{min(lo.x, q.mid.x-x), min(lo.y, q.mid.y-y)}
		hi = point{max(hi.x, q.mid.x+x), max(hi.y, q.mid.y+y)}
		sum += q.height
	}
	k.mid, k.reach = point{(lo.x + hi.x) / 2, (lo.y + hi.y) / 2}, math.Hypot(hi.x-lo.x, hi.y-lo.y)/2
	k.height = sum / float64(len(k.parts))
}

// flatten makes one part of a block of ground that fills its cells. Its colour hardly shows
// heights, and maps have thousands of hills of a dozen parts.
func (k *mark) flatten() {
	if len(k.parts) < 2 {
		return
	}
	lo, hi := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	area := 0.0
	for i := range k.parts {
		q := &k.parts[i]
		x, y := math.Abs(q.a.x)+math.Abs(q.b.x), math.Abs(q.a.y)+math.Abs(q.b.y)
		lo = point{min(lo.x, q.mid.x-x), min(lo.y, q.mid.y-y)}
		hi = point{max(hi.x, q.mid.x+x), max(hi.y, q.mid.y+y)}
		area += 4 * math.Abs(q.a.x*q.b.y-q.a.y*q.b.x)
	}
	const near = 0.15 // cells by which inclined parts stick out
	for _, v := range []*float64{&lo.x, &lo.y, &hi.x, &hi.y} {
		whole := math.Round(*v)
		if math.Abs(*v-whole) > near {
			return
		}
		*v = whole
	}
	if wide, tall := hi.x-lo.x, hi.y-lo.y; area > 0.9*wide*tall {
		k.mid = point{(lo.x + hi.x) / 2, (lo.y + hi.y) / 2}
		k.parts = []part{{mid: k.mid, a: point{x: wide / 2}, b: point{y: tall / 2}, height: k.height}}
	}
}

// whole reports whether the mark is exactly one flat cell.
func (k *mark) whole() bool {
	if len(k.parts) != 1 {
		return false
	}
	q := &k.parts[0]
	const half = 0.49
	straight := q.a.y*q.a.x < 1e-3 && q.a.y*q.a.x > -1e-3
	return straight && math.Hypot(q.a.x, q.a.y) > half && math.Hypot(q.b.x, q.b.y) > half
}

// arrange sorts marks by the order of painting: ground, scenery, tracks, items, and the
// lower before the higher. It leaves out marks that are hidden below another one of their
// kind.
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
		kind scene.Kind
	}
	covered := map[cell]bool{}
	keep := len(all)
	for i := len(all) - 1; i >= 0; i-- {
		k := &all[i]
		if k.whole() {
			at := cell{math.Round(k.mid.x*8) / 8, math.Round(k.mid.y*8) / 8, k.kind}
			if covered[at] && k.way == scene.NoWay {
				continue
			}
			covered[at] = true
		}
		keep--
		all[keep] = *k
	}
	return all[keep:]
}
