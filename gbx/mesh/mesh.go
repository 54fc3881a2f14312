package mesh

import (
	"math"

	"pakbox/gbx"
)

// Scene has all geometry of one file.
type Scene struct {
	Nodes     []*Node // the outermost nodes
	Materials []Material
	// Outside lists other files that contain geometry of this file.
	Outside []string
	// Variants are the numbers of the requested variants that exist.
	Variants []int
}

// Node is a place in a scene, with a mesh, with nodes of its own, or both.
type Node struct {
	Name      string
	Transform Transform // from the node's coordinates to those of its parent
	Mesh      *Mesh     // nil for none; nodes may share a mesh
	Level     int       // level of detail, 0 for the finest
	Role      Role
	Children  []*Node
}

// Role is the purpose of the geometry below a node.
type Role int

// The roles.
const (
	Drawn     Role = iota // visible
	Collision             // only for collisions
	Trigger               // triggers an event when a car or player enters it
)

// String gives the role's name.
func (r Role) String() string { return [...]string{"drawn", "collision", "trigger"}[r] }

// Kind is how a file stores a mesh.
type Kind int

// The kinds.
const (
	Solid   Kind = iota // CPlugSolid: a visual of a tree
	Solid2              // CPlugSolid2Model
	Crystal             // CPlugCrystal: a layer
	Surface             // CPlugSurface
	Made                // from no file: boxes, lines
)

// String gives the kind's name.
func (k Kind) String() string { return [...]string{"solid", "solid2", "crystal", "surface", "made"}[k] }

// Mesh is a set of triangles in one place.
type Mesh struct {
	Name  string
	Kind  Kind
	Parts []Part
}

// Part has the triangles of a mesh with one material.
type Part struct {
	Material int // index in the scene's materials, -1 for none
	*Geometry
}

// Geometry is a list of triangles, or a line. Parts may share one.
type Geometry struct {
	Positions []gbx.Vec3
	Normals   []gbx.Vec3   // of length 1; either one for each position, or none
	UVs       [][]gbx.Vec2 // sets of texture coordinates; each set has one for each position
	Colors    [][4]uint8   // RGBA; either one for each position, or none
	Indices   []uint32     // three for each triangle; none in a line
	Line      bool         // a line from each position to the next
}

// Triangles returns the number of triangles.
func (g *Geometry) Triangles() int { return len(g.Indices) / 3 }

// Vertices returns the number of vertices of the mesh.
func (m *Mesh) Vertices() int {
	n := 0
	for _, p := range m.Parts {
		n += len(p.Positions)
	}
	return n
}

// Triangles returns the number of triangles of the mesh.
func (m *Mesh) Triangles() int {
	n := 0
	for _, p := range m.Parts {
		n += p.Triangles()
	}
	return n
}

// Material is the look of a surface, by name. Its textures belong to the game.
type Material struct {
	Name string
	// Link is the game's material that a user's material is based on, or "".
	Link string
	// Color is red, green and blue in sRGB, and 255 or less if one looks through it, as
	// through water; all 0 if unknown.
	Color [4]uint8
}

// Bounds is the smallest box around some points.
type Bounds struct{ Min, Max gbx.Vec3 }

// NoBounds is an empty box.
func NoBounds() Bounds {
	inf := float32(math.Inf(1))
	return Bounds{gbx.Vec3{X: inf, Y: inf, Z: inf}, gbx.Vec3{X: -inf, Y: -inf, Z: -inf}}
}

// Add extends the box to a point.
func (b *Bounds) Add(p gbx.Vec3) {
	b.Min = gbx.Vec3{X: min(b.Min.X, p.X), Y: min(b.Min.Y, p.Y), Z: min(b.Min.Z, p.Z)}
	b.Max = gbx.Vec3{X: max(b.Max.X, p.X), Y: max(b.Max.Y, p.Y), Z: max(b.Max.Z, p.Z)}
}

// Visit calls visit for every node, outer ones first, with its transform to the
// scene.
func (s *Scene) Visit(visit func(n *Node, t Transform)) { visitAll(s.Nodes, Identity, visit) }

func visitAll(nodes []*Node, outer Transform, visit func(*Node, Transform)) {
	for _, n := range nodes {
		t := outer.Times(n.Transform)
		visit(n, t)
		visitAll(n.Children, t, visit)
	}
}

// Bounds returns the box around all triangles of the scene. Most meshes stand at many
// places and are turned by quarters: the box of such a mesh, turned, is exact.
func (s *Scene) Bounds() Bounds {
	b := NoBounds()
	boxes := map[*Mesh]Bounds{}
	s.Visit(func(n *Node, t Transform) {
		switch {
		case n.Mesh == nil:
		case t.aligned():
			box, ok := boxes[n.Mesh]
			if !ok {
				box = n.Mesh.Bounds(Identity)
				boxes[n.Mesh] = box
			}
			if box.Min.X <= box.Max.X {
				b.Add(t.Point(box.Min))
				b.Add(t.Point(box.Max))
			}
		default:
			b.addMesh(n.Mesh, t)
		}
	})
	return b
}

func (b *Bounds) addMesh(m *Mesh, t Transform) {
	for _, p := range m.Parts {
		for _, i := range p.Indices {
			b.Add(t.Point(p.Positions[i]))
		}
		for i := 0; p.Line && i < len(p.Positions); i++ {
			b.Add(t.Point(p.Positions[i]))
		}
	}
}

// Bounds returns the box around the mesh where t puts it.
func (m *Mesh) Bounds(t Transform) Bounds {
	b := NoBounds()
	b.addMesh(m, t)
	return b
}

// Select returns the scene with only the meshes for which keep returns true, without
// empty nodes.
func (s *Scene) Select(keep func(*Node) bool) *Scene {
	return &Scene{Nodes: selectNodes(s.Nodes, keep), Materials: s.Materials, Outside: s.Outside}
}

func selectNodes(nodes []*Node, keep func(*Node) bool) []*Node {
	var out []*Node
	for _, n := range nodes {
		m := *n
		m.Children = selectNodes(n.Children, keep)
		if m.Mesh != nil && !keep(n) {
			m.Mesh = nil
		}
		if m.Mesh != nil || len(m.Children) > 0 {
			out = append(out, &m)
		}
	}
	return out
}

// Finest returns only the drawn meshes at the finest level of detail.
func (s *Scene) Finest() *Scene {
	return s.Select(func(n *Node) bool { return n.Role == Drawn && n.Level == 0 })
}

// Count returns the number of vertices and triangles of all nodes, counted as in glTF: a
// vertex has one normal and one texture coordinate.
func (s *Scene) Count() (vertices, triangles int) {
	s.Visit(func(n *Node, _ Transform) {
		if n.Mesh != nil {
			vertices += n.Mesh.Vertices()
			triangles += n.Mesh.Triangles()
		}
	})
	return vertices, triangles
}

// CollisionTriangles counts the triangles of collision shapes. A mesh that occurs several
// times counts once.
func (s *Scene) CollisionTriangles() (triangles int) {
	seen := map[*Geometry]bool{}
	s.Visit(func(n *Node, _ Transform) {
		if n.Mesh == nil || n.Mesh.Kind != Surface {
			return
		}
		for _, p := range n.Mesh.Parts {
			if !seen[p.Geometry] {
				seen[p.Geometry] = true
				triangles += p.Triangles()
			}
		}
	})
	return triangles
}
