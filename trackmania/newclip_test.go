package trackmania

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
	"pakbox/internal/testkit/corpus"
)

// realClips calls test with every clip of the real maps of known games.
func realClips(t *testing.T, test func(path string, g Generation, c *Clip)) {
	check := func(path string, f *gbx.File) {
		if m, err := MapOf(f); err == nil && m.Generation() != "" {
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
		if inner, err := gbx.Parse(mapInReplay(f), engine.Registry()); err == nil {
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
	data, err := gbx.New(&gbx.Node{Class: classClip, Chunks: []gbx.Chunk{{ID: 0x03079005, Body: &game.Chunk03079005{
		TracksListVersion: oldListVersion, Tracks: []gbx.Ref{gbx.NewRef(n)},
	}}}}, engine.Registry()).Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The blocks of real maps, made again from what they show, are the same bytes.
// Cameras that were set up in a way that [Media] does not say, with a crosshair
// of another size for example, are not; the counts are those of the corpus.
func TestMediaMakesRealBlocks(t *testing.T) {
	type count struct{ same, other int }
	got := map[string]count{}
	realClips(t, func(path string, g Generation, c *Clip) {
		for _, track := range c.Tracks() {
			for _, b := range track.Blocks {
				if b.Media == nil {
					continue
				}
				made, err := NewMediaBlock(g, b.Media)
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
func everyMedia(g Generation) []Media {
	list := []Media{
		MediaText{"$f00Nächte", gbx.Color{R: 1, G: 0.5}, Still(1, 4)},
		MediaImage{gbx.FileRef{Path: `Media\Images\Effects\BlackSquare.tga`}, Still(0, 2)},
		MediaFade{gbx.Color{B: 1}, []FadeKey{{0, 1}, {1.5, 0}}},
		MediaCamera{[]CameraKey{
			{Position: gbx.Vec3{X: 700, Y: 60, Z: 700}, PitchYawRoll: gbx.Vec3{X: 0.5, Y: 1}, FOV: 75, Interpolation: game.CGameCtnMediaBlockCameraCustomInterpolationHermite},
			{Time: 5, Position: gbx.Vec3{Y: 4, Z: -8}, FOV: 60, Anchor: LocalPlayer, AnchorTurns: true, AnchorHidden: true, Target: LocalPlayer, Tangent: gbx.Vec3{X: 3}},
		}},
		MediaGameCamera{5, 9, game.CGameCtnMediaBlockCameraGameGameCamInternal, LocalPlayer},
		MediaTime{[]TimeKey{{0, 0, 1}, {3, 30, 2}}},
		MediaShake{[]ShakeKey{{1, 0.5, 3}, {2, 0, 3}}},
	}
	if g != Forever {
		list = append(list,
			MediaSound{gbx.FileRef{Path: `Media\Sounds\Own.ogg`, Checksum: gbx.Hash256{7}, Locator: "https://example.org/Own.ogg"}, 1, true, false, true, []SoundKey{{Time: 0, Volume: 1}, {Time: 6, Volume: 0.5, Pan: 0.25}}},
			MediaFocus{[]FocusKey{{0, 10, 0.05, NoEntity, gbx.Vec3{}}, {4, 90, 1, LocalPlayer, gbx.Vec3{Y: 1}}}},
			MediaFog{[]game.CGameCtnMediaBlockFogKey{{Time: 2, Intensity: 1, Distance: 6000, Coefficient: 1, CloudsSpeed: 1}}},
		)
	}
	return list
}

// A clip with every kind of block, in every place that maps of a game have for
// clips, is saved and read back; the map stays one that the strict checks take.
func TestNewClipsOnNewMaps(t *testing.T) {
	generationMaps(t, func(t *testing.T, g Generation, fresh func() *Map) {
		uses := []string{ClipIntro, ClipInGame, ClipInGame, ClipEndRace, ClipGlobal}
		if g != Forever {
			uses = append(uses, ClipPodium, ClipAmbiance)
		}
		m := fresh()
		var tracks []Track
		for _, media := range everyMedia(g) {
			tracks = append(tracks, Track{Name: "Spur für alles", KeepPlaying: len(tracks)%2 == 0, Blocks: []MediaBlock{{Media: media}}})
		}
		tracks[1].Blocks = append(tracks[1].Blocks, tracks[2].Blocks...)
		tracks[1].Cycling = g != Forever
		trigger := &Trigger{[]gbx.Int3{{X: 95, Y: 2, Z: 1}, {X: 3}}, game.CGameCtnMediaClipGroupConditionSpeedLessThan, 20}
		for _, use := range uses {
			clip, err := NewClip(g, use+" größer", tracks...)
			if err != nil {
				t.Fatal(err)
			}
			c := MapClip{Clip: *clip, Use: use}
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
			if unmarked(c.Name()) != c.Use+" größer" || c.Length() != 9 {
				t.Errorf("%s: called %q, %g seconds", c.Use, c.Name(), c.Length())
			}
			got := c.Tracks()
			if len(got) != len(tracks) {
				t.Fatalf("%s: %d tracks", c.Use, len(got))
			}
			for i, track := range got {
				want := tracks[i]
				if unmarked(track.Name) != want.Name || track.KeepPlaying != want.KeepPlaying || track.Cycling != want.Cycling || len(track.Blocks) != len(want.Blocks) {
					t.Fatalf("%s: track %d is %+v", c.Use, i, track)
				}
				for j, b := range track.Blocks {
					if !reflect.DeepEqual(b.Media, want.Blocks[j].Media) {
						t.Errorf("%s: %+v, want %+v", c.Use, b.Media, want.Blocks[j].Media)
					}
				}
			}
		}
		if list := append(m.LintStrict(), m.Lint(int64(len(data)))...); len(list) > 0 {
			t.Error(list)
		}
		gone, err := m.RemoveClips(func(c *MapClip) bool { return c.Use != ClipEndRace })
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
			version, _ := chunkVersion(c.Body)
			out += fmt.Sprintf("%v.%d ", c.ID, version)
		}
		return out
	}
	made, seen := map[Generation][]string{}, map[Generation]int{}
	for _, g := range []Generation{Forever, ManiaPlanet4, Trackmania2020} {
		clip, err := NewClip(g, "", Track{})
		if err != nil {
			t.Fatal(err)
		}
		made[g] = []string{form(clip.Node), form(trackNodes(clip.Node)[0].Node)}
	}
	realClips(t, func(path string, g Generation, c *Clip) {
		if got := form(c.Node); got == made[g][0] {
			seen[g]++
		} else if g != Trackmania2020 { // whose first builds wrote the clips of ManiaPlanet
			t.Errorf("%s: a clip of %s", path, got)
		}
		for _, r := range trackNodes(c.Node) {
			if got := form(r.Node); got != made[g][1] {
				t.Errorf("%s: a track of %s", path, got)
			}
		}
	})
	if seen[Forever] < 1500 || seen[ManiaPlanet4] < 150 || seen[Trackmania2020] < 30 {
		t.Errorf("clips like the new ones: %v", seen)
	}
}

func TestClipsThatCannotBe(t *testing.T) {
	still := []MediaBlock{{Media: MediaText{Text: "a", Keys: Still(0, 1)}}}
	nan := float32(0)
	nan /= nan
	for name, track := range map[string]Track{
		"nothing":        {Blocks: []MediaBlock{{}}},
		"no keys":        {Blocks: []MediaBlock{{Media: MediaFade{}}}},
		"back in time":   {Blocks: []MediaBlock{{Media: MediaFade{Keys: []FadeKey{{Time: 2}, {Time: 1}}}}}},
		"no number":      {Blocks: []MediaBlock{{Media: MediaFade{Keys: []FadeKey{{Time: nan}}}}}},
		"no file":        {Blocks: []MediaBlock{{Media: MediaImage{Keys: Still(0, 1)}}}},
		"name":           {Name: "a\x00b", Blocks: still},
		"sound":          {Blocks: []MediaBlock{{Media: MediaSound{Sound: gbx.FileRef{Path: "a"}, Keys: []SoundKey{{}}}}}},
		"fog":            {Blocks: []MediaBlock{{Media: MediaFog{make([]game.CGameCtnMediaBlockFogKey, 1)}}}},
		"focus":          {Blocks: []MediaBlock{{Media: MediaFocus{make([]FocusKey, 1)}}}},
		"unknown camera": {Blocks: []MediaBlock{{Media: MediaGameCamera{Camera: game.CGameCtnMediaBlockCameraGameGameCamFree}}}},
		"cycling":        {Cycling: true, Blocks: still},
	} {
		if _, err := NewClip(Forever, "a", track); !errors.Is(err, fault.Unsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
	m, err := NewMap(MapOptions{Game: Forever})
	if err != nil {
		t.Fatal(err)
	}
	clip := func(g Generation) Clip {
		c, err := NewClip(g, "a", Track{Blocks: still})
		if err != nil {
			t.Fatal(err)
		}
		return *c
	}
	if _, err := NewClip(Generation("Virtual Skipper"), "a"); !errors.Is(err, fault.Unsupported) {
		t.Error(err)
	}
	at := func(list ...gbx.Int3) *Trigger { return &Trigger{Coords: list} }
	before := encoded(t, m)
	for name, c := range map[string]MapClip{
		"none":            {Use: ClipIntro},
		"another game":    {Clip: clip(Trackmania2020), Use: ClipIntro},
		"no such use":     {Clip: clip(Forever), Use: "outro"},
		"not in the game": {Clip: clip(Forever), Use: ClipPodium},
		"no trigger":      {Clip: clip(Forever), Use: ClipInGame},
		"nowhere":         {Clip: clip(Forever), Use: ClipInGame, Trigger: at()},
		"outside":         {Clip: clip(Forever), Use: ClipInGame, Trigger: at(gbx.Int3{}, gbx.Int3{X: 96})},
		"below":           {Clip: clip(Forever), Use: ClipInGame, Trigger: at(gbx.Int3{Y: -1})},
		"a trigger":       {Clip: clip(Forever), Use: ClipIntro, Trigger: at(gbx.Int3{})},
	} {
		if err := m.AddClip(c); !errors.Is(err, fault.Unsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !slices.Equal(encoded(t, m), before) {
		t.Error("a clip that was refused changed the map")
	}
	if err := m.AddClip(MapClip{Clip: clip(Forever), Use: ClipIntro}); err != nil {
		t.Error(err)
	}
	if err := m.AddClip(MapClip{Clip: clip(Forever), Use: ClipIntro}); !errors.Is(err, fault.Unsupported) {
		t.Errorf("a second intro: %v", err)
	}
}

// Triggers of real maps are within the grid that is computed here.
func TestTriggerGrid(t *testing.T) {
	cells := 0
	eachFile(t, mapFolders, func(c corpusFile) {
		m, err := MapOf(c.file)
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
					t.Errorf("%s: %v of %v", c.path, at, grid)
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
	generationMaps(t, func(t *testing.T, g Generation, fresh func() *Map) {
		m := fresh()
		for _, use := range []string{ClipIntro, ClipGlobal} {
			clip, err := NewClip(g, use, Track{Blocks: []MediaBlock{{Media: MediaText{Text: use, Keys: Still(0, 1)}}}})
			if err != nil {
				t.Fatal(err)
			}
			if err := m.AddClip(MapClip{Clip: *clip, Use: use}); err != nil {
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
		if text := clips[1].Tracks()[0].Blocks[0].Media.(MediaText).Text; text != ClipGlobal {
			t.Errorf("the second clip says %q", text)
		}
		if fresh().File.NumNodes >= f.NumNodes {
			t.Errorf("%d nodes", f.NumNodes)
		}
	})
}
