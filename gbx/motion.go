package gbx

import "math"

// Ghosts store a rotation in six bytes and a velocity in four. An angle is a
// fraction of a half turn, a speed a logarithm.

// UnpackRotation returns a rotation. angle is half its angle, 65535 for pi; the
// axis has heading (32767 is pi) and pitch (32767 is pi/2).
func UnpackRotation(angle uint16, heading, pitch int16) Quat {
	a := float64(angle) * math.Pi / math.MaxUint16
	h := float64(heading) * math.Pi / math.MaxInt16
	p := float64(pitch) * math.Pi / 2 / math.MaxInt16
	x, y, z := direction(h, p)
	s := math.Sin(a)
	return Quat{W: float32(math.Cos(a)), X: float32(s * x), Y: float32(s * y), Z: float32(s * z)}
}

// UnpackVelocity returns a velocity. speed is 1000 times the logarithm of the
// speed, -32768 for none; heading (127 is pi) and pitch (127 is pi/2) give the
// direction.
func UnpackVelocity(speed int16, heading, pitch int8) Vec3 {
	if speed == math.MinInt16 {
		return Vec3{}
	}
	v := math.Exp(float64(speed) / 1000)
	h := float64(heading) * math.Pi / math.MaxInt8
	p := float64(pitch) * math.Pi / 2 / math.MaxInt8
	x, y, z := direction(h, p)
	return Vec3{float32(v * x), float32(v * y), float32(v * z)}
}

// direction returns the unit vector with a heading and a pitch.
func direction(heading, pitch float64) (x, y, z float64) {
	c := math.Cos(pitch)
	return c * math.Cos(heading), c * math.Sin(heading), math.Sin(pitch)
}
