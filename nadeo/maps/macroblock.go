package maps

import (
	"iter"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo/items"
)

const classMacroblock classid.ID = 0x0310D000

// Macroblock is a group of blocks and items that are placed together.
type Macroblock struct{ items.Collector }

// MacroblockOf returns the macroblock in a file.
func MacroblockOf(f *gbx.File) (*Macroblock, error) {
	if f.Class.Latest() != classMacroblock {
		return nil, fault.New(fault.NotFormat, "the file is not a macroblock")
	}
	return &Macroblock{items.Collector{File: f}}, nil
}

// Blocks returns the blocks, at places relative to the macroblock's corner. Their Flags
// are in the form of maps.
func (m *Macroblock) Blocks() []Block {
	c, ok := gbx.Find[*game.Chunk0310D000](m.File.Body)
	if !ok {
		return nil
	}
	out := make([]Block, len(c.BlockSpawns))
	for i := range c.BlockSpawns {
		s := &c.BlockSpawns[i]
		b := Block{
			Name: s.BlockModel.ID.String(), Author: s.BlockModel.Author.String(),
			Color: -1,
		}
		b.Waypoint, b.Order = waypointOf(s.Waypoint)
		switch {
		case s.Version < 2:
			b.Coord, b.Direction = s.OldCoord, int(s.OldDirection)
		case s.Version >= 5 && s.Flags&game.CGameCtnMacroBlockInfoBlockSpawnFlagsIsFree != 0:
			b.Free, b.Position, b.YawPitchRoll = true, s.AbsolutePositionInMap, s.PitchYawRoll
		default:
			b.Coord, b.Direction = gbx.Int3{X: int32(s.Coord.X), Y: int32(s.Coord.Y), Z: int32(s.Coord.Z)}, int(s.Direction)
		}
		if s.Version >= 2 {
			b.Flags = mapFlags(s.Flags)
		} else {
			b.SetGround(s.IsGround.True())
		}
		if s.Version >= 7 {
			b.Color = int(s.Color)
		}
		out[i] = b
	}
	m.addSkins(out)
	return out
}

// EachBlock iterates over Blocks.
func (m *Macroblock) EachBlock() iter.Seq[*Block] { return pointers(m.Blocks()) }

// EachBakedBlock yields nothing: a macroblock has no blocks added by the game.
func (m *Macroblock) EachBakedBlock() iter.Seq[*Block] { return pointers([]Block(nil)) }

// BlockCount returns the number of Blocks.
func (m *Macroblock) BlockCount() int {
	if c, ok := gbx.Find[*game.Chunk0310D000](m.File.Body); ok {
		return len(c.BlockSpawns)
	}
	return 0
}

// addSkins adds the skins of blocks, which are stored in a separate list.
func (m *Macroblock) addSkins(blocks []Block) {
	c, ok := gbx.Find[*game.Chunk0310D001](m.File.Body)
	if !ok {
		return
	}
	for i := range c.BlockSkinSpawns {
		if s := &c.BlockSkinSpawns[i]; s.Version > 0 && int64(s.BlockSpawnIndex) < int64(len(blocks)) {
			blocks[s.BlockSpawnIndex].Skin = skinOf(s.Skin)
		}
	}
}

// Items returns the items, at places in metres from the macroblock's corner. The first
// angle is yaw, as in maps, although the field's name begins with pitch: in all files the
// first angle covers the full circle, and the second stays in the range of slopes.
func (m *Macroblock) Items() []Item {
	c, ok := gbx.Find[*game.Chunk0310D00E](m.File.Body)
	if !ok {
		return nil
	}
	out := make([]Item, len(c.ObjectSpawns))
	for i := range c.ObjectSpawns {
		s := &c.ObjectSpawns[i]
		it := Item{
			Model: s.ItemModel, Position: s.AbsolutePositionInMap, YawPitchRoll: s.PitchYawRoll, Pivot: s.PivotPosition, Scale: 1,
			Flags: s.Flags, Skin: styled.Unmarked(s.PackDesc.Path), Color: -1,
		}
		it.Waypoint, it.Order = waypointOf(s.Waypoint)
		if s.Version >= 9 {
			it.Scale = s.Scale
		}
		if s.Version >= 11 {
			it.Color = int(s.Color)
		}
		out[i] = it
	}
	return out
}
