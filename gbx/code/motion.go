package code

import (
	"math"
	"sync"

	"pakbox/gbx"
)

// Ghosts store a rotation in six bytes and a velocity in four. Angles are fractions of
// half a turn; the speed is a logarithm.

// UnpackRotation returns a rotation. angle is half of its angle, with 65535 for pi. The
// axis is given by heading (32767 is pi) and pitch (32767 is pi/2).
func UnpackRotation(angle uint16, heading, pitch int16) gbx.Quat {
	a := float64(angle) * math.Pi / math.MaxUint16
	h := float64(heading) * math.Pi / math.MaxInt16
	p := float64(pitch) * math.Pi / 2 / math.MaxInt16
	x, y, z := direction(h, p)
	s, c := math.Sincos(a)
	return gbx.Quat{W: float32(c), X: float32(s * x), Y: float32(s * y), Z: float32(s * z)}
}

// UnpackVelocity returns a velocity. speed is 1000 times the logarithm of the
// speed, -32768 for none; heading (127 is pi) and pitch (127 is pi/2) give the
// direction.
func UnpackVelocity(speed int16, heading, pitch int8) gbx.Vec3 {
	if speed == math.MinInt16 {
		return gbx.Vec3{}
	}
	v, t := UnpackSpeed(speed), octetTurns()
	h, p := &t.heading[uint8(heading)], &t.pitch[uint8(pitch)]
	return gbx.Vec3{X: float32(v * (p.cos * h.cos)), Y: float32(v * (p.cos * h.sin)), Z: float32(v * p.sin)}
}

// UnpackSpeed returns the length of a velocity: speed is 1000 times its logarithm,
// -32768 for none.
func UnpackSpeed(speed int16) float64 {
	if speed == math.MinInt16 {
		return 0
	}
	return math.Exp(float64(speed) / 1000)
}

// turn has the sine and cosine of an angle.
type turn struct{ sin, cos float64 }

func turnOf(angle float64) turn {
	sin, cos := math.Sincos(angle)
	return turn{sin, cos}
}

// octetTurns has the sines and cosines of all headings and pitches in a byte. A run has
// thousands of samples, each with a direction.
var octetTurns = sync.OnceValue(func() *struct{ heading, pitch [256]turn } {
	t := new(struct{ heading, pitch [256]turn })
	for i := range 256 {
		angle := float64(int8(i)) * math.Pi
		t.heading[i], t.pitch[i] = turnOf(angle/math.MaxInt8), turnOf(angle/2/math.MaxInt8)
	}
	return t
})

// direction returns the unit vector with a heading and a pitch.
func direction(heading, pitch float64) (x, y, z float64) {
	h, p := turnOf(heading), turnOf(pitch)
	return p.cos * h.cos, p.cos * h.sin, p.sin
}
