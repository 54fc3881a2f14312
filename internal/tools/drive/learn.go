package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"pakbox/gbx"
	"pakbox/trackmania/blocks"
	trackmaps "pakbox/trackmania/maps"
	"pakbox/trackmania/runs"
	"pakbox/trackmania/shapes"
)

// lesson collects the heights that cars had on blocks, in the blocks' own frames.
type lesson map[string]map[[2]int][]float64

// clearance is the height of a recorded car's position above the road, in metres.
const clearance = 0.3

// square is the edge of the squares in which heights are collected, in metres.
const square = 8

// reach is the number of cells above a block of unknown size that may belong to it.
const reach = 3

// learn adds the samples of a run.
func (l lesson) learn(m *trackmaps.Map, line []runs.Sample) {
	f := m.Frame()
	at, above := map[gbx.Int3][]*trackmaps.Block{}, map[gbx.Int3][]*trackmaps.Block{}
	list := m.Blocks()
	for i := range list {
		b := &list[i]
		kind := kindOf(m, b)
		if b.Free || b.Pillar() || !drivable(kind) {
			continue
		}
		for _, c := range trackmaps.CellsOf(kind, b) {
			at[c] = append(at[c], b)
			for range reach {
				if c.Y++; !kind.Ground.Known() {
					above[c] = append(above[c], b)
				}
			}
		}
	}
	for i := 1; i+1 < len(line); i++ {
		p := line[i].Position
		if !onGround(line[i-1:i+2]) || !upright(line[i].Rotation) {
			continue
		}
		c := f.CellAt(p)
		found := at[c]
		if len(found) == 0 {
			below := gbx.Int3{X: c.X, Y: c.Y - 1, Z: c.Z}
			if found = at[below]; len(found) == 0 {
				found = above[c]
			}
		}
		if len(found) != 1 {
			continue
		}
		b := found[0]
		kind := kindOf(m, b)
		x, y, z := local(f, b, kind, p)
		if len(kind.Ends) > 0 || kind.Ground.Known() && y > float64(kind.Cells(b.Ground()).Size.Y)*float64(f.Cell.Y)+4 {
			continue
		}
		name := kind.Environment + " " + b.Name
		if kind.ByVariant {
			name += fmt.Sprint("/", b.Flags&0x3F)
		}
		if l[name] == nil {
			l[name] = map[[2]int][]float64{}
		}
		k := [2]int{int(math.Floor(x / square)), int(math.Floor(z / square))}
		l[name][k] = append(l[name][k], y-clearance)
	}
}

// kindOf returns the catalogue's entry of a block, or one with only the name if there is
// none.
func kindOf(m *trackmaps.Map, b *trackmaps.Block) *blocks.Block {
	if kind := m.Kind(b); kind != nil {
		return kind
	}
	return shapes.StandIn(m.Collection(), b.Name)
}

// drivable reports whether cars drive on blocks of a kind.
func drivable(kind *blocks.Block) bool {
	return !kind.Has("clip") && !kind.Has("pillar") && !kind.Has("deco")
}

// upright reports whether a car roughly stands on its wheels, so that the road is under
// it.
func upright(q gbx.Quat) bool {
	return q == gbx.Quat{} || 1-2*(q.X*q.X+q.Z*q.Z) > 0.6
}

// local converts a place to the frame of a block before it was turned.
func local(f *trackmaps.Frame, b *trackmaps.Block, kind *blocks.Block, p gbx.Vec3) (x, y, z float64) {
	size := shapes.CellsOf(kind, b.Ground()).Size
	wide, long := float64(size.X)*float64(f.Cell.X), float64(size.Z)*float64(f.Cell.Z)
	x, z = float64(p.X)-float64(b.Coord.X)*float64(f.Cell.X), float64(p.Z)-float64(b.Coord.Z)*float64(f.Cell.Z)
	switch b.Direction {
	case 1:
		x, z = z, long-x
	case 2:
		x, z = wide-x, long-z
	case 3:
		x, z = wide-z, x
	}
	return x, float64(p.Y) - (float64(b.Coord.Y)+float64(kind.Rise)-f.Floor)*float64(f.Cell.Y), z
}

// text writes the result in the form that package shapes reads: the median height of the
// samples in each square, which a few jumping cars do not change.
func (l lesson) text() string {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(l)) {
		n := 0
		for _, heights := range l[name] {
			n += len(heights)
		}
		if n < 3 {
			continue
		}
		fmt.Fprintf(&out, "%s %d", name, n)
		for _, k := range slices.SortedFunc(maps.Keys(l[name]), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
			heights := l[name][k]
			slices.Sort(heights)
			fmt.Fprintf(&out, " %d,%d,%.1f,%d", k[0]*square+square/2, k[1]*square+square/2, heights[len(heights)/2], len(heights))
		}
		out.WriteByte('\n')
	}
	return out.String()
}
