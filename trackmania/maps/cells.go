package maps

import (
	_ "embed"
	"fmt"
	"math/big"
	"strings"
	"sync"

	"pakbox/gbx"
)

// blockCells lists the blocks of the seven environments of TrackMania United
// that are larger than a cell: a block's name, its size in cells, and where it
// does not fill the box, the cells that it does fill as bits of a hexadecimal
// number: of x first, then z, then y. A second size is that in the air. The
// games' own files say so; maps do not.
//
//go:embed blockcells.txt
var blockCells string

// blockShape is the cells that a block occupies before it is turned.
type blockShape struct {
	size  gbx.Int3
	cells []gbx.Int3
}

// blockShapes are the shapes of blocks by environment and name: on the ground
// and in the air.
var blockShapes = sync.OnceValue(func() map[string][2]blockShape {
	shapes := map[string][2]blockShape{}
	environment := ""
	for line := range strings.Lines(blockCells) {
		words := strings.Fields(line)
		if len(words) == 1 {
			environment = strings.Trim(words[0], "[]")
			continue
		}
		ground := parseShape(words[1])
		shapes[environment+" "+words[0]] = [2]blockShape{ground, parseShape(words[len(words)-1])}
	}
	return shapes
})

func parseShape(word string) blockShape {
	var s blockShape
	size, bits, part := strings.Cut(word, ":")
	fmt.Sscanf(size, "%dx%dx%d", &s.size.X, &s.size.Y, &s.size.Z) // the table is a part of the program
	filled := new(big.Int)
	filled.SetString(bits, 16)
	i := 0
	for y := range s.size.Y {
		for z := range s.size.Z {
			for x := range s.size.X {
				if !part || filled.Bit(i) == 1 {
					s.cells = append(s.cells, gbx.Int3{X: x, Y: y, Z: z})
				}
				i++
			}
		}
	}
	return s
}

// oldEnvironments are environments by the name that files have for them and
// people do not.
var oldEnvironments = map[string]string{"Speed": "Desert", "Alpine": "Snow"}

// Cells returns the cells of the map's grid that a block of TrackMania United
// or earlier occupies; its own where it is no larger than that or nothing is
// known about it. A free block has none.
func (m *Map) Cells(b *Block) []gbx.Int3 {
	if b.Free {
		return nil
	}
	both, ok := m.shapes(b)
	if !ok {
		return []gbx.Int3{b.Coord}
	}
	s := &both[1]
	if b.Ground() {
		s = &both[0]
	}
	out := make([]gbx.Int3, len(s.cells))
	for i, c := range s.cells {
		at := turnedCell(c, s.size, b.Direction)
		out[i] = gbx.Int3{X: b.Coord.X + at.X, Y: b.Coord.Y + at.Y, Z: b.Coord.Z + at.Z}
	}
	return out
}

// BlockSize returns how many cells a block takes before it is turned, where
// that is known.
func (m *Map) BlockSize(b *Block) (gbx.Int3, bool) {
	both, ok := m.shapes(b)
	if b.Ground() {
		return both[0].size, ok
	}
	return both[1].size, ok
}

// shapes are the shapes of a block, if it is known to be larger than a cell.
func (m *Map) shapes(b *Block) ([2]blockShape, bool) {
	environment := m.Collection()
	if name, ok := oldEnvironments[environment]; ok {
		environment = name
	}
	both, ok := blockShapes()[environment+" "+b.Name]
	return both, ok
}

// turnedCell is a cell of a block that was turned. The block's coordinate stays
// that of its corner with the lowest x and z.
func turnedCell(c, size gbx.Int3, direction int) gbx.Int3 {
	switch direction {
	case 1:
		c.X, c.Z = size.Z-1-c.Z, c.X
	case 2:
		c.X, c.Z = size.X-1-c.X, size.Z-1-c.Z
	case 3:
		c.X, c.Z = c.Z, size.X-1-c.X
	}
	return c
}
