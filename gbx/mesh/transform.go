package mesh

import (
	"math"

	"pakbox/gbx"
)

// Transform maps a point p to X*p.x + Y*p.y + Z*p.z + T.
type Transform gbx.Iso4

// Identity maps every point to itself.
var Identity = Transform{Mat3: gbx.Mat3{X: gbx.Vec3{X: 1}, Y: gbx.Vec3{Y: 1}, Z: gbx.Vec3{Z: 1}}}

// Point transforms a point.
func (t Transform) Point(p gbx.Vec3) gbx.Vec3 { return add(t.vector(p), t.T) }

func (t Transform) vector(p gbx.Vec3) gbx.Vec3 {
	return add(add(scaled(t.X, p.X), scaled(t.Y, p.Y)), scaled(t.Z, p.Z))
}

// aligned reports whether t turns every axis into an axis.
func (t Transform) aligned() bool {
	for _, v := range []gbx.Vec3{t.X, t.Y, t.Z} {
		if v.X*v.Y != 0 || v.Y*v.Z != 0 || v.Z*v.X != 0 {
			return false
		}
	}
	return true
}

// Times returns the transform that applies u first, then t.
func (t Transform) Times(u Transform) Transform {
	return Transform{Mat3: gbx.Mat3{X: t.vector(u.X), Y: t.vector(u.Y), Z: t.vector(u.Z)}, T: t.Point(u.T)}
}

func (t Transform) finite() bool {
	return finite(t.X) && finite(t.Y) && finite(t.Z) && finite(t.T)
}

// fromIso4 returns the transform of a location. Its vectors are the rows of the matrix:
// only then do fences and lamps of old blocks stand on their blocks.
func fromIso4(m gbx.Iso4) Transform {
	return Transform{Mat3: gbx.Mat3{
		X: gbx.Vec3{X: m.X.X, Y: m.Y.X, Z: m.Z.X},
		Y: gbx.Vec3{X: m.X.Y, Y: m.Y.Y, Z: m.Z.Y},
		Z: gbx.Vec3{X: m.X.Z, Y: m.Y.Z, Z: m.Z.Z},
	}, T: m.T}
}

// placed returns the transform of a rotation and a position. Prefabs store the
// real part of a rotation last.
func placed(q gbx.Quat, position gbx.Vec3) Transform {
	x, y, z, w := q.W, q.X, q.Y, q.Z
	return Transform{Mat3: gbx.Mat3{
		X: gbx.Vec3{X: 1 - 2*(y*y+z*z), Y: 2 * (x*y + w*z), Z: 2 * (x*z - w*y)},
		Y: gbx.Vec3{X: 2 * (x*y - w*z), Y: 1 - 2*(x*x+z*z), Z: 2 * (y*z + w*x)},
		Z: gbx.Vec3{X: 2 * (x*z + w*y), Y: 2 * (y*z - w*x), Z: 1 - 2*(x*x+y*y)},
	}, T: position}
}

func add(a, b gbx.Vec3) gbx.Vec3 { return gbx.Vec3{X: a.X + b.X, Y: a.Y + b.Y, Z: a.Z + b.Z} }
func sub(a, b gbx.Vec3) gbx.Vec3 { return gbx.Vec3{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z} }

func scaled(a gbx.Vec3, f float32) gbx.Vec3 { return gbx.Vec3{X: a.X * f, Y: a.Y * f, Z: a.Z * f} }

func dot(a, b gbx.Vec3) float32 { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }

func cross(a, b gbx.Vec3) gbx.Vec3 {
	return gbx.Vec3{X: a.Y*b.Z - a.Z*b.Y, Y: a.Z*b.X - a.X*b.Z, Z: a.X*b.Y - a.Y*b.X}
}

// unit returns a vector scaled to length 1, or false for a zero vector.
func unit(a gbx.Vec3) (gbx.Vec3, bool) {
	x, y, z := float64(a.X), float64(a.Y), float64(a.Z)
	l := math.Sqrt(x*x + y*y + z*z)
	if l < 1e-20 || math.IsInf(l, 0) || math.IsNaN(l) {
		return gbx.Vec3{Y: 1}, false
	}
	return gbx.Vec3{X: float32(x / l), Y: float32(y / l), Z: float32(z / l)}, true
}

func finite(v gbx.Vec3) bool { return finite1(v.X) && finite1(v.Y) && finite1(v.Z) }

func finite1(f float32) bool { return math.Float32bits(f)&0x7F800000 != 0x7F800000 }
