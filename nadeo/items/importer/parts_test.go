package importer

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pakbox/finding"
	"pakbox/gbx/mesh/model"
	"pakbox/nadeo"
	"pakbox/nadeo/items/itemxml"
	"pakbox/nadeo/items/static"
)

// sheet is a mesh of one face for each list of corners, all with material 0.
func sheet(faces ...[]model.Vec3) *model.Mesh {
	m := &model.Mesh{}
	for _, f := range faces {
		m.Polygons = append(m.Polygons, model.Polygon{First: int32(len(m.Corners)), Count: int32(len(f))})
		for _, p := range f {
			m.Corners = append(m.Corners, int32(len(m.Positions)))
			m.Positions = append(m.Positions, p)
		}
	}
	return m
}

// square is a face in the plane y = 0 that looks up, from x and z = -4 to 4 metres.
func square() *model.Mesh {
	return sheet([]model.Vec3{{-4, 0, 4}, {4, 0, 4}, {4, 0, -4}, {-4, 0, -4}})
}

// mapped gives a mesh both layers, with the corners of a face at the corners of the layer.
func mapped(m *model.Mesh) *model.Mesh {
	for _, name := range model.LayerNames {
		uvs := make([]model.Vec2, len(m.Corners))
		for i := range uvs {
			uvs[i] = [4]model.Vec2{{0, 0}, {1, 0}, {1, 1}, {0, 1}}[i%4]
		}
		m.UVLayers = append(m.UVLayers, model.UVLayer{Name: name, UVs: uvs})
	}
	return m
}

func node(name string, m *model.Mesh) model.Node {
	return model.Node{Name: name, Parent: -1, World: model.Identity, Mesh: m}
}

// at moves a node.
func at(n model.Node, x, y, z float64) model.Node {
	n.World.T = model.Vec3{x, y, z}
	return n
}

// workOf is the state of an import of nodes whose faces have the material PlatformTech.
func workOf(nodes ...model.Node) *work {
	return &work{
		Result: Result{Mesh: "part.glb"},
		scene:  &model.Scene{Nodes: nodes, Materials: []string{"PlatformTech"}},
		item:   &itemxml.Item{File: "Part.Item.xml", Type: "StaticObject", Collection: "Stadium", AuthorName: "ada", PivotSnap: -1},
		params: &itemxml.MeshParams{File: "Part.MeshParams.xml", MeshType: "Static", Collection: "Stadium", Scale: 1, Materials: []itemxml.Material{{Line: 4, Name: "PlatformTech", Link: "PlatformTech"}}},
	}
}

// problemLines formats the problems: severity, file, line, object and message.
func (w *work) problemLines() (out []string) {
	for _, p := range w.Problems {
		out = append(out, fmt.Sprintf("%s %s %d %s: %s", p.Severity, p.File, p.Line, p.Entry, p.Message))
	}
	return out
}

func wantTold(t *testing.T, w *work, want ...string) {
	t.Helper()
	if got := w.problemLines(); !slices.Equal(got, want) {
		t.Errorf("problems =\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A mesh without texture coordinates gets the texture from the side that a face looks
// to, 8 m wide, wherever the object stands. Of two equal sides the floor wins, then the
// wall along x.
func TestProjected(t *testing.T) {
	for _, test := range []struct {
		name string
		face []model.Vec3
		want []model.Vec2
	}{
		{"floor", []model.Vec3{{0, 0, 0}, {0, 0, 8}, {16, 0, 8}}, []model.Vec2{{1, -0.5}, {1, -1.5}, {3, -1.5}}},
		{"wall along x", []model.Vec3{{0, 0, 0}, {0, 8, 0}, {0, 8, 16}}, []model.Vec2{{-0.5, 0.25}, {-0.5, 1.25}, {-2.5, 1.25}}},
		{"wall along z", []model.Vec3{{0, 0, 0}, {8, 0, 0}, {8, 16, 0}}, []model.Vec2{{1, 0.25}, {2, 0.25}, {2, 2.25}}},
		{"slope of x and y", []model.Vec3{{0, 0, 0}, {0, 0, 8}, {8, 8, 8}}, []model.Vec2{{1, -0.5}, {1, -1.5}, {2, -1.5}}},
		{"slope of y and z", []model.Vec3{{0, 0, 0}, {8, 0, 0}, {8, 8, 8}}, []model.Vec2{{1, -0.5}, {2, -0.5}, {2, -1.5}}},
		{"corner of x and z", []model.Vec3{{0, 0, 0}, {0, 8, 0}, {8, 8, 8}}, []model.Vec2{{-0.5, 0.25}, {-0.5, 1.25}, {-1.5, 1.25}}},
		{"steep in x", []model.Vec3{{0, 0, 0}, {0, 0, 8}, {4, 8, 8}}, []model.Vec2{{-0.5, 0.25}, {-1.5, 0.25}, {-1.5, 1.25}}},
		{"line", []model.Vec3{{0, 0, 0}, {0, 0, 8}}, []model.Vec2{{}, {}}},
	} {
		n := at(node("n", sheet(test.face)), 8, 2, 4)
		if got := projected(&n); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	// Coordinates of a face stand at its own corners, not at the corners of the first.
	n := node("n", sheet([]model.Vec3{{0, 0, 0}, {0, 0, 8}, {8, 0, 8}}, []model.Vec3{{8, 0, 0}, {0, 0, 8}, {8, 0, 8}}))
	if got := projected(&n); got[3] != (model.Vec2{1, 0}) || got[0] != (model.Vec2{}) {
		t.Errorf("two faces: %v", got)
	}
}

// Without places in the lightmap each face gets its own: a circle of 0.9 of a cell, the
// cells row by row in a square. Objects that share a mesh share its places.
func TestAddedLightmap(t *testing.T) {
	shared, whole := square(), mapped(square())
	shared.UVLayers = []model.UVLayer{{Name: "BaseMaterial", UVs: make([]model.Vec2, 4)}}
	hidden, trigger := square(), square()
	hidden.UVLayers = []model.UVLayer{{Name: "BaseMaterial", UVs: make([]model.Vec2, 4)}}
	bare := sheet([]model.Vec3{{0, 0, 0}, {0, 0, 8}, {8, 0, 8}}, []model.Vec3{{0, 0, 0}, {8, 0, 8}, {8, 0, 0}})
	w := workOf(node("a", shared), node("b", shared), node("empty", nil), node("c", whole), node("_notvisible_d", hidden), node("_Trigger_e", trigger), node("f", bare))
	w.addLayers()
	wantTold(t, w, "note part.glb 0 f: object f has no texture coordinates: the texture lies on it from outside, 8 m wide",
		"note part.glb 0 : the mesh has no places in the lightmap: each face gets its own, which costs light at the edges")
	if len(trigger.UVLayers) != 0 {
		t.Error("a trigger has texture coordinates")
	}
	face := 0
	for _, m := range []*model.Mesh{shared, whole, hidden, bare} {
		if len(m.UVLayers) != 2 || m.UVLayers[1].Name != model.Lightmap {
			t.Fatalf("layers %v", layerNames(m))
		}
		for _, p := range m.Polygons {
			cell := model.Vec2{(float64(face%3) + 0.5) / 3, (float64(face/3) + 0.5) / 3}
			for k := range p.Count {
				sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(p.Count))
				uv := m.UVLayers[1].UVs[p.First+k]
				if math.Abs(uv[0]-cell[0]-0.15*cos) > 1e-9 || math.Abs(uv[1]-cell[1]-0.15*sin) > 1e-9 {
					t.Errorf("face %d, corner %d is at %v of the cell at %v", face, k, uv, cell)
				}
			}
			face++
		}
	}
	if face != 5 {
		t.Errorf("%d faces", face)
	}
	// An object keeps its own layers; an invisible object needs none and asks for none.
	hidden = square()
	w = workOf(node("c", mapped(square())), node("_NotVisible_d", hidden))
	w.addLayers()
	if kept := w.scene.Nodes[0].Mesh.UVLayers; kept[1].UVs[2] != (model.Vec2{1, 1}) || len(kept) != 2 {
		t.Errorf("a lightmap was replaced: %v", kept)
	}
	if l := hidden.UVLayer(model.Lightmap); l == nil || !slices.Equal(l.UVs, make([]model.Vec2, 4)) {
		t.Errorf("the invisible object has %v", hidden.UVLayers)
	}
	wantTold(t, w, "note part.glb 0 _NotVisible_d: object _NotVisible_d has no texture coordinates: the texture lies on it from outside, 8 m wide")
}

// Layers with names of another program get the games' names by their order, in visible
// objects. A layer that has its name keeps it.
func TestLayerNames(t *testing.T) {
	with := func(names ...string) *model.Mesh {
		m := square()
		for _, n := range names {
			m.UVLayers = append(m.UVLayers, model.UVLayer{Name: n})
		}
		return m
	}
	w := workOf(node("two", with("UVMap", "UVMap.001")), node("lit", with("LIGHTMAP", "UVMap")), node("good", with("lightmap", "BaseMaterial", "third")), node("_trigger_", with("UVMap")), node("no", nil))
	w.nameLayers()
	want := []string{"BaseMaterial, Lightmap", "LIGHTMAP, BaseMaterial", "lightmap, BaseMaterial, third", "UVMap"}
	for i := range want {
		if got := layerNames(w.scene.Nodes[i].Mesh); got != want[i] {
			t.Errorf("%s: %s, want %s", w.scene.Nodes[i].Name, got, want[i])
		}
	}
	wantTold(t, w, "note part.glb 0 two: object two: its UV layer UVMap is taken as BaseMaterial", "note part.glb 0 two: object two: its UV layer UVMap.001 is taken as Lightmap",
		"note part.glb 0 lit: object lit: its UV layer UVMap is taken as BaseMaterial")
}

// A waypoint without its parts gets them: cars start 1 cm above the origin, and a box
// around all of it, whose faces look outwards, fires it. A start needs no trigger.
func TestAddedWaypoint(t *testing.T) {
	w := workOf(at(node("a", square()), 10, 1, 0), at(node("b", square()), -10, 6, 2))
	w.addWaypoint(Part{Waypoint: "Checkpoint"})
	wantTold(t, w, "note part.glb 0 _socket_start: the mesh has no object _socket_start: cars start at its origin and look along z",
		"note part.glb 0 _trigger_: the mesh has no trigger: a box around all of it fires the waypoint")
	o := w.assemble()
	if o.Spawn == nil || o.Spawn.T.Y != 0.01 || o.Spawn.T.X != 0 || o.Spawn.Z.Z != 1 {
		t.Errorf("cars start at %v", o.Spawn)
	}
	lo, hi, out := o.Trigger.Points[0], o.Trigger.Points[0], 0
	for _, p := range o.Trigger.Points {
		lo.X, lo.Y, lo.Z = min(lo.X, p.X), min(lo.Y, p.Y), min(lo.Z, p.Z)
		hi.X, hi.Y, hi.Z = max(hi.X, p.X), max(hi.Y, p.Y), max(hi.Z, p.Z)
	}
	if got := fmt.Sprint(lo, hi); got != "{-14 1 -4} {14 6 6}" {
		t.Errorf("the box is %s", got)
	}
	volume := 0.0 // faces that look outwards enclose the volume of the box
	for _, c := range o.Trigger.Triangles {
		p := func(k int) model.Vec3 {
			v := o.Trigger.Points[c[k]]
			return model.Vec3{float64(v.X), float64(v.Y), float64(v.Z)}
		}
		volume += p(0).Dot(p(1).Cross(p(2))) / 6
		out++
	}
	if out != 12 || math.Abs(volume-28*5*10) > 1e-6 {
		t.Errorf("%d triangles around %g m³", out, volume)
	}
	for waypoint, want := range map[string]int{"Start": 1, "": 0, "Finish": 2} {
		w = workOf(node("a", square()))
		if w.addWaypoint(Part{Waypoint: waypoint}); len(w.scene.Nodes) != 1+want {
			t.Errorf("%q adds %d objects", waypoint, len(w.scene.Nodes)-1)
		}
	}
	// An object without faces is not a trigger; the parts of the mesh are kept.
	w = workOf(node("a", square()), node("_trigger_", nil), node("_SOCKET_start", nil))
	if w.addWaypoint(Part{Waypoint: "Finish"}); len(w.scene.Nodes) != 4 || w.scene.Nodes[3].Name != "_trigger_box" {
		t.Errorf("%d objects", len(w.scene.Nodes))
	}
}

// Any object can serve as the trigger.
func TestNamedTrigger(t *testing.T) {
	w := workOf(node("a", square()), node("Arch_Lod0", square()))
	w.addWaypoint(Part{Waypoint: "Finish", Trigger: "arch"})
	if len(w.scene.Nodes) != 3 || w.scene.Nodes[1].Name != "_trigger_Arch_Lod0" || w.Failed() {
		t.Errorf(`w.scene.Nodes = %v w.problemLines() = %v; want w.scene.Nodes of length 3, w.scene.Nodes[1].Name = "_trigger_Arch_Lod0", w.Failed() = false`, w.scene.Nodes, w.problemLines())
	}
	w = workOf(node("a", square()))
	w.addWaypoint(Part{Trigger: "arch"})
	wantTold(t, w, "error part.glb 0 arch: the mesh has no object arch")
}

// The game material of each material of the mesh: the one chosen by the caller, else the one
// noted in the mesh file, else the name in the mesh. A noted material that the importer does not know
// serves crystals only.
func TestChosenMaterials(t *testing.T) {
	for crystal, want := range map[bool]string{false: "[A:RoadTech/Ice B:RoadDirt C:C D:D]", true: `[A:RoadTech/Ice B:RoadDirt C:Stadium\Own D:D]`} {
		w := workOf()
		w.Crystal, w.params.Materials = crystal, nil
		w.scene.Materials, w.scene.Links = []string{"A", "B", "C", "D"}, []string{"RoadIce", "RoadDirt", `Stadium\Own`}
		w.chooseMaterials(Part{Mesh: "part.glb", Materials: map[string]itemxml.Material{"A": {Link: "RoadTech", PhysicsID: "Ice"}, "E": {Link: "Grass"}}})
		var got []string
		for _, m := range w.params.Materials {
			got = append(got, strings.TrimSuffix(m.Name+":"+m.Link+"/"+m.PhysicsID, "/"))
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%v, want %s", got, want)
		}
		if wantTold(t, w, "error part.glb 0 E: the mesh has no material E"); w.Problems[0].Suggestion != "write one of A, B, C, D" {
			t.Errorf(`w.Problems[0].Suggestion = %v; want "write one of A, B, C, D"`, w.Problems[0].Suggestion)
		}
	}
}

// Lights keep their colour and strength. They reach 64 m; the cone of a spot is the mesh's.
func TestTakenLights(t *testing.T) {
	w := workOf(node("a", square()), node("lamp", nil), node("spot", nil))
	w.scene.Nodes[1].Light = &model.Light{Color: [3]float64{1, 0.5, 0.25}, Intensity: 3, Inner: 1, Outer: 2}
	w.scene.Nodes[2].Light = &model.Light{Kind: model.SpotLight, Intensity: 2, Inner: 10, Outer: 20}
	w.takeLights()
	want := []itemxml.Light{
		{Name: "lamp", Type: "Point", Color: [3]float64{1, 0.5, 0.25}, Intensity: 3, Distance: 64, SpotInnerAngle: 40, SpotOuterAngle: 60},
		{Name: "spot", Type: "Spot", Intensity: 2, Distance: 64, SpotInnerAngle: 10, SpotOuterAngle: 20},
	}
	if !slices.Equal(w.params.Lights, want) {
		t.Errorf("w.params.Lights = %+v; want w.params.Lights equal to %+v", w.params.Lights, want)
	}
}

// join keeps the order of both scenes. The second scene's materials are found by name,
// its parents move, and a shared mesh is changed once.
func TestJoin(t *testing.T) {
	to := &model.Scene{Nodes: []model.Node{node("a", square())}, Materials: []string{"Road", "Wall"}, Links: []string{"RoadTech", ""}}
	shared := sheet([]model.Vec3{{}, {}, {}}, []model.Vec3{{}, {}, {}}, []model.Vec3{{}, {}, {}})
	shared.Polygons[0].Material, shared.Polygons[1].Material, shared.Polygons[2].Material = 0, 1, -1
	from := &model.Scene{Nodes: []model.Node{node("root", nil), node("b", shared), node("c", shared)}, Materials: []string{"Glass", "Road"}, Links: []string{"Window"}}
	from.Nodes[1].Parent = 0
	join(to, from)
	if !slices.Equal(to.Materials, []string{"Road", "Wall", "Glass"}) || !slices.Equal(to.Links, []string{"RoadTech", "", "Window"}) {
		t.Errorf("materials %v, links %v", to.Materials, to.Links)
	}
	var got []string
	for _, n := range to.Nodes {
		got = append(got, fmt.Sprint(n.Name, n.Parent))
	}
	if fmt.Sprint(got) != "[a-1 root-1 b1 c-1]" {
		t.Errorf("nodes %v", got)
	}
	if p := shared.Polygons; p[0].Material != 2 || p[1].Material != 0 || p[2].Material != -1 {
		t.Errorf("faces %v", p)
	}
}

// The level of detail stands at the end of a name, up to the number that programs add.
func TestLevel(t *testing.T) {
	for name, want := range map[string]int{
		"Wall_Lod0": 0, "Wall_LOD3": 3, "_lod1": 1, "Wall_Lod2.001": 2, "Wall_lod1_a": 1, "Old_Lod0_Lod2": 2,
		"Wall": -1, "": -1, "Wall_Lod": -1, "Wall_Lod4": -1, "Wall_Lod12": -1, "Wall_Lodx": -1, "Wall_Lod/": -1, "Lod1": -1,
	} {
		n, found := level(name)
		if !found {
			n = -1
		}
		if n != want {
			t.Errorf("%q: %d, want %d", name, n, want)
		}
	}
}

// Each level of detail shows its own objects, and those without a level. The second
// begins at 64 m, each next one at twice the distance. Cars run into the finest level.
func TestLevels(t *testing.T) {
	w := workOf(node("a_Lod0", mapped(square())), node("a_Lod2", mapped(square())), node("b", mapped(square())), at(node("_notvisible_c", mapped(square())), 0, 0, 100))
	o := w.assemble()
	var masks []uint32
	for _, p := range o.Solid.Parts {
		masks = append(masks, p.Levels)
	}
	if fmt.Sprint(masks) != "[1 4 7]" || fmt.Sprint(o.Solid.LodDistances) != "[64 128]" {
		t.Errorf("levels %v, distances %v", masks, o.Solid.LodDistances)
	}
	if o.Hull == nil || len(o.Hull.Triangles) != 6 || len(o.Hull.Points) != 12 || o.Hull.Points[11].Z != 96 {
		t.Errorf("the hull has %+v", o.Hull)
	}
	wantTold(t, w)
	if o = workOf(node("a", mapped(square()))).assemble(); o.Hull != nil || len(o.Solid.LodDistances) != 0 || o.Solid.Parts[0].Levels != 1 {
		t.Errorf("a plain mesh: hull %v, levels %v", o.Hull, o.Solid.LodDistances)
	}
}

// The hull has the surface and the effect of each face, and no face that cars drive
// through, by its name or by its surface.
func TestHull(t *testing.T) {
	second, third := mapped(square()), mapped(square())
	second.Polygons[0].Material, third.Polygons[0].Material = 1, 2
	w := workOf(node("ghost", third), node("ice", second), node("_NOTCOLLIDABLE_a", mapped(square())))
	w.scene.Materials = []string{"Road", "Ice", "Ghost"}
	w.params.Materials = []itemxml.Material{
		{Name: "Road", Link: "RoadTech"}, {Name: "Ice", Link: "PlatformTech", PhysicsID: "Ice", GameplayID: "Turbo2"}, {Name: "Ghost", Link: "PlatformTech", PhysicsID: "NotCollidable"},
	}
	o := w.assemble()
	if fmt.Sprint(o.Hull.Kinds) != "[515 515]" { // Ice is 3, Turbo2 is 2
		t.Errorf("the hull has %v", o.Hull.Kinds)
	}
	// The materials are in the order of the mesh, though the objects use them the other way.
	var got []string
	for _, p := range o.Solid.Parts {
		m := o.Solid.Materials[p.Material]
		got = append(got, fmt.Sprint(m.Name, m.Link, m.Surface, m.Gameplay, m.Whole, p.Hidden, p.Passable))
	}
	if want := "[RoadRoadTech160falsefalsefalse IcePlatformTech32falsefalsefalse GhostPlatformTech280falsefalsefalse]"; strings.ReplaceAll(fmt.Sprint(got), " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("parts %v", got)
	}
}

// Scale applies to faces, starts and lights, and not to axes. A mirrored object still
// shows its faces to the same side.
func TestScaleAndMirror(t *testing.T) {
	mirrored := node("m", mapped(square()))
	mirrored.World.X = model.Vec3{-2, 0, 0}
	start := at(node("_socket_start", nil), 1, 2, 3)
	start.World.X = model.Vec3{5, 0, 0}
	w := workOf(mirrored, start)
	w.params.Scale, w.item.Waypoint = 10, "Start"
	o := w.assemble()
	c := o.Solid.Parts[0].Corners
	if len(c) != 6 || c[0].Normal.Y != 1 {
		t.Fatalf("%d corners, normal %v", len(c), c[0].Normal)
	}
	for i := 0; i < 6; i += 3 {
		u := model.Vec3{float64(c[i+1].Position.X - c[i].Position.X), 0, float64(c[i+1].Position.Z - c[i].Position.Z)}
		v := model.Vec3{float64(c[i+2].Position.X - c[i].Position.X), 0, float64(c[i+2].Position.Z - c[i].Position.Z)}
		if up := u.Cross(v)[1]; up != 160*80 {
			t.Errorf("triangle %d has the area %g", i/3, up)
		}
	}
	if s := o.Spawn; s.T.X != 10 || s.T.Y != 20 || s.T.Z != 30 || s.X.X != 1 {
		t.Errorf("cars start at %v", s)
	}
	wantTold(t, w)
}

// An empty whose z axis points up is Blender's: cars look along its -y axis.
func TestUprightStart(t *testing.T) {
	n := node("_socket_start", nil)
	n.World.Y, n.World.Z = model.Vec3{0, 0, -1}, model.Vec3{0, 1, 0}
	w := workOf(node("a", mapped(square())), n)
	w.item.Waypoint = "Start"
	if s := w.assemble().Spawn; s.Y.Y != 1 || s.Z.Z != 1 {
		t.Errorf("cars start at %v", s)
	}
	wantTold(t, w, "note part.glb 0 _socket_start: the z axis of _socket_start points up, as Blender exports it without Apply Transform: cars look along its -y axis")
	n.World.Z = model.Vec3{0, 0.89, 0.46}
	if s := workOf(node("a", mapped(square())), n).assemble().Spawn; s.Z.Y < 0.8 {
		t.Errorf("a steep start became %v", s)
	}
}

// A light of the item has the values in the XML. A light without an entry there is omitted.
func TestLights(t *testing.T) {
	w := workOf(node("a", mapped(square())), at(node("spot", nil), 0, 5, 0), node("other", nil))
	w.scene.Nodes[1].Light, w.scene.Nodes[2].Light = &model.Light{}, &model.Light{}
	w.params.Scale = 2
	w.params.Lights = []itemxml.Light{{Line: 7, Name: "spot", Type: "Spot", Color: [3]float64{1, 0.5, 0}, Intensity: 2, Distance: 30, NightOnly: true, PointEmissionRadius: 3, PointEmissionLength: 4, SpotInnerAngle: 10, SpotOuterAngle: 20, SpotEmissionSizeX: 5, SpotEmissionSizeY: 6}, {Line: 9, Name: "gone"}, {}}
	o := w.assemble()
	if len(o.Solid.Lights) != 1 {
		t.Fatalf("o.Solid.Lights = %+v; want o.Solid.Lights of length 1", o.Solid.Lights)
	}
	l := o.Solid.Lights[0]
	m := &l.Model
	got := fmt.Sprint(l.Name, l.Place.T.Y, m.U01, m.NightOnly.True(), m.Color, m.Intensity, m.Distance, m.PointEmissionRadius, m.PointEmissionLength, m.SpotInnerAngle, m.SpotOuterAngle, m.SpotEmissionSizeX, m.SpotEmissionSizeY)
	if want := fmt.Sprint("spot", float32(10), 1, true, m.Color, 2, 30, 3, 4, 10, 20, 5, 6); got != want || m.Color.R != 1 || m.Color.G != 0.5 || m.Color.B != 0 {
		t.Errorf("%s, want %s", got, want)
	}
	wantTold(t, w, "warning Part.MeshParams.xml 1 other: the light other is not described: it is left out", "error Part.MeshParams.xml 9 gone: the mesh has no light gone")
	w.Problems, w.params.Lights = nil, []itemxml.Light{{Name: "spot", Type: "Point"}, {Name: "other", Type: "Point"}}
	if o = w.assemble(); o.Solid.Lights[0].Model.U01 != 0 || o.Solid.Lights[0].Model.NightOnly.True() {
		t.Errorf("a point: %+v", o.Solid.Lights[0].Model)
	}
}

// Faces without an area in the lightmap are counted once for each object and material. A
// polygon counts as one face, and faces that nobody sees do not count.
func TestFlatLightmap(t *testing.T) {
	flat := mapped(sheet([]model.Vec3{{-4, 0, 4}, {4, 0, 4}, {4, 0, -4}, {-4, 0, -4}}, []model.Vec3{{-4, 0, 4}, {4, 0, 4}, {4, 0, -4}, {-4, 0, -4}}, []model.Vec3{{-4, 0, 4}, {4, 0, 4}, {4, 0, -4}, {-4, 0, -4}}))
	for i := range 8 {
		flat.UVLayers[1].UVs[i] = model.Vec2{float64(i), 2 * float64(i)}
	}
	w := workOf(node("a", flat), node("_notvisible_b", flat))
	w.assemble()
	wantTold(t, w, "warning part.glb 0 a: object a: 2 faces of the material PlatformTech have no area in the UV layer Lightmap (texcoord)")
}

// Crystals name materials by the whole path. The editor has materials that the importer
// lacks, so an unknown one is a warning.
func TestCrystalMaterials(t *testing.T) {
	for _, test := range []struct {
		game                nadeo.Generation
		link, physics, want string
		told                string
	}{
		{"", "PlatformTech", "", `Stadium\Media\Material\PlatformTech 16`, ""},
		{"", "Stadium/Media/Material/RoadTech", "Ice", `Stadium\Media\Material\RoadTech 3`, ""},
		{"", "Mine", "", `Stadium\Media\Material\Mine 0`, `warning Part.MeshParams.xml 4 PlatformTech: no library at hand has the material Stadium\Media\Material\Mine: it may have no texture in the game`},
		{nadeo.ManiaPlanet4, "PlatformTech", "Ice", `Stadium\Media\Material\PlatformTech 3`, ""},
		{nadeo.ManiaPlanet4, `Valley\Media\Material\Mine`, "Ice", `Valley\Media\Material\Mine 3`, ""},
		{"", "", "", "", "error Part.MeshParams.xml 4 PlatformTech: the material PlatformTech has no Link"},
		{"", "a\x00b", "", "", "error"},
	} {
		w := workOf(node("a", mapped(square())))
		w.Crystal, w.Game = true, test.game
		w.params.Materials[0].Link, w.params.Materials[0].PhysicsID = test.link, test.physics
		o, got := &static.Item{}, ""
		if w.gather(o); len(o.Solid.Materials) == 1 {
			m := o.Solid.Materials[0]
			got = fmt.Sprint(m.Link, " ", m.Surface)
			if !m.Whole || m.UVLayers != 2 || m.Lightmap != 1 {
				t.Errorf("%s: m = %+v; want m.Whole = true, m.UVLayers = 2, m.Lightmap = 1", test.link, m)
			}
		}
		said := strings.Join(w.problemLines(), "; ")
		if got != test.want || test.told != said && (test.told != "error" || !w.Failed()) {
			t.Errorf("%s %q: material %s, want %s; problems %q, want %q", test.game, test.link, got, test.want, said, test.told)
		}
		if test.told == "" != (w.Problems == nil) || finding.Worst(w.Problems) == finding.Error != (got == "") {
			t.Errorf(`%q: w.problemLines() = %v; want w.Problems is nil exactly if test.told is empty, finding.Worst(w.Problems) is finding.Error exactly if got is empty`, test.link, w.problemLines())
		}
	}
}
