package maps

import (
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// PasteMacroblock puts the blocks and items of a macroblock on the map, behind
// all others: with its lowest corner in a cell, and turned so that what faced
// north faces direction.
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
		return fault.New(fault.Limit, "there is no direction %d", direction)
	}
	_, colours := find[*game.Chunk03043062](l.m)
	plain := func(color int) int {
		if !colours {
			return 0
		}
		return max(color, 0)
	}
	blocks, items := macro.Blocks(), macro.Items()
	box := f.around(blocks, items)
	for i := range blocks {
		b := &blocks[i]
		if b.Skin == "" && !isOwnModel(b.Name, b.Author) {
			b.Author = "" // maps name it for custom blocks only
		}
		b.Color = plain(b.Color)
		f.TurnBlock(b, box, direction)
		f.MoveBlock(b, at)
		if b.Free {
			b.Position.Y -= float32(f.Floor) * f.Cell.Y
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

// around is the box that the things of a macroblock take. Heights do not matter
// for turning.
func (f *Frame) around(blocks []Block, items []Item) (box Box) {
	reach := func(c gbx.Int3, x, z int32) {
		const most = 1 << 20 // files may say anything
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
