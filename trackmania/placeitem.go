package trackmania

import (
	"slices"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
)

// Classes of what stands on a map.
const (
	classItem     classid.ID = 0x03101000
	classWaypoint classid.ID = 0x2E009000
)

// noCell is where an item stands that belongs to no cell of the grid.
const noCell = 255

// itemsListVersion is that of the list of items in all files seen.
const itemsListVersion = 10

// AddItem puts an item on the map, behind all others. It stands at its
// position and is snapped to nothing. A scale of 0 means the usual one.
func (m *Map) AddItem(it Item) error {
	c, ok := find[*game.Chunk03043040](m)
	if !ok {
		return fault.New(fault.Unsupported, "maps of this game have no items")
	}
	if it.Scale == 0 {
		it.Scale = 1
	}
	if len(c.Items) == 0 {
		c.ItemsListVersion = itemsListVersion
	}
	at := len(c.Items)
	blocks, baked := m.storedCounts()
	c.Items = append(slices.Clip(c.Items), gbx.NewRef(itemNode(c, &it)))
	if c.Version >= 5 {
		c.ItemSnapIndexes = insert(c.ItemSnapIndexes, at, -1)
	}
	if f, ok := find[*game.Chunk03043062](m); ok {
		f.Colors = insert(f.Colors, blocks+baked+at, byte(max(it.Color, 0)))
	}
	if f, ok := find[*game.Chunk03043063](m); ok {
		f.AnimPhaseOffsets = insert(f.AnimPhaseOffsets, at, 0)
	}
	if f, ok := find[*game.Chunk03043065](m); ok {
		f.Foregrounds = insert(f.Foregrounds, at, game.CGameCtnChallengeForeground{})
	}
	if f, ok := find[*game.Chunk03043068](m); ok {
		f.LightmapQualities = insert(f.LightmapQualities, blocks+baked+at, 0)
	}
	if f, ok := find[*game.Chunk03043069](m); ok {
		f.MacroblockIndices = insert(f.MacroblockIndices, blocks+at, -1)
	}
	return nil
}

// storedCounts returns how many blocks and baked blocks the columns count.
func (m *Map) storedCounts() (blocks, baked int) {
	if c, ok := find[*game.Chunk0304301F](m); ok {
		blocks = c.Blocks.Len()
	}
	if c, ok := find[*game.Chunk03043048](m); ok {
		baked = c.BakedBlocks.Len()
	}
	return blocks, baked
}

// itemNode makes an item as its map stores them: in the version that its
// other items have.
func itemNode(c *game.Chunk03043040, it *Item) *gbx.Node {
	a := &game.Chunk03101002{
		Version: itemVersion(c), ItemModel: freshIdent(it.Model), YawPitchRoll: it.YawPitchRoll, AbsolutePositionInMap: it.Position,
		BlockUnitCoord: gbx.Byte3{X: noCell, Y: noCell, Z: noCell}, AnchorTreeId: gbx.NoId, PivotPosition: it.Pivot, Scale: it.Scale,
		U03: gbx.Vec3{X: -1, Y: -1, Z: -1},
	}
	if it.Waypoint != "" {
		a.Waypoint = gbx.NewRef(&gbx.Node{Class: classWaypoint, Chunks: []gbx.Chunk{
			{ID: classWaypoint, Body: &gamedata.Chunk2E009000{Version: 2, Tag: it.Waypoint}},
			{ID: classWaypoint | 1, Skip: true, Body: &gamedata.Chunk2E009001{}},
		}})
	}
	n := &gbx.Node{Class: classItem, Chunks: []gbx.Chunk{
		{ID: classItem | 2, Body: a},
		{ID: classItem | 4, Skip: true, Body: &game.Chunk03101004{U01: -1}},
	}}
	if len(c.Items) > 0 { // new maps store one more chunk, the same for all items
		if more, ok := gbx.Find[*game.Chunk03101005](c.Items[0].Node); ok {
			same := *more
			n.Chunks = append(n.Chunks, gbx.Chunk{ID: classItem | 5, Skip: true, Body: &same})
		}
	}
	return n
}

// itemVersion is the version of the items of a map: that of the first, or
// where there is none, the one that games stored along with such a list.
func itemVersion(c *game.Chunk03043040) uint32 {
	for _, r := range c.Items {
		if a, ok := gbx.Find[*game.Chunk03101002](r.Node); ok {
			return a.Version
		}
	}
	switch {
	case c.Version >= 7:
		return 8
	case c.Version >= 4:
		return 7
	}
	return 5
}

// DeleteItem removes item i of [Map.Items], and what other chunks say about
// it.
func (m *Map) DeleteItem(i int) error {
	c, ok := find[*game.Chunk03043040](m)
	if !ok || i < 0 || i >= len(c.Items) {
		return fault.New(fault.Limit, "there is no item %d", i)
	}
	blocks, baked := m.storedCounts()
	c.Items = cut(c.Items, i)
	c.ItemSnapIndexes = cut(c.ItemSnapIndexes, i)
	loseTarget(c, i, c.SnappedItems)
	c.SnappedItems = renumbered(c.SnappedItems, i)
	c.ConnectedItemPairs = withoutItem(c.ConnectedItemPairs, int32(i))
	if f, ok := find[*game.Chunk03043062](m); ok {
		f.Colors = cut(f.Colors, blocks+baked+i)
	}
	if f, ok := find[*game.Chunk03043063](m); ok {
		f.AnimPhaseOffsets = cut(f.AnimPhaseOffsets, i)
	}
	if f, ok := find[*game.Chunk03043065](m); ok {
		f.Foregrounds = cut(f.Foregrounds, i)
	}
	if f, ok := find[*game.Chunk03043068](m); ok {
		f.LightmapQualities = cut(f.LightmapQualities, blocks+baked+i)
	}
	if f, ok := find[*game.Chunk03043069](m); ok {
		f.MacroblockIndices = cut(f.MacroblockIndices, blocks+i)
	}
	return nil
}

// withoutItem returns the pairs of connected items after item i went.
func withoutItem(pairs []gbx.Int2, i int32) []gbx.Int2 {
	var out []gbx.Int2
	for _, p := range pairs {
		if p.X == i || p.Y == i {
			continue
		}
		if p.X > i {
			p.X--
		}
		if p.Y > i {
			p.Y--
		}
		out = append(out, p)
	}
	return out
}

// loseTarget frees the items that are snapped to block or item gone. What
// items are snapped to is a table of five columns, of which column is the one
// to search; each item has its row in the table, or -1.
func loseTarget(c *game.Chunk03043040, gone int, column []int32) {
	for row := len(column) - 1; row >= 0; row-- {
		if int(column[row]) != gone {
			continue
		}
		column = cut(column, row)
		for _, other := range []*[]int32{&c.SnappedBlocks, &c.SnapItemGroups, &c.SnappedItems, &c.U01} {
			*other = cut(*other, row)
		}
		c.ItemSnapIndexes = slices.Clone(c.ItemSnapIndexes)
		for k, v := range c.ItemSnapIndexes {
			switch {
			case int(v) == row:
				c.ItemSnapIndexes[k] = -1
			case int(v) > row:
				c.ItemSnapIndexes[k]--
			}
		}
	}
}

// freshIdent is an Ident of another file, to be written in this one.
func freshIdent(id gbx.Ident) gbx.Ident {
	return gbx.Ident{ID: freshId(id.ID), Collection: freshId(id.Collection), Author: freshId(id.Author)}
}
