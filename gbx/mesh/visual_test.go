package mesh

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/hms"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/engine/scene"
)

// visualOf is what is read of a visual of some chunks.
func visualOf(t *testing.T, bodies ...gbx.Body) *Geometry {
	t.Helper()
	v := &gbx.Node{Class: classIndexedTriangles}
	for _, b := range bodies {
		v.Chunks = append(v.Chunks, gbx.Chunk{Body: b})
	}
	solid := one(&plug.Chunk090BB000{ShadedGeoms: []plug.CPlugSolid2ModelShadedGeom{{Visual: gbx.NewRef(v)}}})
	s, err := Read(&gbx.File{Body: solid.Node}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Nodes) == 0 {
		return nil
	}
	return s.Nodes[0].Mesh.Parts[0].Geometry
}

// The parts of a visual are read from the places that its era has for them: vertices,
// the flags for normals and colours, texture coordinates, and triangles.
func TestVisuals(t *testing.T) {
	const (
		needed  = plug.CPlugVisualVisualFlagsOnlyNeeded
		normals = plug.CPlugVisualVisualFlagsHasVertexNormals
		colors  = plug.CPlugVisualVisualFlagsHasVertexColors
		smallN  = plug.CPlugVisualVisualFlagsPackedNormals
		smallC  = plug.CPlugVisualVisualFlagsPackedColors
	)
	list := []plug.CPlugVisual3DVertex{
		{Position: vec(1, 2, 3), Normal: vec(0, 0, 2), PackedNormal: 0x1FF, Color: gbx.Vec4{X: 1, W: 1}, PackedColor: 0xFF0000FF},
		{Position: vec(4, 5, 6), Normal: vec(0, 3, 0), PackedNormal: 0x1FF << 10, Color: gbx.Vec4{Y: 1, W: 1}, PackedColor: 0xFF00FF00},
		{Position: vec(7, 8, 0), Normal: vec(4, 0, 0), PackedNormal: 0x1FF << 20, Color: gbx.Vec4{Z: 1, W: 1}, PackedColor: 0x80FF0000},
	}
	positions := []gbx.Vec3{vec(1, 2, 3), vec(4, 5, 6), vec(7, 8, 0)}
	plain, packed := []gbx.Vec3{{Z: 1}, {Y: 1}, {X: 1}}, []gbx.Vec3{{X: 1}, {Y: 1}, {Z: 1}}
	bright := [][4]uint8{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}}
	dim := [][4]uint8{{0, 0, 255, 255}, {0, 255, 0, 255}, {255, 0, 0, 128}}
	old, new := &plug.Chunk0902C003{}, &plug.Chunk0902C004{}
	old.Vertices.List, new.Vertices.List = slices.Clone(list), slices.Clone(list)
	indices := &plug.Chunk0906A000{Indices: []uint16{2, 1, 0}}
	buffer := func(b gbx.Body) gbx.Body { return &plug.Chunk0906A001{IndexBuffer: one(b)} }
	sets := []plug.CPlugVisualTexCoordSet{
		{Version: 2, TexCoords: []plug.CPlugVisualTexCoord{{Uv: gbx.Vec2{X: 1}}, {Uv: gbx.Vec2{Y: 1}}, {Uv: gbx.Vec2{X: 2, Y: 0.25}}}},
		{Version: 3, Uvs: []gbx.Vec2{{X: 3}, {X: 4}, {X: 5}}},
	}
	uvs := [][]gbx.Vec2{{{X: 1, Y: 1}, {}, {X: 2, Y: 0.75}}, {{X: 3, Y: 1}, {X: 4, Y: 1}, {X: 5, Y: 1}}}
	moved := &plug.Chunk09056000{Version: 1, Count: 3, VertexData: plug.VertexData{
		Decls: []plug.VertexDecl{{Flags: 2 << 9}}, Columns: []plug.VertexColumn{{Vec3s: []gbx.Vec3{{X: 9}, {Y: 9}, {Z: 9}}}},
	}}
	for _, test := range []struct {
		name   string
		bodies []gbx.Body
		want   *Geometry // whose triangle is 2, 1, 0
	}{
		{"old", []gbx.Body{old, indices}, &Geometry{Positions: positions, Normals: plain, Colors: bright}},
		{"new", []gbx.Body{new, indices}, &Geometry{Positions: positions, Normals: plain}},
		{"coloured", []gbx.Body{&plug.Chunk0900600F{Flags: colors}, new, indices}, &Geometry{Positions: positions, Normals: plain, Colors: bright}},
		{"packed normals", []gbx.Body{&plug.Chunk0900600E{Flags: smallN}, new, indices}, &Geometry{Positions: positions, Normals: packed}},
		{"packed colours", []gbx.Body{&plug.Chunk0900600D{Flags: colors | smallC}, new, indices}, &Geometry{Positions: positions, Normals: plain, Colors: dim}},
		{"packed colours that are not there", []gbx.Body{&plug.Chunk0900600D{Flags: smallC}, new, indices}, &Geometry{Positions: positions, Normals: plain}},
		{"only what is needed", []gbx.Body{&plug.Chunk0900600F{Flags: needed}, new, indices}, &Geometry{Positions: positions}},
		{"packed normals that are not there", []gbx.Body{&plug.Chunk0900600F{Flags: needed | smallN | colors}, new, indices}, &Geometry{Positions: positions, Colors: bright}},
		{"needed normals", []gbx.Body{&plug.Chunk0900600F{Flags: needed | normals}, new, indices}, &Geometry{Positions: positions, Normals: plain}},
		{"places in pictures", []gbx.Body{&plug.Chunk0900600F{TexCoordSets: sets}, new, indices}, &Geometry{Positions: positions, Normals: plain, UVs: uvs}},
		{"in other order", []gbx.Body{&plug.Chunk0900600A{TexCoordSets: []plug.CPlugVisualTexCoordSet{sets[1], sets[0]}}, new, indices}, &Geometry{Positions: positions, Normals: plain, UVs: [][]gbx.Vec2{uvs[1], uvs[0]}}},
		{"in the oldest form", []gbx.Body{&plug.Chunk09006008{TexCoordSets: sets[:1]}, old, indices}, &Geometry{Positions: positions, Normals: plain, Colors: bright, UVs: uvs[:1]}},
		{"a stream", []gbx.Body{&plug.Chunk0900600C{VertexStreams: []gbx.Ref{one(moved)}, TexCoordSets: sets[1:]}, indices}, &Geometry{Positions: moved.VertexData.Columns[0].Vec3s, UVs: uvs[1:]}},
		{"a stream that is not there", []gbx.Body{&plug.Chunk0900600A{VertexStreams: []gbx.Ref{{}}}, new, indices}, &Geometry{Positions: positions, Normals: plain}},
		{"a buffer", []gbx.Body{new, buffer(&plug.Chunk09057000{Indices: []uint16{2, 1, 0}})}, &Geometry{Positions: positions, Normals: plain}},
		{"a buffer of differences", []gbx.Body{new, buffer(&plug.Chunk09057001{IndexDeltas: []int16{2, -1, -1}})}, &Geometry{Positions: positions, Normals: plain}},
		{"half a triangle more", []gbx.Body{new, &plug.Chunk0906A000{Indices: []uint16{2, 1, 0, 0, 1}}}, &Geometry{Positions: positions, Normals: plain}},
		{"no triangle", []gbx.Body{new, &plug.Chunk0906A000{Indices: []uint16{2, 1}}}, nil},
		{"no indices", []gbx.Body{new}, nil},
		{"no buffer", []gbx.Body{new, &plug.Chunk0906A001{}}, nil},
		{"no vertices", []gbx.Body{indices}, nil},
	} {
		if test.want != nil {
			test.want.Indices = []uint32{2, 1, 0}
			if test.want.UVs == nil {
				test.want.UVs = [][]gbx.Vec2{}
			}
		}
		got := visualOf(t, test.bodies...)
		if got != nil && got.UVs == nil {
			got.UVs = [][]gbx.Vec2{}
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v\nwant %+v", test.name, got, test.want)
		}
	}
	lines := gbx.Ref{Node: &gbx.Node{Class: 0x0901D000, Chunks: []gbx.Chunk{{Body: new}, {Body: indices}}}}
	solid := one(&plug.Chunk090BB000{ShadedGeoms: []plug.CPlugSolid2ModelShadedGeom{{Visual: lines}, {}}})
	if s, err := Read(&gbx.File{Body: solid.Node}, Options{}); err != nil || len(s.Nodes) != 0 {
		t.Errorf("what is not a visual of triangles: %+v, %v", s, err)
	}
}

// The form of a crystal that the editor keeps has its own corners, places in
// pictures and materials, any of which a face may lack.
func TestEditableCrystal(t *testing.T) {
	face := func(layers ...[]gbx.Vec2) plug.CPlugCrystalMeshFace {
		f := plug.CPlugCrystalMeshFace{Vertices: []plug.CPlugCrystalMeshVertex{{PositionIndex: 0}, {PositionIndex: 1}, {PositionIndex: 2}}}
		for _, l := range layers {
			f.TexCoordLayers = append(f.TexCoordLayers, plug.CPlugCrystalTexCoordLayer{TexCoords: l})
		}
		return f
	}
	var c plug.CPlugCrystalCrystal
	c.Editable = new(plug.CPlugCrystalCrystalEditable)
	g := &c.Editable.EditableGeometry
	g.Mesh.Positions = []gbx.Vec3{{}, {X: 1}, {Y: 1}}
	g.Mesh.Faces = []plug.CPlugCrystalMeshFace{
		face([]gbx.Vec2{{X: 1}, {X: 2}, {X: 3}}, []gbx.Vec2{{X: 7}, {X: 8}, {X: 9}}), face(), face([]gbx.Vec2{{X: 4}}), {Vertices: make([]plug.CPlugCrystalMeshVertex, 2)}, face(),
	}
	g.FaceProperties = []plug.CPlugCrystalFaceProperties{{Property: 1}, {Property: 1}, {Property: 0}}
	crystal := &gbx.Node{Class: classCrystal, Chunks: []gbx.Chunk{{Body: &plug.Chunk09003003{Materials: []plug.CPlugCrystalMaterial{{Name: "Ice"}, {Name: "Grass"}}}}, {Body: &plug.Chunk09003000{Crystal: c}}}}
	s, err := Read(&gbx.File{Body: crystal}, Options{})
	if err != nil || len(s.Nodes) != 1 || len(s.Nodes[0].Mesh.Parts) != 2 {
		t.Fatalf("s = %+v, err = %v; want no error, s.Nodes of length 1, s.Nodes[0].Mesh.Parts of length 2", s, err)
	}
	first, second := s.Nodes[0].Mesh.Parts[0], s.Nodes[0].Mesh.Parts[1]
	if s.Materials[first.Material].Name != "Grass" || !slices.Equal(first.Indices, []uint32{0, 1, 2, 3, 4, 5}) || !slices.Equal(first.UVs[0], []gbx.Vec2{{X: 1, Y: 1}, {X: 2, Y: 1}, {X: 3, Y: 1}, {Y: 1}, {Y: 1}, {Y: 1}}) {
		t.Errorf("first = %+v first.Geometry = %+v", first, first.Geometry)
	}
	// The last has no properties, and shares the corners without a place.
	if s.Materials[second.Material].Name != "Ice" || !slices.Equal(second.Indices, []uint32{0, 1, 2, 3, 1, 2}) || !slices.Equal(second.UVs[0], []gbx.Vec2{{X: 4, Y: 1}, {Y: 1}, {Y: 1}, {Y: 1}}) {
		t.Errorf("second = %+v second.Geometry = %+v", second, second.Geometry)
	}
}

// faces is a crystal of so many triangles, which has the role of what holds it.
func faces(n int) gbx.Ref {
	c := triangle(2)
	for range n - 1 {
		c.Embedded.Geometry.Faces = append(c.Embedded.Geometry.Faces, c.Embedded.Geometry.Faces[0])
	}
	return gbx.Ref{Node: &gbx.Node{Class: classCrystal, Chunks: []gbx.Chunk{{Body: &plug.Chunk09003000{Crystal: c}}}}}
}

// Every part of an item, a block or a model is found, with its role there.
func TestRoles(t *testing.T) {
	for _, test := range []struct {
		body    gbx.Body
		want    [3]int // triangles drawn, run into, entered
		outside string
	}{
		{&gamedata.Chunk2E002003{LowQualitySolid: faces(1)}, [3]int{1}, ""},
		{&gamedata.Chunk2E002019{EntityModelEdition: faces(1), EntityModel: faces(2), VisModel: faces(4), VisModelCustom: faces(8), VisModelStatic: faces(16), PhyModel: faces(32), PhyModelCustom: faces(64)}, [3]int{31, 96}, ""},
		{&gamedata.Chunk2E027000{StaticObject: faces(1), VisModel: faces(2), PhyModel: faces(4), TriggerShape: faces(8), U03: faces(16)}, [3]int{3, 4, 8}, ""},
		{&gamedata.Chunk2E026000{SolidRef: "s", MeshCrystal: faces(1), Solid: faces(2), U02: faces(4), CustomMoveShapeCrystal: faces(8), CustomHitShapeCrystal: faces(16), CustomTriggerShapeCrystal: faces(32)}, [3]int{7, 24, 32}, "s"},
		{&gamedata.Chunk2E007000{MeshShaded: faces(1), U01: faces(2)}, [3]int{1}, ""},
		{&gamedata.Chunk2E007001{Mesh: "m", SolidRef: "s", U04: faces(1), MeshShaded: faces(2), MeshShadedFid: faces(4), Solid: faces(8)}, [3]int{15}, "m s"},
		{&gamedata.Chunk2E006001{MoveShape: "m", HitShape: "h", TriggerShape: "t", Solid: "s", MoveShapeFid: faces(1), U02: faces(2), HitShapeFid: faces(4), SolidFid: faces(8), TriggerShapeFid: faces(16)}, [3]int{0, 15, 16}, "m h t s"},
		{&scene.Chunk0A011005{Item: faces(1)}, [3]int{1}, ""},
		{&hms.Chunk06003001{Solid: faces(1)}, [3]int{1}, ""},
		{&plug.Plain09159000{Mesh: faces(1), Shape: faces(2)}, [3]int{1, 2}, ""},
		{&plug.Plain09144000{Mesh: faces(1), StaticShape: faces(2), DynaShape: faces(4)}, [3]int{1, 6}, ""},
		{&plug.Chunk0911C000{Mesh: faces(1), Shape: faces(2)}, [3]int{1, 2}, ""},
		{&plug.Chunk0900500D{Tree: faces(1)}, [3]int{1}, ""},
		{&plug.Chunk09005011{Tree: faces(1)}, [3]int{1}, ""},
		{&plug.Chunk0900C000{Geom: shape(3)}, [3]int{0, 3}, ""},
		{&gamedata.Chunk2E002021{ItemGroupElements: []gamedata.CGameItemModelItemGroupElement{{Item: faces(1)}, {ItemRef: "i"}, {Item: faces(2)}}}, [3]int{3}, "i"},
	} {
		s, err := Read(&gbx.File{Body: one(test.body).Node}, Options{})
		if err != nil {
			t.Fatalf("%T: %v", test.body, err)
		}
		var got [3]int
		s.Visit(func(n *Node, _ Transform) {
			if n.Mesh != nil {
				got[n.Role] += n.Mesh.Triangles()
			}
		})
		if got != test.want || strings.Join(s.Outside, " ") != test.outside {
			t.Errorf("%T: %v, outside %q; want %v, %s", test.body, got, s.Outside, test.want, test.outside)
		}
	}
	// A mesh in another file has the role of the reference to it.
	open := func(name string) (*gbx.File, Opener) {
		return &gbx.File{Body: faces(map[string]int{"m": 1, "h": 2, "t": 4, "s": 8}[name]).Node}, nil
	}
	s, err := Read(&gbx.File{Body: one(&gamedata.Chunk2E006001{MoveShape: "m", HitShape: "h", TriggerShape: "t", Solid: "s"}).Node}, Options{Outside: open})
	var roles [3]int
	if s.Visit(func(n *Node, _ Transform) { roles[n.Role] += n.Mesh.Triangles() }); err != nil || roles != [3]int{0, 11, 4} {
		t.Errorf("roles = %v, err = %v; want no error, roles = [3]int{0, 11, 4}", roles, err)
	}
}

// Nodes may nest so deep, and no deeper.
func TestDepth(t *testing.T) {
	chain := func(n int) *gbx.Node {
		ref := shape(1)
		for range n - 1 {
			ref = one(&plug.Chunk0900500D{Tree: ref})
		}
		return ref.Node
	}
	if s, err := Read(&gbx.File{Body: chain(maxDepth + 1)}, Options{}); err != nil || s.CollisionTriangles() != 1 {
		t.Errorf("err = %v; want no error, s.CollisionTriangles() = 1", err)
	}
	if _, err := Read(&gbx.File{Body: chain(maxDepth + 2)}, Options{}); !errors.Is(err, fault.Limit) {
		t.Errorf("err = %v; want err matching fault.Limit", err)
	}
}
