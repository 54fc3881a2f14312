package nadeo

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/runs"
	"pakbox/nadeo/runs/compare"
)

// gatheredRuns are runs from several files.
type gatheredRuns struct {
	Runs  []compare.Run
	files []string
	ghost []int
	Map   *maps.Map // the first map that a file is or contains, or nil
}

// CompareParams choose runs to compare, and how.
type CompareParams struct {
	ghostParams
	mapParams
	With []string `json:"with" arg:"" paths:"" doc:"further files with runs to compare"`
	Step float64  `json:"step" value:"METRES" doc:"a point every METRES; 5 by default"`
}

// Compare is the question how runs compare with the first one.
var Compare = question.New(&room, "replay.compare", "where runs of one map won and lost time", func(ctx context.Context, at *question.At, p CompareParams) (*Comparison, error) {
	p.Step = cmp.Or(p.Step, 5)
	switch {
	case !(p.Step > 0) || math.IsInf(p.Step, 0):
		return nil, fault.Usagef("step takes metres above 0, not %g", p.Step)
	case at.Bounded() && len(p.With) >= maxCompared:
		return nil, fault.Usagef("%d files are compared at most", maxCompared)
	}
	g, err := gatherRuns(ctx, at, p.With, p.Ghost, p.mapParams)
	if err != nil {
		return nil, err
	}
	at.Format = "gbx"
	if len(g.Runs) < 2 {
		return nil, fault.Usagef("there is one run to compare, and it needs two").Hint("name more files, or one with several ghosts")
	}
	c := compare.Runs(g.Runs[0], g.Runs[1:]...)
	if at.Bounded() {
		p.Step = max(p.Step, c.Length/maxPoints)
	}
	return g.comparison(c, p.Step), nil
})

// Limits of a comparison for the HTTP service: files, and points of each run.
const (
	maxCompared = 20
	maxPoints   = 2000
)

// gatherRuns collects runs with a recorded line. From each file it takes the first run,
// or the chosen one; from a single file it takes all. The map is the requested one, or
// the first in a file.
func gatherRuns(ctx context.Context, at *question.At, with []string, choice GhostChoice, where mapParams) (*gatheredRuns, error) {
	all := &gatheredRuns{}
	for _, name := range append([]string{at.Path}, with...) {
		_, err := OpenRuns(ctx, at.For(name), func(f *gbx.File, ghosts []*runs.Ghost) (None, error) {
			return None{}, all.add(name, f, ghosts, choice, len(with) > 0 && choice == "")
		})
		if err != nil {
			return nil, err
		}
	}
	compare.Tell(all.Runs, func(i int) string {
		file := path.Base(filepath.ToSlash(all.files[i]))
		file, _, _ = strings.Cut(file, ".")
		if slices.Contains(all.files[:i], all.files[i]) || slices.Contains(all.files[i+1:], all.files[i]) {
			return fmt.Sprintf("(%s, ghost %d)", file, all.ghost[i])
		}
		return "(" + file + ")"
	})
	m, err := where.find(ctx, at, all.Runs[0].Map)
	all.Map = cmp.Or(m, all.Map)
	return all, err
}

func (g *gatheredRuns) add(name string, f *gbx.File, ghosts []*runs.Ghost, choice GhostChoice, onlyFirst bool) error {
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
	if m := MapOf(f); m != nil && g.Map == nil {
		g.Map = m
	}
	return err
}

// compared is a point of a comparison in JSON and CSV. Values that are not recorded are
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

// comparedColumns are the names of the fields of compared, in order.
var comparedColumns = []string{
	"distance", "time", "other_time", "delta", "apart", "speed", "other_speed", "steer", "other_steer", "gas", "other_gas", "brake", "other_brake",
}

func (c *compared) values() []*float64 {
	return []*float64{
		c.Distance, c.Time, c.OtherTime, c.Delta, c.Apart, c.Speed, c.OtherSpeed, c.Steer, c.OtherSteer, c.Gas, c.OtherGas, c.Brake, c.OtherBrake,
	}
}

// points returns the points of a comparison at every so many metres.
func points(o *compare.Against, step, every float64) []compared {
	n := max(1, int(math.Round(every/step)))
	out := []compared{}
	for i := 0; i < len(o.Points); i += n {
		p := &o.Points[i]
		a, b := &p.FirstSample, &p.OtherSample
		out = append(out, compared{
			rounded(p.Distance), rounded(p.First), rounded(p.Other), rounded(p.Delta), rounded(p.Separation),
			rounded(a.Speed), rounded(b.Speed), rounded(a.Steer), rounded(b.Steer), rounded(a.Gas), rounded(b.Gas), rounded(a.Brake), rounded(b.Brake),
		})
	}
	return out
}

// rounded rounds a number to a thousandth. It returns nil for NaN.
func rounded(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	v = math.Round(v*1000) / 1000
	return &v
}

// Comparison is the answer: how runs compare with the first. Lengths are in metres,
// speeds in metres per second, times in milliseconds.
type Comparison struct {
	Length   *float64      `json:"length" doc:"length of the first line in metres"`
	Runs     []comparedRun `json:"runs" doc:"runs that were compared"`
	Against  []against     `json:"against" doc:"each other run beside the first"`
	Warnings []string      `json:"warnings" doc:"reasons to doubt the comparison"`

	Of  *compare.Comparison `json:"-"`
	Map *maps.Map           `json:"-"` // nil if no file holds the map
}

type comparedRun struct {
	Path        string   `json:"path"`
	Ghost       int      `json:"ghost"`
	Name        string   `json:"name"`
	Time        *int64   `json:"time"`
	MapUID      *string  `json:"map_uid"`
	Checkpoints []*int64 `json:"checkpoints"`
}

type against struct {
	Run    int        `json:"run" doc:"number of the run, from 1"`
	Splits []split    `json:"splits" doc:"times from checkpoint to checkpoint"`
	Apart  []stretch  `json:"apart" doc:"stretches on which the lines part by more than a metre"`
	Same   []stretch  `json:"same" doc:"stretches on which the lines are the same"`
	Points []compared `json:"points"`
}

type split struct {
	Number   int      `json:"number"`
	Finish   bool     `json:"finish"`
	Distance *float64 `json:"distance"`
	Time     int64    `json:"time"`
	Other    int64    `json:"other_time"`
	Delta    int64    `json:"delta"`
	Gain     int64    `json:"gain"`
}

type stretch struct {
	From   *float64 `json:"from"`
	To     *float64 `json:"to"`
	Most   *float64 `json:"most"`
	MostAt *float64 `json:"most_at"`
	Delta  *float64 `json:"delta"`
}

// comparison converts a comparison for JSON, with a point every so many metres.
func (g *gatheredRuns) comparison(c *compare.Comparison, every float64) *Comparison {
	out := &Comparison{Length: rounded(c.Length), Runs: []comparedRun{}, Against: []against{}, Warnings: append([]string{}, c.Warnings...), Of: c, Map: g.Map}
	for i, r := range g.Runs {
		times := []*int64{}
		for _, t := range r.Checkpoints {
			times = append(times, KnownTime(t))
		}
		out.Runs = append(out.Runs, comparedRun{g.files[i], g.ghost[i], r.Name, KnownTime(r.Time), question.NonEmpty(r.Map), times})
	}
	for i := range c.Against {
		o := &c.Against[i]
		splits := []split{}
		for _, s := range o.Splits {
			splits = append(splits, split{s.Number, s.Finish, rounded(s.Distance), int64(s.Time), int64(s.Other), int64(s.Delta), int64(s.Gain)})
		}
		out.Against = append(out.Against, against{i + 1, splits, stretches(o.Divergences), stretches(o.Copies), points(o, c.Step, every)})
	}
	return out
}

func stretches(list []compare.Stretch) []stretch {
	out := []stretch{}
	for _, s := range list {
		out = append(out, stretch{rounded(s.From), rounded(s.To), rounded(s.Most), rounded(s.MostAt), rounded(s.Delta)})
	}
	return out
}

// CSV writes a row for each point of each comparison.
func (c *Comparison) CSV(b io.Writer) error {
	w := csv.NewWriter(b)
	w.Write(append([]string{"run"}, comparedColumns...))
	for i := range c.Against {
		for _, p := range c.Against[i].Points {
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
