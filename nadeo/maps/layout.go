package maps

import (
	"iter"
	"math"
	"slices"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// Layout holds the blocks and items of a map for editing. They may be added, removed,
// copied, reordered and changed. Apply then updates the map in one step. Data that a map
// stores about a block or item beyond the fields of [Block] and [Item] stays with it, and
// a copy of a [PlacedBlock] or [PlacedItem] gets it too.
//
// Do not change the map by other means between taking a layout and applying it.
type Layout struct {
	Blocks []PlacedBlock
	Items  []PlacedItem

	m *Map
}

// PlacedBlock is a block of a layout. One made from a Block alone is new.
type PlacedBlock struct {
	Block
	from int // number in the map's list, counted from 1; 0 for a new block
}

// PlacedItem is an item of a layout.
type PlacedItem struct {
	Item
	from int
}

// New reports whether the block is not yet on the map.
func (b *PlacedBlock) New() bool { return b.from == 0 }

// New reports whether the item is not yet on the map.
func (it *PlacedItem) New() bool { return it.from == 0 }

// Layout returns the blocks and items of the map, without the blocks that the game added
// by itself.
func (m *Map) Layout() *Layout {
	return &Layout{Blocks: m.placedBlocks(), Items: m.placedItems(), m: m}
}

// placedBlocks returns the blocks of the layout. It skips the stand-ins in the map's
// list.
func (m *Map) placedBlocks() []PlacedBlock {
	list := make([]PlacedBlock, 0, m.BlockCount())
	at := m.storedPlaces()
	for b := range m.EachBlock() {
		from := len(list) + 1
		if at != nil {
			from = at[len(list)] + 1
		}
		list = append(list, PlacedBlock{*b, from})
	}
	return list
}

func (m *Map) placedItems() []PlacedItem {
	items := m.Items()
	list := make([]PlacedItem, len(items))
	for i := range items {
		list[i] = PlacedItem{items[i], i + 1}
	}
	return list
}

// Apply writes the layout to the map. The stored form of unchanged blocks and items stays
// the same. After an error the map is unchanged.
func (l *Layout) Apply() error {
	blocks, items, err := l.set()
	if err != nil {
		return err
	}
	if blocks {
		l.Blocks = l.m.placedBlocks()
	}
	if items {
		l.Items = l.m.placedItems()
	}
	return nil
}

// put is Apply for a layout that is not used again.
func (l *Layout) put() error {
	_, _, err := l.set()
	return err
}

// set writes the layout to the map, and reports whether blocks and items changed.
func (l *Layout) set() (otherBlocks, otherItems bool, err error) {
	blocks, err := l.m.arrangeBlocks(l.Blocks)
	if err != nil {
		return false, false, err
	}
	items, err := l.m.arrangeItems(l.Items)
	if err != nil {
		return false, false, err
	}
	was := l.Blocks
	if blocks != nil {
		was = blocks.was
	}
	before := l.m.checkpointCount(eachOf(was))
	if blocks != nil {
		l.m.setBlocks(blocks)
	}
	if items != nil {
		l.m.setItems(items)
	}
	if blocks != nil || items != nil {
		l.m.countCheckpoints(before, eachOf(l.Blocks))
	}
	if blocks != nil && blocks.moved || items != nil && items.moved {
		l.m.StripLightmap()
	}
	return blocks != nil, items != nil, nil
}

// eachOf iterates over the blocks of a layout.
func eachOf(list []PlacedBlock) iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		for i := range list {
			if !yield(&list[i].Block) {
				return
			}
		}
	}
}

// AddBlock adds blocks at the end of the list: on the grid at Coord, or free at Position.
// One call with many blocks is faster than many calls.
func (m *Map) AddBlock(blocks ...Block) error {
	l := m.Layout()
	l.Blocks = slices.Grow(l.Blocks, len(blocks))
	for i := range blocks {
		l.Blocks = append(l.Blocks, PlacedBlock{Block: blocks[i]})
	}
	return l.put()
}

// AddItem adds items at the end of the list. They stand at their positions and are not
// snapped to anything. A scale of 0 means 1. One call with many items is faster than many
// calls.
func (m *Map) AddItem(items ...Item) error {
	l := m.Layout()
	l.Items = slices.Grow(l.Items, len(items))
	for i := range items {
		l.Items = append(l.Items, PlacedItem{Item: items[i]})
	}
	return l.put()
}

// RemoveBlocks removes blocks, and the data about them in other chunks. It returns their
// number.
func (m *Map) RemoveBlocks(doomed func(*Block) bool) (int, error) {
	l := m.Layout()
	before := len(l.Blocks)
	l.Blocks = slices.DeleteFunc(l.Blocks, func(b PlacedBlock) bool { return doomed(&b.Block) })
	err := l.put()
	return before - len(l.Blocks), err
}

// RemoveItems removes items, and the data about them in other chunks. It returns their
// number.
func (m *Map) RemoveItems(doomed func(*Item) bool) (int, error) {
	l := m.Layout()
	before := len(l.Items)
	l.Items = slices.DeleteFunc(l.Items, func(it PlacedItem) bool { return doomed(&it.Item) })
	err := l.put()
	return before - len(l.Items), err
}

// ChangeBlocks calls change for each block. It may change the name, place, direction,
// colour, skin and waypoint. Other data of a block stays with it.
func (m *Map) ChangeBlocks(change func(*Block)) error {
	l := m.Layout()
	for i := range l.Blocks {
		change(&l.Blocks[i].Block)
	}
	return l.put()
}

// ChangeItems calls change for each item.
func (m *Map) ChangeItems(change func(*Item)) error {
	l := m.Layout()
	for i := range l.Items {
		change(&l.Items[i].Item)
	}
	return l.put()
}

// sameBlock reports whether two blocks are equal in the fields of Block. It ignores the
// cell of a free block, and the position of a block on the grid.
func sameBlock(a, b *Block) bool {
	x, y := *a, *b
	if x.Free && y.Free {
		x.Coord, x.Direction = y.Coord, y.Direction
	}
	placed := !x.Free || sameVec(a.Position, b.Position) && sameVec(a.YawPitchRoll, b.YawPitchRoll)
	x.Position, x.YawPitchRoll, y.Position, y.YawPitchRoll = gbx.Vec3{}, gbx.Vec3{}, gbx.Vec3{}, gbx.Vec3{} // they may be NaN, which never equals itself
	return x == y && placed
}

// samePlace reports whether two blocks stand at the same place, with the same direction.
func samePlace(a, b *Block) bool {
	if a.Free || b.Free {
		return a.Free == b.Free && sameVec(a.Position, b.Position) && sameVec(a.YawPitchRoll, b.YawPitchRoll)
	}
	return a.Coord == b.Coord && a.Direction == b.Direction
}

// sameItem reports whether two items are equal in the fields of Item.
func sameItem(a, b *Item) bool {
	return sameItemPlace(a, b) && sameIdent(a.Model, b.Model) && a.Flags == b.Flags && a.Skin == b.Skin &&
		a.Waypoint == b.Waypoint && a.Order == b.Order && a.Color == b.Color
}

func sameItemPlace(a, b *Item) bool {
	return sameVec(a.Position, b.Position) && sameVec(a.YawPitchRoll, b.YawPitchRoll) && sameVec(a.Pivot, b.Pivot) &&
		math.Float32bits(a.Scale) == math.Float32bits(b.Scale)
}

func sameIdent(a, b gbx.Ident) bool {
	return a.ID.Equal(b.ID) && a.Collection.Equal(b.Collection) && a.Author.Equal(b.Author)
}

// sameVec compares the bits, because files may contain NaN.
func sameVec(a, b gbx.Vec3) bool {
	return math.Float32bits(a.X) == math.Float32bits(b.X) && math.Float32bits(a.Y) == math.Float32bits(b.Y) &&
		math.Float32bits(a.Z) == math.Float32bits(b.Z)
}

// PasteMacroblock adds the blocks and items of a macroblock at the end of the lists. Its
// lowest corner goes to the cell at, and its north side faces direction.
func (m *Map) PasteMacroblock(macro *Macroblock, at gbx.Int3, direction int) error {
	l := m.Layout()
	if err := l.Paste(m.Frame(), macro, at, direction); err != nil {
		return err
	}
	return l.put()
}

// Paste is [Map.PasteMacroblock] for a layout.
func (l *Layout) Paste(f *Frame, macro *Macroblock, at gbx.Int3, direction int) error {
	if direction < 0 || direction > 3 {
		return fault.New(fault.Limit, "direction %d is out of range; expected 0 to 3", direction)
	}
	_, colours := find[*game.Chunk03043062](l.m)
	plain := func(color int) int {
		if !colours {
			return 0
		}
		return max(color, 0)
	}
	blocks, items := macro.Blocks(), macro.Items()
	ground, flat := l.m.GroundLevel()
	box := f.around(blocks, items)
	for i := range blocks {
		b := &blocks[i]
		if b.Skin == "" && !IsOwnModel(b.Name, b.Author) {
			b.Author = "" // maps name it for custom blocks only
		}
		b.Color = plain(b.Color)
		f.TurnBlock(b, box, direction)
		f.MoveBlock(b, at)
		if b.Free {
			b.Position.Y -= float32(f.Floor) * f.Cell.Y
		} else if flat {
			b.SetGround(b.Coord.Y == ground)
		}
		l.Blocks = append(l.Blocks, PlacedBlock{Block: *b})
	}
	for i := range items {
		it := &items[i]
		it.Color = plain(it.Color)
		f.TurnItem(it, box, direction)
		f.MoveItem(it, at)
		it.Position.Y -= float32(f.Floor) * f.Cell.Y
		l.Items = append(l.Items, PlacedItem{Item: *it})
	}
	return nil
}

// around returns the box around the things of a macroblock. Turning does not need the
// heights.
func (f *Frame) around(blocks []Block, items []Item) (box Box) {
	reach := func(c gbx.Int3, x, z int32) {
		const most = 1 << 20 // limit, because files may contain any number
		box.Max.X = min(max(box.Max.X, c.X+x-1), most)
		box.Max.Z = min(max(box.Max.Z, c.Z+z-1), most)
	}
	for i := range blocks {
		b := &blocks[i]
		if b.Free {
			continue
		}
		x, z := f.extent(b)
		reach(b.Coord, x, z)
	}
	if len(blocks) == 0 {
		for i := range items {
			reach(f.CellAt(items[i].Position), 1, 1)
		}
	}
	return box
}
