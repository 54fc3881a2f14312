// Package compare holds recorded runs of one map against the first of them: by
// the way along its line and not by time, so that the same corner is compared
// with the same corner however late somebody came to it.
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
	"pakbox/trackmania"
	"pakbox/trackmania/runs"
)

// Run is a run to compare.
type Run struct {
	Name        string
	Label       string // a name that no other run has, where several are called alike; else ""
	Map         string // UID of the map, "" where it is not known
	Time        gbx.Time
	Checkpoints []gbx.Time // with the finish, as trackmania.Ghost has them
	Samples     []runs.Sample
}

// Shown is the name to show to people.
func (r *Run) Shown() string { return cmp.Or(r.Label, r.Name) }

// Tell gives runs that are called alike labels that differ: the name, and what
// else is known of each, such as its file.
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

// Of takes the longest line of a ghost.
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
	name := trackmania.Plain(g.Player().Nick)
	if name == "" {
		name = g.Player().Login
	}
	r := Run{Name: name, Map: g.MapUID(), Time: g.Time(), Checkpoints: g.Checkpoints(), Samples: best.Samples}
	if r.Time == gbx.NoTime {
		r.Time = g.FinishMark()
	}
	return r, nil
}

// Comparison is what runs have in common with the first of them.
type Comparison struct {
	First   Run
	Length  float64 // of the first line, in metres
	Step    float64 // metres between two points
	Marks   []Mark  // checkpoints and finish of the first run
	Against []Against
	// Warnings are sentences about what makes the comparison doubtful.
	Warnings []string
}

// Mark is a checkpoint of the first run, or its finish.
type Mark struct {
	Number   int // from 1
	Finish   bool
	Time     gbx.Time
	Distance float64
}

// Against is one of the other runs, beside the first.
type Against struct {
	Run    Run
	Points []Point // every Step of the way, as far as both came
	Splits []Split
	Apart  []Stretch // where the lines part by more than a metre
	// Same are stretches on which both lines are the same to the millimetre.
	// Nobody drives that twice: one run was taken from the other.
	Same []Stretch
}

// Point is where two runs are compared.
type Point struct {
	Distance    float64 // along the first line, in metres
	First       At
	Other       At
	Delta       float64 // milliseconds that the other came later; negative for earlier
	Apart       float64 // metres between the two lines
	FirstSample runs.Sample
	OtherSample runs.Sample
}

// At is when a run was at a place, in milliseconds.
type At = float64

// Split is the state of the race at a checkpoint.
type Split struct {
	Mark
	Other gbx.Time
	Delta gbx.Time // how much later the other was; negative for earlier
	Gain  gbx.Time // the part of Delta that this stretch added
}

// Stretch is a part of the way.
type Stretch struct {
	From, To float64 // along the first line, in metres
	Most     float64 // the most that the lines are apart in it
	MostAt   float64
	Delta    float64 // milliseconds that the other lost in it
}

// What counts as apart, and as the same.
const (
	apart     = 1.0   // metres
	same      = 0.002 // metres
	sameLeast = 20.0  // metres that the same line must go on
	maxPoints = 20_000
)

// Runs compares runs with the first of them.
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
			c.warn("%s drove on map %s, and %s on %s", first.Shown(), first.Map, o.Shown(), o.Map)
		}
		if n, m := len(first.Checkpoints), len(o.Checkpoints); n != m {
			c.warn("%s has %d checkpoints and finish, and %s has %d", first.Shown(), n, o.Shown(), m)
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
		pt.Apart = distance(pt.FirstSample.Position, pt.OtherSample.Position)
		a.Points = append(a.Points, pt)
	}
	a.Apart = stretches(a.Points, func(p *Point) bool { return p.Apart > apart }, 0)
	a.Same = stretches(a.Points, func(p *Point) bool { return p.Apart < same && moving(p) }, sameLeast)
	return a
}

// moving leaves out the start, where all stand at one place.
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

// stretches are the longest parts of the way all of whose points are meant, if
// they are of some length.
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
			if d := points[i].Apart; d > s.Most {
				s.Most, s.MostAt = d, s.To
			}
		}
		if s.Delta = points[i-1].Delta - points[first].Delta; s.To-s.From >= least {
			out = append(out, s)
		}
	}
	return out
}
