package maps

import (
	"math"
	"slices"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/blocks"
)

// CellSize returns the width, height and length of a cell of the map's grid in metres.
func (m *Map) CellSize() gbx.Vec3 { return cellSize(m.Collection()) }

func cellSize(collection string) gbx.Vec3 {
	switch collection {
	case "Coast":
		return gbx.Vec3{X: 16, Y: 4, Z: 16}
	case "Speed", "Desert", "Alpine", "Snow":
		return gbx.Vec3{X: 32, Y: 16, Z: 32}
	case "Island":
		return gbx.Vec3{X: 64, Y: 8, Z: 64}
	case "Storm":
		return gbx.Vec3{X: 8, Y: 2, Z: 8}
	case "Canyon":
		return gbx.Vec3{X: 64, Y: 16, Z: 64}
	}
	return gbx.Vec3{X: 32, Y: 8, Z: 32}
}

// floors are the levels of the grid at height 0. Those of ManiaPlanet come from the items
// of real maps: an item stores its cell and its position. Those of Trackmania (2020) were
// tried in the game on its campaign of summer 2026: row 0 lies at -40 m in BlueBay and
// GreenCoast, at -120 m in RedIsland and WhiteShore.
var floors = map[string]float64{
	"Valley": 5, "Canyon": 15, "Storm": 9,
	"BlueBay": 5, "GreenCoast": 5, "RedIsland": 15, "WhiteShore": 15,
}

const usualFloor = 8 // of Stadium since ManiaPlanet

// Floor returns the level of the grid at height 0: a block at level y begins (y - Floor)
// cells above that height. The value follows from most items of the map or, without
// items, from the environment.
func (m *Map) Floor() float64 {
	var seen []float64
	height := float64(m.CellSize().Y)
	if c, ok := find[*game.Chunk03043040](m); ok {
		for _, r := range c.Items {
			a, ok := gbx.Find[*game.Chunk03101002](r.Node)
			if !ok || a.BlockUnitCoord.Y == noCell {
				continue
			}
			if y := float64(a.AbsolutePositionInMap.Y); math.Abs(y) < 1e6 {
				seen = append(seen, float64(a.BlockUnitCoord.Y)-math.Floor(y/height))
			}
		}
	}
	const enough = 5 // items that must agree
	if len(seen) >= enough {
		slices.Sort(seen)
		return seen[len(seen)/2]
	}
	if f, ok := floors[m.Collection()]; ok {
		return f
	}
	if m.Title() == "" { // before ManiaPlanet: known from driven lines
		return 0
	}
	return usualFloor
}

// waters are the heights in metres of the water in the environments that Trackmania
// (2020) got in 2024, as other people measured them in the game.
var waters = map[string]float64{"BlueBay": 7, "GreenCoast": -0.8, "RedIsland": -0.5, "WhiteShore": -1}

// decorations are the heights and materials of the ground of decorations of TrackMania
// United Forever: what stands on it on real maps has level 4 (Rally, Snow, Desert) or 5
// (Island, Bay), on the sea of Coast 4. The water lies somewhat lower than the shore.
var decorations = map[string]struct {
	height  float64
	surface string
}{
	"Rally": {32, "grass"}, "Alpine": {64, "snow"}, "Speed": {64, "sand"}, "Island": {38, "water"}, "Bay": {38, "water"}, "Coast": {15, "water"},
}

// onDecoration reports whether the ground of a map is that of its decoration. Maps of the
// first games store all their ground, from level 0.
func (m *Map) onDecoration() bool {
	const lowest = 3
	for b := range m.EachBareBlock() {
		if b.Coord.Y < lowest {
			return false
		}
	}
	return true
}

// bare are the heights and materials of ground that maps of the first Stadium, of Valley
// and of Canyon do not store: flat cells at the level of the decoration, as high as cars
// drive on stored ones. The Stadium since ManiaPlanet has a ground plane.
var bare = map[string]struct {
	height  float64
	surface string
}{"Valley": {1.4, "grass"}, "Canyon": {-0.3, "dirt"}, "Stadium": {8.8, "grass"}}

// BareGround returns the height in metres and the material of the ground in cells for
// which the map stores none. It returns false if there is no such ground, or nothing is
// known about it.
func (m *Map) BareGround() (height float64, surface string, ok bool) {
	b, ok := bare[m.Collection()]
	return b.height, b.surface, ok
}

// GroundPlane returns the height in metres of the flat ground of an empty map, and its
// material: grass, snow, sand or water. It returns false if the ground is not flat or its
// height is unknown.
func (m *Map) GroundPlane() (height float64, surface string, ok bool) {
	if y, ok := waters[m.Collection()]; ok {
		return y, "water", true
	}
	if d, ok := decorations[m.Collection()]; ok && m.Title() == "" {
		return d.height, d.surface, m.onDecoration()
	}
	level, flat := m.GroundLevel()
	return (float64(level) - m.Floor()) * float64(m.CellSize().Y), "grass", flat
}

// GroundLevel returns the level of blocks on the ground, in environments with flat
// ground: Stadium since ManiaPlanet.
func (m *Map) GroundLevel() (int32, bool) {
	flat := m.Title() != "" && (m.Collection() == "Stadium" || m.Collection() == "Stadium2020")
	return usualFloor + 1, flat
}

// Kind returns the catalogue's entry for a block, nil for unknown and embedded blocks.
func (m *Map) Kind(b *Block) *blocks.Block { return blocks.Find(m.Collection(), b.Name) }

// Cells returns the cells of the grid that a block takes. For an unknown block it is its
// own cell. A free block has none.
func (m *Map) Cells(b *Block) []gbx.Int3 {
	if b.Free {
		return nil
	}
	return CellsOf(m.Kind(b), b)
}

// CellsOf is [Map.Cells] for a block whose catalogue entry is known.
func CellsOf(kind *blocks.Block, b *Block) []gbx.Int3 {
	if kind == nil || !kind.Ground.Known() {
		return []gbx.Int3{b.Coord}
	}
	c := kind.Cells(b.Ground())
	out := make([]gbx.Int3, 0, 1)
	for cell := range c.List() {
		at := blocks.TurnCell(cell, c.Size, b.Direction)
		out = append(out, gbx.Int3{X: b.Coord.X + at.X, Y: b.Coord.Y + at.Y + int32(kind.Rise), Z: b.Coord.Z + at.Z})
	}
	return out
}

// BlockSize returns how many cells a block takes before it is turned, if known.
func (m *Map) BlockSize(b *Block) (gbx.Int3, bool) {
	kind := m.Kind(b)
	if kind == nil {
		return gbx.Int3{}, false
	}
	return kind.Cells(b.Ground()).Size, kind.Ground.Known()
}

// OnMap reports whether all cells of a block lie on the map. A free block may stand
// anywhere.
func (m *Map) OnMap(b *Block) bool {
	grid := m.Grid()
	for _, c := range m.Cells(b) {
		if !grid.Has(c) {
			return false
		}
	}
	return true
}
