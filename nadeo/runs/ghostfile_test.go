package runs

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/nadeotest/roomtest"
)

// A ghost taken out of its replay or map keeps its content in a file of its own,
// and that file passes its checks.
func TestGhostFile(t *testing.T) {
	t.Parallel()
	n := 0
	for _, folders := range [][]string{roomtest.ReplayFolders, roomtest.MapFolders} {
		roomtest.Each(t, folders, func(c roomtest.File) {
			for i, g := range GhostsOf(c.File) {
				data, err := g.File()
				if err != nil {
					t.Errorf("%s, ghost %d: %v", c.Path, i, err)
					continue
				}
				f, err := gbx.Parse(data, engine.Registry())
				if err != nil {
					t.Errorf("%s, ghost %d: %v", c.Path, i, err)
					continue
				}
				n++
				compareGhosts(t, c.Path, g, f)
				if again, err := f.EncodeBody(); err != nil || !bytes.Equal(again, f.BodyBytes()) {
					t.Errorf("%s, ghost %d: coded differently (%v)", c.Path, i, err)
				}
				if len(f.Rest) > 0 || f.Body.Tail != nil || f.NumNodes > 2 {
					t.Errorf("%s, ghost %d: %d bytes behind the ghost, %d nodes", c.Path, i, len(f.Rest), f.NumNodes)
				}
			}
		})
	}
	if n < 100 {
		t.Errorf("only %d ghosts", n)
	}
}

func compareGhosts(t *testing.T, path string, g *Ghost, f *gbx.File) {
	t.Helper()
	got, err := GhostOf(f)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	if got.Time() != g.Time() || got.Player() != g.Player() || !reflect.DeepEqual(got.Checkpoints(), g.Checkpoints()) || got.SampleCount() != g.SampleCount() {
		t.Errorf("%s: another ghost", path)
	}
	a, wantErr := g.Telemetry()
	b, err := got.Telemetry()
	if !errors.Is(err, wantErr) || len(a) != len(b) {
		t.Errorf("%s: %d lines, want %d (%v)", path, len(b), len(a), err)
		return
	}
	for i := range a {
		if len(a[i].Samples) != len(b[i].Samples) || a[i].Samples[0].Position != b[i].Samples[0].Position {
			t.Errorf("%s: line %d differs", path, i)
		}
	}
	in, _ := got.Inputs()
	if want, _ := g.Inputs(); len(in) != len(want) && len(in) != 0 {
		t.Errorf("%s: %d inputs, want %d", path, len(in), len(want))
	}
}

// The mark of TMInterface is found on the runs that it saved, and on no others:
// their program name ends in a blank, which no game writes. Without inputs that have a
// start, the mark proves nothing.
func TestTMInterfaceMark(t *testing.T) {
	count := map[State]int{}
	ghosts(t, func(path string, i int, g *Ghost) {
		marked, known := g.TMInterfaceMark()
		if byName := strings.HasSuffix(g.Program(), " "); marked != byName {
			t.Errorf("%s, ghost %d: marked %t, but the program is %q", hashOf(path), i, marked, g.Program())
		}
		want := Unknown
		switch {
		case marked:
			want = Suspect
		case known:
			want = OK
		}
		if state := stateOf(t, g.Check(), "tminterface"); state != want {
			t.Errorf("%s, ghost %d: state of tminterface = %s, want %s", hashOf(path), i, state, want)
		}
		count[want]++
	})
	if count[Suspect] < 15 || count[OK] < 60 || count[Unknown] < 50 {
		t.Errorf("count = %v; want count[Suspect] at least 15, count[OK] at least 60, count[Unknown] at least 50", count)
	}
}

func TestTMInterface(t *testing.T) {
	got := TMInterface([]Input{
		{Time: -1370, Name: "Accelerate", Value: 1, Analog: false}, {Time: 0, Name: "_FakeIsRaceRunning", Value: 1, Analog: false}, {Time: 10, Name: "Steer", Value: -65536, Analog: true}, {Time: 20, Name: "SteerLeft", Value: 1, Analog: false},
		{Time: 30, Name: "SteerLeft", Value: 0, Analog: false}, {Time: 35, Name: "Gas", Value: 300, Analog: true}, {Time: 43, Name: "Respawn", Value: 1, Analog: false}, {Time: 50, Name: "Act\n9", Value: 1, Analog: false},
	})
	want := "0 press up\n0 steer -65536\n10 press left\n20 rel left\n30 gas 300\n40 press enter\n# 40 Act 9 1\n"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// tmiState is what a script holds at each tick.
type tmiState struct {
	steer    int
	up, down bool
}

// tmiTicks plays a script for some ticks. A line is "240 steer -7513",
// "1190 rel down", or "0-1180 press down" for a key that is held.
func tmiTicks(t *testing.T, script string, ticks int) []tmiState {
	t.Helper()
	out := make([]tmiState, ticks)
	from := func(ms int, change func(*tmiState)) {
		for i := ms / 10; i < ticks; i++ {
			change(&out[i])
		}
	}
	key := func(name string, down bool) func(*tmiState) {
		return func(s *tmiState) {
			switch name {
			case "up":
				s.up = down
			case "down":
				s.down = down
			}
		}
	}
	for line := range strings.Lines(script) {
		w := strings.Fields(line)
		if len(w) != 3 {
			t.Fatalf("line = %q; want w of length 3", line)
		}
		begin, end, held := strings.Cut(w[0], "-")
		ms, err := strconv.Atoi(begin)
		if err != nil {
			t.Fatal(err)
		}
		switch w[1] {
		case "steer":
			value, err := strconv.Atoi(w[2])
			if err != nil {
				t.Fatal(err)
			}
			from(ms, func(s *tmiState) { s.steer = value })
		case "press", "rel":
			from(ms, key(w[2], w[1] == "press"))
		}
		if held {
			last, err := strconv.Atoi(end)
			if err != nil {
				t.Fatal(err)
			}
			from(last, key(w[2], false))
		}
	}
	return out
}

// A script that a player of TMInterface wrote, and the one of the run that it
// played, hold the same keys and the same steering at every tick.
func TestTMInterfaceOfRealScripts(t *testing.T) {
	for _, name := range []string{"tminterface-a", "tminterface-c"} {
		dir := corpus.Dir(t, "gbx-runs")
		script, err := os.ReadFile(filepath.Join(dir, name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, name+".Replay.Gbx"))
		if err != nil {
			t.Fatal(err)
		}
		g := GhostsOf(roomtest.Parse(t, data))[0]
		inputs, err := g.Inputs()
		if err != nil {
			t.Fatal(err)
		}
		ticks := int(g.Time() / 10)
		want, got := tmiTicks(t, string(script), ticks), tmiTicks(t, TMInterface(inputs), ticks)
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: at %d ms %+v, the script has %+v", name, i*10, got[i], want[i])
				break
			}
		}
	}
}
