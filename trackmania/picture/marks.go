package picture

import (
	"math"
	"slices"

	"pakbox/gbx"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/scene"
)

// mark is something on a map, seen from above. Places are in cells of the
// grid, heights in levels.
type mark struct {
	footprint
	height float64
	kind   scene.Kind
	way    scene.Way
	item   bool
}

// marks collects what stands on a map. Blocks that the game adds by itself
// are the ground, which is the background here.
func marks(m *maps.Map) []mark {
	cell, floor := m.CellSize(), m.Floor()
	place := func(p gbx.Vec3) (x, y, z float64) {
		return float64(p.X / cell.X), float64(p.Y/cell.Y) + floor, float64(p.Z / cell.Z)
	}
	blocks := m.Blocks()
	out := make([]mark, 0, len(blocks))
	for i := range blocks {
		b := &blocks[i]
		k := mark{kind: scene.KindOf(b.Name), way: scene.WayOf(b.Waypoint, b.Name)}
		if k.kind == scene.Hidden && k.way == scene.NoWay || b.Pillar() && k.kind != scene.Track {
			continue
		}
		if b.Free {
			x, y, z := place(b.Position)
			k.footprint, k.height = footprintOf(b.Name, m.Collection(), x, z, -1), y
			k.sin, k.cos = math.Sincos(float64(b.YawPitchRoll.X))
		} else {
			k.footprint, k.height = footprintOf(b.Name, m.Collection(), float64(b.Coord.X), float64(b.Coord.Z), b.Direction), float64(b.Coord.Y)
			if cells := m.Cells(b); len(cells) > 1 {
				k.take(cells, b.Coord)
			}
		}
		out = append(out, k)
	}
	for _, it := range m.Items() {
		x, y, z := place(it.Position)
		name := it.Model.ID.String()
		out = append(out, mark{footprint: footprint{x: x, z: z}, height: y, item: true, kind: scene.KindOf(name), way: scene.ItemWay(it.Waypoint, name)})
	}
	return out
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
		kind scene.Kind
	}
	covered := map[cell]bool{}
	keep := len(all)
	for i := len(all) - 1; i >= 0; i-- {
		k := &all[i]
		if p := k.middle(); k.whole() {
			at := cell{math.Round(p.x*8) / 8, math.Round(p.y*8) / 8, k.kind}
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
