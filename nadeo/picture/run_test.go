package picture

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo/runs"
	"pakbox/nadeo/runs/compare"
)

// A run with places and times that no car can have is drawn all the same, and
// soon.
func TestOddRuns(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	far := []runs.Sample{
		{Time: 0}, {Time: 100, Position: gbx.Vec3{X: 10}, Speed: 30}, {Time: 200, Position: gbx.Vec3{X: 1e30, Z: nan}, Speed: math.Inf(1)},
		{Time: 300, Position: gbx.Vec3{X: inf}, Speed: math.NaN()}, {Time: 400, Position: gbx.Vec3{X: 1e30}, Speed: -5},
		{Time: 350, Position: gbx.Vec3{X: 3}}, {Time: math.MaxInt32, Position: gbx.Vec3{X: 4, Z: 5}, Speed: math.NaN(), Steer: math.NaN()},
	}
	nowhere := []runs.Sample{{Position: gbx.Vec3{X: nan}}, {Time: 50, Position: gbx.Vec3{Z: inf}}}
	for name, run := range map[string]Run{
		"far":     {Time: 300, Checkpoints: []gbx.Time{100, 300, -7, math.MaxInt32}, Lines: []runs.Line{{Samples: far}, {Samples: nowhere}}},
		"nowhere": {Time: 300, Checkpoints: []gbx.Time{100}, Lines: []runs.Line{{Samples: nowhere}, {Samples: far}}},
		"empty":   {Time: gbx.NoTime, Lines: []runs.Line{{}}},
		"nothing": {Time: gbx.NoTime},
		"inputs": {Time: gbx.NoTime, Inputs: []runs.Input{
			{Time: math.MinInt32, Name: "Steer", Value: math.MaxInt32, Analog: true}, {Time: math.MaxInt32, Name: "Gas", Value: math.MinInt32, Analog: true},
		}},
	} {
		c := DrawRun(run)
		if c.Width != usualWidth || c.Height != 1130 {
			t.Errorf("name = %v, c.Width = %v, c.Height = %v; want c.Width = %v, c.Height = 1130", name, c.Width, c.Height, usualWidth)
		}
		check(t, c)
	}
}

// Faster is lighter, north is up and a turn to the left goes to the left.
func TestDriven(t *testing.T) {
	var s []runs.Sample
	for i := range 100 {
		s = append(s, runs.Sample{Time: gbx.Time(i * 100), Position: gbx.Vec3{Z: float32(i)}, Speed: 10})
	}
	v := viewOf(s, box{76, 92, 1276, 648}, 64)
	if a, b := v.place(s[0].Position), v.place(s[99].Position); a.y <= b.y || a.x != b.x {
		t.Errorf("north goes from %v to %v", a, b)
	}
	if a, b := v.place(gbx.Vec3{}), v.place(gbx.Vec3{X: 5}); b.x >= a.x {
		t.Errorf("left goes from %v to %v", a, b)
	}
	if p := placeAt(s, 4950); p.Z != 49.5 {
		t.Errorf("at 4.95 s the car is at %v", p)
	}
}

// Where samples are missing, nothing is drawn that nobody saw: not in the line,
// not in the chart.
func TestMissingSamples(t *testing.T) {
	var s []runs.Sample
	for i := range 200 {
		at := i * 50
		if i >= 100 {
			at += 20_000
		}
		s = append(s, runs.Sample{Time: gbx.Time(at), Position: gbx.Vec3{X: float32(at) / 50}, Speed: 20})
	}
	for _, shape := range DrawRun(Run{Time: gbx.NoTime, Lines: []runs.Line{{Samples: s}}}).shapes {
		for i := 1; i < len(shape.points) && shape.kind == stroke; i++ {
			if a, b := shape.points[i-1], shape.points[i]; math.Hypot(a.x-b.x, a.y-b.y) > 100 {
				t.Errorf("a stroke goes from %v to %v", a, b)
			}
		}
	}
}

func TestTicks(t *testing.T) {
	for _, k := range []struct {
		to, step int64
	}{{1000, 1000}, {12_000, 1000}, {28_000, 2000}, {30_000, 5000}, {45_000, 5000}, {200_000, 15_000}, {800_000, 60_000}, {1_600_000, 120_000}, {4_200_000, 300_000},
		{8_000_000, 600_000}, {25_000_000, 1_800_000}, {50_000_000, 3_600_000}, {100_000_000, 7_200_000}, {500_000_000, 36_000_000}, {96_000, 10_000}, {441_000, 30_000}, {1 << 31, 360_000_000}} {
		got := axis{to: k.to, frame: frameOf(0)}.ticks()
		if len(got) < 2 && k.to < 1<<31 || len(got) > 16 || len(got) > 1 && got[1] != k.step {
			t.Errorf("up to %d: %v", k.to, got)
		}
	}
}

func TestNiceStep(t *testing.T) {
	for length, want := range map[float64]float64{400: 100, 390: 100, 1000: 500, 3.6: 1, 90: 50} {
		if got := niceStep(length, 4); got != want {
			t.Errorf("%g in steps of %g, want %g", length, got, want)
		}
	}
}

// Where a car is between samples, before the first and behind the last; and
// where nothing is known between them, at the one before.
func TestCarBetweenSamples(t *testing.T) {
	at := func(time gbx.Time, x float32, speed float64) runs.Sample {
		return runs.Sample{Time: time, Position: gbx.Vec3{X: x}, Speed: speed}
	}
	s := []runs.Sample{at(100, 0, 10), at(200, 1, 20), at(300, 500, 20), at(longGap+301, 501, 10)}
	for time, want := range map[gbx.Time]float32{0: 0, 100: 0, 150: 0.5, 200: 1, 250: 1, 300: 500, 301: 500, longGap + 300: 500, longGap + 301: 501, 99_999: 501} {
		if got := sampleAt(s, time).Position.X; got != want {
			t.Errorf("at %d it is at %g, want %g", time, got, want)
		}
	}
	for time, want := range map[gbx.Time]float32{0: 0, 150: 0.5, 200: 1, 99_999: 501} {
		if got := placeAt(s, time).X; got != want {
			t.Errorf("at %d it is placed at %g, want %g", time, got, want)
		}
	}
	if got := sampleAt(s, 150).Speed; got != 15 {
		t.Errorf("got = %g m/s; want 15", got)
	}
}

// A line of text contains no control characters.
func TestPlainLine(t *testing.T) {
	for text, want := range map[string]string{" a\tb\n": "a b", "a\x7fb": "a b", "é ~": "é ~", "\x1f": "", " \x00a": "a"} {
		if got := plainLine(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// A bar is drawn only where it and its label have room.
func TestRoomForTheBar(t *testing.T) {
	for end, shapes := range map[float64]int{0: 0, 100 + 8 + textWidth("100 m", 14, false) - 0.1: 0, 100 + 8 + textWidth("100 m", 14, false): 4, 1000: 4} {
		c := newCanvas(300, 300)
		before := len(c.shapes)
		c.distance(0, 50, end, 1)
		if got := len(c.shapes) - before; got != shapes {
			t.Errorf("up to %g: %d shapes, want %d", end, got, shapes)
		}
	}
}

// texts are what is written in a picture.
func texts(c *Canvas) string {
	var out []string
	for i := range c.shapes {
		if c.shapes[i].kind == letters {
			out = append(out, c.shapes[i].text)
		}
	}
	return strings.Join(out, "|")
}

// A run that cannot be drawn is omitted, and the next one is not.
func TestDrawable(t *testing.T) {
	nan := float32(math.NaN())
	at := func(time gbx.Time, x float32, speed float64) runs.Sample {
		return runs.Sample{Time: time, Position: gbx.Vec3{X: x}, Speed: speed}
	}
	list := []runs.Sample{at(0, 0, 10), at(100, nan, 10), at(200, 2, math.NaN()), at(150, 3, 10), at(200, 4, 10), at(300, 5, -1), at(400, 6, noCar), at(500, 7, 10)}
	var got []string
	for _, s := range drawable(&runs.Line{Samples: list}) {
		got = append(got, fmt.Sprint(int(s.Time), " ", s.Position.X, " ", s.Speed))
	}
	if text := strings.Join(got, ", "); text != "0 0 10, 200 2 0, 300 5 0, 400 6 0, 500 7 10" {
		t.Errorf(`text = %v; want "0 0 10, 200 2 0, 300 5 0, 400 6 0, 500 7 10"`, text)
	}
	p := runPainter{own: []runs.Sample{at(1, 0, 1), at(1000, 1, 1)}}
	for time, want := range map[gbx.Time]bool{0: false, 1: true, 1000: true, 1200: true, 1201: false, -1: false} {
		if p.during(time) != want {
			t.Errorf("driven at %d: %v", time, !want)
		}
	}
}

// The text names the winner by the difference, for every run that has a time. It reports
// missing inputs only if all kinds are missing.
func TestWhatIsWritten(t *testing.T) {
	list := race()
	list[1].Time, list[2].Time = 4700, gbx.NoTime
	if text := texts(DrawComparison(compare.Runs(list[0], list[1:]...), nil, 0)); !strings.Contains(text, "|0:04.800|Ada|") || !strings.Contains(text, "|-0.100 ahead|") || !strings.Contains(text, "3 runs|") {
		t.Errorf(`text = %v; want text with "|0:04.800|Ada|", text with "|-0.100 ahead|", text with "3 runs|"`, text)
	}
	const none = "no inputs of a car are recorded"
	lines := []runs.Line{{Samples: drive()[:40]}}
	for i := range lines[0].Samples {
		lines[0].Samples[i].Steer, lines[0].Samples[i].Gas, lines[0].Samples[i].Brake = math.NaN(), math.NaN(), math.NaN()
	}
	for _, c := range []struct {
		inputs []runs.Input
		said   bool
	}{
		{nil, true}, {[]runs.Input{{Name: "Accelerate", Value: 1}}, false}, {[]runs.Input{{Name: "Brake", Value: 1}}, false}, {[]runs.Input{{Name: "SteerLeft", Value: 1}}, false},
		{[]runs.Input{{Name: "Accelerate", Value: 1}, {Name: "Brake", Value: 1}}, false}, {[]runs.Input{{Name: "Brake", Value: 1}, {Name: "SteerLeft", Value: 1}}, false},
	} {
		text := texts(DrawRun(Run{Time: 3900, Lines: lines, Inputs: c.inputs}))
		if strings.Contains(text, none) != c.said {
			t.Errorf("%+v: text = %s; want it to contain %q: %v", c.inputs, text, none, c.said)
		}
	}
}
