package maps

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/styled"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo"
	media "pakbox/nadeo/clips"
	"pakbox/nadeo/internal/chunks"
	"pakbox/nadeo/nadeotest/roomtest"
)

// realClips calls test with every clip of the real maps of known games.
func realClips(t *testing.T, test func(path string, g nadeo.Generation, c *media.Clip)) {
	check := func(path string, f *gbx.File) {
		if m, err := Of(f); err == nil && m.Generation() != "" {
			for _, c := range m.Clips() {
				test(path, m.Generation(), &c.Clip)
			}
		}
	}
	for path, data := range corpus.GBX(t) {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			continue
		}
		check(path, f)
		if inner, err := gbx.Parse(roomtest.MapInReplay(f), engine.Registry()); err == nil {
			check(path, inner)
		}
	}
}

// codedNode is a block of the media tracker as bytes, as if it were the first
// one of its file.
func codedNode(t *testing.T, n *gbx.Node) []byte {
	t.Helper()
	n = &gbx.Node{Class: n.Class, Chunks: slices.Clone(n.Chunks)}
	for i, c := range n.Chunks {
		switch b := c.Body.(type) {
		case *game.Chunk030A8001:
			n.Chunks[i].Body = &game.Chunk030A8001{Text: b.Text, Effect: gbx.NewRef(b.Effect.Node)}
		case *game.Chunk030A5000:
			n.Chunks[i].Body = &game.Chunk030A5000{Image: b.Image, Effect: gbx.NewRef(b.Effect.Node)}
		}
	}
	data, err := gbx.New(&gbx.Node{Class: media.ClassClip, Chunks: []gbx.Chunk{{ID: 0x03079005, Body: &game.Chunk03079005{
		TracksListVersion: chunks.ListVersion, Tracks: []gbx.Ref{gbx.NewRef(n)},
	}}}}, engine.Registry()).Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The blocks of real maps, made again from what they show, are the same bytes.
// Cameras that were set up in a way that [media.Content] does not say, with a crosshair
// of another size for example, are not; the counts are those of the corpus.
func TestMediaMakesRealBlocks(t *testing.T) {
	type count struct{ same, other int }
	got := map[string]count{}
	realClips(t, func(path string, g nadeo.Generation, c *media.Clip) {
		for _, track := range c.Tracks() {
			for _, b := range track.Blocks {
				if b.Content == nil {
					continue
				}
				made, err := media.NewBlock(g, b.Content)
				if err != nil {
					t.Errorf("%s: %s: %v", path, b.Kind, err)
					continue
				}
				n := got[b.Kind]
				if bytes.Equal(codedNode(t, made.Node), codedNode(t, b.Node)) {
					n.same++
				} else {
					n.other++
				}
				got[b.Kind] = n
				if made.Start != b.Start || made.End != b.End || made.Kind != b.Kind {
					t.Errorf("%s: %s from %g to %g, want %s from %g to %g", path, made.Kind, made.Start, made.End, b.Kind, b.Start, b.End)
				}
			}
		}
	})
	want := map[string]count{
		"Text": {same: 227}, "Image": {same: 35}, "TransitionFade": {same: 609}, "Time": {same: 3}, "CameraEffectShake": {same: 22},
		"Sound": {same: 1}, "DOF": {same: 2}, "Fog": {same: 3}, "CameraCustom": {1755, 34}, "CameraGame": {152, 11},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// everyMedia is one block of each kind that a game has.
func everyMedia(g nadeo.Generation) []media.Content {
	list := []media.Content{
		media.Text{Text: "$f00Nächte", Color: gbx.Color{R: 1, G: 0.5}, Keys: media.Still(1, 4)},
		media.Image{Image: gbx.FileRef{Path: `Media\Images\Effects\BlackSquare.tga`}, Keys: media.Still(0, 2)},
		media.Fade{Color: gbx.Color{B: 1}, Keys: []media.FadeKey{{Time: 0, Opacity: 1}, {Time: 1.5, Opacity: 0}}},
		media.Camera{Keys: []media.CameraKey{
			{Position: gbx.Vec3{X: 700, Y: 60, Z: 700}, PitchYawRoll: gbx.Vec3{X: 0.5, Y: 1}, FOV: 75, Interpolation: game.CGameCtnMediaBlockCameraCustomInterpolationHermite},
			{Time: 5, Position: gbx.Vec3{Y: 4, Z: -8}, FOV: 60, Anchor: media.LocalPlayer, AnchorTurns: true, AnchorHidden: true, Target: media.LocalPlayer, Tangent: gbx.Vec3{X: 3}},
		}},
		media.GameCamera{Start: 5, End: 9, Camera: game.CGameCtnMediaBlockCameraGameGameCamInternal, Follows: media.LocalPlayer},
		media.Time{Keys: []media.TimeKey{{Time: 0, TimeValue: 0, Tangent: 1}, {Time: 3, TimeValue: 30, Tangent: 2}}},
		media.Shake{Keys: []media.ShakeKey{{Time: 1, Intensity: 0.5, Speed: 3}, {Time: 2, Intensity: 0, Speed: 3}}},
	}
	if g != nadeo.Forever {
		list = append(list,
			media.Sound{Sound: gbx.FileRef{Path: `Media\Sounds\Own.ogg`, Checksum: gbx.Hash256{7}, Locator: "https://example.org/Own.ogg"}, PlayCount: 1, Looping: true, Music: false, EndsWithClip: true, Keys: []media.SoundKey{{Time: 0, Volume: 1}, {Time: 6, Volume: 0.5, Pan: 0.25}}},
			media.Focus{Keys: []media.FocusKey{{Time: 0, Distance: 10, LensSize: 0.05, Target: media.NoEntity, TargetPosition: gbx.Vec3{}}, {Time: 4, Distance: 90, LensSize: 1, Target: media.LocalPlayer, TargetPosition: gbx.Vec3{Y: 1}}}},
			media.Fog{Keys: []game.CGameCtnMediaBlockFogKey{{Time: 2, Intensity: 1, Distance: 6000, Coefficient: 1, CloudsSpeed: 1}}},
		)
	}
	return list
}

// A clip with every kind of block, in every place that maps of a game have for
// clips, is saved and read back; the map stays one that the strict checks take.
func TestNewClipsOnNewMaps(t *testing.T) {
	generationMaps(t, func(t *testing.T, g nadeo.Generation, fresh func() *Map) {
		uses := []string{ClipIntro, ClipInGame, ClipInGame, ClipEndRace, ClipGlobal}
		if g != nadeo.Forever {
			uses = append(uses, ClipPodium, ClipAmbiance)
		}
		m := fresh()
		var tracks []media.Track
		for _, shown := range everyMedia(g) {
			tracks = append(tracks, media.Track{Name: "Spur für alles", KeepPlaying: len(tracks)%2 == 0, Blocks: []media.Block{{Content: shown}}})
		}
		tracks[1].Blocks = append(tracks[1].Blocks, tracks[2].Blocks...)
		tracks[1].Cycling = g != nadeo.Forever
		trigger := &Trigger{[]gbx.Int3{{X: 95, Y: 2, Z: 1}, {X: 3}}, game.CGameCtnMediaClipGroupConditionSpeedLessThan, 20}
		for _, use := range uses {
			clip, err := media.NewClip(g, use+" größer", tracks...)
			if err != nil {
				t.Fatal(err)
			}
			c := Clip{Clip: *clip, Use: use}
			if use == ClipInGame || use == ClipEndRace {
				c.Trigger = trigger
			}
			if err := m.AddClip(c); err != nil {
				t.Fatal(err)
			}
		}
		data := encoded(t, m)
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		m = &Map{f}
		if !bytes.Equal(encoded(t, m), data) {
			t.Error("the second save is another file")
		}
		for _, c := range f.Body.Chunks {
			if o, ok := c.Body.(*gbx.Opaque); ok {
				t.Errorf("chunk %v: %s", c.ID, o.Reason)
			}
		}
		clips := m.Clips()
		if len(clips) != len(uses) {
			t.Fatalf("%d clips, want %d", len(clips), len(uses))
		}
		for _, c := range clips {
			if want := c.Use == ClipInGame || c.Use == ClipEndRace; want != (c.Trigger != nil) || want && !reflect.DeepEqual(c.Trigger, trigger) {
				t.Errorf("%s: trigger %+v", c.Use, c.Trigger)
			}
			if styled.Unmarked(c.Name()) != c.Use+" größer" || c.Length() != 9 {
				t.Errorf("%s: called %q, %g seconds", c.Use, c.Name(), c.Length())
			}
			got := c.Tracks()
			if len(got) != len(tracks) {
				t.Fatalf("%s: %d tracks", c.Use, len(got))
			}
			for i, track := range got {
				want := tracks[i]
				if styled.Unmarked(track.Name) != want.Name || track.KeepPlaying != want.KeepPlaying || track.Cycling != want.Cycling || len(track.Blocks) != len(want.Blocks) {
					t.Fatalf("%s: track %d is %+v", c.Use, i, track)
				}
				for j, b := range track.Blocks {
					if !reflect.DeepEqual(b.Content, want.Blocks[j].Content) {
						t.Errorf("%s: %+v, want %+v", c.Use, b.Content, want.Blocks[j].Content)
					}
				}
			}
		}
		if list := m.LintStrict(); len(list) > 0 {
			t.Errorf("list = %v; want len(list) at most 0", list)
		}
		gone, err := m.RemoveClips(func(c *Clip) bool { return c.Use != ClipEndRace })
		if err != nil || gone != len(uses)-1 || len(m.Clips()) != 1 || m.Clips()[0].Use != ClipEndRace {
			t.Errorf("%d clips are gone, %d are left (%v)", gone, len(m.Clips()), err)
		}
	})
}

// trackNodes returns the tracks of a clip of a known game.
func trackNodes(n *gbx.Node) []gbx.Ref {
	if c, ok := gbx.Find[*game.Chunk0307900D](n); ok {
		return c.Tracks
	}
	if c, ok := gbx.Find[*game.Chunk03079005](n); ok {
		return c.Tracks
	}
	return nil
}

// The chunks of new clips, tracks and groups are those of real ones.
func TestNewClipsHaveTheChunksOfRealOnes(t *testing.T) {
	form := func(n *gbx.Node) string {
		out := ""
		for _, c := range n.Chunks {
			version, _ := chunks.ChunkVersion(c.Body)
			out += fmt.Sprintf("%v.%d ", c.ID, version)
		}
		return out
	}
	made, seen := map[nadeo.Generation][]string{}, map[nadeo.Generation]int{}
	for _, g := range []nadeo.Generation{nadeo.Forever, nadeo.ManiaPlanet4, nadeo.Trackmania2020} {
		clip, err := media.NewClip(g, "", media.Track{})
		if err != nil {
			t.Fatal(err)
		}
		made[g] = []string{form(clip.Node), form(trackNodes(clip.Node)[0].Node)}
	}
	realClips(t, func(path string, g nadeo.Generation, c *media.Clip) {
		if got := form(c.Node); got == made[g][0] {
			seen[g]++
		} else if g != nadeo.Trackmania2020 { // whose first builds wrote the clips of ManiaPlanet
			t.Errorf("%s: a clip of %s", path, got)
		}
		for _, r := range trackNodes(c.Node) {
			if got := form(r.Node); got != made[g][1] {
				t.Errorf("%s: a track of %s", path, got)
			}
		}
	})
	if seen[nadeo.Forever] < 1500 || seen[nadeo.ManiaPlanet4] < 150 || seen[nadeo.Trackmania2020] < 30 {
		t.Errorf("clips like the new ones: %v", seen)
	}
}

func TestClipsThatCannotBe(t *testing.T) {
	still := []media.Block{{Content: media.Text{Text: "a", Keys: media.Still(0, 1)}}}
	nan := float32(0)
	nan /= nan
	for name, track := range map[string]media.Track{
		"nothing":        {Blocks: []media.Block{{}}},
		"no keys":        {Blocks: []media.Block{{Content: media.Fade{}}}},
		"back in time":   {Blocks: []media.Block{{Content: media.Fade{Keys: []media.FadeKey{{Time: 2}, {Time: 1}}}}}},
		"no number":      {Blocks: []media.Block{{Content: media.Fade{Keys: []media.FadeKey{{Time: nan}}}}}},
		"no file":        {Blocks: []media.Block{{Content: media.Image{Keys: media.Still(0, 1)}}}},
		"name":           {Name: "a\x00b", Blocks: still},
		"sound":          {Blocks: []media.Block{{Content: media.Sound{Sound: gbx.FileRef{Path: "a"}, Keys: []media.SoundKey{{}}}}}},
		"fog":            {Blocks: []media.Block{{Content: media.Fog{Keys: make([]game.CGameCtnMediaBlockFogKey, 1)}}}},
		"focus":          {Blocks: []media.Block{{Content: media.Focus{Keys: make([]media.FocusKey, 1)}}}},
		"unknown camera": {Blocks: []media.Block{{Content: media.GameCamera{Camera: game.CGameCtnMediaBlockCameraGameGameCamFree}}}},
		"cycling":        {Cycling: true, Blocks: still},
	} {
		if _, err := media.NewClip(nadeo.Forever, "a", track); !errors.Is(err, fault.Unsupported) {
			t.Errorf("%s: err = %v; want err matching fault.Unsupported", name, err)
		}
	}
	m, err := New(Options{Game: nadeo.Forever})
	if err != nil {
		t.Fatal(err)
	}
	clip := func(g nadeo.Generation) media.Clip {
		c, err := media.NewClip(g, "a", media.Track{Blocks: still})
		if err != nil {
			t.Fatal(err)
		}
		return *c
	}
	if _, err := media.NewClip(nadeo.Generation("Virtual Skipper"), "a"); !errors.Is(err, fault.Unsupported) {
		t.Errorf("err = %v; want err matching fault.Unsupported", err)
	}
	at := func(list ...gbx.Int3) *Trigger { return &Trigger{Coords: list} }
	before := encoded(t, m)
	for name, c := range map[string]Clip{
		"none":            {Use: ClipIntro},
		"another game":    {Clip: clip(nadeo.Trackmania2020), Use: ClipIntro},
		"no such use":     {Clip: clip(nadeo.Forever), Use: "outro"},
		"not in the game": {Clip: clip(nadeo.Forever), Use: ClipPodium},
		"no trigger":      {Clip: clip(nadeo.Forever), Use: ClipInGame},
		"nowhere":         {Clip: clip(nadeo.Forever), Use: ClipInGame, Trigger: at()},
		"outside":         {Clip: clip(nadeo.Forever), Use: ClipInGame, Trigger: at(gbx.Int3{}, gbx.Int3{X: 96})},
		"below":           {Clip: clip(nadeo.Forever), Use: ClipInGame, Trigger: at(gbx.Int3{Y: -1})},
		"a trigger":       {Clip: clip(nadeo.Forever), Use: ClipIntro, Trigger: at(gbx.Int3{})},
	} {
		if err := m.AddClip(c); !errors.Is(err, fault.Unsupported) {
			t.Errorf("%s: err = %v; want err matching fault.Unsupported", name, err)
		}
	}
	if !slices.Equal(encoded(t, m), before) {
		t.Error("a clip that was refused changed the map")
	}
	if err := m.AddClip(Clip{Clip: clip(nadeo.Forever), Use: ClipIntro}); err != nil {
		t.Error(err)
	}
	if err := m.AddClip(Clip{Clip: clip(nadeo.Forever), Use: ClipIntro}); !errors.Is(err, fault.Unsupported) {
		t.Errorf("a second intro: %v", err)
	}
}

// Triggers of real maps are within the grid that is computed here.
func TestTriggerGrid(t *testing.T) {
	cells := 0
	roomtest.Each(t, roomtest.MapFolders, func(c roomtest.File) {
		m, err := Of(c.File)
		if err != nil || m.Generation() == "" {
			return
		}
		grid := m.TriggerGrid()
		for _, k := range m.Clips() {
			if k.Trigger == nil {
				continue
			}
			for _, at := range k.Trigger.Coords {
				cells++
				if min(at.X, at.Y, at.Z) < 0 || at.X >= grid.X || at.Y >= grid.Y || at.Z >= grid.Z {
					t.Errorf("%s: %v of %v", c.Path, at, grid)
				}
			}
		}
	})
	if cells < 3000 {
		t.Errorf("only %d cells", cells)
	}
}

// A map that is saved, changed and saved again holds both changes: the nodes of
// the second do not get the numbers of the first.
func TestSaveChangeSave(t *testing.T) {
	generationMaps(t, func(t *testing.T, g nadeo.Generation, fresh func() *Map) {
		m := fresh()
		for _, use := range []string{ClipIntro, ClipGlobal} {
			clip, err := media.NewClip(g, use, media.Track{Blocks: []media.Block{{Content: media.Text{Text: use, Keys: media.Still(0, 1)}}}})
			if err != nil {
				t.Fatal(err)
			}
			if err := m.AddClip(Clip{Clip: *clip, Use: use}); err != nil {
				t.Fatal(err)
			}
			if first := encoded(t, m); !bytes.Equal(encoded(t, m), first) {
				t.Error("saved twice, another file")
			}
		}
		f, err := gbx.Parse(encoded(t, m), engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		clips := (&Map{f}).Clips()
		if len(clips) != 2 || clips[0].Name() != ClipIntro || clips[1].Name() != ClipGlobal {
			t.Fatalf("%d clips", len(clips))
		}
		if text := clips[1].Tracks()[0].Blocks[0].Content.(media.Text).Text; text != ClipGlobal {
			t.Errorf("text of the second clip = %q, want %q", text, ClipGlobal)
		}
		if fresh().File.NumNodes >= f.NumNodes {
			t.Errorf("%d nodes", f.NumNodes)
		}
	})
}
