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

// AddItem puts items on the map, behind all others. They stand at their
// positions and are snapped to nothing. A scale of 0 means the usual one. Many
// items are added faster together than one by one.
func (m *Map) AddItem(items ...Item) error {
	c, ok := find[*game.Chunk03043040](m)
	if !ok {
		return fault.New(fault.Unsupported, "maps of this game have no items")
	}
	if len(c.Items) == 0 {
		c.ItemsListVersion = itemsListVersion
	}
	at, n := len(c.Items), len(items)
	blocks, baked := m.storedCounts()
	nodes, colors := make([]gbx.Ref, n), make([]byte, n)
	for i := range items {
		nodes[i], colors[i] = gbx.NewRef(itemNode(c, &items[i])), byte(max(items[i].Color, 0))
	}
	c.Items = insert(c.Items, at, nodes...)
	if c.Version >= 5 {
		c.ItemSnapIndexes = insert(c.ItemSnapIndexes, at, slices.Repeat([]int32{-1}, n)...)
	}
	if f, ok := find[*game.Chunk03043062](m); ok {
		f.Colors = insert(f.Colors, blocks+baked+at, colors...)
	}
	if f, ok := find[*game.Chunk03043063](m); ok {
		f.AnimPhaseOffsets = insert(f.AnimPhaseOffsets, at, make([]byte, n)...)
	}
	if f, ok := find[*game.Chunk03043065](m); ok {
		f.Foregrounds = insert(f.Foregrounds, at, make([]game.CGameCtnChallengeForeground, n)...)
	}
	if f, ok := find[*game.Chunk03043068](m); ok {
		f.LightmapQualities = insert(f.LightmapQualities, blocks+baked+at, make([]byte, n)...)
	}
	if f, ok := find[*game.Chunk03043069](m); ok {
		f.MacroblockIndices = insert(f.MacroblockIndices, blocks+at, slices.Repeat([]int32{-1}, n)...)
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
	if a.Scale == 0 {
		a.Scale = 1
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

// DeleteItem removes items of [Map.Items] by their indices, and what other
// chunks say about them.
func (m *Map) DeleteItem(indices ...int) error {
	c, ok := find[*game.Chunk03043040](m)
	if !ok {
		return fault.New(fault.Unsupported, "maps of this game have no items")
	}
	gone := slices.Compact(slices.Sorted(slices.Values(indices)))
	for _, i := range gone {
		if i < 0 || i >= len(c.Items) {
			return fault.New(fault.Limit, "there is no item %d", i)
		}
	}
	// behind is where the items are in a column that has other things first.
	behind := func(others int) []int {
		out := slices.Clone(gone)
		for k := range out {
			out[k] += others
		}
		return out
	}
	blocks, baked := m.storedCounts()
	c.Items = without(c.Items, gone...)
	c.ItemSnapIndexes = without(c.ItemSnapIndexes, gone...)
	loseTargets(c, c.SnappedItems, gone)
	c.SnappedItems = renumbered(c.SnappedItems, gone)
	c.ConnectedItemPairs = withoutItems(c.ConnectedItemPairs, gone)
	if f, ok := find[*game.Chunk03043062](m); ok {
		f.Colors = without(f.Colors, behind(blocks+baked)...)
	}
	if f, ok := find[*game.Chunk03043063](m); ok {
		f.AnimPhaseOffsets = without(f.AnimPhaseOffsets, gone...)
	}
	if f, ok := find[*game.Chunk03043065](m); ok {
		f.Foregrounds = without(f.Foregrounds, gone...)
	}
	if f, ok := find[*game.Chunk03043068](m); ok {
		f.LightmapQualities = without(f.LightmapQualities, behind(blocks+baked)...)
	}
	if f, ok := find[*game.Chunk03043069](m); ok {
		f.MacroblockIndices = without(f.MacroblockIndices, behind(blocks)...)
	}
	return nil
}

// withoutItems returns the pairs of connected items after some items went.
func withoutItems(pairs []gbx.Int2, gone []int) []gbx.Int2 {
	var out []gbx.Int2
	for _, p := range pairs {
		x, hasX := moved(p.X, gone)
		y, hasY := moved(p.Y, gone)
		if hasX && hasY {
			out = append(out, gbx.Int2{X: x, Y: y})
		}
	}
	return out
}

// loseTargets frees the items that are snapped to blocks or items that went.
// What items are snapped to is a table of five columns, of which column is the
// one to search; each item has its row in the table, or -1.
func loseTargets(c *game.Chunk03043040, column []int32, gone []int) {
	var rows []int
	for row, target := range column {
		if _, ok := moved(target, gone); !ok {
			rows = append(rows, row)
		}
	}
	for _, column := range []*[]int32{&c.SnappedBlocks, &c.SnapItemGroups, &c.SnappedItems, &c.U01} {
		*column = without(*column, rows...)
	}
	c.ItemSnapIndexes = renumbered(c.ItemSnapIndexes, rows)
}

// freshIdent is an Ident of another file, to be written in this one.
func freshIdent(id gbx.Ident) gbx.Ident {
	return gbx.Ident{ID: freshId(id.ID), Collection: freshId(id.Collection), Author: freshId(id.Author)}
}
