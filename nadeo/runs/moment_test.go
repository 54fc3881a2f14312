package runs

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/nadeotest/runsample"
)

// TestBetween: a car a quarter, half and all of the way from one sample to the
// next, worked out by hand.
func TestBetween(t *testing.T) {
	half := float32(math.Sqrt(0.5))
	a := Sample{
		Time: 1000, Position: gbx.Vec3{X: 0, Y: 10, Z: 20}, Velocity: gbx.Vec3{X: 4, Y: 8, Z: 12}, Speed: 10, Steer: -1, Gas: 0, Brake: 1, RPM: 1000, Gear: 2,
		Rotation: gbx.Quat{W: 1},
	}
	b := Sample{
		Time: 1100, Position: gbx.Vec3{X: 4, Y: 14, Z: 28}, Velocity: gbx.Vec3{X: 0, Y: 0, Z: 0}, Speed: 30, Steer: 1, Gas: 1, Brake: 0, RPM: 3000, Gear: 3,
		Rotation: gbx.Quat{W: half, Y: half}, // a quarter to the left
	}
	show := func(s Sample) string {
		return fmt.Sprintf("%d %v %v %g %g %g %g %g %d %.4f", s.Time, s.Position, s.Velocity, s.Speed, s.Steer, s.Gas, s.Brake, s.RPM, s.Gear,
			[]float32{s.Rotation.W, s.Rotation.X, s.Rotation.Y, s.Rotation.Z})
	}
	eighth := []float64{math.Cos(math.Pi / 8), math.Sin(math.Pi / 8)}
	for f, want := range map[float64]string{
		0:    "1000 {0 10 20} {4 8 12} 10 -1 0 1 1000 2 [1.0000 0.0000 0.0000 0.0000]",
		0.25: "1025 {1 11 22} {3 6 9} 15 -0.5 0.25 0.75 1500 2 [0.9823 0.0000 0.1874 0.0000]", // (0.75 + 0.25·√½, 0.25·√½), made one long
		0.5:  fmt.Sprintf("1050 {2 12 24} {2 4 6} 20 0 0.5 0.5 2000 3 [%.4f 0.0000 %.4f 0.0000]", eighth[0], eighth[1]),
		1:    "1100 {4 14 28} {0 0 0} 30 1 1 0 3000 3 [0.7071 0.0000 0.7071 0.0000]",
	} {
		if got := show(Between(&a, &b, f)); got != want {
			t.Errorf("at %g:\n%s, want\n%s", f, got, want)
		}
	}
	// The same rotation as a negated quaternion gives the same result.
	b.Rotation = gbx.Quat{W: -1}
	if q := Between(&a, &b, 0.5).Rotation; q != (gbx.Quat{W: 1}) {
		t.Errorf("q = %v; want gbx.Quat{W: 1}", q)
	}
	// Two cars without a rotation have none in between.
	a.Rotation, b.Rotation = gbx.Quat{}, gbx.Quat{}
	if q := Between(&a, &b, 0.5).Rotation; q != (gbx.Quat{}) {
		t.Errorf("q = %v; want gbx.Quat{}", q)
	}
}

// TestStandsFrom: a car stands if its position stays and its speed is 0.
func TestStandsFrom(t *testing.T) {
	at := func(x, speed float64) Sample { return Sample{Position: gbx.Vec3{X: float32(x)}, Speed: speed} }
	for _, test := range []struct {
		samples []Sample
		want    gbx.Time
	}{
		{[]Sample{at(0, 9), at(1, 9), at(2, 9)}, 200},
		{[]Sample{at(0, 9), at(1, 9), at(1, 0), at(1, 0)}, 100},
		{[]Sample{at(0, 9), at(1, 9), at(1.05, 0.4), at(1, 0)}, 100}, // it sways
		{[]Sample{at(0, 9), at(1, 9), at(1, 0.5), at(1, 0)}, 200},
		{[]Sample{at(0, 9), at(1, 0), at(1.2, 0), at(1.2, 0)}, 200},
		{[]Sample{at(0, 0), at(0, 0)}, 0},
		{[]Sample{at(0, 0)}, 0},
	} {
		l := Line{Samples: test.samples}
		for i := range l.Samples {
			l.Samples[i].Time = gbx.Time(100 * i)
		}
		if got := l.StandsFrom(); got != test.want {
			t.Errorf("%v: from %d, want %d", test.samples, got, test.want)
		}
	}
}

// TestJumped: eight metres, and three times what the car could drive.
func TestJumped(t *testing.T) {
	for _, test := range []struct {
		metres, speed float64
		want          bool
	}{{8, 0, false}, {8.5, 0, true}, {30, 100, false}, {30.5, 100, true}, {29.5, 100, false}} {
		a, b := Sample{Time: 1000, Speed: test.speed}, Sample{Time: 1100, Position: gbx.Vec3{Z: float32(test.metres)}, Speed: test.speed / 2}
		if Jumped(&a, &b) != test.want {
			t.Errorf("%g m at %g m/s: %v", test.metres, test.speed, !test.want)
		}
	}
}

// TestSamplesAreHeldAgainstTheTime: each answer at the edge of the next.
func TestSamplesAreHeldAgainstTheTime(t *testing.T) {
	took := func(ms gbx.Time) *Ghost { return ghostWith(&game.Chunk03092005{RaceTime: ms}) }
	rest := lineAt(0, 1000, 2000, 20_000)
	for i := range rest.Samples[2:] {
		rest.Samples[2+i].Position, rest.Samples[2+i].Speed = rest.Samples[1].Position, 0
	}
	for _, test := range []struct {
		ghost *Ghost
		lines []Line
		want  string
	}{
		{took(2000), []Line{lineAt(0, 1000, 2000)}, "ok they go from 0:00.000 to 0:02.000"},
		{took(2200), []Line{lineAt(0, 1000, 2000)}, "ok they go from 0:00.000 to 0:02.000"},
		{took(2201), []Line{lineAt(0, 1000, 2000)}, "suspect they end at 0:02.000, before the declared time 0:02.201"},
		{took(2201), []Line{lineAt(0, 1000, 2000), lineAt(2000, 2500)}, "ok they go from 0:00.000 to 0:02.500"},
		{took(2000), []Line{lineAt(200, 2000)}, "ok they go from 0:00.200 to 0:02.000"},
		{took(2000), []Line{lineAt(201, 2000)}, "suspect they begin at 0:00.201"},
		{took(gbx.NoTime), []Line{lineAt(0, 2000)}, "unknown they end at 0:02.000, and no time is declared to compare"},
		{took(1000), []Line{lineAt(0, 1000, 11_000)}, "ok they go from 0:00.000 to 0:11.000"},
		{took(1000), []Line{lineAt(0, 1000, 11_001)}, "suspect the car still drives at 0:11.001, long after the declared time 0:01.000"},
		{took(1500), []Line{rest}, "ok they go on to 0:20.000, but the car stands from 0:01.000 on"},
		{took(1500), nil, "unknown the movement of a car is not recorded"},
	} {
		v := test.ghost.checkSamples(test.lines)
		if got := string(v.State) + " " + v.Message; got != test.want {
			t.Errorf("%s, want\n%s", got, test.want)
		}
	}
}

// TestReplayIsHeldAgainstItsGhostAndMap.
func TestReplayIsHeldAgainstItsGhostAndMap(t *testing.T) {
	for _, test := range []struct {
		change func(header *game.Header03093000, r *Replay)
		want   [3]string
	}{
		{func(*game.Header03093000, *Replay) {}, [3]string{"ok a ghost drove the time in the header, 0:02.900", "ok a ghost is of the player in the header", "ok the map inside is the one in the header"}},
		{func(h *game.Header03093000, _ *Replay) { h.Time, h.PlayerLogin = 2000, "lin" }, [3]string{
			"suspect 0:02.000 is in the header, but the best ghost drove 0:02.900", "suspect lin is in the header, but the ghost is of vTr5QXsPTFi3a2QoTZkY2w", "ok the map inside is the one in the header"}},
		{func(h *game.Header03093000, _ *Replay) {
			h.Time, h.PlayerLogin, h.MapInfo.ID = gbx.NoTime, "", gbx.NewID("other")
		}, [3]string{
			"unknown the header declares no time", "unknown the header names no player", "suspect other is in the header, but a ghost was driven on abc"}},
		{func(_ *game.Header03093000, r *Replay) {
			c, _ := gbx.Find[*game.Chunk03093002](r.File.Body)
			c.Map = nil
		}, [3]string{"ok a ghost drove the time in the header, 0:02.900", "ok a ghost is of the player in the header", "unknown the file contains no readable map"}},
		{func(h *game.Header03093000, r *Replay) {
			c, _ := gbx.Find[*game.Chunk03093014](r.File.Body)
			c.Ghosts = nil
			h.MapInfo.ID = gbx.NewID("other")
		}, [3]string{"unknown no ghost to compare", "unknown no ghost names its player", "suspect other is in the header, but the map inside is abc"}},
		{func(_ *game.Header03093000, r *Replay) {
			c, _ := gbx.Find[*game.Chunk03093014](r.File.Body)
			for _, chunk := range c.Ghosts[0].Node.Chunks {
				switch c := chunk.Body.(type) {
				case *game.Chunk03092005:
					c.RaceTime = gbx.NoTime
				case *game.Chunk0309200F:
					c.GhostLogin = ""
				}
			}
		}, [3]string{"unknown no ghost declares a time", "unknown no ghost names its player", "ok the map inside is the one in the header"}},
		{func(h *game.Header03093000, _ *Replay) { h.MapInfo.ID = gbx.NoID }, [3]string{ // a header that describes no race
			"unknown the header declares no time", "unknown the header names no player", "unknown the header names no map"}},
	} {
		run := runsample.Straight(2900)
		driven, err := run.NamedMap("a map")
		if err != nil {
			t.Fatal(err)
		}
		r, err := ReplayOf(run.Replay(driven))
		if err != nil {
			t.Fatal(err)
		}
		test.change(r.File.Header.Chunks[0].Body.(*game.Header03093000), r)
		for i, v := range r.Check() {
			if got := string(v.State) + " " + v.Message; got != test.want[i] {
				t.Errorf("%s, want\n%s", got, test.want[i])
			}
		}
	}
}

// TestResultsAndCheckpointsAreHeldTogether: the messages if two copies of a
// result, or two checkpoints, contradict each other.
func TestResultsAndCheckpointsAreHeldTogether(t *testing.T) {
	ghost := func(took, copied gbx.Time, times, copies []gbx.Time) *Ghost {
		list, second := &game.Chunk0309200B{}, &game.Chunk0309202B{RaceTime: copied}
		for _, ms := range times {
			list.Checkpoints = append(list.Checkpoints, game.CGameCtnGhostCheckpoint{Time: ms})
		}
		second.WaypointTimes = slices.Grow(second.WaypointTimes, len(copies))[:len(copies)]
		for i, ms := range copies {
			second.WaypointTimes[i].Time = ms
		}
		return ghostWith(&game.Chunk03092005{RaceTime: took}, list, second)
	}
	type times = []gbx.Time
	for _, test := range []struct {
		ghost               *Ghost
		result, checkpoints string
	}{
		{ghost(3000, 3000, times{1000, 3000}, times{1000, 3000}), "ok both copies of the result agree", "ok 1 in order, then the finish"},
		{ghost(3000, 2999, times{1000, 3000}, times{1000, 3000}), "suspect 0:03.000 is declared in one place, 0:02.999 in another", "ok 1 in order, then the finish"},
		{ghost(3000, 3000, times{1000, 3000}, times{3000}), "suspect 2 checkpoints in one place, 1 in another", "ok 1 in order, then the finish"},
		{ghost(3000, 3000, times{1000, 2000, 3000}, times{1000, 2001, 3000}), "suspect checkpoint 2 is at 0:02.000 in one place, at 0:02.001 in another", "ok 2 in order, then the finish"},
		{ghost(3000, gbx.NoTime, times{2000, 1000, 3000}, times{1}), "unknown the ghost has no second copy of its result", "suspect checkpoint 2 at 0:01.000 comes before checkpoint 1 at 0:02.000"},
		{ghost(3000, 3000, times{gbx.NoTime, 1000, 3000}, nil), "unknown the ghost has no second copy of its result", "ok 1 in order, then the finish; 1 without a time"},
		{ghost(3000, 3000, nil, nil), "unknown the ghost has no second copy of its result", "unknown none are recorded"},
	} {
		for i, v := range []Verdict{test.ghost.checkResult(nil), test.ghost.checkCheckpoints(nil)} {
			if got, want := string(v.State)+" "+v.Message, []string{test.result, test.checkpoints}[i]; got != want {
				t.Errorf("%s, want\n%s", got, want)
			}
		}
	}
}

// TestOldInputs: the last one is stored first, keys are 0 or 1, and what is
// turned is a part of one.
func TestOldInputs(t *testing.T) {
	float := func(v float32) uint32 { return math.Float32bits(v) }
	c := &game.Chunk03093003{
		Controls: []game.CGameCtnReplayRecordOldControl{{Name: "Steer left"}, {Name: "Steer (analog)"}, {Name: "Gas"}, {Name: "Horn"}},
		Entries: []game.CGameCtnReplayRecordOldControlEntry{
			{Time: 10_500, Control: 9, Value: 1}, {Time: 10_400, Control: 3, Value: 0}, {Time: 10_300, Control: 2, Value: float(-1)}, {Time: 10_200, Control: 1, Value: float(0.5)}, {Time: 10_100, Control: 0, Value: 7},
		},
	}
	var got []string
	for _, in := range oldInputs(c) {
		got = append(got, fmt.Sprintf("%d %s %d %v", in.Time, in.Name, in.Value, in.Analog))
	}
	want := fmt.Sprintf("100 SteerLeft 1 false|200 Steer %d true|300 Gas %d true|400 Horn 0 false|500 Control9 1 false", MaxAnalog/2, -MaxAnalog)
	if text := strings.Join(got, "|"); text != want {
		t.Errorf("%s, want\n%s", text, want)
	}
}

// TestUsualStep: the step that there is most often, of two the shorter.
func TestUsualStep(t *testing.T) {
	for _, test := range []struct {
		times []gbx.Time
		want  gbx.Time
	}{
		{nil, 0}, {[]gbx.Time{700}, 0}, {[]gbx.Time{1000, 1070, 1170, 1270}, 100}, {[]gbx.Time{1000, 1100, 1150, 1200, 1300, 1350}, 50},
		{[]gbx.Time{1000, 1050, 1150}, 50}, {[]gbx.Time{1000, 1100, 1150}, 50}, {[]gbx.Time{1000, 1000, 1000, 1100}, 100}, {[]gbx.Time{1000, 900, 800, 850}, 50},
		{[]gbx.Time{0, 10, 30, 40, 60, 80, 100}, 20},
	} {
		if got := lineAt(test.times...).Period; got != test.want {
			t.Errorf("%d: %d, want %d", test.times, got, test.want)
		}
	}
}

// TestEnoughToTell: speeds are compared, and steps determined, from 21 samples
// on, and the median of all differences counts.
func TestEnoughToTell(t *testing.T) {
	line := func(n int) Line { return lineAt(every(100, gbx.Time(100*n))...) } // n steps at 20 m/s
	for n, want := range map[int]bool{20: false, 21: true} {
		l := line(n)
		if _, ok := l.SpeedDeviation(); ok != want {
			t.Errorf("%d steps are compared: %v", n, ok)
		}
		l = line(n - 1) // as many samples
		if v := ghostWith().checkTicks([]Line{l}); (v.State == OK) != want {
			t.Errorf("%d samples: %s", n, v.Message)
		}
	}
	l := line(21)
	for i := range l.Samples {
		if i >= 11 { // eleven of 21 steps, of which one is half
			l.Samples[i].Speed = 25
		}
	}
	if d, _ := l.SpeedDeviation(); math.Abs(d-1.0/9) > 1e-6 { // 20 m/s driven, 22.5 stored at the step between
		t.Errorf("%g, want %g", d, 1.0/9)
	}
	l = line(30)
	for i := range l.Samples {
		l.Samples[i].Speed, l.Samples[i].Position.X = slow, l.Samples[i].Position.X/4
	}
	if _, ok := l.SpeedDeviation(); ok {
		t.Error("what is slow is compared")
	}
	l = line(30)
	for i := range l.Samples {
		l.Samples[i].Time = 0
	}
	if _, ok := l.SpeedDeviation(); ok {
		t.Error("what takes no time is compared")
	}
}

// TestShortWayRound: a turn and its opposite are one, about every axis.
func TestShortWayRound(t *testing.T) {
	for _, q := range []gbx.Quat{{W: 1}, {X: 1}, {Y: 1}, {Z: 1}, {W: 0.5, X: 0.5, Y: 0.5, Z: 0.5}, {W: -0.5, X: 0.5, Y: -0.5, Z: 0.5}, {W: 0.1, X: 0.1, Y: 0.7, Z: 0.7}} {
		n := float32(math.Sqrt(float64(q.W*q.W + q.X*q.X + q.Y*q.Y + q.Z*q.Z)))
		opposite := gbx.Quat{W: -q.W, X: -q.X, Y: -q.Y, Z: -q.Z}
		for _, to := range []gbx.Quat{q, opposite} {
			got := turnBetween(q, to, 0.5)
			if d := math.Abs(float64(got.W-q.W/n)) + math.Abs(float64(got.X-q.X/n)) + math.Abs(float64(got.Y-q.Y/n)) + math.Abs(float64(got.Z-q.Z/n)); d > 1e-5 {
				t.Errorf("half way from %v to %v: %v", q, to, got)
			}
		}
	}
	// Parts that pull apart: what weighs more decides.
	if got := turnBetween(gbx.Quat{X: 0.8, Y: 0.6}, gbx.Quat{X: -0.8, Y: 0.6}, 0.5); got.X < 0.99 {
		t.Errorf("got = %v; want got.X at least 0.99", got) // -0.64 + 0.36 is less than nothing, so the second is turned round
	}
	if got := turnBetween(gbx.Quat{Y: 0.6, Z: 0.8}, gbx.Quat{Y: 0.6, Z: -0.8}, 0.5); got.Z < 0.99 {
		t.Errorf("got = %v; want got.Z at least 0.99", got)
	}
	if got := turnBetween(gbx.Quat{W: 0.6, X: 0.8}, gbx.Quat{W: 0.6, X: -0.8}, 0.5); got.X < 0.99 {
		t.Errorf("got = %v; want got.X at least 0.99", got)
	}
}

// TestVelocitiesFromPlaces: from the sample before to the one behind, at the ends
// from the one there is.
func TestVelocitiesFromPlaces(t *testing.T) {
	l := lineAt(0, 100, 200, 200)
	for i, p := range []gbx.Vec3{{}, {X: 1, Y: 2}, {X: 3, Z: 4}, {X: 9}} {
		l.Samples[i].Position, l.Samples[i].Speed, l.Samples[i].Velocity = p, -1, gbx.Vec3{}
	}
	l.addVelocities()
	for i, want := range []gbx.Vec3{{X: 10, Y: 20}, {X: 15, Z: 20}, {X: 80, Y: -20}, {}} {
		if got := l.Samples[i].Velocity; distance(got, want) > 1e-4 {
			t.Errorf("sample %d: %v, want %v", i, got, want)
		}
	}
	if l.Samples[1].Speed != 25 || l.Samples[3].Speed != -1 { // without a time step the speed stays unknown
		t.Errorf("l.Samples[1].Speed = %g, l.Samples[3].Speed = %g m/s; want l.Samples[1].Speed = 25, l.Samples[3].Speed = -1", l.Samples[1].Speed, l.Samples[3].Speed)
	}
}

// TestInputsOfTicks: wheels of 8 bits are scaled, those of 32 bits are not. An input with
// two bits has both directions.
func TestInputsOfTicks(t *testing.T) {
	for v, want := range map[int32]int32{0: 0, steerFull: MaxAnalog, -steerFull: -MaxAnalog, -129: -129, steerFull + 1: steerFull + 1, 70_000: 70_000} {
		if got := steerValue(v); got != want {
			t.Errorf("a wheel at %d is at %d, want %d", v, got, want)
		}
	}
	for v, want := range map[uint8]int32{0: 0, 1: 1, 2: 2, 3: -1} {
		if got := direction(v); got != want {
			t.Errorf("%d is %d", v, got)
		}
	}
	r := &tickReader{buttons: carButtons}
	r.drive(10, &game.InputTick{Steer: 5, Gas: true})
	r.drive(20, &game.InputTick{Steer: 5, Gas: true, Brake: true})
	r.drive(30, &game.InputTick{Brake: true})
	var got []string
	for _, in := range r.out {
		got = append(got, fmt.Sprint(int(in.Time), in.Name, in.Value != 0))
	}
	if s := strings.Join(got, ","); s != "10Steertrue,10Acceleratetrue,20Braketrue,30Steerfalse,30Acceleratefalse" {
		t.Errorf(`s = %v; want "10Steertrue,10Acceleratetrue,20Braketrue,30Steerfalse,30Acceleratefalse"`, s)
	}
}

// An input without a key in TMInterface becomes a comment.
func TestTMInterfaceOfOtherInputs(t *testing.T) {
	got := TMInterface([]Input{{Time: 7, Name: "Gas", Value: 1}, {Time: 8, Name: "Steer", Value: 1}, {Time: 9, Name: "Other", Value: 2, Analog: true}})
	if got != "# 0 Gas 1\n# 0 Steer 1\n# 0 Other 2\n" {
		t.Errorf("what is pressed is not an axis: %q", got)
	}
}

// A run whose samples or inputs do not fit is reported, with the time. An unknown layout
// is not evidence against the run.
func TestCheckOfWhatCannotBeRead(t *testing.T) {
	names := []gbx.ID{gbx.NewID("Accelerate"), gbx.NewID(markFinish)}
	inputs := func(entries ...game.CGameCtnGhostControlEntry) gbx.Body {
		return &game.Chunk03092019{EventsDuration: 1, Events: game.CGameCtnGhostEvents{ControlNames: names, Entries: entries}}
	}
	at := func(time gbx.Time, control uint8) game.CGameCtnGhostControlEntry {
		return game.CGameCtnGhostControlEntry{Time: time + inputOffset, Control: control, Value: 1}
	}
	took := &game.Chunk03092005{RaceTime: 3000}
	for _, c := range []struct {
		ghost          *Ghost
		question, want string
	}{
		{ghostWith(took, inputs(at(10, 0), at(20, 0))), "inputs", "ok 2 in order"},
		{ghostWith(took, inputs(at(20, 0), at(20, 0))), "inputs", "ok 2 in order"},
		{ghostWith(took, inputs(at(20, 0), at(10, 0))), "inputs", "suspect input 1 at 0:00.010 comes after one at 0:00.020"},
		{ghostWith(took, inputs(at(20, 0), at(3000, 1))), "inputs", "ok 2 in order"},
		{ghostWith(took, inputs(at(20, 0), at(2990, 1))), "inputs", "suspect they reach the finish at 0:02.990, but 0:03.000 is declared"},
		{ghostWith(inputs(at(20, 0), at(2990, 1))), "inputs", "ok 2 in order"},
	} {
		for _, v := range c.ghost.Check() {
			if got := string(v.State) + " " + v.Message; v.Rule == c.question && got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		}
	}
	for err, want := range map[error]State{fault.New(fault.Unsupported, "x"): Unknown, fault.New(fault.Corrupt, "x"): Suspect} {
		if got := unread(err); got != want {
			t.Errorf("%v: got = %s; want %s", err, got, want)
		}
	}
	even := every(100, 3000)
	for gap, want := range map[gbx.Time]string{ // half a step late is late, more is a gap
		150: "31 samples, one every 100 ms", 151: "1 gaps, 0 repeated, 0 out of order in 31 samples",
	} {
		times := slices.Clone(even)
		for i := 10; i < len(times); i++ {
			times[i] += gap - 100
		}
		if v := ghostWith(took).checkTicks([]Line{lineAt(times...)}); v.Message != want {
			t.Errorf("%d ms: %s, want %s", gap, v.Message, want)
		}
	}
}
