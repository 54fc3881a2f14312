package maps

import "pakbox/gbx/engine/game"

// Column is a chunk with a value for each block or item.
type Column struct {
	Name       string // of the values
	Have, Want int    // values, and blocks or items that need one
}

// Columns lists the columns of a map of Trackmania (2020).
func (m *Map) Columns() (list []Column) {
	var blocks, free, baked, bakedFree, items int
	if c, ok := find[*game.Chunk0304301F](m); ok {
		blocks = c.Blocks.Len()
		_, free = c.Blocks.Count()
	}
	if c, ok := find[*game.Chunk03043048](m); ok {
		baked = c.BakedBlocks.Len()
		_, bakedFree = c.BakedBlocks.Count()
	}
	if c, ok := find[*game.Chunk03043040](m); ok {
		items = len(c.Items)
	}
	column := func(what string, have, want int) { list = append(list, Column{what, have, want}) }
	if c, ok := find[*game.Chunk0304305F](m); ok {
		column("places of free blocks", len(c.FreeBlocks), free+bakedFree)
	}
	if c, ok := find[*game.Chunk03043062](m); ok {
		column("colours", len(c.Colors), blocks+baked+items)
	}
	if c, ok := find[*game.Chunk03043063](m); ok {
		column("animation phases", len(c.AnimPhaseOffsets), items)
	}
	if c, ok := find[*game.Chunk03043065](m); ok {
		column("foregrounds", len(c.Foregrounds), items)
	}
	if c, ok := find[*game.Chunk03043068](m); ok {
		column("lightmap qualities", len(c.LightmapQualities), blocks+baked+items)
	}
	if c, ok := find[*game.Chunk03043069](m); ok {
		column("macroblock indices", len(c.MacroblockIndices), blocks+items)
	}
	return list
}
