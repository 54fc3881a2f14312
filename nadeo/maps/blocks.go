package maps

import (
	"iter"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/mesh"
)

// gridVersion is the first version of the list of blocks that stores x and z plus one.
const gridVersion = 6

// Block is a block on a map.
type Block struct {
	Name      string
	Coord     gbx.Int3 // in blocks; meaningless for a free block
	Direction int      // 0 north, 1 east, 2 south, 3 west
	Flags     uint32   // as stored; the flags of the first maps are converted to the form of later games
	// Free blocks stand off the grid: Position is in metres, YawPitchRoll in radians.
	Free                   bool
	Position, YawPitchRoll gbx.Vec3
	Author                 string // of a custom block or of its skin
	Skin                   string // path of a picture or sign
	Waypoint               string // Spawn, Checkpoint, Goal, …; "" for none
	Order                  int    // of the waypoint; linked waypoints have the same order
	Color                  int    // -1 if the game has no such colours
}

// Ground reports whether the block stands on the ground of its environment.
func (b *Block) Ground() bool { return b.flags()&game.CGameCtnChallengeBlockFlagsIsGround != 0 }

// Ghost reports whether the block may overlap other blocks (ghost mode of the editor).
func (b *Block) Ghost() bool { return b.flags().Ghost() }

// SetGround sets whether the block stands on the ground.
func (b *Block) SetGround(yes bool) { b.setFlag(game.CGameCtnChallengeBlockFlagsIsGround, yes) }

// SetGhost sets whether the block may overlap other blocks.
func (b *Block) SetGhost(yes bool) { b.setFlag(game.CGameCtnChallengeBlockFlagsIsGhost, yes) }

func (b *Block) setFlag(flag game.CGameCtnChallengeBlockFlags, yes bool) {
	b.Flags &^= uint32(flag)
	if yes {
		b.Flags |= uint32(flag)
	}
}

// Pillar reports whether the game added the block to support another one.
func (b *Block) Pillar() bool { return b.flags()&game.CGameCtnChallengeBlockFlagsIsPillar != 0 }

// Variant returns the number of the block's variant, as the files of blocks count
// variants.
func (b *Block) Variant() int {
	form, chance, ground := b.variantParts()
	return mesh.BlockVariant(int(form), !b.Ground(), int(ground), int(chance))
}

// variantParts returns the three numbers in the flags that choose the variant: for the
// form, for the random choice, and for special ground.
func (b *Block) variantParts() (form, chance, ground uint32) {
	const six, seven = 0x3F, 0x7F // masks of 6 and 7 bits
	return b.Flags & six, b.Flags >> 6 & six, b.Flags >> 21 & seven
}

func (b *Block) flags() game.CGameCtnChallengeBlockFlags {
	return game.CGameCtnChallengeBlockFlags(b.Flags)
}

// Blocks returns the blocks on the map, as stored. It omits stand-ins, which some editors
// leave behind.
func (m *Map) Blocks() []Block { return listed(m.EachBlock(), m.BlockCount()) }

// BakedBlocks returns the blocks that the game added by itself: the ground, and clips
// that join blocks.
func (m *Map) BakedBlocks() []Block { return listed(m.EachBakedBlock(), m.BakedBlockCount()) }

// listed collects an iterator into a list of n blocks.
func listed(blocks iter.Seq[*Block], n int) []Block {
	if n == 0 {
		return nil
	}
	list := make([]Block, 0, n)
	for b := range blocks {
		list = append(list, *b)
	}
	return list
}

// EachBlock iterates over Blocks without making a list. A block is valid until the next
// one.
func (m *Map) EachBlock() iter.Seq[*Block] {
	if u := m.unlimiter(); u != nil {
		return unlimiterBlocks(u)
	}
	if c, ok := find[*game.Chunk0304301F](m); ok {
		return blocksOf(c.Blocks.Each(), gridOffset(c.Version), m.freeBlocks(), m.colors())
	}
	if c, ok := find[*game.Chunk03043013](m); ok {
		return blocksOf(pointers(c.Blocks), 0, nil, nil)
	}
	if c, ok := find[*game.Chunk0304300F](m); ok {
		return blocksOf(firstBlocks(c), 0, nil, nil)
	}
	return func(func(*Block) bool) {}
}

// EachBareBlock is EachBlock in half the time. It may omit author, skin, waypoint and
// colour.
func (m *Map) EachBareBlock() iter.Seq[*Block] {
	c, ok := find[*game.Chunk0304301F](m)
	if !ok || m.unlimiter() != nil {
		return m.EachBlock()
	}
	offset, free := gridOffset(c.Version), m.freeBlocks()
	return func(yield func(*Block) bool) {
		free := free // a copy for this iteration
		b := Block{Color: -1}
		for c := range c.Blocks.Bare() {
			if c.Flags == game.StandIn {
				continue
			}
			b.Name, b.Direction, b.Flags, b.Coord = c.Name.String(), int(c.Direction), uint32(c.Flags), coordOf(c, offset)
			var p game.CGameCtnChallengeFreeBlock
			if b.Free = c.Flags.Free(); b.Free {
				p, _ = take(&free)
			}
			b.Position, b.YawPitchRoll = p.Position, p.YawPitchRoll
			if !yield(&b) {
				return
			}
		}
	}
}

// BlockCount returns the number of Blocks.
func (m *Map) BlockCount() int {
	if c, ok := find[*game.Chunk0304301F](m); ok && m.unlimiter() == nil {
		placed, _ := c.Blocks.Count()
		return placed
	}
	n := 0
	for range m.EachBlock() {
		n++
	}
	return n
}

// pointers iterates over pointers to the elements of a list.
func pointers[T any](list []T) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

// gridOffset returns the number that this version adds to stored x and z.
func gridOffset(version uint32) int32 {
	if version >= gridVersion {
		return 1
	}
	return 0
}

// EachBakedBlock iterates over BakedBlocks, as EachBlock does over Blocks.
func (m *Map) EachBakedBlock() iter.Seq[*Block] {
	c, ok := find[*game.Chunk03043048](m)
	if !ok {
		return func(func(*Block) bool) {}
	}
	free, colors := m.freeBlocks(), m.colors()
	if placed, ok := find[*game.Chunk0304301F](m); ok {
		_, n := placed.Blocks.Count()
		free = free[min(n, len(free)):]
		colors = colors[min(placed.Blocks.Len(), len(colors)):]
	}
	return blocksOf(c.BakedBlocks.Each(), 1, free, colors)
}

// BlockModel identifies a kind of block: the name and author of its model.
type BlockModel struct{ Name, Author string }

// BakedModels counts BakedBlocks by model, in no order.
func (m *Map) BakedModels() iter.Seq2[BlockModel, int] {
	return func(yield func(BlockModel, int) bool) {
		c, ok := find[*game.Chunk03043048](m)
		if !ok {
			return
		}
		for b, n := range c.BakedBlocks.Models() {
			if !yield(BlockModel{b.Name.String(), b.Author.String()}, n) {
				return
			}
		}
	}
}

// BakedBlockCount returns the number of BakedBlocks.
func (m *Map) BakedBlockCount() int {
	return value(m, func(c *game.Chunk03043048) int { placed, _ := c.BakedBlocks.Count(); return placed })
}

func (m *Map) freeBlocks() []game.CGameCtnChallengeFreeBlock {
	return value(m, func(c *game.Chunk0304305F) []game.CGameCtnChallengeFreeBlock { return c.FreeBlocks })
}

// colors returns the column with the colours of all blocks, baked blocks and items, in
// this order.
func (m *Map) colors() []byte {
	return value(m, func(c *game.Chunk03043062) []byte { return c.Colors })
}

// take removes and returns the first value of a column.
func take[T any](column *[]T) (v T, ok bool) {
	if len(*column) == 0 {
		return v, false
	}
	v, *column = (*column)[0], (*column)[1:]
	return v, true
}

// blocksOf converts stored blocks. Each free block takes the next place from free, each
// block the next colour from colors.
func blocksOf(blocks iter.Seq[*game.CGameCtnChallengeBlock], offset int32, free []game.CGameCtnChallengeFreeBlock, colors []byte) iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		free, colors := free, colors // copies for this iteration
		var b Block
		for c := range blocks {
			color, hasColor := take(&colors)
			if c.Flags == game.StandIn {
				continue
			}
			b = Block{
				Name: c.Name.String(), Direction: int(c.Direction), Flags: uint32(c.Flags), Color: -1,
				Coord: coordOf(c, offset),
			}
			if hasColor {
				b.Color = int(color)
			}
			if c.Flags.Free() {
				b.Free = true
				if p, ok := take(&free); ok {
					b.Position, b.YawPitchRoll = p.Position, p.YawPitchRoll
				}
			}
			if c.Custom != nil {
				b.Author, b.Skin = c.Custom.Author.String(), skinOf(c.Custom.Skin)
			}
			if c.Extra != nil {
				b.Waypoint, b.Order = waypointOf(c.Extra.Waypoint)
			}
			if !yield(&b) {
				return
			}
		}
	}
}

// coordOf returns the coordinate of a stored block.
func coordOf(b *game.CGameCtnChallengeBlock, offset int32) gbx.Int3 {
	return gbx.Int3{X: int32(b.Coord.X) - offset, Y: int32(b.Coord.Y), Z: int32(b.Coord.Z) - offset}
}

// unlimiter returns the data that TMUnlimiter 2 added to a map of TrackMania Forever, or
// nil. Such maps have all their blocks there. The game's own list has one stand-in; its
// name asks players to install TMUnlimiter.
func (m *Map) unlimiter() *game.CGameCtnChallengeUnlimiter {
	if c, ok := find[*game.Chunk3F001003](m); ok {
		return &c.Unlimiter
	}
	return value(m, func(c *game.Chunk3F001002) *game.CGameCtnChallengeUnlimiter { return &c.Unlimiter })
}

// The kinds of TMUnlimiter's blocks.
const (
	unlimiterGame     = 0
	unlimiterExternal = 2
)

// unlimiterBlocks returns the blocks in TMUnlimiter's data. It omits its triggers, and
// embedded blocks without a name.
func unlimiterBlocks(u *game.CGameCtnChallengeUnlimiter) iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		b := Block{Color: -1}
		for i := range u.OldBlocks {
			c := &u.OldBlocks[i]
			b.Name, b.Direction, b.Flags, b.Skin = c.Name.String(), int(c.Direction), c.Flags, skinOf(c.Skin)
			b.Coord = gbx.Int3{X: int32(c.Coord.X), Y: int32(c.Coord.Y), Z: int32(c.Coord.Z)}
			if !yield(&b) {
				return
			}
		}
		for i := range u.Blocks {
			c := &u.Blocks[i]
			b.Name, b.Direction, b.Flags, b.Skin, b.Coord = c.Name.String(), int(c.Direction), c.Flags, skinOf(c.Skin), c.Coord
			if (c.Kind == unlimiterGame || c.Kind == unlimiterExternal) && !yield(&b) {
				return
			}
		}
	}
}
