package fbx_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx/mesh/fbx"
	"pakbox/gbx/mesh/model"
)

// triangle is a geometry with one triangle.
func triangle(id int64, layers ...node) node {
	return object("Geometry", id, "Mesh", "Mesh").with(n("Vertices", []float64{0, 0, 0, 1, 0, 0, 0, 1, 0}), n("PolygonVertexIndex", []int32{0, 1, ^2})).with(layers...)
}

// model1 is a node with properties.
func model1(id int64, name string, properties ...node) node {
	return object("Model", id, name, "Mesh").with(table(properties...))
}

// refused fails if the file is read, or for another reason.
func refused(t *testing.T, data []byte, kind fault.Kind, says string) {
	t.Helper()
	_, err := fbx.Read(bytes.NewReader(data), int64(len(data)))
	if fault.KindOf(err) != kind || !strings.Contains(err.Error(), says) {
		t.Errorf("%v, want %s: %s", err, kind, says)
	}
}

// Nodes are those that are connected to the scene, each once, a parent before its
// children. Nodes that share a geometry share its mesh, unless their materials differ.
func TestNodes(t *testing.T) {
	objects := n("Objects").with(model1(1, "A"), model1(2, "B"), model1(3, "C"), model1(4, "Lost"), model1(5, "D"), triangle(10),
		object("Material", 20, "Grass", ""), object("Material", 21, "Ice", ""), object("Material", 22, "Ice", ""), object("Video", 1, "", ""))
	s := read(t, file(7400, objects, n("Connections").with(
		n("C", "OO", int64(1), int64(0)), n("C", "OO", int64(5), int64(0)), n("C", "OO", int64(2), int64(1)), n("C", "OP", int64(4), int64(0)), n("C", "OO", int64(3), int64(2)),
		n("C", "OO", int64(2), int64(5)), n("C", "OO", int64(99), int64(1)),
		n("C", "OO", int64(10), int64(1)), n("C", "OO", int64(20), int64(1)),
		n("C", "OO", int64(10), int64(2)), n("C", "OO", int64(20), int64(2)),
		n("C", "OO", int64(10), int64(3)), n("C", "OO", int64(22), int64(3)))))
	var got []string
	for _, n := range s.Nodes {
		got = append(got, fmt.Sprint(n.Name, " ", n.Parent))
	}
	if want := []string{"A -1", "B 0", "C 1", "D -1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if !slices.Equal(s.Materials, []string{"Grass", "Ice"}) || s.Unit != 0.01 {
		t.Errorf(`s.Materials = %q, s.Unit = %v; want s.Materials equal to []string{"Grass", "Ice"}, s.Unit = 0.01`, s.Materials, s.Unit)
	}
	a, b, c := s.Nodes[0].Mesh, s.Nodes[1].Mesh, s.Nodes[2].Mesh
	if a != b || a == c || s.Nodes[3].Mesh != nil || a.Name != "Mesh" || a.Polygons[0].Material != 0 || c.Polygons[0].Material != 1 {
		t.Errorf(`a = %+v b = %+v c = %+v; want a = %+v, a other than %+v, s.Nodes[3].Mesh = nil, a.Name = "Mesh", a.Polygons[0].Material = 0, c.Polygons[0].Material = 1`, a, b, c, b, c)
	}
	for says, objects := range map[string]node{
		"a second object has the id 1":    n("Objects").with(model1(1, "A"), model1(1, "B")),
		"a second object has the id 0":    n("Objects").with(model1(0, "A")),
		"has no number as its id":         n("Objects").with(n("Model", "1", "A\x00\x01Model", "Mesh")),
		"the record has no list of numbe": n("Objects").with(model1(1, "A"), object("Geometry", 2, "", "Mesh").with(n("Vertices"), n("PolygonVertexIndex", []int32{^0}))),
	} {
		refused(t, file(7400, objects, joins(1, 0, 2, 1)), fault.Corrupt, says)
	}
	// An id may be a short number. An object without a mesh is a node all the same.
	s = read(t, file(7400, n("Objects").with(n("Model", 7, "Short\x00\x01Model", "Null"), object("Geometry", 8, "", "Shape"), object("Geometry", 9, "", "Mesh")),
		n("Connections").with(n("C", "OO", 7, 0), n("C", "OO", 8, 7), n("C", "OO", 9, 7))))
	if len(s.Nodes) != 1 || s.Nodes[0].Name != "Short" || s.Nodes[0].Mesh == nil || len(s.Nodes[0].Mesh.Polygons) != 0 {
		t.Errorf(`s.Nodes = %+v; want s.Nodes of length 1, s.Nodes[0].Name = "Short", s.Nodes[0].Mesh other than nil, empty s.Nodes[0].Mesh.Polygons`, s.Nodes)
	}
}

// Nodes nest to a limit, and a circle of nodes ends.
func TestNesting(t *testing.T) {
	nested := func(depth int) []byte {
		objects, ids := n("Objects"), []int64{}
		for i := int64(1); i <= int64(depth); i++ {
			objects = objects.with(model1(i, "n"))
			ids = append(ids, i, i-1)
		}
		return file(7400, objects, joins(ids...))
	}
	if s := read(t, nested(256)); len(s.Nodes) != 256 || s.Nodes[255].Parent != 254 {
		t.Errorf("%d nodes", len(s.Nodes))
	}
	refused(t, nested(257), fault.Limit, "deeper than 256")
	if s := read(t, file(7400, n("Objects").with(model1(1, "a"), model1(2, "b")), joins(1, 0, 2, 1, 1, 2))); len(s.Nodes) != 2 {
		t.Errorf("a circle has %d nodes", len(s.Nodes))
	}
}

// A light has its kind, colour, strength and angles, and shines along -Z of its node.
func TestLights(t *testing.T) {
	lamp := func(rows ...node) *model.Scene {
		return read(t, file(7500, n("Objects").with(object("Model", 1, "Lamp", "Light"), object("NodeAttribute", 2, "", "Light").with(table(rows...)), object("NodeAttribute", 3, "", "Light").with(table(p("Intensity", 7.0))),
			object("NodeAttribute", 4, "", "Camera")), joins(1, 0, 4, 1, 2, 1, 3, 1)))
	}
	s := lamp(p("LightType", 2), p("Color", 1.0, 0.5, 0.25), p("Intensity", 250.0), p("InnerAngle", 20.0), p("OuterAngle", 60.0))
	if got, want := *s.Nodes[0].Light, (model.Light{Kind: 2, Color: [3]float64{1, 0.5, 0.25}, Intensity: 2.5, Inner: 20, Outer: 60}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := s.Nodes[0].World.Point(model.Vec3{0, 0, -1}); got != (model.Vec3{0, -0.01, 0}) {
		t.Errorf("the light shines along %v", got)
	}
	for _, kind := range []int{-1, int(model.AreaLight) + 1} {
		if got, want := *lamp(p("LightType", kind), p("Color", 0.5)).Nodes[0].Light, (model.Light{Color: [3]float64{1, 1, 1}, Intensity: 1, Outer: 45}); got != want {
			t.Errorf("kind %d: %+v, want %+v", kind, got, want)
		}
	}
	if got := lamp(p("LightType", int(model.AreaLight))).Nodes[0].Light.Kind; got != model.AreaLight {
		t.Errorf("kind %v", got)
	}
}

// A property missing in a node comes from the template of its kind of object.
func TestTemplate(t *testing.T) {
	definitions := n("Definitions").with(n("Count", 1),
		n("ObjectType", "Material").with(n("PropertyTemplate", "X").with(table(p("Lcl Translation", 9.0, 9.0, 9.0)))),
		n("ObjectType", "Model").with(n("Count", 1), n("PropertyTemplate", "FbxNode").with(table(p("Lcl Translation", 100.0, 200.0, 300.0), p("Lcl Scaling", 2.0, 2.0, 2.0)))))
	s := read(t, file(7400, definitions, n("Objects").with(model1(1, "a"), model1(2, "b", p("Lcl Translation", 0.0, 0.0, 100.0)), model1(3, "c", p("Lcl Translation", 5.0))), joins(1, 0, 2, 0, 3, 0)))
	for i, want := range []model.Vec3{{1, 2, 3}, {0, 0, 1}, {1, 2, 3}} {
		if w := s.Nodes[i].World; w.T != want || w.X != (model.Vec3{0.02, 0, 0}) {
			t.Errorf("%s: %+v, want %v", s.Nodes[i].Name, w, want)
		}
	}
}

// near reports whether two points are the same but for rounding.
func near(a, b model.Vec3) bool { d := a.Sub(b); return d.Dot(d) < 1e-20 }

// Where the point (1, 2, 3) of the mesh comes to, in centimetres. The figures are worked
// out by hand.
func TestPlacesByHand(t *testing.T) {
	active := p("RotationActive", 1)
	for name, test := range map[string]struct {
		inner []node
		want  model.Vec3
	}{
		"nothing":              {nil, model.Vec3{1, 2, 3}},
		"moved":                {[]node{p("Lcl Translation", 10.0, 20.0, 30.0)}, model.Vec3{11, 22, 33}},
		"turned about X":       {[]node{p("Lcl Rotation", 90.0, 0.0, 0.0)}, model.Vec3{1, -3, 2}},
		"turned about Y":       {[]node{p("Lcl Rotation", 0.0, 90.0, 0.0)}, model.Vec3{3, 2, -1}},
		"turned about Z":       {[]node{p("Lcl Rotation", 0.0, 0.0, 90.0)}, model.Vec3{-2, 1, 3}},
		"turned by a half":     {[]node{p("Lcl Rotation", 0.0, 0.0, -180.0)}, model.Vec3{-1, -2, 3}},
		"X, then Y":            {[]node{p("Lcl Rotation", 90.0, 90.0, 0.0)}, model.Vec3{2, -3, -1}},
		"Y, then X":            {[]node{active, p("RotationOrder", 3), p("Lcl Rotation", 90.0, 90.0, 0.0)}, model.Vec3{3, 1, 2}},
		"order without effect": {[]node{p("RotationOrder", 3), p("PreRotation", 0.0, 90.0, 0.0), p("Lcl Rotation", 90.0, 90.0, 0.0)}, model.Vec3{2, -3, -1}},
		"before":               {[]node{active, p("PreRotation", 0.0, 90.0, 0.0)}, model.Vec3{3, 2, -1}},
		"after":                {[]node{active, p("PostRotation", 0.0, 90.0, 0.0)}, model.Vec3{-3, 2, 1}},
		"before and after":     {[]node{active, p("PreRotation", 30.0, 40.0, 50.0), p("PostRotation", 30.0, 40.0, 50.0)}, model.Vec3{1, 2, 3}},
		"about a pivot":        {[]node{p("Lcl Rotation", 0.0, 0.0, 90.0), p("RotationPivot", 1.0, 0.0, 0.0), p("RotationOffset", 0.0, 0.0, 5.0)}, model.Vec3{-1, 0, 8}},
		"scaled about a pivot": {[]node{p("Lcl Scaling", 2.0, 2.0, 2.0), p("ScalingPivot", 1.0, 1.0, 1.0), p("ScalingOffset", 10.0, 0.0, 0.0)}, model.Vec3{11, 3, 5}},
		"the mesh alone":       {[]node{p("GeometricTranslation", 1.0, 0.0, 0.0), p("GeometricRotation", 0.0, 0.0, 90.0), p("GeometricScaling", 2.0, 1.0, 1.0)}, model.Vec3{-1, 2, 3}},
	} {
		if got := points(read(t, placed(nil, test.inner)))[0]; !near(got, test.want.Times(0.01)) {
			t.Errorf("%s: %v, want %v cm", name, got, test.want)
		}
	}
	// The place of the mesh within its node is not that of the nodes below.
	outer := []node{p("GeometricTranslation", 1.0, 0.0, 0.0), p("GeometricScaling", 2.0, 2.0, 2.0)}
	if got := points(read(t, placed(outer, nil)))[0]; !near(got, model.Vec3{0.01, 0.02, 0.03}) {
		t.Errorf("below a node whose mesh is moved: %v", got)
	}
	for says, inner := range map[string][]node{
		"order of rotations": {active, p("RotationOrder", 6)}, "order of rotations is": {active, p("RotationOrder", -1)},
		"no place": {p("Lcl Translation", math.Inf(1), 0.0, 0.0)}, "at no place": {p("Lcl Scaling", math.NaN(), 1.0, 1.0)},
	} {
		refused(t, placed(nil, inner), fault.Corrupt, "Inner: ")
		refused(t, placed(nil, inner), fault.Corrupt, says)
	}
}

// Scales are inherited through several nodes, and in files with other axes too.
func TestInheritFurther(t *testing.T) {
	of := func(inherit int, settings ...node) model.Vec3 {
		objects := n("Objects").with(model1(1, "a", p("Lcl Scaling", 3.0, 1.0, 1.0)), model1(2, "b", p("Lcl Scaling", 1.0, 2.0, 1.0), p("InheritType", 2)),
			model1(3, "c", p("Lcl Translation", 1.0, 1.0, 1.0), p("Lcl Scaling", 1.0, 1.0, 5.0), p("InheritType", inherit)),
			object("Geometry", 4, "", "Mesh").with(n("Vertices", []float64{1, 2, 3}), n("PolygonVertexIndex", []int32{0, 0, ^0})))
		return points(read(t, file(7400, append(settings, objects, joins(1, 0, 2, 1, 3, 2, 4, 3))...)))[0].Times(100)
	}
	// b does not have a's width, so that c is in a node that is twice as high.
	for inherit, want := range []model.Vec3{{2, 6, 16}, {2, 6, 16}, {2, 4, 16}} {
		if got := of(inherit); !near(got, want) {
			t.Errorf("type %d: %v, want %v", inherit, got, want)
		}
		axes := n("GlobalSettings").with(table(p("UpAxis", 2), p("FrontAxis", 1), p("FrontAxisSign", -1)))
		if got := of(inherit, axes); !near(got, model.Vec3{want[0], want[2], -want[1]}) {
			t.Errorf("type %d with Z up: %v, want %v turned", inherit, got, want)
		}
	}
	// A parent that is turned, and scaled alike in all directions, has the plain product.
	for inherit := range 2 {
		data := placed([]node{p("Lcl Scaling", 2.0, 2.0, 2.0), p("Lcl Rotation", 0.0, 0.0, 90.0)}, []node{p("Lcl Rotation", 90.0, 0.0, 0.0), p("InheritType", inherit)})
		if got := points(read(t, data))[0].Times(100); !near(got, model.Vec3{6, 2, 4}) {
			t.Errorf("type %d: %v", inherit, got)
		}
	}
}

// If a parent scales all directions alike, its scale is inherited as in the plain product,
// to the last bit. So files of programs that write another kind of inheritance stay equal.
func TestInheritExactly(t *testing.T) {
	outer := []node{p("Lcl Rotation", 10.0, 20.0, 30.0), p("Lcl Scaling", 2.3, 2.3, 2.3)}
	inner := []node{p("Lcl Rotation", 40.0, 50.0, 60.0), p("Lcl Scaling", 1.1, 0.7, 3.0)}
	plain := points(read(t, placed(outer, append(inner, p("InheritType", 1)))))
	own := points(read(t, placed(outer, append(inner, p("InheritType", 0)))))
	if !slices.Equal(plain, own) {
		t.Errorf("%v, want %v", own, plain)
	}
	outer[1] = p("Lcl Scaling", 2.3, 2.3, 2.4)
	if slices.Equal(points(read(t, placed(outer, append(inner, p("InheritType", 0))))), points(read(t, placed(outer, append(inner, p("InheritType", 1)))))) {
		t.Error("an uneven scale is inherited as in the plain product")
	}
	if m := read(t, file(7400, n("Objects").with(model1(1, "a"), triangle(2)), joins(1, 0, 2, 1))).Nodes[0].Mesh; m.Normals[0] != (model.Vec3{0, 0, 1}) || m.Normals[2] != m.Normals[0] {
		t.Errorf("the normals of a triangle are %v", m.Normals)
	}
}
