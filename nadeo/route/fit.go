package route

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
	"pakbox/nadeo/maps"
)

// passage is a way through a block of the catalogue, from one of its ends to another.
type passage struct {
	kind    *blocks.Block
	flags   uint32
	in, out int
}

// shape is the form of a passage, seen by a car that drives through it: how far it leads
// ahead and to the left in halves of a cell, how it turns, how it rises, and how its two
// ends are banked. Heights are in halves of a metre.
type shape struct {
	ahead, left         int32
	turn                int // 0 straight on, 1 to the right, 2 back, 3 to the left
	rise                int
	bankedIn, bankedOut int
}

func halves(v float64) int { return int(math.Round(2 * v)) }

// shapeOf returns the shape of a passage that enters a block through one of its joints and
// leaves it through another one.
func shapeOf(in, out Joint) shape {
	heading := (in.Way + 2) % 4
	dx, dz := out.X-in.X, out.Z-in.Z
	ahead, left := steps[heading], steps[(heading+3)%4]
	return shape{
		ahead: dx*ahead.X + dz*ahead.Z, left: dx*left.X + dz*left.Z,
		turn: (out.Way - heading + 4) % 4, rise: halves(out.Height() - in.Height()),
		bankedIn: halves(-in.tilt()), bankedOut: halves(out.tilt()),
	}
}

// back returns the joint as the block behind it has it.
func (j Joint) back() Joint {
	j.Way = (j.Way + 2) % 4
	return j
}

var shapesOf sync.Map // of map[shape][]passage, by collection

// variants are the forms of blocks that shape themselves, of which a road consists: the
// corner and the straight.
var variants = []uint32{2, 3}

// passages returns the passages of a collection by their shape, in the order of names.
func passages(collection string, cell float32) map[shape][]passage {
	if known, ok := shapesOf.Load(collection); ok {
		return known.(map[shape][]passage)
	}
	all := map[shape][]passage{}
	for kind := range blocks.All(collection) {
		forms := []uint32{0}
		if kind.ByVariant {
			forms = variants
		}
		for _, flags := range forms {
			joints := Joints(kind, &maps.Block{Name: kind.Name, Flags: flags}, cell)
			for in := range joints {
				for out := range joints {
					if in != out && !turnsBack(joints[in], joints[out]) {
						s := shapeOf(joints[in], joints[out])
						all[s] = append(all[s], passage{kind, flags, in, out})
					}
				}
			}
		}
	}
	shapesOf.Store(collection, all)
	return all
}

// place returns the block of a passage that begins behind an open joint.
func (p passage) place(open Joint, cell float32) maps.Block {
	b := maps.Block{Name: p.kind.Name, Flags: p.flags, Color: -1}
	b.Direction = (open.back().Way - int(p.kind.RoadEnds(p.flags)[p.in].Side) + 4) % 4
	j := Joints(p.kind, &b, cell)[p.in]
	b.Coord = gbx.Int3{X: (open.X - j.X) / 2, Z: (open.Z - j.Z) / 2, Y: int32(math.Round((open.Height() - j.Height()) / float64(cell)))}
	return b
}

// fits reports whether the block of a passage joins two open ends and takes only free
// cells.
func (g *Graph) fits(p passage, b *maps.Block, from, to Joint) bool {
	joints := Joints(p.kind, b, g.cell.Y)
	return joints[p.in].meets(from) && joints[p.out].meets(to) && joints[p.in].asWide(from) && joints[p.out].asWide(to) && g.m.OnMap(b) &&
		!slices.ContainsFunc(maps.CellsOf(p.kind, b), func(c gbx.Int3) bool { return g.taken[c] != 0 })
}

// sortPlain sorts passages: plain roads first, then by name, and the entry from the south
// first.
func sortPlain(list []passage) {
	slices.SortFunc(list, func(a, b passage) int {
		return cmp.Or(plainness(a.kind)-plainness(b.kind), strings.Compare(a.kind.Name, b.kind.Name), b.in-a.in, a.out-b.out, int(a.flags)-int(b.flags))
	})
}
