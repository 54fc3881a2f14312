package gltf

import (
	"math"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
)

// trs is a transform in the form of glTF: scale, then rotate, then move.
type trs struct {
	translation [3]float32
	rotation    [4]float32 // x, y, z, w
	scale       [3]float32
}

// place sets the translation, rotation and scale of a node. Defaults of glTF are left
// out.
func (n *node) place(t trs) {
	if t.translation != [3]float32{} {
		n.Translation = &t.translation
	}
	if t.rotation != [4]float32{3: 1} {
		n.Rotation = &t.rotation
	}
	if t.scale != [3]float32{1, 1, 1} {
		n.Scale = &t.scale
	}
}

// decompose splits a transform into scale, rotation and translation. It fails for a shear
// or a projection to a plane.
func decompose(t mesh.Transform) (trs, bool) {
	axes := [3][3]float64{vector(t.X), vector(t.Y), vector(t.Z)}
	out := trs{translation: [3]float32{t.T.X, t.T.Y, t.T.Z}}
	if det(axes) < 0 { // the transform mirrors
		for i := range axes[0] {
			axes[0][i] = -axes[0][i]
		}
		out.scale[0] = -1
	} else {
		out.scale[0] = 1
	}
	out.scale[1], out.scale[2] = 1, 1
	for i := range axes {
		length := math.Sqrt(inner(axes[i], axes[i]))
		if !(length > 1e-10 && length < 1e10) {
			return trs{}, false
		}
		for j := range axes[i] {
			axes[i][j] /= length
		}
		if math.Abs(length-1) > 1e-5 {
			out.scale[i] *= float32(length)
		}
	}
	for i := range axes {
		if math.Abs(inner(axes[i], axes[(i+1)%3])) > 1e-3 {
			return trs{}, false
		}
	}
	out.rotation = quaternion(axes)
	return out, clamped(t.T) == t.T
}

func vector(v gbx.Vec3) [3]float64 { return [3]float64{float64(v.X), float64(v.Y), float64(v.Z)} }

func inner(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func det(m [3][3]float64) float64 {
	x, y, z := m[0], m[1], m[2]
	return x[0]*(y[1]*z[2]-y[2]*z[1]) + x[1]*(y[2]*z[0]-y[0]*z[2]) + x[2]*(y[0]*z[1]-y[1]*z[0])
}

// quaternion returns the rotation with the given axes. It starts from the largest
// component, to avoid a division by a small number.
func quaternion(m [3][3]float64) [4]float32 {
	x, y, z := m[0], m[1], m[2]
	q := [4]float64{ // x, y, z, w: four times their squares
		1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2], 1 + x[0] + y[1] + z[2],
	}
	best := 3
	for i, v := range q {
		if v > q[best] {
			best = i
		}
	}
	products := [4][4]float64{ // four times the products of two components
		{q[0], x[1] + y[0], z[0] + x[2], y[2] - z[1]},
		{x[1] + y[0], q[1], y[2] + z[1], z[0] - x[2]},
		{z[0] + x[2], y[2] + z[1], q[2], x[1] - y[0]},
		{y[2] - z[1], z[0] - x[2], x[1] - y[0], q[3]},
	}
	var sum float64
	for i := range q {
		q[i] = products[best][i]
		sum += q[i] * q[i]
	}
	var out [4]float32
	for i := range q {
		if v := float32(q[i] / math.Sqrt(sum)); v != 0 {
			out[i] = v // leaves 0 in place of -0
		}
	}
	return out
}

// maxBent limits the vertices that are copied because of transforms that decompose cannot
// split.
const maxBent = 1 << 24

// bend returns a mesh with a transform applied to its vertices.
func (b *builder) bend(m *mesh.Mesh, t mesh.Transform) *mesh.Mesh {
	if m == nil {
		return nil
	}
	for _, p := range m.Parts {
		b.bent += len(p.Positions)
	}
	if b.bent > maxBent {
		return nil
	}
	out := &mesh.Mesh{Name: m.Name, Kind: m.Kind}
	for _, p := range m.Parts {
		g := *p.Geometry
		g.Normals = nil // normals would need another transform
		g.Positions = make([]gbx.Vec3, len(p.Positions))
		for i, v := range p.Positions {
			g.Positions[i] = clamped(t.Point(v))
		}
		out.Parts = append(out.Parts, mesh.Part{Material: p.Material, Geometry: &g})
	}
	return out
}

// pushed applies a transform to child nodes.
func pushed(nodes []*mesh.Node, t mesh.Transform) []*mesh.Node {
	var out []*mesh.Node
	for _, n := range nodes {
		m := *n
		m.Transform = t.Times(n.Transform)
		out = append(out, &m)
	}
	return out
}

// clamped limits a computed position to finite numbers, as glTF requires.
func clamped(v gbx.Vec3) gbx.Vec3 {
	c := func(f float32) float32 {
		if f != f {
			return 0
		}
		return max(min(f, math.MaxFloat32), -math.MaxFloat32)
	}
	return gbx.Vec3{X: c(v.X), Y: c(v.Y), Z: c(v.Z)}
}
