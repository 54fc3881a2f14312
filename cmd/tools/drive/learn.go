package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
	"pakbox/nadeo/blocks/shapes"
	trackmaps "pakbox/nadeo/maps"
	"pakbox/nadeo/maps/scene"
	"pakbox/nadeo/runs"
)

// lesson collects the heights that cars had on blocks, in the blocks' own frames.
type lesson map[string]map[[2]int][]float64

// clearance is the height of a recorded car's position above the road, in metres.
const clearance = 0.3

// square is the edge of the squares in which heights are collected, in metres.
const square = 8

// sunk is how far in metres a surface may lie below the lowest cell of its block: roads of
// Canyon, Desert and Bay lie 0.3 m below.
const sunk = 1

// reach is the number of cells above a block of unknown height that may belong to it.
const reach = 3

// tall reports whether a block may be higher than its cells: no table has the
// heights of blocks of ManiaPlanet's other environments.
func tall(kind *blocks.Block) bool {
	return !kind.Ground.Known() || !kind.Has("terrain") && slices.Contains([]string{"Canyon", "Valley", "Lagoon"}, kind.Environment)
}

// learn adds the samples of a run.
func (l lesson) learn(m *trackmaps.Map, line []runs.Sample) {
	if elsewhere(m, line) {
		return
	}
	f := m.Frame()
	at := map[gbx.Int3][]*trackmaps.Block{}
	list := m.Blocks()
	for i := range list {
		b := &list[i]
		kind := kindOf(m, b)
		if b.Free || b.Pillar() || !drivable(kind) || strings.Contains(b.Name, ".Block.Gbx") {
			continue
		}
		for _, c := range trackmaps.CellsOf(kind, b) {
			at[c] = append(at[c], b)
		}
	}
	for i := 1; i+1 < len(line); i++ {
		p := line[i].Position
		if falling(m, line[i-1:i+2]) || !upright(line[i].Rotation) {
			continue
		}
		c := f.CellAt(p)
		found := at[c]
		if above := f.CellAt(gbx.Vec3{X: p.X, Y: p.Y + sunk, Z: p.Z}); len(found) == 0 {
			found = at[above]
		}
		for i := 1; i <= reach && len(found) == 0; i++ {
			c.Y--
			if found = at[c]; len(found) > 0 && i > 1 && !tall(kindOf(m, found[0])) {
				break
			}
		}
		for _, other := range []string{"terrain", "deco"} { // a road on a hill or in a wood, which are blocks of their own
			if len(found) > 1 {
				found = slices.DeleteFunc(slices.Clone(found), func(b *trackmaps.Block) bool { return kindOf(m, b).Has(other) })
			}
		}
		if len(found) != 1 {
			continue
		}
		b := found[0]
		kind := kindOf(m, b)
		x, y, z := local(f, b, kind, p)
		if len(kind.Ends) > 0 || !tall(kind) && y > float64(kind.Cells(b.Ground()).Size.Y)*float64(f.Cell.Y)+4 {
			continue
		}
		name := kind.Environment + " " + b.Name
		if kind.ByVariant {
			name += fmt.Sprint("/", b.Flags&0x3F)
		}
		if l[name] == nil {
			l[name] = map[[2]int][]float64{}
		}
		y -= shapes.Shift(kind, b.Coord.Y)
		if !b.Ground() {
			y -= shapes.AirHeight(kind, z/(float64(shapes.CellsOf(kind, false).Size.Z)*float64(f.Cell.Z)))
		}
		k := [2]int{int(math.Floor(x / square)), int(math.Floor(z / square))}
		l[name][k] = append(l[name][k], y-clearance)
	}
}

// elsewhere reports whether a run may have been driven on another version of the map:
// the car stands still at first, and not at a start.
func elsewhere(m *trackmaps.Map, line []runs.Sample) bool {
	p := line[0].Position
	if d := sub(line[min(2, len(line)-1)].Position, p); dot(d, d) > 0.25 {
		return false
	}
	starts, s := 0, scene.Of(m)
	for _, t := range slices.Concat(s.Blocks, s.Items) {
		if t.Way != scene.Start && t.Way != scene.Lap {
			continue
		}
		starts++
		if d := sub(p, t.Center); max(d.X, -d.X) < 2*s.Cell.X && max(d.Z, -d.Z) < 2*s.Cell.Z {
			return false
		}
	}
	return starts > 0
}

// kindOf is the kind of a block; one of which nothing is known has only a name.
func kindOf(m *trackmaps.Map, b *trackmaps.Block) *blocks.Block {
	if kind := m.Kind(b); kind != nil {
		return kind
	}
	return shapes.StandIn(m.Collection(), b.Name)
}

// drivable reports whether cars drive on blocks of a kind.
func drivable(kind *blocks.Block) bool {
	return !kind.Has("clip") && !kind.Has("pillar")
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

// text writes the result in the form that package shapes reads: the height of the samples
// in each square.
func (l lesson) text() string {
	var out strings.Builder
	out.WriteString("# Written by make profiles; do not edit.\n")
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
			fmt.Fprintf(&out, " %d,%d,%.1f,%d", k[0]*square+square/2, k[1]*square+square/2, usual(l[name][k]), len(l[name][k]))
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// usual is the mean of the heights within 2 m of the middle one, so that a few jumping cars
// do not change it, and bumps of the ground are halved.
func usual(heights []float64) float64 {
	slices.Sort(heights)
	middle, sum, n := heights[len(heights)/2], 0.0, 0.0
	for _, h := range heights {
		if math.Abs(h-middle) < 2 {
			sum, n = sum+h, n+1
		}
	}
	return sum / n
}
