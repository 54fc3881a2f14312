package mapmesh

import (
	"math"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/nadeo/maps/scene"
)

// beyond is how far in metres the ground goes on beyond the map, to a horizon that a
// camera on the track sees as one.
const beyond = 3000

// surroundings adds what lies around the map: the ground or the sea up to the horizon, or
// the Stadium. The figures of the result count the map alone.
func (b *builder) surroundings() {
	size := b.layout.Size
	height, surface, ok := b.m.GroundPlane()
	if !ok {
		height, surface, ok = b.m.BareGround()
	}
	if !ok || size.X <= 0 || size.Z <= 0 || size.X > maxGround || size.Z > maxGround {
		return
	}
	wide, long := float32(size.X)*b.layout.Cell.X, float32(size.Z)*b.layout.Cell.Z
	y := float32(height) - below
	tint := &scene.Thing{Surface: surface}
	nodes := []*mesh.Node{b.frame("Horizon", tint, [2]corner{{-beyond, y}, {0, y}}, wide, long)}
	if o, ok := ovals[b.m.Collection()]; ok {
		if b.m.Collection() == "Stadium" && b.m.Title() != "" {
			o = ovals["Stadium since ManiaPlanet"]
		}
		nodes = b.stadium(o, tint, y, wide/2, long/2)
	}
	b.group("Surroundings", nodes)
}

// corner is a point of the cross section of a frame: its distance from the edge of the map,
// negative outside, and its height.
type corner struct{ out, y float32 }

// frame makes a strip around a map of this size, whose cross section leads from the outer
// corner to the inner one.
func (b *builder) frame(name string, tint *scene.Thing, section [2]corner, wide, long float32) *mesh.Node {
	g := &mesh.Geometry{}
	at := func(c corner, side int) gbx.Vec3 {
		corners := [4]gbx.Vec3{
			{X: c.out, Y: c.y, Z: c.out}, {X: wide - c.out, Y: c.y, Z: c.out},
			{X: wide - c.out, Y: c.y, Z: long - c.out}, {X: c.out, Y: c.y, Z: long - c.out},
		}
		return corners[side%4]
	}
	for side := range 4 {
		quad := [4]gbx.Vec3{at(section[0], side), at(section[0], side+1), at(section[1], side+1), at(section[1], side)}
		normal := facing(quad)
		first := uint32(len(g.Positions))
		g.Positions = append(g.Positions, quad[:]...)
		g.Normals = append(g.Normals, normal, normal, normal, normal)
		g.Indices = append(g.Indices, first, first+2, first+1, first, first+3, first+2)
	}
	m := &mesh.Mesh{Name: name, Kind: mesh.Made, Parts: []mesh.Part{{Material: b.tinted(tint), Geometry: g}}}
	return &mesh.Node{Name: name, Mesh: m, Transform: mesh.Identity}
}

// facing returns the normal of a quad whose corners run clockwise as its viewer sees them.
func facing(quad [4]gbx.Vec3) gbx.Vec3 {
	a, b := minus(quad[3], quad[0]), minus(quad[1], quad[0])
	n := gbx.Vec3{X: a.Y*b.Z - a.Z*b.Y, Y: a.Z*b.X - a.X*b.Z, Z: a.X*b.Y - a.Y*b.X}
	length := float32(math.Sqrt(float64(n.X*n.X + n.Y*n.Y + n.Z*n.Z)))
	return gbx.Vec3{X: n.X / length, Y: n.Y / length, Z: n.Z / length}
}
