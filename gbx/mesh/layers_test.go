package mesh

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
)

// An invalid mesh is reported, and not drawn.
func TestWrongMeshes(t *testing.T) {
	nan := float32(math.NaN())
	visual := func(positions []gbx.Vec3, indices ...uint16) gbx.Ref {
		list := make([]plug.CPlugVisual3DVertex, len(positions))
		for i := range positions {
			list[i].Position = positions[i]
		}
		c := &plug.Chunk0902C004{}
		c.Vertices.List = list
		return gbx.Ref{Node: &gbx.Node{Class: 0x0901E000, Chunks: []gbx.Chunk{{Body: c}, {Body: &plug.Chunk0906A000{Indices: indices}}}}}
	}
	solid := func(v gbx.Ref, index uint32) gbx.Ref {
		return one(&plug.Chunk090BB000{Version: 6, ShadedGeoms: []plug.CPlugSolid2ModelShadedGeom{{VisualIndex: index, LodMask: 1}}, Visuals: []gbx.Ref{v}})
	}
	good := []gbx.Vec3{{}, {X: 1}, {Y: 1}}
	crystal := triangle(3)
	place := gbx.Iso4{Mat3: gbx.Mat3{X: vec(1, 0, 0), Y: vec(0, 1, 0), Z: vec(0, 0, 1)}, T: vec(nan, 0, 0)}
	for name, k := range map[string]struct {
		ref  gbx.Ref
		want string
	}{
		"good":                 {solid(visual(good, 0, 1, 2), 0), ""},
		"half a triangle more": {solid(visual(good, 0, 1, 2, 0, 1), 0), ""},
		"no such vertex":       {solid(visual(good, 0, 1, 3), 0), "a triangle has vertex 3 of 3"},
		"no number":            {solid(visual([]gbx.Vec3{{}, {X: nan}, {Y: 1}}, 0, 1, 2), 0), "not a number"},
		"no such visual":       {solid(visual(good, 0, 1, 2), 1), "visual 1 of 1"},
		"corner":               {gbx.Ref{Node: &gbx.Node{Class: 0x09003000, Chunks: []gbx.Chunk{{Body: &plug.Chunk09003000{Crystal: crystal}}}}}, "a face has vertex 3 of 3"},
		"place":                {one(&gamedata.Chunk2E002021{ItemGroupElements: []gamedata.CGameItemModelItemGroupElement{{Item: shape(1), Location: place}}}), "a place that is not a number"},
	} {
		s, err := Read(&gbx.File{Body: k.ref.Node}, Options{})
		if (err != nil) != (k.want != "") || err != nil && (!errors.Is(err, fault.Corrupt) || !strings.Contains(err.Error(), k.want)) {
			t.Errorf("%s: %v, want %q", name, err, k.want)
		}
		if err == nil {
			if vertices, triangles := s.Count(); vertices != 3 || triangles != 1 {
				t.Errorf("%s: %d vertices, %d triangles", name, vertices, triangles)
			}
		}
	}
}

// triangle is a crystal of one face, whose last corner is as named.
func triangle(last uint32) (c plug.CPlugCrystalCrystal) {
	c.Embedded = new(plug.CPlugCrystalCrystalEmbedded)
	g := &c.Embedded.Geometry
	g.Positions = []gbx.Vec3{{}, {X: 1}, {Y: 1}}
	g.Faces = []plug.Face{{Indices: []uint32{0, 1, last}}}
	return c
}

// The mesh of the samples has two levels: a square of grass, and a triangle of ice.
func TestLevels(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "samples", "trackmania", "Sample.Mesh.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	s, err := Read(f, Options{})
	if err != nil || len(s.Nodes) != 2 {
		t.Fatalf("s = %+v, err = %v; want no error, s.Nodes of length 2", s, err)
	}
	for i, k := range []struct {
		name, material string
		positions      []gbx.Vec3
	}{
		{"Lod0", "Grass", []gbx.Vec3{vec(-2, 0, 2), vec(2, 0, 2), vec(2, 0, -2), vec(-2, 0, -2)}}, {"Lod1", "Ice", []gbx.Vec3{vec(-2, 0, 2), vec(2, 0, 2), vec(2, 0, -2)}},
	} {
		n := s.Nodes[i]
		p := n.Mesh.Parts[0]
		if n.Name != k.name || n.Level != i || n.Mesh.Name != k.name || n.Mesh.Kind != Solid2 || n.Mesh.Vertices() != len(k.positions) || len(n.Mesh.Parts) != 1 || s.Materials[p.Material].Name != k.material {
			t.Errorf("n = %+v n.Mesh = %+v", n, n.Mesh)
		}
		if !slices.Equal(p.Positions, k.positions) || p.Triangles() != len(k.positions)-2 || p.Normals[0] != vec(0, 1, 0) || len(p.UVs) != 1-i {
			t.Errorf("%+v, want %v", p.Geometry, k.positions)
		}
	}
}

// A tree stands at the place that it states, if it states one, with all trees below it.
func TestTrees(t *testing.T) {
	location := gbx.Iso4{Mat3: gbx.Mat3{X: vec(2, 0, 0), Y: vec(0, 2, 0), Z: vec(0, 0, 2)}, T: vec(1, 2, 3)}
	tree := func(bodies ...gbx.Body) gbx.Ref {
		n := &gbx.Node{Class: classTree}
		for _, b := range bodies {
			n.Chunks = append(n.Chunks, gbx.Chunk{Body: b})
		}
		return gbx.Ref{Node: n}
	}
	leaf := tree(&plug.Chunk0904F00D{Name: gbx.NewID("leaf")}, &plug.Chunk0904F016{Surface: shape(1)}, &plug.Chunk0904F01A{Flags: plug.CPlugTreeTreeFlagsHasLocation, Location: location})
	for flags, want := range map[plug.CPlugTreeTreeFlags]gbx.Vec3{plug.CPlugTreeTreeFlagsHasLocation: vec(3, 6, 9), 0: vec(1, 2, 3)} {
		for _, place := range []gbx.Body{&plug.Chunk0904F015{Flags: flags, Location: location}, &plug.Chunk0904F018{Flags: flags, Location: location}, &plug.Chunk0904F019{Flags: flags, Location: location}, &plug.Chunk0904F01A{Flags: flags, Location: location}} {
			s, err := Read(&gbx.File{Body: tree(place, &plug.Chunk0904F006{Children: []gbx.Ref{leaf}}).Node}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			b := s.Bounds()
			if b.Min != want || len(s.Nodes) != 1 || s.Nodes[0].Children[0].Name != "leaf" {
				t.Errorf("%T: at %v, want %v", place, b.Min, want)
			}
		}
	}
	mip := &gbx.Node{Class: classTreeVisualMip, Chunks: []gbx.Chunk{{Body: &plug.Chunk09015002{Levels: []plug.CPlugTreeVisualMipLevel{{Tree: tree(&plug.Chunk0904F016{Surface: shape(2)})}, {Tree: leaf}}}}}}
	s, err := Read(&gbx.File{Body: mip}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	levels := map[int]int{}
	s.Visit(func(n *Node, _ Transform) {
		if n.Mesh != nil {
			levels[n.Level] += n.Mesh.Triangles()
		}
	})
	if len(levels) != 2 || levels[0] != 2 || levels[1] != 1 || s.Nodes[0].Children[1].Name != "Lod1" {
		t.Errorf(`levels = %v; want levels of length 2, levels[0] = 2, levels[1] = 1, s.Nodes[0].Children[1].Name = "Lod1"`, levels)
	}
}

// A material has the name that somebody gave it, or that of the game's material
// that it is made from.
func TestMaterials(t *testing.T) {
	made := func(link, name string) gbx.Ref {
		c := &plug.Chunk090FD000{Link: link, LinkID: gbx.NoID, MaterialName: gbx.NoID}
		if name != "" {
			c.MaterialName = gbx.NewID(name)
		}
		return one(c)
	}
	c := plug.CPlugCrystalCrystal{Embedded: new(plug.CPlugCrystalCrystalEmbedded)}
	g := &c.Embedded.Geometry
	g.Positions = []gbx.Vec3{{}, {X: 1}, {Y: 1}}
	list := []plug.CPlugCrystalMaterial{
		{UserInst: made(`Stadium\Media\Material\Road.Gbx`, "")}, {UserInst: made("Road", "Mine")}, {OwnUserInst: made("Sand/", "")}, {Name: "Ice"}, {UserInst: made("", "")}, {Name: "Ice"},
	}
	for i := range list {
		g.Faces = append(g.Faces, plug.Face{Indices: []uint32{0, 1, 2}, MaterialIndex: uint32(i)})
	}
	g.Faces = append(g.Faces, plug.Face{Indices: []uint32{0, 1, 2}, MaterialIndex: uint32(len(list))})
	s, err := Read(&gbx.File{Body: &gbx.Node{Class: classCrystal, Chunks: []gbx.Chunk{{Body: &plug.Chunk09003003{Materials: list}}, {Body: &plug.Chunk09003000{Crystal: c}}}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []Material{{Name: "Road", Link: "Road"}, {Name: "Mine", Link: "Road"}, {Name: "Sand", Link: "Sand"}, {Name: "Ice"}}; !slices.Equal(s.Materials, want) {
		t.Errorf("s.Materials = %+v; want s.Materials equal to %+v", s.Materials, want)
	}
	var triangles []int
	for _, p := range s.Nodes[0].Mesh.Parts {
		triangles = append(triangles, p.Material, p.Triangles())
	}
	if want := []int{0, 1, 1, 1, 2, 1, 3, 2, -1, 2}; !slices.Equal(triangles, want) { // two of ice, two of none
		t.Errorf("triangles = %v; want triangles equal to %v", triangles, want)
	}
}

// The layers of a crystal, by what they are for, with materials by name and places
// in pictures that run down.
func TestCrystals(t *testing.T) {
	square := func(visible gbx.Bool, version uint32) plug.CPlugCrystalLayer {
		g := &plug.CPlugCrystalLayerGeometry{IsVisible: visible}
		g.Crystal.Version = 37
		g.Crystal.Embedded = new(plug.CPlugCrystalCrystalEmbedded)
		e := &g.Crystal.Embedded.Geometry
		e.Positions = []gbx.Vec3{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}
		e.Uvs = []gbx.Vec2{{}, {X: 1}, {X: 1, Y: 0.25}, {Y: 1}}
		e.UvIndices.Values = []uint32{0, 1, 2, 3, 1, 0, 2}
		e.Faces = []plug.Face{{Indices: []uint32{0, 1, 2, 3}}, {Indices: []uint32{1, 0, 2}, MaterialIndex: 1}}
		return plug.CPlugCrystalLayer{TypeVersion: version, Geometry: g}
	}
	trigger := plug.CPlugCrystalLayer{LayerName: "\ufeffGoal", Trigger: &plug.CPlugCrystalLayerTrigger{TriggerShape: triangle(2)}}
	layers := &plug.Chunk09003005{}
	layers.Layers.List = []plug.CPlugCrystalLayer{square(gbx.True, 1), square(gbx.False, 1), square(gbx.False, 0), trigger}
	lightmap := &plug.Chunk09003006{Version: 2, PackedUVs: []uint32{0xFFFF0000, 0x0000FFFF}}
	lightmap.UvIndices.Values = []uint32{0, 1, 0, 2}
	crystal := &gbx.Node{Class: classCrystal, Chunks: []gbx.Chunk{
		{Body: &plug.Chunk09003003{Materials: []plug.CPlugCrystalMaterial{{Name: `Stadium\Media\Grass.Material`}, {Name: "Ice"}}}}, {Body: layers}, {Body: lightmap},
	}}
	s, err := Read(&gbx.File{Body: crystal}, Options{})
	if err != nil || len(s.Nodes) != 4 {
		t.Fatalf("s = %+v, err = %v; want no error, s.Nodes of length 4", s, err)
	}
	for i, k := range []struct {
		name string
		role Role
	}{{"Layer0", Drawn}, {"Layer1", Collision}, {"Layer2", Drawn}, {"Goal", Trigger}} {
		if n := s.Nodes[i]; n.Name != k.name || n.Role != k.role || n.Mesh.Kind != Crystal {
			t.Errorf("%+v, want %+v", n, k)
		}
	}
	m := s.Nodes[0].Mesh
	if len(m.Parts) != 2 || m.Triangles() != 3 || s.Materials[m.Parts[0].Material].Name != "Grass" || s.Materials[m.Parts[1].Material].Name != "Ice" {
		t.Fatalf(`m = %+v s.Materials = %+v; want m.Parts of length 2, m.Triangles() = 3, s.Materials[m.Parts[0].Material].Name = "Grass", s.Materials[m.Parts[1].Material].Name = "Ice"`, m, s.Materials)
	}
	grass := m.Parts[0]
	if !slices.Equal(grass.Indices, []uint32{0, 1, 2, 0, 2, 3}) || !slices.Equal(grass.UVs[0], []gbx.Vec2{{Y: 1}, {X: 1, Y: 1}, {X: 1, Y: 0.75}, {}}) {
		t.Errorf("grass.Geometry = %+v; want grass.Indices equal to []uint32{0, 1, 2, 0, 2, 3}, grass.UVs[0] equal to []gbx.Vec2{{Y: 1}, {X: 1, Y: 1}, {X: 1, Y: 0.75}, {}}", grass.Geometry)
	}
	// The lightmap's are stored in two parts of a word; one leads nowhere.
	if !slices.Equal(grass.UVs[1], []gbx.Vec2{{}, {X: 1, Y: 1}, {}, {Y: 1}}) {
		t.Errorf("grass.UVs[1] = %v; want grass.UVs[1] equal to []gbx.Vec2{{}, {X: 1, Y: 1}, {}, {Y: 1}}", grass.UVs[1])
	}
	if vertices, triangles := s.Count(); vertices != 24 || triangles != 10 {
		t.Errorf("%d vertices, %d triangles", vertices, triangles)
	}
}
