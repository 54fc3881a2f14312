package explore

import (
	"bytes"
	"io"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/trackmania"
	"pakbox/trackmania/runs"
)

// withRuns calls look with the recorded runs of the file that is asked about.
func (s *Explorer) withRuns(c *call, look func(name string, f *gbx.File, ghosts []*runs.Ghost) (any, error)) (any, error) {
	return s.withGBX(c, func(name string, f *gbx.File) (any, error) {
		ghosts := runs.GhostsOf(f)
		if _, err := runs.ReplayOf(f); err != nil && len(ghosts) == 0 {
			return nil, fault.New(fault.NotFormat, "there is no recorded run in the file")
		}
		return look(name, f, ghosts)
	})
}

// spans gives names as stretches of one colour, for pages that draw names.
func (s *Explorer) spans(c *call) (any, error) {
	list := [][]trackmania.Span{}
	for _, name := range c.Params["text"] {
		list = append(list, trackmania.Spans(name))
	}
	return new(answer.Object).Add("spans", list), nil
}

// lines are the driven lines of the run that is asked about.
func (s *Explorer) lines(c *call, use func(lines []answer.DrivenLine) (any, error)) (any, error) {
	ghost, err := c.number("ghost", 0, 0)
	if err != nil {
		return nil, err
	}
	return s.withRuns(c, func(name string, _ *gbx.File, ghosts []*runs.Ghost) (any, error) {
		lines, err := answer.DrivenLines(name, ghosts, answer.GhostChoice(min(ghost, 1<<20)), 0, runs.Columns)
		if err != nil {
			return nil, err
		}
		return use(lines)
	})
}

func (s *Explorer) replayTelemetry(c *call) (any, error) {
	return s.lines(c, func(lines []answer.DrivenLine) (any, error) { return lines[0].Object(), nil })
}

// telemetryFile is the driven line as a file to keep.
func (s *Explorer) telemetryFile(c *call) (any, error) {
	write := map[string]func(io.Writer, []answer.DrivenLine) error{
		"csv": answer.TelemetryCSV, "npy": answer.TelemetryNPY, "parquet": s.opts.Parquet,
	}[c.param("kind")]
	if write == nil {
		return nil, usage("there is no format %q here", c.param("kind"))
	}
	return s.lines(c, func(lines []answer.DrivenLine) (any, error) {
		var b bytes.Buffer
		if err := write(&b, lines); err != nil {
			return nil, err
		}
		a := bytesAnswer(OK, octets, b.Bytes())
		a.File = "telemetry." + c.param("kind")
		return a, nil
	})
}

// Limits of a comparison: files at once, and points of each run.
const (
	maxCompared = 20
	maxPoints   = 2000
)

// replayCompare holds the runs of files against the first of them.
func (s *Explorer) replayCompare(c *call) (any, error) {
	names := c.Params["path"]
	step, err := c.number("step", 5, 1)
	switch {
	case err != nil:
		return nil, err
	case len(names) == 0 || len(names) > maxCompared:
		return nil, usage("%d files are compared at most, and one at least", maxCompared)
	}
	runs, err := answer.GatherRuns(c.Context(), s.opener.WithoutAsking(), names, answer.AllGhosts)
	if err != nil {
		return nil, err
	}
	compared, err := runs.Compare()
	if err != nil {
		return nil, err
	}
	return runs.ComparisonObject(compared, max(float64(step), compared.Length/maxPoints)), nil
}
