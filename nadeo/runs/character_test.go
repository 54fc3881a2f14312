package runs

import (
	"math"
	"testing"

	"pakbox/nadeo"
	"pakbox/nadeo/nadeotest/roomtest"
)

// Clips of ShootMania's maps show guides: ghosts in media blocks, whose
// characters move as their stored velocities say, at every sample.
func TestCharactersInClips(t *testing.T) {
	t.Parallel()
	samples := 0
	for name, want := range map[string]int{
		"58d00d79f8cc6530.Map.Gbx": 1, "6b3312dc2b31f47e.Map.Gbx": 15, "c02875aecad7e3f8.Map.Gbx": 15,
		"4b392f37ce654fb1.Map.Gbx": 13, "7ef3aee475800a4c.Map.Gbx": 13, "99d6301a391e1cc7.Map.Gbx": 7,
	} {
		list := GhostsOf(roomtest.Hard(t, name))
		if len(list) != want {
			t.Errorf("%s: %d ghosts, want %d", name, len(list), want)
		}
		for i, g := range list {
			lines, err := g.Telemetry()
			if err != nil || len(lines) != 1 {
				t.Errorf("%s, ghost %d: %d lines (%v)", name, i, len(lines), err)
				continue
			}
			l := &lines[0]
			if len(l.Samples) != g.SampleCount() || l.Period != 50 {
				t.Errorf("%s, ghost %d: %d of %d samples, every %s", name, i, len(l.Samples), g.SampleCount(), l.Period)
			}
			samples += len(l.Samples)
			if d, ok := l.SpeedDeviation(); ok && d > 0.02 {
				t.Errorf("%s, ghost %d: speeds differ by %.3f", name, i, d)
			}
			for k := 1; k < len(l.Samples); k++ {
				// nobody goes 40 m in 50 ms
				if d := distance(l.Samples[k-1].Position, l.Samples[k].Position); !(d < 40) {
					t.Errorf("%s, ghost %d: %.1f m at %s", name, i, d, nadeo.TimeText(l.Samples[k].Time))
				}
			}
		}
	}
	if samples < 14_000 {
		t.Errorf("%d samples", samples)
	}
}

// Turbo stores samples as they went over the network. The car starts where the
// start block stands, and comes to rest nowhere.
func TestTurboSamples(t *testing.T) {
	t.Parallel()
	g := hardGhost(t, "7131977d8fdfff64.Map.Gbx")
	lines, err := g.Telemetry()
	if err != nil || len(lines) != 1 || len(lines[0].Samples) != 88 {
		t.Fatalf("%d lines (%v)", len(lines), err)
	}
	first, last := &lines[0].Samples[0], &lines[0].Samples[87]
	if first.Time != 110 || last.Time != 8840 || math.Abs(float64(first.Position.X)-528) > 0.01 || math.Abs(float64(first.Position.Z)-491.2) > 0.01 {
		t.Errorf("from %s at %v to %s", nadeo.TimeText(first.Time), first.Position, nadeo.TimeText(last.Time))
	}
	if n := len(lines[0].Jumps()); n > 0 {
		t.Errorf("%d jumps", n)
	}
	// The car looks where it drives.
	for _, s := range lines[0].Samples[30:] {
		if along := forward(s); along < 0.9*s.Speed {
			t.Errorf("at %s the car goes %.1f m/s, %.1f of it ahead", nadeo.TimeText(s.Time), s.Speed, along)
		}
	}
}

// forward is the part of the velocity that is along the car.
func forward(s Sample) float64 {
	q, v := s.Rotation, s.Velocity
	x, y, z, w := float64(q.X), float64(q.Y), float64(q.Z), float64(q.W)
	return float64(v.X)*2*(x*z+w*y) + float64(v.Y)*2*(y*z-w*x) + float64(v.Z)*(1-2*(x*x+y*y))
}
