// Package shapes approximates the surface of a block: a list of slabs in the block's own
// frame, in metres from the lowest corner of its cells, before the block is turned.
//
// The catalogue of blocks lists where a road enters and leaves, and at which height. For
// blocks without such ends, heights were learned from recorded runs. A block with two
// ends becomes a ribbon between them; other blocks become a field over their cells.
package shapes

import (
	"strings"
	"sync"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
)

// Slab is a flat part of a surface.
type Slab struct {
	Top    gbx.Vec3 // the middle of the upper side
	Wide   float64  // metres across and along
	Long   float64
	Edge   float64  // length of the outer edge in a curve; 0 if it equals Long
	Right  gbx.Vec3 // directions of length 1: across, up from the surface, along
	Normal gbx.Vec3
	Along  gbx.Vec3
}

// Key names a shape. Blocks with equal keys have equal surfaces.
type Key struct {
	Kind    *blocks.Block
	Ground  bool
	Variant uint32 // flags of a block that adapts its form to its neighbours; otherwise 0
}

var (
	made   = map[madeKey][]Slab{}
	madeMu sync.Mutex
)

type madeKey struct {
	Key
	cell gbx.Vec3
}

// Of returns the surface of a block, for cells of this size. The list is cached: do not
// change it.
func Of(k Key, cell gbx.Vec3) []Slab {
	if k.Variant &= 0x3F; !k.Kind.ByVariant {
		k.Variant = 0
	}
	madeMu.Lock()
	defer madeMu.Unlock()
	list, ok := made[madeKey{k, cell}]
	if !ok {
		list = surfaceOf(k, cell)
		made[madeKey{k, cell}] = list
	}
	return list
}

// surfaceOf makes the surface of a block. If more is known about its mirror image, it
// mirrors the surface of that one.
func surfaceOf(k Key, cell gbx.Vec3) []Slab {
	if image, turn, ok := k.image(); ok && image != k && better(image, k) {
		s := newShape(image, cell)
		return reflected(s.slabs(), turn, s.wide, s.long)
	}
	return newShape(k, cell).slabs()
}

// one stands for the unknown cells of a block: a single cell.
var one = blocks.Cells{Size: gbx.Int3{X: 1, Y: 1, Z: 1}, Full: true}

// CellsOf returns the cells that a block is drawn over.
func CellsOf(kind *blocks.Block, ground bool) *blocks.Cells {
	if c := kind.Cells(ground); c.Known() {
		return c
	}
	return &one
}

// shape collects the facts about a block from which its surface is made.
type shape struct {
	Key
	cell       gbx.Vec3
	cells      *blocks.Cells
	wide, long float64 // metres, of the block's bounding box
	profile    *profile
	openings   []opening
	diagonal   bool // the block is symmetric about a diagonal of its box
}

func newShape(k Key, cell gbx.Vec3) *shape {
	s := &shape{Key: k, cell: cell, cells: CellsOf(k.Kind, k.Ground)}
	s.wide, s.long = float64(s.cells.Size.X)*float64(cell.X), float64(s.cells.Size.Z)*float64(cell.Z)
	image, turn, mirrored := k.image()
	p := k.profile(cell)
	if other := image.profile(cell); mirrored && other != nil {
		p = p.with(other, turn, float64(image.size().X)*float64(cell.X), float64(image.size().Z)*float64(cell.Z))
	}
	ground := s.ground()
	switch {
	case len(k.Kind.Ends) > 0:
		s.openings = s.findOpenings()
		s.profile = s.spots()
	case ground != nil:
		s.profile = ground
	case p != nil:
		s.profile = s.raised(p.settled())
	default:
		s.profile = s.raised(s.usual())
	}
	if mirrored && image == k {
		s.diagonal = turn%2 == 1
		if p == nil || len(k.Kind.Ends) > 0 {
			s.profile = s.profile.with(s.profile, turn, s.wide, s.long)
		}
	}
	return s
}

// slabs makes the surface: a wall or loop, a ribbon, or a field.
func (s *shape) slabs() []Slab {
	if list := s.wallRide(); list != nil {
		return list
	}
	if list := s.wall(); list != nil {
		return list
	}
	if list := s.loop(); list != nil {
		return list
	}
	if from, to, ok := s.ends(); ok {
		return s.ribbon(from, to)
	}
	return s.field()
}

// ends returns the two openings of a ribbon, false if the block is none.
func (s *shape) ends() (from, to opening, ok bool) {
	if len(s.openings) == 2 {
		return s.openings[0], s.openings[1], true
	}
	if from, to, ok = s.road(); ok {
		return from, to, ok
	}
	if from, to, ok = s.bend(); ok {
		return from, to, ok
	}
	return s.fitted()
}

// roadWidth is the width in metres of roads whose cells are 32 m wide, borders included.
const roadWidth = 26

// opening is where a ribbon begins or ends: the middle, the direction into the
// block, the half width, and the heights on the left and on the right as seen
// from outside.
type opening struct {
	x, z, dx, dz float64
	half         float64
	left, right  float64
	slanted      bool // the road crosses the opening at an angle (diagonal roads)
}

// findOpenings turns the block's ends into openings. Two half-wide ends beside each other
// become one.
func (s *shape) findOpenings() []opening {
	var out []opening
	ends := s.Kind.Ends
	for i := 0; i < len(ends); i++ {
		e := ends[i]
		length := s.side(e.Side)
		from, to := float64(e.Cell)*length, float64(e.Cell+1)*length
		low, high := e.From, e.To
		joined := false
		if e.Width > 0 && i+1 < len(ends) && ends[i+1].Side == e.Side && ends[i+1].Cell == e.Cell+1 && e.Width < length*0.6 {
			n := ends[i+1]
			to = from + length + n.Width
			from += length - e.Width
			high, joined = n.To, true
			i++
		}
		o := opening{half: (to - from) / 2, slanted: joined}
		if !joined {
			if !strings.HasPrefix(s.Kind.Name, "Platform") {
				o.half = min(o.half, roadWidth/2*length/32)
			}
			if e.Width > 0 {
				o.half = min(o.half, e.Width/2)
			}
			// The catalogue gives heights at the corners of the side; these are at the
			// edges of the road.
			part := o.half / ((to - from) / 2)
			mid := (low + high) / 2
			low, high = mid+(low-mid)*part, mid+(high-mid)*part
		}
		mid := (from + to) / 2
		// Left of a direction (dx, dz) is (dz, -dx).
		switch e.Side {
		case blocks.North:
			o.x, o.z, o.dz, o.left, o.right = mid, s.long, -1, low, high
		case blocks.South:
			o.x, o.z, o.dz, o.left, o.right = mid, 0, 1, high, low
		case blocks.East:
			o.x, o.z, o.dx, o.left, o.right = 0, mid, 1, low, high
		default:
			o.x, o.z, o.dx, o.left, o.right = s.wide, mid, -1, high, low
		}
		out = append(out, o)
	}
	return out
}

// side returns the length of one cell along a side of the box.
func (s *shape) side(side blocks.Side) float64 {
	if side == blocks.North || side == blocks.South {
		return float64(s.cell.X)
	}
	return float64(s.cell.Z)
}

// road finds the openings of a road that has no ends in the catalogue, by its family: a
// straight road goes from south to north, a road that bends itself from east to north.
func (s *shape) road() (from, to opening, ok bool) {
	if !strings.Contains(s.Kind.Name, "Road") || s.isArena() || s.cells.Size.X != s.cells.Size.Z && s.cells.Size.X != 1 {
		return from, to, false
	}
	half := s.half()
	south := opening{x: s.wide / 2, dz: 1, half: half}
	north := opening{x: s.wide / 2, z: s.long, dz: -1, half: half}
	switch {
	case s.Kind.ByVariant && s.Variant == 2:
		return opening{z: s.long / 2, dx: 1, half: half}, north, s.Kind.Has("road")
	case s.Kind.ByVariant:
		return south, north, s.Kind.Has("road") && (s.Variant == 3 || s.Variant == 1)
	case s.cells.Size.X == 1 && s.leadsNorth():
		return south, north, true
	}
	return from, to, false
}

// leadsNorth reports whether a road of one cell's width leads from south to north, by its
// family.
func (s *shape) leadsNorth() bool {
	if strings.Contains(s.Kind.Name, "Corner") {
		return false
	}
	if strings.HasPrefix(s.Kind.Environment, "Stadium") && (s.Kind.Has("banked") || s.Kind.Has("tilt")) {
		return true
	}
	return s.Kind.Has("straight") || s.Kind.Has("slope") || s.Kind.Has("slopebase")
}
