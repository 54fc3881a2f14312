package gltf

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/model"
)

// quaternions point in all directions, with each of their parts the largest.
func quaternions() (list [][4]float32) {
	for _, q := range [][4]float64{
		{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {.1, .2, .3, .9}, {.9, .1, .2, .3}, {.2, .9, .3, .1}, {.3, .2, .9, .1},
		{-.5, .5, .5, .5}, {.5, -.5, .5, .5}, {.5, .5, -.5, .5}, {.7, 0, 0, .7}, {0, .7, -.7, 0}, {.1, -.9, .2, -.3}, {-.2, .3, .1, .8},
	} {
		n := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
		list = append(list, [4]float32{float32(q[0] / n), float32(q[1] / n), float32(q[2] / n), float32(q[3] / n)})
	}
	return list
}

// turned is a vector turned by a quaternion: v + 2w(u×v) + 2u×(u×v), by Rodrigues.
func turned(q [4]float32, v [3]float64) [3]float64 {
	u, w := [3]float64{float64(q[0]), float64(q[1]), float64(q[2])}, float64(q[3])
	cross := func(a, b [3]float64) [3]float64 {
		return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	}
	uv := cross(u, v)
	uuv := cross(u, uv)
	for i := range v {
		v[i] += 2*w*uv[i] + 2*uuv[i]
	}
	return v
}

func near(a, b [3]float64) bool {
	return math.Abs(a[0]-b[0])+math.Abs(a[1]-b[1])+math.Abs(a[2]-b[2]) < 1e-5
}

// A quaternion turns the axes as the formula does, and is found again in them,
// with the scale and the side that they have.
func TestRotation(t *testing.T) {
	for _, q := range quaternions() {
		m := rotation(q)
		for i, axis := range []model.Vec3{m.X, m.Y, m.Z} {
			var unit [3]float64
			unit[i] = 1
			if want := turned(q, unit); !near(axis, want) {
				t.Errorf("%v: axis %d becomes %v, want %v", q, i, axis, want)
			}
		}
		if d := det([3][3]float64{m.X, m.Y, m.Z}); math.Abs(d-1) > 1e-5 {
			t.Errorf("%v: determinant %v", q, d)
		}
		for _, scale := range [][3]float32{{1, 1, 1}, {2, 3, 0.5}, {-1, 1, 1}, {-2, 3, 4}} {
			at := model.Matrix{X: m.X.Times(float64(scale[0])), Y: m.Y.Times(float64(scale[1])), Z: m.Z.Times(float64(scale[2])), T: model.Vec3{1, 2, 3}}
			got, ok := decompose(at.Short())
			if !ok || got.translation != [3]float32{1, 2, 3} {
				t.Fatalf("%v, scaled %v: %+v, %v", q, scale, got, ok)
			}
			var alike float64
			for i := range q {
				alike += float64(q[i]) * float64(got.rotation[i])
			}
			if math.Abs(alike) < 1-1e-5 {
				t.Errorf("%v, scaled %v, is found as %v", q, scale, got.rotation)
			}
			if scale == [3]float32{1, 1, 1} && got.scale != scale {
				t.Errorf("%v: what is not scaled is scaled %v", q, got.scale)
			}
			for i := range scale {
				if math.Abs(float64(got.scale[i]-scale[i])) > 1e-4 {
					t.Errorf("%v: scaled %v, found %v", q, scale, got.scale)
				}
			}
		}
	}
	if d := det([3][3]float64{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}); d != -3 {
		t.Errorf("determinant %v, want -3", d)
	}
}

// A transform that shears or flattens cannot be expressed as translation, rotation, scale.
func TestDecomposeRefuses(t *testing.T) {
	unit := mesh.Identity
	for what, change := range map[string]func(m *mesh.Transform){
		"sheared":      func(m *mesh.Transform) { m.X.Y = 0.01 },
		"sheared back": func(m *mesh.Transform) { m.Z.X = -0.01 },
		"flat":         func(m *mesh.Transform) { m.Y = gbx.Vec3{} },
		"endless":      func(m *mesh.Transform) { m.Z.Z = float32(math.Inf(1)) },
		"no number":    func(m *mesh.Transform) { m.X.X = float32(math.NaN()) },
		"huge":         func(m *mesh.Transform) { m.X.X = 1e11 },
		"tiny":         func(m *mesh.Transform) { m.X.X = 1e-11 },
	} {
		m := unit
		change(&m)
		if got, ok := decompose(m); ok {
			t.Errorf("%s: got = %+v; want ok = false", what, got)
		}
	}
	if got, ok := decompose(unit); !ok || got != (trs{rotation: [4]float32{3: 1}, scale: [3]float32{1, 1, 1}}) {
		t.Errorf("got = %+v, ok = %v; want ok = true, got = trs{rotation: [4]float32{3: 1}, scale: [3]float32{1, 1, 1}}", got, ok)
	}
}

// short takes n bytes.
type short struct{ n int }

var errShort = errors.New("no room")

func (s *short) Write(p []byte) (int, error) {
	if s.n -= len(p); s.n < 0 {
		return 0, errShort
	}
	return len(p), nil
}

// A write error at any offset is returned.
func TestWriteFails(t *testing.T) {
	part := mesh.Part{Material: -1, Geometry: &mesh.Geometry{Positions: []gbx.Vec3{{}, {X: 1}, {Y: 1}}, Indices: []uint32{0, 1, 2}}}
	scene := &mesh.Scene{Nodes: []*mesh.Node{{Name: "n", Transform: mesh.Identity, Mesh: &mesh.Mesh{Parts: []mesh.Part{part}}}}}
	var whole bytes.Buffer
	if err := Write(&whole, scene, "name"); err != nil {
		t.Fatal(err)
	}
	for n := range whole.Len() {
		if err := Write(&short{n}, scene, "name"); !errors.Is(err, errShort) {
			t.Fatalf("room for %d of %d bytes: %v", n, whole.Len(), err)
		}
	}
	if err := Write(&short{whole.Len()}, scene, "name"); err != nil {
		t.Error(err)
	}
}
