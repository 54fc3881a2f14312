package shapes

import (
	"math"
	"strings"

	"pakbox/gbx"
)

// Walls of Canyon's arenas, which cars drive on. No table has their forms; cars on two maps
// show them. The wall faces north. A start leads from the floor of the arena up to
// it, a LoopStart over two cells, and a LoopEnd from it to a ceiling over two cells. Those
// two are flatter than circles.
const (
	rideWall = 41.7 // z of the wall in metres
	rideEase = 16.3 // radius of a start
)

// wallRide makes the surface of such a block. It returns nil for other blocks.
func (s *shape) wallRide() []Slab {
	part, ok := strings.CutPrefix(s.Kind.Name, "ArenaWallRide")
	if !ok || s.Kind.Environment != "Canyon" {
		return nil
	}
	half, cell := s.wide/2, float64(s.cell.Y)
	a := arc{x0: half, x1: half, half: half, north: s.long}
	switch part {
	case "Straight", "TopStraight":
		return []Slab{s.upright(rideWall, cell, gbx.Vec3{Z: 1})}
	case "StartStraight":
		a.to, a.middle, a.radius, a.north = math.Pi/2, rideEase-arenaBelow, rideEase, rideWall+rideEase
		at := func(x, z float64) gbx.Vec3 { return gbx.Vec3{X: float32(x), Y: -arenaBelow, Z: float32(z)} }
		return append(a.slabs(6), slabBetween(at(0, a.north), at(s.wide, a.north), at(0, s.long), at(s.wide, s.long)))
	case "LoopStart":
		a.to, a.middle, a.radius, a.deep = math.Pi/2, 6*cell, 5*cell+arenaBelow, s.long-rideWall
		return a.slabs(12)
	case "LoopEnd":
		a.from, a.to, a.radius, a.deep = math.Pi/2, math.Pi, 5*cell+arenaBelow, s.long-rideWall
		return a.slabs(12)
	}
	return nil
}

// upright is a wall as wide as the block, of this height.
func (s *shape) upright(z, high float64, facing gbx.Vec3) Slab {
	at := func(x, y float64) gbx.Vec3 { return gbx.Vec3{X: float32(x), Y: float32(y), Z: float32(z)} }
	return slabFacing(at(s.wide, 0), at(0, 0), at(s.wide, high), at(0, high), facing)
}
