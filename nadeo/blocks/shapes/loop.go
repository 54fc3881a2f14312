package shapes

import (
	"cmp"
	"math"
	"strings"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
)

// Loops are arcs about a horizontal axis. Half a loop enters at the south side and leaves
// there too, upside down and one road further. A quarter leads from one side up to a wall
// at the opposite side (LoopStart), or from such a wall to a ceiling (LoopEnd). All are
// circles whose axis lies at the side where the road enters: the cells of the blocks, the
// heights of their ends and the cars of recorded runs agree with that.

// loopBase is the height in metres at which loops without known ends begin, measured from
// cars at 547 places of StadiumPlatformLoopStart.
const loopBase = 1.3

// arc is a part of a loop, from one angle to another. Angle 0 is the bottom.
type arc struct {
	from, to float64
	middle   float64 // height of the axis
	radius   float64
	x0, x1   float64 // middle of the road at the beginning and at the end
	half     float64 // half the width of the road
	north    float64 // z of the axis if the arc enters at the north side, otherwise 0
	deep     float64 // the radius along the block where it is another one, otherwise 0
}

// loop makes the surface of a loop. It returns nil for other blocks.
func (s *shape) loop() []Slab {
	if !s.Kind.Has("loop") {
		return nil
	}
	if freeLoop(s.Kind.Name) {
		return s.free()
	}
	if a, ok := s.halfLoop(); ok {
		return a.slabs(24)
	}
	if a, ok := s.quarterLoop(); ok {
		return a.slabs(8)
	}
	return nil
}

// arcOf returns the arc of a loop, false for other blocks.
func (s *shape) arcOf() (arc, bool) {
	if !s.Kind.Has("loop") || freeLoop(s.Kind.Name) {
		return arc{}, false
	}
	if a, ok := s.halfLoop(); ok {
		return a, true
	}
	return s.quarterLoop()
}

// halfLoop describes a half loop by its two ends at the south side, or by its cells if
// the catalogue has no ends.
func (s *shape) halfLoop() (arc, bool) {
	if o := s.openings; len(o) == 2 && o[0].dz == 1 && o[1].dz == 1 {
		low, high := o[0], o[1]
		if low.left > high.left {
			low, high = high, low
		}
		bottom, top := (low.left+low.right)/2, (high.left+high.right)/2
		return arc{0, math.Pi, (bottom + top) / 2, (top - bottom) / 2, low.x, high.x, low.half, 0, 0}, top > bottom
	}
	size := s.cells.Size
	image, _, ok := s.image()
	if len(s.Kind.Ends) > 0 || size.X != 3 || size.Y < 6 || !ok || image.Kind == s.Kind {
		return arc{}, false // a half loop leaves to one side, so it cannot be its own mirror image
	}
	// The road moves from the outer cell on one side to the outer cell on the other.
	from, to := float64(s.cell.X)/2, s.wide-float64(s.cell.X)/2
	if !s.cells.Has(0, 0, 0) {
		from, to = to, from
	}
	middle := float64(size.Y) * float64(s.cell.Y) / 2
	return arc{0, math.Pi, middle, middle - loopBase, from, to, roadWidth / 2 * float64(s.cell.X) / 32, 0, 0}, true
}

// quarterLoop describes a quarter loop that takes one cell of the ground.
func (s *shape) quarterLoop() (arc, bool) {
	size := s.cells.Size
	high := float64(size.Y) * float64(s.cell.Y)
	if size.X != 1 || size.Z != 1 || high != float64(s.cell.Z) || s.Kind.MirrorTurn != 0 {
		return arc{}, false
	}
	base, north := loopBase, s.long // quarter loops before 2020 enter at the north
	for _, e := range s.Kind.Ends {
		if e.Side == blocks.South {
			base, north = min(e.From, high-e.From), 0
		}
	}
	a := arc{radius: high - base, x0: s.wide / 2, x1: s.wide / 2, half: s.wide / 2, north: north}
	switch {
	case strings.HasSuffix(s.Kind.Name, "LoopStart"):
		a.from, a.to, a.middle = 0, math.Pi/2, high
	case strings.HasSuffix(s.Kind.Name, "LoopEnd"):
		a.from, a.to, a.middle = math.Pi/2, math.Pi, 0
	default:
		return arc{}, false
	}
	return a, true
}

// freeLoop reports whether a name is that of a part of Valley's loops without a frame.
func freeLoop(name string) bool {
	return strings.HasSuffix(name, "FreeLoopStart") || strings.HasSuffix(name, "FreeLoopStraight")
}

// free makes a part of a loop without a frame: a quarter that leads from the south up to a
// wall, or one cell of that wall. 80 places of cars lie on it within half a metre.
func (s *shape) free() []Slab {
	base, high := s.usualHeight(), float64(s.cell.Z)
	if strings.HasSuffix(s.Kind.Name, "FreeLoopStart") {
		a := arc{to: math.Pi / 2, middle: high, radius: high - base, x0: s.wide / 2, x1: s.wide / 2, half: s.wide / 2}
		return a.slabs(8)
	}
	at := func(x, y float64) gbx.Vec3 { return gbx.Vec3{X: float32(x), Y: float32(y), Z: float32(high - base)} }
	return []Slab{slabFacing(at(s.wide, 0), at(0, 0), at(s.wide, float64(s.cell.Y)), at(0, float64(s.cell.Y)), gbx.Vec3{Z: -1})}
}

// slabs divides the arc into flat parts.
func (a *arc) slabs(steps int) []Slab {
	at := func(i int, side float64) gbx.Vec3 {
		t := float64(i) / float64(steps)
		sin, cos := math.Sincos(a.from + (a.to-a.from)*t)
		return gbx.Vec3{X: float32(a.x0 + (a.x1-a.x0)*t + side*a.half), Y: float32(a.middle - a.radius*cos), Z: float32(a.z(sin))}
	}
	var out []Slab
	for i := range steps {
		sin, cos := math.Sincos(a.from + (a.to-a.from)*(float64(i)+0.5)/float64(steps))
		inside := gbx.Vec3{Y: float32(cos), Z: float32((a.z(0) - a.z(sin)) / a.radius)}
		out = append(out, slabFacing(at(i, 1), at(i, -1), at(i+1, 1), at(i+1, -1), inside))
	}
	return out
}

// z converts a fraction of the radius into a place along the block.
func (a *arc) z(part float64) float64 {
	deep := cmp.Or(a.deep, a.radius)
	if a.north > 0 {
		return a.north - deep*part
	}
	return deep * part
}
