package scene

import (
	"math"

	"pakbox/gbx"
	"pakbox/nadeo/maps"
)

// PlaceItem returns the place of an item's mesh. It returns false if the file's position
// is not a finite number.
func PlaceItem(i int, it *maps.Item) (Instance, bool) {
	p := Instance{Item: i, Position: it.Position, Pivot: it.Pivot, Turn: turnOf(it.YawPitchRoll), Scale: it.Scale}
	return p, finite(p.Position) && finite(p.Pivot) && finite(gbx.Vec3{X: p.Scale})
}

// PlaceBlock returns the place of a block's mesh. The size is that of the block before it
// is turned, in cells. The mesh begins at the lowest corner of those cells. A turned
// block still fills the cells from its coordinate upwards, so the corner moves with the
// direction. A free block turns about its own corner.
func (s *Scene) PlaceBlock(b *maps.Block, size gbx.Int3) (Instance, bool) {
	if b.Free {
		return Instance{Position: b.Position, Turn: turnOf(b.YawPitchRoll), Scale: 1}, finite(b.Position)
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
	return Instance{Position: at, Turn: turnOf(gbx.Vec3{X: -float32(b.Direction) * math.Pi / 2}), Scale: 1}, true
}
