package compare

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo/runs"
)

// straight is a run from west to east: at each second so many metres far, and
// beside the line. Checkpoints are at 20 and 40 metres.
func straight(name string, beside float32, metres ...float32) Run {
	r := Run{Name: name, Time: gbx.Time(1000 * (len(metres) - 1))}
	for i, x := range metres {
		r.Samples = append(r.Samples, runs.Sample{Time: gbx.Time(1000 * i), Position: gbx.Vec3{X: x, Z: beside}, Speed: 20})
	}
	return r
}

// Two runs on a straight line, the second half as fast from 20 metres on: the
// numbers can be worked out by hand.
func TestByHand(t *testing.T) {
	a := straight("a", 0, 0, 10, 20, 30, 40)
	b := straight("b", 3, 0, 10, 20, 25, 30, 35, 40)
	a.Checkpoints, b.Checkpoints = []gbx.Time{2000, 4000}, []gbx.Time{2000, 6000}
	c := Runs(a, b)
	if c.Length != 40 || c.Step != 1 || fmt.Sprint(c.Marks) != "[{1 false 0:02.000 20} {2 true 0:04.000 40}]" {
		t.Errorf("%v m by %v m, marks %v", c.Length, c.Step, c.Marks)
	}
	o := c.Against[0]
	if len(o.Points) != 41 {
		t.Fatalf("%d points", len(o.Points))
	}
	for i, p := range o.Points {
		first, other := 100*float64(i), 100*float64(i)
		if i > 20 {
			other = 2000 + 200*float64(i-20)
		}
		if p.Distance != float64(i) || math.Abs(p.First-first) > 1e-6 || math.Abs(p.Other-other) > 1e-6 || math.Abs(p.Delta-(other-first)) > 1e-6 || math.Abs(p.Separation-3) > 1e-5 {
			t.Errorf("point %d: %+v", i, p)
		}
		if math.Abs(float64(p.OtherSample.Position.X)-float64(i)) > 1e-4 || p.OtherSample.Position.Z != 3 || p.FirstSample.Position.Z != 0 {
			t.Errorf("point %d: %v and %v", i, p.FirstSample.Position, p.OtherSample.Position)
		}
	}
	if got := fmt.Sprint(o.Splits); got != "[{{1 false 0:02.000 20} 0:02.000 0:00.000 0:00.000} {{2 true 0:04.000 40} 0:06.000 0:02.000 0:02.000}]" {
		t.Errorf(`got = %v; want "[{{1 false 0:02.000 20} 0:02.000 0:00.000 0:00.000} {{2 true 0:04.000 40} 0:06.000 0:02.000 0:02.000}]"`, got)
	}
	if len(o.Divergences) != 1 || o.Divergences[0].From != 0 || o.Divergences[0].To != 40 || math.Abs(o.Divergences[0].Delta-2000) > 1e-6 || math.Abs(o.Divergences[0].Most-3) > 1e-5 || len(o.Copies) != 0 {
		t.Errorf("apart %+v, same %+v", o.Divergences, o.Copies)
	}
}

// Without checkpoints in common the lines alone hold two runs together, and a
// run is compared as far as it came.
func TestWithoutCheckpoints(t *testing.T) {
	a, b := straight("a", 0, 0, 10, 20, 30, 40, 50), straight("b", 0, 0, 5, 10, 15, 20, 25, 30)
	o := Runs(a, b).Against[0]
	if len(o.Points) != 31 || len(o.Splits) != 0 {
		t.Fatalf("%d points, %v", len(o.Points), o.Splits)
	}
	for i, p := range o.Points {
		if math.Abs(p.Delta-100*float64(i)) > 1e-6 {
			t.Errorf("at %d m: %+v", i, p)
		}
	}
	if len(o.Copies) != 1 || o.Copies[0].From != 0 || o.Copies[0].To != 30 {
		t.Errorf("o.Same = %+v; want o.Same of length 1, o.Same[0].From = 0, o.Same[0].To = 30", o.Copies)
	}
	// A checkpoint that one missed is left out, and the gain goes to the next.
	a.Checkpoints, b.Checkpoints = []gbx.Time{1000, 2000, 3000}, []gbx.Time{2000, gbx.NoTime, 6000, 7000}
	c := Runs(a, b)
	if got := fmt.Sprint(c.Against[0].Splits); got != "[{{1 false 0:01.000 10} 0:02.000 0:01.000 0:01.000} {{3 false 0:03.000 30} 0:06.000 0:03.000 0:02.000}]" {
		t.Errorf(`got = %v; want "[{{1 false 0:01.000 10} 0:02.000 0:01.000 0:01.000} {{3 false 0:03.000 30} 0:06.000 0:03.000 0:02.000}]"`, got)
	}
	if len(c.Warnings) != 1 || c.Warnings[0] != "a has 3 checkpoints and finish, and b has 4" {
		t.Errorf(`c.Warnings = %v; want c.Warnings of length 1, c.Warnings[0] = "a has 3 checkpoints and finish, and b has 4"`, c.Warnings)
	}
}

// Maps are compared if both runs name theirs.
func TestMapsAreCompared(t *testing.T) {
	for maps, want := range map[[2]string]int{{"", ""}: 0, {"one", ""}: 0, {"", "two"}: 0, {"one", "one"}: 0, {"one", "two"}: 1} {
		a, b := straight("a", 0, 0, 10), straight("b", 0, 0, 10)
		a.Map, b.Map = maps[0], maps[1]
		w := Runs(a, b).Warnings
		if len(w) != want || want == 1 && w[0] != "a drove on map one, and b on two" {
			t.Errorf(`%v: w = %q; want w of length %v, (want other than 1 or w[0] = "a drove on map one, and b on two")`, maps, w, want)
		}
	}
}

// A path begins with the race, ends with it, and goes on in time.
func TestPath(t *testing.T) {
	r := straight("a", 0, 0, 10, 20, 30)
	odd := func(ms gbx.Time, x float32) runs.Sample {
		return runs.Sample{Time: ms, Position: gbx.Vec3{X: x}, Speed: 20}
	}
	r.Samples = []runs.Sample{odd(-500, -5), odd(0, 0), odd(0, 1), odd(1000, 10), odd(900, 11), odd(1500, 2e6), odd(1600, float32(math.NaN())), odd(2000, 20), odd(4000, 40), odd(5000, 50)}
	p := newPath(r) // it ends at 3000, between two samples
	var got []string
	for i, s := range p.samples {
		got = append(got, fmt.Sprintf("%d %.0f %.0f", s.Time, s.Position.X, p.way[i]))
	}
	if s := strings.Join(got, ", "); s != "0 0 0, 1000 10 10, 2000 20 20, 3000 30 30" {
		t.Errorf(`s = %v; want "0 0 0, 1000 10 10, 2000 20 20, 3000 30 30"`, s)
	}
	for ms, want := range map[float64]float64{-1: 0, 0: 0, 500: 5, 1000: 10, 2500: 25, 3000: 30, 9000: 30} {
		if got := p.wayAt(ms); math.Abs(got-want) > 1e-9 {
			t.Errorf("after %v ms %v m, want %v", ms, got, want)
		}
	}
	for way, want := range map[float64]float64{0: 0, 5: 500, 10: 1000, 25: 2500, 30: 3000, 99: 3000} {
		if got := p.timeAt(way); math.Abs(got-want) > 1e-9 {
			t.Errorf("at %v m after %v ms, want %v", way, got, want)
		}
	}
	for ms, want := range map[float64]float32{-5: 0, 0: 0, 500: 5, 1500: 15, 3000: 30, 9000: 30} {
		if got := p.sampleAt(ms).Position.X; math.Abs(float64(got-want)) > 1e-4 {
			t.Errorf("after %v ms at %v, want %v", ms, got, want)
		}
	}
	// Where it stood still, the last moment counts.
	still := newPath(straight("b", 0, 0, 10, 10, 20))
	if got := still.timeAt(10); got != 2000 {
		t.Errorf("it stood until %v", got)
	}
	if empty := newPath(Run{}); empty.length() != 0 || empty.marks(Run{Checkpoints: []gbx.Time{1000}}) != nil {
		t.Error("nothing has a way")
	}
	if d := distance(gbx.Vec3{X: 1, Y: 2, Z: 3}, gbx.Vec3{X: 3, Y: 5, Z: 9}); d != 7 {
		t.Errorf("2, 3 and 6 metres are %v", d)
	}
}

// Places nearest to a car, in three dimensions, and no further than the line.
func TestNearest(t *testing.T) {
	p := &path{}
	for _, at := range []gbx.Vec3{{}, {X: 10}, {X: 10, Y: 10}, {X: 10, Y: 10, Z: 10}} {
		p.add(runs.Sample{Time: gbx.Time(1000 * len(p.samples)), Position: at, Speed: 20})
	}
	for _, test := range []struct {
		at   gbx.Vec3
		want float64
	}{
		{gbx.Vec3{X: 4, Y: 1}, 4}, {gbx.Vec3{X: -5}, 0}, {gbx.Vec3{X: 11, Y: 3}, 13}, {gbx.Vec3{X: 10, Y: 11, Z: 7}, 27}, {gbx.Vec3{X: 10, Y: 10, Z: 99}, 30},
		{gbx.Vec3{X: 12, Y: 7, Z: -1}, 17},
	} {
		s := search{path: p, first: 1, last: 3, at: 1}
		for _, moved := range []float64{1, math.Inf(1)} {
			if got := s.next(test.at, moved); math.Abs(got-test.want) > 1e-5 {
				t.Errorf("%v is at %v m, want %v", test.at, got, test.want)
			}
		}
	}
	for way, want := range map[float64]int{0: 1, 5: 1, 10: 1, 11: 2, 20: 2, 25: 3, 30: 3, 99: 3} {
		if got := p.segment(way); got != want {
			t.Errorf("%v m is in piece %d, want %d", way, got, want)
		}
	}
}

// Where the line comes by twice, a car is looked for near where it was; one
// that is far from there is looked for anywhere.
func TestTheSamePlaceTwice(t *testing.T) {
	p := &path{}
	for x := range 21 { // there, and two metres beside back
		p.add(runs.Sample{Time: gbx.Time(1000 * x), Position: gbx.Vec3{X: float32(10 * x)}, Speed: 20})
	}
	for x := range 21 {
		p.add(runs.Sample{Time: gbx.Time(1000 * (21 + x)), Position: gbx.Vec3{X: float32(200 - 10*x), Z: 2}, Speed: 20})
	}
	s := search{path: p, first: 1, last: 41, at: 2}
	if got := s.next(gbx.Vec3{X: 22, Z: 1.9}, 5); math.Abs(got-22) > 1e-5 { // nearer to the way back
		t.Errorf("there: %v", got)
	}
	s.at = 39
	if got := s.next(gbx.Vec3{X: 22, Z: 0.1}, 5); math.Abs(got-(202+178)) > 1e-4 {
		t.Errorf("back: %v", got)
	}
	s.at = 2
	if got := s.next(gbx.Vec3{X: 150, Z: 2}, 5); math.Abs(got-(202+50)) > 1e-4 {
		t.Errorf("lost: %v", got)
	}
	s.at = 2
	if got := s.next(gbx.Vec3{X: 100}, 40); math.Abs(got-100) > 1e-4 {
		t.Errorf("a long step: %v", got)
	}
}

func TestStretches(t *testing.T) {
	var points []Point
	for i, apart := range []float64{0, 2, 3, 2, 0, 5, 0, 1.5, 1.5} {
		points = append(points, Point{Distance: float64(10 * i), Separation: apart, Delta: float64(i * i)})
	}
	far := func(p *Point) bool { return p.Separation > 1 }
	if got := fmt.Sprint(stretches(points, far, 0)); got != "[{10 30 3 20 8} {50 50 5 50 0} {70 80 1.5 70 15}]" {
		t.Errorf(`got = %v; want "[{10 30 3 20 8} {50 50 5 50 0} {70 80 1.5 70 15}]"`, got)
	}
	if got := fmt.Sprint(stretches(points, far, 10)); got != "[{10 30 3 20 8} {70 80 1.5 70 15}]" {
		t.Errorf(`got = %v; want "[{10 30 3 20 8} {70 80 1.5 70 15}]"`, got)
	}
	if got := stretches(nil, far, 0); got != nil {
		t.Errorf("got = %v; want nil", got)
	}
}

// Knots only grow, in time and on the way.
func TestAlignment(t *testing.T) {
	l := &alignment{}
	for _, k := range []knot{{0, 0}, {1000, 10}, {1500, 10}, {900, 20}, {2000, 20}, {2000, 30}} {
		l.add(k.time, k.way)
	}
	if got := fmt.Sprint(l.knots); got != "[{0 0} {1000 10} {2000 20} {2000 30}]" {
		t.Errorf(`got = %v; want "[{0 0} {1000 10} {2000 20} {2000 30}]"`, got)
	}
	for way, want := range map[float64]float64{-1: 0, 0: 0, 5: 500, 10: 1000, 15: 1500, 30: 2000} {
		if got, ok := l.time(way); !ok || got != want {
			t.Errorf("at %v m after %v ms, want %v", way, got, want)
		}
	}
	if _, ok := l.time(31); ok {
		t.Error("it came further than it did")
	}
}

// A very long way is compared in larger steps.
func TestStep(t *testing.T) {
	for metres, want := range map[float32]float64{20_000: 1, 20_010: 2, 40_010: 4} {
		var way []float32
		for x := float32(0); x <= metres; x += 10 {
			way = append(way, x)
		}
		if c := Runs(straight("a", 0, way...)); c.Step != want {
			t.Errorf("%v m in steps of %v, want %v", metres, c.Step, want)
		}
	}
}
