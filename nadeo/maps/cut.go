package maps

import (
	"cmp"
	"strconv"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/script"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/chunks"
)

// ParseCell reads the coordinate of a cell, x,y,z.
func ParseCell(text string) (c gbx.Int3, err error) {
	parts := strings.Split(text, ",")
	if len(parts) != 3 {
		return c, fault.New(fault.BadEntry, "%q is not of the form x,y,z", text)
	}
	for i, to := range []*int32{&c.X, &c.Y, &c.Z} {
		v, err := strconv.ParseInt(parts[i], 10, 16) // 16 bits are enough: maps have at most 256 cells per side
		if err != nil {
			return c, fault.New(fault.BadEntry, "%q is not a whole number of cells", parts[i])
		}
		*to = int32(v)
	}
	return c, nil
}

// ParseBox reads a box of cells, x,y,z:x,y,z. The corners may be any two opposite ones.
func ParseBox(text string) (box Box, err error) {
	from, to, ok := strings.Cut(text, ":")
	a, err := ParseCell(from)
	b, err2 := ParseCell(to)
	if !ok || err != nil || err2 != nil {
		return box, fault.New(fault.BadEntry, "%q is not of the form x,y,z:x,y,z", text)
	}
	return Box{
		Min: gbx.Int3{X: min(a.X, b.X), Y: min(a.Y, b.Y), Z: min(a.Z, b.Z)},
		Max: gbx.Int3{X: max(a.X, b.X), Y: max(a.Y, b.Y), Z: max(a.Z, b.Z)},
	}, nil
}

// CutOptions are the names in a new macroblock.
type CutOptions struct {
	Name   string // default: New Macroblock
	Author string // a login; default: the map's author
}

// Cut makes a macroblock from the blocks and items whose cells lie in a box. The map does
// not change. corner is the cell at which the macroblock was cut: pasted there,
// everything stands at its old place.
//
// Chunks, order and versions are those of real macroblocks: one of ManiaPlanet 4, 30 of
// Trackmania for maps without colours, and one for maps with colours. None of them shows
// skins of blocks. A macroblock contains neither the ground below the blocks nor embedded
// files.
func (m *Map) Cut(box Box, o CutOptions) (macro *Macroblock, corner gbx.Int3, err error) {
	g := m.Generation()
	if g != nadeo.ManiaPlanet4 && g != nadeo.Trackmania2020 {
		return nil, corner, fault.New(fault.Unsupported, "only ManiaPlanet 4 and Trackmania of 2020 have macroblocks that pakbox can make")
	}
	o.Name = cmp.Or(o.Name, "New Macroblock")
	author := gbx.NewID(o.Author)
	if o.Author == "" {
		author = gbx.NewID(m.Author().Login)
	}
	for _, text := range []string{o.Name, author.String()} {
		if err := nadeo.CheckName(text); err != nil {
			return nil, corner, err
		}
	}
	c := &cutting{m: m, f: m.Frame(), ident: gbx.Ident{ID: gbx.NoID, Collection: freshID(m.Decoration().Collection), Author: author}}
	_, colours := find[*game.Chunk03043062](m)
	switch {
	case g == nadeo.ManiaPlanet4:
		c.spawnForm = spawnForm{block: 4, item: 9, skin: 2, script: 5}
	case colours:
		c.spawnForm = spawnForm{block: 8, item: 14, skin: 4, script: 6}
	default:
		c.spawnForm = spawnForm{block: 5, item: 10, skin: 3, script: 6}
	}
	c.collect(box)
	if len(c.blocks)+len(c.items) == 0 {
		return nil, corner, fault.New(fault.NotFound, "no block or item of the map has its cell in the box")
	}
	body, err := c.body(o.Name)
	if err != nil {
		return nil, corner, err
	}
	f := gbx.New(&gbx.Node{Class: classMacroblock, Chunks: body}, engine.Registry())
	f.RawUserData = nil
	f.Chunks = c.header(o.Name)
	macro, err = MacroblockOf(f)
	return macro, c.corner, err
}

// spawnForm has the versions of the parts of a macroblock in one build of a game.
type spawnForm struct{ block, item, skin, script uint32 }

// colours reports whether blocks and items have colours in this form.
func (f *spawnForm) colours() bool { return f.block >= 7 }

// cutting holds the content of a macroblock while it is made.
type cutting struct {
	m     *Map
	f     *Frame
	ident gbx.Ident
	spawnForm
	blocks []Block
	items  []Item
	corner gbx.Int3
}

// collect takes the blocks and items whose cell is in the box, and finds their lowest
// corner.
func (c *cutting) collect(box Box) {
	take := func(cell gbx.Int3) bool {
		if !box.Has(cell) {
			return false
		}
		if len(c.blocks)+len(c.items) == 0 {
			c.corner = cell
		}
		c.corner = gbx.Int3{X: min(c.corner.X, cell.X), Y: min(c.corner.Y, cell.Y), Z: min(c.corner.Z, cell.Z)}
		return true
	}
	for b := range c.m.EachBlock() {
		if take(c.f.CellOf(b)) {
			c.blocks = append(c.blocks, *b)
		}
	}
	for _, it := range c.m.Items() {
		if take(c.f.CellAt(it.Position)) {
			c.items = append(c.items, it)
		}
	}
}

func (c *cutting) header(name string) []gbx.HeaderChunk {
	const saved, side = 0x10, 64 // flags of all macroblocks; pixels of their icons
	return []gbx.HeaderChunk{
		{ID: 0x2E001003, IDVersion: chunks.IDVersion, Body: &gamedata.Header2E001003{
			Model: c.ident, Version: 8, ParentCollectorID: gbx.NoID, Flags: saved, Name: styled.Marked(name), ProdState: gamedata.CGameCtnCollectorProdStateRelease,
		}},
		chunks.Header(&gamedata.Header2E001004{Width: side, Height: side, Pixels: make([]byte, side*side*4)}, true),
		{ID: 0x2E001006, Body: &gamedata.Header2E001006{}},
	}
}

// body makes the chunks of the macroblock, in the order of the game.
func (c *cutting) body(name string) ([]gbx.Chunk, error) {
	var l chunks.Chunks
	l.Add(
		&gamedata.Chunk2E001009{ParentCollectorID: gbx.NoID}, &gamedata.Chunk2E00100B{Model: c.ident},
		&gamedata.Chunk2E00100C{Name: styled.Marked(name)}, &gamedata.Chunk2E00100D{Description: "No Description"})
	released := &gamedata.Chunk2E001011{Version: 1, ProdState: gamedata.CGameCtnCollectorProdStateRelease}
	if c.colours() {
		l.Add(&gamedata.Chunk2E001010{Version: c.skin}, released, &gamedata.Chunk2E001012{IconUseAutoRender: gbx.True})
	} else {
		l.Add(&gamedata.Chunk2E00100E{IconUseAutoRender: gbx.True}, &gamedata.Chunk2E001010{Version: c.skin}, released)
	}
	blocks, skins, err := c.blockSpawns()
	if err != nil {
		return nil, err
	}
	spawns, err := c.itemSpawns()
	if err != nil {
		return nil, err
	}
	trigger := gbx.Int3{X: 3, Y: 1, Z: 3}
	metadata := gbx.NewRef(chunks.Node(&script.Chunk11002000{Version: c.script}))
	l.Add(&game.Chunk0310D000{BlockSpawns: blocks}, &game.Chunk0310D001{BlockSkinSpawns: skins}, &game.Chunk0310D002{},
		&game.Chunk0310D006{U01: 2}, &game.Chunk0310D008{AutoTerrainsListVersion: chunks.ListVersion, U02: 2})
	l.Skippable(&game.Chunk0310D00B{ScriptMetadata: metadata}, &game.Chunk0310D00C{Version: 2})
	l.Add(&game.Chunk0310D00E{Version: 2, ObjectSpawns: spawns}, &game.Chunk0310D00F{OffzoneTriggerSize: trigger})
	l.Skippable(&game.Chunk0310D010{}, &game.Chunk0310D011{U01: c.corner, ClipTriggerSize: trigger})
	return l, nil
}

// blockSpawns makes the stored form of the blocks, and of their skins.
func (c *cutting) blockSpawns() (list []game.CGameCtnMacroBlockInfoBlockSpawn, skins []game.CGameCtnMacroBlockInfoBlockSkinSpawn, err error) {
	ids := idCache{}
	back := gbx.Int3{X: -c.corner.X, Y: -c.corner.Y, Z: -c.corner.Z}
	for i := range c.blocks {
		b := &c.blocks[i]
		c.f.MoveBlock(b, back)
		s := game.CGameCtnMacroBlockInfoBlockSpawn{
			Version: c.block, BlockModel: gbx.Ident{ID: ids.id(b.Name), Collection: c.ident.Collection, Author: ids.id(cmp.Or(b.Author, nadeoAuthor))},
			Direction: uint8(b.Direction), Flags: spawnFlags(b),
		}
		if c.colours() {
			s.Color = uint8(max(b.Color, 0))
		}
		if b.Free {
			s.Direction, s.AbsolutePositionInMap, s.PitchYawRoll = 0, c.risen(b.Position), b.YawPitchRoll
		} else {
			s.Coord = gbx.Byte3{X: uint8(b.Coord.X), Y: uint8(b.Coord.Y), Z: uint8(b.Coord.Z)}
		}
		if s.Waypoint, err = waypointWith(gbx.Ref{}, b.Waypoint, b.Order); err != nil {
			return nil, nil, err
		}
		if b.Skin != "" {
			skins = append(skins, game.CGameCtnMacroBlockInfoBlockSkinSpawn{Version: 1, Skin: c.m.skinWith(gbx.Ref{}, b.Skin), BlockSpawnIndex: uint32(i)})
		}
		list = append(list, s)
	}
	return list, skins, nil
}

// itemSpawns makes the stored form of the items.
func (c *cutting) itemSpawns() (list []game.CGameCtnMacroBlockInfoObjectSpawn, err error) {
	back := gbx.Int3{X: -c.corner.X, Y: -c.corner.Y, Z: -c.corner.Z}
	for i := range c.items {
		it := &c.items[i]
		c.f.MoveItem(it, back)
		s := game.CGameCtnMacroBlockInfoObjectSpawn{
			Version: c.item, ItemModel: freshIdent(it.Model), PitchYawRoll: it.YawPitchRoll, BlockCoord: c.f.CellAt(it.Position), AnchorTreeID: gbx.NoID,
			AbsolutePositionInMap: c.risen(it.Position), Flags: it.Flags &^ itemSkin, PivotPosition: it.Pivot, Scale: it.Scale,
			U03: gbx.Int3{X: -1, Y: -1, Z: -1},
		}
		if c.colours() {
			s.Color, s.U04 = uint8(max(it.Color, 0)), -1
			if it.Skin != "" {
				s.HasPackDesc, s.PackDesc = 1, c.m.fileRef(it.Skin)
			}
		}
		if s.Waypoint, err = waypointWith(gbx.Ref{}, it.Waypoint, it.Order); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// risen converts a height above the map's floor to a height above its lowest level, where
// macroblocks begin to count.
func (c *cutting) risen(p gbx.Vec3) gbx.Vec3 {
	p.Y += float32(c.f.Floor) * c.f.Cell.Y
	return p
}

// A macroblock stores the variant of a block in three bytes, a map in groups of bits:
// form, random choice and special ground. The same blocks have the same numbers in both.
const spawnVariants = 0xFFFFFF

// spawnFlags converts the flags of a block from a map to a macroblock.
func spawnFlags(b *Block) game.CGameCtnMacroBlockInfoBlockSpawnFlags {
	form, chance, ground := b.variantParts()
	flags := game.CGameCtnMacroBlockInfoBlockSpawnFlags(form | chance<<8 | ground<<16)
	for _, f := range spawnBits {
		if b.flags()&f.onMap != 0 {
			flags |= f.spawn
		}
	}
	return flags
}

// mapFlags converts the flags of a block from a macroblock to a map.
func mapFlags(s game.CGameCtnMacroBlockInfoBlockSpawnFlags) uint32 {
	n := uint32(s & spawnVariants)
	flags := n&0x3F | n>>8&0x3F<<6 | n>>16&0x7F<<21
	for _, f := range spawnBits {
		if s&f.spawn != 0 {
			flags |= uint32(f.onMap)
		}
	}
	return flags
}

var spawnBits = []struct {
	spawn game.CGameCtnMacroBlockInfoBlockSpawnFlags
	onMap game.CGameCtnChallengeBlockFlags
}{
	{game.CGameCtnMacroBlockInfoBlockSpawnFlagsIsGround, game.CGameCtnChallengeBlockFlagsIsGround},
	{game.CGameCtnMacroBlockInfoBlockSpawnFlagsIsGhost, game.CGameCtnChallengeBlockFlagsIsGhost},
	{game.CGameCtnMacroBlockInfoBlockSpawnFlagsIsFree, game.CGameCtnChallengeBlockFlagsIsFree},
}
