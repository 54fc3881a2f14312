package runs_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/clips"
	"pakbox/nadeo/internal/chunks"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/runs"
)

// realFile reads a file of the corpora.
func realFile(t *testing.T, path ...string) *gbx.File {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{corpus.Dir(t, path[0])}, path[1:]...)...))
	if err != nil {
		t.Fatal(err)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// formOf lists the chunks of a node: number, whether readers may skip it, version.
func formOf(n *gbx.Node) string {
	var out []string
	for _, c := range n.Chunks {
		text := c.ID.String()
		if c.Skip {
			text += " skippable"
		}
		if v, ok := chunks.ChunkVersion(c.Body); ok {
			text += fmt.Sprintf(" v%d", v)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// clipForm is the form of a clip, of its track with a ghost, and of the block there.
func clipForm(t *testing.T, c *clips.Clip) string {
	t.Helper()
	for _, track := range c.Tracks() {
		for _, b := range track.Blocks {
			if b.Kind == "Ghost" || b.Kind == "Entity" {
				return formOf(c.Node) + "\n" + formOf(b.Node)
			}
		}
	}
	t.Fatal("the clip shows no ghost")
	return ""
}

// realClip is a clip with a ghost: that of a replay or of a map.
func realClip(t *testing.T, f *gbx.File) *clips.Clip {
	t.Helper()
	if c, ok := gbx.Find[*game.Chunk03093015](f.Body); ok && c.Clip.Node != nil {
		return &clips.Clip{Node: c.Clip.Node}
	}
	m, err := maps.Of(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Clips() {
		if len(runs.GhostsOfClip(&c.Clip)) > 0 {
			return &c.Clip
		}
	}
	t.Fatal("the map has no clip with a ghost")
	return nil
}

// Clips of real runs of each game have the chunks, versions and order of the real
// clips that the game made, and hold the runs byte for byte.
func TestNewClips(t *testing.T) {
	for _, test := range []struct{ run, clip []string }{
		{[]string{"gbx-runs", "9f772edd4754.Replay.Gbx"}, []string{"gbx", "2407e000", "0bb55f7dda06.40.gbx"}},
		{[]string{"gbx", "03043000", "4c6acf6dd9cf.Map.Gbx"}, []string{"gbx", "03043000", "4c6acf6dd9cf.Map.Gbx"}},
		{[]string{"gbx-hard", "telemetry", "p00001_19538.Ghost.Gbx"}, []string{"gbx", "03093000", "0d89d7e03b56.Replay.Gbx"}},
	} {
		name := test.run[len(test.run)-1]
		ghosts := runs.GhostsOf(realFile(t, test.run...))
		ghosts = append(ghosts[:1:1], ghosts[0])
		clip, err := runs.NewClip("Two", ghosts, runs.ClipParts{Ghosts: true, Inputs: true, Checkpoints: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, want := clipForm(t, clip), clipForm(t, realClip(t, realFile(t, test.clip...))); got != want {
			t.Errorf("%s: the clip has\n%s\nreal ones have\n%s", name, got, want)
		}
		data, err := clip.File()
		if err != nil {
			t.Fatal(err)
		}
		back, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		if c := back.Coverage(); len(c.Opaque) > 0 || len(c.Inexact) > 0 {
			t.Errorf("%s: c = %+v; want len(c.Opaque) at most 0, len(c.Inexact) at most 0", name, c)
		}
		again, err := clips.ClipOf(back)
		if err != nil {
			t.Fatal(err)
		}
		checkShown(t, name, again, ghosts[0])
		both, err := clips.Combine(again, clip)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(both.Tracks()); n != 2*len(again.Tracks()) {
			t.Errorf("%s: two clips of %d tracks have %d together", name, len(again.Tracks()), n)
		}
		if data, err = both.File(); err != nil {
			t.Fatal(err)
		}
		if back, err = gbx.Parse(data, engine.Registry()); err != nil || len(back.Coverage().Opaque) > 0 {
			t.Errorf("%s: two clips together: %v", name, err)
		}
	}
}

// checkShown compares the run that a clip shows with the one it was made of.
func checkShown(t *testing.T, name string, c *clips.Clip, g *runs.Ghost) {
	t.Helper()
	want, err := g.File()
	if err != nil {
		t.Fatal(err)
	}
	shown := runs.GhostsOfClip(c)
	if len(shown) != 2 {
		t.Fatalf("%s: %d runs in the clip", name, len(shown))
	}
	own, _ := gbx.Find[*game.Chunk03092000](g.Node)
	if own == nil || own.RecordData.Node == nil {
		got, err := shown[1].File()
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: the run in the clip is not the one it was made of (%v)", name, err)
		}
	} else {
		checkOutOfClip(t, name, shown[1], g)
		record := func(n *gbx.Node) []byte {
			data, err := gbx.New(n, engine.Registry()).Encode()
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
		for i := range 2 {
			block, ok := gbx.Find[*game.Chunk0329F000](c.Tracks()[i].Blocks[0].Node)
			if !ok || !bytes.Equal(record(block.RecordData.Node), record(own.RecordData.Node)) || !slices.Equal(block.NoticeRecords, own.U03) {
				t.Errorf("%s: the record in the clip is not that of the run", name)
			}
		}
	}
	if c.Name() != "Two" || c.Length() < float32(g.Time())/1000 {
		t.Errorf("%s: %q is %g s long", name, c.Name(), c.Length())
	}
	last := c.Tracks()[len(c.Tracks())-1]
	if last.Name != "Checkpoints" || len(last.Blocks) != len(g.Checkpoints()) {
		t.Errorf("%s: %s with %d blocks, for %d checkpoints", name, last.Name, len(last.Blocks), len(g.Checkpoints()))
	}
}

// checkOutOfClip compares a run out of a clip of Trackmania (2020) with the run that the
// clip was made of: the recording, and the facts in the clip.
func checkOutOfClip(t *testing.T, name string, got, want *runs.Ghost) {
	t.Helper()
	a, errA := got.FullTelemetry()
	b, errB := want.FullTelemetry()
	if errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("%s: the run out of the clip drove something else (%v, %v)", name, errA, errB)
	}
	recorded, _ := got.Events()
	events, _ := want.Events()
	own, _ := gbx.Find[*game.Chunk03092000](want.Node)
	if !slices.Equal(recorded, events) || got.Time() != want.Time() || got.Player().Nick != own.GhostNickname || got.Car().ID.String() != want.Car().ID.String() {
		t.Errorf("%s: the run out of the clip is one of %v by %q in %v", name, got.Time(), got.Player().Nick, got.Car())
	}
	if _, err := runs.NewClip("Again", []*runs.Ghost{got}, runs.ClipParts{Ghosts: true}); err != nil {
		t.Errorf("%s: a clip of the run out of a clip: %v", name, err)
	}
	data, err := got.File()
	if err != nil {
		t.Fatal(err)
	}
	if f, err := gbx.Parse(data, engine.Registry()); err != nil || len(f.Coverage().Opaque) > 0 || len(runs.GhostsOf(f)) != 1 {
		t.Errorf("%s: the file of the run out of the clip: %v", name, err)
	}
}

// Replays that are put together have the chunks, versions and order of real ones,
// hold map and runs byte for byte, and say what they are.
func TestNewReplays(t *testing.T) {
	for _, test := range []struct {
		real   []string
		absent string // chunk of the real file that not all have
	}{
		{[]string{"gbx-runs", "9f772edd4754.Replay.Gbx"}, ""},
		{[]string{"gbx", "03093000", "39fede7f47ab.Replay.Gbx"}, ""},
		{[]string{"gbx", "03093000", "732d76b7450f.Replay.Gbx"}, ""},
		{[]string{"gbx", "03093000", "ee9c3b997572.Replay.Gbx"}, ""},
		{[]string{"gbx-runs", "6672a2c4ecb4.Replay.Gbx"}, ", 03093029 skippable"},
	} {
		name := test.real[len(test.real)-1]
		f := realFile(t, test.real...)
		r, _ := runs.ReplayOf(f)
		data, err := runs.NewReplay(r.MapFile(), r.Ghosts())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		made, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		if c := made.Coverage(); len(c.Opaque) > 0 || len(c.Inexact) > 0 {
			t.Errorf("%s: c = %+v; want len(c.Opaque) at most 0, len(c.Inexact) at most 0", name, c)
		}
		if got, want := formOf(made.Body), strings.Replace(formOf(f.Body), test.absent, "", 1); got != want {
			t.Errorf("%s: the replay has\n%s\nthe real one has\n%s", name, got, want)
		}
		if len(made.Chunks) != len(f.Chunks) {
			t.Errorf("%s: %d chunks in the header, want %d", name, len(made.Chunks), len(f.Chunks))
		}
		for i := range made.Chunks {
			if a, b := made.Chunks[i], f.Chunks[i]; a.ID != b.ID || a.Heavy != b.Heavy {
				t.Errorf("%s: header chunk %v, want %v", name, a.ID, b.ID)
			}
		}
		back, _ := runs.ReplayOf(made)
		if !bytes.Equal(back.MapFile(), r.MapFile()) || back.Time() != r.Time() || back.Player().Nick != r.Player().Nick || len(back.Ghosts()) != len(r.Ghosts()) {
			t.Errorf("%s: replay read back has time %v by %v, want %v by %v, or another map or ghosts", name, back.Time(), back.Player(), r.Time(), r.Player())
		}
		got, _ := back.Ghosts()[0].File()
		if want, _ := r.Ghosts()[0].File(); !bytes.Equal(got, want) {
			t.Errorf("%s: the run changed on the way through the replay", name)
		}
		for _, v := range back.Check() {
			if v.State == runs.Suspect {
				t.Errorf("%s: v.Question() = %s: v.Message = %s; want v.State other than runs.Suspect", name, v.Question(), v.Message)
			}
		}
		if x, ok := gbx.FindHeader[*game.Header03093001](&made.Header); !ok || !strings.Contains(x.XML, runs.AssemblyMark) || !strings.Contains(x.XML, `validable="0"`) {
			t.Errorf("%s: the replay does not say that it was put together", name)
		}
		if r.Assembler() != "" || back.Assembler() != runs.AssemblyMark || !slices.ContainsFunc(back.Check(), func(v runs.Verdict) bool { return v.Rule == runs.AssemblyRule }) {
			t.Errorf("%s: put together: %q, %q", name, r.Assembler(), back.Assembler())
		}
		other := realFile(t, "gbx-runs", "374ef4b19e9a.Replay.Gbx")
		o, _ := runs.ReplayOf(other)
		if _, err := runs.NewReplay(o.MapFile(), r.Ghosts()); err == nil {
			t.Errorf("%s: a run got a map that it was not driven on", name)
		}
	}
}
