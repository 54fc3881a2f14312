package gltf_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/gltf"
)

// glb is a glTF file as a reader sees it. It is declared once more here so
// that a wrong name in the writer is found.
type glb struct {
	Asset  struct{ Version string }
	Scene  int
	Scenes []struct{ Nodes []int }
	Nodes  []struct {
		Name                         string
		Mesh                         *int
		Children                     []int
		Translation, Rotation, Scale []float64
	}
	Meshes []struct {
		Primitives []struct {
			Attributes map[string]int
			Indices    *int
			Material   *int
			Mode       *int
		}
	}
	Materials []struct {
		Name      string
		PBR       struct{ BaseColorFactor []float64 } `json:"pbrMetallicRoughness"`
		AlphaMode string
	}
	Accessors []struct {
		BufferView, ComponentType, Count int
		Normalized                       bool
		Type                             string
		Min, Max                         []float64
	}
	BufferViews []struct{ Buffer, ByteOffset, ByteLength, Target int }
	Buffers     []struct{ ByteLength int }
	data        []byte
}

// parse reads the container of a glTF file and checks it.
func parse(t testing.TB, b []byte) *glb {
	t.Helper()
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(b[at:])) }
	if len(b) < 28 || string(b[:4]) != "glTF" || u32(4) != 2 || u32(8) != len(b) || string(b[16:20]) != "JSON" {
		t.Fatalf("header % X", b[:min(len(b), 28)])
	}
	text := b[20 : 20+u32(12)]
	rest := 20 + len(text)
	if len(text)%4 != 0 || string(b[rest+4:rest+8]) != "BIN\x00" || rest+8+u32(rest) != len(b) || u32(rest)%4 != 0 {
		t.Fatalf("chunks of %d and %d bytes in a file of %d", len(text), u32(rest), len(b))
	}
	g := &glb{data: b[rest+8:]}
	if err := json.Unmarshal(text, g); err != nil {
		t.Fatal(err)
	}
	if g.Asset.Version != "2.0" || len(g.Buffers) != 1 || g.Buffers[0].ByteLength != len(g.data) {
		t.Fatalf("version %q, buffers %v for %d bytes", g.Asset.Version, g.Buffers, len(g.data))
	}
	return g
}

var componentSize = map[int]int{5121: 1, 5123: 2, 5125: 4, 5126: 4}
var components = map[string]int{"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}

// column returns the bytes of an accessor, whose bounds it checks.
func (g *glb) column(t testing.TB, i int) []byte {
	t.Helper()
	a := g.Accessors[i]
	v := g.BufferViews[a.BufferView]
	size := componentSize[a.ComponentType] * components[a.Type] * a.Count
	if size == 0 || size != v.ByteLength || v.ByteOffset%4 != 0 || v.ByteOffset+v.ByteLength > len(g.data) {
		t.Fatalf("accessor %d of %d bytes in view %+v of %d", i, size, v, len(g.data))
	}
	return g.data[v.ByteOffset : v.ByteOffset+v.ByteLength]
}

func (g *glb) floats(t testing.TB, i int) []float64 {
	t.Helper()
	b := g.column(t, i)
	out := make([]float64, len(b)/4)
	for j := range out {
		out[j] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*j:])))
		if math.IsNaN(out[j]) || math.IsInf(out[j], 0) {
			t.Fatalf("accessor %d holds %v", i, out[j])
		}
	}
	return out
}

// check holds a file against the rules of the specification. It returns how
// many vertices and triangles there are.
func (g *glb) check(t testing.TB) (vertices, triangles int) {
	t.Helper()
	for _, m := range g.Meshes {
		for _, p := range m.Primitives {
			n := g.Accessors[p.Attributes["POSITION"]].Count
			g.checkPositions(t, p.Attributes["POSITION"])
			for name, i := range p.Attributes {
				if g.Accessors[i].Count != n {
					t.Errorf("%d of %s, %d positions", g.Accessors[i].Count, name, n)
				}
			}
			if i, ok := p.Attributes["NORMAL"]; ok {
				g.checkNormals(t, i)
			}
			for _, name := range []string{"TEXCOORD_0", "TEXCOORD_1"} {
				if i, ok := p.Attributes[name]; ok {
					g.floats(t, i)
				}
			}
			if p.Material != nil && (*p.Material >= len(g.Materials) || g.Materials[*p.Material].Name == "") {
				t.Errorf("material %d of %d", *p.Material, len(g.Materials))
			}
			vertices += n
			if p.Mode == nil { // triangles
				triangles += g.checkIndices(t, *p.Indices, n)
			}
		}
	}
	g.checkNodes(t)
	return vertices, triangles
}

func (g *glb) checkPositions(t testing.TB, i int) {
	t.Helper()
	a := g.Accessors[i]
	lo, hi := []float64{math.Inf(1), math.Inf(1), math.Inf(1)}, []float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for j, f := range g.floats(t, i) {
		lo[j%3], hi[j%3] = min(lo[j%3], f), max(hi[j%3], f)
	}
	for k := range 3 {
		if len(a.Min) != 3 || len(a.Max) != 3 || float32(a.Min[k]) != float32(lo[k]) || float32(a.Max[k]) != float32(hi[k]) {
			t.Fatalf("positions from %v to %v, stated %v to %v", lo, hi, a.Min, a.Max)
		}
	}
}

func (g *glb) checkNormals(t testing.TB, i int) {
	t.Helper()
	n := g.floats(t, i)
	for j := 0; j < len(n); j += 3 {
		if l := math.Hypot(math.Hypot(n[j], n[j+1]), n[j+2]); math.Abs(l-1) > 0.0005 {
			t.Fatalf("a normal of length %v", l)
		}
	}
}

func (g *glb) checkIndices(t testing.TB, i, vertices int) int {
	t.Helper()
	a := g.Accessors[i]
	b := g.column(t, i)
	if a.Count%3 != 0 || a.Type != "SCALAR" {
		t.Fatalf("%d indices of type %s", a.Count, a.Type)
	}
	for j := range a.Count {
		v := 0
		switch a.ComponentType {
		case 5123:
			v = int(binary.LittleEndian.Uint16(b[2*j:]))
			if v == math.MaxUint16 {
				t.Fatal("the index that restarts a primitive")
			}
		case 5125:
			v = int(binary.LittleEndian.Uint32(b[4*j:]))
		}
		if v >= vertices {
			t.Fatalf("index %d of %d", v, vertices)
		}
	}
	return a.Count / 3
}

// checkNodes makes sure that nodes form trees.
func (g *glb) checkNodes(t testing.TB) {
	t.Helper()
	seen := make([]bool, len(g.Nodes))
	var visit func([]int)
	visit = func(list []int) {
		for _, i := range list {
			if i >= len(g.Nodes) || seen[i] {
				t.Fatalf("node %d of %d, or met twice", i, len(g.Nodes))
			}
			seen[i] = true
			if m := g.Nodes[i].Mesh; m != nil && *m >= len(g.Meshes) {
				t.Fatalf("mesh %d of %d", *m, len(g.Meshes))
			}
			visit(g.Nodes[i].Children)
		}
	}
	visit(g.Scenes[g.Scene].Nodes)
	for i := range seen {
		if !seen[i] {
			t.Fatalf("node %d is in no scene", i)
		}
	}
}

// square is two triangles.
func square() *mesh.Geometry {
	return &mesh.Geometry{
		Positions: []gbx.Vec3{{}, {X: 2}, {X: 2, Y: 3}, {Y: 3}},
		Normals:   []gbx.Vec3{{Z: 1}, {Z: 1}, {Z: 1}, {Z: 1}},
		UVs:       [][]gbx.Vec2{{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}},
		Colors:    [][4]uint8{{1, 2, 3, 4}, {5}, {6}, {7}},
		Indices:   []uint32{0, 1, 2, 0, 2, 3},
	}
}

func encode(t testing.TB, s *mesh.Scene) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gltf.Write(&b, s, "test"); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Nodes that share a mesh, and parts that share vertices, are written once.
func TestWriteShares(t *testing.T) {
	g := square()
	m := &mesh.Mesh{Name: "M", Parts: []mesh.Part{{Material: 1, Geometry: g}, {Material: -1, Geometry: g}}}
	s := &mesh.Scene{
		Nodes:     []*mesh.Node{{Name: "a", Transform: mesh.Identity, Mesh: m}, {Name: "b", Transform: mesh.Identity, Mesh: m}},
		Materials: []mesh.Material{{Name: "unused"}, {Name: "Grass"}},
	}
	doc := parse(t, encode(t, s))
	doc.check(t)
	if doc.Materials[0].AlphaMode != "" {
		t.Errorf("grass is drawn with %q", doc.Materials[0].AlphaMode)
	}
	if len(doc.Meshes) != 1 || len(doc.Accessors) != 5 || len(doc.Materials) != 1 || doc.Materials[0].Name != "Grass" {
		t.Errorf("%d meshes, %d accessors, materials %v", len(doc.Meshes), len(doc.Accessors), doc.Materials)
	}
	if !bytes.Equal(encode(t, s), encode(t, s)) {
		t.Error("written twice, the bytes differ")
	}
}

// Programs look through a material with an alpha.
func TestWriteWater(t *testing.T) {
	m := &mesh.Mesh{Name: "M", Parts: []mesh.Part{{Material: 0, Geometry: square()}}}
	s := &mesh.Scene{Nodes: []*mesh.Node{{Transform: mesh.Identity, Mesh: m}}, Materials: []mesh.Material{{Name: "Water", Color: [4]uint8{0, 0, 255, 51}}}}
	doc := parse(t, encode(t, s))
	doc.check(t)
	if w := doc.Materials[0]; w.AlphaMode != "BLEND" || w.PBR.BaseColorFactor[3] != 0.2 {
		t.Errorf("water is drawn with %q and %v", w.AlphaMode, w.PBR.BaseColorFactor)
	}
}

// Places come out as they went in: turned, scaled, mirrored, and sheared,
// which glTF does not know.
func TestWritePlaces(t *testing.T) {
	for name, place := range map[string]mesh.Transform{
		"turned":   {Mat3: gbx.Mat3{X: gbx.Vec3{Z: -1}, Y: gbx.Vec3{Y: 1}, Z: gbx.Vec3{X: 1}}, T: gbx.Vec3{X: 5, Y: 6, Z: 7}},
		"scaled":   {Mat3: gbx.Mat3{X: gbx.Vec3{X: 2}, Y: gbx.Vec3{Y: 3}, Z: gbx.Vec3{Z: 4}}},
		"mirrored": {Mat3: gbx.Mat3{X: gbx.Vec3{X: -1}, Y: gbx.Vec3{Y: 1}, Z: gbx.Vec3{Z: 1}}},
		"sheared":  {Mat3: gbx.Mat3{X: gbx.Vec3{X: 1}, Y: gbx.Vec3{X: 1, Y: 1}, Z: gbx.Vec3{Z: 1}}, T: gbx.Vec3{Y: 1}},
		"flat":     {Mat3: gbx.Mat3{X: gbx.Vec3{X: 1}, Z: gbx.Vec3{Z: 1}}},
	} {
		m := &mesh.Mesh{Parts: []mesh.Part{{Material: -1, Geometry: square()}}}
		inner := &mesh.Node{Transform: place, Mesh: m}
		s := &mesh.Scene{Nodes: []*mesh.Node{{Transform: place, Children: []*mesh.Node{inner}}}}
		doc := parse(t, encode(t, s))
		doc.check(t)
		want := place.Times(place).Point(gbx.Vec3{X: 2, Y: 3})
		got := doc.corner(t, 2)
		if math.Abs(got[0]-float64(want.X)) > 1e-4 || math.Abs(got[1]-float64(want.Y)) > 1e-4 || math.Abs(got[2]-float64(want.Z)) > 1e-4 {
			t.Errorf("%s: a corner is at %v, want %v", name, got, want)
		}
	}
}

// corner returns where a vertex of the only mesh stands, which is in the
// first node's only child.
func (g *glb) corner(t testing.TB, i int) [3]float64 {
	list := g.floats(t, g.Meshes[0].Primitives[0].Attributes["POSITION"])
	p := [3]float64{list[3*i], list[3*i+1], list[3*i+2]}
	for _, at := range []int{g.Nodes[g.Scenes[0].Nodes[0]].Children[0], g.Scenes[0].Nodes[0]} {
		n := g.Nodes[at]
		for k := range n.Scale {
			p[k] *= n.Scale[k]
		}
		if q := n.Rotation; q != nil { // v + 2 q x (q x v + w v)
			x, y, z := cross(q, p)
			x, y, z = cross(q, [3]float64{x + q[3]*p[0], y + q[3]*p[1], z + q[3]*p[2]})
			p = [3]float64{p[0] + 2*x, p[1] + 2*y, p[2] + 2*z}
		}
		for k := range n.Translation {
			p[k] += n.Translation[k]
		}
	}
	return p
}

func cross(q []float64, v [3]float64) (x, y, z float64) {
	return q[1]*v[2] - q[2]*v[1], q[2]*v[0] - q[0]*v[2], q[0]*v[1] - q[1]*v[0]
}

// A line is written as one, in the light that its colour has on screens.
func TestWriteLine(t *testing.T) {
	line := &mesh.Geometry{Positions: []gbx.Vec3{{X: 1}, {X: 2}, {X: 4}}, Line: true}
	m := &mesh.Mesh{Parts: []mesh.Part{{Material: 0, Geometry: line}}}
	s := &mesh.Scene{
		Nodes: []*mesh.Node{{Transform: mesh.Identity, Mesh: m}}, Materials: []mesh.Material{{Name: "Line", Color: [4]uint8{255, 128, 0, 255}}},
	}
	doc := parse(t, encode(t, s))
	vertices, triangles := doc.check(t)
	p := doc.Meshes[0].Primitives[0]
	if vertices != 3 || triangles != 0 || p.Indices != nil || p.Mode == nil || *p.Mode != 3 {
		t.Errorf("%d vertices, %d triangles, %+v", vertices, triangles, p)
	}
	// Half the value of a channel is a fifth of the light.
	if c := doc.Materials[0].PBR.BaseColorFactor; len(c) != 4 || c[0] != 1 || math.Abs(c[1]-0.2159) > 1e-3 || c[2] != 0 || c[3] != 1 {
		t.Errorf("colour %v", c)
	}
	if b := s.Bounds(); b.Min.X != 1 || b.Max.X != 4 {
		t.Errorf("bounds %v", b)
	}
}

// More than 65,535 vertices need indices of four bytes.
func TestWriteManyVertices(t *testing.T) {
	for _, n := range []int{65535, 65536} {
		g := &mesh.Geometry{Positions: make([]gbx.Vec3, n), Indices: []uint32{0, 1, uint32(n - 1)}}
		m := &mesh.Mesh{Parts: []mesh.Part{{Material: -1, Geometry: g}}}
		doc := parse(t, encode(t, &mesh.Scene{Nodes: []*mesh.Node{{Transform: mesh.Identity, Mesh: m}}}))
		doc.check(t)
	}
}

func TestWriteNothing(t *testing.T) {
	if err := gltf.Write(&bytes.Buffer{}, &mesh.Scene{}, ""); err == nil {
		t.Error("a scene without nodes was written")
	}
}

// A node has only values that differ from the default: a transform, a role, a level.
func TestNodeSaysLittle(t *testing.T) {
	shape := &mesh.Mesh{Parts: []mesh.Part{{Material: -1, Geometry: square()}}}
	moved, turned, scaled := mesh.Identity, mesh.Identity, mesh.Identity
	moved.T = gbx.Vec3{X: 1}
	turned.X, turned.Z = gbx.Vec3{Z: -1}, gbx.Vec3{X: 1}
	scaled.Y = gbx.Vec3{Y: 2}
	for _, k := range []struct {
		node mesh.Node
		want string
	}{
		{mesh.Node{Transform: mesh.Identity}, `{"name":"n","mesh":0}`},
		{mesh.Node{Transform: moved}, `{"name":"n","mesh":0,"translation":[1,0,0]}`},
		{mesh.Node{Transform: turned}, `{"name":"n","mesh":0,"rotation":[0,0.70710677,0,0.70710677]}`},
		{mesh.Node{Transform: scaled}, `{"name":"n","mesh":0,"scale":[1,2,1]}`},
		{mesh.Node{Transform: mesh.Identity, Role: mesh.Collision, Level: 2}, `{"name":"n","mesh":0,"extras":{"role":"collision","level":2}}`},
	} {
		k.node.Name, k.node.Mesh = "n", shape
		var b bytes.Buffer
		if err := gltf.Write(&b, &mesh.Scene{Nodes: []*mesh.Node{&k.node}}, "s"); err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(b.Bytes(), []byte(`"nodes":[`+k.want+`]`)) {
			t.Errorf("no %s in %s", k.want, b.Bytes()[20:min(b.Len(), 600)])
		}
	}
}
