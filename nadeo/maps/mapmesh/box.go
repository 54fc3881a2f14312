package mapmesh

import (
	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/nadeo/maps/scene"
)

// cube is a cube of one metre around the origin, with flat shading.
var cube = func() *mesh.Geometry {
	g := &mesh.Geometry{}
	one := func(axis int, v float32) gbx.Vec3 {
		var a [3]float32
		a[axis%3] = v
		return gbx.Vec3{X: a[0], Y: a[1], Z: a[2]}
	}
	for axis := range 3 {
		for _, side := range []float32{-1, 1} {
			// The vectors u, v and n are right-handed in this order.
			n, u, v := one(axis, side), one(axis+1, side), one(axis+2, 1)
			first := uint32(len(g.Positions))
			for _, corner := range [][2]float32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				g.Positions = append(g.Positions, gbx.Vec3{
					X: (n.X + corner[0]*u.X + corner[1]*v.X) / 2,
					Y: (n.Y + corner[0]*u.Y + corner[1]*v.Y) / 2,
					Z: (n.Z + corner[0]*u.Z + corner[1]*v.Z) / 2,
				})
				g.Normals = append(g.Normals, n)
			}
			g.Indices = append(g.Indices, first, first+1, first+2, first, first+2, first+3)
		}
	}
	return g
}()

// slabs makes a node for a block or item without a mesh: a box, or a mesh of boxes if it
// has several slabs. Equal blocks that stand alike share that mesh.
func (b *builder) slabs(list []scene.Thing, name string, flags uint32) *mesh.Node {
	b.out.Boxes.add(len(list) * cube.Triangles())
	if len(list) == 1 {
		return b.slab(&list[0], name)
	}
	first := &list[0]
	if first.Direction >= 0 && (b.merged+len(list) <= maxMerged || b.pieces[b.pieceOf(first, flags)] != nil) {
		return &mesh.Node{Name: name, Mesh: b.piece(list, flags), Transform: movedTo(first.Center)}
	}
	n := &mesh.Node{Name: name, Transform: mesh.Identity}
	for i := range list {
		n.Children = append(n.Children, b.slab(&list[i], name))
	}
	return n
}

// piece is the key under which blocks with the same slabs share a mesh.
type piece struct {
	name, tint string
	direction  int
	flags      uint32
}

func (b *builder) pieceOf(t *scene.Thing, flags uint32) piece {
	tint, _ := b.tintOf(t)
	return piece{t.Name, tint, t.Direction, flags}
}

// maxMerged limits the boxes in meshes of boxes, to 50 MB. Real maps have fewer than ten
// thousand; in a map with more, the boxes of further blocks are nodes.
const maxMerged = 1 << 16

// piece returns the mesh of a block's slabs, around the middle of the first.
func (b *builder) piece(list []scene.Thing, flags uint32) *mesh.Mesh {
	key := b.pieceOf(&list[0], flags)
	m, ok := b.pieces[key]
	if ok {
		return m
	}
	g := &mesh.Geometry{}
	for i := range list {
		at := placed(&list[i])
		at.T = minus(at.T, list[0].Center)
		first := uint32(len(g.Positions))
		for v := range cube.Positions {
			g.Positions = append(g.Positions, at.Point(cube.Positions[v]))
			g.Normals = append(g.Normals, list[i].Turn.Apply(cube.Normals[v]))
		}
		for _, index := range cube.Indices {
			g.Indices = append(g.Indices, first+index)
		}
	}
	m = &mesh.Mesh{Name: key.name, Kind: mesh.Made, Parts: []mesh.Part{{Material: b.tinted(&list[0]), Geometry: g}}}
	b.pieces[key] = m
	b.merged += len(list)
	b.out.Stored += m.Triangles()
	return m
}

func movedTo(at gbx.Vec3) mesh.Transform {
	t := mesh.Identity
	t.T = at
	return t
}

func minus(a, b gbx.Vec3) gbx.Vec3 { return gbx.Vec3{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z} }

// ground adds the flat ground or the water of the environment, if it has one.
func (b *builder) ground() {
	size := b.layout.Size
	if size.X <= 0 || size.Z <= 0 || size.X > maxGround || size.Z > maxGround {
		return
	}
	if height, surface, ok := b.m.GroundPlane(); ok {
		if low, high := b.out.Tracks[0].Y, b.out.Tracks[1].Y; surface != "water" && (low+high)/2 < float32(height) {
			return // tracks that programs made may lie below, where nobody would see them
		}
		b.group("Ground", []*mesh.Node{b.plain(float32(height)-below, surface, 0, size.X, 0, size.Z)})
	} else if height, surface, ok := b.m.BareGround(); ok {
		b.bare(float32(height), surface)
	}
}

// bare adds the ground of cells for which the map stores none, in strips from south to
// north.
func (b *builder) bare(height float32, surface string) {
	stored := map[[2]int32]bool{}
	for block := range b.m.EachBareBlock() {
		if kind := b.m.Kind(block); kind != nil && kind.Has("terrain") {
			for _, c := range b.m.Cells(block) {
				stored[[2]int32{c.X, c.Z}] = true
			}
		}
	}
	var nodes []*mesh.Node
	for x := range b.layout.Size.X {
		for z := int32(0); z < b.layout.Size.Z; z++ {
			from := z
			for z < b.layout.Size.Z && !stored[[2]int32{x, z}] {
				z++
			}
			if z > from {
				nodes = append(nodes, b.plain(height, surface, x, x+1, from, z))
			}
		}
	}
	b.group("Ground", nodes)
}

// plain makes a flat part of the ground over some cells.
func (b *builder) plain(height float32, surface string, x0, x1, z0, z1 int32) *mesh.Node {
	b.out.Boxes.Triangles += cube.Triangles()
	cell := b.layout.Cell
	wide, long := float32(x1-x0)*cell.X, float32(z1-z0)*cell.Z
	return b.slab(&scene.Thing{
		Surface: surface, Turn: scene.Turn{3: 1}, Extent: gbx.Vec3{X: wide, Y: scene.Thickness, Z: long},
		Center: gbx.Vec3{X: float32(x0)*cell.X + wide/2, Y: height - scene.Thickness/2, Z: float32(z0)*cell.Z + long/2},
	}, "Ground")
}

// below is how far in metres the plane lies below the ground that a map stores, so that
// both do not flicker.
const below = 0.3

// maxGround is the edge in cells of the largest ground that is drawn. Larger maps are
// made by programs and stand in the void.
const maxGround = 128

func (b *builder) slab(t *scene.Thing, name string) *mesh.Node {
	tint, _ := b.tintOf(t)
	m, ok := b.boxes[tint]
	if !ok {
		m = &mesh.Mesh{Name: "Box " + tint, Kind: mesh.Made, Parts: []mesh.Part{{Material: b.tinted(t), Geometry: cube}}}
		b.boxes[tint] = m
		b.out.Stored += m.Triangles()
	}
	return &mesh.Node{Name: name, Mesh: m, Transform: placed(t)}
}

// tinted returns the material in the colour of a block or item.
func (b *builder) tinted(t *scene.Thing) int {
	tint, c := b.tintOf(t)
	return b.material(mesh.Material{Name: tint, Color: c})
}

// wet is the alpha of water: some tracks lie below it.
const wet = 80

// tintOf returns the name and the colour in which a block or item is shown. One can look
// through water, also where it is painted.
func (b *builder) tintOf(t *scene.Thing) (string, [4]uint8) {
	tint, c := t.Tint(b.layout.Environment)
	if t.Surface != "water" || t.Way != scene.NoWay {
		return tint, [4]uint8{c[0], c[1], c[2], 255}
	}
	if tint != "water" {
		tint += " water"
	}
	return tint, [4]uint8{c[0], c[1], c[2], wet}
}

// placed puts the cube where a slab is.
func placed(t *scene.Thing) mesh.Transform {
	axis := func(v gbx.Vec3, length float32) gbx.Vec3 {
		v = t.Turn.Apply(v)
		return gbx.Vec3{X: v.X * length, Y: v.Y * length, Z: v.Z * length}
	}
	return mesh.Transform{
		Mat3: gbx.Mat3{X: axis(gbx.Vec3{X: 1}, t.Extent.X), Y: axis(gbx.Vec3{Y: 1}, t.Extent.Y), Z: axis(gbx.Vec3{Z: 1}, t.Extent.Z)},
		T:    t.Center,
	}
}

// lineTints are the colours of driven lines; they repeat.
var lineTints = [][4]uint8{{255, 128, 0, 255}, {0, 170, 255, 255}, {230, 0, 130, 255}, {120, 200, 0, 255}, {150, 90, 255, 255}}

// maxPoints limits the points of all lines together, to a hundred hours of driving.
const maxPoints = 1 << 23

// lines adds the driven lines. It skips a line whose points are all equal.
func (b *builder) lines(list []Line) {
	var nodes []*mesh.Node
	for _, l := range list {
		if len(l.Points) < 2 || b.out.Points+len(l.Points) > maxPoints {
			continue
		}
		tint := lineTints[len(nodes)%len(lineTints)]
		g := &mesh.Geometry{Positions: l.Points, Line: true}
		m := &mesh.Mesh{Name: l.Name, Kind: mesh.Made, Parts: []mesh.Part{{Material: b.material(mesh.Material{Name: "Line " + l.Name, Color: tint}), Geometry: g}}}
		nodes = append(nodes, &mesh.Node{Name: l.Name, Transform: mesh.Identity, Mesh: m})
		b.out.Lines++
		b.out.Points += len(l.Points)
	}
	b.group("Lines", nodes)
}
