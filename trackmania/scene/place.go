package scene

import (
	"math"

	"pakbox/gbx"
	"pakbox/trackmania/maps"
)

// PlaceItem is where the mesh of an item stands; false for a place that is no
// number.
func PlaceItem(i int, it *maps.Item) (Placed, bool) {
	p := Placed{Item: i, At: it.Position, Pivot: it.Pivot, Turn: turnOf(it.YawPitchRoll), Scale: it.Scale}
	return p, finite(p.At) && finite(p.Pivot) && finite(gbx.Vec3{X: p.Scale})
}

// PlaceBlock is where the mesh of a block stands that takes so many cells
// before it is turned. A mesh begins at the lowest corner of its cells. Turned,
// it still fills those above and beside the block's coordinate; a free block
// turns about its corner.
func (s *Scene) PlaceBlock(b *maps.Block, size gbx.Int3) (Placed, bool) {
	if b.Free {
		return Placed{At: b.Position, Turn: turnOf(b.YawPitchRoll), Scale: 1}, finite(b.Position)
	}
	at := gbx.Vec3{X: float32(b.Coord.X) * s.Cell.X, Y: float32(s.Floor) + float32(b.Coord.Y)*s.Cell.Y, Z: float32(b.Coord.Z) * s.Cell.Z}
	wide, long := float32(size.X)*s.Cell.X, float32(size.Z)*s.Cell.Z
	switch b.Direction {
	case 1:
		at.X += long
	case 2:
		at.X, at.Z = at.X+wide, at.Z+long
	case 3:
		at.Z += wide
	}
	return Placed{At: at, Turn: turnOf(gbx.Vec3{X: -float32(b.Direction) * math.Pi / 2}), Scale: 1}, true
}
