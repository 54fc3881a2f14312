package media

import (
	"slices"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/control"
	"pakbox/gbx/engine/game"
	"pakbox/trackmania"
)

// Content is what a block of the media tracker shows, of a kind that can be made:
// one of the types of this file whose names begin with Content. Times are in
// seconds from the start of the clip, angles in radians, lengths in metres.
//
// The chunks and the values that nobody understands are those that real maps
// of each game have; a test makes the blocks of the real maps again.
type Content interface {
	node(g trackmania.Generation) (*gbx.Node, error)
}

// Entity is somebody whom a camera follows or looks at.
type Entity int32

const (
	NoEntity    Entity = 0
	LocalPlayer Entity = 1 // and then those of the clip's ghosts
)

// EffectKey is where a text or a picture is at one time: Position is from -1 to 1
// with 0 in the middle of the screen, Depth from 0, in front, to 1.
type EffectKey = control.CControlEffectSimiKey

// Still returns the keys of a text or picture that stands still in the middle of the
// screen.
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
	Image gbx.FileRef // its version is filled in
	Keys  []EffectKey
}

// Fade covers the screen with a colour.
type Fade struct {
	Color gbx.Color
	Keys  []FadeKey
}

// FadeKey is how much a colour covers at one time.
type FadeKey = game.CGameCtnMediaBlockTransitionFadeKey

// Camera is a camera with a way of its own.
type Camera struct{ Keys []CameraKey }

// CameraKey is where a camera is at one time.
type CameraKey struct {
	Time           float32
	Interpolation  game.CGameCtnMediaBlockCameraCustomInterpolation // to the next key
	Position       gbx.Vec3                                         // on the map, or from the anchor
	PitchYawRoll   gbx.Vec3
	FOV            float32  // in degrees
	Anchor         Entity   // whom the camera moves with
	AnchorTurns    bool     // and turns with
	AnchorHidden   bool     // and does not see
	Target         Entity   // whom the camera looks at
	TargetPosition gbx.Vec3 // beside the target
	NearZ          float32  // where the picture begins; 0 for the usual
	Tangent        gbx.Vec3 // of the way at this key, for the interpolation Hermite
}

// GameCamera is one of the cameras that players have.
type GameCamera struct {
	Start, End float32
	Camera     game.CGameCtnMediaBlockCameraGameGameCam
	Follows    Entity // LocalPlayer if it is none
}

// Time makes the time of the run go faster or slower, or jump.
type Time struct{ Keys []TimeKey }

// TimeKey says which time of the run, TimeValue, is shown at a time of the clip.
type TimeKey = game.CGameCtnMediaBlockTimeKey

// Shake shakes the camera.
type Shake struct{ Keys []ShakeKey }

// ShakeKey is how much a camera shakes at one time.
type ShakeKey = game.CGameCtnMediaBlockCameraEffectShakeKey

// Sound plays a sound.
type Sound struct {
	Sound        gbx.FileRef // its version is filled in
	PlayCount    uint32
	Looping      bool
	Music        bool
	EndsWithClip bool
	Keys         []SoundKey
}

// SoundKey is how loud a sound is at one time, and where.
type SoundKey = game.CGameCtnMediaBlockSoundKey

// Focus blurs what is nearer or farther than something.
type Focus struct{ Keys []FocusKey }

// FocusKey is what is sharp at one time.
type FocusKey struct {
	Time, Distance, LensSize float32
	Target                   Entity
	TargetPosition           gbx.Vec3
}

// Fog is fog.
type Fog struct {
	Keys []game.CGameCtnMediaBlockFogKey
}

// NewBlock makes a block for the clips of a game.
func NewBlock(g trackmania.Generation, m Content) (Block, error) {
	n, err := m.node(g)
	if err != nil {
		return Block{}, err
	}
	times := timesOf(n)
	switch {
	case len(times) == 0:
		err = fault.New(fault.Unsupported, "a block of the media tracker has no key")
	case slices.ContainsFunc(times, isNaN):
		err = fault.New(fault.Unsupported, "a time of a block of the media tracker is no number")
	case !slices.IsSorted(times):
		err = fault.New(fault.Unsupported, "the times of a block of the media tracker go back: %v", times)
	}
	return mediaBlock(n), err
}
