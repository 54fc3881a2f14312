package runs

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo"
)

// Verdict is the answer to one question about a recorded race. It is a finding: its rule
// is the question (time, checkpoints, samples, …). State is the outcome.
type Verdict struct {
	State State
	finding.Finding
}

// Question returns the question in words for people.
func (v *Verdict) Question() string { return strings.ReplaceAll(v.Rule, "_", " ") }

// State is the outcome of a question.
type State string

// Unknown means that the file does not contain what the question needs.
const (
	OK      State = "ok"
	Suspect State = "suspect"
	Unknown State = "unknown"
)

func answer(question string, state State, detail string, args ...any) Verdict {
	severity := finding.Note
	if state == Suspect {
		severity = finding.Warning
	}
	return Verdict{state, finding.New(severity, question, finding.Nowhere, detail, args...)}
}

// Limits for plausible recordings.
const (
	// endSlack is how long before the declared time the last sample may be. Samples are
	// taken every 50 or 100 milliseconds.
	endSlack gbx.Time = 200
	// runOut is how long games may continue recording after the finish. They stop after
	// three seconds, or when the driver leaves.
	runOut gbx.Time = 10_000
	// inputSlack is how long before the declared time the inputs may end. The last ticks
	// may be missing if nothing changed in them.
	inputSlack gbx.Time = 1000
	// impossible is a speed that no car reaches, in metres per second. A faster move is a
	// jump.
	impossible = 2000 / 3.6
	// still is how far a standing car may move, in metres, because it sways.
	still = 0.1
	// slow is a speed in metres per second. Lower speeds are not compared: speeds are
	// stored in steps, and a car that turns on the spot has none.
	slow = 5
	// deviation is how much driven and stored speeds may differ, as a fraction, in the
	// median.
	deviation = 0.05
	// fewSamples is a number of samples too small for a median.
	fewSamples = 20
)

// test is one question about a run, with the function that answers it.
type test struct {
	name   string
	proves string // what a suspect answer shows
	lines  bool   // the question needs the samples
	ask    func(*Ghost, []Line) Verdict
}

// tests are all questions about a run, in the order of their answers.
var tests = []test{
	{"time", "the declared time is not that of the checkpoints", false, (*Ghost).checkFinish},
	{"result", "time or checkpoints were changed in one of two places", false, (*Ghost).checkResult},
	{"checkpoints", "a checkpoint was passed before one that comes earlier", false, (*Ghost).checkCheckpoints},
	{"splits", "the declared checkpoints are not those of the recorded car", false, (*Ghost).checkSplits},
	{"start", "result and build are of two runs", false, (*Ghost).checkStart},
	{"samples", "the recorded car did not drive for the declared time", true, (*Ghost).checkSamples},
	{"ticks", "samples were taken out, put in or moved", true, (*Ghost).checkTicks},
	{"jumps", "the car was somewhere else at once, without a respawn", true, (*Ghost).checkJumps},
	{"speeds", "positions or times of samples were changed", true, (*Ghost).checkSpeeds},
	{"turning", "samples were put together from two cars", true, (*Ghost).checkTurning},
	{"steering", "inputs and samples are of two runs, or a program wrote the samples", true, (*Ghost).checkSteering},
	{"inputs", "the inputs are not those of the declared time", false, (*Ghost).checkInputs},
	{"tminterface", "TMInterface played or changed the run", false, (*Ghost).checkTMInterface},
}

// Proves returns what a suspect answer to this question shows.
func (v *Verdict) Proves() string {
	for _, t := range tests {
		if t.name == v.Rule {
			return t.proves
		}
	}
	return "header, map and ghosts are not of one run"
}

// Check compares the result that a ghost declares with its recording. It can find
// contradictions. It cannot prove that a person drove the run.
func (g *Ghost) Check() []Verdict {
	lines, err := g.lines(judged)
	return g.judge(lines, err)
}

func (g *Ghost) judge(lines []Line, err error) (list []Verdict) {
	lines = slices.DeleteFunc(lines, func(l Line) bool { return l.Other })
	for _, t := range tests {
		switch {
		case err == nil || !t.lines:
			list = append(list, t.ask(g, lines))
		case t.name == "samples":
			list = append(list, answer(t.name, unread(err), "%v", err))
		}
	}
	return list
}

// unread returns the state for data that could not be read. An unknown layout
// is not evidence against the run.
func unread(err error) State {
	if errors.Is(err, fault.Unsupported) {
		return Unknown
	}
	return Suspect
}

func (g *Ghost) checkFinish([]Line) Verdict {
	times, noFinish := g.checkpoints()
	switch {
	case g.Time() == gbx.NoTime:
		return answer("time", Unknown, "no time is declared")
	case len(times) == 0:
		return answer("time", Unknown, "%s is declared, but no checkpoints to compare", nadeo.TimeText(g.Time()))
	}
	switch last := times[len(times)-1]; {
	case noFinish && last < g.Time():
		return answer("time", OK, "%s is declared, and the last checkpoint, which is not the finish, is at %s", nadeo.TimeText(g.Time()), nadeo.TimeText(last))
	case last != g.Time():
		return answer("time", Suspect, "%s is declared, but the last checkpoint is at %s", nadeo.TimeText(g.Time()), nadeo.TimeText(last))
	}
	return answer("time", OK, "the last checkpoint is at the declared time, %s", nadeo.TimeText(g.Time()))
}

// checkResult compares the two places where ghosts of Trackmania (2020) store a result.
func (g *Ghost) checkResult([]Line) Verdict {
	c, ok := gbx.Find[*game.Chunk0309202B](g.Node)
	if !ok || c.RaceTime == gbx.NoTime || len(c.WaypointTimes) == 0 {
		return answer("result", Unknown, "the ghost has no second copy of its result")
	}
	if c.RaceTime != g.Time() {
		return answer("result", Suspect, "%s is declared in one place, %s in another", nadeo.TimeText(g.Time()), nadeo.TimeText(c.RaceTime))
	}
	times := g.Checkpoints()
	if len(times) != len(c.WaypointTimes) {
		return answer("result", Suspect, "%d checkpoints in one place, %d in another", len(times), len(c.WaypointTimes))
	}
	for i, w := range c.WaypointTimes {
		if w.Time != times[i] {
			return answer("result", Suspect, "checkpoint %d is at %s in one place, at %s in another", i+1, nadeo.TimeText(times[i]), nadeo.TimeText(w.Time))
		}
	}
	return answer("result", OK, "both copies of the result agree")
}

func (g *Ghost) checkCheckpoints([]Line) Verdict {
	times := g.Checkpoints()
	if len(times) == 0 {
		return answer("checkpoints", Unknown, "none are recorded")
	}
	before, passed := 0, 0
	for i, t := range times {
		if t == gbx.NoTime {
			continue // the checkpoint was not passed
		}
		if passed > 0 && t < times[before] {
			return answer("checkpoints", Suspect, "checkpoint %d at %s comes before checkpoint %d at %s", i+1, nadeo.TimeText(t), before+1, nadeo.TimeText(times[before]))
		}
		before = i
		passed++
	}
	detail := fmt.Sprintf("%d in order", g.CheckpointCount())
	if g.CheckpointCount() < passed {
		detail += ", then the finish"
	}
	if passed < len(times) {
		detail += fmt.Sprintf("; %d without a time", len(times)-passed)
	}
	return answer("checkpoints", OK, "%s", detail)
}

// noLine answers a question that needs the car's movement, if none exists.
func noLine(question string) Verdict {
	return answer(question, Unknown, "the movement of a car is not recorded")
}

// checkSamples compares the begin and end of the samples with the declared time.
func (g *Ghost) checkSamples(lines []Line) Verdict {
	if len(lines) == 0 {
		return noLine("samples")
	}
	n := 0
	first, last, stands := gbx.Time(math.MaxInt32), gbx.Time(math.MinInt32), gbx.Time(math.MinInt32)
	for i := range lines {
		s := lines[i].Samples
		n += len(s)
		first, last, stands = min(first, s[0].Time), max(last, s[len(s)-1].Time), max(stands, lines[i].StandsFrom())
	}
	switch end := g.Time(); {
	case first > endSlack && g.SampleCount() > n:
		return answer("samples", Unknown, "they go from %s to %s; %d more are empty", nadeo.TimeText(first), nadeo.TimeText(last), g.SampleCount()-n)
	case first > endSlack:
		return answer("samples", Suspect, "they begin at %s", nadeo.TimeText(first))
	case end == gbx.NoTime:
		return answer("samples", Unknown, "they end at %s, and no time is declared to compare", nadeo.TimeText(last))
	case last < end-endSlack:
		return answer("samples", Suspect, "they end at %s, before the declared time %s", nadeo.TimeText(last), nadeo.TimeText(end))
	case stands > end+runOut:
		return answer("samples", Suspect, "the car still drives at %s, long after the declared time %s", nadeo.TimeText(stands), nadeo.TimeText(end))
	case last > end+runOut:
		return answer("samples", OK, "they go on to %s, but the car stands from %s on", nadeo.TimeText(last), nadeo.TimeText(stands))
	}
	return answer("samples", OK, "they go from %s to %s", nadeo.TimeText(first), nadeo.TimeText(last))
}

// StandsFrom returns the time from which the car stands still until the end. If it never
// stands, this is the time of the last sample.
func (l *Line) StandsFrom() gbx.Time {
	s := l.Samples
	i := len(s) - 1
	for i > 0 && s[i].Speed < 0.5 && distance(s[i].Position, s[i-1].Position) < still {
		i--
	}
	return s[i].Time
}

// checkTicks looks for missing, repeated and misplaced samples.
func (g *Ghost) checkTicks(lines []Line) Verdict {
	var all ticks
	for i := range lines {
		if len(lines[i].Samples) > fewSamples {
			all.add(&lines[i])
		}
	}
	respawns := g.respawned()
	switch {
	case all.samples == 0:
		return answer("ticks", Unknown, "too few samples to determine their step")
	case all.repeated+all.backwards+all.missing == 0 && all.standing == 0:
		return answer("ticks", OK, "%d samples, one every %d ms", all.samples, all.period)
	case all.repeated+all.backwards > 0 || all.missing > max(0, respawns):
		if g.Time() == gbx.NoTime && g.InputCount() == 0 {
			return answer("ticks", Unknown, "%s: the ghost has neither time nor inputs, like those of other players that a server sent", &all)
		}
		return answer("ticks", Suspect, "%s", &all)
	}
	return answer("ticks", OK, "%d samples, one every %d ms, with %d gaps in which the car moved, for %d respawns, and %d in which it stood",
		all.samples, all.period, all.missing, max(0, respawns), all.standing)
}

// ticks counts the time steps between samples.
type ticks struct {
	samples                      int
	period                       gbx.Time // of the first line
	missing, repeated, backwards int
	// standing counts the gaps in which the car did not move. Trackmania (2020) records
	// nothing while a car stands, for example after a respawn.
	standing int
}

func (t *ticks) add(l *Line) {
	if t.samples == 0 {
		t.period = l.Period
	}
	t.samples += len(l.Samples)
	for k := 1; k < len(l.Samples); k++ {
		a, b := &l.Samples[k-1], &l.Samples[k]
		switch step := b.Time - a.Time; {
		case step == 0:
			t.repeated++
		case step < 0:
			t.backwards++
		case step > l.Period+l.Period/2 && distance(a.Position, b.Position) < still:
			t.standing++
		case step > l.Period+l.Period/2:
			t.missing++
		}
	}
}

func (t *ticks) String() string {
	return fmt.Sprintf("%d gaps, %d repeated, %d out of order in %d samples", t.missing+t.standing, t.repeated, t.backwards, t.samples)
}

// checkJumps looks for moves that no car can make. Respawns are such moves.
func (g *Ghost) checkJumps(lines []Line) Verdict {
	if len(lines) == 0 {
		return noLine("jumps")
	}
	jumps, at := 0, gbx.Time(0)
	for i := range lines {
		for _, k := range lines[i].Jumps() {
			if jumps == 0 {
				at = lines[i].Samples[k].Time
			}
			jumps++
		}
	}
	switch n := g.respawned(); {
	case jumps == 0:
		return answer("jumps", OK, "the car never moves faster than 2000 km/h")
	case jumps > n && g.Respawns() < 0:
		return answer("jumps", Unknown, "%d, the first at %s; the ghost does not count respawns", jumps, nadeo.TimeText(at))
	case jumps <= n:
		return answer("jumps", OK, "%d, with %d respawns", jumps, n)
	default:
		return answer("jumps", Suspect, "%d, the first at %s, but only %d respawns", jumps, nadeo.TimeText(at), n)
	}
}

// Jumps returns the indices of the samples that the car cannot have reached from the
// sample before.
func (l *Line) Jumps() []int {
	var out []int
	for i := 1; i < len(l.Samples); i++ {
		a, b := &l.Samples[i-1], &l.Samples[i]
		if dt := float64(b.Time-a.Time) / 1000; dt > 0 && !(distance(a.Position, b.Position)/dt <= impossible) {
			out = append(out, i) // NaN counts as a jump too
		}
	}
	return out
}

// checkSpeeds compares the stored speeds with the speeds between the positions.
func (g *Ghost) checkSpeeds(lines []Line) Verdict {
	if len(lines) == 0 {
		return noLine("speeds")
	}
	worst, compared := 0.0, false
	for i := range lines {
		if d, ok := lines[i].SpeedDeviation(); ok {
			worst, compared = max(worst, d), true
		}
	}
	switch {
	case !compared:
		return answer("speeds", Unknown, "the car moves too little to compare its speeds")
	case worst > deviation:
		return answer("speeds", Suspect, "stored speeds and positions differ by %.1f %% in the median", 100*worst)
	}
	return answer("speeds", OK, "stored speeds and positions agree within %.1f %% in the median", 100*worst)
}

// SpeedDeviation returns how much the stored speeds differ from the speeds between
// positions: the median, as a fraction. It returns false if the line is too short or too
// slow.
func (l *Line) SpeedDeviation() (float64, bool) {
	parts := make([]float64, 0, len(l.Samples))
	for i := 1; i < len(l.Samples); i++ {
		a, b := &l.Samples[i-1], &l.Samples[i]
		dt, mean := float64(b.Time-a.Time)/1000, (a.Speed+b.Speed)/2
		if dt > 0 && mean > slow {
			parts = append(parts, math.Abs(distance(a.Position, b.Position)/dt-mean)/mean)
		}
	}
	if len(parts) <= fewSamples {
		return 0, false
	}
	return median(parts), true
}

// median returns the median of a list, and reorders the list. It only partitions the part
// with the middle, which is faster than sorting (Hoare, Algorithm 65: Find).
func median(list []float64) float64 {
	middle, from, to := len(list)/2, 0, len(list)-1
	for round := 0; from < to; round++ {
		if round == 64 { // the list was crafted to be slow
			slices.Sort(list[from : to+1])
			break
		}
		pivot, i, j := list[middle], from, to
		for i <= j {
			for list[i] < pivot {
				i++
			}
			for pivot < list[j] {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i, j = i+1, j-1
			}
		}
		if j < middle {
			from = i
		}
		if middle < i {
			to = j
		}
	}
	return list[middle]
}

func distance(a, b gbx.Vec3) float64 {
	return length(gbx.Vec3{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z})
}

func (g *Ghost) checkInputs([]Line) Verdict {
	inputs, err := g.Inputs()
	switch {
	case err != nil:
		return answer("inputs", unread(err), "%v", err)
	case len(inputs) == 0:
		return answer("inputs", Unknown, "none are recorded")
	}
	for i, in := range inputs {
		if i > 0 && in.Time < inputs[i-1].Time {
			return answer("inputs", Suspect, "input %d at %s comes after one at %s", i, nadeo.TimeText(in.Time), nadeo.TimeText(inputs[i-1].Time))
		}
	}
	if mark := g.FinishMark(); mark != gbx.NoTime && g.Time() != gbx.NoTime && mark != g.Time() {
		return answer("inputs", Suspect, "they reach the finish at %s, but %s is declared", nadeo.TimeText(mark), nadeo.TimeText(g.Time()))
	}
	if end := g.inputsEnd(); end != gbx.NoTime && g.Time() != gbx.NoTime && end < g.Time()-inputSlack {
		return answer("inputs", Unknown, "%d in order, the last at %s; but they end at %s of %s, and what follows is not recorded",
			len(inputs), nadeo.TimeText(inputs[len(inputs)-1].Time), nadeo.TimeText(end), nadeo.TimeText(g.Time()))
	}
	return answer("inputs", OK, "%d in order", len(inputs))
}

func (g *Ghost) checkTMInterface([]Line) Verdict {
	switch marked, known := g.TMInterfaceMark(); {
	case !known:
		return answer("tminterface", Unknown, "no inputs are recorded that would carry its mark")
	case marked:
		return answer("tminterface", Suspect, "the inputs carry its mark: it played or changed them")
	}
	return answer("tminterface", OK, "the inputs do not carry its mark")
}
