package clips

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/control"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo"
)

var games = []nadeo.Generation{nadeo.Forever, nadeo.ManiaPlanet4, nadeo.Trackmania2020}

// everyKind is one block of each kind, with another value in each field. Forever has the
// first seven.
func everyKind() []Content {
	return []Content{
		Text{Text: "$f00Nächte", Color: gbx.Color{R: 1, G: 0.5}, Keys: Still(1, 4)},
		Image{Image: gbx.FileRef{Path: "a.tga"}, Keys: Still(0, 2)},
		Fade{Color: gbx.Color{B: 1}, Keys: []FadeKey{{Time: 0, Opacity: 1}, {Time: 1.5, Opacity: 0}}},
		Camera{Keys: []CameraKey{
			{Position: gbx.Vec3{X: 700}, PitchYawRoll: gbx.Vec3{Y: 1}, FOV: 75, Interpolation: game.CGameCtnMediaBlockCameraCustomInterpolationHermite},
			{Time: 5, FOV: 60, Anchor: LocalPlayer, AnchorTurns: true, AnchorHidden: true, Target: 3, TargetPosition: gbx.Vec3{Z: 2}, Tangent: gbx.Vec3{X: 3}},
		}},
		GameCamera{Start: 5, End: 9, Camera: game.CGameCtnMediaBlockCameraGameGameCamInternal, Follows: 2},
		Time{Keys: []TimeKey{{Time: 0, TimeValue: 1, Tangent: 2}, {Time: 3, TimeValue: 30, Tangent: 2}}},
		Shake{Keys: []ShakeKey{{Time: 1, Intensity: 0.5, Speed: 3}, {Time: 2, Speed: 3}}},
		Sound{Sound: gbx.FileRef{Path: "Own.ogg", Checksum: gbx.Hash256{7}, Locator: "https://example.org/Own.ogg"}, PlayCount: 4, Looping: true, EndsWithClip: true, Keys: []SoundKey{{Time: 0, Volume: 1}, {Time: 6, Volume: 0.5, Pan: 0.25}}},
		Focus{Keys: []FocusKey{{Time: 0, Distance: 10, LensSize: 0.05}, {Time: 4, Distance: 90, LensSize: 1, Target: LocalPlayer, TargetPosition: gbx.Vec3{Y: 1}}}},
		Fog{Keys: []game.CGameCtnMediaBlockFogKey{{Time: 2, Intensity: 1, Distance: 6000, Coefficient: 1, CloudsSpeed: 1}}},
	}
}

// everyClip is a clip with a track for each kind of block that a game has.
func everyClip(t *testing.T, g nadeo.Generation) *Clip {
	t.Helper()
	list := everyKind()
	if g == nadeo.Forever {
		list = list[:7]
	}
	var tracks []Track
	for i, c := range list {
		tracks = append(tracks, Track{Name: fmt.Sprint("Spur ", i), KeepPlaying: i%2 == 1, Cycling: i%3 == 2 && g != nadeo.Forever, Blocks: []Block{{Content: c}}})
	}
	clip, err := NewClip(g, "Ende", tracks...)
	if err != nil {
		t.Fatal(err)
	}
	return clip
}

// A clip that is saved and read again has the tracks, blocks, times and contents that it
// was made of.
func TestClipReadsBack(t *testing.T) {
	spans := []string{"Text 1-4", "Image 0-2", "TransitionFade 0-1.5", "CameraCustom 0-5", "CameraGame 5-9", "Time 0-3", "CameraEffectShake 1-2", "Sound 0-6", "DOF 0-4", "Fog 2-2"}
	for _, g := range games {
		data, err := everyClip(t, g).File()
		if err != nil {
			t.Fatal(err)
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		clip, err := ClipOf(f)
		if err != nil {
			t.Fatal(err)
		}
		want := everyKind()
		tracks := clip.Tracks()
		if name, ok := NameOf(f); clip.Name() != "Ende" || name != "Ende" || !ok || clip.Length() != 9 || len(Contradictions(f)) != 0 || g == nadeo.Forever && len(tracks) != 7 || g != nadeo.Forever && len(tracks) != len(want) {
			t.Errorf("%s: %q, %g s, %d tracks", g, clip.Name(), clip.Length(), len(tracks))
		}
		for i, track := range tracks {
			if track.Name != fmt.Sprint("Spur ", i) || track.KeepPlaying != (i%2 == 1) || track.Cycling != (i%3 == 2 && g != nadeo.Forever) || len(track.Blocks) != 1 {
				t.Errorf("%s: track %d is %+v", g, i, track)
				continue
			}
			b := track.Blocks[0]
			if !reflect.DeepEqual(b.Content, want[i]) {
				t.Errorf("%s: %+v, want %+v", g, b.Content, want[i])
			}
			if got := fmt.Sprintf("%s %g-%g", b.Kind, b.Start, b.End); got != spans[i] {
				t.Errorf("%s: %s, want %s", g, got, spans[i])
			}
		}
		var facts []string
		for _, key := range []string{"name", "length", "track_count", "block_count"} {
			v, _ := Facts.Of(clip).Get(key)
			facts = append(facts, fmt.Sprint(v.Value))
		}
		if got, want := fmt.Sprint(facts), fmt.Sprintf("[Ende 9 %d %d]", len(tracks), len(tracks)); got != want {
			t.Errorf("%s: %s, want %s", g, got, want)
		}
	}
	if _, err := ClipOf(gbx.New(&gbx.Node{Class: classTrack}, engine.Registry())); !errors.Is(err, fault.NotFormat) {
		t.Errorf("a track as a clip: %v", err)
	}
}

// Unset values of a content get the defaults of real maps of each game.
func TestUsualValues(t *testing.T) {
	node := func(g nadeo.Generation, c Content) *gbx.Node {
		b, err := NewBlock(g, c)
		if err != nil {
			t.Fatal(err)
		}
		return b.Node
	}
	for g, want := range map[nadeo.Generation]game.Chunk03084007{nadeo.ManiaPlanet4: {Version: 3, CrossHairSizeScale: 2}, nadeo.Trackmania2020: {Version: 4, CrossHairSizeScale: 1}} {
		want.Start, want.End, want.GameCam, want.ClipEntID = 1, 2, game.CGameCtnMediaBlockCameraGameGameCamExternal, 0
		want.CamFov, want.FocusZ, want.CamNearClipPlane, want.CamFarClipPlane, want.SceneUID = 90, 10, -1, -1, 0x0FF00000
		want.ShowHUD, want.ShowPing, want.ShowCrossHair = gbx.True, gbx.True, gbx.True
		c, _ := gbx.Find[*game.Chunk03084007](node(g, GameCamera{Start: 1, End: 2, Camera: game.CGameCtnMediaBlockCameraGameGameCamExternal}))
		if !reflect.DeepEqual(*c, want) {
			t.Errorf("%s: %+v, want %+v", g, *c, want)
		}
	}
	for cam, name := range map[game.CGameCtnMediaBlockCameraGameGameCam]string{game.CGameCtnMediaBlockCameraGameGameCamDefault: "<Default>", game.CGameCtnMediaBlockCameraGameGameCamInternal: "Internal", game.CGameCtnMediaBlockCameraGameGameCamExternal: "Behind"} {
		if c, _ := gbx.Find[*game.Chunk03084003](node(nadeo.Forever, GameCamera{End: 2, Camera: cam, Follows: LocalPlayer})); c.GameCamID.String() != name || c.ClipEntID != 0 {
			t.Errorf("c = %+v; want c.GameCamID.String() = %v, c.ClipEntID = 0", c, name)
		}
	}
	// The tangents of a key that has none look 60 degrees wide and begin where the key does.
	key := []CameraKey{{FOV: 75}, {Time: 1, NearZ: 2}, {Time: 2, Tangent: gbx.Vec3{X: 1}}}
	type tangent = game.CGameCtnMediaBlockCameraCustomTangent
	moved := tangent{Position: gbx.Vec3{X: 1}}
	for g, want := range map[nadeo.Generation][]tangent{
		nadeo.Forever: {{}, {}, moved}, nadeo.ManiaPlanet4: {{Fov: 60, NearZ: 0.05}, {Fov: 60, NearZ: 2}, moved},
		nadeo.Trackmania2020: {{Fov: 60, NearZ: 0.05, ShadowDistanceScale: 1}, {Fov: 60, NearZ: 2, ShadowDistanceScale: 1}, {Position: gbx.Vec3{X: 1}, ShadowDistanceScale: 1}},
	} {
		n := node(g, Camera{Keys: key})
		var keys []game.CGameCtnMediaBlockCameraCustomKey
		if c, ok := gbx.Find[*game.Chunk030A2006](n); ok {
			if keys = c.Keys; g == nadeo.Forever || c.Version != map[bool]uint32{false: 3, true: 4}[g == nadeo.Trackmania2020] {
				t.Errorf("%s: version %d", g, c.Version)
			}
		} else if c, ok := gbx.Find[*game.Chunk030A2005](n); ok {
			keys = c.Keys
		}
		near := map[bool][]float32{true: {0, 0, 0}, false: {0.05, 2, 0.05}}[g == nadeo.Forever]
		for i, k := range keys {
			if k.LeftTangent != want[i] || k.RightTangent != want[i] || k.NearZ != near[i] || k.Anchor != -1 || k.Target != -1 || !k.AnchorVis.True() || k.AnchorRot.True() || (k.ShadowDistanceScale == 1) != (g == nadeo.Trackmania2020) {
				t.Errorf("%s: key %d is %+v", g, i, k)
			}
		}
		if len(keys) != 3 {
			t.Errorf("%s: %d keys", g, len(keys))
		}
	}
}

// The other values that all real blocks have.
func TestUsualRest(t *testing.T) {
	find := func(i int) *gbx.Node {
		b, err := NewBlock(nadeo.Trackmania2020, everyKind()[i])
		if err != nil {
			t.Fatal(err)
		}
		return b.Node
	}
	text, _ := gbx.Find[*game.Chunk030A8001](find(0))
	effect, _ := gbx.Find[*control.Chunk07010005](text.Effect.Node)
	fade, _ := gbx.Find[*game.Chunk030AB000](find(2))
	sound, _ := gbx.Find[*game.Chunk030A7003](find(7))
	played, _ := gbx.Find[*game.Chunk030A7004](find(7))
	fog, _ := gbx.Find[*game.Chunk03199000](find(9))
	if !effect.IsInterpolated.True() || !effect.Centered.True() || fade.U01 != 1 || sound.Version != 2 || sound.AudioToSpeechTarget != -1 || played.Version != 1 || fog.Version != 2 {
		t.Errorf("effect = %+v fade = %+v sound = %+v played = %+v fog = %+v", effect, fade, sound, played, fog)
	}
	if got, want := fmt.Sprint(Still(1, 4)), fmt.Sprint([]EffectKey{{Time: 1, Scale: gbx.Vec2{X: 1, Y: 1}, Opacity: 1, Depth: 0.5}, {Time: 4, Scale: gbx.Vec2{X: 1, Y: 1}, Opacity: 1, Depth: 0.5}}); got != want {
		t.Errorf("still: %s, want %s", got, want)
	}
	for _, g := range games {
		c, err := NewClip(g, "Ende", Track{})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, k := range c.Node.Chunks {
			ids = append(ids, fmt.Sprintf("%08X %t", uint32(k.ID), k.Skip))
		}
		track, _ := gbx.Find[*game.Chunk03078001]((*c.trackList())[0].Node)
		if track.U01 != -1 {
			t.Errorf("%s: the track has %d", g, track.U01)
		}
		if later, ok := gbx.Find[*game.Chunk03078005]((*c.trackList())[0].Node); ok != (g != nadeo.Forever) || ok && (later.Version != 1 || later.RepeatingSegmentStart != -1 || later.RepeatingSegmentEnd != -1) {
			t.Errorf("%s: the track has %+v", g, later)
		}
		want := map[nadeo.Generation]string{nadeo.Forever: "03079004 false 03079005 false 03079007 false", nadeo.ManiaPlanet4: "0307900D false", nadeo.Trackmania2020: "0307900D false 0307900E true"}[g]
		if strings.Join(ids, " ") != want {
			t.Errorf("%s: chunks %v, want %s", g, ids, want)
		}
		if k, ok := gbx.Find[*game.Chunk03079007](c.Node); ok && k.LocalPlayerClipEntIndex != -1 {
			t.Errorf("%s: k = %+v; want ok = false or k.LocalPlayerClipEntIndex = -1", g, k)
		}
		k, ok := gbx.Find[*game.Chunk0307900D](c.Node)
		flags, _ := gbx.Find[*game.Chunk0307900E](c.Node)
		if ok && (k.LocalPlayerClipEntIndex != -1 || k.StereoSepMax != 0.2 || (k.Version == 1) != (g == nadeo.Trackmania2020) || flags != nil && flags.Version != 1) {
			t.Errorf("%s: k = %+v flags = %+v; want ok = false or k.LocalPlayerClipEntIndex = -1, k.StereoSepMax = 0.2, k.Version is 1 exactly if g is nadeo.Trackmania2020, (flags = nil or flags.Version = 1)", g, k, flags)
		}
	}
}

// Combine puts the tracks of clips one after the other and leaves the clips as they are.
func TestCombineClips(t *testing.T) {
	clip := func(g nadeo.Generation, names ...string) *Clip {
		var tracks []Track
		for _, n := range names {
			tracks = append(tracks, Track{Name: n})
		}
		c, err := NewClip(g, "first "+names[0], tracks...)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, g := range games {
		a, b, c := clip(g, "a", "b"), clip(g, "c"), clip(g, "d", "e")
		got, err := Combine(a, b, c)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, track := range got.Tracks() {
			names = append(names, track.Name)
		}
		if fmt.Sprint(names) != "[a b c d e]" || got.Name() != "first a" || len(a.Tracks()) != 2 || len(c.Tracks()) != 2 {
			t.Errorf("%s: %s of %v", g, got.Name(), names)
		}
		if got, err = Combine(a); err != nil || len(got.Tracks()) != 2 || got.Node == a.Node {
			t.Errorf("%s: one clip: %v", g, err)
		}
	}
	old := &Clip{&gbx.Node{Class: ClassClip, Chunks: []gbx.Chunk{{ID: 0x03079003, Body: &game.Chunk03079003{}}}}}
	forever, later := clip(nadeo.Forever, "a"), clip(nadeo.ManiaPlanet4, "a")
	for name, list := range map[string][]*Clip{"none": nil, "older": {old}, "older second": {forever, old}, "later second": {forever, later}, "later first": {later, forever}} {
		if c, err := Combine(list...); !errors.Is(err, fault.Unsupported) || c != nil {
			t.Errorf("%s: err = %v; want err matching fault.Unsupported, c = nil", name, err)
		}
	}
}

// A content without a form in the game is rejected, and so is one that the game cannot play.
func TestRefusedBlocks(t *testing.T) {
	nan := float32(math.NaN())
	for name, c := range map[string]Content{
		"no key": Fade{}, "back": Fade{Keys: []FadeKey{{Time: 2}, {Time: 1}}}, "no number": Fade{Keys: []FadeKey{{Time: nan}}}, "endless": Fade{Keys: []FadeKey{{Time: float32(math.Inf(1))}}},
		"no picture": Image{Keys: Still(0, 1)}, "sound": everyKind()[7], "focus": everyKind()[8], "fog": everyKind()[9],
		"camera": GameCamera{Camera: game.CGameCtnMediaBlockCameraGameGameCamFree},
	} {
		if _, err := NewBlock(nadeo.Forever, c); !errors.Is(err, fault.Unsupported) {
			t.Errorf("%s: err = %v; want err matching fault.Unsupported", name, err)
		}
	}
	still := []Block{{Content: Fade{Keys: []FadeKey{{Time: 1}}}}}
	for name, track := range map[string]Track{"nothing": {Blocks: []Block{{}}}, "again": {Cycling: true, Blocks: still}, "bad block": {Blocks: []Block{{Content: Fade{}}}}, "name": {Name: "a\x00b", Blocks: still}} {
		if c, err := NewClip(nadeo.Forever, "a", track); !errors.Is(err, fault.Unsupported) || c != nil {
			t.Errorf("%s: err = %v; want err matching fault.Unsupported, c = nil", name, err)
		}
	}
	if _, err := NewClip(nadeo.Forever, "a\x00b"); !errors.Is(err, fault.Unsupported) {
		t.Errorf("err = %v; want err matching fault.Unsupported", err)
	}
	if _, err := NewClip("Virtual Skipper", "a"); !errors.Is(err, fault.Unsupported) {
		t.Errorf("err = %v; want err matching fault.Unsupported", err)
	}
	// A block at a single moment may have a key without a time of its own.
	if b, err := NewBlock(nadeo.Forever, Fade{Keys: []FadeKey{{Time: 1}, {Time: 1}}}); err != nil || b.Start != 1 || b.End != 1 {
		t.Errorf("two keys at one time: %v", err)
	}
}

// Times come from the block, its keys and its effect. A time that is not a number does not
// count, and a block without times has none.
func TestTimesOfBlocks(t *testing.T) {
	nan := float32(math.NaN())
	block := func(bodies ...gbx.Body) string {
		n := &gbx.Node{Class: 0x03084000}
		for _, b := range bodies {
			n.Chunks = append(n.Chunks, gbx.Chunk{Body: b})
		}
		b := mediaBlock(n)
		return fmt.Sprint(b.Kind, b.Start, b.End)
	}
	for want, got := range map[string]string{
		"CameraGame3 8": block(&game.Chunk03084007{Start: 3, End: 8}),
		"CameraGame2 6": block(&game.Chunk030AB000{Keys: []FadeKey{{Time: 4}, {Time: 2}, {Time: nan}}}, &game.Chunk03084007{Start: nan, End: 6}),
		"CameraGame1 7": block(&game.Chunk030A8001{Effect: effect(Still(1, 7))}),
		"CameraGame0 0": block(&game.Chunk030A8001{}),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if b := mediaBlock(nil); !reflect.DeepEqual(b, Block{}) {
		t.Errorf("nothing is %+v", b)
	}
	if slices.ContainsFunc([]float32{0, -1, 1e30}, isNaN) || !isNaN(nan) {
		t.Error("isNaN is wrong about numbers")
	}
}
