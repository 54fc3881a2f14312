package answer

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
	"pakbox/trackmania/compare"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/runs"
)

// GatheredRuns are runs of files, to be looked at together.
type GatheredRuns struct {
	Runs  []compare.Run
	files []string
	ghost []int
	Map   *maps.Map // the first that a file holds or is; nil if none does
}

// GatherRuns collects the runs of files whose line is recorded: the first of
// each file, or the one that is chosen; of a single file all.
func GatherRuns(ctx context.Context, o *source.Opener, names []string, choice GhostChoice) (*GatheredRuns, error) {
	all := &GatheredRuns{}
	for _, name := range names {
		err := WithRuns(ctx, o, name, func(f *gbx.File, ghosts []*runs.Ghost) error {
			return all.add(name, f, ghosts, choice, len(names) > 1 && choice == AllGhosts)
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (g *GatheredRuns) add(name string, f *gbx.File, ghosts []*runs.Ghost, choice GhostChoice, onlyFirst bool) error {
	before := len(g.Runs)
	err := choice.Each(ghosts, func(i int, ghost *runs.Ghost) error {
		run, err := compare.Of(ghost)
		switch {
		case errors.Is(err, runs.ErrNotRecorded) || err == nil && onlyFirst && len(g.Runs) > before:
			return nil
		case err != nil:
			return err
		}
		if run.Name == "" {
			run.Name = filepath.Base(name)
		}
		if r, err := runs.ReplayOf(f); err == nil && run.Map == "" {
			run.Map = r.MapIdent().ID.String()
		}
		g.Runs, g.files, g.ghost = append(g.Runs, run), append(g.files, name), append(g.ghost, i)
		return nil
	})
	if err == nil && len(g.Runs) == before {
		err = runs.ErrNotRecorded
	}
	if m := mapOf(f); m != nil && g.Map == nil {
		g.Map = m
	}
	return err
}

// mapOf is the map that a file holds or is, or nil.
func mapOf(f *gbx.File) *maps.Map {
	if r, err := runs.ReplayOf(f); err == nil && len(r.MapFile()) > 0 {
		inside, err := gbx.Parse(r.MapFile(), engine.Registry())
		if err != nil {
			return nil
		}
		f = inside
	}
	m, err := maps.Of(f)
	if err != nil {
		return nil
	}
	return m
}

// Compare holds the other runs against the first.
func (g *GatheredRuns) Compare() (*compare.Comparison, error) {
	if len(g.Runs) < 2 {
		return nil, hint.Usagef("there is one run to compare, and it needs two").Hint("name more files, or one with several ghosts")
	}
	return compare.Runs(g.Runs[0], g.Runs[1:]...), nil
}

// compared is a point of a comparison in JSON and CSV. What is not recorded is
// null.
type compared struct {
	Distance   *float64 `json:"distance"`
	Time       *float64 `json:"time"`
	OtherTime  *float64 `json:"other_time"`
	Delta      *float64 `json:"delta"`
	Apart      *float64 `json:"apart"`
	Speed      *float64 `json:"speed"`
	OtherSpeed *float64 `json:"other_speed"`
	Steer      *float64 `json:"steer"`
	OtherSteer *float64 `json:"other_steer"`
	Gas        *float64 `json:"gas"`
	OtherGas   *float64 `json:"other_gas"`
	Brake      *float64 `json:"brake"`
	OtherBrake *float64 `json:"other_brake"`
}

// comparedColumns are its names, in order.
var comparedColumns = []string{
	"distance", "time", "other_time", "delta", "apart", "speed", "other_speed", "steer", "other_steer", "gas", "other_gas", "brake", "other_brake",
}

func (c *compared) values() []*float64 {
	return []*float64{
		c.Distance, c.Time, c.OtherTime, c.Delta, c.Apart, c.Speed, c.OtherSpeed, c.Steer, c.OtherSteer, c.Gas, c.OtherGas, c.Brake, c.OtherBrake,
	}
}

// points are those of a comparison that lie so many metres apart.
func points(o *compare.Against, step, every float64) []compared {
	n := max(1, int(math.Round(every/step)))
	out := []compared{}
	for i := 0; i < len(o.Points); i += n {
		p := &o.Points[i]
		a, b := &p.FirstSample, &p.OtherSample
		out = append(out, compared{
			rounded(p.Distance), rounded(p.First), rounded(p.Other), rounded(p.Delta), rounded(p.Apart),
			rounded(a.Speed), rounded(b.Speed), rounded(a.Steer), rounded(b.Steer), rounded(a.Gas), rounded(b.Gas), rounded(a.Brake), rounded(b.Brake),
		})
	}
	return out
}

// rounded is a number to a thousandth; nil for what is none.
func rounded(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	v = math.Round(v*1000) / 1000
	return &v
}

// ComparisonObject is a comparison as JSON, with a point every so many metres.
// Lengths are in metres, speeds in metres a second, times in milliseconds.
func (g *GatheredRuns) ComparisonObject(c *compare.Comparison, every float64) *Object {
	runs := make([]*Object, len(g.Runs))
	for i, r := range g.Runs {
		times := []*int64{}
		for _, t := range r.Checkpoints {
			times = append(times, knownTime(t))
		}
		runs[i] = new(Object).Add("path", g.files[i]).Add("ghost", g.ghost[i]).Add("name", r.Name).
			Add("time", knownTime(r.Time)).Add("map_uid", NonEmpty(r.Map)).Add("checkpoints", times)
	}
	against := make([]*Object, len(c.Against))
	for i := range c.Against {
		o := &c.Against[i]
		splits := []*Object{}
		for _, s := range o.Splits {
			splits = append(splits, new(Object).Add("number", s.Number).Add("finish", s.Finish).Add("distance", rounded(s.Distance)).
				Add("time", int64(s.Time)).Add("other_time", int64(s.Other)).Add("delta", int64(s.Delta)).Add("gain", int64(s.Gain)))
		}
		against[i] = new(Object).Add("run", i+1).Add("splits", splits).
			Add("apart", stretchObjects(o.Apart)).Add("same", stretchObjects(o.Same)).Add("points", points(o, c.Step, every))
	}
	warnings := c.Warnings
	if warnings == nil {
		warnings = []string{}
	}
	return New("replay.compare", g.files[0], "gbx").Add("length", rounded(c.Length)).Add("runs", runs).
		Add("against", against).Add("warnings", warnings)
}

func knownTime(t gbx.Time) *int64 {
	if t == gbx.NoTime {
		return nil
	}
	return Known(int64(t))
}

func stretchObjects(list []compare.Stretch) []*Object {
	out := []*Object{}
	for _, s := range list {
		out = append(out, new(Object).Add("from", rounded(s.From)).Add("to", rounded(s.To)).
			Add("most", rounded(s.Most)).Add("most_at", rounded(s.MostAt)).Add("delta", rounded(s.Delta)))
	}
	return out
}

// ComparisonCSV writes a row for each point of each comparison.
func ComparisonCSV(b io.Writer, c *compare.Comparison, every float64) error {
	w := csv.NewWriter(b)
	w.Write(append([]string{"run"}, comparedColumns...))
	for i := range c.Against {
		for _, p := range points(&c.Against[i], c.Step, every) {
			row := []string{strconv.Itoa(i + 1)}
			for _, v := range p.values() {
				text := ""
				if v != nil {
					text = strconv.FormatFloat(*v, 'f', -1, 64)
				}
				row = append(row, text)
			}
			w.Write(row)
		}
	}
	w.Flush()
	return w.Error()
}

// DeltaText is a difference of times with its sign: +0.123.
func DeltaText(t gbx.Time) string {
	sign := "+"
	if t < 0 {
		sign, t = "-", -t
	}
	return fmt.Sprintf("%s%d.%03d", sign, t/1000, t%1000)
}
