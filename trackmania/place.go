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

// AddBlock puts blocks on the map, behind all others in the list: on the grid
// at Coord, or free at Position. Of the flags it takes those that say where a
// block stands: on the ground, or as a ghost. A skin or waypoint is not added.
// Many blocks are added faster together than one by one.
func (m *Map) AddBlock(blocks ...Block) error {
	c, err := m.placed()
	if err != nil {
		return err
	}
	list := c.Blocks.Unpack()
	at, freeAt := len(list), 0
	for i := range list {
		if list[i].Flags.Free() {
			freeAt++
		}
	}
	var free []game.CGameCtnChallengeFreeBlock
	var colors []byte
	var checkpoints []gbx.Int3
	for i := range blocks {
		b := &blocks[i]
		stored, err := m.storedForm(c, b)
		if err != nil {
			return err
		}
		list = append(list, stored)
		colors = append(colors, byte(max(b.Color, 0)))
		if b.Free {
			free = append(free, game.CGameCtnChallengeFreeBlock{Position: b.Position, YawPitchRoll: b.YawPitchRoll})
		}
		if isCheckpoint(b.Name) {
			checkpoints = append(checkpoints, b.Coord)
		}
	}
	c.Blocks.Blocks = game.PackBlocks(list)
	if f, ok := find[*game.Chunk0304305F](m); ok {
		f.FreeBlocks = insert(f.FreeBlocks, freeAt, free...)
	}
	if f, ok := find[*game.Chunk03043062](m); ok {
		f.Colors = insert(f.Colors, at, colors...)
	}
	if f, ok := find[*game.Chunk03043068](m); ok {
		f.LightmapQualities = insert(f.LightmapQualities, at, make([]byte, len(blocks))...)
	}
	if f, ok := find[*game.Chunk03043069](m); ok {
		f.MacroblockIndices = insert(f.MacroblockIndices, at, slices.Repeat([]int32{-1}, len(blocks))...)
	}
	if f, ok := find[*game.Chunk03043017](m); ok {
		f.Checkpoints = append(slices.Clip(f.Checkpoints), checkpoints...)
	}
	m.blocksChanged(c)
	return nil
}

// storedForm is a block as the map's list stores it.
func (m *Map) storedForm(c *game.Chunk0304301F, b *Block) (game.CGameCtnChallengeBlock, error) {
	stored := game.CGameCtnChallengeBlock{Name: gbx.NewId(b.Name), Direction: uint8(b.Direction)}
	if _, ok := find[*game.Chunk0304305F](m); b.Free && !ok {
		return stored, fault.New(fault.Unsupported, "maps of this game have no free blocks")
	}
	offset := gridOffset(c)
	x, y, z := b.Coord.X+offset, b.Coord.Y, b.Coord.Z+offset
	if b.Free {
		x, y, z = 0, 0, 0
		stored.Flags |= game.CGameCtnChallengeBlockFlagsIsFree
	}
	if x < 0 || x > 255 || y < 0 || y > 255 || z < 0 || z > 255 || b.Direction < 0 || b.Direction > 3 {
		return stored, fault.New(fault.Limit, "a block cannot stand at %d %d %d facing %d", b.Coord.X, b.Coord.Y, b.Coord.Z, b.Direction)
	}
	stored.Coord = gbx.Byte3{X: uint8(x), Y: uint8(y), Z: uint8(z)}
	if b.Ground() {
		stored.Flags |= game.CGameCtnChallengeBlockFlagsIsGround
	}
	if b.Ghost() && c.Version >= gridVersion {
		stored.Flags |= game.CGameCtnChallengeBlockFlagsIsGhost
	}
	return stored, nil
}

// DeleteBlock removes blocks of [Map.Blocks] by their indices, and what other
// chunks say about them.
func (m *Map) DeleteBlock(indices ...int) error {
	c, err := m.placed()
	if err != nil {
		return err
	}
	gone, free, err := storedBlocks(c, indices)
	if err != nil {
		return err
	}
	list := c.Blocks.Unpack()
	checkpoints := map[gbx.Int3]int{}
	for _, i := range gone {
		if b := &list[i]; isCheckpoint(b.Name.String()) {
			checkpoints[coordOf(b, gridOffset(c))]++
		}
	}
	c.Blocks.Blocks = game.PackBlocks(without(list, gone...))
	if f, ok := find[*game.Chunk0304305F](m); ok {
		f.FreeBlocks = without(f.FreeBlocks, free...)
	}
	if f, ok := find[*game.Chunk03043062](m); ok {
		f.Colors = without(f.Colors, gone...)
	}
	if f, ok := find[*game.Chunk03043068](m); ok {
		f.LightmapQualities = without(f.LightmapQualities, gone...)
	}
	if f, ok := find[*game.Chunk03043069](m); ok {
		f.MacroblockIndices = without(f.MacroblockIndices, gone...)
	}
	if f, ok := find[*game.Chunk03043040](m); ok {
		loseTargets(f, f.SnappedBlocks, gone)
		f.SnappedBlocks = renumbered(f.SnappedBlocks, gone)
	}
	if f, ok := find[*game.Chunk03043017](m); ok {
		f.Checkpoints = slices.DeleteFunc(slices.Clone(f.Checkpoints), func(at gbx.Int3) bool {
			checkpoints[at]--
			return checkpoints[at] >= 0
		})
	}
	m.blocksChanged(c)
	return nil
}

// isCheckpoint tells a checkpoint of the games before ManiaPlanet, which go by
// the block's name.
func isCheckpoint(name string) bool { return strings.Contains(strings.ToLower(name), "checkpoint") }

// blocksChanged takes out the tree that says where blocks are: it would be
// wrong, and maps without one are common. And it keeps true what the header's
// XML says about ghosts.
func (m *Map) blocksChanged(c *game.Chunk0304301F) {
	if c, ok := find[*game.Chunk0304305D](m); ok {
		c.HasBlockOctree, c.BlockOctree = gbx.False, game.BlockOctree{}
	}
	ghosts := "0"
	for _, b := range c.Blocks.All() {
		if b.Flags.Ghost() {
			ghosts = "1"
			break
		}
	}
	m.setXML("desc", "hasghostblocks", ghosts)
}

// storedBlocks finds blocks in the stored list, which also holds stand-ins, and
// the free ones of them among the free blocks. Both are in order.
func storedBlocks(c *game.Chunk0304301F, indices []int) (at, free []int, err error) {
	wanted := slices.Compact(slices.Sorted(slices.Values(indices)))
	block, freeBlock := 0, 0
	for i, b := range c.Blocks.All() {
		if b.Flags == game.StandIn {
			continue
		}
		if len(wanted) > 0 && wanted[0] == block {
			wanted = wanted[1:]
			at = append(at, i)
			if b.Flags.Free() {
				free = append(free, freeBlock)
			}
		}
		block++
		if b.Flags.Free() {
			freeBlock++
		}
	}
	if len(wanted) > 0 {
		return nil, nil, fault.New(fault.Limit, "there is no block %d", wanted[0])
	}
	return at, free, nil
}

// without returns a list without the elements at some indices, which are in
// order; the old one is left alone.
func without[T any](list []T, gone ...int) []T {
	out := make([]T, 0, len(list))
	from := 0
	for _, i := range gone {
		if i >= len(list) {
			break
		}
		out = append(out, list[from:i]...)
		from = i + 1
	}
	return append(out, list[from:]...)
}

// insert returns a list with more elements.
func insert[T any](list []T, i int, more ...T) []T {
	return slices.Insert(slices.Clone(list), min(i, len(list)), more...)
}

// moved returns the index of an element after others went, or false if it is
// one of them.
func moved(i int32, gone []int) (int32, bool) {
	before, went := slices.BinarySearch(gone, int(i))
	return i - int32(before), !went
}

// renumbered returns a column of indices after some elements went.
func renumbered(column []int32, gone []int) []int32 {
	column = slices.Clone(column)
	for k, v := range column {
		if i, ok := moved(v, gone); ok {
			column[k] = i
		} else {
			column[k] = -1
		}
	}
	return column
}
