package fbx_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx/mesh/fbx"
	"pakbox/gbx/mesh/model"
)

// Records that do not fit into each other, and lists that are not what they say, are
// errors at the place of the record or list.
func TestWrongRecords(t *testing.T) {
	for version, word := range map[uint32]int{7400: 4, 7500: 8} {
		good := scene(version, square())
		at := bytes.Index(good, []byte("Vertices")) - 3*word - 1     // the record
		list := bytes.Index(good, []byte("PolygonVertexIndex")) + 18 // a list that is not compressed: its letter
		packed := at + 3*word + 1 + 8
		put := func(at, width, v int) []byte {
			data := bytes.Clone(good)
			if width == 8 {
				binary.LittleEndian.PutUint64(data[at:], uint64(v))
			} else {
				binary.LittleEndian.PutUint32(data[at:], uint32(v))
			}
			return data
		}
		set := func(at int, b byte) []byte {
			data := bytes.Clone(good)
			data[at] = b
			return data
		}
		number := func(at int) int { return int(binary.LittleEndian.Uint32(good[at:])) }
		for name, k := range map[string]struct {
			data   []byte
			kind   fault.Kind
			says   string
			offset int
		}{
			"ends behind its list":   {put(at, word, len(good)), fault.Corrupt, "outside of its list", at},
			"ends before its name":   {put(at, word, at+3*word+8), fault.Corrupt, "outside of its list", at},
			"ends at its name":       {put(at, word, at+3*word+9), fault.Corrupt, "properties in", at},
			"more properties":        {put(at+word, word, 2), fault.Truncated, "", 0},
			"more than bytes":        {put(at+word, word, number(at+2*word)+1), fault.Corrupt, "properties in", at},
			"larger than the record": {put(at+2*word, word, number(at)-packed+1), fault.Corrupt, "properties in", at},
			"a letter":               {set(list, 'Z'), fault.Corrupt, "no property has the letter", list},
			"no list":                {set(packed, 'I'), fault.Corrupt, "no list of numbers", packed},
			"form 2":                 {put(list+5, 4, 2), fault.Unsupported, "form 2", list},
			"one number more":        {put(list+1, 4, 7), fault.Corrupt, "7 numbers in 24 bytes", list},
			"one number less":        {put(list+1, 4, 5), fault.Corrupt, "5 numbers in 24 bytes", list},
			"too much for deflate":   {put(packed+1, 4, 1032*number(packed+9)/8+1), fault.Corrupt, "compressed bytes", packed},
			"more in the stream":     {put(packed+1, 4, 14), fault.Corrupt, "more than its 14 numbers", packed},
			"less in the stream":     {put(packed+1, 4, 18), fault.Corrupt, "", packed},
			"a checksum":             {set(packed+13+number(packed+9)-1, ^good[packed+13+number(packed+9)-1]), fault.Corrupt, "", packed},
			"no zlib":                {set(packed+13, 0xff), fault.Corrupt, "", packed},
		} {
			_, err := fbx.Read(bytes.NewReader(k.data), int64(len(k.data)))
			var typed *fault.Error
			if !errors.As(err, &typed) || typed.Kind != k.kind || !strings.Contains(err.Error(), k.says) || k.offset != 0 && typed.Offset != int64(k.offset) {
				t.Errorf("version %d, %s: %v, want %s at 0x%x", version, name, err, k.says, k.offset)
			}
		}
	}
}

// Numbers of all types mean the same, in lists and in tables.
func TestTypes(t *testing.T) {
	for _, list := range []any{[]int32{1, 0}, []int64{1, 0}, []bool{true, false}, []uint8{1, 0}, []float64{1, 0}, []float32{1, 0}, packed{[]int64{1, 0}}} {
		s := read(t, scene(7400, square(element("Material", "", "ByPolygon", "IndexToDirect", n("Materials", list)))))
		if got := s.Nodes[0].Mesh.Polygons[0].Material; got != 1 { // number 0 of the node's: Ice, which is connected first
			t.Errorf("%T: material %d", list, got)
		}
	}
	for _, v := range []any{int64(100), 100, int16(100), float32(100), 100.0} {
		s := read(t, file(7400, n("GlobalSettings").with(n("Version", 1000), table(node{name: "P", values: []any{"UnitScaleFactor", "double", "", "", v}})), n("Objects")))
		if s.Unit != 1 {
			t.Errorf("%T: a unit of %v m", v, s.Unit)
		}
	}
	// A record other than a table of properties sets nothing.
	s := read(t, file(7400, n("GlobalSettings").with(n("Properties60").with(p("UnitScaleFactor", 100.0))), n("Objects")))
	if s.Unit != 0.01 {
		t.Errorf("a unit of %v m", s.Unit)
	}
}

// Each layer gives its values: the first of normals, of colours and of materials, and all
// of texture coordinates.
func TestSeveralLayers(t *testing.T) {
	normals := func(x float64) node {
		return element("Normal", "", "AllSame", "Direct", n("Normals", []float64{x, 0, 0}))
	}
	colors := func(x float64) node {
		return element("Color", "", "AllSame", "Direct", n("Colors", []float64{x, 0, 0, 1}))
	}
	uvs := func(name string, u float64) node {
		return element("UV", name, "AllSame", "Direct", n("UV", []float64{u, 0.5}))
	}
	materials := func(i int32) node {
		return element("Material", "", "AllSame", "IndexToDirect", n("Materials", []int32{i}))
	}
	m := read(t, scene(7400, square(normals(1), normals(2), colors(0.1), colors(0.2), uvs("", 1), uvs("Light", 2), uvs("", 3), uvs("", 4), materials(1), materials(0)))).Nodes[0].Mesh
	if m.Normals[0] != (model.Vec3{1, 0, 0}) || m.Colors[5] != [4]float64{0.1, 0, 0, 1} || m.Polygons[0].Material != 0 {
		t.Errorf("m.Normals[0] = %v, m.Colors[5] = %v, m.Polygons[0].Material = %d; want m.Normals[0] = model.Vec3{1, 0, 0}, m.Colors[5] = [4]float64{0.1, 0, 0, 1}, m.Polygons[0].Material = 0", m.Normals[0], m.Colors[5], m.Polygons[0].Material)
	}
	var names []string
	for i, l := range m.UVLayers {
		names = append(names, l.Name)
		if l.UVs[0] != (model.Vec2{float64(i + 1), 0.5}) || len(l.UVs) != 6 {
			t.Errorf("layer %d: %v", i, l.UVs)
		}
	}
	want := []string{model.LayerNames[0], "Light", "", ""}
	if len(model.LayerNames) > 2 {
		want[2] = model.LayerNames[2]
	}
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if m := read(t, scene(7400, triangle(2))).Nodes[0].Mesh; m.UVLayers != nil || m.Colors != nil || m.Polygons[0].Material != 1 || len(m.Normals) != 3 {
		t.Errorf("without layers: %+v", m)
	}
	for _, i := range []int64{-1, 2, 1 << 31, math.MaxInt64} {
		if got := read(t, scene(7400, triangle(2, element("Material", "", "ByPolygon", "IndexToDirect", n("Materials", []int64{i}))))).Nodes[0].Mesh.Polygons[0].Material; got != -1 {
			t.Errorf("number %d of two materials is %d", i, got)
		}
	}
}

// Layers whose values do not fit are errors.
func TestWrongLayers(t *testing.T) {
	six := func(n int) []float64 { return make([]float64, n) }
	for says, layer := range map[string]struct {
		kind  fault.Kind
		layer node
	}{
		"5 numbers, in groups of 4":           {fault.Corrupt, element("Color", "", "AllSame", "Direct", n("Colors", six(5)))},
		"2 indexes; corner 2 needs number 2":  {fault.Corrupt, element("UV", "", "ByPolygonVertex", "IndexToDirect", n("UV", six(6)), n("UVIndex", []int32{0, 0}))},
		"3 values; corner 1 needs number 3":   {fault.Corrupt, element("UV", "", "ByPolygonVertex", "IndexToDirect", n("UV", six(6)), n("UVIndex", []int32{0, 3, 0}))},
		"3 values; corner 1 needs number -2":  {fault.Corrupt, element("UV", "", "ByPolygonVertex", "IndexToDirect", n("UV", six(6)), n("UVIndex", []int32{0, -2, 0}))},
		`refers to its values by "Somehow"`:   {fault.Unsupported, element("Normal", "", "AllSame", "Somehow", n("Normals", six(3)))},
		`materials are mapped by "ByVertice"`: {fault.Unsupported, element("Material", "", "ByVertice", "Direct", n("Materials", []int32{0}))},
		"0 materials of 1 polygons":           {fault.Corrupt, element("Material", "", "ByPolygon", "Direct", n("Materials", []int32{}))},
		"value 2 of the list is not a number": {fault.Corrupt, element("Normal", "", "AllSame", "Direct", n("Normals", []float64{0, 0, math.Inf(-1)}))},
		"0 values of 1 polygons":              {fault.Corrupt, element("Smoothing", "", "ByPolygon", "Direct", n("Smoothing", []int32{}))},
	} {
		refused(t, scene(7400, triangle(2, layer.layer)), layer.kind, says)
	}
	for _, corner := range []int32{-1, 3} {
		refused(t, scene(7400, triangle(2, n("Edges", []int32{0, corner}), element("Smoothing", "", "ByEdge", "Direct", n("Smoothing", []int32{0, 0})))), fault.Corrupt, fmt.Sprintf("edge 1 begins at corner %d of 3", corner))
	}
	for says, lists := range map[string][]node{
		"corner 1 is at position 3 of 3": {n("Vertices", make([]float64, 9)), n("PolygonVertexIndex", []int32{0, 3, ^2})},
		"corner 2 is at position 3 of 3": {n("Vertices", make([]float64, 9)), n("PolygonVertexIndex", []int32{0, 1, ^3})},
		"the last polygon does not end":  {n("Vertices", make([]float64, 9)), n("PolygonVertexIndex", []int32{0, 1, ^2, 0})},
		"has no list of numbers":         {n("Vertices", make([]float64, 9)), n("PolygonVertexIndex", 5)},
		"Edges at":                       {n("Vertices", make([]float64, 9)), n("Edges")},
		"10 numbers are not positions":   {n("Vertices", make([]float64, 10)), n("PolygonVertexIndex", []int32{^0})},
	} {
		refused(t, scene(7400, object("Geometry", 2, "", "Mesh").with(lists...)), fault.Corrupt, says)
	}
}

// Where several polygons meet, each corner has the normals of those that share a group
// with its own, and larger ones count more.
func TestGroupsOfSeveral(t *testing.T) {
	slope := math.Sqrt(0.5)
	// Three squares at the edge from 0 to 1, to three sides; their normals are +Y, -X and -Y.
	fan := scene(7400, object("Geometry", 2, "", "Mesh").with(
		n("Vertices", []float64{0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, -1, 0, 0, -1, 0, 1}),
		n("PolygonVertexIndex", []int32{0, 1, 3, ^2, 0, 1, 5, ^4, 0, 1, 7, ^6}),
		element("Smoothing", "", "ByPolygon", "Direct", n("Smoothing", []int32{1, 3, 2}))))
	m := read(t, fan).Nodes[0].Mesh
	for c, want := range map[int]model.Vec3{0: {-slope, slope, 0}, 1: {-slope, slope, 0}, 2: {0, 1, 0}, 4: {-1, 0, 0}, 6: {-1, 0, 0}, 8: {-slope, -slope, 0}, 10: {0, -1, 0}} {
		if !near(m.Normals[c], want) {
			t.Errorf("corner %d: %v, want %v", c, m.Normals[c], want)
		}
	}
	// A roof whose left slope is twice as long.
	roof := func(first []int32, layers ...node) []model.Vec3 {
		return read(t, scene(7400, object("Geometry", 2, "", "Mesh").with(
			n("Vertices", []float64{0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, -2, -1, 0, -2, -1, 1}),
			n("PolygonVertexIndex", append(first, 1, 0, 4, ^5))).with(layers...))).Nodes[0].Mesh.Normals
	}
	smoothing := func(mapping string, values ...int32) node {
		return element("Smoothing", "", mapping, "Direct", n("Smoothing", values))
	}
	plain, closing := []int32{0, 1, 3, ^2}, []int32{1, 3, 2, ^0} // the edge is the first, or the last one
	both := model.Vec3{-1 / math.Sqrt(10), 3 / math.Sqrt(10), 0}
	right, left := model.Vec3{slope, slope, 0}, model.Vec3{-slope, slope, 0}
	for name, k := range map[string]struct {
		got  []model.Vec3
		want [8]model.Vec3
	}{
		"a group":                   {roof(plain, smoothing("ByPolygon", 1, 1)), [8]model.Vec3{both, both, right, right, both, both, left, left}},
		"the edge":                  {roof(plain, n("Edges", []int32{0}), smoothing("ByEdge", 1)), [8]model.Vec3{both, both, right, right, both, both, left, left}},
		"the edge from the left":    {roof(plain, n("Edges", []int32{4}), smoothing("ByEdge", 1)), [8]model.Vec3{both, both, right, right, both, both, left, left}},
		"the edge that closes":      {roof(closing, n("Edges", []int32{2, 3}), smoothing("ByEdge", 0, 1, 1, 1)), [8]model.Vec3{both, right, right, both, both, both, left, left}},
		"another edge":              {roof(plain, n("Edges", []int32{1, 5}), smoothing("ByEdge", 1, 1)), [8]model.Vec3{right, right, right, right, left, left, left, left}},
		"more edges than smoothing": {roof(plain, n("Edges", []int32{1, 0}), smoothing("ByEdge", 0)), [8]model.Vec3{right, right, right, right, left, left, left, left}},
		"another mapping":           {roof(plain, n("Edges", []int32{0}), smoothing("ByVertice", 1)), [8]model.Vec3{right, right, right, right, left, left, left, left}},
	} {
		for c, want := range k.want {
			if !near(k.got[c], want) {
				t.Errorf("%s: corner %d has %v, want %v", name, c, k.got[c], want)
			}
		}
	}
}

// Versions are read from 7.1 to 7.9, and are given in full otherwise. Any file that begins like
// FBX counts as FBX.
func TestVersionsAndHeads(t *testing.T) {
	refused(t, file(7099, n("Objects")), fault.Unsupported, "version 7.0;")
	refused(t, file(8000, n("Objects")), fault.Unsupported, "version 8.0;")
	for _, version := range []uint32{7100, 7499, 7500, 7999} {
		if s := read(t, scene(version, triangle(2))); len(s.Nodes) != 1 {
			t.Errorf("version %d: %+v", version, s)
		}
	}
	for head, want := range map[string]bool{"Kaydara FBX Binary  \x00": true, "Kaydara FBX Binary": true, "Kaydara FBX Text": false, "; FBX 7.4.0": true, " \n; FBX": true, "x FBXHeaderExtension: {": true, "": false, "glTF": false} {
		if fbx.Is([]byte(head)) != want {
			t.Errorf("%q: !want = %t; want fbx.Is([]byte(head)) = %v", head, !want, want)
		}
	}
	whole := file(7400, n("Objects"))
	refused(t, whole[:26], fault.Unsupported, "damaged header")
	refused(t, whole[:19], fault.NotFormat, "not an FBX file")
	refused(t, whole[:27], fault.Corrupt, "no Objects")
	if _, err := fbx.Read(bytes.NewReader(whole), int64(len(whole))+1); err == nil {
		t.Error("Read accepted a file that is shorter than its size")
	}
}

// Normals that are computed count as memory too: few compressed bytes cannot ask for many.
func TestNormalsCount(t *testing.T) {
	corners := make([]int32, 960_000)
	for i := 2; i < len(corners); i += 3 {
		corners[i] = ^0
	}
	refused(t, scene(7400, object("Geometry", 2, "", "Mesh").with(n("Vertices", make([]float64, 3)), n("PolygonVertexIndex", packed{corners}))), fault.Limit, "unpacks to more than")
}
