package maps

import (
	"iter"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// Some chunks of newer maps are columns: they hold a value for each block, baked block
// and item, in this order. Only the index in the column connects a value with its
// block or item. So an edit that adds or removes a block must edit all columns:
//
//	05F  places of the free blocks, then of the free baked blocks
//	062  colours, 068 lightmap qualities: blocks, baked blocks, items
//	063  animation phases, 065 foregrounds: items
//	069  macroblocks: blocks, items
//	040  what items are snapped to, by index of the block or item
//	017  where the checkpoints are, in games up to TrackMania Forever

// storedPlaces returns the indices of the real blocks in the stored list, nil if the list
// has no stand-ins.
func (m *Map) storedPlaces() (at []int) {
	c, ok := find[*game.Chunk0304301F](m)
	if !ok {
		return nil
	}
	if placed, _ := c.Blocks.Count(); placed == c.Blocks.Len() {
		return nil
	}
	i := 0
	for b := range c.Blocks.Each() {
		if b.Flags != game.StandIn {
			at = append(at, i)
		}
		i++
	}
	return at
}

// arrangement describes how a new list of blocks or items comes from the old one.
type arrangement struct {
	from   []int // index of each element in the old list, or -1 if it is new
	origin []int // the same, but -1 for copies too
	colors []int // colour of each element, or -1 to keep the old one
	free   []game.CGameCtnChallengeFreeBlock
	moved  bool // an element was added, removed or moved
}

// grow reserves space for n elements.
func (a *arrangement) grow(n int) {
	a.from, a.origin, a.colors = slices.Grow(a.from, n), slices.Grow(a.origin, n), slices.Grow(a.colors, n)
}

// add adds an element. from is its index in the old list, or -1.
func (a *arrangement) add(from, color int, used []bool) {
	a.from, a.colors = append(a.from, from), append(a.colors, color)
	if from >= 0 && used[from] {
		from = -1
	}
	if from >= 0 {
		used[from] = true
	}
	a.origin = append(a.origin, from)
	a.moved = a.moved || from < 0
}

// to returns for each index of the old list the index in the new list, or -1.
func (a *arrangement) to(n int) []int32 {
	to := make([]int32, n)
	for i := range to {
		to[i] = -1
	}
	for i, from := range a.origin {
		if from >= 0 {
			to[from] = int32(i)
		}
	}
	return to
}

// columnPart is the part of a column for the blocks, or for the items.
type columnPart struct {
	before, old, after int // number of values before the part, in it, and after it
}

// arranged returns a column whose part is reordered: from lists old indices. New elements get the
// value none, and so do values that a short column lacks.
func arranged[T any](column []T, part columnPart, from []int, none T) []T {
	at := func(i int) T {
		if i < len(column) {
			return column[i]
		}
		return none
	}
	out := make([]T, 0, part.before+len(from)+part.after)
	for i := range part.before {
		out = append(out, at(i))
	}
	for _, i := range from {
		if i < 0 {
			out = append(out, none)
		} else {
			out = append(out, at(part.before+i))
		}
	}
	for i := range part.after {
		out = append(out, at(part.before+part.old+i))
	}
	return out
}

// paint writes the new colours into a part of a column.
func (a *arrangement) paint(column []byte, before int) {
	for i, color := range a.colors {
		if color >= 0 {
			column[before+i] = byte(color)
		}
	}
}

// checkColor rejects a colour that the map cannot store.
func (m *Map) checkColor(color int) error {
	if _, ok := find[*game.Chunk03043062](m); !ok && color > 0 {
		return fault.New(fault.Unsupported, "maps of this game have no colours")
	}
	if color > 255 {
		return fault.New(fault.Limit, "colour %d is out of range; expected 0 to 255", color)
	}
	return nil
}

// isCheckpoint recognises checkpoints of the games before ManiaPlanet, by the block's
// name.
func isCheckpoint(name string) bool { return strings.Contains(strings.ToLower(name), "checkpoint") }

// checkpointCount counts the checkpoints among the blocks and the map's items, by their
// waypoints, or by name if the game has no waypoints. Linked checkpoints count once.
func (m *Map) checkpointCount(blocks iter.Seq[*Block]) int {
	if c, ok := head[*game.Header03043002](m); !ok || c.Version < 13 {
		return 0 // the map does not store the number
	}
	n, linked := 0, map[int]bool{}
	count := func(tag string, order int, named bool) {
		switch {
		case tag == "LinkedCheckpoint":
			linked[order] = true
		case tag == "Checkpoint" || tag == "" && named:
			n++
		}
	}
	named := map[string]bool{} // results by name, because a map has few names
	for b := range blocks {
		is, known := named[b.Name]
		if !known {
			is = isCheckpoint(b.Name)
			named[b.Name] = is
		}
		count(b.Waypoint, b.Order, is)
	}
	if c, ok := find[*game.Chunk03043040](m); ok {
		for _, r := range c.Items {
			if a, ok := gbx.Find[*game.Chunk03101002](r.Node); ok {
				tag, order := waypointOf(a.Waypoint)
				count(tag, order, false)
			}
		}
	}
	return n + len(linked)
}

// countCheckpoints updates the number in the header, which includes the finish.
func (m *Map) countCheckpoints(before int, blocks iter.Seq[*Block]) {
	if c, ok := head[*game.Header03043002](m); ok && c.Version >= 13 {
		c.NbCheckpoints = uint32(max(0, int64(c.NbCheckpoints)+int64(m.checkpointCount(blocks)-before)))
	}
}

// checkpointCells returns the cells of the checkpoints, as chunk 017 lists them.
func checkpointCells(list []game.CGameCtnChallengeBlock, offset int32) []gbx.Int3 {
	cells := []gbx.Int3{}
	for i := range list {
		if b := &list[i]; b.Flags != game.StandIn && isCheckpoint(b.Name.String()) {
			cells = append(cells, coordOf(b, offset))
		}
	}
	return cells
}

// checkpointsAfter returns the list of checkpoints after a change. In nearly all maps it
// lists the checkpoints in the order of the blocks. If it does not, only the differences
// are applied to the old list.
func checkpointsAfter(list, before, after []gbx.Int3) []gbx.Int3 {
	if slices.Equal(list, before) {
		return after
	}
	count := map[gbx.Int3]int{}
	for _, at := range before {
		count[at]++
	}
	var come []gbx.Int3
	for _, at := range after {
		if count[at]--; count[at] < 0 {
			come = append(come, at)
		}
	}
	left := slices.DeleteFunc(slices.Clone(list), func(at gbx.Int3) bool {
		count[at]--
		return count[at] >= 0
	})
	return append(left, come...)
}

// ChunkColumn is a chunk with a value for each block or item.
type ChunkColumn struct {
	Name       string // of the values
	Have, Want int    // number of values, and of blocks or items that need one
}

// Columns lists the columns of a map of Trackmania (2020).
func (m *Map) Columns() (list []ChunkColumn) {
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
	column := func(what string, have, want int) { list = append(list, ChunkColumn{what, have, want}) }
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
