package maps

import (
	"math"
	"slices"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/internal/places"
)

// classItem is the class of an item on a map.
const classItem classid.ID = 0x03101000

// noCell is the coordinate of an item that belongs to no cell of the grid.
const noCell = 255

// itemsListVersion is the version of the list of items in all known files.
const itemsListVersion = 10

// itemSkin is the flag of items with a skin.
const itemSkin = 4

// storedCounts returns the number of blocks and baked blocks for which columns have
// values.
func (m *Map) storedCounts() (blocks, baked int) {
	if c, ok := find[*game.Chunk0304301F](m); ok {
		blocks = c.Blocks.Len()
	}
	if c, ok := find[*game.Chunk03043048](m); ok {
		baked = c.BakedBlocks.Len()
	}
	return blocks, baked
}

// itemArrangement is a new list of items, and how it comes from the old one.
type itemArrangement struct {
	arrangement
	list []gbx.Ref
	old  int // number of old items
}

// arrangeItems computes the stored form of the wanted items. It returns nil if nothing
// changes.
func (m *Map) arrangeItems(want []PlacedItem) (*itemArrangement, error) {
	was := m.placedItems()
	if slices.EqualFunc(was, want, func(x, y PlacedItem) bool { return x.from == y.from && sameItem(&x.Item, &y.Item) }) {
		return nil, nil
	}
	c, ok := find[*game.Chunk03043040](m)
	if !ok {
		return nil, errNoItems()
	}
	a := &itemArrangement{old: len(was)}
	used := make([]bool, len(was))
	version, more := itemForm(c)
	cell := m.CellSize()
	for i := range want {
		p := &want[i]
		from := p.from - 1
		var node gbx.Ref
		switch {
		case from >= len(was):
			return nil, fault.New(fault.Limit, "item %d is missing: the map has %d items", from, len(was))
		case from >= 0 && !used[from] && sameItem(&was[from].Item, &p.Item):
			node = c.Items[from]
		default:
			old := &Item{Scale: 1}
			n := newItem(version, more)
			if from >= 0 {
				old = &was[from].Item
				n = copyItem(c.Items[from].Node)
			}
			if err := m.changeItem(n, old, &p.Item, cell); err != nil {
				return nil, err
			}
			a.moved = a.moved || !sameItemPlace(old, &p.Item) || !sameIdent(old.Model, p.Model)
			node = gbx.NewRef(n)
		}
		a.list = append(a.list, node)
		a.add(from, p.Color, used)
	}
	a.moved = a.moved || slices.Contains(used, false)
	return a, nil
}

// itemForm returns how the map stores items: the version, and the additional chunk of
// newer maps, which is the same for all items of a map.
func itemForm(c *game.Chunk03043040) (version uint32, more *game.Chunk03101005) {
	for _, r := range c.Items {
		if a, ok := gbx.Find[*game.Chunk03101002](r.Node); ok {
			more, _ = gbx.Find[*game.Chunk03101005](r.Node)
			return a.Version, more
		}
	}
	switch { // the chunk that games wrote together with this version of the list
	case c.Version >= 7:
		return 8, nil
	case c.Version >= 4:
		return 7, nil
	}
	return 5, nil
}

// newItem makes an item without a model at the origin.
func newItem(version uint32, more *game.Chunk03101005) *gbx.Node {
	n := &gbx.Node{Class: classItem, Chunks: []gbx.Chunk{
		{ID: classItem | 2, Body: &game.Chunk03101002{
			Version: version, ItemModel: places.NoIdent, BlockUnitCoord: gbx.Byte3{X: noCell, Y: noCell, Z: noCell}, AnchorTreeID: gbx.NoID,
			Scale: 1, U03: gbx.Vec3{X: -1, Y: -1, Z: -1},
		}},
		{ID: classItem | 4, Skip: true, Body: &game.Chunk03101004{U01: -1}},
	}}
	if more != nil {
		same := *more
		n.Chunks = append(n.Chunks, gbx.Chunk{ID: classItem | 5, Skip: true, Body: &same})
	}
	return n
}

// copyItem copies an item. The copy gets its own waypoint.
func copyItem(n *gbx.Node) *gbx.Node {
	if n == nil {
		return &gbx.Node{Class: classItem}
	}
	n = copyNode(n)
	if a, ok := gbx.Find[*game.Chunk03101002](n); ok {
		a.Waypoint = copyRef(a.Waypoint)
	}
	return n
}

// changeItem changes a stored item. was has its current fields, want the wanted ones.
func (m *Map) changeItem(n *gbx.Node, was, want *Item, cell gbx.Vec3) error {
	if err := m.checkColor(want.Color); err != nil {
		return err
	}
	a, ok := gbx.Find[*game.Chunk03101002](n)
	if !ok {
		return fault.New(fault.Unsupported, "an item of this kind cannot be changed")
	}
	if !sameIdent(was.Model, want.Model) {
		a.ItemModel = freshIdent(want.Model)
	}
	if !sameVec(was.Position, want.Position) {
		a.BlockUnitCoord = movedCell(a.BlockUnitCoord, was.Position, want.Position, cell)
		a.AbsolutePositionInMap = want.Position
	}
	a.YawPitchRoll, a.PivotPosition = want.YawPitchRoll, want.Pivot
	if want.Scale != was.Scale && want.Scale != 0 {
		if a.Version < 6 {
			return fault.New(fault.Unsupported, "the items of maps of this game have no scale")
		}
		a.Scale = want.Scale
	}
	if err := m.dressItem(a, was, want); err != nil {
		return err
	}
	if want.Waypoint == was.Waypoint && want.Order == was.Order {
		return nil
	}
	waypoint, err := waypointWith(a.Waypoint, want.Waypoint, want.Order)
	a.Waypoint = waypoint
	return err
}

// dressItem sets the flags and the skin of a stored item. Real items can have an empty
// reference to a skin: the flag is set and the path is "". Such a reference stays until
// the skin or the flag changes.
func (m *Map) dressItem(a *game.Chunk03101002, was, want *Item) error {
	changed, had := want.Skin != was.Skin, a.Flags&itemSkin != 0
	if changed && a.Version < 7 && want.Skin != "" {
		return fault.New(fault.Unsupported, "the items of maps of this game have no skin")
	}
	a.Flags = want.Flags
	switch {
	case want.Skin != "":
		a.Flags |= itemSkin
	case changed:
		a.Flags &^= itemSkin
	}
	switch has := a.Flags&itemSkin != 0; {
	case !has:
		a.PackDesc = gbx.FileRef{}
	case changed || !had:
		a.PackDesc = m.fileRef(want.Skin)
	}
	return nil
}

// CheckItem returns an error if the map cannot hold the item.
func (m *Map) CheckItem(it *Item) error {
	c, ok := find[*game.Chunk03043040](m)
	if !ok {
		return errNoItems()
	}
	return m.changeItem(newItem(itemForm(c)), &Item{Scale: 1}, it, m.CellSize())
}

func errNoItems() error { return fault.New(fault.Unsupported, "maps of this game have no items") }

// movedCell returns the cell of an item after a move. An item without a cell stays
// without one.
func movedCell(at gbx.Byte3, from, to, cell gbx.Vec3) gbx.Byte3 {
	none := gbx.Byte3{X: noCell, Y: noCell, Z: noCell}
	if at == none {
		return none
	}
	ok := true
	move := func(at uint8, from, to, cell float32) uint8 {
		moved := float64(at) + math.Floor(float64(to)/float64(cell)) - math.Floor(float64(from)/float64(cell))
		ok = ok && moved >= 0 && moved < noCell // false for NaN
		return uint8(int64(moved) & 0xFF)
	}
	at = gbx.Byte3{X: move(at.X, from.X, to.X, cell.X), Y: move(at.Y, from.Y, to.Y, cell.Y), Z: move(at.Z, from.Z, to.Z, cell.Z)}
	if !ok {
		return none
	}
	return at
}

// setItems stores a new list of items, and updates the data about items in other chunks.
func (m *Map) setItems(a *itemArrangement) {
	c, _ := find[*game.Chunk03043040](m)
	blocks, baked := m.storedCounts()
	n := a.old
	c.Items = a.list
	if len(c.Items) > 0 && n == 0 {
		c.ItemsListVersion = itemsListVersion
	}
	if c.Version >= 5 {
		c.ItemSnapIndexes = arranged(c.ItemSnapIndexes, columnPart{0, n, 0}, a.origin, -1)
		retarget(c, &c.SnappedItems, a.to(n))
	}
	c.ConnectedItemPairs = repaired(c.ConnectedItemPairs, a.to(n))
	if f, ok := find[*game.Chunk03043062](m); ok {
		f.Colors = arranged(f.Colors, columnPart{blocks + baked, n, 0}, a.from, 0)
		a.paint(f.Colors, blocks+baked)
	}
	if f, ok := find[*game.Chunk03043063](m); ok {
		f.AnimPhaseOffsets = arranged(f.AnimPhaseOffsets, columnPart{0, n, 0}, a.from, 0)
	}
	if f, ok := find[*game.Chunk03043065](m); ok {
		f.Foregrounds = arranged(f.Foregrounds, columnPart{0, n, 0}, a.from, game.CGameCtnChallengeForeground{})
	}
	if f, ok := find[*game.Chunk03043068](m); ok {
		f.LightmapQualities = arranged(f.LightmapQualities, columnPart{blocks + baked, n, 0}, a.from, 0)
	}
	if f, ok := find[*game.Chunk03043069](m); ok {
		f.MacroblockIndices = arranged(f.MacroblockIndices, columnPart{blocks, n, 0}, a.origin, -1)
	}
}

// repaired updates the indices in the pairs of connected items. Pairs with removed items
// are dropped.
func repaired(pairs []gbx.Int2, to []int32) (out []gbx.Int2) {
	for _, p := range pairs {
		x, hasX := target(p.X, to)
		y, hasY := target(p.Y, to)
		if hasX && hasY {
			out = append(out, gbx.Int2{X: x, Y: y})
		}
	}
	return out
}

// target returns the new index of a block or item, or false if it was removed. Numbers
// that are not an index stay unchanged.
func target(i int32, to []int32) (int32, bool) {
	if i < 0 || int(i) >= len(to) {
		return i, true
	}
	return to[i], to[i] >= 0
}

// retarget updates what items are snapped to: it writes the new indices of blocks or
// items into one column, and frees the items whose target was removed. The targets are a
// table of four columns; each item has a row number in it, or -1.
func retarget(c *game.Chunk03043040, column *[]int32, to []int32) {
	*column = slices.Clone(*column)
	var gone []int
	rows := make([]int32, len(*column))
	for row, i := range *column {
		now, ok := target(i, to)
		(*column)[row], rows[row] = now, int32(row-len(gone))
		if !ok {
			gone = append(gone, row)
			rows[row] = -1
		}
	}
	for _, column := range []*[]int32{&c.SnappedBlocks, &c.SnapItemGroups, &c.SnappedItems, &c.U01} {
		*column = without(*column, gone...)
	}
	c.ItemSnapIndexes = slices.Clone(c.ItemSnapIndexes)
	for i, row := range c.ItemSnapIndexes {
		c.ItemSnapIndexes[i], _ = target(row, rows)
	}
}

// without returns a copy of a list without the elements at some indices, which must be
// sorted.
func without[T any](list []T, gone ...int) []T {
	out := make([]T, 0, len(list))
	for i := range list {
		if _, found := slices.BinarySearch(gone, i); !found {
			out = append(out, list[i])
		}
	}
	return out
}

// freshIdent copies an Ident from another file, without that file's numbering.
func freshIdent(id gbx.Ident) gbx.Ident {
	return gbx.Ident{ID: freshID(id.ID), Collection: freshID(id.Collection), Author: freshID(id.Author)}
}
