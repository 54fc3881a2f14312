package mapmesh

import (
	"math"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/nadeo/maps/scene"
)

// oval is the form of a Stadium's field around the middle of the map: the distance of its
// edge from the middle in metres, to the west and to the north, and the exponent of the
// superellipse: 2 is an ellipse, more is nearer to a rectangle.
type oval struct {
	west, north, exponent float64
	// high states that the stands of all sides are high; otherwise those of the long ones.
	high bool
}

// ovals are the fields, measured on photographs that show where the grass ends.
var ovals = map[string]oval{
	"Stadium":                   {740, 545, 2.4, false},
	"Stadium since ManiaPlanet": {816, 670, 6, true},
	"Stadium2020":               {980, 940, 6, true},
}

// roofed is the part of the field's edge, seen from the middle, that has a roof: both long
// sides, to the north and to the south.
const roofed = 0.75

// at returns a point at a distance from the edge of the field, i of segments around it.
func (o oval) at(i int, c corner) gbx.Vec3 {
	sin, cos := math.Sincos(2 * math.Pi * float64(i) / segments)
	bent := func(v float64) float64 { return math.Copysign(math.Pow(math.Abs(v), 2/o.exponent), v) }
	x, z := o.west*bent(cos), o.north*bent(sin)
	dx, dz := x/(o.west*o.west), z/(o.north*o.north)
	length := math.Hypot(dx, dz)
	far := float64(-c.out)
	return gbx.Vec3{X: float32(x + dx/length*far), Y: c.y, Z: float32(z + dz/length*far)}
}

// segments is the number of straight parts around a field.
const segments = 64

// The section of the stands: the wall around the field, the seats, and behind them a back
// wall, or on the long sides the roof.
var (
	rim   = corner{0, 4}
	seats = corner{-70, 25}
	back  = corner{-74, 0}
	upper = corner{-100, 60}
	eaves = corner{-20, 60}
	ridge = corner{-100, 110}
)

// stadium makes the field, the stands and what lies around them.
func (b *builder) stadium(o oval, grass *scene.Thing, y, x, z float32) []*mesh.Node {
	all := func(int) bool { return true }
	long := func(i int) bool {
		return math.Abs(math.Sin(2*math.Pi*(float64(i)+0.5)/segments)) > roofed
	}
	ring := func(name, surface string, from, to corner, where func(int) bool) *mesh.Node {
		g := &mesh.Geometry{}
		from.y, to.y = from.y+y, to.y+y
		for i := range segments {
			if !where(i) {
				continue
			}
			quad := [4]gbx.Vec3{o.at(i, from), o.at(i+1, from), o.at(i+1, to), o.at(i, to)}
			normal := facing([4]gbx.Vec3{quad[0], quad[3], quad[2], quad[1]})
			first := uint32(len(g.Positions))
			for _, p := range quad {
				g.Positions = append(g.Positions, gbx.Vec3{X: p.X + x, Y: p.Y, Z: p.Z + z})
				g.Normals = append(g.Normals, normal)
			}
			g.Indices = append(g.Indices, first, first+1, first+2, first, first+2, first+3)
		}
		material := b.tinted(&scene.Thing{Surface: surface})
		m := &mesh.Mesh{Name: name, Kind: mesh.Made, Parts: []mesh.Part{{Material: material, Geometry: g}}}
		return &mesh.Node{Name: name, Mesh: m, Transform: mesh.Identity}
	}
	high := func(i int) bool { return o.high || long(i) }
	nodes := []*mesh.Node{
		b.field(o, grass, y, x, z),
		ring("Wall of the field", "seats", corner{}, rim, all),
		ring("Seats", "seats", rim, seats, all),
		ring("Upper seats", "seats", seats, upper, high),
		ring("Roof", "roof", eaves, ridge, long),
		ring("Horizon", "pavement", back, corner{-beyond, 0}, all),
	}
	if !o.high {
		low := func(i int) bool { return !long(i) }
		nodes = append(nodes, ring("Back wall", "seats", seats, back, low))
	}
	return nodes
}

// field makes the grass between the map and the stands.
func (b *builder) field(o oval, grass *scene.Thing, y, x, z float32) *mesh.Node {
	g := &mesh.Geometry{}
	edge := func(i int, inner bool) gbx.Vec3 {
		p := o.at(i, corner{0, y})
		if inner {
			p.X, p.Z = min(max(p.X, -x), x), min(max(p.Z, -z), z)
		}
		return gbx.Vec3{X: p.X + x, Y: p.Y, Z: p.Z + z}
	}
	for i := range segments {
		first := uint32(len(g.Positions))
		g.Positions = append(g.Positions, edge(i, true), edge(i+1, true), edge(i+1, false), edge(i, false))
		for range 4 {
			g.Normals = append(g.Normals, gbx.Vec3{Y: 1})
		}
		g.Indices = append(g.Indices, first, first+1, first+2, first, first+2, first+3)
	}
	m := &mesh.Mesh{Name: "Field", Kind: mesh.Made, Parts: []mesh.Part{{Material: b.tinted(grass), Geometry: g}}}
	return &mesh.Node{Name: "Field", Mesh: m, Transform: mesh.Identity}
}
