package shapes

import (
	"math"
	"strings"

	"pakbox/gbx"
)

// wallAt is how far in metres the walls of the Stadium's platforms stand behind the south
// side of their cells. 20 recorded cars that drove on straight walls, and 80 on walls in
// curves, show it: their wheels were there within 0.2 m.
const wallAt = 1.1

// wall makes the surface of a wall that stands on a platform: a straight one faces north,
// one in a curve the corner in the north and east. It is as high as its cells. Cars that
// drive upright in these cells are on the platform below. wall returns nil for other
// blocks.
func (s *shape) wall() []Slab {
	part, ok := strings.CutPrefix(s.Kind.Name, "StadiumPlatform")
	if !ok || s.Kind.Environment != "Stadium" {
		return nil
	}
	high := float64(s.cells.Size.Y) * float64(s.cell.Y)
	switch {
	case strings.HasPrefix(part, "Wall"):
		return []Slab{s.upright(wallAt, high, gbx.Vec3{Z: 1})}
	case strings.HasPrefix(part, "GTCurve") && strings.Contains(part, "Wall"):
		return s.roundWall(high)
	}
	return nil
}

// roundWall makes a wall around a quarter of a circle.
func (s *shape) roundWall(high float64) []Slab {
	const steps = 12
	at := func(i int, y float64) gbx.Vec3 {
		sin, cos := math.Sincos(float64(i) / steps * math.Pi / 2)
		return gbx.Vec3{X: float32((s.wide - wallAt) * sin), Y: float32(y), Z: float32(s.long - (s.long-wallAt)*cos)}
	}
	var out []Slab
	for i := range steps {
		sin, cos := math.Sincos((float64(i) + 0.5) / steps * math.Pi / 2)
		inside := gbx.Vec3{X: float32(-sin), Z: float32(cos)}
		out = append(out, slabFacing(at(i, 0), at(i+1, 0), at(i, high), at(i+1, high), inside))
	}
	return out
}
