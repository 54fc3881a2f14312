package mapmesh

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/mesh"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/scene"
	"pakbox/nadeo/nadeotest/mapsample"
)

func newBuilder() *builder {
	return &builder{
		layout: &scene.Scene{Cell: gbx.Vec3{X: 32, Y: 8, Z: 16}}, out: &Result{Scene: &mesh.Scene{}},
		boxes: map[string]*mesh.Mesh{}, pieces: map[piece]*mesh.Mesh{}, materials: map[mesh.Material]int{},
	}
}

// unturned is a slab of 4 by 2 by 6 metres that is not turned.
func unturned(x float32, direction int) scene.Thing {
	return scene.Thing{Name: "A", Surface: "road", Direction: direction, Color: -1, Center: gbx.Vec3{X: x, Y: 1, Z: 2}, Extent: gbx.Vec3{X: 4, Y: 2, Z: 6}, Turn: scene.Turn{3: 1}}
}

// The slabs of blocks that are alike are one mesh, which stands where the first slab is;
// off the grid, and in a map with too many, each slab is a node.
func TestSlabs(t *testing.T) {
	b := newBuilder()
	list := []scene.Thing{unturned(10, 2), unturned(30, 2)}
	first, second := b.slabs(list, "one", 7), b.slabs([]scene.Thing{unturned(110, 2), unturned(130, 2)}, "two", 7)
	if first.Mesh == nil || first.Mesh != second.Mesh || first.Name != "one" || second.Name != "two" || first.Transform.T.X != 10 || second.Transform.T.X != 110 || first.Transform.Mat3 != mesh.Identity.Mat3 {
		t.Errorf("first = %+v, second = %+v", first, second)
	}
	if box := first.Mesh.Bounds(first.Transform); box.Min != (gbx.Vec3{X: 8, Y: 0, Z: -1}) || box.Max != (gbx.Vec3{X: 32, Y: 2, Z: 5}) {
		t.Errorf("the slabs are in %v", box)
	}
	g := first.Mesh.Parts[0].Geometry
	if len(g.Positions) != 48 || len(g.Normals) != 48 || len(g.Indices) != 72 || slices.Max(g.Indices) != 47 || slices.Min(g.Indices[36:]) != 24 {
		t.Errorf("%d corners, %d normals, %v", len(g.Positions), len(g.Normals), g.Indices)
	}
	for i, n := range g.Normals {
		if n != cube.Normals[i%24] {
			t.Errorf("normal %d is %v", i, n)
		}
	}
	if first.Mesh.Name != "A" || first.Mesh.Kind != mesh.Made || b.merged != 2 || b.out.Stored != 24 || b.out.Boxes.Things != 2 || b.out.Boxes.Triangles != 48 {
		t.Errorf("%q, %d merged, %+v", first.Mesh.Name, b.merged, b.out)
	}
	for what, other := range map[string]*mesh.Node{
		"flags": b.slabs(list, "x", 8), "direction": b.slabs([]scene.Thing{unturned(10, 3), unturned(30, 3)}, "x", 7),
		"colour": func() *mesh.Node { red := slices.Clone(list); red[0].Color = 2; return b.slabs(red, "x", 7) }(),
		"name":   func() *mesh.Node { other := slices.Clone(list); other[0].Name = "B"; return b.slabs(other, "x", 7) }(),
	} {
		if other.Mesh == nil || other.Mesh == first.Mesh {
			t.Errorf("blocks of another %s have the same slabs", what)
		}
	}
	single := b.slabs(list[:1], "single", 7)
	if single.Mesh == first.Mesh || single.Mesh.Name != "Box road" || single.Transform != placed(&list[0]) || single.Name != "single" || len(single.Children) != 0 {
		t.Errorf(`single = %+v; want single.Mesh other than %v, single.Mesh.Name = "Box road", single.Transform = placed(&list[0]), single.Name = "single", empty single.Children`, single, first.Mesh)
	}
	check := func(what string, n *mesh.Node, apart bool) {
		t.Helper()
		if (n.Mesh == nil) != apart || apart != (len(n.Children) == 2) || n.Name != "x" {
			t.Errorf(`%s: n = %+v; want n.Mesh is nil exactly if apart, two n.Children exactly if apart, n.Name = "x"`, what, n)
		}
		for i, child := range n.Children {
			if child.Name != "x" || child.Mesh != single.Mesh || child.Transform.T.X != []float32{10, 30}[i] {
				t.Errorf(`%s: child = %+v; want child.Name = "x", child.Mesh = %v, child.Transform.T.X = []float32{10, 30}[i]`, what, child, single.Mesh)
			}
		}
		if apart && n.Transform != mesh.Identity {
			t.Errorf("%s: n.Transform = %v; want apart = false or n.Transform = mesh.Identity", what, n.Transform)
		}
	}
	check("off the grid", b.slabs([]scene.Thing{unturned(10, -1), unturned(30, -1)}, "x", 7), true)
	north := []scene.Thing{unturned(10, 0), unturned(30, 0)}
	b.merged = maxMerged - 1
	check("in a full map", b.slabs(north, "x", 7), true)
	check("in a full map that knows it", b.slabs(list, "x", 7), false)
	b.merged = maxMerged - 2
	check("the last", b.slabs(north, "x", 7), false)
	if b.merged != maxMerged {
		t.Errorf("%d are merged", b.merged)
	}
}

// A slab is turned, stretched and moved; boxes of one colour are one mesh, and one sees
// through water, unless it is a start or a finish.
func TestOneSlab(t *testing.T) {
	s := unturned(5, 0)
	half := float32(math.Sqrt(0.5))
	s.Turn = scene.Turn{1: half, 3: half} // a quarter around the height: x goes to -z, z to x
	m := placed(&s)
	for _, axis := range []struct{ got, want gbx.Vec3 }{{m.X, gbx.Vec3{Z: -4}}, {m.Y, gbx.Vec3{Y: 2}}, {m.Z, gbx.Vec3{X: 6}}, {m.T, gbx.Vec3{X: 5, Y: 1, Z: 2}}} {
		if d := minus(axis.got, axis.want); math.Abs(float64(d.X))+math.Abs(float64(d.Y))+math.Abs(float64(d.Z)) > 1e-5 {
			t.Errorf("%v, want %v", axis.got, axis.want)
		}
	}
	if got := minus(gbx.Vec3{X: 7, Y: 8, Z: 9}, gbx.Vec3{X: 1, Y: 3, Z: 5}); got != (gbx.Vec3{X: 6, Y: 5, Z: 4}) {
		t.Errorf("got = %v; want gbx.Vec3{X: 6, Y: 5, Z: 4}", got)
	}
	for _, test := range []struct {
		surface string
		way     scene.Way
		color   int
		tint    string
		alpha   uint8
	}{{"road", scene.NoWay, 0, "road", 255}, {"water", scene.NoWay, 0, "water", wet}, {"water", scene.NoWay, 3, "blue water", wet}, {"road", scene.NoWay, 3, "blue", 255}, {"water", scene.Start, 0, "start", 255}, {"road", scene.Start, 3, "start", 255}} {
		thing := scene.Thing{Surface: test.surface, Way: test.way, Color: test.color}
		tint, c := newBuilder().tintOf(&thing)
		_, plain := thing.Tint("")
		if tint != test.tint || c != [4]uint8{plain[0], plain[1], plain[2], test.alpha} {
			t.Errorf("%+v: tint = %s c = %v; want tint = %s, c = [4]uint8{plain[0], plain[1], plain[2], test.alpha}", test, tint, c, test.tint)
		}
	}
	b := newBuilder()
	one, two := b.plain(9, "grass", 2, 4, 1, 6), b.plain(1, "grass", 0, 1, 0, 1)
	if one.Mesh != two.Mesh || one.Name != "Ground" || b.out.Boxes.Triangles != 24 || b.out.Boxes.Things != 0 || b.out.Stored != 12 {
		t.Errorf(`one = %+v, b.out = %+v; want one.Mesh = %v, one.Name = "Ground", b.out.Boxes.Triangles = 24, b.out.Boxes.Things = 0, b.out.Stored = 12`, one, b.out, two.Mesh)
	}
	if box := one.Mesh.Bounds(one.Transform); box.Min.X != 64 || box.Max.X != 128 || box.Min.Z != 16 || box.Max.Z != 96 || math.Abs(float64(box.Max.Y)-9) > 1e-5 || math.Abs(float64(box.Min.Y)-9+scene.Thickness) > 1e-5 {
		t.Errorf("the ground is %v", box)
	}
}

// Lines have five colours in turn. One with a single point is left out, and so is one
// that would be too much.
func TestLines(t *testing.T) {
	b := newBuilder()
	var list []Line
	for i := range 6 {
		list = append(list, Line{fmt.Sprint(i), make([]gbx.Vec3, 2+i)}, Line{"short", make([]gbx.Vec3, i%2)})
	}
	b.lines(list)
	if b.out.Lines != 6 || b.out.Points != 2+3+4+5+6+7 || len(b.out.Scene.Nodes) != 1 || b.out.Scene.Nodes[0].Name != "Lines" {
		t.Fatalf(`b.out = %+v; want b.out.Lines = 6, b.out.Points = 2 + 3 + 4 + 5 + 6 + 7, b.out.Scene.Nodes of length 1, b.out.Scene.Nodes[0].Name = "Lines"`, b.out)
	}
	for i, n := range b.out.Scene.Nodes[0].Children {
		m := b.out.Scene.Materials[n.Mesh.Parts[0].Material]
		if n.Name != fmt.Sprint(i) || n.Mesh.Name != n.Name || n.Mesh.Kind != mesh.Made || !n.Mesh.Parts[0].Line || len(n.Mesh.Parts[0].Positions) != 2+i || m.Name != "Line "+n.Name || m.Color != lineTints[i%5] || n.Transform != mesh.Identity {
			t.Errorf("line %d: %+v of %+v", i, n, m)
		}
	}
	for points, want := range map[int]int{maxPoints - 2: 1, maxPoints - 1: 0} {
		full := newBuilder()
		full.out.Points = points
		full.lines([]Line{{"x", make([]gbx.Vec3, 2)}})
		if full.out.Lines != want || len(full.out.Scene.Nodes) != want {
			t.Errorf("after %d points: %d lines", points, full.out.Lines)
		}
	}
}

// The outline of any points is convex, goes around counter-clockwise, and has none of
// them outside.
func TestHullOfManyPoints(t *testing.T) {
	seed := uint32(1)
	next := func() float32 { seed = seed*1664525 + 1013904223; return float32(seed >> 28) }
	for n := range 200 {
		var points []gbx.Vec3
		distinct := map[gbx.Vec3]bool{}
		for range n % 40 {
			p := gbx.Vec3{X: next(), Z: next()}
			points, distinct[p] = append(points, p), true
		}
		given := slices.Clone(points)
		out := hull(points)
		for i, a := range out {
			b := out[(i+1)%len(out)]
			if !distinct[a] {
				t.Errorf("corner %v is not among the points", a)
			}
			if len(out) < 3 {
				continue
			}
			if left(a, b, out[(i+2)%len(out)]) <= 0 {
				t.Errorf("%v is not a corner of %v", b, out)
			}
			for _, p := range given {
				if left(a, b, p) < 0 {
					t.Errorf("%v is outside of %v", p, out)
				}
			}
		}
		if len(out) < min(len(distinct), 2) {
			t.Errorf("%d corners of %d points", len(out), len(distinct))
		}
	}
	for want, points := range map[int][]gbx.Vec3{0: nil, 1: {{X: 1, Y: 5}, {X: 1, Y: 7}}, 2: {{X: 1}, {X: 2}, {X: 3}, {X: 1}}, 3: {{X: 1}, {X: 2}, {X: 1, Z: 1}}} {
		if got := hull(points); len(got) != want {
			t.Errorf("%d corners, want %d: %v", len(got), want, got)
		}
	}
}

// The ends of a model are, in each of the directions, a vertex that no other surpasses;
// there are 34 directions, all different.
func TestEnds(t *testing.T) {
	seen := map[gbx.Vec3]bool{}
	flat := 0
	for _, d := range directions {
		seen[d] = true
		if d.Y == 0 {
			flat++
		}
	}
	if len(seen) != 34 || seen[gbx.Vec3{}] || flat != 16 || !seen[gbx.Vec3{X: -2, Z: 1}] || !seen[gbx.Vec3{X: -1, Y: 1, Z: -1}] {
		t.Errorf("%d directions, %d of them level", len(seen), flat)
	}
	parts := []mesh.Part{{Geometry: &mesh.Geometry{Positions: []gbx.Vec3{{X: -5, Y: -4, Z: -9}, {X: -7, Y: -1, Z: -3}}}}, {Geometry: &mesh.Geometry{Positions: []gbx.Vec3{{X: -2, Y: -6, Z: -6}, {X: -9, Y: -9, Z: -9}, {X: -5, Y: -5, Z: -5}}}}}
	k := &model{mesh: &mesh.Mesh{Parts: parts}}
	ends := k.ends()
	if len(ends) != len(directions) {
		t.Fatalf("%d ends", len(ends))
	}
	for i, d := range directions {
		along := func(v gbx.Vec3) float32 { return v.X*d.X + v.Y*d.Y + v.Z*d.Z }
		for _, p := range parts {
			for _, v := range p.Positions {
				if along(v) > along(ends[i]) {
					t.Errorf("in direction %v %v is farther than %v", d, v, ends[i])
				}
			}
		}
	}
	if (&model{}).ends() != nil || (&model{mesh: &mesh.Mesh{Parts: []mesh.Part{{Geometry: &mesh.Geometry{}}}}}).ends() != nil {
		t.Error("a model without vertices has ends")
	}
	half := float32(math.Sqrt(0.5))
	p := &scene.Instance{Position: gbx.Vec3{X: 100, Y: 10, Z: 200}, Pivot: gbx.Vec3{X: 1}, Turn: scene.Turn{1: half, 3: half}, Scale: 2}
	corners := footprint([]gbx.Vec3{{}, {X: 4, Y: 3}, {X: 4, Z: 1}, {Z: 1}}, p) // x goes to -z, z to x
	want := []gbx.Vec3{{X: 100, Z: 190}, {X: 102, Z: 190}, {X: 102, Z: 198}, {X: 100, Z: 198}}
	if len(corners) != len(want) {
		t.Fatalf("corners = %v; want corners of length len(want)", corners)
	}
	for i, c := range corners {
		if math.Abs(float64(c.X-want[i].X))+math.Abs(float64(c.Z-want[i].Z)) > 1e-3 {
			t.Errorf("corner %d is %v, want %v", i, c, want[i])
		}
	}
}

// Embedded files are read once and up to a limit for all, and refer to each other by
// relative and by absolute names.
func TestEmbeddedFiles(t *testing.T) {
	m := mapsample.New(t)
	s := newModels(m, nil)
	tree, text := s.embedding.Path("Items/Tree.Item.Gbx"), s.embedding.Path("Items/Tree.txt")
	if tree == nil || text == nil {
		t.Fatal("the sample has no tree")
	}
	f := s.file(tree)
	if f == nil || s.file(tree) != f || s.bytes != tree.Size {
		t.Errorf("%v, %d of %d bytes", f, s.bytes, tree.Size)
	}
	open := s.opener(tree)
	for _, name := range []string{"Tree.Item.Gbx", "/Items/Tree.Item.Gbx", "../Items/tree.item.gbx", "./x/../Tree.Item.Gbx", "/Items/./Tree.Item.Gbx"} {
		got, next := open(name)
		if got != f || next == nil {
			t.Errorf("%s: got = %v; want got = %v, next other than nil", name, got, f)
			continue
		}
		if again, _ := next("Tree.Item.Gbx"); again != f {
			t.Errorf("from %s one does not get on", name)
		}
	}
	for _, name := range []string{"Bush.Item.Gbx", "/Tree.Item.Gbx", "../Tree.Item.Gbx", ""} {
		if got, next := open(name); got != nil || next != nil {
			t.Errorf("%q: got = %v; want got = nil, next = nil", name, got)
		}
	}
	for left, want := range map[int64]bool{tree.Size: true, tree.Size - 1: false, tree.Size + 1: true} {
		s := newModels(m, nil)
		s.bytes = maxBytes - left
		if got := s.file(tree) != nil; got != want {
			t.Errorf("with %d bytes left of %d: %v", left, tree.Size, got)
		}
	}
}

// A mesh with more vertices than are left is not read, one with as many is.
func TestVerticesLeft(t *testing.T) {
	for path, data := range corpus.GBX(t, "2e002000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		k := modelKey{name: "A_CustomBlock"}
		s := &models{}
		one := s.meshOf(k, f, nil, game)
		if one == nil || one.mesh == nil || s.vertices < 100 {
			continue
		}
		if one.from != game || one.mesh.Name != "A" || one.box.Min == one.box.Max {
			t.Errorf(`%s: one = %+v; want one.from = %v, one.mesh.Name = "A", one.box.Min other than %v`, path, one, game, one.box.Max)
		}
		for left, want := range map[int]bool{s.vertices: true, s.vertices - 1: false} {
			full := &models{vertices: maxVertices - left}
			if got := full.meshOf(k, f, nil, game) != nil; got != want {
				t.Errorf("%s: of %d vertices %d are left: %v", path, s.vertices, left, got)
			}
		}
		return
	}
	t.Error("no item has a mesh")
}

// Where a map stores no ground it is added, once for every other cell.
func TestBareGround(t *testing.T) {
	for path, data := range corpus.GBX(t, "03043000", "24003000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		m, err := maps.Of(f)
		if err != nil {
			t.Fatal(err)
		}
		height, surface, ok := m.BareGround()
		if _, _, flat := m.GroundPlane(); !ok || flat {
			continue
		}
		stored := map[[2]int32]bool{}
		for _, block := range m.Blocks() {
			if kind := m.Kind(&block); kind != nil && kind.Has("terrain") {
				for _, c := range m.Cells(&block) {
					stored[[2]int32{c.X, c.Z}] = true
				}
			}
		}
		r, err := Of(t.Context(), m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		layout, times := scene.Of(m), map[[2]int32]int{}
		for _, group := range r.Scene.Nodes {
			if group.Name != "Ground" {
				continue
			}
			for _, n := range group.Children {
				box := n.Mesh.Bounds(n.Transform)
				if math.Abs(float64(box.Max.Y)-height) > 0.01 || !strings.Contains(n.Mesh.Name, surface) {
					t.Fatalf("%s: %s in %v, want %s at %v", path, n.Mesh.Name, box, surface, height)
				}
				for x := int32(box.Min.X/layout.Cell.X + 0.5); x < int32(box.Max.X/layout.Cell.X+0.5); x++ {
					for z := int32(box.Min.Z/layout.Cell.Z + 0.5); z < int32(box.Max.Z/layout.Cell.Z+0.5); z++ {
						times[[2]int32{x, z}]++
					}
				}
			}
		}
		within := 0
		for x := range layout.Size.X {
			for z := range layout.Size.Z {
				at := [2]int32{x, z}
				if stored[at] {
					within++
				}
				if (times[at] == 1) == stored[at] || times[at] > 1 {
					t.Fatalf("%s: %v is covered %d times, stored: %v", path, at, times[at], stored[at])
				}
			}
		}
		if within == 0 || len(times) == 0 {
			continue
		}
		if len(times)+within != int(layout.Size.X*layout.Size.Z) {
			t.Errorf("%s: %d cells and %d stored ones", path, len(times), within)
		}
		for edge, want := range map[int32]bool{maxGround: true, maxGround + 1: false, 0: false} {
			for _, size := range []gbx.Int3{{X: edge, Y: 9, Z: 3}, {X: 3, Y: 9, Z: edge}} {
				b := newBuilder()
				b.m, b.layout.Size = m, size
				if b.ground(); (len(b.out.Scene.Nodes) > 0) != want {
					t.Errorf("%s: of %v: %d grounds", path, size, len(b.out.Scene.Nodes))
				}
			}
		}
		return
	}
	t.Error("no map has bare ground")
}

// Surroundings lie outside the map, face the viewer inside, and do not change the bounds of
// the map.
func TestSurroundings(t *testing.T) {
	m := mapsample.New(t)
	alone, err := Of(t.Context(), m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := Of(t.Context(), m, Options{Surroundings: true})
	if err != nil {
		t.Fatal(err)
	}
	if all.Bounds != alone.Bounds || len(all.Scene.Nodes) != len(alone.Scene.Nodes)+1 {
		t.Fatalf("bounds = %v and %d nodes, want %v and one node more than %d", all.Bounds, len(all.Scene.Nodes), alone.Bounds, len(alone.Scene.Nodes))
	}
	group := all.Scene.Nodes[len(all.Scene.Nodes)-1]
	layout := scene.Of(m)
	wide, long := float32(layout.Size.X)*layout.Cell.X, float32(layout.Size.Z)*layout.Cell.Z
	middle := gbx.Vec3{X: wide / 2, Y: 40, Z: long / 2}
	names := map[string]bool{}
	for _, n := range group.Children {
		names[n.Name] = true
		g := n.Mesh.Parts[0].Geometry
		for i, p := range g.Positions {
			if p.X > 0 && p.X < wide && p.Z > 0 && p.Z < long {
				t.Errorf("%s: corner %v lies on the map", n.Name, p)
			}
			to := minus(middle, p)
			normal := g.Normals[i]
			if to.X*normal.X+to.Y*normal.Y+to.Z*normal.Z <= 0 {
				t.Errorf("%s: corner %v faces away from the map (normal %v)", n.Name, p, normal)
			}
		}
	}
	for _, name := range []string{"Field", "Horizon", "Seats", "Roof"} {
		if !names[name] {
			t.Errorf("surroundings = %v, want %s among them", names, name)
		}
	}
}
