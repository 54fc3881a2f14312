// Package compare compares recorded runs of one map with the first of them. It compares
// at equal distances along the first run's line and not at equal times, so that a corner
// is compared with the same corner, however late a car came to it.
//
//	a, err := compare.Of(fast)
//	b, err := compare.Of(slow)
//	for _, split := range compare.Runs(a, b).Against[0].Splits {
//		fmt.Println(split.Number, split.Delta, split.Gain)
//	}
package compare

import (
	"cmp"
	"fmt"
	"strings"

	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/runs"
)

// Run is a recorded run to compare.
type Run struct {
	Name        string
	Label       string // distinguishes runs with the same name; "" if the name is unique
	Map         string // UID of the map, "" if unknown
	Time        gbx.Time
	Checkpoints []gbx.Time // times of the checkpoints, the last one is the finish
	Samples     []runs.Sample
}

// Title returns the name to show to people.
func (r *Run) Title() string { return cmp.Or(r.Label, r.Name) }

// Tell sets labels of runs that have the same name: the name, and more information about
// the run, such as its file.
func Tell(list []Run, more func(i int) string) {
	count := map[string]int{}
	for i := range list {
		count[list[i].Name]++
	}
	for i := range list {
		if count[list[i].Name] > 1 {
			list[i].Label = strings.TrimSpace(list[i].Name + " " + more(i))
		}
	}
}

// Of makes a Run from the longest recorded line of a ghost.
func Of(g *runs.Ghost) (Run, error) {
	lines, err := g.Telemetry()
	if err != nil {
		return Run{}, err
	}
	best := &lines[0]
	for i := range lines {
		if len(lines[i].Samples) > len(best.Samples) {
			best = &lines[i]
		}
	}
	name := nadeo.Plain(g.Player().Nick)
	if name == "" {
		name = g.Player().Login
	}
	r := Run{Name: name, Map: g.MapUID(), Time: g.Time(), Checkpoints: g.Checkpoints(), Samples: best.Samples}
	if r.Time == gbx.NoTime {
		r.Time = g.FinishMark()
	}
	return r, nil
}

// Comparison holds the first run and its comparison with each other run.
type Comparison struct {
	First   Run
	Length  float64 // of the first line, in metres
	Step    float64 // metres between two points
	Marks   []Mark  // checkpoints and finish of the first run
	Against []Against
	// Warnings are sentences about doubts, such as runs on different maps.
	Warnings []string
}

// Mark is a checkpoint of the first run, or its finish.
type Mark struct {
	Number   int // from 1
	Finish   bool
	Time     gbx.Time
	Distance float64
}

// Against is the comparison of one other run with the first.
type Against struct {
	Run         Run
	Points      []Point // one point every Step metres, as far as both runs came
	Splits      []Split
	Divergences []Stretch // where the lines are more than a metre apart
	// Same are stretches on which both lines are equal within 2 mm. Nobody can drive that
	// twice, so one run is a copy of the other there.
	Copies []Stretch
}

// Point compares two runs at one place of the track.
type Point struct {
	Distance    float64 // along the first line, in metres
	First       Moment
	Other       Moment
	Delta       float64 // milliseconds by which the other run was later; negative if it was earlier
	Separation  float64 // metres between the two lines
	FirstSample runs.Sample
	OtherSample runs.Sample
}

// Moment is the time of a run at a place, in milliseconds.
type Moment = float64

// Split compares two runs at a checkpoint.
type Split struct {
	Mark
	Other gbx.Time
	Delta gbx.Time // how much later the other run was; negative if it was earlier
	Gain  gbx.Time // change of Delta since the checkpoint before
}

// Stretch is a part of the track.
type Stretch struct {
	From, To float64 // along the first line, in metres
	Most     float64 // largest distance between the lines in it, in metres
	MostAt   float64
	Delta    float64 // milliseconds that the other run lost in it
}

// Limits for stretches where lines are apart, or the same.
const (
	apart     = 1.0   // metres between the lines, or more
	same      = 0.002 // metres between the lines, or less
	sameLeast = 20.0  // metres: shorter stretches of the same line do not count
	maxPoints = 20_000
)

// Runs compares each other run with the first.
func Runs(first Run, others ...Run) *Comparison {
	p := newPath(first)
	c := &Comparison{First: first, Length: p.length(), Step: 1}
	for c.Length/c.Step > maxPoints {
		c.Step *= 2
	}
	c.Marks = p.marks(first)
	for _, o := range others {
		c.Against = append(c.Against, c.against(p, o))
		if first.Map != "" && o.Map != "" && first.Map != o.Map {
			c.warn("%s drove on map %s, and %s on %s", first.Title(), first.Map, o.Title(), o.Map)
		}
		if n, m := len(first.Checkpoints), len(o.Checkpoints); n != m {
			c.warn("%s has %d checkpoints and finish, and %s has %d", first.Title(), n, o.Title(), m)
		}
	}
	return c
}

func (c *Comparison) warn(format string, args ...any) {
	c.Warnings = append(c.Warnings, fmt.Sprintf(format, args...))
}

func (c *Comparison) against(p *path, o Run) Against {
	a := Against{Run: o, Splits: splits(c.Marks, o)}
	q := newPath(o)
	l := p.align(q, a.Splits)
	for n := 0; ; n++ {
		d := float64(n) * c.Step
		t, ok := l.time(d)
		if !ok || d > c.Length {
			break
		}
		pt := Point{Distance: d, First: p.timeAt(d), Other: t}
		pt.Delta = pt.Other - pt.First
		pt.FirstSample, pt.OtherSample = p.sampleAt(pt.First), q.sampleAt(pt.Other)
		pt.Separation = distance(pt.FirstSample.Position, pt.OtherSample.Position)
		a.Points = append(a.Points, pt)
	}
	a.Divergences = stretches(a.Points, func(p *Point) bool { return p.Separation > apart }, 0)
	a.Copies = stretches(a.Points, func(p *Point) bool { return p.Separation < same && moving(p) }, sameLeast)
	return a
}

// moving reports whether the first car is moving. At the start all cars stand at one
// place, so equal lines mean nothing there.
func moving(p *Point) bool { return p.FirstSample.Speed > 1 }

// splits compares the times at the checkpoints that both passed.
func splits(marks []Mark, o Run) []Split {
	var out []Split
	before := gbx.Time(0)
	for _, m := range marks {
		i := m.Number - 1
		if i >= len(o.Checkpoints) || o.Checkpoints[i] == gbx.NoTime {
			continue
		}
		s := Split{Mark: m, Other: o.Checkpoints[i]}
		s.Delta = s.Other - s.Time
		s.Gain = s.Delta - before
		before = s.Delta
		out = append(out, s)
	}
	return out
}

// stretches returns the parts of the track on which all points fulfil a condition, if
// they are at least so many metres long.
func stretches(points []Point, meant func(*Point) bool, least float64) []Stretch {
	var out []Stretch
	for i := 0; i < len(points); {
		if !meant(&points[i]) {
			i++
			continue
		}
		first, s := i, Stretch{From: points[i].Distance}
		for ; i < len(points) && meant(&points[i]); i++ {
			s.To = points[i].Distance
			if d := points[i].Separation; d > s.Most {
				s.Most, s.MostAt = d, s.To
			}
		}
		if s.Delta = points[i-1].Delta - points[first].Delta; s.To-s.From >= least {
			out = append(out, s)
		}
	}
	return out
}
