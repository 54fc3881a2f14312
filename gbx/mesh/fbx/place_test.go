package fbx_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx/mesh/fbx"
	"pakbox/gbx/mesh/model"
	"pakbox/internal/testkit/peer"
)

// placed is a file with a triangle below two nodes.
func placed(outer, inner []node) []byte {
	geometry := object("Geometry", 2, "", "Mesh").with(n("Vertices", []float64{1, 2, 3, 7, 5, 4, 6, 8, 9}), n("PolygonVertexIndex", []int32{0, 1, ^2}))
	return file(7400, n("FBXHeaderExtension").with(n("FBXVersion", 7400)), n("Objects").with(object("Model", 1, "Outer", "Null").with(table(outer...)), object("Model", 3, "Inner", "Mesh").with(table(inner...)), geometry),
		joins(1, 0, 3, 1, 2, 3))
}

func points(s *model.Scene) []model.Vec3 {
	var out []model.Vec3
	for _, n := range s.Nodes {
		for i := 0; n.Mesh != nil && i < len(n.Mesh.Positions); i++ {
			out = append(out, n.World.Point(n.Mesh.Positions[i]))
		}
	}
	return out
}

// Assimp puts points to the same place: rotations in all orders, before and after,
// about pivots, and places of the mesh within its node.
func TestPlaces(t *testing.T) {
	assimp := peer.Program(t, "assimp", "assimp-utils")
	active := p("RotationActive", 1)
	plain := []node{p("Lcl Translation", 1.0, 2.0, 3.0), p("Lcl Rotation", 10.0, 20.0, 30.0), p("Lcl Scaling", 2.0, 2.0, 2.0), p("InheritType", 1)}
	tests := map[string][]node{
		"plain":     plain,
		"pre":       {active, p("Lcl Rotation", 10.0, 20.0, 30.0), p("PreRotation", 40.0, 50.0, 60.0)},
		"post":      {active, p("Lcl Rotation", 10.0, 20.0, 30.0), p("PostRotation", 40.0, 50.0, 60.0)},
		"pivots":    {p("Lcl Rotation", 10.0, 20.0, 30.0), p("Lcl Scaling", 1.0, 2.0, 3.0), p("RotationPivot", 1.0, 2.0, 3.0), p("ScalingPivot", 3.0, 2.0, 1.0), p("RotationOffset", 5.0, 0.0, 0.0), p("ScalingOffset", 0.0, 6.0, 0.0), p("InheritType", 1)},
		"geometric": {p("Lcl Rotation", 10.0, 20.0, 30.0), p("GeometricTranslation", 1.0, 2.0, 3.0), p("GeometricRotation", 70.0, 80.0, 90.0), p("GeometricScaling", 1.0, 2.0, 3.0)},
	}
	for order := range 6 {
		tests[fmt.Sprint("order ", order)] = []node{active, p("RotationOrder", order), p("Lcl Rotation", 10.0, 20.0, 30.0)}
	}
	dir := t.TempDir()
	for name, inner := range tests {
		data := placed(plain, inner)
		in, out := filepath.Join(dir, "in.fbx"), filepath.Join(dir, "out.obj")
		if err := os.WriteFile(in, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if text, err := exec.Command(assimp, "export", in, out).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		var want []model.Vec3
		for line := range strings.Lines(string(text)) {
			var v model.Vec3
			if n, _ := fmt.Sscanf(line, "v %g %g %g", &v[0], &v[1], &v[2]); n == 3 {
				want = append(want, v.Times(0.01)) // assimp keeps the file's unit
			}
		}
		got := points(read(t, data))
		for i := range got {
			if i >= len(want) || got[i].Sub(want[i]).Dot(got[i].Sub(want[i])) > 1e-10 {
				t.Errorf("%s: points %v, want %v", name, got, want)
				break
			}
		}
	}
}

// Axes and units become metres with Y up.
func TestAxes(t *testing.T) {
	settings := func(up, front, sign int, unit float64) node {
		return n("GlobalSettings").with(table(p("UpAxis", up), p("UpAxisSign", 1), p("FrontAxis", front), p("FrontAxisSign", sign),
			p("CoordAxis", 0), p("CoordAxisSign", 1), p("UnitScaleFactor", unit)))
	}
	for name, test := range map[string]struct {
		settings node
		want     model.Vec3
	}{
		"Maya":    {settings(1, 2, 1, 1), model.Vec3{0.01, 0.02, 0.03}},
		"3ds Max": {settings(2, 1, -1, 2.54), model.Vec3{0.0254, 0.0762, -0.0508}},
		"metres":  {settings(1, 2, 1, 100), model.Vec3{1, 2, 3}},
	} {
		geometry := object("Geometry", 2, "", "Mesh").with(n("Vertices", []float64{1, 2, 3}), n("PolygonVertexIndex", []int32{0, 0, ^0}))
		s := read(t, file(7500, test.settings, n("Objects").with(object("Model", 1, "", "Mesh"), geometry), joins(1, 0, 2, 1)))
		if got := points(s)[0]; got.Sub(test.want).Dot(got.Sub(test.want)) > 1e-20 {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
	for _, bad := range []node{settings(1, 1, 1, 1), settings(7, 2, 1, 1), settings(1, 2, 3, 1), settings(1, 2, 1, 0), settings(1, 2, 1, math.NaN())} {
		data := file(7500, bad, n("Objects"))
		if _, err := fbx.Read(bytes.NewReader(data), int64(len(data))); fault.KindOf(err) != fault.Corrupt {
			t.Errorf("%v: err = %v; want err of kind fault.Corrupt", bad, err)
		}
	}
}

// A node can inherit its parent's scale along its own axes, or not at all. The
// figures are worked out by hand: the parent is three times as wide, the node is
// turned by 90 degrees about Y.
func TestInherit(t *testing.T) {
	for inherit, want := range []model.Vec3{
		{3, 2, -3}, // RrSs: the parent's width widens the node's own X
		{9, 2, -1}, // RSrs: the plain product
		{3, 2, -1}, // Rrs: the parent's scale does not count
	} {
		data := placed([]node{p("Lcl Scaling", 3.0, 1.0, 1.0)}, []node{p("Lcl Rotation", 0.0, 90.0, 0.0), p("InheritType", inherit)})
		if got := points(read(t, data))[0]; got.Sub(want.Times(0.01)).Dot(got.Sub(want.Times(0.01))) > 1e-20 {
			t.Errorf("type %d: %v, want %v cm", inherit, got, want)
		}
	}
}

// Normals that the file leaves out follow its smoothing: a roof with two slopes is
// sharp on top, or round if the slopes share a group or the edge is smooth.
func TestSmoothing(t *testing.T) {
	roof := func(smoothing ...node) []byte {
		return scene(7400, object("Geometry", 2, "", "Mesh").with(
			n("Vertices", []float64{0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, -1, 0, 0, -1, 0, 1}),
			n("PolygonVertexIndex", []int32{0, 1, 3, ^2, 1, 0, 4, ^5}), n("Edges", []int32{0, 1, 2})).with(smoothing...))
	}
	of := func(mapping string, values ...int32) node {
		return element("Smoothing", "", mapping, "Direct", n("Smoothing", values))
	}
	slope := math.Sqrt(0.5)
	for name, test := range map[string]struct {
		data []byte
		want model.Vec3 // of the first corner, on top of the right slope
	}{
		"none":         {roof(), model.Vec3{slope, slope, 0}},
		"no group":     {roof(of("ByPolygon", 0, 0)), model.Vec3{slope, slope, 0}},
		"other groups": {roof(of("ByPolygon", 1, 2)), model.Vec3{slope, slope, 0}},
		"one group":    {roof(of("ByPolygon", 5, 4)), model.Vec3{0, 1, 0}},
		"sharp edge":   {roof(of("ByEdge", 0, 1, 1)), model.Vec3{slope, slope, 0}},
		"smooth edge":  {roof(of("ByEdge", 1, 0, 0)), model.Vec3{0, 1, 0}},
	} {
		m := read(t, test.data).Nodes[0].Mesh
		if d := m.Normals[0].Sub(test.want); d.Dot(d) > 1e-20 {
			t.Errorf("%s: %v, want %v", name, m.Normals[0], test.want)
		}
		if d := m.Normals[2].Sub(model.Vec3{slope, slope, 0}); strings.Contains(name, "edge") && d.Dot(d) > 1e-20 {
			t.Errorf("%s: the lower corner has %v", name, m.Normals[2])
		}
	}
}
