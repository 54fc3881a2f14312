package runs_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo/clips"
	"pakbox/nadeo/nadeotest/runsample"
	"pakbox/nadeo/runs"
)

func sampleGhost(t *testing.T, r *runsample.Run) *runs.Ghost {
	t.Helper()
	data, err := r.Ghost().Encode()
	if err != nil {
		t.Fatal(err)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	list := runs.GhostsOf(f)
	if len(list) != 1 {
		t.Fatalf("%d runs", len(list))
	}
	return list[0]
}

// textsOf lists the texts that the tracks of a clip show, with their times.
func textsOf(t *testing.T, c *clips.Clip) (list []string) {
	t.Helper()
	for _, track := range c.Tracks() {
		for _, b := range track.Blocks {
			text, ok := b.Content.(clips.Text)
			if !ok || len(text.Keys) < 2 {
				continue
			}
			first, last := text.Keys[0], text.Keys[len(text.Keys)-1]
			side := ""
			switch c := text.Color; {
			case c.G > c.B && c.G > c.R:
				side = " green"
			case c.B > c.R:
				side = " blue"
			case c.R > c.B:
				side = " red"
			}
			list = append(list, fmt.Sprintf("%s %.3f-%.3f %q%s", track.Name, first.Time, last.Time, text.Text, side))
		}
	}
	return list
}

// A time stays for two seconds, or until the next one. Ahead of the other run is blue,
// behind it is red.
func TestCheckpointsInClips(t *testing.T) {
	r := runsample.Straight(2900)
	r.Splits = []gbx.Time{500, 1500, 2900}
	other := runsample.Straight(3100)
	other.Splits = []gbx.Time{600, 1500, 2800}
	for _, c := range []struct {
		against *runsample.Run
		want    string
	}{
		{nil, `Checkpoints 0.500-1.500 "0:00.500"; Checkpoints 1.500-2.900 "0:01.500"; Checkpoints 2.900-4.900 "0:02.900"`},
		{other, `Checkpoints 0.500-1.500 "0:00.500  -0.100 ahead" blue; Checkpoints 1.500-2.900 "0:01.500  +0.000" blue; Checkpoints 2.900-4.900 "0:02.900  +0.100 behind" red`},
	} {
		ghosts := []*runs.Ghost{sampleGhost(t, r)}
		if c.against != nil {
			ghosts = append(ghosts, sampleGhost(t, c.against))
		}
		clip, err := runs.NewClip("c", ghosts, runs.ClipParts{Checkpoints: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(textsOf(t, clip), "; "); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

// A pressed input is shown from its press to its release, or to the end.
func TestInputsInClips(t *testing.T) {
	r := runsample.Straight(2900)
	r.Presses = []runsample.Press{
		{Time: 10, Control: runsample.Accelerate, Value: 1}, {Time: 200, Control: runsample.Accelerate, Value: 1}, {Time: 500, Control: runsample.Steer, Value: -runsample.FullSteer / 2},
		{Time: 900, Control: runsample.Steer, Value: runsample.FullSteer}, {Time: 1000, Control: runsample.Steer, Value: runsample.FullSteer / 50},
		{Time: 1500, Control: runsample.Brake, Value: 1}, {Time: 1700, Control: runsample.Brake, Value: 0},
	}
	clip, err := runs.NewClip("c", []*runs.Ghost{sampleGhost(t, r)}, runs.ClipParts{Inputs: true})
	if err != nil {
		t.Fatal(err)
	}
	want := `Gas 0.010-3.000 "GAS" green; Brake 1.500-1.700 "BRAKE" red; Steering 0.500-0.900 ">>>"; Steering 0.900-1.000 "<<<<<"`
	if got := strings.Join(textsOf(t, clip), "; "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestNothingToPutTogether(t *testing.T) {
	r := runsample.Straight(2900)
	mapFile, err := r.NamedMap("x")
	if err != nil {
		t.Fatal(err)
	}
	g := sampleGhost(t, r)
	ghostFile, err := r.Ghost().Encode()
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := runsample.Straight(2900)
	elsewhere.Map.ID = gbx.NewID("another")
	far := sampleGhost(t, elsewhere)
	if _, err := runs.NewReplay(mapFile, []*runs.Ghost{g}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what    string
		mapFile []byte
		ghosts  []*runs.Ghost
		kind    fault.Kind
		text    string
	}{
		{"cut map", mapFile[:20], []*runs.Ghost{g}, fault.Corrupt, ""},
		{"ghost for a map", ghostFile, []*runs.Ghost{g}, fault.NotFormat, "is not a map"},
		{"no run", mapFile, nil, fault.Unsupported, "at least one run"},
		{"another map", mapFile, []*runs.Ghost{g, far}, fault.Unsupported, "was driven on the map another, and the map is abc"},
		{"unknown game", mapFile, []*runs.Ghost{g, {Node: &gbx.Node{Class: 0x03092000}}}, fault.Unsupported, "runs of several games, TrackMania Forever and an unknown one"},
	} {
		data, err := runs.NewReplay(c.mapFile, c.ghosts)
		if data != nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %d bytes, %v", c.what, len(data), err)
		}
	}
	if _, err := runs.NewClip("c", []*runs.Ghost{g}, runs.ClipParts{}); !errors.Is(err, fault.Unsupported) {
		t.Errorf("a clip of nothing: %v", err)
	}
}
