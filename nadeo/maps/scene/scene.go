// Package scene lays out the blocks and items of a map in metres. The picture from above,
// the view in three dimensions and the mesh of a whole map all use it.
//
// The layout is schematic. The meshes of blocks are in the games' own files; package
// shapes has approximate surfaces for the blocks it knows. Items embedded in the map have
// meshes of their own.
//
// The axes are those of the games, of glTF and of three.js: y up, z north, x west.
package scene

import (
	"math"
	"slices"
	"strings"

	"pakbox/gbx"
	"pakbox/nadeo/blocks/shapes"
	"pakbox/nadeo/maps"
)

// Thickness is the height in metres of the slab that stands for a cell of a block. Slabs
// as high as a cell would hide the driven lines between them.
const Thickness = 1.2

// itemSize is the edge in metres of the box that stands for an item without a mesh.
const itemSize = 3

// Scene is the layout of a map. Blocks has one Thing for each flat part of a block's
// surface.
type Scene struct {
	Blocks, Items []Thing
	// Models are the meshes that the map embeds and places.
	Models []Model
	// Omissions counts the blocks that are not in Blocks, by reason.
	Omissions []Omission
	// Environment is the map's collection, which decides about colours.
	Environment string
	Cell        gbx.Vec3 // size of a cell in metres
	Floor       float64  // height of the lowest level in metres
	Size        gbx.Int3 // size of the map in cells
	Min, Max    gbx.Vec3 // box around the tracks, see bounds

	tracks bool // whether there are any

	names map[[2]string]Thing // known things, by name of the block and waypoint
}

// Omission counts blocks that are not shown for one reason.
type Omission struct {
	Blocks int
	Why    string
}

// The reasons for not showing a block.
const (
	ofTheGame  = "ground and pillars that the game adds by itself"
	underWater = "water below the surface of other water"
)

// leave counts a block that is not shown.
func (s *Scene) leave(why string) {
	for i := range s.Omissions {
		if s.Omissions[i].Why == why {
			s.Omissions[i].Blocks++
			return
		}
	}
	s.Omissions = append(s.Omissions, Omission{1, why})
}

// Thing is a block or an item as a box.
type Thing struct {
	Name      string
	Index     int // position in the map's list of blocks or of items
	Kind      Kind
	Surface   string // road, dirt, grass, …: the material that the name suggests
	Way       Way
	Cell      *gbx.Int3 // nil for free blocks and items
	Direction int       // 0 north to 3 west; -1 for free blocks and items
	Color     int       // the colour that the player chose; -1 in maps without such colours
	Center    gbx.Vec3  // the middle of the box
	Extent    gbx.Vec3  // edges of the box; in a curve as long as its outer edge, so that boxes leave no gaps
	Middle    float32   // length of this part along the middle of the road
	Turn      Turn
}

// Model is an embedded mesh and the places where it stands.
type Model struct {
	Name      string // of the embedded file
	Instances []Instance
}

// Instance is one use of a mesh. The mesh is moved by its pivot, scaled, turned, and then
// moved to Position.
type Instance struct {
	Item            int // position in the map's list of items
	Position, Pivot gbx.Vec3
	Turn            Turn
	Scale           float32
}

// maxSlabs limits the number of slabs. Beyond it each block gets a single slab. A hostile
// file of a few megabytes can name enough large blocks to fill all memory; real maps have
// fewer than a hundred thousand slabs.
const maxSlabs = 1 << 20

// Of lays out a map. It leaves out the ground and the pillars, which the game adds by
// itself.
func Of(m *maps.Map) *Scene {
	s := &Scene{Environment: m.Collection(), Cell: m.CellSize(), Size: m.Size()}
	s.Floor = -m.Floor() * float64(s.Cell.Y)
	list := m.Blocks()
	water := waterLevels(list)
	s.Blocks = make([]Thing, 0, len(list))
	for i, b := range list {
		t, ok := s.block(i, &b)
		switch {
		case !ok:
			s.leave(ofTheGame)
		case isWater(&b) && b.Position.Y < water[column(&b)]:
			s.leave(underWater)
		case len(s.Blocks) > maxSlabs:
			s.Blocks = append(s.Blocks, s.slab(t, s.cellOf(&b)))
		default:
			s.Blocks = s.surface(s.Blocks, t, m, &b)
		}
	}
	for i, it := range m.Items() {
		if finite(it.Position) {
			s.Items = append(s.Items, itemThing(i, &it))
		}
	}
	s.models(m)
	s.bounds()
	return s
}

// isWater recognises free blocks of water. Players fill lakes with tens of thousands of
// them in layers; only the top layer is visible.
func isWater(b *maps.Block) bool { return b.Free && strings.HasPrefix(b.Name, "DecoWallWater") }

func column(b *maps.Block) [2]int32 { return [2]int32{int32(b.Position.X), int32(b.Position.Z)} }

// waterLevels returns the height of the highest free water block in each column.
func waterLevels(list []maps.Block) map[[2]int32]float32 {
	levels := map[[2]int32]float32{}
	for i := range list {
		if b := &list[i]; isWater(b) {
			if y, ok := levels[column(b)]; !ok || b.Position.Y > y {
				levels[column(b)] = b.Position.Y
			}
		}
	}
	return levels
}

// block returns the fields that all slabs of a block share, and false for a block that is
// not shown.
func (s *Scene) block(i int, b *maps.Block) (Thing, bool) {
	t := s.named(b.Name, b.Waypoint)
	t.Index, t.Color, t.Turn = i, b.Color, noTurn
	if t.Way == NoWay && (t.Kind == Hidden || b.Pillar() && t.Kind != Track) {
		return t, false
	}
	t.Direction = b.Direction
	if b.Free {
		t.Direction = -1
	}
	return t, !b.Free || finite(b.Position)
}

// named returns the fields that follow from a block's name and waypoint. The result is
// cached, because a map has few different names.
func (s *Scene) named(name, waypoint string) Thing {
	key := [2]string{name, waypoint}
	t, ok := s.names[key]
	if !ok {
		if s.names == nil {
			s.names = map[[2]string]Thing{}
		}
		t = Thing{Name: name, Kind: kindOf(name), Surface: surfaceOf(name), Way: WayOf(waypoint, name)}
		s.names[key] = t
	}
	return t
}

// cellOf returns the cell in which a block stands.
func (s *Scene) cellOf(b *maps.Block) gbx.Int3 {
	if !b.Free {
		return b.Coord
	}
	return gbx.Int3{X: int32(b.Position.X / s.Cell.X), Y: int32((b.Position.Y - float32(s.Floor)) / s.Cell.Y), Z: int32(b.Position.Z / s.Cell.Z)}
}

// surface adds the slabs of a block to the list: the slabs of its shape if the shape is
// known, otherwise (scenery, unknown blocks) one slab for each cell.
func (s *Scene) surface(list []Thing, t Thing, m *maps.Map, b *maps.Block) []Thing {
	key, place, ok := s.Shape(m, b, t.Kind)
	if key.Kind == nil {
		if b.Free {
			t.Extent = gbx.Vec3{X: s.Cell.X, Y: Thickness, Z: s.Cell.Z}
			t.Turn = turnOf(b.YawPitchRoll)
			t.Center = add(b.Position, t.Turn.Apply(gbx.Vec3{X: t.Extent.X / 2, Y: t.Extent.Y / 2, Z: t.Extent.Z / 2})) // a free block turns about its corner
			return append(list, t)
		}
		return append(list, s.slabs(t, maps.CellsOf(m.Kind(b), b))...)
	}
	if !ok {
		return list
	}
	for _, slab := range shapes.Of(key, s.Cell) {
		t.Extent = gbx.Vec3{X: float32(slab.Wide), Y: Thickness, Z: float32(max(slab.Long, slab.Edge))}
		t.Middle = float32(slab.Long)
		up := place.Turn.Apply(slab.Normal)
		top := add(place.Position, place.Turn.Apply(slab.Top))
		t.Center = add(top, gbx.Vec3{X: -up.X * Thickness / 2, Y: -up.Y * Thickness / 2, Z: -up.Z * Thickness / 2})
		t.Turn = turnTo(place.Turn.Apply(slab.Right), up, place.Turn.Apply(slab.Along))
		if t.Cell = nil; !b.Free {
			t.Cell = &gbx.Int3{X: int32(top.X / s.Cell.X), Y: b.Coord.Y, Z: int32(top.Z / s.Cell.Z)}
		}
		list = append(list, t)
	}
	return list
}

// Shape returns the shape of a block and its place. The key has no kind if nothing is known
// about the block's surface: scenery, unknown blocks. Shape returns false if the block has
// no place.
func (s *Scene) Shape(m *maps.Map, b *maps.Block, is Kind) (shapes.Key, Instance, bool) {
	kind := m.Kind(b)
	if kind == nil && is == Track && !b.Free {
		kind = shapes.Substitute(m.Collection(), b.Name)
	}
	key := shapes.Key{Kind: kind, Ground: b.Ground(), Variant: b.Flags & 0x3F}
	if kind == nil || !kind.Ground.Known() && is != Track || is == Scenery && !key.Driven() {
		return shapes.Key{}, Instance{}, false
	}
	if !kind.ByVariant {
		key.Variant = 0 // equal shapes have equal keys
	}
	place, ok := s.PlaceBlock(b, shapes.CellsOf(kind, b.Ground()).Size)
	if !ok {
		return key, place, false
	}
	place.Position.Y += float32(kind.Rise) * s.Cell.Y
	if !b.Free {
		place.Position.Y += float32(shapes.Shift(kind, b.Coord.Y))
	}
	return key, place, true
}

// slabs makes one slab for each column of cells that a block occupies, in the lowest cell
// of the column. The block stands there; the cells above are only kept free.
func (s *Scene) slabs(t Thing, cells []gbx.Int3) []Thing {
	var out []Thing
	at := map[[2]int32]int{}
	for _, cell := range cells {
		i, seen := at[[2]int32{cell.X, cell.Z}]
		switch {
		case !seen:
			at[[2]int32{cell.X, cell.Z}] = len(out)
			out = append(out, s.slab(t, cell))
		case cell.Y < out[i].Cell.Y:
			out[i] = s.slab(t, cell)
		}
	}
	return out
}

// slab is the part of a block in one cell.
func (s *Scene) slab(t Thing, cell gbx.Int3) Thing {
	t.Cell = &cell
	t.Extent = gbx.Vec3{X: s.Cell.X, Y: Thickness, Z: s.Cell.Z}
	t.Center = gbx.Vec3{
		X: (float32(cell.X) + 0.5) * s.Cell.X,
		Y: float32(s.Floor) + float32(cell.Y)*s.Cell.Y + Thickness/2,
		Z: (float32(cell.Z) + 0.5) * s.Cell.Z,
	}
	return t
}

func itemThing(i int, it *maps.Item) Thing {
	name := it.Model.ID.String()
	return Thing{
		Name: name, Index: i, Kind: kindOf(name), Surface: surfaceOf(name), Way: ItemWay(it.Waypoint, name), Direction: -1, Color: it.Color,
		Center: it.Position, Extent: gbx.Vec3{X: itemSize, Y: itemSize, Z: itemSize}, Turn: turnOf(it.YawPitchRoll),
	}
}

// models collects the meshes of items that are embedded in the map.
func (s *Scene) models(m *maps.Map) {
	embedding, err := m.EmbeddedFiles()
	if err != nil {
		return // items are then shown as boxes
	}
	at := map[*maps.EmbeddedFile]int{}
	for i := range embedding.Files {
		if e := &embedding.Files[i]; e.Uses > 0 && strings.HasSuffix(strings.ToLower(e.Model), ".item.gbx") {
			at[e] = len(s.Models)
			s.Models = append(s.Models, Model{Name: e.Name})
		}
	}
	files := map[string]*maps.EmbeddedFile{}
	for i, it := range m.Items() {
		name := it.Model.ID.String()
		e, seen := files[name]
		if !seen {
			e = embedding.Model(name)
			files[name] = e
		}
		if p, ok := PlaceItem(i, &it); ok && e != nil {
			if k, ok := at[e]; ok {
				s.Models[k].Instances = append(s.Models[k].Instances, p)
			}
		}
	}
}

// bounds sets Min and Max around the tracks. On each axis it ignores the outermost 2 % at
// both ends, so that a few distant things do not shrink the view. Without tracks it takes
// the whole grid.
func (s *Scene) bounds() {
	var axes [3][]float32
	for _, list := range [][]Thing{s.Blocks, s.Items} {
		for i := range list {
			if t := &list[i]; near(t.Center) && (t.Kind == Track || t.Way != NoWay) {
				axes[0], axes[1], axes[2] = append(axes[0], t.Center.X), append(axes[1], t.Center.Y), append(axes[2], t.Center.Z)
			}
		}
	}
	if len(axes[0]) == 0 {
		s.Min = gbx.Vec3{Y: float32(s.Floor)}
		s.Max = gbx.Vec3{X: float32(s.Size.X) * s.Cell.X, Y: float32(s.Floor) + float32(s.Size.Y)*s.Cell.Y, Z: float32(s.Size.Z) * s.Cell.Z}
		return
	}
	s.tracks = true
	var lo, hi [3]float32
	for i, axis := range axes {
		slices.Sort(axis)
		far := len(axis) / 50
		lo[i], hi[i] = axis[far], axis[len(axis)-1-far]
	}
	s.Min, s.Max = gbx.Vec3{X: lo[0], Y: lo[1], Z: lo[2]}, gbx.Vec3{X: hi[0], Y: hi[1], Z: hi[2]}
}

// Around returns the box around the tracks, wider by two cells and a tenth of its size, so
// that large ground does not make them small. Its corners are equal without tracks.
func (s *Scene) Around() (box [2]gbx.Vec3) {
	if !s.tracks {
		return box
	}
	const cells = 2
	wide := max(s.Max.X-s.Min.X, s.Max.Z-s.Min.Z)/10 + cells*s.Cell.X
	more := gbx.Vec3{X: wide, Y: cells * s.Cell.Y, Z: wide}
	return [2]gbx.Vec3{{X: s.Min.X - more.X, Y: s.Min.Y - more.Y, Z: s.Min.Z - more.Z}, add(s.Max, more)}
}

// near reports whether a camera should care about a place. Files may contain absurd
// coordinates.
func near(p gbx.Vec3) bool {
	const most = 1e5
	return finite(p) && max(p.X, p.Y, p.Z) < most && min(p.X, p.Y, p.Z) > -most
}

func finite(p gbx.Vec3) bool {
	sum := float64(p.X) + float64(p.Y) + float64(p.Z)
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

func add(a, b gbx.Vec3) gbx.Vec3 { return gbx.Vec3{X: a.X + b.X, Y: a.Y + b.Y, Z: a.Z + b.Z} }
