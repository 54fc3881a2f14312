package maps

import (
	"slices"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// partFlags are the flags which say that additional data is stored with a block. They
// follow from that data.
const partFlags = game.CGameCtnChallengeBlockFlagsIsCustom | game.CGameCtnChallengeBlockFlagsHasDecal |
	game.CGameCtnChallengeBlockFlagsHasCardEvents | game.CGameCtnChallengeBlockFlagsHasSpecialProperty |
	game.CGameCtnChallengeBlockFlagsIsWaypoint | game.CGameCtnChallengeBlockFlagsIsFree

// blockArrangement is a new list of blocks, and how it comes from the old one.
type blockArrangement struct {
	was    []PlacedBlock
	stored *storedBlocks
	arrangement
	list []game.CGameCtnChallengeBlock
	old  []game.CGameCtnChallengeBlock
	used []bool       // which old blocks are in the new list
	lost map[int]bool // baked blocks that belong to blocks which are gone
}

// arrangeBlocks computes the stored form of the wanted blocks. It returns nil if nothing
// changes.
func (m *Map) arrangeBlocks(want []PlacedBlock) (*blockArrangement, error) {
	was := m.placedBlocks()
	if slices.EqualFunc(was, want, func(x, y PlacedBlock) bool { return x.from == y.from && sameBlock(&x.Block, &y.Block) }) {
		return nil, nil
	}
	c, err := m.placed()
	if err != nil {
		return nil, err
	}
	a := &blockArrangement{was: was, stored: c, old: c.list()}
	a.used = make([]bool, len(a.old))
	a.grow(len(want))
	a.list = make([]game.CGameCtnChallengeBlock, 0, len(want))
	shown := make([]*Block, len(a.old)) // nil for stand-ins
	for i := range was {
		shown[was[i].from-1] = &was[i].Block
	}
	ids, none := idCache{}, &Block{}
	a.standIns(0)
	for i := range want {
		p, old := &want[i], none
		var stored game.CGameCtnChallengeBlock
		from := p.from - 1
		if from >= 0 {
			if from >= len(shown) || shown[from] == nil {
				return nil, fault.New(fault.Limit, "block %d is missing: the map has %d blocks", from, len(shown))
			}
			old, stored = shown[from], a.copyOf(from)
		}
		if from < 0 || !sameBlock(old, &p.Block) {
			if err := m.changeBlock(c, &stored, old, &p.Block, ids); err != nil {
				return nil, err
			}
			a.moved = a.moved || old.Name != p.Name || !samePlace(old, &p.Block)
		}
		again := from >= 0 && a.used[from]
		a.list = append(a.list, stored)
		a.add(from, p.Color, a.used)
		if p.Free {
			a.free = append(a.free, game.CGameCtnChallengeFreeBlock{Position: p.Position, YawPitchRoll: p.YawPitchRoll})
		}
		if from >= 0 && !again {
			a.standIns(from + 1)
		}
	}
	a.moved = a.moved || slices.Contains(a.used, false)
	if a.moved {
		a.lost = m.lostPieces(was, want)
	}
	return a, nil
}

// copyOf copies an old block, for a second use or a change. Each copy gets its own
// waypoint.
func (a *blockArrangement) copyOf(from int) game.CGameCtnChallengeBlock {
	b := a.old[from]
	if b.Custom != nil {
		custom := *b.Custom
		b.Custom = &custom
	}
	if b.Extra != nil {
		extra := *b.Extra
		b.Extra = &extra
		if a.used[from] {
			extra.Waypoint, extra.SpecialProperty = copyRef(extra.Waypoint), copyRef(extra.SpecialProperty)
		}
	}
	return b
}

// standIns adds the stand-ins that follow in the old list: they stay behind the block
// before them.
func (a *blockArrangement) standIns(from int) {
	for ; from < len(a.old) && a.old[from].Flags == game.StandIn; from++ {
		a.list = append(a.list, a.old[from])
		a.add(from, -1, a.used)
	}
}

// idCache makes one ID for each name, so that blocks with the same name share it.
type idCache map[string]gbx.ID

func (c idCache) id(name string) gbx.ID {
	id, ok := c[name]
	if !ok {
		id = gbx.NewID(name)
		c[name] = id
	}
	return id
}

// changeBlock changes a stored block. was has its current fields, want the wanted ones.
func (m *Map) changeBlock(c *storedBlocks, stored *game.CGameCtnChallengeBlock, was, want *Block, ids idCache) error {
	if err := m.checkColor(want.Color); err != nil {
		return err
	}
	if want.Name != was.Name || want.Name == "" {
		stored.Name = ids.id(want.Name)
	}
	if want.Flags != was.Flags {
		stored.Flags = stored.Flags&partFlags | want.flags()&^partFlags
	}
	if c.version == 0 && stored.Flags > 0xFFFF {
		return fault.New(fault.Unsupported, "blocks of maps of this game have no such flags: %08X", uint32(stored.Flags))
	}
	if err := m.moveBlock(c, stored, want); err != nil {
		return err
	}
	if want.Author != was.Author || want.Skin != was.Skin {
		m.dressBlock(stored, was, want, ids)
	}
	if want.Waypoint != was.Waypoint || want.Order != was.Order {
		return setBlockWaypoint(c, stored, want)
	}
	return nil
}

// CheckBlock returns an error if the map cannot hold the block.
func (m *Map) CheckBlock(b *Block) error {
	c, err := m.placed()
	if err != nil {
		return err
	}
	return m.changeBlock(c, &game.CGameCtnChallengeBlock{}, &Block{}, b, idCache{})
}

// moveBlock changes the place of a stored block.
func (m *Map) moveBlock(c *storedBlocks, stored *game.CGameCtnChallengeBlock, want *Block) error {
	if want.Free {
		if _, ok := find[*game.Chunk0304305F](m); !ok {
			return fault.New(fault.Unsupported, "maps of this game have no free blocks")
		}
		if !stored.Flags.Free() { // games leave the cell of free blocks at zero
			stored.Coord, stored.Direction = gbx.Byte3{}, 0
		}
		stored.Flags |= game.CGameCtnChallengeBlockFlagsIsFree
		return nil
	}
	stored.Flags &^= game.CGameCtnChallengeBlockFlagsIsFree
	offset := gridOffset(c.version)
	x, y, z := want.Coord.X+offset, want.Coord.Y, want.Coord.Z+offset
	if x < 0 || x > 255 || y < 0 || y > 255 || z < 0 || z > 255 || want.Direction < 0 || want.Direction > 255 {
		return fault.New(fault.Limit, "a block cannot stand at %d %d %d facing %d", want.Coord.X, want.Coord.Y, want.Coord.Z, want.Direction)
	}
	stored.Coord, stored.Direction = gbx.Byte3{X: uint8(x), Y: uint8(y), Z: uint8(z)}, uint8(want.Direction)
	return nil
}

// dressBlock sets the author and skin of a stored block. In all files a block with a skin
// has an author; for the game's own blocks it is Nadeo.
func (m *Map) dressBlock(stored *game.CGameCtnChallengeBlock, was, want *Block, ids idCache) {
	if want.Author == "" && want.Skin == "" {
		stored.Custom = nil
		stored.Flags &^= game.CGameCtnChallengeBlockFlagsIsCustom
		return
	}
	if stored.Custom == nil {
		stored.Custom = &game.CGameCtnChallengeBlockCustom{Author: ids.id(nadeoAuthor)}
	}
	stored.Flags |= game.CGameCtnChallengeBlockFlagsIsCustom
	if want.Author != was.Author && want.Author != "" {
		stored.Custom.Author = ids.id(want.Author)
	}
	if want.Skin != was.Skin {
		stored.Custom.Skin = m.skinWith(stored.Custom.Skin, want.Skin)
	}
}

// nadeo is the author of the games' own models.
const nadeoAuthor = "Nadeo"

// setBlockWaypoint makes a stored block a waypoint, or none.
func setBlockWaypoint(c *storedBlocks, stored *game.CGameCtnChallengeBlock, want *Block) error {
	if c.version < 2 {
		return fault.New(fault.Unsupported, "the blocks of maps of this game are waypoints by their names")
	}
	if stored.Extra == nil {
		stored.Extra = &game.CGameCtnChallengeBlockExtra{DecalID: gbx.NoID}
	}
	waypoint, err := waypointWith(stored.Extra.Waypoint, want.Waypoint, want.Order)
	if err != nil {
		return err
	}
	stored.Extra.Waypoint = waypoint
	if waypoint.IsNil() {
		stored.Flags &^= game.CGameCtnChallengeBlockFlagsIsWaypoint
	} else {
		stored.Flags |= game.CGameCtnChallengeBlockFlagsIsWaypoint
	}
	if stored.Flags&(partFlags&^(game.CGameCtnChallengeBlockFlagsIsCustom|game.CGameCtnChallengeBlockFlagsIsFree)) == 0 {
		stored.Extra = nil
	}
	return nil
}

// setBlocks stores a new list of blocks, and updates the data about blocks in other
// chunks.
func (m *Map) setBlocks(a *blockArrangement) {
	freeBlocks := 0
	for i := range a.old {
		if b := &a.old[i]; b.Flags != game.StandIn && b.Flags.Free() {
			freeBlocks++
		}
	}
	_, baked := m.storedCounts()
	items := m.ItemCount()
	a.stored.set(a.list, a.from)
	n := len(a.old)
	if f, ok := find[*game.Chunk0304305F](m); ok {
		f.FreeBlocks = append(a.free, f.FreeBlocks[min(freeBlocks, len(f.FreeBlocks)):]...)
	}
	if f, ok := find[*game.Chunk03043062](m); ok {
		f.Colors = arranged(f.Colors, columnPart{0, n, baked + items}, a.from, 0)
		a.paint(f.Colors, 0)
	}
	if f, ok := find[*game.Chunk03043068](m); ok {
		f.LightmapQualities = arranged(f.LightmapQualities, columnPart{0, n, baked + items}, a.from, 0)
	}
	if f, ok := find[*game.Chunk03043069](m); ok {
		f.MacroblockIndices = arranged(f.MacroblockIndices, columnPart{0, n, items}, a.origin, -1)
	}
	if f, ok := find[*game.Chunk03043040](m); ok {
		retarget(f, &f.SnappedBlocks, a.to(n))
	}
	if f, ok := find[*game.Chunk03043017](m); ok {
		offset := gridOffset(a.stored.version)
		f.Checkpoints = checkpointsAfter(f.Checkpoints, checkpointCells(a.old, offset), checkpointCells(a.list, offset))
	}
	m.dropPieces(a.lost, len(a.list), len(a.free))
	if a.moved {
		m.blocksMoved(a.list)
	}
}

// blocksMoved removes the tree with the places of blocks, which would be wrong now; many
// maps have none. It also updates the statement about ghost blocks in the header's XML.
func (m *Map) blocksMoved(list []game.CGameCtnChallengeBlock) {
	if c, ok := find[*game.Chunk0304305D](m); ok {
		c.HasBlockOctree, c.BlockOctree = gbx.False, game.BlockOctree{}
	}
	ghosts := "0"
	for i := range list {
		if b := &list[i]; b.Flags.Ghost() && b.Flags != game.StandIn {
			ghosts = "1"
			break
		}
	}
	m.setXML("desc", "hasghostblocks", ghosts)
}
