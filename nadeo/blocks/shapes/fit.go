package shapes

import (
	"math"
	"strings"
)

// fitted finds the openings of a road without known ends from the places where cars drove:
// of all ways from one cell at the edge of its box to another, the one that has these
// places. A road that branches fits none.
func (s *shape) fitted() (from, to opening, ok bool) {
	size := s.cells.Size
	if !strings.HasPrefix(s.Kind.Environment, "Stadium") {
		return from, to, false // elsewhere too few cars drove for that
	}
	if !strings.Contains(s.Kind.Name, "Road") || s.isArena() || s.Kind.Has("branch") || s.Kind.Has("terrain") {
		return from, to, false
	}
	if size.X*size.Z == 1 || size.X > 5 || size.Z > 5 || s.profile.samples < 20 || len(s.profile.spots) < 6 {
		return from, to, false
	}
	const share = 0.93 // of the samples, which has to lie on the road
	best := share
	all := s.sides()
	for i := range all {
		for j := i + 1; j < len(all); j++ {
			if fit := s.fit(all[i], all[j]); fit > best+1e-9 {
				from, to, ok, best = all[i], all[j], true, fit
			}
		}
	}
	return from, to, ok
}

// sides returns an opening in the middle of each cell along the sides of the box.
func (s *shape) sides() []opening {
	var out []opening
	half := s.half()
	wide, long := float64(s.cell.X), float64(s.cell.Z)
	for i := range s.cells.Size.X {
		x := (float64(i) + 0.5) * wide
		out = append(out, opening{x: x, dz: 1, half: half}, opening{x: x, z: s.long, dz: -1, half: half})
	}
	for i := range s.cells.Size.Z {
		z := (float64(i) + 0.5) * long
		out = append(out, opening{z: z, dx: 1, half: half}, opening{x: s.wide, z: z, dx: -1, half: half})
	}
	return out
}

// fit returns the share of the samples on the way between two openings, 0 if cars left out
// a part of the way, or if the way leads through other blocks.
func (s *shape) fit(a, b opening) float64 {
	const parts = 12
	var x, z [parts + 1]float64
	for i := range parts + 1 {
		x[i], z[i], _, _ = s.way(a, b, float64(i)/parts)
		near := false
		for _, q := range s.profile.spots {
			near = near || math.Hypot(q.x-x[i], q.z-z[i]) < 1.5*square
		}
		if !near || !s.taken(min(max(x[i], 0.1), s.wide-0.1), min(max(z[i], 0.1), s.long-0.1)) {
			return 0
		}
	}
	on, all, off := 0.0, 0.0, 0.0
	for _, q := range s.profile.spots {
		nearest := math.Inf(1)
		for i := range parts {
			nearest = min(nearest, distance(q.x, q.z, x[i], z[i], x[i+1], z[i+1]))
		}
		all += q.weight
		off += q.weight * nearest
		if nearest < a.half+2 {
			on += q.weight
		}
	}
	return on/all - off/all/1000 // of equal shares, the one whose middle is nearer
}

// distance is that of a point from a line between two others.
func distance(x, z, x0, z0, x1, z1 float64) float64 {
	dx, dz := x1-x0, z1-z0
	t := 0.0
	if l := dx*dx + dz*dz; l > 0 {
		t = min(1, max(0, ((x-x0)*dx+(z-z0)*dz)/l))
	}
	return math.Hypot(x-x0-t*dx, z-z0-t*dz)
}
