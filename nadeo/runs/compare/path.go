package compare

import (
	"math"
	"sort"

	"pakbox/gbx"
	"pakbox/nadeo/runs"
)

// path is a driven line, with the distance from the start to each sample.
type path struct {
	samples []runs.Sample
	way     []float64
}

// newPath makes a path from the samples of a race, from start to finish. It skips samples
// out of order or without a finite position. A respawn at a checkpoint adds no distance.
func newPath(r Run) *path {
	p := &path{}
	for i := range r.Samples {
		s := r.Samples[i]
		if !finite(s.Position) || s.Time < 0 || len(p.samples) > 0 && s.Time <= p.samples[len(p.samples)-1].Time {
			continue
		}
		if n := len(p.samples); n > 0 && r.Time > 0 && s.Time >= r.Time {
			before := &p.samples[n-1]
			p.add(runs.Between(before, &s, float64(r.Time-before.Time)/float64(s.Time-before.Time)))
			return p
		}
		p.add(s)
	}
	p.finish(r.Time)
	return p
}

// finish extends a line that ends less than 100 ms before the finish, at the last
// velocity. Trackmania (2020) records no sample after the last whole step.
func (p *path) finish(time gbx.Time) {
	const step = 100 // milliseconds between two samples
	if len(p.samples) == 0 {
		return
	}
	s := p.samples[len(p.samples)-1]
	if left := time - s.Time; left > 0 && left < step {
		f := float32(left) / 1000
		s.Time = time
		s.Position = gbx.Vec3{X: s.Position.X + f*s.Velocity.X, Y: s.Position.Y + f*s.Velocity.Y, Z: s.Position.Z + f*s.Velocity.Z}
		p.add(s)
	}
}

func (p *path) add(s runs.Sample) {
	way := 0.0
	if n := len(p.samples); n > 0 {
		before := &p.samples[n-1]
		way = p.way[n-1]
		if !runs.Jumped(before, &s) {
			way += distance(before.Position, s.Position)
		}
	}
	p.samples, p.way = append(p.samples, s), append(p.way, way)
}

func (p *path) length() float64 {
	if len(p.way) == 0 {
		return 0
	}
	return p.way[len(p.way)-1]
}

// marks returns the checkpoints of the run with their distances along the path.
func (p *path) marks(r Run) []Mark {
	var out []Mark
	for i, t := range r.Checkpoints {
		if t == gbx.NoTime || len(p.samples) == 0 {
			continue
		}
		out = append(out, Mark{Number: i + 1, Finish: t == r.Time, Time: t, Distance: p.wayAt(float64(t))})
	}
	return out
}

// wayAt returns the distance that the car had covered at a time.
func (p *path) wayAt(t float64) float64 {
	i := sort.Search(len(p.samples), func(i int) bool { return float64(p.samples[i].Time) >= t })
	switch {
	case i == 0:
		return 0
	case i == len(p.samples):
		return p.length()
	}
	return p.way[i-1] + (p.way[i]-p.way[i-1])*p.part(i, t)
}

// part returns how much of the time between sample i-1 and sample i has passed at t, from
// 0 to 1.
func (p *path) part(i int, t float64) float64 {
	a, b := float64(p.samples[i-1].Time), float64(p.samples[i].Time)
	return (t - a) / (b - a)
}

// timeAt returns the moment at which the car had covered a distance. If the car stood
// still there, it is the last such moment.
func (p *path) timeAt(d float64) float64 {
	i := sort.Search(len(p.way), func(i int) bool { return p.way[i] > d })
	switch {
	case i == 0:
		return 0
	case i == len(p.way):
		return float64(p.samples[i-1].Time)
	}
	a, b := float64(p.samples[i-1].Time), float64(p.samples[i].Time)
	return a + (b-a)*(d-p.way[i-1])/(p.way[i]-p.way[i-1])
}

// sampleAt returns the state of the car at a time.
func (p *path) sampleAt(t float64) runs.Sample {
	i := sort.Search(len(p.samples), func(i int) bool { return float64(p.samples[i].Time) >= t })
	i = min(max(i, 1), len(p.samples)-1)
	if i == 0 {
		return p.samples[0]
	}
	return runs.Between(&p.samples[i-1], &p.samples[i], min(max(p.part(i, t), 0), 1))
}

func distance(a, b gbx.Vec3) float64 {
	x, y, z := float64(a.X-b.X), float64(a.Y-b.Y), float64(a.Z-b.Z)
	return math.Sqrt(x*x + y*y + z*z)
}

func finite(v gbx.Vec3) bool {
	const far = 1e6 // farther away than the edge of any map
	return math.Abs(float64(v.X)) < far && math.Abs(float64(v.Y)) < far && math.Abs(float64(v.Z)) < far
}
