package fbx_test

import (
	"bytes"
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
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/fbx"
	"pakbox/gbx/mesh/model"
	"pakbox/internal/testkit/corpus"
)

func read(t testing.TB, data []byte) *model.Scene {
	t.Helper()
	s, err := fbx.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The importer's own item has the triangles of its FBX file, in the same order,
// with the same texture coordinates.
func TestNadeoStairs(t *testing.T) {
	dir := corpus.Dir(t, "importer")
	data, err := os.ReadFile(filepath.Join(dir, "NadeoStairs.fbx"))
	if err != nil {
		t.Fatal(err)
	}
	s := read(t, data)
	if !slices.Equal(s.Materials, []string{"StepTech", "StepDirt", "StepIce"}) || len(s.Nodes) != 1 || s.Unit != 0.01 {
		t.Fatalf("materials %v, %d nodes, unit %v", s.Materials, len(s.Nodes), s.Unit)
	}
	item, err := os.ReadFile(filepath.Join(dir, "NadeoStairs.Item.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := gbx.Parse(item, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	want, err := mesh.Read(f, mesh.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var parts []mesh.Part
	want.Visit(func(n *mesh.Node, _ mesh.Transform) {
		if n.Mesh != nil {
			parts = append(parts, n.Mesh.Parts...)
		}
	})
	n := s.Nodes[0]
	next := make([]int, len(parts)) // vertices that were compared
	for _, p := range n.Mesh.Polygons {
		part := parts[p.Material]
		for c := p.First; c < p.First+p.Count; c++ {
			v := next[p.Material]
			next[p.Material]++
			at, uv := n.World.Point(n.Mesh.Positions[n.Mesh.Corners[c]]), n.Mesh.UVLayers[0].UVs[c]
			if w := part.Positions[v]; w != (gbx.Vec3{X: float32(at[0]), Y: float32(at[1]), Z: float32(at[2])}) {
				t.Fatalf("%s: vertex %d at %v, want %v", s.Materials[p.Material], v, at, w)
			}
			if w := part.UVs[0][v]; w.X != float32(uv[0]) || math.Abs(float64(w.Y)+uv[1]-1) > 1e-6 {
				t.Fatalf("%s: vertex %d has the texture coordinate %v, want %v", s.Materials[p.Material], v, uv, w)
			}
		}
	}
	for i, part := range parts {
		if next[i] != len(part.Positions) {
			t.Errorf("%d of %d vertices", next[i], len(part.Positions))
		}
	}
}

// square is a polygon with four corners and a line, with some layers.
func square(layers ...node) node {
	return object("Geometry", 2, "Square", "Mesh").with(
		n("Vertices", packed{[]float64{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 5, 5, 5}}),
		n("PolygonVertexIndex", []int32{0, ^4, 0, 1, 2, ^3})).with(layers...)
}

// scene is a file with the square below a node with the properties.
func scene(version uint32, geometry node, properties ...node) []byte {
	return file(version, n("Objects").with(object("Model", 1, "Node", "Mesh").with(table(properties...)), geometry,
		object("Material", 3, "Grass", ""), object("Material", 4, "Ice", "")), joins(1, 0, 2, 1, 4, 1, 3, 1))
}

// Every way in which a layer gives values to corners.
func TestLayers(t *testing.T) {
	uv := func(mapping, reference string, lists ...node) node {
		return element("UV", "BaseMaterial", mapping, reference, lists...)
	}
	values := []float64{0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0}
	for name, test := range map[string]struct {
		layer node
		want  [4]float64 // u of the corners of the square
	}{
		"corners":           {uv("ByPolygonVertex", "Direct", n("UV", values)), [4]float64{2, 3, 4, 5}},
		"corners, packed":   {uv("ByPolygonVertex", "Direct", n("UV", packed{values})), [4]float64{2, 3, 4, 5}},
		"corners by index":  {uv("ByPolygonVertex", "IndexToDirect", n("UV", values), n("UVIndex", []int32{0, 0, 5, 4, -1, 2})), [4]float64{5, 4, 0, 2}},
		"positions":         {uv("ByVertice", "Direct", n("UV", values)), [4]float64{0, 1, 2, 3}},
		"positions by name": {uv("ByVertex", "Index", n("UV", []float32{9, 0, 8, 0}), n("UVIndex", packed{[]int32{0, 1, 0, 1, 0}})), [4]float64{9, 8, 9, 8}},
		"polygons":          {uv("ByPolygon", "Direct", n("UV", values)), [4]float64{1, 1, 1, 1}},
		"polygons by index": {uv("ByPolygon", "IndexToDirect", n("UV", values), n("UVIndex", []int64{0, 3})), [4]float64{3, 3, 3, 3}},
		"all":               {uv("AllSame", "Direct", n("UV", values[6:8])), [4]float64{3, 3, 3, 3}},
		"all by index":      {uv("AllSame", "IndexToDirect", n("UV", values), n("UVIndex", []int32{4})), [4]float64{4, 4, 4, 4}},
	} {
		s := read(t, scene(7400, square(test.layer, uv("NoMappingInformation", "Direct", n("UV", values)))))
		m := s.Nodes[0].Mesh
		if len(m.UVLayers) != 1 || len(m.Polygons) != 1 {
			t.Errorf("%s: m = %+v; want m.UVLayers of length 1, m.Polygons of length 1", name, m)
			continue
		}
		for i, want := range test.want {
			if got := m.UVLayers[0].UVs[int(m.Polygons[0].First)+i][0]; got != want {
				t.Errorf("%s: corner %d has %v, want %v", name, i, got, want)
			}
		}
	}
	materials := func(mapping string, values ...int32) node {
		return element("Material", "", mapping, "IndexToDirect", n("Materials", values))
	}
	for name, test := range map[string]struct {
		layer node
		want  int32
	}{"polygons": {materials("ByPolygon", 0, 1), 0}, "all": {materials("AllSame", 0), 1}, "none of the node's": {materials("AllSame", 7), -1}} {
		if got := read(t, scene(7400, square(test.layer))).Nodes[0].Mesh.Polygons[0].Material; got != test.want {
			t.Errorf("%s: material %d, want %d", name, got, test.want)
		}
	}
	colors := element("Color", "Col", "ByPolygon", "IndexToDirect", n("Colors", []float64{1, 1, 1, 1, 0.5, 0.25, 0, 1}), n("ColorIndex", []int32{0, 1}))
	if got := read(t, scene(7400, square(colors))).Nodes[0].Mesh.Colors[2]; got != [4]float64{0.5, 0.25, 0, 1} {
		t.Errorf("colour %v", got)
	}
}

// All versions say the same, with records of 32 and of 64 bits.
func TestVersions(t *testing.T) {
	for _, version := range []uint32{7100, 7200, 7300, 7400, 7500, 7600, 7700} {
		s := read(t, scene(version, square(), p("Lcl Translation", 100.0, 0.0, 0.0)))
		if n := s.Nodes[0]; n.Name != "Node" || n.World.T != (model.Vec3{1, 0, 0}) || len(n.Mesh.Polygons) != 1 || n.Mesh.Normals[2] != (model.Vec3{0, 0, 1}) {
			t.Errorf("version %d: %+v", version, n)
		}
	}
}

// Other files than a binary FBX of a known version are rejected with a reason.
func TestOthers(t *testing.T) {
	for name, test := range map[string]struct {
		data string
		kind fault.Kind
		says string
	}{
		"text":        {"; FBX 7.4.0 project file\n; ----\n", fault.Unsupported, "export binary"},
		"old":         {string(file(6100)), fault.Unsupported, "version 6.1"},
		"new":         {string(file(8000)), fault.Unsupported, "version 8.0"},
		"empty":       {"", fault.NotFormat, "not an FBX file"},
		"other":       {"glTF", fault.NotFormat, "not an FBX file"},
		"big numbers": {strings.Replace(string(file(7400)), "\x1a\x00", "\x1a\x01", 1), fault.Unsupported, "header"},
		"nothing":     {string(file(7400)), fault.Corrupt, "Objects"},
	} {
		_, err := fbx.Read(strings.NewReader(test.data), int64(len(test.data)))
		if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: err = %v; want kind %v and the text %q", name, err, test.kind, test.says)
		}
	}
}

// Errors about a list name the record and its place in the file.
func TestErrors(t *testing.T) {
	for says, geometry := range map[string]node{
		"at position 9 of 5":          object("Geometry", 2, "", "Mesh").with(n("Vertices", make([]float64, 15)), n("PolygonVertexIndex", []int32{0, 1, ^9})),
		"the last polygon":            object("Geometry", 2, "", "Mesh").with(n("Vertices", make([]float64, 15)), n("PolygonVertexIndex", []int32{0, 1, 2})),
		"numbers are not positions":   object("Geometry", 2, "", "Mesh").with(n("Vertices", make([]float64, 14)), n("PolygonVertexIndex", []int32{^0})),
		"value 1 of the list":         object("Geometry", 2, "", "Mesh").with(n("Vertices", []float64{0, math.NaN(), 0}), n("PolygonVertexIndex", []int32{^0})),
		"corner 2 needs number 2":     square(element("Normal", "", "ByPolygonVertex", "Direct", n("Normals", make([]float64, 6)))),
		`maps its values by "ByMood"`: square(element("Normal", "", "ByMood", "Direct", n("Normals", make([]float64, 6)))),
		`"Light" has no indexes`:      square(element("UV", "Light", "AllSame", "IndexToDirect", n("UV", make([]float64, 6)))),
	} {
		data := scene(7400, geometry)
		_, err := fbx.Read(bytes.NewReader(data), int64(len(data)))
		var typed *fault.Error
		if !errors.As(err, &typed) || typed.Offset <= 0 || typed.Entry != "Node" || !strings.Contains(err.Error(), says) {
			t.Errorf(`%s: err = %v; want err of the type of typed, typed.Offset above 0, typed.Entry = "Node", err with %q`, says, err, says)
		}
	}
}
