package maps

import (
	"math"

	"pakbox/gbx"
)

// rotation is the matrix of yaw, pitch and roll: about the upright axis last,
// before it about the one to the side, and first along.
func rotation(r gbx.Vec3) (m [3][3]float64) {
	sy, cy := math.Sincos(float64(r.X))
	sp, cp := math.Sincos(float64(r.Y))
	sr, cr := math.Sincos(float64(r.Z))
	return [3][3]float64{
		{cy*cr + sy*sp*sr, -cy*sr + sy*sp*cr, sy * cp},
		{cp * sr, cp * cr, -sp},
		{-sy*cr + cy*sp*sr, sy*sr + cy*sp*cr, cy * cp},
	}
}

// rotated is a place of something that is turned, from where it stands.
func rotated(r, p gbx.Vec3) gbx.Vec3 {
	m := rotation(r)
	at := func(i int) float32 {
		return float32(m[i][0]*float64(p.X) + m[i][1]*float64(p.Y) + m[i][2]*float64(p.Z))
	}
	return gbx.Vec3{X: at(0), Y: at(1), Z: at(2)}
}

// quarterInside is the turn of something that is turned by a quarter, clockwise
// as seen from above, before it is turned by r.
func quarterInside(r gbx.Vec3) gbx.Vec3 {
	if r.Y == 0 && r.Z == 0 {
		r.X = quarterYaw(r.X)
		return r
	}
	m := rotation(r)
	// A quarter about the upright axis makes columns of each other: x becomes z.
	for i := range m {
		m[i][0], m[i][2] = m[i][2], -m[i][0]
	}
	return gbx.Vec3{
		X: float32(math.Atan2(m[0][2], m[2][2])), Y: float32(math.Asin(max(-1, min(1, -m[1][2])))), Z: float32(math.Atan2(m[1][0], m[1][1])),
	}
}
