package clips

import (
	"cmp"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/control"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/chunks"
)

// readers read the content of blocks. Each chunk occurs in one kind of block only.
var readers = []func(*gbx.Node) Content{
	mediaText, mediaCamera, mediaGameCamera, mediaSound,
	chunk(func(c *game.Chunk030A5000) Content { return Image{unversioned(c.Image), effectKeys(c.Effect)} }),
	chunk(func(c *game.Chunk030AB000) Content { return Fade{c.Color, c.Keys} }),
	chunk(func(c *game.Chunk03085000) Content { return Time{c.Keys} }),
	chunk(func(c *game.Chunk030A4000) Content { return Shake{c.Keys} }),
	chunk(func(c *game.Chunk03126002) Content { return Focus{converted(c.Keys, focusKey)} }),
	chunk(func(c *game.Chunk03199000) Content { return Fog{c.Keys} }),
}

// mediaOf returns the content of a block. It returns nil if this kind of block, or this
// game's form of it, cannot be made.
func mediaOf(n *gbx.Node) Content {
	for _, read := range readers {
		if c := read(n); c != nil {
			return c
		}
	}
	return nil
}

// chunk makes a reader for blocks whose content is in one chunk.
func chunk[C gbx.Body](of func(C) Content) func(*gbx.Node) Content {
	return func(n *gbx.Node) Content {
		if c, ok := gbx.Find[C](n); ok {
			return of(c)
		}
		return nil
	}
}

// converted converts each key of a list to another type.
func converted[A, B any](list []A, to func(*A) B) []B {
	if list == nil {
		return nil
	}
	out := make([]B, len(list))
	for i := range list {
		out[i] = to(&list[i])
	}
	return out
}

func storedBool(b bool) gbx.Bool {
	if b {
		return gbx.True
	}
	return gbx.False
}

// entityOf converts the number of an entity in a file, which counts from 0 and is -1 for
// none.
func entityOf(stored int32) Entity { return Entity(stored) + 1 }

func (e Entity) stored() int32 { return int32(e) - 1 }

// gamesFile is the checksum that references have to files of the game itself.
var gamesFile = gbx.Hash256{2}

// mediaFile completes the reference to a file that a block shows or plays, in the form of
// a game.
func mediaFile(g nadeo.Generation, f gbx.FileRef) (gbx.FileRef, error) {
	if f.Path == "" {
		return f, fault.New(fault.Unsupported, "a block of the media tracker names no file")
	}
	f.Version = 3
	if g == nadeo.Forever {
		f.Version, f.Checksum = 2, gbx.Hash256{}
	} else if (f.Checksum == gbx.Hash256{}) {
		f.Checksum = gamesFile
	}
	return f, nil
}

// unversioned removes the values that mediaFile fills in.
func unversioned(f gbx.FileRef) gbx.FileRef {
	f.Version = 0
	if f.Checksum == gamesFile {
		f.Checksum = gbx.Hash256{}
	}
	return f
}

// notIn returns the error for a kind of block that is in no known file of a game.
func notIn(g nadeo.Generation, kind string) error {
	return fault.New(fault.Unsupported, "no file of %s shows how it keeps %s", g, kind)
}

// effect makes the node that moves a text or a picture.
func effect(keys []EffectKey) gbx.Ref {
	c := &control.Chunk07010005{IsInterpolated: gbx.True}
	c.Centered = gbx.True
	c.Keys = keys
	return gbx.NewRef(chunks.Node(c))
}

func effectKeys(r gbx.Ref) []EffectKey {
	c, ok := gbx.Find[*control.Chunk07010005](r.Node)
	if !ok {
		return nil
	}
	return c.Keys
}

func (m Text) node(nadeo.Generation) (*gbx.Node, error) {
	return chunks.Node(&game.Chunk030A8001{Text: styled.Marked(m.Text), Effect: effect(m.Keys)},
		&game.Chunk030A8002{Color: m.Color}), nil
}

func mediaText(n *gbx.Node) Content {
	text, ok := gbx.Find[*game.Chunk030A8001](n)
	color, coloured := gbx.Find[*game.Chunk030A8002](n)
	if !ok || !coloured {
		return nil
	}
	return Text{styled.Unmarked(text.Text), color.Color, effectKeys(text.Effect)}
}

func (m Image) node(g nadeo.Generation) (*gbx.Node, error) {
	file, err := mediaFile(g, m.Image)
	return chunks.Node(&game.Chunk030A5000{Effect: effect(m.Keys), Image: file}), err
}

func (m Fade) node(nadeo.Generation) (*gbx.Node, error) {
	return chunks.Node(&game.Chunk030AB000{Color: m.Color, U01: 1, Keys: m.Keys}), nil
}

func (m Camera) node(g nadeo.Generation) (*gbx.Node, error) {
	keys := converted(m.Keys, func(k *CameraKey) game.CGameCtnMediaBlockCameraCustomKey { return k.stored(g) })
	if g == nadeo.Forever {
		return chunks.Node(&game.Chunk030A2005{Keys: keys}), nil
	}
	c := &game.Chunk030A2006{Version: 3, Keys: keys}
	if g == nadeo.Trackmania2020 {
		c.Version = 4
	}
	return chunks.Node(c), nil
}

func mediaCamera(n *gbx.Node) Content {
	if c, ok := gbx.Find[*game.Chunk030A2006](n); ok {
		return Camera{converted(c.Keys, cameraKey)}
	}
	if c, ok := gbx.Find[*game.Chunk030A2005](n); ok {
		return Camera{converted(c.Keys, cameraKey)}
	}
	return nil
}

// Default values in the keys of cameras.
const (
	usualNear = 0.05
	usualFOV  = 60 // field of view of a tangent, in degrees
)

func (k *CameraKey) stored(g nadeo.Generation) game.CGameCtnMediaBlockCameraCustomKey {
	out := game.CGameCtnMediaBlockCameraCustomKey{
		Time: k.Time, Interpolation: k.Interpolation, Position: k.Position, PitchYawRoll: k.PitchYawRoll, Fov: k.FOV,
		AnchorRot: storedBool(k.AnchorTurns), Anchor: k.Anchor.stored(), AnchorVis: storedBool(!k.AnchorHidden),
		Target: k.Target.stored(), TargetPosition: k.TargetPosition,
	}
	tangent := game.CGameCtnMediaBlockCameraCustomTangent{Position: k.Tangent}
	if g != nadeo.Forever {
		out.NearZ = cmp.Or(k.NearZ, usualNear)
		if (k.Tangent == gbx.Vec3{}) {
			tangent.Fov, tangent.NearZ = usualFOV, out.NearZ
		}
	}
	if g == nadeo.Trackmania2020 {
		out.ShadowDistanceScale, tangent.ShadowDistanceScale = 1, 1
	}
	out.LeftTangent, out.RightTangent = tangent, tangent
	return out
}

func cameraKey(k *game.CGameCtnMediaBlockCameraCustomKey) CameraKey {
	out := CameraKey{
		Time: k.Time, Interpolation: k.Interpolation, Position: k.Position, PitchYawRoll: k.PitchYawRoll, FOV: k.Fov,
		Anchor: entityOf(k.Anchor), AnchorTurns: k.AnchorRot.True(), AnchorHidden: !k.AnchorVis.True(),
		Target: entityOf(k.Target), TargetPosition: k.TargetPosition, NearZ: k.NearZ, Tangent: k.LeftTangent.Position,
	}
	if out.NearZ == usualNear {
		out.NearZ = 0
	}
	return out
}

// oldCameras are the names of cameras in TrackMania Forever.
var oldCameras = map[game.CGameCtnMediaBlockCameraGameGameCam]string{
	game.CGameCtnMediaBlockCameraGameGameCamDefault:  "<Default>",
	game.CGameCtnMediaBlockCameraGameGameCamInternal: "Internal",
	game.CGameCtnMediaBlockCameraGameGameCamExternal: "Behind",
}

func (m GameCamera) node(g nadeo.Generation) (*gbx.Node, error) {
	follows := cmp.Or(m.Follows, LocalPlayer).stored()
	if g == nadeo.Forever {
		name, ok := oldCameras[m.Camera]
		if !ok {
			return nil, notIn(g, "the camera "+m.Camera.String())
		}
		return chunks.Node(&game.Chunk03084003{
			Start: m.Start, End: m.End, GameCamID: gbx.NewID(name), ClipEntID: follows,
		}), nil
	}
	const noScene = 0x0FF00000
	c := &game.Chunk03084007{
		Version: 3, Start: m.Start, End: m.End, GameCam: m.Camera, ClipEntID: follows,
		CamFov: 90, FocusZ: 10, CamNearClipPlane: -1, CamFarClipPlane: -1,
		ShowHUD: gbx.True, ShowPing: gbx.True, ShowCrossHair: gbx.True, CrossHairSizeScale: 2, SceneUID: noScene,
	}
	if g == nadeo.Trackmania2020 {
		c.Version, c.CrossHairSizeScale = 4, 1
	}
	return chunks.Node(c), nil
}

func mediaGameCamera(n *gbx.Node) Content {
	if c, ok := gbx.Find[*game.Chunk03084007](n); ok && c.Version >= 2 {
		return GameCamera{c.Start, c.End, c.GameCam, entityOf(c.ClipEntID)}
	}
	if c, ok := gbx.Find[*game.Chunk03084003](n); ok {
		for cam, name := range oldCameras {
			if c.GameCamID.String() == name {
				return GameCamera{c.Start, c.End, cam, entityOf(c.ClipEntID)}
			}
		}
	}
	return nil
}

func (m Time) node(nadeo.Generation) (*gbx.Node, error) {
	return chunks.Node(&game.Chunk03085000{Keys: m.Keys}), nil
}

func (m Shake) node(nadeo.Generation) (*gbx.Node, error) {
	return chunks.Node(&game.Chunk030A4000{Keys: m.Keys}), nil
}

func (m Sound) node(g nadeo.Generation) (*gbx.Node, error) {
	if g == nadeo.Forever {
		return nil, notIn(g, "sounds")
	}
	file, err := mediaFile(g, m.Sound)
	return chunks.Node(&game.Chunk030A7003{
		Version: 2, PlayCount: m.PlayCount, IsLooping: storedBool(m.Looping), IsMusic: storedBool(m.Music),
		StopWithClip: storedBool(m.EndsWithClip), AudioToSpeechTarget: -1,
	},
		&game.Chunk030A7004{
			Sound: file, Version: 1, Keys: m.Keys,
		}), err
}

func mediaSound(n *gbx.Node) Content {
	how, ok := gbx.Find[*game.Chunk030A7003](n)
	what, there := gbx.Find[*game.Chunk030A7004](n)
	if !ok || !there {
		return nil
	}
	return Sound{unversioned(what.Sound), how.PlayCount, how.IsLooping.True(), how.IsMusic.True(), how.StopWithClip.True(), what.Keys}
}

func (m Focus) node(g nadeo.Generation) (*gbx.Node, error) {
	if g == nadeo.Forever {
		return nil, notIn(g, "the focus of cameras")
	}
	return chunks.Node(&game.Chunk03126002{
		Keys: converted(m.Keys, func(k *FocusKey) game.CGameCtnMediaBlockDOFKey {
			return game.CGameCtnMediaBlockDOFKey{
				Time: k.Time, ZFocus: k.Distance, LensSize: k.LensSize, Target: k.Target.stored(), TargetPosition: k.TargetPosition,
			}
		}),
	}), nil
}

func focusKey(k *game.CGameCtnMediaBlockDOFKey) FocusKey {
	return FocusKey{k.Time, k.ZFocus, k.LensSize, entityOf(k.Target), k.TargetPosition}
}

func (m Fog) node(g nadeo.Generation) (*gbx.Node, error) {
	if g == nadeo.Forever {
		return nil, notIn(g, "fog")
	}
	return chunks.Node(&game.Chunk03199000{Version: 2, Keys: m.Keys}), nil
}
