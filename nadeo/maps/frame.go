package maps

import (
	"math"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
)

// Box is a part of a map's grid: the cells from Min up to and including Max.
type Box struct{ Min, Max gbx.Int3 }

// Has reports whether a cell lies in the box.
func (b *Box) Has(c gbx.Int3) bool {
	return c.X >= b.Min.X && c.X <= b.Max.X && c.Y >= b.Min.Y && c.Y <= b.Max.Y && c.Z >= b.Min.Z && c.Z <= b.Max.Z
}

// Axis is an axis of the grid: x to the west, z to the north.
type Axis int

// The axes along which things can be mirrored.
const (
	AxisX Axis = iota
	AxisZ
)

// Frame relates the grid of a map to metres. It moves, turns and mirrors blocks on the
// grid together with free blocks and items.
//
// The catalogue of blocks has the number of cells and the mirror image of each block.
// Unknown blocks are turned as if they had one cell.
type Frame struct {
	Cell  gbx.Vec3 // the size of a cell
	Floor float64  // the level at height 0

	m       *Map
	customs map[string]*custom // embedded blocks, by name
}

// Frame returns the frame of the map's grid.
func (m *Map) Frame() *Frame { return &Frame{Cell: m.CellSize(), Floor: m.Floor(), m: m} }

// Grid returns all cells of the map.
func (m *Map) Grid() Box {
	size := m.Size()
	return Box{Max: gbx.Int3{X: size.X - 1, Y: size.Y - 1, Z: size.Z - 1}}
}

// CellAt returns the cell that contains a place.
func (f *Frame) CellAt(p gbx.Vec3) gbx.Int3 {
	cell := func(v, size float32, floor float64) int32 {
		c := math.Floor(float64(v)/float64(size)) + floor
		if !(math.Abs(c) < 1<<30) {
			return -1 << 30 // NaN: a cell outside every map
		}
		return int32(c)
	}
	return gbx.Int3{X: cell(p.X, f.Cell.X, 0), Y: cell(p.Y, f.Cell.Y, f.Floor), Z: cell(p.Z, f.Cell.Z, 0)}
}

// CellOf returns the cell of a block. For a free block it is the cell that contains its
// position.
func (f *Frame) CellOf(b *Block) gbx.Int3 {
	if b.Free {
		return f.CellAt(b.Position)
	}
	return b.Coord
}

// metres converts a distance in cells to metres.
func (f *Frame) metres(by gbx.Int3) gbx.Vec3 {
	return gbx.Vec3{X: float32(by.X) * f.Cell.X, Y: float32(by.Y) * f.Cell.Y, Z: float32(by.Z) * f.Cell.Z}
}

func plus(a, b gbx.Vec3) gbx.Vec3 { return gbx.Vec3{X: a.X + b.X, Y: a.Y + b.Y, Z: a.Z + b.Z} }

// MoveBlock moves a block by some cells.
func (f *Frame) MoveBlock(b *Block, by gbx.Int3) {
	if b.Free {
		b.Position = plus(b.Position, f.metres(by))
		return
	}
	b.Coord = gbx.Int3{X: b.Coord.X + by.X, Y: b.Coord.Y + by.Y, Z: b.Coord.Z + by.Z}
}

// MoveItem moves an item by some cells.
func (f *Frame) MoveItem(it *Item, by gbx.Int3) { it.Position = plus(it.Position, f.metres(by)) }

// extent returns how many cells a block on the grid takes to the west and north.
func (f *Frame) extent(b *Block) (x, z int32) {
	size, known := f.size(b)
	if !known {
		return 1, 1
	}
	if b.Direction%2 == 1 {
		return size.Z, size.X
	}
	return size.X, size.Z
}

// Turnable reports whether the block's size is known, so that it can be turned. Free
// blocks turn about their corner, so they do not need it.
func (f *Frame) Turnable(b *Block) bool {
	_, known := f.size(b)
	return known || b.Free
}

// Mirrorable reports whether the mirror image of a block is known.
func (f *Frame) Mirrorable(b *Block) bool {
	_, known := f.image(b)
	return known
}

// image returns the mirror image of a block. An unknown block is treated as symmetric.
func (f *Frame) image(b *Block) (blocks.Image, bool) {
	if c := f.custom(b); c != nil {
		return c.image(b, f.Cell)
	}
	if kind := f.m.Kind(b); kind != nil {
		if image, ok := kind.ImageOf(b.Flags); ok {
			return image, true
		}
	}
	return blocks.Image{Name: b.Name, Flags: b.Flags}, false
}

// TurnBlock turns a block together with the box around it, by quarter turns clockwise as
// seen from above. The box keeps its lowest corner.
func (f *Frame) TurnBlock(b *Block, box Box, quarters int) {
	for range ((quarters % 4) + 4) % 4 {
		if b.Free {
			b.Position, b.YawPitchRoll.X = f.turned(b.Position, box), quarterYaw(b.YawPitchRoll.X)
		} else {
			_, z := f.extent(b)
			at := gbx.Int3{X: b.Coord.X - box.Min.X, Z: b.Coord.Z - box.Min.Z}
			depth := box.Max.Z - box.Min.Z + 1
			b.Coord.X, b.Coord.Z = box.Min.X+depth-at.Z-z, box.Min.Z+at.X
			b.Direction = (b.Direction + 1) % 4
		}
		box.Max.X, box.Max.Z = box.Min.X+box.Max.Z-box.Min.Z, box.Min.Z+box.Max.X-box.Min.X
	}
}

// TurnItem turns an item as TurnBlock turns a block.
func (f *Frame) TurnItem(it *Item, box Box, quarters int) {
	for range ((quarters % 4) + 4) % 4 {
		it.Position, it.YawPitchRoll.X = f.turned(it.Position, box), quarterYaw(it.YawPitchRoll.X)
		box.Max.X, box.Max.Z = box.Min.X+box.Max.Z-box.Min.Z, box.Min.Z+box.Max.X-box.Min.X
	}
}

// SpinBlock turns a block in its place by quarter turns, clockwise as seen from above. A
// free block turns about its corner.
func (f *Frame) SpinBlock(b *Block, quarters int) {
	quarters = ((quarters % 4) + 4) % 4
	if !b.Free {
		b.Direction = (b.Direction + quarters) % 4
		return
	}
	for range quarters {
		b.YawPitchRoll.X = quarterYaw(b.YawPitchRoll.X)
	}
}

// SpinItem turns an item in its place.
func (f *Frame) SpinItem(it *Item, quarters int) {
	for range ((quarters % 4) + 4) % 4 {
		it.YawPitchRoll.X = quarterYaw(it.YawPitchRoll.X)
	}
}

// turned returns a place in a box after a quarter turn of the box.
func (f *Frame) turned(p gbx.Vec3, box Box) gbx.Vec3 {
	low, depth := f.metres(box.Min), float32(box.Max.Z-box.Min.Z+1)*f.Cell.Z
	return gbx.Vec3{X: low.X + depth - (p.Z - low.Z), Y: p.Y, Z: low.Z + (p.X - low.X)}
}

// quarterYaw returns a yaw after a clockwise quarter turn. Yaw grows counterclockwise.
func quarterYaw(yaw float32) float32 { return halfTurn(float64(yaw) - math.Pi/2) }

// halfTurn normalises an angle to the range from -π to π.
func halfTurn(a float64) float32 {
	const slack = 1e-6 // keeps π and -π unchanged
	switch {
	case a > math.Pi+slack:
		a -= 2 * math.Pi
	case a < -math.Pi-slack:
		a += 2 * math.Pi
	}
	return float32(a)
}

// MirrorBlock mirrors a block in the middle of a box: it replaces the block by its mirror
// image from the catalogue.
func (f *Frame) MirrorBlock(b *Block, box Box, along Axis) {
	image, _ := f.image(b)
	x, z := f.extent(b)
	switch {
	case b.Free:
		f.mirrorFree(b, image, box, along)
	case along == AxisX:
		b.Coord.X = box.Min.X + box.Max.X - b.Coord.X - (x - 1)
		b.Direction = (image.Turn - b.Direction + 8) % 4
	default:
		b.Coord.Z = box.Min.Z + box.Max.Z - b.Coord.Z - (z - 1)
		b.Direction = (image.Turn - b.Direction + 10) % 4
	}
	b.Name, b.Flags = image.Name, image.Flags
}

// mirrorFree mirrors a free block, whose position is its corner. The mirror image has its
// corner elsewhere, because it is turned and begins on the other side.
func (f *Frame) mirrorFree(b *Block, image blocks.Image, box Box, along Axis) {
	size, known := f.size(b)
	if !known {
		size = gbx.Int3{X: 1, Y: 1, Z: 1}
	}
	wide, long := float32(size.X)*f.Cell.X, float32(size.Z)*f.Cell.Z
	// The place of the image's corner on the block before mirroring, in metres.
	corner := [4]gbx.Vec3{{X: wide}, {}, {Z: long}, {X: wide, Z: long}}[image.Turn]
	b.Position = f.mirrored(plus(b.Position, rotated(b.YawPitchRoll, corner)), box, along)
	b.YawPitchRoll = mirroredTurn(b.YawPitchRoll, along)
	for range image.Turn {
		b.YawPitchRoll = quarterInside(b.YawPitchRoll)
	}
}

// MirrorItem mirrors an item as MirrorBlock mirrors a block.
func (f *Frame) MirrorItem(it *Item, box Box, along Axis) {
	it.Position, it.YawPitchRoll = f.mirrored(it.Position, box, along), mirroredTurn(it.YawPitchRoll, along)
}

// mirrored returns a place in a box after mirroring the box.
func (f *Frame) mirrored(p gbx.Vec3, box Box, along Axis) gbx.Vec3 {
	if along == AxisX {
		p.X = float32(box.Min.X+box.Max.X+1)*f.Cell.X - p.X
	} else {
		p.Z = float32(box.Min.Z+box.Max.Z+1)*f.Cell.Z - p.Z
	}
	return p
}

// mirroredTurn returns the angles of a symmetric thing after mirroring.
func mirroredTurn(r gbx.Vec3, along Axis) gbx.Vec3 {
	r.X, r.Z = -r.X, -r.Z
	if along == AxisZ {
		r.X = halfTurn(float64(r.X) + math.Pi)
	}
	return r
}

// rotation returns the matrix of yaw, pitch and roll: it applies roll first, then pitch,
// then yaw.
func rotation(r gbx.Vec3) (m [3][3]float64) {
	sy, cy := math.Sincos(float64(r.X))
	sp, cp := math.Sincos(float64(r.Y))
	sr, cr := math.Sincos(float64(r.Z))
	return [3][3]float64{
		{cy*cr + sy*sp*sr, -cy*sr + sy*sp*cr, sy * cp},
		{cp * sr, cp * cr, -sp},
		{-sy*cr + cy*sp*sr, sy*sr + cy*sp*cr, cy * cp},
	}
}

// rotated rotates a vector by the angles r.
func rotated(r, p gbx.Vec3) gbx.Vec3 {
	m := rotation(r)
	at := func(i int) float32 {
		return float32(m[i][0]*float64(p.X) + m[i][1]*float64(p.Y) + m[i][2]*float64(p.Z))
	}
	return gbx.Vec3{X: at(0), Y: at(1), Z: at(2)}
}

// quarterInside returns the angles of a clockwise quarter turn (seen from above) followed
// by the rotation r.
func quarterInside(r gbx.Vec3) gbx.Vec3 {
	if r.Y == 0 && r.Z == 0 {
		r.X = quarterYaw(r.X)
		return r
	}
	m := rotation(r)
	// A quarter turn about the upright axis swaps the columns: x becomes z, z becomes -x.
	for i := range m {
		m[i][0], m[i][2] = m[i][2], -m[i][0]
	}
	return gbx.Vec3{
		X: float32(math.Atan2(m[0][2], m[2][2])), Y: float32(math.Asin(max(-1, min(1, -m[1][2])))), Z: float32(math.Atan2(m[1][0], m[1][1])),
	}
}
