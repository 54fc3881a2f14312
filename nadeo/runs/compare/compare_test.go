package compare

import (
	"fmt"
	"math"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/nadeotest/roomtest"
	"pakbox/nadeo/runs"
)

// drive makes a run along a line at a speed that changes: the place is a
// function of the way, and the way one of the time.
func drive(name string, seconds float64, way func(t float64) float64, beside float64) Run {
	r := Run{Name: name, Time: gbx.Time(seconds * 1000)}
	at := func(d float64) gbx.Vec3 {
		return gbx.Vec3{X: float32(d), Y: 10, Z: float32(beside + 40*math.Sin(d/60))}
	}
	for t := 0.0; t <= seconds+1; t += 0.05 {
		d := way(t)
		r.Samples = append(r.Samples, runs.Sample{Time: gbx.Time(math.Round(t * 1000)), Position: at(d), Speed: 20})
	}
	for _, d := range []float64{300, 700, way(seconds)} {
		lo, hi := 0.0, seconds
		for range 60 {
			if mid := (lo + hi) / 2; way(mid) < d {
				lo = mid
			} else {
				hi = mid
			}
		}
		r.Checkpoints = append(r.Checkpoints, gbx.Time(math.Round(hi*1000)))
	}
	r.Checkpoints[2] = r.Time
	return r
}

func TestRuns(t *testing.T) {
	a := drive("a", 50, func(t float64) float64 { return 20 * t }, 0)
	slow := func(t float64) float64 { return 20*t - 40*(1-math.Cos(min(t, 25)*math.Pi/25))/2 } // loses two seconds on the way to 460
	b := drive("b", 52, slow, 2)
	c := Runs(a, b)
	if len(c.Warnings) > 0 || len(c.Against) != 1 || len(c.Marks) != 3 {
		t.Fatalf("c = %+v; want len(c.Warnings) at most 0, c.Against of length 1, c.Marks of length 3", c)
	}
	o := c.Against[0]
	sum := gbx.Time(0)
	for i, s := range o.Splits {
		sum += s.Gain
		if s.Delta != sum || s.Delta != b.Checkpoints[i]-a.Checkpoints[i] {
			t.Errorf("split %d: %+v, gains sum to %d", i, s, sum)
		}
	}
	if len(o.Points) < int(c.Length)-2 {
		t.Errorf("%d points on %.0f m", len(o.Points), c.Length)
	}
	for _, p := range o.Points[5:] {
		if p.Separation < 0.5 || p.Separation > 2.1 {
			t.Errorf("at %.0f m the lines are %.2f m apart", p.Distance, p.Separation)
			break
		}
	}
	if last := o.Points[len(o.Points)-1]; math.Abs(last.Delta-2000) > 60 {
		t.Errorf("at the end %+v", last)
	}
	if len(o.Divergences) == 0 || len(o.Copies) > 0 {
		t.Errorf("apart %+v, same %+v", o.Divergences, o.Copies)
	}
}

// A run that was taken from another and only re-timed shows.
func TestSame(t *testing.T) {
	a := drive("a", 50, func(t float64) float64 { return 20 * t }, 0)
	b := a
	b.Samples = nil
	for _, s := range a.Samples {
		s.Time = s.Time * 9 / 10
		b.Samples = append(b.Samples, s)
	}
	b.Time, b.Checkpoints = a.Time*9/10, nil
	for _, c := range a.Checkpoints {
		b.Checkpoints = append(b.Checkpoints, c*9/10)
	}
	o := Runs(a, b).Against[0]
	if len(o.Copies) == 0 || o.Copies[0].To-o.Copies[0].From < 200 || o.Copies[0].Delta > -500 {
		t.Errorf("o.Same = %+v; want o.Same not empty, o.Same[0].To - o.Same[0].From at least 200, o.Same[0].Delta at most -500", o.Copies)
	}
}

// Odd runs are compared as far as they go, and never forever.
func TestOddRuns(t *testing.T) {
	a := drive("a", 50, func(t float64) float64 { return 20 * t }, 0)
	a.Map = "one"
	nan := drive("nan", 50, func(t float64) float64 { return 20 * t }, math.NaN())
	other := drive("other", 20, func(t float64) float64 { return 10 * t }, 500)
	other.Map, other.Checkpoints = "two", []gbx.Time{gbx.NoTime, 5000}
	still := Run{Name: "still", Samples: make([]runs.Sample, 100)}
	for _, list := range [][]Run{{a, nan, other, still, {}}, {nan, a}, {still, a}, {{}, a}, {other, a}} {
		c := Runs(list[0], list[1:]...)
		if len(c.Against) != len(list)-1 {
			t.Errorf("%s: len(c.Against) = %d; want c.Against of length len(list) - 1", list[0].Name, len(c.Against))
		}
		for _, o := range c.Against {
			for i, p := range o.Points {
				if math.IsNaN(p.Delta) || i > 0 && p.Other < o.Points[i-1].Other {
					t.Fatalf("%s against %s: %+v", list[0].Name, o.Run.Name, p)
				}
			}
		}
	}
	if w := Runs(a, other).Warnings; len(w) != 2 {
		t.Errorf("w = %q; want w of length 2", w)
	}
}

// Runs of the corpus, by map.
func realRuns(tb testing.TB) map[string][]Run {
	byMap := map[string][]Run{}
	for path, data := range corpus.GBX(tb) {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			tb.Fatalf("%s: %v", path, err)
		}
		uid := ""
		if r, err := runs.ReplayOf(f); err == nil {
			uid = r.MapIdent().ID.String()
		}
		for _, g := range runs.GhostsOf(f) {
			r, err := Of(g)
			if err != nil || r.Time <= 0 {
				continue
			}
			if r.Map == "" {
				r.Map = uid
			}
			if r.Map != "" {
				byMap[r.Map] = append(byMap[r.Map], r)
			}
		}
	}
	return byMap
}

// On real runs of one map the gains add up to the difference at each split, to
// the millisecond, and the curve passes through the splits.
func TestRealRuns(t *testing.T) {
	pairs, splits := 0, 0
	for uid, runs := range realRuns(t) {
		if len(runs) < 2 {
			continue
		}
		c := Runs(runs[0], runs[1:]...)
		for _, o := range c.Against {
			pairs++
			sum := gbx.Time(0)
			for _, s := range o.Splits {
				sum += s.Gain
				splits++
				if sum != s.Other-s.Time || s.Delta != sum {
					t.Errorf("%s: split %d: %+v, sum %d", uid, s.Number, s, sum)
				}
				if i := int(s.Distance / c.Step); i+1 < len(o.Points) {
					a, b := o.Points[i].Delta, o.Points[i+1].Delta
					if d := float64(s.Delta); d < min(a, b)-200 || d > max(a, b)+200 {
						t.Errorf("%s: at split %d the difference is %d, the curve goes from %.0f to %.0f", uid, s.Number, s.Delta, a, b)
					}
				}
			}
			if len(o.Points) < 10 {
				t.Errorf("%s: %d points of %.0f m", uid, len(o.Points), c.Length)
			}
		}
	}
	if pairs < 20 || splits < 60 {
		t.Errorf("%d pairs, %d splits", pairs, splits)
	}
	t.Logf("%d pairs, %d splits", pairs, splits)
}

// Ten runs of a minute.
func BenchmarkRuns(b *testing.B) {
	var runs []Run
	for i := range 10 {
		runs = append(runs, drive("x", 60, func(t float64) float64 { return (40 + float64(i)) * t }, float64(i)))
	}
	for b.Loop() {
		Runs(runs[0], runs[1:]...)
	}
}

// The places that cost most are in order, do not overlap and say why: of three ghosts of
// one map.
func TestCosts(t *testing.T) {
	var list []Run
	for _, name := range []string{"p00001_19538", "p05003_19738", "p09991_19812"} {
		r, err := Of(runs.GhostsOf(roomtest.Hard(t, "telemetry/"+name+".Ghost.Gbx"))[0])
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	c := Runs(list[0], list[1:]...)
	for i := range c.Against {
		costs := c.Against[i].Costs()
		if len(costs) == 0 {
			t.Errorf("%s lost nothing", c.Against[i].Run.Name)
		}
		for k, cost := range costs {
			t.Logf("%+v", cost)
			if cost.Why == "" || cost.Loss < 10 || cost.To <= cost.From || k > 0 && cost.Loss > costs[k-1].Loss {
				t.Errorf(`cost = %+v; want cost.Why not empty, cost.Lost at least 10, cost.To above %v, (k at most 0 or cost.Lost at most costs[k-1].Lost)`, cost, cost.From)
			}
			for _, before := range costs[:k] {
				if cost.From < before.To && before.From < cost.To {
					t.Errorf("%+v overlaps %+v", cost, before)
				}
			}
		}
	}
}

// Runs that are called alike get labels that differ; others keep their names.
func TestTell(t *testing.T) {
	list := []Run{{Name: "TAS"}, {Name: "Ada"}, {Name: "TAS"}}
	Tell(list, func(i int) string { return fmt.Sprintf("(%d)", i) })
	for i, want := range []string{"TAS (0)", "Ada", "TAS (2)"} {
		if got := list[i].Title(); got != want {
			t.Errorf("run %d is %q, want %q", i, got, want)
		}
	}
}
