package clips

import (
	"slices"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/control"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo"
)

// Content is the content of a MediaTracker block that can be made: one of the types in
// this file. Times are in seconds from the start of the clip, angles in radians, lengths
// in metres.
//
// Chunks and values of unknown meaning are copied from real maps of each game. A test
// makes the blocks of the real maps again and compares.
type Content interface {
	node(g nadeo.Generation) (*gbx.Node, error)
}

// Entity is a car that a camera follows or looks at.
type Entity int32

const (
	NoEntity    Entity = 0
	LocalPlayer Entity = 1 // higher numbers are the ghosts of the clip
)

// EffectKey is the state of a text or a picture at one time. Position is from -1 to 1,
// with 0 in the middle of the screen. Depth is from 0, in front, to 1.
type EffectKey = control.CControlEffectSimiKey

// Still returns the keys of a text or picture that stays in the middle of the screen.
func Still(start, end float32) []EffectKey {
	first := EffectKey{Time: start, Scale: gbx.Vec2{X: 1, Y: 1}, Opacity: 1, Depth: 0.5}
	last := first
	last.Time = end
	return []EffectKey{first, last}
}

// Text is a text on the screen.
type Text struct {
	Text  string // with colour codes
	Color gbx.Color
	Keys  []EffectKey
}

// Image is a picture on the screen.
type Image struct {
	Image gbx.FileRef // NewBlock fills in its version
	Keys  []EffectKey
}

// Fade covers the screen with a colour.
type Fade struct {
	Color gbx.Color
	Keys  []FadeKey
}

// FadeKey is the strength of the colour at one time.
type FadeKey = game.CGameCtnMediaBlockTransitionFadeKey

// Camera is a camera that moves along keys.
type Camera struct{ Keys []CameraKey }

// CameraKey is the state of a camera at one time.
type CameraKey struct {
	Time           float32
	Interpolation  game.CGameCtnMediaBlockCameraCustomInterpolation // way of moving to the next key
	Position       gbx.Vec3                                         // on the map, or relative to the anchor
	PitchYawRoll   gbx.Vec3
	FOV            float32  // in degrees
	Anchor         Entity   // the car that the camera moves with
	AnchorTurns    bool     // the camera also turns with the anchor
	AnchorHidden   bool     // the camera does not show the anchor
	Target         Entity   // the car that the camera looks at
	TargetPosition gbx.Vec3 // relative to the target
	NearZ          float32  // nearest visible distance; 0 for the default
	Tangent        gbx.Vec3 // of the camera's path at this key, for the interpolation Hermite
}

// GameCamera is one of the cameras that players can choose in the game.
type GameCamera struct {
	Start, End float32
	Camera     game.CGameCtnMediaBlockCameraGameGameCam
	Follows    Entity // LocalPlayer if it is not set
}

// Time makes the run play faster or slower, or jump.
type Time struct{ Keys []TimeKey }

// TimeKey states which time of the run (TimeValue) is shown at a time of the clip.
type TimeKey = game.CGameCtnMediaBlockTimeKey

// Shake shakes the camera.
type Shake struct{ Keys []ShakeKey }

// ShakeKey is the strength of the shaking at one time.
type ShakeKey = game.CGameCtnMediaBlockCameraEffectShakeKey

// Sound plays a sound.
type Sound struct {
	Sound        gbx.FileRef // NewBlock fills in its version
	PlayCount    uint32
	Looping      bool
	Music        bool
	EndsWithClip bool
	Keys         []SoundKey
}

// SoundKey is the volume and place of a sound at one time.
type SoundKey = game.CGameCtnMediaBlockSoundKey

// Focus blurs everything outside a distance from the camera (depth of field).
type Focus struct{ Keys []FocusKey }

// FocusKey is the distance of the sharp part at one time.
type FocusKey struct {
	Time, Distance, LensSize float32
	Target                   Entity
	TargetPosition           gbx.Vec3
}

// Fog shows fog.
type Fog struct {
	Keys []game.CGameCtnMediaBlockFogKey
}

// NewBlock makes a block for the clips of a game.
func NewBlock(g nadeo.Generation, m Content) (Block, error) {
	n, err := m.node(g)
	if err != nil {
		return Block{}, err
	}
	times := timesOf(n)
	switch {
	case len(times) == 0:
		err = fault.New(fault.Unsupported, "a block of the media tracker has no key")
	case slices.ContainsFunc(times, isNaN):
		err = fault.New(fault.Unsupported, "a time of a block of the media tracker is not a number")
	case !slices.IsSorted(times):
		err = fault.New(fault.Unsupported, "the times of a block of the media tracker go back: %v", times)
	}
	return mediaBlock(n), err
}
