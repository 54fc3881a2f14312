package runs

import (
	"math"

	"pakbox/fault"
	"pakbox/gbx"
)

// maxResampled limits the samples that Resample makes: a day of driving at a hundred
// samples per second. Times in a file can have any value.
const maxResampled = 24 * 3600 * 100

// Resample returns the line with samples at even steps, interpolated linearly. A step of
// 0 leaves the line unchanged. It fails if the line is impossibly long.
func (l *Line) Resample(step gbx.Time) (Line, error) {
	if step <= 0 || len(l.Samples) < 2 {
		return *l, nil
	}
	out := Line{Source: l.Source, Period: step}
	// In 64 bits, because the last step may go beyond the largest time.
	first, last := int64(l.Samples[0].Time), int64(l.Samples[len(l.Samples)-1].Time)
	if (last-first)/int64(step) > maxResampled {
		return out, fault.New(fault.Limit, "%d milliseconds in steps of %d are too many samples", last-first, step)
	}
	i := 0
	for at := first; at <= last; at += int64(step) {
		t := gbx.Time(at)
		for i+2 < len(l.Samples) && l.Samples[i+1].Time <= t {
			i++
		}
		out.Samples = append(out.Samples, l.at(i, t))
	}
	return out, nil
}

// at returns the car at a time between sample i and the next.
func (l *Line) at(i int, t gbx.Time) Sample {
	a, b := &l.Samples[i], &l.Samples[i+1]
	f := 0.0
	if b.Time > a.Time {
		f = float64(t-a.Time) / float64(b.Time-a.Time)
	}
	out := Between(a, b, f)
	out.Time = t
	return out
}

// Between returns the car at a moment between two samples: a at f = 0, b at f = 1.
func Between(a, b *Sample, f float64) Sample {
	mix := func(x, y float64) float64 { return x + (y-x)*f }
	vec := func(x, y gbx.Vec3) gbx.Vec3 {
		return gbx.Vec3{
			X: float32(mix(float64(x.X), float64(y.X))), Y: float32(mix(float64(x.Y), float64(y.Y))), Z: float32(mix(float64(x.Z), float64(y.Z))),
		}
	}
	out := *a
	out.Time = a.Time + gbx.Time(math.Round(float64(b.Time-a.Time)*f))
	out.Position, out.Velocity = vec(a.Position, b.Position), vec(a.Velocity, b.Velocity)
	out.Speed, out.Steer = mix(a.Speed, b.Speed), mix(a.Steer, b.Steer)
	out.Gas, out.Brake, out.RPM = mix(a.Gas, b.Gas), mix(a.Brake, b.Brake), mix(a.RPM, b.RPM)
	out.Rotation = turnBetween(a.Rotation, b.Rotation, f)
	if f >= 0.5 {
		out.Gear, out.bytes, out.old, out.turning = b.Gear, b.bytes, b.old, b.turning
	}
	return out
}

// turnBetween interpolates between two rotations, the short way round.
func turnBetween(a, b gbx.Quat, f float64) gbx.Quat {
	sign := 1.0
	if a.W*b.W+a.X*b.X+a.Y*b.Y+a.Z*b.Z < 0 {
		sign = -1
	}
	mix := func(x, y float32) float64 { return float64(x)*(1-f) + sign*float64(y)*f }
	w, x, y, z := mix(a.W, b.W), mix(a.X, b.X), mix(a.Y, b.Y), mix(a.Z, b.Z)
	n := math.Sqrt(w*w + x*x + y*y + z*z)
	if n == 0 {
		return a
	}
	return gbx.Quat{W: float32(w / n), X: float32(x / n), Y: float32(y / n), Z: float32(z / n)}
}
