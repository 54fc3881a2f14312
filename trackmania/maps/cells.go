package maps

import (
	"pakbox/gbx"
	"pakbox/trackmania/blocks"
)

// Kind returns what the catalogue knows about a block; nil for a block that it
// does not have, and for those that the map brings along.
func (m *Map) Kind(b *Block) *blocks.Block { return blocks.Find(m.Collection(), b.Name) }

// Cells returns the cells of the map's grid that a block occupies; its own
// where nothing is known about it. A free block has none.
func (m *Map) Cells(b *Block) []gbx.Int3 {
	if b.Free {
		return nil
	}
	return CellsOf(m.Kind(b), b)
}

// CellsOf is [Map.Cells] of a block of a known kind.
func CellsOf(kind *blocks.Block, b *Block) []gbx.Int3 {
	if kind == nil || !kind.Ground.Known() {
		return []gbx.Int3{b.Coord}
	}
	c := kind.Cells(b.Ground())
	out := make([]gbx.Int3, 0, 1)
	for cell := range c.List() {
		at := blocks.Turned(cell, c.Size, b.Direction)
		out = append(out, gbx.Int3{X: b.Coord.X + at.X, Y: b.Coord.Y + at.Y + int32(kind.Rise), Z: b.Coord.Z + at.Z})
	}
	return out
}

// BlockSize returns how many cells a block takes before it is turned, where
// that is known.
func (m *Map) BlockSize(b *Block) (gbx.Int3, bool) {
	kind := m.Kind(b)
	if kind == nil {
		return gbx.Int3{}, false
	}
	return kind.Cells(b.Ground()).Size, kind.Ground.Known()
}

// OnMap reports whether all cells of a block lie on the map. A free block may
// stand anywhere.
func (m *Map) OnMap(b *Block) bool {
	grid := m.Grid()
	for _, c := range m.Cells(b) {
		if !grid.Has(c) {
			return false
		}
	}
	return true
}
