package runs

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/nadeotest/roomtest"
)

// stateOf finds the answer to a question.
func stateOf(t *testing.T, list []Verdict, question string) State {
	t.Helper()
	for _, v := range list {
		if v.Question() == question {
			return v.State
		}
	}
	t.Errorf("Check has no answer to %q", question)
	return ""
}

// Every question gets an answer on every real run, and few are suspect: the
// ghosts that a tool put together.
func TestCheckGhosts(t *testing.T) {
	suspects := map[string]int{}
	n := 0
	ghosts(t, func(path string, i int, g *Ghost) {
		n++
		for _, v := range g.Check() {
			if v.Message == "" {
				t.Errorf("%s: the answer to %q has no message", path, v.Question())
			}
			if v.State == Suspect && v.Rule != "tminterface" { // TestTMInterfaceMark
				suspects[hashOf(path)]++
				t.Logf("%s, ghost %d: %s: %s", hashOf(path), i, v.Question(), v.Message)
			}
		}
	})
	for odd, why := range oddRuns {
		if suspects[odd] == 0 {
			t.Errorf("%s passes, though it is %s", odd, why)
		}
	}
	for hash := range suspects {
		if oddRuns[hash] == "" {
			t.Errorf("%s is suspect", hash)
		}
	}
	if n < 150 {
		t.Errorf("%d ghosts", n)
	}
}

func TestCheckReplays(t *testing.T) {
	n, fine := 0, 0
	roomtest.Each(t, roomtest.ReplayFolders, func(c roomtest.File) {
		r, err := ReplayOf(c.File)
		if err != nil {
			t.Fatal(err)
		}
		n++
		for _, v := range r.Check() {
			switch v.State {
			case Suspect:
				t.Logf("%s: %s: %s", hashOf(c.Path), v.Question(), v.Message)
			case OK:
				fine++
			}
		}
	})
	if n < 100 || fine < 2*n {
		t.Errorf("%d answers are fine in %d replays", fine, n)
	}
}

// ghostWith makes a ghost of chunks.
func ghostWith(chunks ...gbx.Body) *Ghost {
	n := &gbx.Node{Class: classGhost}
	for _, c := range chunks {
		n.Chunks = append(n.Chunks, gbx.Chunk{Body: c})
	}
	return &Ghost{Node: n}
}

// Contradictions are found; missing data is not judged.
func TestCheckFinds(t *testing.T) {
	times := func(ms ...gbx.Time) *game.Chunk0309200B {
		c := &game.Chunk0309200B{}
		for _, m := range ms {
			c.Checkpoints = append(c.Checkpoints, game.CGameCtnGhostCheckpoint{Time: m})
		}
		return c
	}
	took := func(ms gbx.Time) *game.Chunk03092005 { return &game.Chunk03092005{RaceTime: ms} }
	for _, k := range []struct {
		question string
		want     State
		ghost    *Ghost
	}{
		{"time", OK, ghostWith(took(3000), times(1000, 3000))},
		{"time", Suspect, ghostWith(took(2999), times(1000, 3000))},
		{"time", Unknown, ghostWith(took(gbx.NoTime), times(1000))},
		{"time", Unknown, ghostWith(took(1000))},
		{"checkpoints", Suspect, ghostWith(times(2000, 1000))},
		{"checkpoints", OK, ghostWith(times(1000, gbx.NoTime, 3000))},
		{"checkpoints", Suspect, ghostWith(times(gbx.NoTime, 2000, gbx.NoTime, 1000))},
		{"checkpoints", Unknown, ghostWith()},
		{"samples", Unknown, ghostWith()},
		{"inputs", Unknown, ghostWith()},
		{"result", Unknown, ghostWith(took(3000))},
	} {
		if got := stateOf(t, k.ghost.Check(), k.question); got != k.want {
			t.Errorf("%s is %s, want %s", k.question, got, k.want)
		}
	}
}

// lineAt makes a line that moves at 20 m/s, with a sample each at these times.
func lineAt(times ...gbx.Time) Line {
	return lineOf("test", len(times), func(i int) Sample {
		return Sample{Time: times[i], Position: gbx.Vec3{X: float32(times[i]) / 50}, Speed: 20}
	})
}

func every(step, until gbx.Time) (out []gbx.Time) {
	for t := gbx.Time(0); t <= until; t += step {
		out = append(out, t)
	}
	return out
}

func TestCheckTicks(t *testing.T) {
	even := every(100, 3000)
	with := func(i int, at gbx.Time) []gbx.Time {
		out := slices.Clone(even)
		out[i] = at
		return out
	}
	took := &game.Chunk03092005{RaceTime: 3000}
	g, respawned, sent := ghostWith(took), ghostWith(took, &game.Chunk03092008{Respawns: 1}), ghostWith()
	for _, k := range []struct {
		name  string
		want  State
		ghost *Ghost
		times []gbx.Time
	}{
		{"even", OK, g, even},
		{"nearly even", OK, g, with(7, 703)},
		{"missing", Suspect, g, slices.Delete(slices.Clone(even), 7, 8)},
		{"missing, with a respawn", OK, respawned, slices.Delete(slices.Clone(even), 7, 8)},
		{"repeated", Suspect, respawned, with(7, 800)},
		{"out of order", Suspect, respawned, with(7, 950)},
		{"sent by a server", Unknown, sent, with(7, 950)},
		{"few", Unknown, g, even[:5]},
	} {
		if got := k.ghost.checkTicks([]Line{lineAt(k.times...)}); got.State != k.want {
			t.Errorf("%s: %+v, want %s", k.name, got, k.want)
		}
	}
	if got := g.checkTicks(nil); got.State != Unknown {
		t.Errorf("no line: %+v", got)
	}
}

// Real files that were once called suspect, or sound, without reason.
func TestCheckOfHardFiles(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		file, question string
		ghost          int
		want           State
		detail         string // a part of it
	}{
		{"053d786745e6657a.Ghost.Gbx", "ticks", 0, OK, "50293 samples, one every 50 ms, with 0 gaps in which the car moved, for 221 respawns, and 199 in which it stood"},
		{"053d786745e6657a.Ghost.Gbx", "jumps", 0, OK, "82, with 221 respawns"},
		{"053d786745e6657a.Ghost.Gbx", "inputs", 0, Unknown, "63411 in order, the last at 41:41.730; but they end at 41:41.900 of 42:55.154"},
		{"33d796707f22bda8.Ghost.Gbx", "ticks", 0, OK, "and 110 in which it stood"},
		{"33d796707f22bda8.Ghost.Gbx", "inputs", 0, Unknown, "6111 in order, the last at 5:46.600; but they end at 5:47.010 of 32:44.933"},
		{"fe87cc396d697e24.Replay.Gbx", "time", 0, OK, "0:05.050 is declared, and the last checkpoint, which is not the finish, is at 0:02.920"},
		{"453c73c78cbb548b.13.gbx", "ticks", 1, Unknown, "like those of other players that a server sent"},
		{"453c73c78cbb548b.13.gbx", "ticks", 2, Unknown, "like those of other players that a server sent"},
		{"453c73c78cbb548b.13.gbx", "checkpoints", 0, OK, "18 in order, then the finish"},
		{"1011db6d0b0297bd.Replay.Gbx", "samples", 0, Unknown, "they go from 1:25.100 to 21:00.300; 851 more are empty"},
		{"a5aefc73c8bdb749.Replay.Gbx", "samples", 0, Unknown, "they go from 1:25.100 to 20:46.700; 851 more are empty"},
		{"telemetry/p00303_19612.Ghost.Gbx", "jumps", 0, OK, "the car never moves faster than"},
		{"telemetry/p00303_19612.Ghost.Gbx", "ticks", 0, OK, "394 samples, one every 50 ms"},
		{"46ef7212cfa545f0.Map.Gbx", "samples", 0, OK, "they go from 0:00.000 to 1:16."},
	} {
		all := GhostsOf(roomtest.Hard(t, test.file))[test.ghost].Check()
		for _, v := range all {
			if v.State == Suspect && v.Rule != "tminterface" {
				t.Errorf(`%s: v = %+v; want v.State other than %v or v.Rule = "tminterface"`, test.file, v, Suspect)
			}
			if v.Rule == test.question && (v.State != test.want || !strings.Contains(v.Message, test.detail)) {
				t.Errorf("%s: %s: %s, want %s: %s", test.file, v.State, v.Message, test.want, test.detail)
			}
		}
	}
}

func TestCheckSamples(t *testing.T) {
	g := ghostWith(&game.Chunk03092005{RaceTime: 5000})
	waiting := lineAt(every(100, 60000)...)
	for i := range waiting.Samples[51:] {
		s := &waiting.Samples[51+i]
		s.Position, s.Speed = waiting.Samples[50].Position, 0
	}
	for _, k := range []struct {
		name string
		want State
		line Line
	}{
		{"to the end", OK, lineAt(every(100, 8000)...)},
		{"cut off", Suspect, lineAt(every(100, 4000)...)},
		{"begins late", Suspect, lineAt(1000, 2000, 6000)},
		{"goes on driving", Suspect, lineAt(every(100, 60000)...)},
		{"waits at the finish", OK, waiting},
	} {
		if got := g.checkSamples([]Line{k.line}); got.State != k.want {
			t.Errorf("%s: %+v, want %s", k.name, got, k.want)
		}
	}
}

func TestCheckMovement(t *testing.T) {
	l, g := lineAt(every(100, 5000)...), ghostWith()
	if v := g.checkSpeeds([]Line{l}); v.State != OK {
		t.Errorf("v = %+v; want v.State = %v", v, OK)
	}
	if v := g.checkJumps([]Line{l}); v.State != OK {
		t.Errorf("v = %+v; want v.State = %v", v, OK)
	}
	l.Samples[20].Position.Z = float32(math.NaN())
	if v := g.checkJumps([]Line{l}); v.State != Unknown {
		t.Errorf("v = %+v; want v.State = %v", v, Unknown)
	}
	counted := ghostWith(&game.Chunk03092008{Respawns: 1})
	if v := counted.checkJumps([]Line{l}); v.State != Suspect { // there and back
		t.Errorf("v = %+v; want v.State = %v", v, Suspect)
	}
	for i := range l.Samples {
		l.Samples[i].Speed *= 1.2
	}
	if v := g.checkSpeeds([]Line{l}); v.State != Suspect {
		t.Errorf("v = %+v; want v.State = %v", v, Suspect)
	}
}

// The time of a replay is held against all its ghosts, in whatever order they
// stand.
func TestReplayTimeAgainstGhosts(t *testing.T) {
	ghost := func(time gbx.Time) gbx.Ref {
		return gbx.NewRef(&gbx.Node{Class: classGhost, Chunks: []gbx.Chunk{{Body: &game.Chunk03092005{RaceTime: time}}}})
	}
	replay := func(time gbx.Time, ghosts ...gbx.Ref) *Replay {
		f := &gbx.File{Body: &gbx.Node{Class: classReplay, Chunks: []gbx.Chunk{{Body: &game.Chunk03093014{Ghosts: ghosts}}}}}
		f.Header.Chunks = []gbx.HeaderChunk{{Body: &game.Header03093000{Version: 7, Time: time}}}
		return &Replay{f}
	}
	for _, test := range []struct {
		replay *Replay
		state  State
		detail string
	}{
		{replay(40000, ghost(50000), ghost(40000)), OK, "a ghost drove the time in the header, 0:40.000"},
		{replay(40000, ghost(50000), ghost(gbx.NoTime), ghost(45000)), Suspect, "0:40.000 is in the header, but the best ghost drove 0:45.000"},
		{replay(40000, ghost(gbx.NoTime)), Unknown, "no ghost declares a time"},
		{replay(40000), Unknown, "no ghost to compare"},
		{replay(gbx.NoTime, ghost(50000)), Unknown, "the header declares no time"},
	} {
		if v := test.replay.checkTime(); v.State != test.state || v.Message != test.detail {
			t.Errorf("%s: %s, want %s: %s", v.State, v.Message, test.state, test.detail)
		}
	}
}
