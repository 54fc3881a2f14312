package code

import (
	"math"
	"testing"

	"pakbox/gbx"
)

func near(a float32, b float64) bool { return math.Abs(float64(a)-b) < 1e-4 }

func TestUnpackRotation(t *testing.T) {
	half := math.Sqrt2 / 2
	for _, test := range []struct {
		angle          uint16
		heading, pitch int16
		w, x, y, z     float64
	}{
		{0, 0, 0, 1, 0, 0, 0},
		{16384, 0, 0, half, half, 0, 0},
		{32768, 16384, 0, 0, 0, 1, 0},
		{32768, 0, 32767, 0, 0, 0, 1},
		{65535, 0, 0, -1, 0, 0, 0},
	} {
		q := UnpackRotation(test.angle, test.heading, test.pitch)
		if !near(q.W, test.w) || !near(q.X, test.x) || !near(q.Y, test.y) || !near(q.Z, test.z) {
			t.Errorf("%+v gives %+v", test, q)
		}
	}
}

func TestUnpackVelocity(t *testing.T) {
	if v := UnpackVelocity(math.MinInt16, 12, 34); v != (gbx.Vec3{}) {
		t.Errorf("no speed gives %+v", v)
	}
	if v := UnpackVelocity(0, 0, 0); !near(v.X, 1) || !near(v.Y, 0) || !near(v.Z, 0) {
		t.Errorf("exp(0) along x gives %+v", v)
	}
	if v := UnpackVelocity(2303, 0, 127); !near(v.Z/10, math.Exp(2.303)/10) {
		t.Errorf("exp(2.303) upwards gives %+v", v)
	}
}
