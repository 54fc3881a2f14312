package scene

import (
	"math"

	"pakbox/gbx"
)

// Turn is a rotation as a quaternion: x, y, z, w.
type Turn [4]float32

var noTurn = Turn{0, 0, 0, 1}

// turnOf converts the yaw, pitch and roll of the games: a turn about the upright axis,
// then about the axis to the side, then about the axis ahead.
func turnOf(r gbx.Vec3) Turn {
	if !finite(r) {
		return noTurn
	}
	sy, cy := math.Sincos(float64(r.X) / 2)
	sp, cp := math.Sincos(float64(r.Y) / 2)
	sr, cr := math.Sincos(float64(r.Z) / 2)
	return Turn{
		float32(cy*sp*cr + sy*cp*sr),
		float32(sy*cp*cr - cy*sp*sr),
		float32(cy*cp*sr - sy*sp*cr),
		float32(cy*cp*cr + sy*sp*sr),
	}
}

// turnTo returns the rotation that moves the axes x, y and z onto the given ones. Those
// must be perpendicular and right-handed.
func turnTo(x, y, z gbx.Vec3) Turn {
	t := Turn{y.Z - z.Y, z.X - x.Z, x.Y - y.X, 1 + x.X + y.Y + z.Z}
	switch { // start from the largest component: the division is then exact enough
	case x.X > y.Y && x.X > z.Z && x.X+y.Y+z.Z < 0:
		t = Turn{1 + x.X - y.Y - z.Z, x.Y + y.X, x.Z + z.X, y.Z - z.Y}
	case y.Y > z.Z && x.X+y.Y+z.Z < 0:
		t = Turn{x.Y + y.X, 1 + y.Y - x.X - z.Z, y.Z + z.Y, z.X - x.Z}
	case x.X+y.Y+z.Z < 0:
		t = Turn{x.Z + z.X, y.Z + z.Y, 1 + z.Z - x.X - y.Y, x.Y - y.X}
	}
	n := float32(math.Sqrt(float64(t[0]*t[0] + t[1]*t[1] + t[2]*t[2] + t[3]*t[3])))
	return Turn{t[0] / n, t[1] / n, t[2] / n, t[3] / n}
}

// Apply rotates a point about the origin.
func (t Turn) Apply(p gbx.Vec3) gbx.Vec3 {
	x, y, z, w := t[0], t[1], t[2], t[3]
	// Twice the cross product of the axis and the point (rotation by a quaternion, after
	// Hamilton).
	cx, cy, cz := 2*(y*p.Z-z*p.Y), 2*(z*p.X-x*p.Z), 2*(x*p.Y-y*p.X)
	return gbx.Vec3{X: p.X + w*cx + y*cz - z*cy, Y: p.Y + w*cy + z*cx - x*cz, Z: p.Z + w*cz + x*cy - y*cx}
}

// Matrix returns the transformation of the mesh as a 4×4 matrix, column by column as glTF
// stores it.
func (p *Instance) Matrix() [16]float32 {
	x, y, z, w := p.Turn[0], p.Turn[1], p.Turn[2], p.Turn[3]
	s := p.Scale
	m := [16]float32{
		s * (1 - 2*(y*y+z*z)), s * 2 * (x*y + z*w), s * 2 * (x*z - y*w), 0,
		s * 2 * (x*y - z*w), s * (1 - 2*(x*x+z*z)), s * 2 * (y*z + x*w), 0,
		s * 2 * (x*z + y*w), s * 2 * (y*z - x*w), s * (1 - 2*(x*x+y*y)), 0,
		0, 0, 0, 1,
	}
	at := add(p.Position, p.Turn.Apply(gbx.Vec3{X: p.Pivot.X * s, Y: p.Pivot.Y * s, Z: p.Pivot.Z * s}))
	m[12], m[13], m[14] = at.X, at.Y, at.Z
	return m
}
