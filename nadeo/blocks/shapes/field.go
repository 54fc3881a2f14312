package shapes

import (
	"maps"
	"math"
	"slices"
	"strings"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
)

// square is the edge in metres of the smallest part of a field, for cells of 32 m.
const square = 8.0

// spots makes a profile from the ends of a block: four places with their heights along
// each end.
func (s *shape) spots() *profile {
	p := &profile{}
	for _, e := range s.Kind.Ends {
		length := s.side(e.Side)
		for _, t := range []float64{0.125, 0.375, 0.625, 0.875} {
			q := spot{height: e.From + (e.To-e.From)*t, weight: 5}
			along := (float64(e.Cell) + t) * length
			switch e.Side {
			case 0:
				q.x, q.z = along, s.long
			case 1:
				q.x, q.z = 0, along
			case 2:
				q.x, q.z = along, 0
			default:
				q.x, q.z = s.wide, along
			}
			p.spots = append(p.spots, q)
		}
	}
	return p
}

// usual guesses the profile of a block that has neither ends nor recorded runs. Its
// height is that of blocks whose names begin alike. It climbs as its name gives; another
// slope rises to the top of its cells.
func (s *shape) usual() *profile {
	base := s.usualHeight()
	climb, climbs := blocks.ClimbOf(s.Kind.Environment, s.Kind.Name)
	rise := float64(s.cells.Size.Y-1) * float64(s.cell.Y)
	if !s.Kind.Has("slope") && !s.Kind.Has("slopebase") {
		rise = 0
	}
	p, rows := &profile{}, 4
	if climbs {
		rows = 8
	}
	for i := range 4 {
		for j := range rows {
			x, z := (float64(i)+0.5)/4, (float64(j)+0.5)/float64(rows)
			h := base + rise*z
			if climbs {
				h = base + climb.At(z)*float64(s.cell.Y) + airborneOf(s.Kind) - AirHeight(s.Kind, z)
			}
			p.spots = append(p.spots, spot{x * s.wide, z * s.long, h, 1})
		}
	}
	return p
}

// findBases returns the heights of flat blocks by the first words of their names: in the
// middle of all samples that were learned. For no word at all, it is that of the blocks of
// the environment which lie on the floor of their cells, as most roads do.
func (l *lessons) findBases() map[string]float64 {
	flat := map[string][]spot{}
	for _, name := range slices.Sorted(maps.Keys(l.learned())) {
		p := l.learned()[name].settled()
		low, high := math.Inf(1), math.Inf(-1)
		for _, q := range p.spots {
			low, high = min(low, q.height), max(high, q.height)
		}
		if high-low > 1 {
			continue
		}
		environment, block, _ := strings.Cut(name, " ")
		if c, ok := blocks.ClimbOf(environment, block); ok && c.From > 0 {
			continue // the usual profile gives the height of the others
		}
		if h := middle(p.spots); h < 3 {
			flat[""] = append(flat[""], spot{height: h, weight: 1})
		}
		for _, words := range []int{1, 2, 3} {
			key := beginning(block, words)
			flat[key] = append(flat[key], p.spots...)
		}
	}
	all := map[string]float64{}
	for key, spots := range flat {
		all[key] = middle(spots)
	}
	return all
}

// beginning returns the first words of a name: two words of StadiumRoadMain are
// StadiumRoad.
func beginning(name string, words int) string {
	if words == 0 {
		return ""
	}
	for i, c := range name {
		if i > 0 && c >= 'A' && c <= 'Z' {
			if words--; words == 0 {
				return name[:i]
			}
		}
	}
	return name
}

// arenaBelow is how far in metres the floor of arenas lies below the upper side of its
// cells, in Canyon and Valley alike.
const arenaBelow = 0.35

// isArena reports whether a block is a part of an arena, or its ground.
func (s *shape) isArena() bool {
	return strings.HasPrefix(s.Kind.Name, "Arena") || strings.HasPrefix(s.Kind.Name, "RoadArena")
}

func (s *shape) usualHeight() float64 {
	for _, words := range []int{3, 2, 1, 0} {
		if s.isArena() && (words == 0 || strings.HasPrefix(s.Kind.Name, "Road")) {
			return float64(s.cell.Y) - arenaBelow
		}
		if h, ok := lessonsOf(s.Kind.Environment).bases()[beginning(s.Kind.Name, words)]; ok {
			return h
		}
	}
	if strings.HasSuffix(s.Kind.Environment, "2020") {
		return 2
	}
	return 1
}

// field makes the surface of a block without a road: slabs over its cells, as large as
// the surface is flat.
func (s *shape) field() []Slab {
	edge := square * float64(s.cell.X) / 32
	nx, nz := int(s.wide/edge+0.5), int(s.long/edge+0.5)
	inside := make([]bool, nx*nz)
	for i := range nx {
		for j := range nz {
			inside[i+nx*j] = s.covers((float64(i)+0.5)*edge, (float64(j)+0.5)*edge, edge)
		}
	}
	var out []Slab
	var part func(x0, z0, x1, z1 int)
	part = func(x0, z0, x1, z1 int) {
		some, all := false, true
		for i := x0; i < x1; i++ {
			for j := z0; j < z1; j++ {
				some, all = some || inside[i+nx*j], all && inside[i+nx*j]
			}
		}
		switch {
		case !some:
		case all && s.plane(float64(x0)*edge, float64(z0)*edge, float64(x1)*edge, float64(z1)*edge, &out):
		case s.diagonal && x1-x0 == z1-z0 && x1-x0 > 1: // in squares, which lie alike on both sides
			n := 2
			if (x1-x0)%2 == 1 {
				n = x1 - x0
			}
			edge := (x1 - x0) / n
			for i := range n {
				for j := range n {
					part(x0+i*edge, z0+j*edge, x0+(i+1)*edge, z0+(j+1)*edge)
				}
			}
		case x1-x0 >= z1-z0 && x1-x0 > 1:
			for _, p := range halves(x0, x1) {
				part(p[0], z0, p[1], z1)
			}
		case z1-z0 > 1:
			for _, p := range halves(z0, z1) {
				part(x0, p[0], x1, p[1])
			}
		default:
			out = append(out, s.quad(float64(x0)*edge, float64(z0)*edge, float64(x1)*edge, float64(z1)*edge))
		}
	}
	part(0, 0, nx, nz)
	return out
}

// halves splits a stretch symmetrically: into two halves, or around a middle part of 1 if
// the length is odd.
func halves(from, to int) [][2]int {
	half := (to - from) / 2
	if (to-from)%2 == 0 {
		return [][2]int{{from, from + half}, {from + half, to}}
	}
	return [][2]int{{from, from + half}, {from + half, to - half}, {to - half, to}}
}

// covers reports whether a square belongs to the surface: the block takes its
// cell, and of a road that many cars drove on, some did near it.
func (s *shape) covers(x, z, edge float64) bool {
	taken := s.taken(x, z)
	if image, turn, ok := s.image(); !taken && ok && image == s.Key {
		taken = s.taken(blocks.Reflect(x, z, turn, s.wide, s.long)) // a few symmetric blocks have cells that are not quite symmetric
	}
	if !taken || s.profile.samples < 60 || s.Kind.Has("terrain") {
		return taken
	}
	for _, q := range s.profile.spots {
		if q.weight >= 2 && math.Abs(q.x-x) < edge*1.3 && math.Abs(q.z-z) < edge*1.3 {
			return true
		}
	}
	return false
}

// taken reports whether the block has a cell at a place, at any height.
func (s *shape) taken(x, z float64) bool {
	cx, cz := int32(x/float64(s.cell.X)), int32(z/float64(s.cell.Z))
	for y := range s.cells.Size.Y {
		if s.cells.Has(cx, y, cz) {
			return true
		}
	}
	return false
}

// plane adds a rectangle as one slab if the surface over it is flat.
func (s *shape) plane(x0, z0, x1, z1 float64, out *[]Slab) bool {
	const bent = 0.35 // metres that a flat surface may deviate
	q := s.quad(x0, z0, x1, z1)
	for i := range 5 {
		for j := range 5 {
			x, z := x0+(x1-x0)*float64(i)/4, z0+(z1-z0)*float64(j)/4
			p := gbx.Vec3{X: float32(x), Y: float32(s.profile.at(x, z)), Z: float32(z)}
			if d := dot(minus(p, q.Top), q.Normal); d > bent || d < -bent {
				return false
			}
		}
	}
	*out = append(*out, q)
	return true
}

// quad is the slab over a rectangle, as long and as wide as in its middle, so that a
// mirror from corner to corner gives the same one.
func (s *shape) quad(x0, z0, x1, z1 float64) Slab {
	at := func(x, z float64) gbx.Vec3 {
		return gbx.Vec3{X: float32(x), Y: float32(s.profile.at(x, z)), Z: float32(z)}
	}
	q := slabBetween(at(x0, z0), at(x1, z0), at(x0, z1), at(x1, z1))
	q.Edge = 0
	return q
}
