package main

import (
	"math"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
)

// surface holds the triangles of a scene, by the cells of a grid that they touch.
type surface struct {
	cells map[[3]int32][]triangle
}

type triangle [3]gbx.Vec3

const grid = 8 // metres

func surfaceOf(scene *mesh.Scene) *surface {
	s := &surface{map[[3]int32][]triangle{}}
	scene.Visit(func(n *mesh.Node, at mesh.Transform) {
		if n.Mesh == nil {
			return
		}
		for _, part := range n.Mesh.Parts {
			if part.Line {
				continue
			}
			for i := 0; i+2 < len(part.Indices); i += 3 {
				var t triangle
				for k := range t {
					t[k] = at.Point(part.Positions[part.Indices[i+k]])
				}
				s.add(t)
			}
		}
	})
	return s
}

func cellOf(v float32) int32 { return int32(math.Floor(float64(v) / grid)) }

// add puts a triangle into all cells from which it can be near.
func (s *surface) add(t triangle) {
	lo, hi := t[0], t[0]
	for _, p := range t[1:] {
		lo = gbx.Vec3{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
		hi = gbx.Vec3{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
	}
	if hi.X-lo.X > 2000 || hi.Y-lo.Y > 2000 || hi.Z-lo.Z > 2000 {
		return // it is a sky
	}
	for x := cellOf(lo.X - within); x <= cellOf(hi.X+within); x++ {
		for y := cellOf(lo.Y - within); y <= cellOf(hi.Y+within); y++ {
			for z := cellOf(lo.Z - within); z <= cellOf(hi.Z+within); z++ {
				c := [3]int32{x, y, z}
				s.cells[c] = append(s.cells[c], t)
			}
		}
	}
}

// far reports whether a place cannot be on a map.
func (s *surface) far(p gbx.Vec3) bool {
	sum := float64(p.X) + float64(p.Y) + float64(p.Z)
	return math.IsNaN(sum) || math.Abs(sum) > 1e6
}

// near reports whether a surface is near a place.
func (s *surface) near(p gbx.Vec3) bool {
	for _, t := range s.cells[[3]int32{cellOf(p.X), cellOf(p.Y), cellOf(p.Z)}] {
		if t.distance2(p) <= within*within {
			return true
		}
	}
	return false
}

func sub(a, b gbx.Vec3) gbx.Vec3 { return gbx.Vec3{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z} }
func dot(a, b gbx.Vec3) float32  { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }
func along(a, d gbx.Vec3, t float32) gbx.Vec3 {
	return gbx.Vec3{X: a.X + d.X*t, Y: a.Y + d.Y*t, Z: a.Z + d.Z*t}
}

// distance2 returns the squared distance of a place from the triangle. The nearest point
// may be a corner, on an edge, or inside.
func (t *triangle) distance2(p gbx.Vec3) float32 {
	ab, ac, ap := sub(t[1], t[0]), sub(t[2], t[0]), sub(p, t[0])
	d00, d01, d11, d20, d21 := dot(ab, ab), dot(ab, ac), dot(ac, ac), dot(ap, ab), dot(ap, ac)
	if area := d00*d11 - d01*d01; area > 1e-9 {
		v, w := (d11*d20-d01*d21)/area, (d00*d21-d01*d20)/area
		if v >= 0 && w >= 0 && v+w <= 1 {
			d := sub(p, along(along(t[0], ab, v), ac, w))
			return dot(d, d)
		}
	}
	best := float32(math.Inf(1))
	for i := range t {
		a, e := t[i], sub(t[(i+1)%3], t[i])
		k := float32(0)
		if l := dot(e, e); l > 0 {
			k = min(1, max(0, dot(sub(p, a), e)/l))
		}
		d := sub(p, along(a, e, k))
		best = min(best, dot(d, d))
	}
	return best
}
