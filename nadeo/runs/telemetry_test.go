package runs

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/nadeotest/roomtest"
)

// oddRuns are recordings that contradict themselves. Each contradiction was found in
// the bytes; 'pakbox replay check' reports it too.
var oddRuns = map[string]string{
	// Inputs and samples of 39.25 s, in a record whose car lives for 52.95 s.
	"90957a3bee1b": "cut off before its end",
	// Time, result, inputs and clock are of a run of 3:38.812; checkpoints,
	// respawns and samples of another one of 7:21.002.
	"7591aa789d92": "put together from two runs",
	// The time is that of a part of the run whose checkpoints stand beside it.
	"0402658c43b5": "timed otherwise than its checkpoints", "2706877523da": "timed otherwise than its checkpoints", "9531b969310b": "timed otherwise than its checkpoints",
	"f862cf8af8bd": "timed otherwise than its checkpoints",
	// Steering is rounded as programs do, and the checkpoints are mostly not those
	// of the record.
	"051cc9134e76": programMade, "0811f66be500": programMade, "096cbcb06d2f": programMade, "0ed1bda04a22": programMade, "158009b984ed": programMade,
	"2285a4dbf2aa": programMade, "3258379f3b72": programMade, "54eb7ba158b0": programMade, "56e697acefe5": programMade, "67d089e5df4a": programMade,
	"67e389ee167e": programMade, "6db37008f02e": programMade, "ba305c9b0ae5": programMade, "ef031c99bef2": programMade, "abf4686e2d01": programMade,
	// Inputs and samples are equal up to 0:30.300, and others from there on.
	"a64613b6c551": "given other inputs",
	// Its inputs end in the middle of a tick.
	"ed61a14dcfed": "damaged",
}

const programMade = "written by a program"

// Cars move without jumps, except where the player went back to a checkpoint,
// as fast as they say, and from the start to the declared time.
func TestTelemetry(t *testing.T) {
	t.Parallel()
	lines, samples, jumps, waited := 0, 0, 0, 0
	var deviations []float64
	ghosts(t, func(path string, i int, g *Ghost) {
		all, err := g.lines(full)
		if err != nil {
			t.Errorf("%s, ghost %d: %v", path, i, err)
			return
		}
		n := 0
		for k := range all {
			l := &all[k]
			lines++
			if !l.Other {
				n += len(l.Samples)
			}
			j := len(l.Jumps())
			jumps += j
			if j > max(0, g.Respawns()) {
				t.Errorf("%s, ghost %d (%s): %d jumps with %d respawns", path, i, l.Source, j, g.Respawns())
			}
			if d, ok := l.SpeedDeviation(); ok {
				deviations = append(deviations, d)
				if d > deviation {
					t.Errorf("%s, ghost %d (%s): speeds differ by %.1f %% in the median", path, i, l.Source, 100*d)
				}
			}
		}
		samples += n
		if got := g.SampleCount(); got != n {
			t.Errorf("%s, ghost %d: %d samples counted, %d decoded", path, i, got, n)
		}
		if len(all) > 0 && g.Time() != gbx.NoTime {
			if v := g.checkSamples(all); (v.State == OK) == slices.Contains([]string{"90957a3bee1b", "7591aa789d92"}, hashOf(path)) {
				t.Errorf("%s, ghost %d: %s: %s", path, i, v.State, v.Message)
			}
			s := all[0].Samples
			if s[len(s)-1].Time > g.Time()+runOut {
				waited++
			}
		}
	})
	slices.Sort(deviations)
	if lines < 150 || len(deviations) < 100 {
		t.Fatalf("only %d lines were seen", lines)
	}
	t.Logf("%d lines, %d samples, %d jumps at respawns, %d cars that waited behind the finish; stored and driven speed differ by %.2f %% in the median of the worst line, %.2f %% in the middle one",
		lines, samples, jumps, waited, 100*deviations[len(deviations)-1], 100*deviations[len(deviations)/2])
}

// hashOf is the beginning of a corpus file's hash, which is its name.
// Cars of other players in a record come after the driver's, wherever they are
// stored, and their samples are not the driver's.
func TestOtherCars(t *testing.T) {
	for name, want := range map[string][]int{
		"p00041_19580": {393, 6}, "p00303_19612": {394, 276}, "p00701_19628": {404, 7},
	} {
		t.Run(name, func(t *testing.T) {
			g := hardGhost(t, "telemetry/"+name+".Ghost.Gbx")
			lines, err := g.Telemetry()
			if err != nil {
				t.Fatal(err)
			}
			var got []int
			for i, l := range lines {
				got = append(got, len(l.Samples))
				if l.Other != (i > 0) {
					t.Errorf("%s: car %d is another's: %v", name, i, l.Other)
				}
			}
			if !slices.Equal(got, want) || g.SampleCount() != want[0] {
				t.Errorf("%s: %d samples, the driver has %d, want %d", name, got, g.SampleCount(), want)
			}
		})
	}
}

func hashOf(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	return name
}

func TestResample(t *testing.T) {
	l := Line{Period: 100, Samples: []Sample{
		{Time: 0, Position: gbx.Vec3{X: 0}, Speed: 10, Rotation: gbx.Quat{W: 1}},
		{Time: 100, Position: gbx.Vec3{X: 1}, Speed: 20, Rotation: gbx.Quat{W: 1}},
		{Time: 200, Position: gbx.Vec3{X: 3}, Speed: 20, Rotation: gbx.Quat{W: -1}},
	}}
	got, err := l.Resample(50)
	if err != nil {
		t.Fatal(err)
	}
	want := []float32{0, 0.5, 1, 2, 3}
	if len(got.Samples) != len(want) {
		t.Fatalf("%d samples, want %d", len(got.Samples), len(want))
	}
	for i, x := range want {
		if got.Samples[i].Position.X != x || got.Samples[i].Rotation.W != 1 && got.Samples[i].Rotation.W != -1 {
			t.Errorf("sample %d: %+v, want x %g", i, got.Samples[i], x)
		}
	}
	if same, _ := l.Resample(0); len(same.Samples) != 3 {
		t.Error("no step changes the line")
	}
	back := Line{Samples: []Sample{{Time: 0}, {Time: 300}, {Time: 100}, {Time: 400}}}
	again, err := back.Resample(100)
	if err != nil || len(again.Samples) != 5 {
		t.Fatalf("%d samples, %v", len(again.Samples), err)
	}
	for i, s := range again.Samples {
		if s.Time != gbx.Time(i)*100 {
			t.Errorf("samples in disorder: number %d is at %v", i, s.Time)
		}
	}
	l.Samples = append(l.Samples, Sample{Time: math.MaxInt32})
	if _, err := l.Resample(1); !errors.Is(err, fault.Limit) {
		t.Errorf("a line without end is filled: %v", err)
	}
	if got, err := l.Resample(1 << 30); err != nil || len(got.Samples) != 2 {
		t.Errorf("%d samples, %v", len(got.Samples), err)
	}
}

// BenchmarkTelemetry takes the driven lines out of all replays and ghosts of
// the corpus, from the files on disk, and compares that with only reading the
// files.
func BenchmarkTelemetry(b *testing.B) {
	var paths []string
	for _, folder := range slices.Concat(roomtest.GhostFolders, roomtest.ReplayFolders) {
		paths = append(paths, corpus.Files(b, corpus.Dir(b, "gbx"), folder, "*")...)
	}
	read := func(path string) []byte {
		data, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		return data
	}
	samples, reading := 0, time.Duration(0)
	for b.Loop() {
		samples = 0
		for _, path := range paths {
			start := time.Now()
			data := read(path)
			reading += time.Since(start)
			f, err := gbx.Parse(data, engine.Registry())
			if err != nil {
				b.Fatal(err)
			}
			for _, g := range GhostsOf(f) {
				lines, err := g.Telemetry()
				if err != nil {
					b.Fatal(err)
				}
				for i := range lines {
					samples += len(lines[i].Samples)
				}
			}
		}
	}
	b.ReportMetric(float64(samples)*float64(b.N)/b.Elapsed().Seconds(), "samples/s")
	b.ReportMetric(float64(len(paths))*float64(b.N)/b.Elapsed().Seconds(), "files/s")
	b.ReportMetric(b.Elapsed().Seconds()/reading.Seconds(), "x-reading")
}
