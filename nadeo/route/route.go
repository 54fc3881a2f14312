// Package route follows the road of a map from block to block: where it leads from the
// start through the checkpoints to the finish, where it breaks, and how it reads in the
// language of tracks. The same language, read the other way, lays a new road.
//
// The catalogue of blocks has the ends of roads. Two blocks are joined where two of their
// ends lie on the same side of a cell, at the same heights.
package route

import (
	"cmp"
	"math"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
	"pakbox/nadeo/maps"
)

// Joint is an end of a road on a map: a side of a cell, and the heights of the surface at
// its two corners.
type Joint struct {
	X, Z int32 // the middle of the side, in halves of a cell
	Way  int   // the direction out of the block: 0 north, 1 east, 2 south, 3 west
	// From and To are the heights in metres above level 0 of the grid, From at the corner
	// with the lower x or z.
	From, To float64
	Width    float64 // metres of the side that the surface takes; 0 for the whole side
}

// sameHeight is the difference in metres up to which two surfaces meet. A road of dirt lies
// 10 cm above one of asphalt.
const sameHeight = 0.35

// steps are the ways as distances.
var steps = [4]gbx.Int3{{Z: 1}, {X: -1}, {Z: -1}, {X: 1}}

// Cell returns the cell behind the joint, into which the road leads out of its block.
func (j Joint) Cell(height float32) gbx.Int3 {
	out := steps[j.Way]
	return gbx.Int3{X: (j.X - 1 + out.X) / 2, Y: int32(math.Floor((j.Height() - 1) / float64(height))), Z: (j.Z - 1 + out.Z) / 2}
}

// Height is the height of the middle of the joint.
func (j Joint) Height() float64 { return (j.From + j.To) / 2 }

// tilt is how much the left side is higher than the right one, as seen from the block.
func (j Joint) tilt() float64 {
	if j.Way < 2 {
		return j.To - j.From
	}
	return j.From - j.To
}

// meets reports whether two joints continue each other.
func (j Joint) meets(other Joint) bool {
	return j.X == other.X && j.Z == other.Z && j.Way == (other.Way+2)%4 &&
		math.Abs(j.From-other.From) <= sameHeight && math.Abs(j.To-other.To) <= sameHeight
}

// asWide reports whether two joints are equally wide, as far as roads go.
func (j Joint) asWide(other Joint) bool {
	const slack = 4
	return math.Abs(cmp.Or(j.Width, whole)-cmp.Or(other.Width, whole)) <= slack
}

// whole is the width of roads that take a whole side, without their borders.
const whole = 30

// Joints returns the ends of roads of a block on the grid, none if they are unknown. cell
// is the height of a cell in metres.
func Joints(kind *blocks.Block, b *maps.Block, cell float32) []Joint {
	if kind == nil || b.Free {
		return nil
	}
	ends := kind.RoadEnds(b.Flags)
	if len(ends) == 0 {
		return nil
	}
	size := kind.Cells(b.Ground()).Size
	if size.X == 0 {
		size = gbx.Int3{X: 1, Y: 1, Z: 1}
	}
	out := make([]Joint, len(ends))
	for i, e := range ends {
		out[i] = jointOf(e, size, b, (float64(b.Coord.Y)+float64(kind.Rise))*float64(cell))
	}
	return out
}

// jointOf puts an end of a block on the map.
func jointOf(e blocks.End, size gbx.Int3, b *maps.Block, floor float64) Joint {
	c := gbx.Int3{X: int32(e.Cell), Z: int32(e.Cell)}
	switch e.Side {
	case blocks.North:
		c.Z = size.Z - 1
	case blocks.South:
		c.Z = 0
	case blocks.West:
		c.X = size.X - 1
	case blocks.East:
		c.X = 0
	}
	from, to := e.From, e.To
	// A quarter makes the low end of a side along z the high one along x.
	if along := int(e.Side) % 2; b.Direction == 1 && along == 1 || b.Direction == 2 || b.Direction == 3 && along == 0 {
		from, to = to, from
	}
	at, way := blocks.TurnCell(c, size, b.Direction), (int(e.Side)+b.Direction)%4
	out := steps[way]
	return Joint{
		X: 2*(b.Coord.X+at.X) + 1 + out.X, Z: 2*(b.Coord.Z+at.Z) + 1 + out.Z, Way: way,
		From: floor + from, To: floor + to, Width: e.Width,
	}
}
