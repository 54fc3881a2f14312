package gltf_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"pakbox/fault"
	"pakbox/gbx/mesh/gltf"
	"pakbox/gbx/mesh/model"
)

// Two parts in one mesh. The first has two sets of texture coordinates, colours and
// normals, the second as much of it as is asked for.
func parts(second string) []byte {
	bin := floats(0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4) // four positions
	bin = append(bin, floats(0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, -1)...)
	bin = append(bin, floats(0, 0, 0.25, 0.5, 0.75, 1, 1, 0)...)
	bin = append(bin, 0, 0, 51, 0, 102, 255, 0, 204, 255, 102, 0, 51) // bytes as parts of 1: VEC3 of four vertices
	bin = append(bin, 0, 1, 2, 3, 2, 1)
	return glbOf(`{"asset":{"version":"2.0"},"scenes":[{"nodes":[0,2]}],
	"nodes":[{"name":"a","translation":[1,2,3],"children":[1]},{"name":"b","mesh":0,"scale":[2,2,2]},{"name":"c","mesh":0}],
	"materials":[{"name":"m"},{"name":"n","extras":{"link":"L"}}],
	"meshes":[{"name":"both","primitives":[
		{"attributes":{"POSITION":0,"NORMAL":1,"TEXCOORD_0":2,"TEXCOORD_1":2,"COLOR_0":3},"indices":4,"material":1},
		{"attributes":{"POSITION":0`+second+`},"indices":5}]}],
	"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":1,"componentType":5126,"count":4,"type":"VEC3"},
		{"bufferView":2,"componentType":5126,"count":4,"type":"VEC2"},{"bufferView":3,"componentType":5121,"normalized":true,"count":4,"type":"VEC3"},
		{"bufferView":4,"componentType":5121,"count":6,"type":"SCALAR"},{"bufferView":4,"byteOffset":3,"componentType":5121,"count":3,"type":"SCALAR"}],
	"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":48},{"buffer":0,"byteOffset":96,"byteLength":32},
		{"buffer":0,"byteOffset":128,"byteLength":12},{"buffer":0,"byteOffset":140,"byteLength":6}],"buffers":[{"byteLength":146}]}`, bin)
}

// A model has the polygons of all parts with their materials, and the properties of
// corners that all parts have. Texture coordinates count from the other end.
func TestReadModel(t *testing.T) {
	const all = `,"NORMAL":1,"TEXCOORD_0":2,"TEXCOORD_1":2,"COLOR_0":3`
	for second, has := range map[string]struct {
		normals, colors bool
		sets            int
	}{
		"": {false, false, 0}, all: {true, true, 2}, `,"NORMAL":1,"TEXCOORD_0":2`: {true, false, 1}, `,"COLOR_0":3`: {false, true, 0},
	} {
		t.Run(second, func(t *testing.T) {
			s, err := gltf.ReadModel(parts(second), nil)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(s.Materials, []string{"m", "n"}) || !reflect.DeepEqual(s.Links, []string{"", "L"}) || s.Unit != 1 || len(s.Nodes) != 3 {
				t.Errorf("%q, %q, %g, %d nodes", s.Materials, s.Links, s.Unit, len(s.Nodes))
			}
			a, b, c := &s.Nodes[0], &s.Nodes[1], &s.Nodes[2]
			if a.Parent != -1 || b.Parent != 0 || c.Parent != -1 || a.Mesh != nil || b.Mesh != c.Mesh || b.Mesh.Name != "both" {
				t.Errorf(`a = %+v, b = %+v, c = %+v; want a.Parent = -1, b.Parent = 0, c.Parent = -1, a.Mesh = nil, b.Mesh = %v, b.Mesh.Name = "both"`, a, b, c, c.Mesh)
			}
			if at := b.World.Point(model.Vec3{1, 1, 1}); at != (model.Vec3{3, 4, 5}) {
				t.Errorf("a corner of b is at %v", at)
			}
			m := b.Mesh
			if want := []model.Polygon{{First: 0, Count: 3, Material: 1}, {First: 3, Count: 3, Material: 1}, {First: 6, Count: 3, Material: -1}}; !reflect.DeepEqual(m.Polygons, want) {
				t.Errorf("m.Polygons = %+v; want m.Polygons equal to %+v", m.Polygons, want)
			}
			if want := []int32{0, 1, 2, 3, 2, 1, 7, 6, 5}; !reflect.DeepEqual(m.Corners, want) || len(m.Positions) != 8 || m.Positions[5] != (model.Vec3{2, 0, 0}) || m.Positions[7] != (model.Vec3{0, 0, 4}) {
				t.Errorf("corners %v of %v", m.Corners, m.Positions)
			}
			if (m.Normals != nil) != has.normals || has.normals && (len(m.Normals) != 9 || m.Normals[0] != (model.Vec3{0, 0, 1}) || m.Normals[3] != (model.Vec3{0, 0, -1}) || m.Normals[6] != (model.Vec3{0, 0, -1})) {
				t.Errorf("%q: normals %v", second, m.Normals)
			}
			if (m.Colors != nil) != has.colors || has.colors && (len(m.Colors) != 9 || m.Colors[0] != [4]float64{0, 0, 0.2, 1} || m.Colors[8] != [4]float64{0, 0.4, 1, 1}) {
				t.Errorf("%q: colours %v", second, m.Colors)
			}
			if len(m.UVLayers) != 2 || m.UVLayers[0].Name != model.BaseMaterial || m.UVLayers[1].Name != model.Lightmap {
				t.Fatalf("%q: m.UVLayers = %+v; want m.UVLayers of length 2, m.UVLayers[0].Name = model.BaseMaterial, m.UVLayers[1].Name = model.Lightmap", second, m.UVLayers)
			}
			for set, layer := range m.UVLayers {
				last := model.Vec2{}
				if set < has.sets {
					last = model.Vec2{0.25, 0.5}
				}
				if len(layer.UVs) != 9 || layer.UVs[1] != (model.Vec2{0.25, 0.5}) || layer.UVs[2] != (model.Vec2{0.75, 0}) || layer.UVs[8] != last {
					t.Errorf("%q: set %d is %v", second, set, layer.UVs)
				}
			}
		})
	}
}

// Lights are those of Khronos' extension, with its defaults, and full angles in degrees.
func TestReadLights(t *testing.T) {
	lights := `{"type":"point"},{"type":"directional","color":[1,0.5,0],"intensity":7},{"type":"spot"},{"type":"spot","spot":{"innerConeAngle":0.5,"outerConeAngle":1}}`
	nodes := ""
	for i := -1; i <= 4; i++ {
		nodes += fmt.Sprintf(`{"extensions":{"KHR_lights_punctual":{"light":%d}}},`, i)
	}
	text := `{"asset":{"version":"2.0"},"extensionsRequired":["KHR_lights_punctual"],"extensions":{"KHR_lights_punctual":{"lights":[` + lights + `]}},"scenes":[{"nodes":[0,1,2,3,4,5,6]}],"nodes":[` + nodes + `{}]}`
	s, err := gltf.ReadModel([]byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	white := [3]float64{1, 1, 1}
	want := []*model.Light{
		nil, {Kind: model.PointLight, Color: white, Intensity: 1}, {Kind: model.DirectionalLight, Color: [3]float64{1, 0.5, 0}, Intensity: 7},
		{Kind: model.SpotLight, Color: white, Intensity: 1, Outer: 90}, {Kind: model.SpotLight, Color: white, Intensity: 1, Inner: 180 / math.Pi, Outer: 360 / math.Pi}, nil, nil,
	}
	for i, n := range s.Nodes {
		if !reflect.DeepEqual(n.Light, want[i]) {
			t.Errorf("light %d is %+v, want %+v", i, n.Light, want[i])
		}
	}
}

// A file of JSON has its data inside, or beside it and below, and nowhere else.
func TestReadBeside(t *testing.T) {
	text, bin := shifted()
	in := func(uri string) []byte {
		return []byte(strings.Replace(text, `"byteLength":87`, `"byteLength":87,"uri":"`+uri+`"`, 1))
	}
	beside := fstest.MapFS{"a.bin": {Data: bin}, "in/b c.bin": {Data: bin}, "long.bin": {Data: append(bin[:87:87], 1, 2, 3)}, "short.bin": {Data: bin[:86]}}
	for uri, want := range map[string]error{
		"a.bin": nil, "in/b%20c.bin": nil, "in/b c.bin": nil, "long.bin": nil, "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(bin): nil,
		"short.bin": fault.Corrupt, "none.bin": fault.Corrupt, "in": fault.Limit, "../a.bin": fault.Unsafe, "/a.bin": fault.Unsafe, `in\\b.bin`: fault.Unsafe, "%2e%2e/a.bin": fault.Unsafe, "c:a.bin": fault.Unsafe, "%zz": fault.Unsafe, "": fault.Unsafe,
		"data:;base64,AAAA": fault.Corrupt,
	} {
		s, err := gltf.Read(in(uri), beside)
		if !errors.Is(err, want) || err == nil && len(s.Nodes[0].Children[0].Mesh.Parts[0].Positions) != 3 {
			t.Errorf("%.40s: %v, want %v", uri, err, want)
		}
	}
	if _, err := gltf.Read(in("a.bin"), nil); !errors.Is(err, fault.Unsupported) {
		t.Errorf("without a folder: %v", err)
	}
	two := strings.Replace(text, `"buffers":[{"byteLength":87}]`, `"buffers":[{"byteLength":87,"uri":"a.bin"},{"byteLength":1}]`, 1)
	if _, err := gltf.Read([]byte(two), beside); !errors.Is(err, fault.Corrupt) {
		t.Errorf("a second buffer without data: %v", err)
	}
}
