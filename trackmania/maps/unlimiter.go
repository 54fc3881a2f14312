package maps

import (
	"iter"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// unlimiter returns what TMUnlimiter 2 added to a map of TrackMania Forever,
// or nil. Such maps hold all their blocks there; the list of the game has one
// stand-in, whose name tells players what they need.
func (m *Map) unlimiter() *game.CGameCtnChallengeUnlimiter {
	if c, ok := find[*game.Chunk3F001003](m); ok {
		return &c.Unlimiter
	}
	if c, ok := find[*game.Chunk3F001002](m); ok {
		return &c.Unlimiter
	}
	return nil
}

// Kinds of TMUnlimiter's blocks.
const (
	unlimiterGame     = 0
	unlimiterExternal = 2
)

// unlimiterBlocks returns the blocks that TMUnlimiter keeps. Its triggers, and
// blocks that are embedded without a name, are not blocks in this sense.
func unlimiterBlocks(u *game.CGameCtnChallengeUnlimiter) iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		for i := range u.OldBlocks {
			c := &u.OldBlocks[i]
			if !yield(&Block{
				Name: c.Name.String(), Direction: int(c.Direction), Flags: c.Flags, Color: -1,
				Coord: gbx.Int3{X: int32(c.Coord.X), Y: int32(c.Coord.Y), Z: int32(c.Coord.Z)},
				Skin:  skinOf(c.Skin),
			}) {
				return
			}
		}
		for i := range u.Blocks {
			c := &u.Blocks[i]
			if c.Kind != unlimiterGame && c.Kind != unlimiterExternal {
				continue
			}
			if !yield(&Block{
				Name: c.Name.String(), Direction: int(c.Direction), Flags: c.Flags, Color: -1,
				Coord: c.Coord, Skin: skinOf(c.Skin),
			}) {
				return
			}
		}
	}
}
