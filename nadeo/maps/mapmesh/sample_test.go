package mapmesh

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/mesh"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/scene"
	"pakbox/nadeo/nadeotest/mapsample"
)

// The sample as a scene: every block and item by its name and number, boxes of
// one mesh for each colour, lines that have a way.
func TestSample(t *testing.T) {
	way := []gbx.Vec3{{X: 656, Y: 9, Z: 784}, {X: 784, Y: 9, Z: 784}}
	r, err := Of(context.Background(), mapsample.New(t), Options{Lines: []Line{{"one", way}, {"standing", way[:1]}, {"two", append(way, way[0])}}})
	if err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{}
	meshes := map[string]*mesh.Mesh{}
	for _, group := range r.Scene.Nodes {
		for _, n := range group.Children {
			names[group.Name] = append(names[group.Name], n.Name)
			if group.Name != "Lines" {
				if known := meshes[n.Mesh.Name]; known != nil && known != n.Mesh {
					t.Errorf("%s is duplicated", n.Mesh.Name)
				}
				meshes[n.Mesh.Name] = n.Mesh
			}
		}
	}
	if got, want := fmt.Sprint(names), "map[Blocks:[Start RoadTechStart #0 RoadTechStraight #1 Checkpoint RoadTechCheckpoint #2 RoadTechStraight #3 Finish RoadTechFinish #4 PlatformTechBase #5] "+
		"Ground:[Ground] Items:[Tree.Item.Gbx #0 Tree.Item.Gbx #1 Lost.Item.Gbx #2] Lines:[one two]]"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if r.Blocks != 6 || r.Items != 3 || r.Hidden != 0 || r.Lines != 2 || r.Points != 5 {
		t.Errorf("r = %+v; want r.Blocks = 6, r.Items = 3, r.Hidden = 0, r.Lines = 2, r.Points = 5", r)
	}
	stored, drawn := 0, 0
	for _, m := range meshes {
		stored += m.Triangles()
	}
	r.Scene.Visit(func(n *mesh.Node, _ mesh.Transform) {
		if n.Mesh != nil {
			drawn += n.Mesh.Triangles()
		}
	})
	if n := len(meshes); r.Boxes.Models != n || r.Stored != stored || r.Boxes.Things != 9 || r.Boxes.Triangles != drawn || r.Drawn() != drawn || stored >= drawn {
		t.Errorf("%d meshes: %+v", n, r)
	}
	// Start: turned by a quarter about the corner of its cell, so that it fills the cell.
	start := r.Scene.Nodes[0].Children[0]
	if start.Transform.T != (gbx.Vec3{X: 672, Y: 8, Z: 768}) || start.Transform.Z != (gbx.Vec3{X: -1}) {
		t.Errorf("start.Transform = %v; want start.Transform.T = gbx.Vec3{X: 672, Y: 8, Z: 768}, start.Transform.Z = gbx.Vec3{X: -1}", start.Transform)
	}
	// The free block is turned by half a radian: x goes to x and -z, z to x and z.
	sin, cos := math.Sincos(0.5)
	free := r.Scene.Nodes[0].Children[5].Transform
	for _, axis := range []struct {
		got  gbx.Vec3
		want [3]float64
	}{{free.X, [3]float64{cos, 0, -sin}}, {free.Z, [3]float64{sin, 0, cos}}} {
		if d := math.Abs(float64(axis.got.X)-axis.want[0]) + math.Abs(float64(axis.got.Y)) + math.Abs(float64(axis.got.Z)-axis.want[2]); d > 1e-4 {
			t.Errorf("an axis of the free block is %v, want %v", axis.got, axis.want)
		}
	}
	// Colours are distinguished by material, and each material exists once.
	seen := map[mesh.Material]bool{}
	for _, m := range r.Scene.Materials {
		if seen[m] {
			t.Errorf("%v is duplicated", m)
		}
		seen[m] = true
	}
	if got := r.Scene.Materials[start.Mesh.Parts[0].Material]; got.Name != "start" || got.Color != [4]uint8{38, 204, 77, 255} {
		t.Errorf("the start is %v", got)
	}
	one, two := r.Scene.Nodes[3].Children[0].Mesh.Parts[0], r.Scene.Nodes[3].Children[1].Mesh.Parts[0]
	if !one.Line || len(two.Positions) != 3 || r.Scene.Materials[one.Material].Color == r.Scene.Materials[two.Material].Color {
		t.Errorf("one = %+v, two = %+v; want one.Line = true, two.Positions of length 3, r.Scene.Materials[one.Material].Color other than r.Scene.Materials[two.Material].Color", one, two)
	}
}

// Items alone can be cancelled too, and one that stands nowhere is left out.
func TestItemsAlone(t *testing.T) {
	m := mapsample.New(t)
	if _, err := m.RemoveBlocks(func(*maps.Block) bool { return true }); err != nil {
		t.Fatal(err)
	}
	nan := float32(math.NaN())
	if err := m.AddItem(maps.Item{Model: m.Items()[0].Model, Position: gbx.Vec3{X: nan, Y: nan, Z: nan}}); err != nil {
		t.Fatal(err)
	}
	r, err := Of(t.Context(), m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Blocks != 0 || r.Items != 4 || len(r.Scene.Nodes) != 2 || r.Scene.Nodes[0].Name != "Items" || len(r.Scene.Nodes[0].Children) != 3 || r.Boxes.Things != 3 {
		t.Errorf(`r = %+v; want r.Blocks = 0, r.Items = 4, r.Scene.Nodes of length 2, r.Scene.Nodes[0].Name = "Items", r.Scene.Nodes[0].Children of length 3, r.Boxes.Things = 3`, r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Of(ctx, m, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v; want err matching context.Canceled", err)
	}
}

// One looks through water, also where it is painted, and tracks below the ground are not
// hidden by it.
func TestNothingIsHidden(t *testing.T) {
	m := mapsample.New(t)
	if err := m.AddBlock(maps.Block{Name: "DecoWallWaterBase", Coord: gbx.Int3{X: 9, Y: 30, Z: 9}, Color: 3}); err != nil {
		t.Fatal(err)
	}
	r, err := Of(t.Context(), m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	alphas := map[string]uint8{}
	for _, s := range r.Scene.Materials {
		alphas[s.Name] = s.Color[3]
	}
	if alphas["blue water"] != wet || alphas["grass"] != 255 {
		t.Errorf("the materials are %v", alphas)
	}
	grounds := func() (n int) {
		r, err := Of(t.Context(), m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range r.Scene.Nodes {
			if group.Name == "Ground" {
				n++
			}
		}
		return n
	}
	if n := grounds(); n != 1 {
		t.Errorf("%d grounds", n)
	}
	if err := m.ChangeBlocks(func(b *maps.Block) { b.Coord.Y = 2 }); err != nil {
		t.Fatal(err)
	}
	if _, err := m.RemoveItems(func(*maps.Item) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if n := grounds(); n != 0 {
		t.Errorf("%d grounds above all blocks", n)
	}
}

func TestNodeNames(t *testing.T) {
	for way, want := range map[scene.Way]string{scene.NoWay: "A #7", scene.Start: "Start A #7", scene.Checkpoint: "Checkpoint A #7", scene.Finish: "Finish A #7", scene.Lap: "Start and finish A #7"} {
		if got := nodeName(way, "A", 7); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A block's mesh takes the cells that it reaches into by more than a metre.
func TestCells(t *testing.T) {
	b := &builder{layout: &scene.Scene{Cell: gbx.Vec3{X: 32, Y: 8, Z: 16}}}
	for _, test := range []struct {
		x, z float32
		want gbx.Int3
	}{
		{0, 0, gbx.Int3{X: 1, Y: 1, Z: 1}}, {32, 16, gbx.Int3{X: 1, Y: 1, Z: 1}}, {33, 17, gbx.Int3{X: 1, Y: 1, Z: 1}}, {33.5, 17.5, gbx.Int3{X: 2, Y: 1, Z: 2}},
		{96, 64, gbx.Int3{X: 3, Y: 1, Z: 4}}, {1e9, 1e9, gbx.Int3{X: 64, Y: 1, Z: 64}},
	} {
		k := &model{}
		k.box.Max = gbx.Vec3{X: test.x, Y: 99, Z: test.z}
		if got := b.cellsOf(k); got != test.want {
			t.Errorf("%v × %v m: %v, want %v", test.x, test.z, got, test.want)
		}
	}
	for scale, want := range map[float32]bool{1: true, 0: false, 1e-4: false, 1e4: false, 9999: true, -1: false} {
		if got := usual(scale); got != want {
			t.Errorf("a scale of %v: %v", scale, got)
		}
	}
}

// A model stands where it is put, with its materials those of the scene.
func TestModelInItsPlace(t *testing.T) {
	red, blue := mesh.Material{Name: "red"}, mesh.Material{Name: "blue"}
	b := &builder{out: &Result{Scene: &mesh.Scene{}}, materials: map[mesh.Material]int{}}
	b.material(blue)
	k := &model{mesh: &mesh.Mesh{Parts: []mesh.Part{{Material: 0, Geometry: cube}, {Material: 1, Geometry: cube}, {Material: -1, Geometry: cube}}}, materials: []mesh.Material{red, blue}, from: game}
	p := &scene.Instance{Position: gbx.Vec3{X: 1, Y: 2, Z: 3}, Turn: scene.Turn{0, 0, 0, 1}, Scale: 2}
	for range 2 {
		n := b.model(k, p, "A")
		if got := fmt.Sprint(n.Name, n.Transform); got != "A{{{2 0 0} {0 2 0} {0 0 2}} {1 2 3}}" && got != "A {{{2 0 0} {0 2 0} {0 0 2}} {1 2 3}}" {
			t.Errorf(`got = %v; want got = "A{{{2 0 0} {0 2 0} {0 0 2}} {1 2 3}}" or got = "A {{{2 0 0} {0 2 0} {0 0 2}} {1 2 3}}"`, got)
		}
	}
	if parts := k.mesh.Parts; parts[0].Material != 1 || parts[1].Material != 0 || parts[2].Material != -1 || fmt.Sprint(b.out.Scene.Materials) != fmt.Sprint([]mesh.Material{blue, red}) {
		t.Errorf("%v of %v", k.mesh.Parts, b.out.Scene.Materials)
	}
	if b.out.Stored != 36 || b.out.Game.Things != 2 || b.out.Game.Triangles != 72 || b.out.Embedded.Things != 0 {
		t.Errorf("b.out = %+v; want b.out.Stored = 36, b.out.Game.Things = 2, b.out.Game.Triangles = 72, b.out.Embedded.Things = 0", b.out)
	}
}

// shelf is a game that has one mesh, for some names.
type shelf struct {
	file          *gbx.File
	blocks, items string
	asked         []string
}

func (s *shelf) find(kind, known, name string) (*gbx.File, mesh.Opener) {
	s.asked = append(s.asked, kind+" "+name)
	if name != known {
		return nil, nil
	}
	return s.file, nil
}

func (s *shelf) Block(name string) (*gbx.File, mesh.Opener) { return s.find("block", s.blocks, name) }
func (s *shelf) Item(name string) (*gbx.File, mesh.Opener)  { return s.find("item", s.items, name) }

// A block for which the game has a mesh is drawn with it. The game is asked once for each
// name, and never for embedded models.
func TestMeshesOfTheGame(t *testing.T) {
	var file *gbx.File
	triangles := 0
	for _, data := range corpus.GBX(t, "2e002000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		all, err := mesh.Read(f, mesh.Options{})
		if err != nil || len(all.Variants) > 0 {
			continue
		}
		drawn := all.Select(func(n *mesh.Node) bool { return n.Level == 0 && n.Role == mesh.Drawn })
		triangles = 0
		drawn.Visit(func(n *mesh.Node, _ mesh.Transform) {
			if n.Mesh != nil {
				triangles += n.Mesh.Triangles()
			}
		})
		if triangles > 0 {
			file = f
			break
		}
	}
	s := &shelf{file: file, blocks: "RoadTechStraight", items: "Lost.Item.Gbx"}
	r, err := Of(t.Context(), mapsample.New(t), Options{Game: s})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(s.asked); got != "[block RoadTechStart block RoadTechStraight block RoadTechCheckpoint block RoadTechFinish block PlatformTechBase item Lost.Item.Gbx]" {
		t.Errorf(`got = %v; want "[block RoadTechStart block RoadTechStraight block RoadTechCheckpoint block RoadTechFinish block PlatformTechBase item Lost.Item.Gbx]"`, got)
	}
	if r.Game.Things != 3 || r.Game.Models != 2 || r.Game.Triangles != 3*triangles || r.Boxes.Things != 6 || r.Stored <= 2*triangles {
		t.Errorf("%d triangles: %+v", triangles, r)
	}
	// Blocks of one name have one mesh.
	straight := r.Scene.Nodes[0].Children[1]
	if straight.Name != "RoadTechStraight #1" || straight.Mesh.Kind == mesh.Made || straight.Mesh != r.Scene.Nodes[0].Children[3].Mesh {
		t.Errorf(`straight = %+v; want straight.Name = "RoadTechStraight #1", straight.Mesh.Kind other than mesh.Made, straight.Mesh = r.Scene.Nodes[0].Children[3].Mesh`, straight)
	}
	if r.Scene.Nodes[1].Children[2].Mesh == straight.Mesh {
		t.Error("a block and an item are one model")
	}
}
