package trackmania

import (
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// Chunks of newer maps are columns: they hold a value for each block, baked
// block and item, in this order, and nothing but the place in the column says
// which is whose. A block or item that comes or goes takes its values along.
//
//	05F  places of the free blocks, then of the free baked blocks
//	062  colours, 068 lightmap qualities: blocks, baked blocks, items
//	063  animation phases, 065 foregrounds: items
//	069  macroblocks: blocks, items
//	040  what items are snapped to, by index of the block or item
//	017  where the checkpoints are, in games up to TrackMania Forever

// placed returns the list of blocks where it can be edited.
func (m *Map) placed() (*game.Chunk0304301F, error) {
	c, ok := find[*game.Chunk0304301F](m)
	if !ok {
		return nil, fault.New(fault.Unsupported, "blocks of this old kind of map cannot be edited")
	}
	unlimited := false
	if u, ok := find[*game.Chunk03043055](m); ok && u.Unlimiter.Data != nil {
		unlimited = true // it knows blocks by index
	}
	for i := range m.File.Body.Chunks {
		unlimited = unlimited || m.File.Body.Chunks[i].ID>>12 == 0x3F001
	}
	if unlimited {
		return nil, fault.New(fault.Unsupported, "the blocks of a TMUnlimiter map cannot be edited")
	}
	return c, nil
}

// AddBlock puts a block on the map, behind all others in the list: on the
// grid at Coord, or free at Position. Of the flags it takes those that say
// where it stands: on the ground, or as a ghost. A skin or waypoint is not
// added.
func (m *Map) AddBlock(b Block) error {
	c, err := m.placed()
	if err != nil {
		return err
	}
	stored, err := m.storedForm(c, &b)
	if err != nil {
		return err
	}
	if f, ok := find[*game.Chunk0304305F](m); ok && b.Free {
		_, free := storedBlock(c, c.Blocks.Len())
		f.FreeBlocks = slices.Insert(slices.Clone(f.FreeBlocks), min(free, len(f.FreeBlocks)), game.CGameCtnChallengeFreeBlock{Position: b.Position, YawPitchRoll: b.YawPitchRoll})
	}
	at := c.Blocks.Len()
	c.Blocks.Blocks = game.PackBlocks(append(c.Blocks.Unpack(), stored))
	if f, ok := find[*game.Chunk03043062](m); ok {
		f.Colors = insert(f.Colors, at, byte(max(b.Color, 0)))
	}
	if f, ok := find[*game.Chunk03043068](m); ok {
		f.LightmapQualities = insert(f.LightmapQualities, at, 0)
	}
	if f, ok := find[*game.Chunk03043069](m); ok {
		f.MacroblockIndices = insert(f.MacroblockIndices, at, -1)
	}
	if f, ok := find[*game.Chunk03043017](m); ok && isCheckpoint(b.Name) {
		f.Checkpoints = append(slices.Clip(f.Checkpoints), b.Coord)
	}
	m.dropOctree()
	return nil
}

// storedForm is a block as the map's list stores it.
func (m *Map) storedForm(c *game.Chunk0304301F, b *Block) (game.CGameCtnChallengeBlock, error) {
	stored := game.CGameCtnChallengeBlock{Name: gbx.NewId(b.Name), Direction: uint8(b.Direction)}
	if _, ok := find[*game.Chunk0304305F](m); b.Free && !ok {
		return stored, fault.New(fault.Unsupported, "maps of this game have no free blocks")
	}
	offset := int32(0)
	if c.Version >= gridVersion {
		offset = 1
	}
	x, y, z := b.Coord.X+offset, b.Coord.Y, b.Coord.Z+offset
	if b.Free {
		x, y, z = 0, 0, 0
		stored.Flags |= flagFree
	}
	if x < 0 || x > 255 || y < 0 || y > 255 || z < 0 || z > 255 || b.Direction < 0 || b.Direction > 3 {
		return stored, fault.New(fault.Limit, "a block cannot stand at %d %d %d facing %d", b.Coord.X, b.Coord.Y, b.Coord.Z, b.Direction)
	}
	stored.Coord = gbx.Byte3{X: uint8(x), Y: uint8(y), Z: uint8(z)}
	if b.Ground() {
		stored.Flags |= flagGround
	}
	if b.Ghost() && c.Version >= gridVersion {
		stored.Flags |= flagGhost
	}
	return stored, nil
}

// DeleteBlock removes block i of [Map.Blocks], and what other chunks say
// about it.
func (m *Map) DeleteBlock(i int) error {
	c, err := m.placed()
	if err != nil {
		return err
	}
	at, free := storedBlock(c, i)
	if at < 0 {
		return fault.New(fault.Limit, "there is no block %d", i)
	}
	gone := m.Blocks()[i]
	c.Blocks.Blocks = game.PackBlocks(cut(c.Blocks.Unpack(), at))
	if f, ok := find[*game.Chunk0304305F](m); ok && gone.Free {
		f.FreeBlocks = cut(f.FreeBlocks, free)
	}
	if f, ok := find[*game.Chunk03043062](m); ok {
		f.Colors = cut(f.Colors, at)
	}
	if f, ok := find[*game.Chunk03043068](m); ok {
		f.LightmapQualities = cut(f.LightmapQualities, at)
	}
	if f, ok := find[*game.Chunk03043069](m); ok {
		f.MacroblockIndices = cut(f.MacroblockIndices, at)
	}
	if f, ok := find[*game.Chunk03043040](m); ok {
		loseTarget(f, at, f.SnappedBlocks)
		f.SnappedBlocks = renumbered(f.SnappedBlocks, at)
	}
	if f, ok := find[*game.Chunk03043017](m); ok && isCheckpoint(gone.Name) {
		if k := slices.Index(f.Checkpoints, gone.Coord); k >= 0 {
			f.Checkpoints = cut(f.Checkpoints, k)
		}
	}
	m.dropOctree()
	return nil
}

// isCheckpoint tells a checkpoint of the games before ManiaPlanet, which go by
// the block's name.
func isCheckpoint(name string) bool { return strings.Contains(strings.ToLower(name), "checkpoint") }

// dropOctree takes out the tree that says where blocks are: it would be
// wrong, and maps without one are common.
func (m *Map) dropOctree() {
	if c, ok := find[*game.Chunk0304305D](m); ok {
		c.HasBlockOctree, c.BlockOctree = gbx.False, game.BlockOctree{}
	}
}

// storedBlock finds block i in the stored list, which also holds stand-ins,
// and how many free blocks stand before it. Of a block past the end it counts
// all free ones.
func storedBlock(c *game.Chunk0304301F, i int) (at, free int) {
	for at, b := range c.Blocks.All() {
		if b.Flags == standIn {
			continue
		}
		if i == 0 {
			return at, free
		}
		i--
		if isFree(b.Flags) {
			free++
		}
	}
	return -1, free
}

// cut returns a list without one element; the old one is left alone.
func cut[T any](list []T, i int) []T {
	if i < 0 || i >= len(list) {
		return list
	}
	return append(append(make([]T, 0, len(list)-1), list[:i]...), list[i+1:]...)
}

// insert returns a list with one more element.
func insert[T any](list []T, i int, v T) []T {
	return slices.Insert(slices.Clone(list), min(i, len(list)), v)
}

// renumbered returns a column of indices after element i went.
func renumbered(column []int32, i int) []int32 {
	column = slices.Clone(column)
	for k, v := range column {
		if int(v) > i {
			column[k]--
		}
	}
	return column
}
