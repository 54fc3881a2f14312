package shapes

import (
	"math"
	"strings"
	"sync"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
)

// Part is what a face of a mesh belongs to. It decides about the material.
type Part uint8

const (
	Deck  Part = iota // the upper side, which cars drive on
	Flank             // sides and underside
	Curb              // the raised border of a road
)

// Face is one flat part of a mesh: its corners, counterclockwise for who sees it. The last
// two are equal in a triangle.
type Face struct {
	Corners [4]gbx.Vec3
	Part    Part
}

// Normal returns the direction of length 1 that the face looks to.
func (f *Face) Normal() gbx.Vec3 {
	return unit(cross(minus(f.Corners[2], f.Corners[0]), minus(f.Corners[3], f.Corners[1])))
}

// deep is the thickness in metres of decks and walls.
const deep = 1.2

// sheet is a surface over a grid of points, row by row, with a thickness. Neighbouring
// squares share their points, so that a sheet has no cracks.
type sheet struct {
	across, along int        // squares in a row, and rows of squares
	points        []gbx.Vec3 // of the upper side
	under         []gbx.Vec3 // of the underside
	has           []bool     // the squares that exist; nil for all
	curb          bool       // the outermost squares on the left and right carry a curb
	open          bool       // nothing is seen from below
}

func (s *sheet) at(i, j int) int { return i + (s.across+1)*j }

func (s *sheet) exists(i, j int) bool {
	return i >= 0 && j >= 0 && i < s.across && j < s.along && (s.has == nil || s.has[i+s.across*j])
}

// The size in metres of the curb of a road.
const (
	curbWide = 1.5
	curbHigh = 0.6
)

// faces makes the upper side, the underside and the sides of a sheet.
func (s *sheet) faces() []Face {
	var out []Face
	turned := s.turned()
	quad := func(part Part, a, b, c, d gbx.Vec3) {
		if turned {
			a, b, c, d = d, c, b, a
		}
		out = append(out, Face{[4]gbx.Vec3{a, b, c, d}, part})
	}
	for j := range s.along {
		for i := range s.across {
			if !s.exists(i, j) {
				continue
			}
			k := [4]int{s.at(i, j), s.at(i+1, j), s.at(i+1, j+1), s.at(i, j+1)}
			p, u := s.points, s.under
			part := Deck
			if s.curb && (i == 0 || i == s.across-1) {
				part = Curb
			}
			quad(part, p[k[3]], p[k[2]], p[k[1]], p[k[0]])
			if !s.open {
				quad(Flank, u[k[0]], u[k[1]], u[k[2]], u[k[3]])
			}
			for n, next := range [4][2]int{{i, j - 1}, {i + 1, j}, {i, j + 1}, {i - 1, j}} {
				if from, to := k[n], k[(n+1)%4]; !s.exists(next[0], next[1]) {
					quad(Flank, p[from], p[to], u[to], u[from])
				}
			}
		}
	}
	return out
}

// turned reports whether the rows run the other way round, from left to right.
func (s *sheet) turned() bool {
	all := float32(0)
	for j := range s.along {
		for i := range s.across {
			k := [4]int{s.at(i, j), s.at(i+1, j), s.at(i+1, j+1), s.at(i, j+1)}
			normal := cross(minus(s.points[k[1]], s.points[k[3]]), minus(s.points[k[2]], s.points[k[0]]))
			all += dot(normal, minus(s.points[k[0]], s.under[k[0]]))
		}
	}
	return all > 0
}

// Mesh returns the faces of a block in its own frame, for cells of this size. The list is
// cached: do not change it.
func Mesh(k Key, cell gbx.Vec3) []Face {
	if k.Variant &= 0x3F; !k.Kind.ByVariant {
		k.Variant = 0
	}
	meshesMu.Lock()
	defer meshesMu.Unlock()
	list, ok := meshes[madeKey{k, cell}]
	if !ok {
		list = meshOf(k, cell)
		meshes[madeKey{k, cell}] = list
	}
	return list
}

var (
	meshes   = map[madeKey][]Face{}
	meshesMu sync.Mutex
)

// meshOf makes the mesh of a block, of its mirror image if more is known about that.
func meshOf(k Key, cell gbx.Vec3) []Face {
	if image, turn, ok := k.image(); ok && image != k && better(image, k) {
		s := newShape(image, cell)
		return reflectedFaces(s.faces(), turn, s.wide, s.long)
	}
	return newShape(k, cell).faces()
}

// reflectedFaces mirrors faces. Their corners turn round, so that the same side is seen.
func reflectedFaces(list []Face, turn int, wide, long float64) []Face {
	out := make([]Face, len(list))
	for i, f := range list {
		out[i].Part = f.Part
		for n, p := range f.Corners {
			x, z := blocks.Reflect(float64(p.X), float64(p.Z), turn, wide, long)
			out[i].Corners[3-n] = gbx.Vec3{X: float32(x), Y: p.Y, Z: float32(z)}
		}
	}
	return out
}

// faces makes the mesh of a block: of a wall, a loop, a ribbon, or a field.
func (s *shape) faces() []Face {
	if list := s.wallRide(); list != nil {
		return plates(list)
	}
	if list := s.wall(); list != nil {
		return plates(list)
	}
	if a, ok := s.arcOf(); ok {
		return a.faces()
	}
	if list := s.loop(); list != nil {
		return plates(list)
	}
	if from, to, ok := s.ends(); ok {
		return s.ribbonSheet(from, to).faces()
	}
	return s.fieldSheet().faces()
}

// plates makes a mesh of slabs that have no common points.
func plates(list []Slab) []Face {
	var out []Face
	for i := range list {
		l := &list[i]
		long := max(l.Long, l.Edge)
		p := &sheet{across: 1, along: 1}
		for _, v := range []float32{-0.5, 0.5} {
			for _, u := range []float32{-0.5, 0.5} {
				q := plus(l.Top, plus(scaled(l.Right, -u*float32(l.Wide)), scaled(l.Along, v*float32(long))))
				p.points = append(p.points, q)
				p.under = append(p.under, minus(q, scaled(l.Normal, deep)))
			}
		}
		out = append(out, p.faces()...)
	}
	return out
}

// faces makes the mesh of an arc.
func (a *arc) faces() []Face {
	steps := max(8, int(math.Abs(a.to-a.from)/math.Pi*32))
	p := &sheet{across: 1, along: steps}
	for i := range steps + 1 {
		t := float64(i) / float64(steps)
		sin, cos := math.Sincos(a.from + (a.to-a.from)*t)
		inside := unit(gbx.Vec3{Y: float32(cos), Z: float32((a.z(0) - a.z(sin)) / a.radius)})
		sides := []float64{-1, 1}
		if a.north > 0 {
			sides = []float64{1, -1}
		}
		for _, side := range sides {
			q := gbx.Vec3{X: float32(a.x0 + (a.x1-a.x0)*t + side*a.half), Y: float32(a.middle - a.radius*cos), Z: float32(a.z(sin))}
			p.points = append(p.points, q)
			p.under = append(p.under, minus(q, scaled(inside, deep)))
		}
	}
	return p.faces()
}

// ribbonSheet makes the surface of a road from one opening to the other.
func (s *shape) ribbonSheet(a, b opening) *sheet {
	steps := s.steps(a, b)
	crown, curb := s.crown(), s.hasCurb(a, b)
	p := &sheet{along: steps, curb: curb}
	for i := range steps + 1 {
		left, right := s.edges(a, b, float64(i)/float64(steps))
		mid := scaled(plus(left, right), 0.5)
		mid.Y += crown
		row := []gbx.Vec3{left, mid, right}
		if curb {
			t := float32(curbWide / max(length(minus(right, left)), 4*curbWide))
			inner := func(from, to gbx.Vec3) gbx.Vec3 { return plus(from, scaled(minus(to, from), 2*t)) }
			row = []gbx.Vec3{left, inner(left, mid), mid, inner(right, mid), right}
		}
		if crown == 0 {
			row = append(row[:len(row)/2], row[len(row)/2+1:]...)
		}
		p.across = len(row) - 1
		for n, q := range row {
			low := q
			low.Y -= deep
			if curb && (n == 0 || n == len(row)-1) {
				q.Y += curbHigh
			}
			p.points, p.under = append(p.points, q), append(p.under, low)
		}
	}
	return p
}

// steps is the number of straight parts that a ribbon is divided into: about 8 degrees or
// 8 m each.
func (s *shape) steps(a, b opening) int {
	steps := 1
	distance := math.Hypot(b.x-a.x, b.z-a.z)
	if bent := a.dx*b.dx+a.dz*b.dz > -0.9 || math.Abs((b.x-a.x)*a.dz)+math.Abs((b.z-a.z)*a.dx) > 1; bent {
		steps = max(12, int(distance/8))
	}
	if !s.flat(a, b) {
		steps = max(steps, int(distance/4))
	}
	return min(steps, 32)
}

// hasCurb reports whether a road has a raised border: roads have, if they are not as wide as
// their cells, and not of dirt or ice.
func (s *shape) hasCurb(a, b opening) bool {
	if strings.Contains(s.Kind.Name, "Dirt") || strings.Contains(s.Kind.Name, "Ice") {
		return false
	}
	return a.half < float64(s.cell.X)/2-1 && b.half < float64(s.cell.X)/2-1
}

// fieldSheet makes the surface of a block without a road over its cells.
func (s *shape) fieldSheet() *sheet {
	edge := square * float64(s.cell.X) / 32
	nx, nz := int(s.wide/edge+0.5), int(s.long/edge+0.5)
	p := &sheet{across: nx, along: nz, has: make([]bool, nx*nz)}
	all := true
	for i := range nx {
		for j := range nz {
			p.has[i+nx*j] = s.covers((float64(i)+0.5)*edge, (float64(j)+0.5)*edge, edge)
			all = all && p.has[i+nx*j]
		}
	}
	height := s.heights()
	if all && s.even(height) {
		nx, nz, p.across, p.along, p.has = 1, 1, 1, 1, nil
	}
	for j := range nz + 1 {
		for i := range nx + 1 {
			x, z := s.wide*float64(i)/float64(nx), s.long*float64(j)/float64(nz)
			q := gbx.Vec3{X: float32(x), Y: float32(height(x, z)), Z: float32(z)}
			low := q
			low.Y = s.foot(q.Y)
			p.points, p.under = append(p.points, q), append(p.under, low)
		}
	}
	return p
}

// foot is where the sides of a field end: on the floor of a block on the ground.
func (s *shape) foot(y float32) float32 {
	if s.Ground && y > deep && y <= s.cell.Y+deep && !s.Kind.Has("terrain") {
		return 0
	}
	return y - deep
}

// heights returns the height of a field at each place: flat where all heights are near one.
func (s *shape) heights() func(x, z float64) float64 {
	if h := s.hill(); h != nil {
		return h
	}
	return s.profile.at
}

// even reports whether a field is flat, so that one square shows it.
func (s *shape) even(height func(x, z float64) float64) bool {
	const bent = 0.35 // metres that a flat surface may deviate
	h := func(u, v float64) float64 { return height(u*s.wide, v*s.long) }
	for i := range 5 {
		for j := range 5 {
			u, v := float64(i)/4, float64(j)/4
			flat := (h(0, 0)*(1-u)+h(1, 0)*u)*(1-v) + (h(0, 1)*(1-u)+h(1, 1)*u)*v
			if math.Abs(flat-h(u, v)) > bent {
				return false
			}
		}
	}
	return true
}
