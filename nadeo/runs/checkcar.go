package runs

import (
	"math"
	"slices"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo"
)

// Limits for the comparison of inputs with samples, derived from the test corpus: in
// recordings of the games, 94 % of the samples or more agree.
const (
	fewSteers     = 20  // with fewer inputs of steering nothing is compared
	sameSteering  = 0.9 // fraction of the samples that must agree with the inputs
	roundSteering = 0.98
	// afterRespawn is how long a car drives without the player's inputs after a respawn.
	afterRespawn gbx.Time = 3000
	// sameTurning is how much the car's turning may differ from the stored angular
	// velocity, in radians per second, in the median. Recordings of Trackmania (2020)
	// stay below 0.09.
	sameTurning = 0.15
)

// steerAt is a position of the steering wheel that begins at a time, -1 to 1.
type steerAt struct {
	time  gbx.Time
	steer float64
}

// steering returns the positions of the wheel in the inputs, from keys or a stick, and
// the times of respawns.
func steering(inputs []Input) (list []steerAt, respawns []gbx.Time) {
	var left, right int32
	for _, in := range inputs {
		switch in.Name {
		case "Steer":
			list = append(list, steerAt{in.Time, float64(in.Value) / MaxAnalog})
			continue
		case "SteerLeft":
			left = in.Value
		case "SteerRight":
			right = in.Value
		case "Respawn", "SecondaryRespawn":
			respawns = append(respawns, in.Time)
			continue
		default:
			continue
		}
		list = append(list, steerAt{in.Time, float64(right - left)})
	}
	return list, respawns
}

// steered counts how many samples agree with the inputs. Games truncate the wheel's
// position to a byte; other programs that write samples round it.
type steered struct {
	samples, cut, rounded, near int
	parts                       gbx.Time // time of the first disagreement
}

func (g *Ghost) compareSteering(l *Line, list []steerAt, respawns []gbx.Time, lag gbx.Time) (n steered) {
	end, finish, ticks := g.inputsEnd(), g.Time(), len(g.ticks()) > 0
	n.parts = gbx.NoTime
	now, next, respawn := 0.0, 0, 0
	for i := range l.Samples {
		s := &l.Samples[i]
		for ; next < len(list) && list[next].time <= s.Time+lag; next++ {
			now = list[next].steer
		}
		for respawn+1 < len(respawns) && respawns[respawn+1] <= s.Time {
			respawn++
		}
		late := finish != gbx.NoTime && s.Time > finish || end != gbx.NoTime && s.Time > end
		if s.Time < 0 || late || len(respawns) > 0 && s.Time >= respawns[respawn] && s.Time < respawns[respawn]+afterRespawn {
			continue
		}
		n.samples++
		want := (now + 1) / 2 * math.MaxUint8
		if ticks { // integers from -127 to 127
			want = (math.Round(now*steerFull) + steerFull) * math.MaxUint8 / (2 * steerFull)
		}
		got := math.Round((s.Steer + 1) / 2 * math.MaxUint8)
		switch {
		case got == math.Floor(want):
			n.cut++
			n.near++
		case math.Abs(got-math.Floor(want)) <= 1:
			n.near++
		case n.parts == gbx.NoTime:
			n.parts = s.Time
		}
		if got == math.Round(want) {
			n.rounded++
		}
	}
	return n
}

// checkSteering compares the steering in the samples with the inputs, which games store
// separately. In most games an input takes effect in the tick of a sample or the tick
// before. So it tries several offsets and takes the best.
func (g *Ghost) checkSteering(lines []Line) Verdict {
	if len(lines) == 0 || math.IsNaN(lines[0].Samples[0].Steer) {
		return answer("steering", Unknown, "the samples do not hold it")
	}
	inputs, _ := g.Inputs() // the inputs before an error
	list, respawns := steering(inputs)
	if len(list) < fewSteers {
		return answer("steering", Unknown, "%d inputs of steering are too few to compare", len(list))
	}
	if end := g.inputsEnd(); g.SampleCount() > len(lines[0].Samples) || end != gbx.NoTime && end < g.Time()-inputSlack {
		return answer("steering", Unknown, "samples of the start or inputs of the end are missing, so the clocks of both may differ")
	}
	var best steered
	for _, lag := range []gbx.Time{0, -10, -20, -30, 10, 20, 30, 40} {
		if n := g.compareSteering(&lines[0], list, respawns, lag); n.samples > 0 && n.near > best.near {
			best = n
		}
		if float64(best.near) > roundSteering*float64(best.samples) {
			break
		}
	}
	part := func(n int) float64 { return float64(n) / float64(best.samples) }
	switch {
	case best.samples <= fewSamples:
		return answer("steering", Unknown, "too few samples to compare")
	case part(best.cut) >= sameSteering && best.cut >= best.rounded:
		return answer("steering", OK, "samples and inputs agree in %.1f %% of %d samples", 100*part(best.cut), best.samples)
	case part(best.rounded) >= roundSteering && best.rounded > best.cut:
		return answer("steering", Suspect, "the samples hold the inputs rounded, in %.1f %% of %d samples; a game cuts them off, which fits %.1f %%: a program wrote the samples",
			100*part(best.rounded), best.samples, 100*part(best.cut))
	case part(best.near) >= sameSteering:
		return answer("steering", Unknown, "samples and inputs are near each other in %.1f %% of %d samples, but equal in %.1f %%", 100*part(best.near), best.samples, 100*part(best.cut))
	}
	return answer("steering", Suspect, "samples and inputs agree in %.1f %% of %d samples, and part at %s: they are not of one run",
		100*part(best.cut), best.samples, nadeo.TimeText(best.parts))
}

// checkTurning compares the angular velocity in samples of Trackmania (2020) with the
// change of rotation around them.
func (g *Ghost) checkTurning(lines []Line) Verdict {
	var far []float64
	for i := range lines {
		s := lines[i].Samples
		if lines[i].Source != sourceRecord {
			continue
		}
		for k := 1; k+1 < len(s); k++ {
			a, b := &s[k-1], &s[k+1]
			if b.Time-a.Time != 2*lines[i].Period || b.Time == a.Time || !(s[k].Speed > slow) {
				continue
			}
			want := spun(a.Rotation, b.Rotation, float64(b.Time-a.Time)/1000)
			far = append(far, distance(s[k].turning, want))
		}
	}
	if len(far) <= fewSamples {
		return answer("turning", Unknown, "the samples do not hold it, or the car moves too little")
	}
	m := median(far)
	if m > sameTurning {
		return answer("turning", Suspect, "stored turning and rotations differ by %.3f rad/s in the median: the two are of different cars", m)
	}
	return answer("turning", OK, "stored turning and rotations agree within %.3f rad/s in the median", m)
}

// spun returns the angular velocity that turns rotation a into rotation b, about the
// world's axes.
func spun(a, b gbx.Quat, seconds float64) gbx.Vec3 {
	// The product of b and the inverse of a.
	w := b.W*a.W + b.X*a.X + b.Y*a.Y + b.Z*a.Z
	v := gbx.Vec3{
		X: -b.W*a.X + b.X*a.W - b.Y*a.Z + b.Z*a.Y,
		Y: -b.W*a.Y + b.Y*a.W - b.Z*a.X + b.X*a.Z,
		Z: -b.W*a.Z + b.Z*a.W - b.X*a.Y + b.Y*a.X,
	}
	f := 2 / seconds
	if n := length(v); n > 1e-9 {
		f = 2 * math.Atan2(n, math.Abs(float64(w))) / n / seconds
	}
	if w < 0 {
		f = -f
	}
	return gbx.Vec3{X: v.X * float32(f), Y: v.Y * float32(f), Z: v.Z * float32(f)}
}

// checkSplits compares the checkpoints that the ghost declares with those in the record
// of Trackmania (2020). A record can hold several players, and can lack the finish.
func (g *Ghost) checkSplits([]Line) Verdict {
	events, err := g.recordedEvents()
	if err != nil {
		return answer("splits", unread(err), "%v", err)
	}
	var players [][]gbx.Time
	for _, e := range events {
		for e.Driver >= len(players) {
			players = append(players, nil)
		}
		if e.Kind != EventEffect {
			players[e.Driver] = append(players[e.Driver], e.Time)
		}
	}
	players = slices.DeleteFunc(players, func(list []gbx.Time) bool { return len(list) == 0 })
	declared := g.Checkpoints()
	if len(players) == 0 || len(declared) == 0 {
		return answer("splits", Unknown, "the record notes no checkpoints, or the ghost declares none")
	}
	for _, list := range players {
		if slices.Equal(list, declared) || slices.Equal(list, declared[:len(declared)-1]) {
			return answer("splits", OK, "the %d checkpoints in the record are those declared, to the millisecond", len(list))
		}
	}
	for i, t := range declared {
		if i >= len(players[0]) || players[0][i] != t {
			recorded := gbx.NoTime
			if i < len(players[0]) {
				recorded = players[0][i]
			}
			return answer("splits", Suspect, "checkpoint %d is declared at %s, but recorded at %s", i+1, nadeo.TimeText(t), nadeo.TimeText(recorded))
		}
	}
	return answer("splits", Suspect, "%d checkpoints are declared, but %d recorded", len(declared), len(players[0]))
}

// checkStart compares the two places where a run of Trackmania (2020) names the waypoint
// at which it started: beside its result, and beside the build of the game.
func (g *Ghost) checkStart([]Line) Verdict {
	result, ok := gbx.Find[*game.Chunk0309202B](g.Node)
	build, both := gbx.Find[*game.Chunk0309202D](g.Node)
	switch {
	case !ok || !both || result.U02 < 0 || int32(build.U02) < 0:
		return answer("start", Unknown, "the ghost does not say twice where it started")
	case uint32(result.U02) != build.U02:
		return answer("start", Suspect, "the result is of a run that started at waypoint %d, the build of one that started at %d", result.U02, build.U02)
	}
	return answer("start", OK, "both places name waypoint %d", build.U02)
}
