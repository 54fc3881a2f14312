package shapes

import (
	"math"
	"strings"

	"pakbox/gbx"
)

// ribbon makes the surface of a road from one opening to the other.
func (s *shape) ribbon(a, b opening) []Slab {
	steps := 1
	bent := a.dx*b.dx+a.dz*b.dz > -0.9 || math.Abs((b.x-a.x)*a.dz)+math.Abs((b.z-a.z)*a.dx) > 1
	if bent {
		steps = max(4, int(math.Hypot(b.x-a.x, b.z-a.z)/12))
	}
	if !s.flat(a, b) {
		steps = max(steps, int(math.Hypot(b.x-a.x, b.z-a.z)/8))
	}
	steps = min(steps, 16)
	var out []Slab
	left0, right0 := s.edges(a, b, 0)
	for i := range steps {
		left1, right1 := s.edges(a, b, float64(i+1)/float64(steps))
		if crown := s.crown(); crown != 0 {
			mid0, mid1 := scaled(plus(left0, right0), 0.5), scaled(plus(left1, right1), 0.5)
			mid0.Y, mid1.Y = mid0.Y+crown, mid1.Y+crown
			out = append(out, slabBetween(left0, mid0, left1, mid1), slabBetween(mid0, right0, mid1, right1))
		} else {
			out = append(out, slabBetween(left0, right0, left1, right1))
		}
		left0, right0 = left1, right1
	}
	return out
}

// crown is the height of the middle of a road above its edges. The values come from
// diagonal roads, whose ends meet in the middle of the road.
func (s *shape) crown() float32 {
	switch {
	case s.Kind.Environment != "Stadium2020":
		return 0
	case strings.HasPrefix(s.Kind.Name, "RoadBump"):
		return 2.5
	case strings.HasPrefix(s.Kind.Name, "RoadDirt"):
		return -1.5
	}
	return 0
}

// flat reports whether a ribbon has the same height everywhere.
func (s *shape) flat(a, b opening) bool {
	if len(s.openings) == 2 {
		return a.left == a.right && b.left == b.right && a.left == b.left && s.bulge() == 0
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range s.profile.spots {
		if p.weight > 2 || len(s.profile.spots) < 9 {
			low, high = min(low, p.height), max(high, p.height)
		}
	}
	return high-low < 0.8
}

// way returns the middle and the direction of a ribbon at t, from 0 at its beginning to 1 at
// its end.
func (s *shape) way(a, b opening, t float64) (x, z, dx, dz float64) {
	// A cubic Bézier curve with this factor is nearly a quarter of a circle between two
	// sides of a square.
	const circle = 0.5523
	ka, kb := circle, circle
	if a.dx*b.dx+a.dz*b.dz < -0.9 {
		ka, kb = 0.5, 0.5
	}
	reachA := math.Abs((b.x-a.x)*a.dx + (b.z-a.z)*a.dz)
	reachB := math.Abs((b.x-a.x)*b.dx + (b.z-a.z)*b.dz)
	x1, z1 := a.x+a.dx*reachA*ka, a.z+a.dz*reachA*ka
	x2, z2 := b.x+b.dx*reachB*kb, b.z+b.dz*reachB*kb
	if a.slanted || b.slanted {
		x1, z1 = a.x+(b.x-a.x)/3, a.z+(b.z-a.z)/3
		x2, z2 = a.x+(b.x-a.x)*2/3, a.z+(b.z-a.z)*2/3
	}
	u := 1 - t
	x = u*u*u*a.x + 3*u*u*t*x1 + 3*u*t*t*x2 + t*t*t*b.x
	z = u*u*u*a.z + 3*u*u*t*z1 + 3*u*t*t*z2 + t*t*t*b.z
	dx = u*u*(x1-a.x) + 2*u*t*(x2-x1) + t*t*(b.x-x2)
	dz = u*u*(z1-a.z) + 2*u*t*(z2-z1) + t*t*(b.z-z2)
	if n := math.Hypot(dx, dz); n > 0 {
		dx, dz = dx/n, dz/n
	}
	return x, z, dx, dz
}

// edges returns the left and right edge of a ribbon at t.
func (s *shape) edges(a, b opening, t float64) (left, right gbx.Vec3) {
	x, z, dx, dz := s.way(a, b, t)
	u := 1 - t
	half := a.half*u + b.half*t
	lx, lz, rx, rz := x+dz*half, z-dx*half, x-dz*half, z+dx*half
	var hl, hr float64
	if len(s.openings) == 2 {
		e := s.ease(t)
		// Opening b is seen from outside, so its right side is the left side of the road.
		hl, hr = a.left*(1-e)+b.right*e, a.right*(1-e)+b.left*e
		bulge := s.bulge() * 4 * t * u
		hl, hr = hl+bulge, hr+bulge
	} else {
		// Few cars drive at the edges, so the heights there are extrapolated from places
		// halfway to the middle.
		const inner = 0.5
		hl = s.profile.at(x+dz*half*inner, z-dx*half*inner)
		hr = s.profile.at(x-dz*half*inner, z+dx*half*inner)
		mid := (hl + hr) / 2
		hl, hr = mid+(hl-mid)/inner, mid+(hr-mid)/inner
	}
	return gbx.Vec3{X: float32(lx), Y: float32(hl), Z: float32(lz)}, gbx.Vec3{X: float32(rx), Y: float32(hr), Z: float32(rz)}
}

// ease states how much of the climb is done at t of the way, both from 0 to 1.
func (s *shape) ease(t float64) float64 {
	up := s.Kind.Ends[0].Side == 0 && s.Kind.Ends[0].From > s.Kind.Ends[len(s.Kind.Ends)-1].From // the north end is listed first
	switch {
	case s.Kind.Has("slopebase") || s.Kind.Has("transition") || s.Kind.Has("chicane"):
		return t * t * (3 - 2*t)
	case s.Kind.Has("start") && s.Kind.Has("slope"), s.Kind.Has("end") && s.Kind.Has("slope"):
		// The start of a slope is flat at its lower end; the end of a slope is flat at
		// its upper end.
		if (s.Kind.Has("start")) == up { // t runs from the north end, so downwards
			return 1 - (1-t)*(1-t)
		}
		return t * t
	}
	return t
}

// bulge is the height of the middle of a dip or crest above its ends. It doubles for
// blocks longer than one cell.
func (s *shape) bulge() float64 {
	h := 0.0
	switch {
	case s.Kind.Has("dip"):
		h = -2
	case s.Kind.Has("crest"):
		h = 2
	}
	if s.cells.Size.Z > 1 {
		h *= 2
	}
	return h
}

// slabBetween returns the flat slab nearest to four corners, with its upper side up.
func slabBetween(l0, r0, l1, r1 gbx.Vec3) Slab {
	return slabFacing(l0, r0, l1, r1, gbx.Vec3{Y: 1})
}

// slabFacing is slabBetween with the upper side facing a direction.
func slabFacing(l0, r0, l1, r1, up gbx.Vec3) Slab {
	mid := scaled(plus(plus(l0, r0), plus(l1, r1)), 0.25)
	along := minus(plus(l1, r1), plus(l0, r0))
	across := minus(plus(r0, r1), plus(l0, l1))
	s := Slab{Top: mid, Long: length(along) / 2, Wide: length(across) / 2, Edge: max(length(minus(l1, l0)), length(minus(r1, r0)))}
	// Both directions turn by the same angle until they are perpendicular, so that
	// mirrored corners give the mirrored slab.
	along, across = unit(along), unit(across)
	half, other := unit(plus(along, across)), unit(minus(along, across))
	s.Along, s.Right = unit(plus(half, other)), unit(minus(half, other))
	s.Normal = cross(s.Along, s.Right)
	if dot(s.Normal, up) < 0 {
		s.Normal, s.Right = scaled(s.Normal, -1), scaled(s.Right, -1)
	}
	return s
}

func plus(a, b gbx.Vec3) gbx.Vec3  { return gbx.Vec3{X: a.X + b.X, Y: a.Y + b.Y, Z: a.Z + b.Z} }
func minus(a, b gbx.Vec3) gbx.Vec3 { return gbx.Vec3{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z} }
func scaled(a gbx.Vec3, k float32) gbx.Vec3 {
	return gbx.Vec3{X: a.X * k, Y: a.Y * k, Z: a.Z * k}
}
func dot(a, b gbx.Vec3) float32 { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }
func length(a gbx.Vec3) float64 { return math.Sqrt(float64(dot(a, a))) }
func cross(a, b gbx.Vec3) gbx.Vec3 {
	return gbx.Vec3{X: a.Y*b.Z - a.Z*b.Y, Y: a.Z*b.X - a.X*b.Z, Z: a.X*b.Y - a.Y*b.X}
}

func unit(a gbx.Vec3) gbx.Vec3 {
	if n := length(a); n > 0 {
		return scaled(a, float32(1/n))
	}
	return gbx.Vec3{X: 1}
}
