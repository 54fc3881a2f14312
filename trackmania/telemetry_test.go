package trackmania

import (
	"math"
	"slices"
	"testing"

	"pakbox/gbx"
)

func distance(a, b gbx.Vec3) float64 {
	return length(gbx.Vec3{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z})
}

// Bounds of what a car can do.
const (
	topSpeed     = 2000 / 3.6 // metres a second
	maxDeviation = 0.05
)

// survey is what the lines of all ghosts add up to.
type survey struct {
	lines, samples, jumps int
	medians               []float64
}

// look counts the jumps of a line and compares stored speeds with those from
// positions.
func (s *survey) look(l *Line) (jumps int, median float64) {
	s.lines++
	s.samples += len(l.Samples)
	var deviations []float64
	for j := 1; j < len(l.Samples); j++ {
		a, b := &l.Samples[j-1], &l.Samples[j]
		dt := float64(b.Time-a.Time) / 1000
		if dt <= 0 {
			continue
		}
		v := distance(a.Position, b.Position) / dt
		if v > topSpeed {
			jumps++
		}
		if mean := (a.Speed + b.Speed) / 2; mean > 5 {
			deviations = append(deviations, math.Abs(v-mean)/mean)
		}
	}
	s.jumps += jumps
	if len(deviations) > 20 {
		slices.Sort(deviations)
		median = deviations[len(deviations)/2]
		s.medians = append(s.medians, median)
	}
	return jumps, median
}

// Cars move without jumps, except where the player went back to a checkpoint,
// and as fast as they say.
func TestTelemetryIsContinuous(t *testing.T) {
	var s survey
	ghosts(t, func(path string, i int, g *Ghost) {
		lines, err := g.Telemetry()
		if err != nil {
			t.Errorf("%s, ghost %d: %v", path, i, err)
		}
		for k := range lines {
			l := &lines[k]
			jumps, median := s.look(l)
			if jumps > max(0, g.Respawns()) {
				t.Errorf("%s, ghost %d (%s): %d jumps with %d respawns", path, i, l.Source, jumps, g.Respawns())
			}
			if median > maxDeviation {
				t.Errorf("%s, ghost %d (%s): speeds differ by %.1f %% in the median", path, i, l.Source, 100*median)
			}
		}
	})
	slices.Sort(s.medians)
	if s.lines < 150 || len(s.medians) < 100 {
		t.Fatalf("only %d lines were seen", s.lines)
	}
	t.Logf("%d lines, %d samples, %d jumps at respawns; stored and driven speed differ by %.2f %% in the median of the worst line, %.2f %% in the middle one",
		s.lines, s.samples, s.jumps, 100*s.medians[len(s.medians)-1], 100*s.medians[len(s.medians)/2])
}

func TestResample(t *testing.T) {
	l := Line{Period: 100, Samples: []Sample{
		{Time: 0, Position: gbx.Vec3{X: 0}, Speed: 10, Rotation: gbx.Quat{W: 1}},
		{Time: 100, Position: gbx.Vec3{X: 1}, Speed: 20, Rotation: gbx.Quat{W: 1}},
		{Time: 200, Position: gbx.Vec3{X: 3}, Speed: 20, Rotation: gbx.Quat{W: -1}},
	}}
	got := l.Resample(50)
	want := []float32{0, 0.5, 1, 2, 3}
	if len(got.Samples) != len(want) {
		t.Fatalf("%d samples, want %d", len(got.Samples), len(want))
	}
	for i, x := range want {
		if got.Samples[i].Position.X != x || got.Samples[i].Rotation.W != 1 && got.Samples[i].Rotation.W != -1 {
			t.Errorf("sample %d: %+v, want x %g", i, got.Samples[i], x)
		}
	}
	if same := l.Resample(0); len(same.Samples) != 3 {
		t.Error("no step changes the line")
	}
}

func BenchmarkTelemetry(b *testing.B) {
	var files []corpusFile
	for _, folders := range [][]string{ghostFolders, replayFolders} {
		eachFile(b, folders, func(c corpusFile) { files = append(files, c) })
	}
	n := 0
	for b.Loop() {
		n = 0
		for _, c := range files {
			for _, g := range GhostsOf(c.file) {
				lines, _ := g.Telemetry()
				for i := range lines {
					n += len(lines[i].Samples)
				}
			}
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "samples/s")
	b.ReportMetric(float64(len(files))*float64(b.N)/b.Elapsed().Seconds(), "files/s")
}
