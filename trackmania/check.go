package trackmania

import (
	"fmt"

	"pakbox/gbx"
)

// Verdict is the answer to one question about a recorded run.
type Verdict struct {
	Question string // time, checkpoints, samples, ticks, inputs
	State    string // ok, suspect, unknown
	Detail   string
}

// States of a verdict. Unknown means that the file does not hold what the
// question needs.
const (
	OK      = "ok"
	Suspect = "suspect"
	Unknown = "unknown"
)

// endSlack is how far the last sample may lie from the declared time: samples
// are taken every 50 or 100 milliseconds.
const endSlack gbx.Time = 200

// Check compares what a ghost declares with what it recorded. It can find
// contradictions; it cannot prove that a run was driven by a person.
func (g *Ghost) Check() []Verdict {
	return []Verdict{g.checkFinish(), g.checkCheckpoints(), g.checkSamples(), g.checkTicks(), g.checkInputs()}
}

func (g *Ghost) checkFinish() Verdict {
	times := g.Checkpoints()
	if g.Time() == gbx.NoTime || len(times) == 0 {
		return Verdict{"time", Unknown, "no declared time or no checkpoints to compare"}
	}
	if last := times[len(times)-1]; last != g.Time() {
		return Verdict{"time", Suspect, fmt.Sprintf("declared %s, last checkpoint %s", TimeText(g.Time()), TimeText(last))}
	}
	return Verdict{"time", OK, "the last checkpoint is the declared time, " + TimeText(g.Time())}
}

func (g *Ghost) checkCheckpoints() Verdict {
	times := g.Checkpoints()
	if len(times) == 0 {
		return Verdict{"checkpoints", Unknown, "none recorded"}
	}
	for i := 1; i < len(times); i++ {
		if times[i] < times[i-1] {
			return Verdict{"checkpoints", Suspect, fmt.Sprintf("checkpoint %d at %s comes before checkpoint %d at %s", i+1, TimeText(times[i]), i, TimeText(times[i-1]))}
		}
	}
	return Verdict{"checkpoints", OK, fmt.Sprintf("%d in order", len(times))}
}

func (g *Ghost) checkSamples() Verdict {
	lines, err := g.Telemetry()
	switch {
	case err != nil:
		return Verdict{"samples", Suspect, err.Error()}
	case len(lines) == 0:
		return Verdict{"samples", Unknown, "the movement of a car is not recorded"}
	case g.Time() == gbx.NoTime:
		return Verdict{"samples", Unknown, "no declared time to compare"}
	}
	last := gbx.Time(0)
	for i := range lines {
		last = max(last, lines[i].Samples[len(lines[i].Samples)-1].Time)
	}
	if last < g.Time()-endSlack {
		return Verdict{"samples", Suspect, fmt.Sprintf("they end at %s, before the declared time %s", TimeText(last), TimeText(g.Time()))}
	}
	return Verdict{"samples", OK, fmt.Sprintf("they go on to %s", TimeText(last))}
}

// checkTicks looks for missing, repeated and misplaced samples.
func (g *Ghost) checkTicks() Verdict {
	lines, err := g.Telemetry()
	if err != nil || len(lines) == 0 {
		return Verdict{"ticks", Unknown, "the movement of a car is not recorded"}
	}
	missing, repeated, backwards, n := 0, 0, 0, 0
	for i := range lines {
		l := &lines[i]
		n += len(l.Samples)
		for k := 1; k < len(l.Samples); k++ {
			switch step := l.Samples[k].Time - l.Samples[k-1].Time; {
			case step == 0:
				repeated++
			case step < 0:
				backwards++
			case step > l.Period+l.Period/2:
				missing++
			}
		}
	}
	if missing+repeated+backwards > 0 {
		return Verdict{"ticks", Suspect, fmt.Sprintf("%d gaps, %d repeated, %d out of order in %d samples", missing, repeated, backwards, n)}
	}
	return Verdict{"ticks", OK, fmt.Sprintf("%d samples at even steps", n)}
}

func (g *Ghost) checkInputs() Verdict {
	inputs, err := g.Inputs()
	switch {
	case err != nil:
		return Verdict{"inputs", Suspect, err.Error()}
	case len(inputs) == 0:
		return Verdict{"inputs", Unknown, "none recorded"}
	}
	for i := 1; i < len(inputs); i++ {
		if inputs[i].Time < inputs[i-1].Time {
			return Verdict{"inputs", Suspect, fmt.Sprintf("input %d at %s comes after one at %s", i, TimeText(inputs[i].Time), TimeText(inputs[i-1].Time))}
		}
	}
	return Verdict{"inputs", OK, fmt.Sprintf("%d in order", len(inputs))}
}
