package media

import (
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/trackmania/internal/build"
)

// Combine makes one clip of several: the first, and behind its tracks those of the
// others, all as they are. All must keep their tracks as the same game does.
func Combine(clips ...*Clip) (*Clip, error) {
	if len(clips) == 0 {
		return nil, fault.New(fault.Unsupported, "there is no clip")
	}
	node, err := build.Copy(clips[0].Node)
	if err != nil {
		return nil, err
	}
	out := &Clip{node}
	tracks := out.trackList()
	if tracks == nil {
		return nil, fault.New(fault.Unsupported, "the clip keeps its tracks as a game does that is older than TrackMania Forever")
	}
	for _, c := range clips[1:] {
		next, err := build.Copy(c.Node)
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

// trackList is the list of a clip's tracks; nil if an older game keeps it.
func (c *Clip) trackList() *[]gbx.Ref {
	if k, ok := gbx.Find[*game.Chunk0307900D](c.Node); ok {
		return &k.Tracks
	}
	if k, ok := gbx.Find[*game.Chunk03079005](c.Node); ok {
		return &k.Tracks
	}
	return nil
}

// isLater reports whether the clip has the form of ManiaPlanet 4 and later.
func (c *Clip) isLater() bool {
	_, ok := gbx.Find[*game.Chunk0307900D](c.Node)
	return ok
}

// File returns the clip as a file, as the games save one.
func (c *Clip) File() ([]byte, error) {
	node, err := build.Copy(c.Node)
	if err != nil {
		return nil, err
	}
	return gbx.New(node, engine.Registry()).Encode()
}
