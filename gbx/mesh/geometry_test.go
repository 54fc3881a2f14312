package mesh

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/meta"
	"pakbox/gbx/engine/plug"
)

func vec(x, y, z float32) gbx.Vec3 { return gbx.Vec3{X: x, Y: y, Z: z} }

func near(a, b gbx.Vec3) bool { d := sub(a, b); return dot(d, d) < 1e-8 }

// Rotations and locations take points where pencil and paper take them.
func TestTransforms(t *testing.T) {
	half := float32(math.Sqrt(0.5))
	for _, k := range []struct {
		q          gbx.Quat // i, j, k and the real part last
		point, put gbx.Vec3
	}{
		{gbx.Quat{Z: 1}, vec(1, 2, 3), vec(1, 2, 3)},
		{gbx.Quat{W: half, Z: half}, vec(1, 2, 3), vec(1, -3, 2)},              // a quarter about x: y to z, z to -y
		{gbx.Quat{X: half, Z: half}, vec(1, 2, 3), vec(3, 2, -1)},              // about y: z to x, x to -z
		{gbx.Quat{Y: half, Z: half}, vec(1, 2, 3), vec(-2, 1, 3)},              // about z: x to y, y to -x
		{gbx.Quat{W: 0.5, X: 0.5, Y: 0.5, Z: 0.5}, vec(1, 2, 3), vec(3, 1, 2)}, // a third about the diagonal: x to y to z to x
	} {
		if got := placed(k.q, vec(10, 20, 30)).Point(k.point); !near(got, add(k.put, vec(10, 20, 30))) {
			t.Errorf("%v takes %v to %v", k.q, k.point, got)
		}
	}
	rows := gbx.Iso4{Mat3: gbx.Mat3{X: vec(1, 2, 3), Y: vec(4, 5, 6), Z: vec(7, 8, 9)}, T: vec(10, 20, 30)}
	if got, want := fromIso4(rows).Point(vec(1, 10, 100)), vec(321+10, 654+20, 987+30); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	// First doubled, then moved.
	double := Transform{Mat3: gbx.Mat3{X: vec(2, 0, 0), Y: vec(0, 2, 0), Z: vec(0, 0, 2)}}
	move := Identity
	move.T = vec(1, 2, 3)
	if got := move.Times(double).Point(vec(1, 1, 1)); got != vec(3, 4, 5) {
		t.Errorf("got = %v; want vec(3, 4, 5)", got)
	}
	if got := double.Times(move).Point(vec(1, 1, 1)); got != vec(4, 6, 8) {
		t.Errorf("got = %v; want vec(4, 6, 8)", got)
	}
	inf := float32(math.Inf(1))
	for i := range 4 {
		m := Identity
		[]*gbx.Vec3{&m.X, &m.Y, &m.Z, &m.T}[i].Y = inf
		if m.finite() || !Identity.finite() {
			t.Errorf("row %d", i)
		}
	}
}

// A scene of two meshes that are used in several places, by hand.
func TestScene(t *testing.T) {
	g := &Geometry{Positions: []gbx.Vec3{vec(0, 0, 0), vec(1, 0, 0), vec(0, 2, 0), vec(9, 9, 9)}, Indices: []uint32{0, 1, 2}}
	two := &Geometry{Positions: []gbx.Vec3{{}, {X: 1}, {Y: 1}, {X: 1, Y: 1}}, Indices: []uint32{0, 1, 2, 1, 3, 2}}
	line := &Geometry{Positions: []gbx.Vec3{vec(0, 0, -5), vec(0, 0, 7)}, Line: true}
	drawn := &Mesh{Kind: Solid, Parts: []Part{{-1, g}, {-1, two}}}
	crystal := &Mesh{Kind: Crystal, Parts: []Part{{-1, &Geometry{Positions: make([]gbx.Vec3, 6), Indices: []uint32{0, 1, 2, 3, 4, 5}}}}}
	surface := &Mesh{Kind: Surface, Parts: []Part{{-1, &Geometry{Positions: make([]gbx.Vec3, 3), Indices: []uint32{0, 1, 2}}}}}
	moved := Identity
	moved.T = vec(0, 10, 0)
	s := &Scene{Materials: []Material{{Name: "m"}}, Outside: []string{"o"}, Nodes: []*Node{
		{Name: "a", Transform: Identity, Mesh: drawn},
		{Name: "b", Transform: moved, Children: []*Node{{Name: "c", Transform: moved, Mesh: drawn}, {Name: "d", Transform: Identity, Mesh: surface, Role: Collision}, {Name: "e", Transform: Identity, Mesh: surface, Role: Collision}}},
		{Name: "f", Transform: Identity, Mesh: crystal}, {Name: "g", Transform: Identity, Mesh: crystal}, {Name: "h", Transform: Identity, Mesh: &Mesh{Parts: []Part{{-1, &Geometry{Positions: make([]gbx.Vec3, 3), Indices: []uint32{0, 1, 2}}}}}, Role: Trigger},
		{Name: "i", Transform: Identity},
	}}
	if vertices, triangles := s.Finest().Count(); vertices != 2*8+2*6 || triangles != 2*3+2*2 {
		t.Errorf("%d vertices, %d triangles", vertices, triangles)
	}
	if n := s.CollisionTriangles(); n != 1 {
		t.Errorf("%d triangles to run into", n)
	}
	if n := drawn.Triangles(); n != 3 {
		t.Errorf("%d triangles", n)
	}
	// No triangle has the last vertex; the second place is 20 higher.
	if b := s.Bounds(); b != (Bounds{vec(0, 0, 0), vec(1, 22, 0)}) {
		t.Errorf("b = %v; want Bounds{vec(0, 0, 0), vec(1, 22, 0)}", b)
	}
	if b := (&Mesh{Parts: []Part{{-1, line}}}).Bounds(moved); b != (Bounds{vec(0, 10, -5), vec(0, 10, 7)}) {
		t.Errorf("b = %v; want Bounds{vec(0, 10, -5), vec(0, 10, 7)}", b)
	}
	names := func(s *Scene) string {
		var list []string
		s.Visit(func(n *Node, _ Transform) {
			name := n.Name
			if n.Mesh != nil {
				name = strings.ToUpper(name)
			}
			list = append(list, name)
		})
		return strings.Join(list, " ")
	}
	if got := names(s); got != "A b C D E F G H i" {
		t.Errorf(`got = %v; want "A b C D E F G H i"`, got)
	}
	some := s.Select(func(n *Node) bool { return n.Name == "c" || n.Role == Trigger })
	if got := names(some); got != "b C H" || len(some.Materials) != 1 || len(some.Outside) != 1 || names(s) != "A b C D E F G H i" {
		t.Errorf(`got = %s; want got = "b C H", some.Materials of length 1, some.Outside of length 1, names(s) = "A b C D E F G H i"`, got)
	}
	for text, v := range map[string]interface{ String() string }{"drawn": Drawn, "collision": Collision, "trigger": Trigger, "solid": Solid, "solid2": Solid2, "crystal": Crystal, "surface": Surface, "made": Made} {
		if v.String() != text {
			t.Errorf("%s is called %s", text, v)
		}
	}
}

// Triangles of a face cover it: as much as the whole, none turned round, none
// reaching over a dent.
func TestTriangulate(t *testing.T) {
	comb := []gbx.Vec3{{}, {X: 5}, {X: 5, Y: 3}, {X: 4, Y: 1}, {X: 3, Y: 3}, {X: 2, Y: 1}, {X: 1, Y: 3}}
	circle := func(n int) (list []gbx.Vec3) {
		for i := range n {
			a := 2 * math.Pi * float64(i) / float64(n)
			list = append(list, vec(float32(math.Cos(a)), float32(math.Sin(a)), 0))
		}
		return list
	}
	for name, k := range map[string]struct {
		points []gbx.Vec3
		area   float64 // by the shoelace formula
	}{
		"triangle":             {[]gbx.Vec3{{}, {X: 1}, {Y: 1}}, 0.5},
		"square":               {[]gbx.Vec3{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}, 1},
		"arrow":                {[]gbx.Vec3{{}, {X: 2, Y: -1}, {X: 1}, {X: 2, Y: 1}}, 1},
		"arrow, from its dent": {[]gbx.Vec3{{X: 1}, {X: 2, Y: 1}, {}, {X: 2, Y: -1}}, 1},
		"comb":                 {comb, 9.5},
		"on an edge":           {[]gbx.Vec3{{}, {X: 4}, {X: 4, Y: 4}, {X: 2, Y: 2}}, 8},
		"on two edges":         {[]gbx.Vec3{{}, {X: 2, Y: -2}, {X: 4}, {X: 4, Y: 4}, {X: 2, Y: 2}, {Y: 4}}, 16},
		"straight":             {[]gbx.Vec3{{}, {X: 1}, {X: 2}, {X: 2, Y: 1}, {Y: 1}}, 2},
		"64":                   {circle(64), 32 * math.Sin(2*math.Pi/64)},
		"65":                   {circle(65), 32.5 * math.Sin(2*math.Pi/65)},
	} {
		t.Run(name, func(t *testing.T) {
			for start := range k.points { // from whichever corner it begins
				points := append(slices.Clone(k.points[start:]), k.points[:start]...)
				cut := Triangulate(nil, points)
				if len(cut) != 3*(len(points)-2) {
					t.Fatalf("%s: %d corners", name, len(cut))
				}
				var sum float64
				for i := 0; i < len(cut); i += 3 {
					n := cross(sub(points[cut[i+1]], points[cut[i]]), sub(points[cut[i+2]], points[cut[i]]))
					if n.Z < 1e-6 {
						t.Errorf("%s from %d: a triangle is turned round, or none", name, start)
					}
					sum += float64(n.Z) / 2
				}
				if math.Abs(sum-k.area) > 1e-4 {
					t.Errorf("%s from %d: the triangles have an area of %v, the face %v", name, start, sum, k.area)
				}
			}
		})
	}
	if cut := Triangulate(nil, []gbx.Vec3{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}); !slices.Equal(cut, []int{0, 1, 2, 0, 2, 3}) {
		t.Errorf("a square is cut as %v, not as a fan", cut)
	}
	// One that crosses itself is cut somehow.
	if cut := Triangulate(nil, []gbx.Vec3{{}, {X: 1, Y: 1}, {X: 1}, {Y: 1}}); len(cut) != 6 {
		t.Errorf("cut = %v; want cut of length 6", cut)
	}
}

// Attributes packed in words, and attributes that do not fit the vertices.
func TestPackedAndRepaired(t *testing.T) {
	// 511 is one, -511 and what is below it minus one; z is in the highest bits.
	for word, want := range map[uint32]gbx.Vec3{0x1FF: vec(1, 0, 0), 0x1FF << 10: vec(0, 1, 0), 0x1FF << 20: vec(0, 0, 1), 0x201: vec(-1, 0, 0), 0x200 << 10: vec(0, -1, 0), 0x201<<20 | 0xC0000000: vec(0, 0, -1)} {
		if got := packedNormal(word); got != want {
			t.Errorf("%08X is %v, not %v", word, got, want)
		}
	}
	if got := packedColor(0x11223344); got != [4]uint8{0x22, 0x33, 0x44, 0x11} {
		t.Errorf("got = %x; want [4]uint8{0x22, 0x33, 0x44, 0x11}", got)
	}
	for f, want := range map[float32]uint8{0: 0, 1: 255, 2: 255, -1: 0, 0.5: 128, 0.25: 64, 1.0 / 255: 1} {
		if got := to8(f); got != want {
			t.Errorf("%v is %d, not %d", f, got, want)
		}
	}
	if to8(float32(math.NaN())) != 0 {
		t.Error("what is not a number is a colour")
	}
	nan := float32(math.NaN())
	g := &Geometry{
		Positions: []gbx.Vec3{{}, {X: 2}, {Y: 2}, {X: 5, Y: 5}}, Normals: []gbx.Vec3{{Z: 3}, {}, {X: nan}, {}}, Colors: [][4]uint8{{1}, {2}, {3}, {4}},
		UVs: [][]gbx.Vec2{{{X: 1}, {X: nan}, {Y: nan}, {Y: 1}}, {{X: 1}}}, Indices: []uint32{0, 2, 1},
	}
	g.repair()
	if want := []gbx.Vec3{{Z: 1}, {Z: -1}, {Z: -1}, {Y: 1}}; !slices.Equal(g.Normals, want) { // of the triangle, or just up
		t.Errorf("g.Normals = %v; want g.Normals equal to %v", g.Normals, want)
	}
	if len(g.Colors) != 4 || !reflect.DeepEqual(g.UVs, [][]gbx.Vec2{{{X: 1}, {}, {}, {Y: 1}}}) {
		t.Errorf("g.Colors = %v g.UVs = %v; want g.Colors of length 4, g.UVs equal to [][]gbx.Vec2{{{X: 1}, {}, {}, {Y: 1}}}", g.Colors, g.UVs)
	}
	white, black, grey := [4]uint8{255, 255, 255, 255}, [4]uint8{3: 255}, [4]uint8{128, 128, 128, 255}
	for _, k := range []struct {
		colors [][4]uint8
		kept   bool
	}{{[][4]uint8{white, white}, false}, {[][4]uint8{black, black}, false}, {[][4]uint8{grey, grey}, true}, {[][4]uint8{white, black}, true}, {[][4]uint8{grey}, false}} {
		g := &Geometry{Positions: make([]gbx.Vec3, 2), Colors: k.colors, Normals: make([]gbx.Vec3, 3)}
		if g.repair(); (g.Colors != nil) != k.kept || g.Normals != nil {
			t.Errorf("%v: g.Colors = %v, g.Normals = %v; want g.Colors is not nil exactly if k.kept, g.Normals = nil", k.colors, g.Colors, g.Normals)
		}
	}
}

// The columns of a vertex stream, each by itself and one vertex after another.
func TestStreams(t *testing.T) {
	decl := func(usage, typ, stride, offset uint32) plug.VertexDecl {
		return plug.VertexDecl{Flags: usage | typ<<9 | stride<<18, Flags2: offset << 2}
	}
	positions, normals, uvs := []gbx.Vec3{{X: 1}, {Y: 2}, {Z: 3}}, []gbx.Vec3{{X: 1}, {Y: 1}, {Z: 1}}, []gbx.Vec2{{X: 0.25, Y: 1}, {X: 0.5}, {Y: 0.25}}
	colors := []uint32{0xFF0000FF, 0xFF00FF00, 0x80FF0000}
	want := &Geometry{
		Positions: positions, Normals: normals, UVs: [][]gbx.Vec2{{{X: 0.25}, {X: 0.5, Y: 1}, {Y: 0.75}}}, Colors: [][4]uint8{{0, 0, 255, 255}, {0, 255, 0, 255}, {255, 0, 0, 128}},
	}
	g := &Geometry{}
	g.stream(&plug.Chunk09056000{Version: 1, Count: 3, VertexData: plug.VertexData{
		Decls:   []plug.VertexDecl{decl(0, 2, 0, 0), decl(5, 2, 0, 0), decl(10, 1, 0, 0), decl(8, 4, 0, 0), decl(18, 2, 0, 0), decl(0, 1, 0, 0), decl(17, 1, 0, 0), decl(18, 1, 0, 0)},
		Columns: []plug.VertexColumn{{Vec3s: positions}, {Vec3s: normals}, {Vec2s: uvs}, {Words: colors}, {Vec3s: normals}, {Vec2s: uvs}},
	}})
	if len(g.UVs) != 2 || len(g.UVs[1]) != 0 {
		t.Errorf("%d sets", len(g.UVs))
	}
	g.UVs = g.UVs[:1]
	if !reflect.DeepEqual(g, want) {
		t.Errorf("%+v, want %+v", g, want)
	}
	var vertices []byte
	for i := range positions {
		for _, f := range []float32{positions[i].X, positions[i].Y, positions[i].Z} {
			vertices = binary.LittleEndian.AppendUint32(vertices, math.Float32bits(f))
		}
		vertices = binary.LittleEndian.AppendUint32(vertices, []uint32{0x1FF, 0x1FF << 10, 0x1FF << 20}[i])
		vertices = binary.LittleEndian.AppendUint32(vertices, colors[i])
		for _, f := range []float32{uvs[i].X, uvs[i].Y} {
			vertices = binary.LittleEndian.AppendUint32(vertices, math.Float32bits(f))
		}
	}
	const stride = 12 + 4 + 4 + 8
	decls := []plug.VertexDecl{decl(0, 2, stride, 0), decl(5, 14, stride, 12), decl(8, 4, stride, 16), decl(10, 1, stride, 20)}
	decls[0].Vertices = vertices
	g = &Geometry{}
	g.stream(&plug.Chunk09056000{Version: 0, Count: 3, VertexData: plug.VertexData{Decls: decls}})
	if !reflect.DeepEqual(g, want) {
		t.Errorf("%+v, want %+v", g, want)
	}
	// More vertices than there are, and one that reaches beyond its vertex.
	for _, k := range []struct{ count, offset uint32 }{{4, 0}, {3, 17}} {
		odd := decl(0, 2, stride, k.offset)
		odd.Vertices = vertices
		g = &Geometry{}
		if g.stream(&plug.Chunk09056000{Count: k.count, VertexData: plug.VertexData{Decls: []plug.VertexDecl{odd}}}); len(g.Positions) != 0 {
			t.Errorf("%+v: %d vertices", k, len(g.Positions))
		}
	}
}

func one(body gbx.Body) gbx.Ref {
	return gbx.Ref{Node: &gbx.Node{Chunks: []gbx.Chunk{{Body: body}}}}
}

// shape is a collision shape of some triangles.
func shape(triangles int) gbx.Ref {
	m := plug.CPlugSurfaceMesh{Vertices: []gbx.Vec3{{}, {X: 1}, {Y: 1}}}
	for range triangles {
		m.CookedTriangles = append(m.CookedTriangles, plug.CPlugSurfaceCookedTriangle{Indices: gbx.Int3{X: 0, Y: 1, Z: 2}})
	}
	return one(&plug.Chunk0900F002{Mesh: m})
}

// A variant of a block or an item is found by its number, and no other is read.
func TestVariants(t *testing.T) {
	old := func(shapes ...gbx.Ref) game.CGameCtnBlockInfoMobils {
		return game.CGameCtnBlockInfoMobils{Mobils: shapes}
	}
	variant := func(n int) gbx.Ref {
		return one(&game.Chunk0315B005{Mobils: []game.CGameCtnBlockInfoVariantMobils{{Mobils: []gbx.Ref{shape(n)}}, {Mobils: []gbx.Ref{shape(n + 1), shape(n + 2)}}}})
	}
	blocks := map[string]gbx.Ref{
		"old":     one(&game.Chunk0304E005{GroundMobils: []game.CGameCtnBlockInfoMobils{old(shape(1)), old(shape(2), shape(3))}, AirMobils: []game.CGameCtnBlockInfoMobils{old(shape(4)), old(shape(5), shape(6))}}),
		"new":     one(&game.Chunk0304E023{VariantBaseGround: variant(1), VariantBaseAir: variant(4)}),
		"grounds": {Node: &gbx.Node{Chunks: []gbx.Chunk{{Body: &game.Chunk0304E027{AdditionalVariantsGround: []gbx.Ref{variant(10), variant(20)}}}, {Body: &game.Chunk0304E02C{AdditionalVariantsAir: []gbx.Ref{variant(30)}}}}}},
		"item":    one(&meta.Plain2F0BC000{Variants: []meta.NPlugItem_SVariantListVariant{{EntityModel: shape(1)}, {EntityModel: shape(2)}}}),
		"custom": one(&gamedata.Chunk2E025000{
			CustomizedVariants: []gamedata.CGameBlockItemMobil{{ID: 0, Crystal: shape(1)}, {ID: 1_000_000, Crystal: shape(2)}, {ID: 5, Crystal: shape(4)}},
			Properties:         []gamedata.CGameBlockItemMobilProperties{{StaticObject: shape(7), Shape: shape(8)}, {Shape: shape(9)}},
		}),
	}
	for _, k := range []struct {
		block     string
		number    int
		triangles int
	}{
		{"old", BlockVariant(0, false, 0, 0), 1}, {"old", BlockVariant(1, false, 0, 0), 2}, {"old", BlockVariant(1, false, 0, 1), 3},
		{"old", BlockVariant(0, true, 0, 0), 4}, {"old", BlockVariant(1, true, 0, 1), 6}, {"old", BlockVariant(2, false, 0, 0), 0},
		{"new", BlockVariant(0, false, 0, 0), 1}, {"new", BlockVariant(1, false, 0, 1), 3}, {"new", BlockVariant(0, true, 0, 0), 4}, {"new", BlockVariant(1, true, 0, 0), 5},
		{"grounds", BlockVariant(0, false, 1, 0), 10}, {"grounds", BlockVariant(1, false, 2, 1), 22}, {"grounds", BlockVariant(1, true, 1, 0), 31}, {"grounds", BlockVariant(0, false, 0, 0), 0},
		{"item", 0, 1}, {"item", 1, 2}, {"item", 2, 0},
		{"custom", 0, 7 + 8}, {"custom", 1_000_000, 9 + 2}, {"custom", 5, 4}, {"custom", 6, 0},
	} {
		s, err := Read(&gbx.File{Body: blocks[k.block].Node}, Options{Variant: func(n int) bool { return n == k.number }})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		s.Visit(func(n *Node, _ Transform) {
			if n.Mesh != nil {
				sum += n.Mesh.Triangles()
			}
		})
		if found := slices.Equal(s.Variants, []int{k.number}); sum != k.triangles || found != (k.triangles > 0) {
			t.Errorf("%s, %d: %d triangles, want %d; variants %v", k.block, k.number, sum, k.triangles, s.Variants)
		}
	}
	if n := BlockVariant(3, true, 2, 1); n != 31_002_001 {
		t.Errorf("n = %d; want 31_002_001", n)
	}
	s, err := Read(&gbx.File{Body: blocks["item"].Node}, Options{})
	if err != nil || len(s.Nodes) != 2 || s.Nodes[1].Name != "Variant1" || s.Variants != nil {
		t.Errorf(`s = %+v, err = %v; want no error, s.Nodes of length 2, s.Nodes[1].Name = "Variant1", s.Variants = nil`, s, err)
	}
}
