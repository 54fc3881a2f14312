package route

import (
	"strings"

	"pakbox/nadeo/blocks"
	"pakbox/nadeo/maps"
)

// reach is the largest distance in halves of a cell over which a missing block is looked
// for, and most is the number of pairs of ends that are compared: more belong to no track.
const (
	reach = 12
	most  = 2_000_000
)

// Gap is a place where a road breaks off, and one block would continue it.
type Gap struct {
	Before, After *maps.Block
	Missing       maps.Block // the block that closes the gap
	Reached       bool       // the road leads from the start to the gap
}

// Gaps returns the places where one block of the road is missing: two open ends of roads,
// which one block of the same surface joins, with nothing in its cells. It returns none if
// the road leads from the start to the finish all the same.
func (g *Graph) Gaps() []Gap {
	forth := g.from(g.starts()...)
	if forth.goal {
		return nil
	}
	reached := map[end]bool{}
	for _, e := range forth.dead {
		reached[e] = true
	}
	var out []Gap
	g.pairs(func(from, to end) {
		if reached[to] && !reached[from] {
			from, to = to, from
		}
		missing, ok := g.missing(from, to)
		if !ok {
			return
		}
		gap := Gap{g.block(from.piece), g.block(to.piece), missing, reached[from]}
		if n := len(out); n > 0 && out[n-1].Missing.Coord == missing.Coord { // a diagonal road has two ends on each side
			return
		}
		if gap.Reached {
			out = append([]Gap{gap}, out...)
		} else {
			out = append(out, gap)
		}
	})
	return out
}

// open returns the ends of roads behind which nothing continues.
func (g *Graph) open() (out []end) {
	for i := range g.Pieces {
		if !isRoad(g.Pieces[i].Kind) {
			continue
		}
		for k, next := range g.Pieces[i].next {
			if next.piece < 0 {
				out = append(out, end{i, k})
			}
		}
	}
	return out
}

// pairs calls visit for pairs of open ends of roads that are near each other.
func (g *Graph) pairs(visit func(a, b end)) {
	near, open := map[[2]int32][]end{}, g.open()
	for _, e := range open {
		j := g.joint(e)
		near[[2]int32{j.X / reach, j.Z / reach}] = append(near[[2]int32{j.X / reach, j.Z / reach}], e)
	}
	seen := 0
	for _, a := range open {
		j := g.joint(a)
		for dx := int32(-1); dx <= 1; dx++ {
			for dz := int32(-1); dz <= 1; dz++ {
				for _, b := range near[[2]int32{j.X/reach + dx, j.Z/reach + dz}] {
					if seen++; seen > most {
						return
					}
					if b.piece > a.piece {
						visit(a, b)
					}
				}
			}
		}
	}
}

// missing returns the block of a road that joins two open ends: the plainest one.
func (g *Graph) missing(from, to end) (best maps.Block, found bool) {
	a, b := g.Pieces[from.piece].Kind, g.Pieces[to.piece].Kind
	start, stop := g.joint(from), g.joint(to)
	bestRank := 0
	for _, p := range passages(g.m.Collection(), g.cell.Y)[shapeOf(start.back(), stop.back())] {
		if !isRoad(p.kind) || p.kind.Has("branch") || p.kind.Role != blocks.NoRole || p.kind.Surface != a.Surface && p.kind.Surface != b.Surface {
			continue
		}
		rank := 2 * plainness(p.kind)
		if p.kind.RoadEnds(p.flags)[p.in].Side == blocks.North {
			rank++ // a straight leads from south to north
		}
		block := p.place(start, g.cell.Y)
		if found && rank >= bestRank || !g.fits(p, &block, start, stop) {
			continue
		}
		best, bestRank, found = block, rank, true
	}
	return best, found
}

// specials are words in the names of roads that do more than lead on.
var specials = []string{"Hole", "Narrow", "Penalty", "Ramp", "Special", "Turbo", "FW", "Force", "NoGrip", "NoSteering", "Bumper", "Birds", "Beam", "Paint", "To"}

// plainness is lower for plainer roads.
func plainness(kind *blocks.Block) int {
	rank := len(kind.Name)
	for _, word := range specials {
		if strings.Contains(kind.Name, word) {
			rank += 100
		}
	}
	return rank
}

// Step is a place where two roads face each other at different heights.
type Step struct {
	Before, After *maps.Block
	Higher        float64 // how much the second road is higher, in metres
}

// tallest is the height in metres of the steps that are looked for.
const tallest = 32

// Step returns the first place behind the start where the road breaks off, and goes on
// higher or lower. Cars fall down a step, and cannot drive up: whether the road is
// meant like that, the map does not say. It returns false if none was found, or if the
// road leads to the finish.
func (g *Graph) Step() (Step, bool) {
	forth := g.from(g.starts()...)
	if forth.goal {
		return Step{}, false
	}
	for _, e := range forth.dead {
		if !isRoad(g.Pieces[e.piece].Kind) {
			continue
		}
		j := g.joint(e)
		at := j.back().side()
		for d := 1; d <= tallest; d++ {
			for _, row := range []int{-d, d} {
				at.row = j.side().row + row
				for _, other := range g.at[at][:min(len(g.at[at]), 1)] {
					if higher := g.joint(other).Height() - j.Height(); isRoad(g.Pieces[other.piece].Kind) && g.Pieces[other.piece].next[other.joint].piece < 0 {
						return Step{g.block(e.piece), g.block(other.piece), higher}, true
					}
				}
			}
		}
	}
	return Step{}, false
}
