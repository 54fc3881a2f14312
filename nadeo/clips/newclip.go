package clips

import (
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/chunks"
)

const classTrack classid.ID = 0x03078000

// NewClip makes a clip for the maps of a game. A block of a track is made from its
// Content, or its Node is used unchanged, for example a block of another clip.
func NewClip(g nadeo.Generation, name string, tracks ...Track) (*Clip, error) {
	if err := nadeo.CheckName(name); err != nil {
		return nil, err
	}
	refs := make([]gbx.Ref, 0, len(tracks))
	for i := range tracks {
		n, err := newTrack(g, &tracks[i])
		if err != nil {
			return nil, err
		}
		refs = append(refs, gbx.NewRef(n))
	}
	var list chunks.Chunks
	const usualStereo = 0.2
	switch g {
	case nadeo.Forever:
		list.Add(
			&game.Chunk03079004{},
			&game.Chunk03079005{TracksListVersion: chunks.ListVersion, Tracks: refs, Name: styled.Marked(name)},
			&game.Chunk03079007{LocalPlayerClipEntIndex: -1})
	case nadeo.ManiaPlanet4, nadeo.Trackmania2020:
		c := &game.Chunk0307900D{
			TracksListVersion: chunks.ListVersion, Tracks: refs, Name: styled.Marked(name), StereoSepMax: usualStereo, LocalPlayerClipEntIndex: -1,
		}
		list.Add(c)
		if g == nadeo.Trackmania2020 {
			c.Version = 1
			list.Skippable(&game.Chunk0307900E{Version: 1})
		}
	default:
		return nil, fault.New(fault.Unsupported, "new clips of %s cannot be made", g)
	}
	return &Clip{&gbx.Node{Class: ClassClip, Chunks: list}}, nil
}

func newTrack(g nadeo.Generation, t *Track) (*gbx.Node, error) {
	if err := nadeo.CheckName(t.Name); err != nil {
		return nil, err
	}
	c := &game.Chunk03078001{Name: styled.Marked(t.Name), BlocksListVersion: chunks.ListVersion, U01: -1}
	for i := range t.Blocks {
		b := t.Blocks[i]
		if b.Node == nil {
			if b.Content == nil {
				return nil, fault.New(fault.Unsupported, "a block of the track %q shows nothing", t.Name)
			}
			made, err := NewBlock(g, b.Content)
			if err != nil {
				return nil, err
			}
			b = made
		}
		c.Blocks = append(c.Blocks, gbx.NewRef(b.Node))
	}
	var list chunks.Chunks
	list.Add(c)
	keep := storedBool(t.KeepPlaying)
	if g != nadeo.Forever {
		list.Add(&game.Chunk03078005{
			Version: 1, IsKeepPlaying: keep, IsCycling: storedBool(t.Cycling), RepeatingSegmentStart: -1, RepeatingSegmentEnd: -1,
		})
	} else {
		if t.Cycling {
			return nil, notIn(g, "tracks that begin again")
		}
		list.Add(&game.Chunk03078004{IsKeepPlaying: keep})
	}
	return &gbx.Node{Class: classTrack, Chunks: list}, nil
}
