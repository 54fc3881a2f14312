package model

import (
	"math"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
)

// Vec2 is u and v.
type Vec2 [2]float64

// Vec3 is x, y and z.
type Vec3 [3]float64

// Add returns the sum.
func (a Vec3) Add(b Vec3) Vec3 { return Vec3{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// Sub returns the difference.
func (a Vec3) Sub(b Vec3) Vec3 { return Vec3{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// Times returns the vector scaled by f.
func (a Vec3) Times(f float64) Vec3 { return Vec3{a[0] * f, a[1] * f, a[2] * f} }

// Dot returns the inner product.
func (a Vec3) Dot(b Vec3) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// Cross returns the vector product.
func (a Vec3) Cross(b Vec3) Vec3 {
	return Vec3{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// Unit returns the vector scaled to length 1, or the zero vector if it is zero.
func (a Vec3) Unit() Vec3 {
	length := math.Sqrt(a.Dot(a))
	if !(length > 0) || math.IsInf(length, 0) {
		return Vec3{}
	}
	return Vec3{a[0] / length, a[1] / length, a[2] / length}
}

// Matrix maps a point p to X*p[0] + Y*p[1] + Z*p[2] + T.
type Matrix struct{ X, Y, Z, T Vec3 }

// Identity maps every point to itself.
var Identity = Matrix{X: Vec3{1, 0, 0}, Y: Vec3{0, 1, 0}, Z: Vec3{0, 0, 1}}

// Point transforms a point.
func (m Matrix) Point(p Vec3) Vec3 { return m.Direction(p).Add(m.T) }

// Direction transforms a direction: it leaves out the translation.
func (m Matrix) Direction(p Vec3) Vec3 {
	return m.X.Times(p[0]).Add(m.Y.Times(p[1])).Add(m.Z.Times(p[2]))
}

// Times returns the matrix that applies n first, then m.
func (m Matrix) Times(n Matrix) Matrix {
	return Matrix{X: m.Direction(n.X), Y: m.Direction(n.Y), Z: m.Direction(n.Z), T: m.Point(n.T)}
}

// Mirrors reports whether the matrix mirrors. The corners of a polygon are then clockwise
// and must be read backwards.
func (m Matrix) Mirrors() bool { return m.X.Cross(m.Y).Dot(m.Z) < 0 }

// Normal transforms the normal of a face. It uses cofactors, which keep the normal
// perpendicular to the face if the matrix stretches. The result has length 1.
func (m Matrix) Normal(n Vec3) Vec3 {
	upright := Matrix{X: m.Y.Cross(m.Z), Y: m.Z.Cross(m.X), Z: m.X.Cross(m.Y)}
	out := upright.Direction(n)
	if m.Mirrors() {
		out = out.Times(-1)
	}
	return out.Unit()
}

// Short converts the matrix to the 32-bit numbers of package mesh.
func (m Matrix) Short() mesh.Transform {
	return mesh.Transform{Mat3: gbx.Mat3{X: m.X.short(), Y: m.Y.short(), Z: m.Z.short()}, T: m.T.short()}
}

func (a Vec3) short() gbx.Vec3 {
	return gbx.Vec3{X: float32(a[0]), Y: float32(a[1]), Z: float32(a[2])}
}
