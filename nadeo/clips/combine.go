package clips

import (
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/internal/chunks"
)

// Combine joins clips into one: the first clip, with the unchanged tracks of the others
// added. All clips must have the form of the same game.
func Combine(clips ...*Clip) (*Clip, error) {
	if len(clips) == 0 {
		return nil, fault.New(fault.Unsupported, "combining needs at least one clip, got none")
	}
	node, err := chunks.Copy(clips[0].Node)
	if err != nil {
		return nil, err
	}
	out := &Clip{node}
	tracks := out.trackList()
	if tracks == nil {
		return nil, fault.New(fault.Unsupported, "the clip keeps its tracks as a game does that is older than TrackMania Forever")
	}
	for _, c := range clips[1:] {
		next, err := chunks.Copy(c.Node)
		if err != nil {
			return nil, err
		}
		more := (&Clip{next}).trackList()
		if more == nil || out.isLater() != (&Clip{next}).isLater() {
			return nil, fault.New(fault.Unsupported, "the clips are of different games")
		}
		*tracks = append(*tracks, *more...)
	}
	return out, nil
}

// trackList returns the list of a clip's tracks, nil for the form of older games.
func (c *Clip) trackList() *[]gbx.Ref {
	if k, ok := gbx.Find[*game.Chunk0307900D](c.Node); ok {
		return &k.Tracks
	}
	if k, ok := gbx.Find[*game.Chunk03079005](c.Node); ok {
		return &k.Tracks
	}
	return nil
}

// isLater reports whether the clip has the form of ManiaPlanet 4 or later.
func (c *Clip) isLater() bool {
	_, ok := gbx.Find[*game.Chunk0307900D](c.Node)
	return ok
}

// File returns the clip as a file, in the form that the games save.
func (c *Clip) File() ([]byte, error) {
	node, err := chunks.Copy(c.Node)
	if err != nil {
		return nil, err
	}
	return gbx.New(node, engine.Registry()).Encode()
}
