package model_test

import (
	"math"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/mesh/model"
)

// Products of vectors and matrices are what they are called.
func TestAlgebra(t *testing.T) {
	x, y, z := model.Vec3{1, 0, 0}, model.Vec3{0, 1, 0}, model.Vec3{0, 0, 1}
	if x.Cross(y) != z || y.Cross(z) != x || z.Cross(x) != y || y.Cross(x) != (model.Vec3{0, 0, -1}) {
		t.Error("the axes are not right-handed")
	}
	a, b := model.Vec3{1, 2, 3}, model.Vec3{5, -7, 11}
	if a.Add(b) != (model.Vec3{6, -5, 14}) || a.Sub(b) != (model.Vec3{-4, 9, -8}) || a.Times(2) != (model.Vec3{2, 4, 6}) || a.Dot(b) != 24 {
		t.Errorf("a.Add(b) = %v, a.Sub(b) = %v, a.Times(2) = %v, a.Dot(b) = %v; want a.Add(b) = model.Vec3{6, -5, 14}, a.Sub(b) = model.Vec3{-4, 9, -8}, a.Times(2) = model.Vec3{2, 4, 6}, a.Dot(b) = 24", a.Add(b), a.Sub(b), a.Times(2), a.Dot(b))
	}
	for v, want := range map[model.Vec3]model.Vec3{{3, 0, 4}: {0.6, 0, 0.8}, {}: {}, {math.Inf(1), 0, 0}: {}, {1e-200, 0, 0}: {}} {
		if got := v.Unit(); got != want {
			t.Errorf("%v has the direction %v, want %v", v, got, want)
		}
	}
	if got := (model.Vec3{math.NaN(), 1, 1}).Unit(); got != (model.Vec3{}) {
		t.Errorf("got = %v; want model.Vec3{}", got)
	}
	m := model.Matrix{X: model.Vec3{0, 2, 0}, Y: model.Vec3{-3, 0, 0}, Z: model.Vec3{0, 1, 1}, T: model.Vec3{10, 20, 30}}
	if p := m.Point(model.Vec3{1, 1, 1}); p != (model.Vec3{7, 23, 31}) {
		t.Errorf("p = %v; want model.Vec3{7, 23, 31}", p)
	}
	if d := m.Direction(model.Vec3{1, 1, 1}); d != (model.Vec3{-3, 3, 1}) {
		t.Errorf("d = %v; want model.Vec3{-3, 3, 1}", d)
	}
	n := model.Matrix{X: model.Vec3{1, 2, 3}, Y: model.Vec3{0, 1, 4}, Z: model.Vec3{5, 6, 0}, T: model.Vec3{7, 8, 9}}
	for _, p := range []model.Vec3{{}, x, y, z, a, b} {
		if got, want := m.Times(n).Point(p), m.Point(n.Point(p)); got != want {
			t.Errorf("%v: %v, want %v", p, got, want)
		}
		if model.Identity.Point(p) != p || model.Identity.Times(m) != m || m.Times(model.Identity) != m {
			t.Error("the identity changes something")
		}
	}
	short := m.Short()
	if short.X != (gbx.Vec3{Y: 2}) || short.Y != (gbx.Vec3{X: -3}) || short.Z != (gbx.Vec3{Y: 1, Z: 1}) || short.T != (gbx.Vec3{X: 10, Y: 20, Z: 30}) {
		t.Errorf("short = %+v; want short.X = gbx.Vec3{Y: 2}, short.Y = gbx.Vec3{X: -3}, short.Z = gbx.Vec3{Y: 1, Z: 1}, short.T = gbx.Vec3{X: 10, Y: 20, Z: 30}", short)
	}
}

// A matrix that flattens mirrors nothing; one that swaps or turns over one axis does.
func TestMirrors(t *testing.T) {
	flat := model.Identity
	flat.Z = model.Vec3{}
	swapped := model.Matrix{X: model.Identity.Y, Y: model.Identity.X, Z: model.Identity.Z}
	turned := model.Identity
	turned.X, turned.Z = turned.X.Times(-1), turned.Z.Times(-1)
	for name, test := range map[string]struct {
		m    model.Matrix
		want bool
	}{"flat": {flat, false}, "swapped": {swapped, true}, "turned": {turned, false}, "nothing": {model.Identity, false}} {
		if test.m.Mirrors() != test.want {
			t.Errorf("%s: !test.want = %v; want test.m.Mirrors() = %v", name, !test.want, test.want)
		}
	}
	if n := flat.Normal(model.Vec3{1, 0, 0}); n != (model.Vec3{}) {
		t.Errorf("a normal along what is flat is %v", n)
	}
	if n := flat.Normal(model.Vec3{0, 0, 5}); n != (model.Vec3{0, 0, 1}) {
		t.Errorf("the normal of what is flat is %v", n)
	}
}

func TestCornersOf(t *testing.T) {
	m := &model.Mesh{Corners: []int32{9, 8, 7, 6, 5}}
	got := m.CornersOf(model.Polygon{First: 1, Count: 3})
	if len(got) != 3 || got[0] != 8 || got[2] != 6 {
		t.Errorf("got = %v; want got of length 3, got[0] = 8, got[2] = 6", got)
	}
}
