package static

import (
	"math"

	"pakbox/gbx"
	"pakbox/gbx/mesh/model"
)

// vec is a vector in double precision.
type vec = model.Vec3

func wide(v gbx.Vec3) vec   { return vec{float64(v.X), float64(v.Y), float64(v.Z)} }
func sub(a, b gbx.Vec3) vec { return vec{float64(a.X - b.X), float64(a.Y - b.Y), float64(a.Z - b.Z)} }

// frame holds the two directions of the texture: the way in space for one unit of u and
// of v, summed over the triangles at a corner.
type frame struct{ u, v vec }

// triangleFrame computes the frame of one triangle.
func triangleFrame(c []Vertex) frame {
	e1, e2 := sub(c[1].Position, c[0].Position), sub(c[2].Position, c[0].Position)
	du1, dv1 := float64(c[1].UVs[0].X-c[0].UVs[0].X), float64(c[1].UVs[0].Y-c[0].UVs[0].Y)
	du2, dv2 := float64(c[2].UVs[0].X-c[0].UVs[0].X), float64(c[2].UVs[0].Y-c[0].UVs[0].Y)
	det := du1*dv2 - dv1*du2
	if det == 0 {
		return frame{}
	}
	return frame{
		u: e1.Times(dv2).Add(e2.Times(-dv1)).Times(1 / det),
		v: e2.Times(du1).Add(e1.Times(-du2)).Times(1 / det),
	}
}

func (f frame) empty() bool { return f == frame{} }

// fits reports whether two triangles at a corner share a frame. In real meshes they do
// not if their directions are opposite.
func (f frame) fits(g frame) bool { return f.u.Dot(g.u) >= 0 && f.v.Dot(g.v) >= 0 }

// corner has the values that triangles must share to have a common frame: place, normal
// and texture coordinate. The lightmap coordinate does not matter.
type corner struct {
	position, normal gbx.Vec3
	uv               gbx.Vec2
}

// frames computes the frames. of[i] is the index of corner i's frame in list.
func frames(corners []Vertex) (list []frame, of []int32) {
	of = make([]int32, len(corners))
	at := make(map[corner]int32, len(corners)/2) // index of the newest frame of a corner
	var before []int32                           // index of the previous frame of the same corner, -1 for none
	for t := 0; t+2 < len(corners); t += 3 {
		f := triangleFrame(corners[t : t+3])
		for k := t; k < t+3; k++ {
			c := &corners[k]
			key := corner{c.Position, c.Normal, c.UVs[0]}
			last, ok := at[key]
			if !ok {
				last = -1
			}
			i := last
			for i >= 0 && !list[i].fits(f) {
				i = before[i]
			}
			if i < 0 {
				i = int32(len(list))
				list, before, at[key] = append(list, frame{}), append(before, last), i
			}
			list[i] = frame{list[i].u.Add(f.u), list[i].v.Add(f.v)}
			of[k] = i
		}
	}
	return list, of
}

// tangents returns the two directions as packed numbers. The importer keeps the direction
// that is closer to perpendicular to the normal, and turns the other. This rule was
// derived from real meshes of both games; the tests compare.
func (f frame) tangents(normal gbx.Vec3) (u, v uint32) {
	n := wide(normal).Unit()
	if f.empty() {
		f = fallback(n)
	}
	a, b := f.upright(n, keepsU(n, f.u.Unit(), f.v.Unit()))
	return packed(a), packed(b)
}

// upright makes both directions perpendicular to the normal and to each other. keepU selects
// the one of the two that changes as little as possible.
func (f frame) upright(n vec, keepU bool) (u, v vec) {
	side := 1.0
	if f.u.Cross(f.v).Dot(n) < 0 {
		side = -1
	}
	if keepU {
		u = f.u.Unit()
		u = u.Add(n.Times(-n.Dot(u))).Unit()
		return u, n.Cross(u).Times(side)
	}
	v = f.v.Unit()
	v = v.Add(n.Times(-n.Dot(v))).Unit()
	return v.Cross(n).Times(side), v
}

// keepsU reports whether the importer keeps u rather than v. On faces along the axes both
// are exactly perpendicular. Then rounding in the importer decides, as if the normal's x
// had a trace of y and z, and its z a trace of x.
func keepsU(n, a, b vec) bool {
	const same = 1e-9
	u, v := math.Abs(n.Dot(a)), math.Abs(n.Dot(b))
	if math.Abs(u-v) > same {
		return u < v
	}
	trace := vec{math.Abs(n[1]) + math.Abs(n[2]), 0, math.Abs(n[0])}
	return math.Abs(trace.Dot(a)) < math.Abs(trace.Dot(b))
}

// fallback makes a frame for a corner whose texture has no direction. No real file shows
// this case.
func fallback(n vec) frame {
	axis := vec{0, 0, 1}
	if math.Abs(n[2]) > 0.999 {
		axis = vec{0, 1, 0}
	}
	u := axis.Cross(n).Unit()
	return frame{u, n.Cross(u)}
}

// packed stores a direction in three numbers of 10 bits, rounded towards 0.
func packed(a vec) uint32 {
	var out uint32
	for i, c := range a {
		out |= uint32(int32(float32(min(max(c, -1), 1))*511)&0x3FF) << (10 * i)
	}
	return out
}
