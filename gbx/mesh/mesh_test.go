package mesh_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/meta"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/internal/meshtest"
	"pakbox/internal/testkit/corpus"
)

// number reads a number of the oracle; 0 where none exists.
func number(o map[string]any, part, key string) int {
	m, _ := o[part].(map[string]any)
	v, _ := m[key].(float64)
	return int(v)
}

// All meshes have as many vertices and triangles as another implementation
// found.
func TestCountsAgainstOracle(t *testing.T) {
	known := corpus.Oracle[struct {
		Mesh map[string]any `json:"mesh"`
	}](t)
	compared := 0
	eachFile(t, func(name string, f *gbx.File, nodes allNodes) {
		if strings.Count(filepath.ToSlash(name), "/") > 1 {
			return // a map embeds it
		}
		o := known[corpus.Name(name)].Mesh
		if o == nil {
			return
		}
		s, err := mesh.Read(f, mesh.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		vertices, triangles := stored(s)
		positions, corners := crystalCorners(nodes)
		if want := number(o, "crystal", "positions"); positions != want {
			t.Errorf("%s: crystals have %d positions, want %d", name, positions, want)
		}
		wantVertices := number(o, "visual", "vertices") + corners
		wantTriangles := number(o, "visual", "triangles") + number(o, "crystal", "triangles")
		if vertices != wantVertices || triangles != wantTriangles {
			t.Errorf("%s: %d vertices, %d triangles; want %d, %d", name, vertices, triangles, wantVertices, wantTriangles)
		}
		if wantTriangles > 0 {
			compared++
		}
	})
	if compared < 140 {
		t.Errorf("only %d files with meshes were compared", compared)
	}
	t.Logf("%d files with meshes", compared)
}

// crystalCorners counts the positions that crystals store, and of these the ones at
// which a face has a corner, equal ones of a layer once.
func crystalCorners(nodes allNodes) (positions, corners int) {
	layer := func(c *plug.CPlugCrystalCrystal) {
		at := map[gbx.Vec3]bool{}
		if e := c.Embedded; e != nil {
			g := &e.Geometry
			positions += len(g.Positions)
			for i := range g.Faces {
				for _, p := range g.Faces[i].Indices {
					at[g.Positions[p]] = true
				}
			}
		}
		if e := c.Editable; e != nil {
			g := &e.EditableGeometry.Mesh
			positions += len(g.Positions)
			for i := range g.Faces {
				for _, v := range g.Faces[i].Vertices {
					at[g.Positions[v.PositionIndex]] = true
				}
			}
		}
		corners += len(at)
	}
	for n := range nodes {
		if c, ok := gbx.Find[*plug.Chunk09003000](n); ok {
			layer(&c.Crystal)
		}
		if c, ok := gbx.Find[*plug.Chunk09003005](n); ok {
			for i := range c.Layers.List {
				if g := c.Layers.List[i].Geometry; g != nil {
					layer(&g.Crystal)
				}
			}
		}
	}
	return positions, corners
}

// stored counts the vertices and triangles that a file stores: all levels of
// detail, each mesh once, corners of a crystal once.
func stored(s *mesh.Scene) (vertices, triangles int) {
	seen := map[any]bool{}
	s.Visit(func(n *mesh.Node, _ mesh.Transform) {
		m := n.Mesh
		if m == nil || m.Kind == mesh.Surface || n.Role == mesh.Trigger || seen[m] {
			return
		}
		seen[m] = true
		corners := map[gbx.Vec3]bool{}
		for _, p := range m.Parts {
			if seen[p.Geometry] {
				continue
			}
			seen[p.Geometry] = true
			triangles += p.Triangles()
			if m.Kind != mesh.Crystal {
				vertices += len(p.Positions)
				continue
			}
			for _, c := range p.Positions {
				corners[c] = true
			}
		}
		vertices += len(corners)
	})
	return vertices, triangles
}

// allNodes collects the nodes of a file, wherever they are.
type allNodes map[*gbx.Node]bool

func (a allNodes) Value(string, any)               {}
func (a allNodes) Coded(string, any, int64, int64) {}
func (a allNodes) End(int64)                       {}
func (a allNodes) Begin(_ string, p any, _ int64) {
	if n, ok := p.(*gbx.Node); ok {
		a[n] = true
	}
}

// eachFile gives the test each file with all its nodes.
func eachFile(t *testing.T, test func(name string, f *gbx.File, nodes allNodes)) {
	meshtest.EachFile(t, func(name string, f *gbx.File) {
		nodes := allNodes{}
		if err := f.Walk(nodes); err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		test(name, f, nodes)
	})
}

// No triangle of a visual is missed, in whatever node a file keeps it.
func TestNothingIsMissed(t *testing.T) {
	visuals := 0
	eachFile(t, func(name string, f *gbx.File, nodes allNodes) {
		want := 0
		for n := range nodes {
			if c, ok := gbx.Find[*plug.Chunk0906A000](n); ok {
				want += len(c.Indices) / 3
			}
			if c, ok := gbx.Find[*plug.Chunk09057000](n); ok {
				want += len(c.Indices) / 3
			}
			if c, ok := gbx.Find[*plug.Chunk09057001](n); ok {
				want += len(c.IndexDeltas) / 3
			}
			if c, ok := gbx.Find[*plug.Chunk09003000](n); ok {
				want += crystalTriangles(&c.Crystal)
			}
			if c, ok := gbx.Find[*plug.Chunk09003005](n); ok {
				want += layerTriangles(c)
			}
		}
		s, err := mesh.Read(f, mesh.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if _, got := stored(s); got != want {
			t.Errorf("%s: %d triangles, %d are there", name, got, want)
		}
		visuals += want
	})
	if visuals < 250_000 {
		t.Errorf("only %d triangles", visuals)
	}
	t.Logf("%d triangles", visuals)
}

func layerTriangles(c *plug.Chunk09003005) int {
	n := 0
	for i := range c.Layers.List {
		if g := c.Layers.List[i].Geometry; g != nil {
			n += crystalTriangles(&g.Crystal)
		}
	}
	return n
}

func crystalTriangles(c *plug.CPlugCrystalCrystal) int {
	n := 0
	if e := c.Embedded; e != nil {
		for j := range e.Geometry.Faces {
			n += len(e.Geometry.Faces[j].Indices) - 2
		}
	}
	if e := c.Editable; e != nil {
		for j := range e.EditableGeometry.Mesh.Faces {
			n += len(e.EditableGeometry.Mesh.Faces[j].Vertices) - 2
		}
	}
	return n
}

// Triangles look where their normals do, and texture coordinates run down, as
// glTF has it: shown by what people made, which is upright more often than not.
func TestOrientation(t *testing.T) {
	var agree, against, down, up int
	meshtest.EachFile(t, func(name string, f *gbx.File) {
		s, err := mesh.Read(f, mesh.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		s.Visit(func(n *mesh.Node, _ mesh.Transform) {
			if n.Mesh == nil {
				return
			}
			for _, p := range n.Mesh.Parts {
				for i := 0; i < len(p.Indices); i += 3 {
					tri := triangle{p.Geometry, p.Indices[i : i+3]}
					count(tri.facing(), &agree, &against)
					count(-tri.rising(), &down, &up)
				}
			}
		})
	})
	t.Logf("normals: %d agree, %d do not; texture coordinates: %d run down, %d up", agree, against, down, up)
	if agree < 40000 || agree < 40*against {
		t.Errorf("triangles and normals: %d agree, %d do not", agree, against)
	}
	if down < 30000 || down < 2*up {
		t.Errorf("texture coordinates: %d run down, %d up", down, up)
	}
}

func count(v float32, more, less *int) {
	switch {
	case v > 0:
		*more++
	case v < 0:
		*less++
	}
}

type triangle struct {
	*mesh.Geometry
	corners []uint32
}

func (t triangle) edges() (u, v gbx.Vec3) {
	a, b, c := t.Positions[t.corners[0]], t.Positions[t.corners[1]], t.Positions[t.corners[2]]
	return gbx.Vec3{X: b.X - a.X, Y: b.Y - a.Y, Z: b.Z - a.Z}, gbx.Vec3{X: c.X - a.X, Y: c.Y - a.Y, Z: c.Z - a.Z}
}

func (t triangle) normal() gbx.Vec3 {
	u, v := t.edges()
	return gbx.Vec3{X: u.Y*v.Z - u.Z*v.Y, Y: u.Z*v.X - u.X*v.Z, Z: u.X*v.Y - u.Y*v.X}
}

// facing is positive if the triangle's normal and that of its first corner
// point to the same side.
func (t triangle) facing() float32 {
	if t.Normals == nil {
		return 0
	}
	n, m := t.normal(), t.Normals[t.corners[0]]
	return n.X*m.X + n.Y*m.Y + n.Z*m.Z
}

// rising reports, for a triangle that stands upright in the world and in its
// picture, whether the second texture coordinate grows with height.
func (t triangle) rising() float32 {
	n := t.normal()
	if len(t.UVs) == 0 || n.Y*n.Y > 0.05*(n.X*n.X+n.Z*n.Z) {
		return 0
	}
	e, f := t.edges()
	a, b, c := t.UVs[0][t.corners[0]], t.UVs[0][t.corners[1]], t.UVs[0][t.corners[2]]
	u1, v1, u2, v2 := b.X-a.X, b.Y-a.Y, c.X-a.X, c.Y-a.Y
	det := u1*v2 - u2*v1
	byV, byU := (u1*f.Y-u2*e.Y)/det, (v2*e.Y-v1*f.Y)/det
	if det == 0 || byV*byV < 9*byU*byU {
		return 0
	}
	return byV
}

// The fences of a stadium block are one mesh in four places, turned so that
// they stand around the block: that distinguishes the rows of a location
// from its columns.
func TestPlaces(t *testing.T) {
	data, err := os.ReadFile(corpus.Files(t, corpus.Dir(t, "gbx"), "*", "85ad71271df4.*")[0])
	if err != nil {
		t.Fatal(err)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	s, err := mesh.Read(f, mesh.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fences := 0
	s.Visit(func(n *mesh.Node, at mesh.Transform) {
		if n.Mesh == nil || n.Role != mesh.Drawn || s.Materials[n.Mesh.Parts[0].Material].Name != "StadiumGrassFence" {
			return
		}
		fences++
		b := n.Mesh.Bounds(at)
		if b.Min.X < -0.1 || b.Min.Z < -0.1 || b.Max.X > 32.1 || b.Max.Z > 32.1 {
			t.Errorf("fence %s is at %v, outside the block", n.Name, b)
		}
	})
	if fences != 4 {
		t.Errorf("%d fences", fences)
	}
}

// The shapes of the oldest games stand in the geometry of a surface without
// anything around them.
func TestOldShapes(t *testing.T) {
	shapes := 0
	eachFile(t, func(name string, f *gbx.File, nodes allNodes) {
		want := 0
		for n := range nodes {
			if c, ok := gbx.Find[*plug.Chunk0900F002](n); ok {
				want += len(c.Mesh.CookedTriangles)
			}
		}
		if want == 0 {
			return
		}
		shapes++
		s, err := mesh.Read(f, mesh.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		got := 0
		s.Visit(func(n *mesh.Node, _ mesh.Transform) {
			if n.Mesh != nil && n.Role == mesh.Collision {
				got += n.Mesh.Triangles()
			}
		})
		if got != want {
			t.Errorf("%s: %d triangles of collision shapes, want %d", name, got, want)
		}
	})
	if shapes == 0 {
		t.Error("there is no such file")
	}
}

// node is a node of one chunk.
func node(body gbx.Body) gbx.Ref {
	return gbx.Ref{Node: &gbx.Node{Chunks: []gbx.Chunk{{Body: body}}}}
}

// Every class that can hold a mesh leads to it, also those without a sample file.
func TestHolders(t *testing.T) {
	corner := func(x, y float32) gbx.Vec3 { return gbx.Vec3{X: x, Y: y} }
	shape := node(&plug.Chunk0900F002{Mesh: plug.CPlugSurfaceMesh{
		Vertices:        []gbx.Vec3{corner(0, 0), corner(1, 0), corner(0, 1)},
		CookedTriangles: []plug.CPlugSurfaceCookedTriangle{{Indices: gbx.Int3{X: 0, Y: 1, Z: 2}}},
	}})
	for name, body := range map[string]gbx.Body{
		"variants":       &meta.Plain2F0BC000{Variants: []meta.NPlugItem_SVariantListVariant{{}, {EntityModel: shape}}},
		"first visual":   &gamedata.Chunk2E007000{MeshShaded: shape},
		"old visual":     &gamedata.Chunk2E007001{U04: shape},
		"solid to touch": &gamedata.Chunk2E006001{SolidFid: shape},
		"shape of file":  &gamedata.Chunk2E006001{U02: shape},
	} {
		s, err := mesh.Read(&gbx.File{Body: node(body).Node}, mesh.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		found := 0
		s.Visit(func(n *mesh.Node, _ mesh.Transform) {
			if n.Mesh != nil {
				found += n.Mesh.Triangles()
			}
		})
		if found != 1 {
			t.Errorf("%s: %d triangles", name, found)
		}
	}
	s, err := mesh.Read(&gbx.File{Body: node(&gamedata.Chunk2E006001{HitShape: "Hit.Shape.Gbx"}).Node}, mesh.Options{})
	if err != nil || len(s.Outside) != 1 {
		t.Errorf("s = %v, err = %v; want no error, s.Outside of length 1", s, err)
	}
}

// A tree without a visual has the geometry of its crystal.
func TestTreeOfACrystal(t *testing.T) {
	crystal := &gbx.Node{Class: 0x09003000, Chunks: []gbx.Chunk{{Body: &plug.Chunk09003000{Crystal: triangleCrystal()}}}}
	tree := &gbx.Node{Class: 0x0904F000, Chunks: []gbx.Chunk{{Body: &plug.Chunk0904F016{Generator: gbx.Ref{Node: crystal}}}}}
	s, err := mesh.Read(&gbx.File{Body: tree}, mesh.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, triangles := s.Count(); triangles != 1 {
		t.Errorf("%d triangles", triangles)
	}
}

func triangleCrystal() (c plug.CPlugCrystalCrystal) {
	c.Embedded = new(plug.CPlugCrystalCrystalEmbedded)
	g := &c.Embedded.Geometry
	g.Positions = []gbx.Vec3{{}, {X: 1}, {Y: 1}}
	g.Faces = []plug.Face{{Indices: []uint32{0, 1, 2}}}
	return c
}
