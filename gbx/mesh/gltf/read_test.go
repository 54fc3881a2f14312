package gltf_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/gltf"
	"pakbox/internal/testkit/peer"
)

// glbOf makes a file of JSON and data.
func glbOf(text string, bin []byte) []byte {
	for len(text)%4 != 0 {
		text += " "
	}
	for len(bin)%4 != 0 {
		bin = append(bin, 0)
	}
	out := []byte("glTF")
	words := func(list ...int) {
		for _, v := range list {
			out = binary.LittleEndian.AppendUint32(out, uint32(v))
		}
	}
	words(2, 12+8+len(text)+8+len(bin), len(text), 0x4E4F534A)
	out = append(out, text...)
	words(len(bin), 0x004E4942)
	return append(out, bin...)
}

func floats(list ...float32) []byte {
	var out []byte
	for _, f := range list {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(f))
	}
	return out
}

// shifted is a triangle as other programs write them: vertices in rows,
// texture coordinates in two bytes, indices in one, a matrix, a node in a node.
func shifted() (text string, bin []byte) {
	for i, p := range [][3]float32{{0, 0, 0}, {2, 0, 0}, {0, 3, 0}} {
		bin = append(bin, floats(p[0], p[1], p[2], 0, 0, 1)...)
		bin = binary.LittleEndian.AppendUint16(bin, uint16(i*0xFFFF/2))
		bin = binary.LittleEndian.AppendUint16(bin, 0xFFFF)
	}
	bin = append(bin, 0, 1, 2)
	return `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
	"nodes":[{"name":"Outer","matrix":[0,1,0,0,-1,0,0,0,0,0,1,0,10,0,0,1],"children":[1]},
		{"name":"Inner","mesh":0,"translation":[0,0,5],"rotation":[0,0,0.70710678,0.70710678],"scale":[1,2,1]}],
	"meshes":[{"name":"Shape","primitives":[{"attributes":{"POSITION":0,"NORMAL":1,"TEXCOORD_0":2},"indices":3,"material":0,"mode":4}]}],
	"materials":[{"name":"Grass","extras":{"link":"Stadium"}},{"extras":7}],
	"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
		{"bufferView":0,"byteOffset":12,"componentType":5126,"count":3,"type":"VEC3"},
		{"bufferView":0,"byteOffset":24,"componentType":5123,"normalized":true,"count":3,"type":"VEC2"},
		{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}],
	"bufferViews":[{"buffer":0,"byteLength":84,"byteStride":28},{"buffer":0,"byteOffset":84,"byteLength":3}],
	"buffers":[{"byteLength":87}]}`, bin
}

func sample() []byte { return glbOf(shifted()) }

func TestRead(t *testing.T) {
	s, err := gltf.Read(sample(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []mesh.Material{{Name: "Grass", Link: "Stadium"}, {}}; !reflect.DeepEqual(s.Materials, want) {
		t.Errorf("materials %+v", s.Materials)
	}
	inner := s.Nodes[0].Children[0]
	p := inner.Mesh.Parts[0]
	if inner.Name != "Inner" || inner.Mesh.Name != "Shape" || p.Material != 0 || !slices.Equal(p.Indices, []uint32{0, 1, 2}) {
		t.Errorf(`inner = %+v p = %+v; want inner.Name = "Inner", inner.Mesh.Name = "Shape", p.Material = 0, p.Indices equal to []uint32{0, 1, 2}`, inner, p)
	}
	if !slices.Equal(p.Normals, []gbx.Vec3{{Z: 1}, {Z: 1}, {Z: 1}}) || p.UVs[0][0] != (gbx.Vec2{Y: 1}) || p.UVs[0][2] != (gbx.Vec2{X: 1, Y: 1}) {
		t.Errorf("normals %v, texture coordinates %v", p.Normals, p.UVs)
	}
	// Scaled, turned by 90 degrees twice, and moved: (x, y) is (10-x, -2y).
	flat, err := s.Flat("", 100)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []gbx.Vec3{{X: 10, Z: 5}, {X: 8, Z: 5}, {X: 10, Y: -6, Z: 5}} {
		got := flat.Parts[0].Positions[i]
		if math.Abs(float64(got.X-want.X))+math.Abs(float64(got.Y-want.Y))+math.Abs(float64(got.Z-want.Z)) > 1e-5 {
			t.Errorf("vertex %d at %v, want %v", i, got, want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	text, bin := shifted()
	good := glbOf(text, bin)
	change := func(old, new string) []byte {
		if !strings.Contains(text, old) {
			t.Fatalf("no %s", old)
		}
		return glbOf(strings.Replace(text, old, new, 1), bin)
	}
	for name, c := range map[string]struct {
		data []byte
		want fault.Kind
	}{
		"empty":              {nil, fault.NotFormat},
		"text":               {[]byte(`["asset"]`), fault.NotFormat},
		"no scenes":          {[]byte(`{"asset":{"version":"2.0"}}`), fault.Corrupt},
		"outside":            {change(`"byteLength":87`, `"byteLength":87,"uri":"../a.bin"`), fault.Unsafe},
		"over the net":       {change(`"byteLength":87`, `"byteLength":87,"uri":"http://a/b"`), fault.Unsafe},
		"not in base64":      {change(`"byteLength":87`, `"byteLength":87,"uri":"data:,abc"`), fault.Unsupported},
		"no base64":          {change(`"byteLength":87`, `"byteLength":87,"uri":"data:;base64,%%"`), fault.Corrupt},
		"version":            {append([]byte("glTF\x01"), good[5:]...), fault.Unsupported},
		"cut":                {good[:len(good)-1], fault.Corrupt},
		"JSON":               {change(`"asset":`, `"asset"`), fault.Corrupt},
		"asset":              {change(`"2.0"`, `"3.0"`), fault.Unsupported},
		"draco":              {change(`"scene":0`, `"scene":0,"extensionsRequired":["KHR_draco_mesh_compression"]`), fault.Unsupported},
		"scene":              {change(`"scene":0`, `"scene":1`), fault.Corrupt},
		"another file":       {change(`"byteLength":87`, `"byteLength":87,"uri":"a.bin"`), fault.Unsupported},
		"buffer":             {change(`"byteLength":87`, `"byteLength":1000`), fault.Corrupt},
		"no node":            {change(`"children":[1]`, `"children":[2]`), fault.Corrupt},
		"itself":             {change(`"children":[1]`, `"children":[0]`), fault.Corrupt},
		"twice":              {change(`"children":[1]`, `"children":[1,1]`), fault.Corrupt},
		"bones":              {change(`"mesh":0`, `"mesh":0,"skin":0`), fault.Unsupported},
		"no mesh":            {change(`"mesh":0`, `"mesh":-1`), fault.Corrupt},
		"two places":         {change(`"children":[1]`, `"children":[1],"scale":[1,1,1]`), fault.Corrupt},
		"projection":         {change(`10,0,0,1]`, `10,0,0,2]`), fault.Corrupt},
		"projection, first":  {change(`[0,1,0,0,-1`, `[0,1,0,1,-1`), fault.Corrupt},
		"projection, second": {change(`-1,0,0,0,0`, `-1,0,0,1,0`), fault.Corrupt},
		"projection, third":  {change(`0,0,1,0,10`, `0,0,1,1,10`), fault.Corrupt},
		"wide rows":          {change(`"byteStride":28`, `"byteStride":253`), fault.Corrupt},
		"before its view":    {change(`"byteOffset":12`, `"byteOffset":-12`), fault.Corrupt},
		"behind its view":    {change(`"byteOffset":24`, `"byteOffset":25`), fault.Corrupt},
		"fewer than none":    {change(`"count":3`, `"count":-1`), fault.Corrupt},
		"view before":        {change(`"byteOffset":84`, `"byteOffset":-1`), fault.Corrupt},
		"negative view":      {change(`"bufferView":0`, `"bufferView":-1`), fault.Corrupt},
		"strip":              {change(`"mode":4`, `"mode":5`), fault.Unsupported},
		"no material":        {change(`"material":0`, `"material":2`), fault.Corrupt},
		"no positions":       {change(`"POSITION":0,`, ``), fault.Unsupported},
		"no accessor":        {change(`"POSITION":0`, `"POSITION":4`), fault.Corrupt},
		"wrong type":         {change(`"POSITION":0`, `"POSITION":2`), fault.Unsupported},
		"sparse":             {change(`"count":3`, `"count":3,"sparse":{}`), fault.Unsupported},
		"no data":            {change(`"bufferView":0,`, ``), fault.Unsupported},
		"no view":            {change(`"bufferView":0`, `"bufferView":9`), fault.Corrupt},
		"view outside":       {change(`"byteLength":84`, `"byteLength":8400`), fault.Corrupt},
		"too many":           {change(`"count":3`, `"count":4`), fault.Corrupt},
		"far too many":       {change(`"count":3`, `"count":4611686018427387904`), fault.Corrupt},
		"overlap":            {change(`"byteStride":28`, `"byteStride":4`), fault.Corrupt},
		"normals":            {change(`"byteOffset":12,"componentType":5126,"count":3`, `"byteOffset":12,"componentType":5126,"count":2`), fault.Corrupt},
		"texture":            {change(`"normalized":true,"count":3`, `"normalized":true,"count":2`), fault.Corrupt},
		"whole numbers":      {change(`"normalized":true,`, ``), fault.Corrupt},
		"corners":            {change(`"componentType":5121,"count":3`, `"componentType":5121,"count":2`), fault.Corrupt},
		"no such vertex":     {glbOf(text, append(slices.Clone(bin[:86]), 3)), fault.Corrupt},
		"no number":          {glbOf(text, append(floats(float32(math.Inf(1))), bin[4:]...)), fault.Corrupt},
		"no texture number":  {glbOf(strings.Replace(text, `"componentType":5123,"normalized":true`, `"componentType":5126`, 1), append(append(slices.Clone(bin[:24]), floats(float32(math.NaN()))...), bin[28:]...)), fault.Corrupt},
	} {
		_, err := gltf.Read(c.data, nil)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want the kind %s", name, err, c.want)
		}
	}
	for _, stride := range []string{"27", "11", "253"} {
		far := strings.Replace(strings.Replace(text, `"byteStride":28`, `"byteStride":`+stride, 1), `"byteLength":84`, `"byteLength":800`, 1)
		data := glbOf(strings.Replace(far, `"byteLength":87`, `"byteLength":800`, 1), append(slices.Clone(bin), make([]byte, 800)...))
		if _, err := gltf.Read(data, nil); (err != nil && strings.Contains(err.Error(), "overlap")) != (stride != "27") {
			t.Errorf("rows of %s bytes: %v", stride, err)
		}
	}
	deep := `{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[`
	for i := range 1000 {
		deep += fmt.Sprintf(`{"children":[%d]},`, i+1)
	}
	if _, err := gltf.Read(glbOf(deep+`{}]}`, nil), nil); !errors.Is(err, fault.Limit) {
		t.Errorf("1,000 nodes in each other: %v", err)
	}
	many := strings.Replace(text, `"primitives":[`, `"primitives":[`+strings.Repeat(`{"attributes":{"POSITION":0}},`, 100), 1)
	if s, err := gltf.Read(glbOf(many, bin), nil); err != nil || len(s.Nodes[0].Children[0].Mesh.Parts) != 101 {
		t.Errorf("101 parts: %v", err)
	}
}

// meshes are all meshes of a scene, in the order of its nodes.
func meshes(s *mesh.Scene) (out []*mesh.Mesh) {
	s.Visit(func(n *mesh.Node, _ mesh.Transform) { out = append(out, n.Mesh) })
	return out
}

// Read reads what Write wrote: written
// once more the same triangles, in the same places, with the same names.
func TestReadCorpus(t *testing.T) {
	files := 0
	export(t, func(e exported) {
		files++
		s, err := gltf.Read(e.data, nil)
		if err != nil {
			t.Errorf("%s: %v", e.name, err)
			return
		}
		again, err := gltf.Read(encode(t, s), nil)
		if err != nil || !reflect.DeepEqual(meshes(again), meshes(s)) {
			t.Errorf("%s: read again, other meshes (%v)", e.name, err)
		}
		_, want := parse(t, e.data).check(t)
		if _, got := parse(t, encode(t, s)).check(t); got != want {
			t.Errorf("%s: %d triangles, want %d", e.name, got, want)
		}
		a, b := s.Bounds(), e.scene.Bounds()
		size := math.Max(1, float64(b.Max.X-b.Min.X+b.Max.Y-b.Min.Y+b.Max.Z-b.Min.Z))
		far := func(p, q gbx.Vec3) float64 {
			return math.Abs(float64(p.X-q.X)) + math.Abs(float64(p.Y-q.Y)) + math.Abs(float64(p.Z-q.Z))
		}
		if d := far(a.Min, b.Min) + far(a.Max, b.Max); !(d <= size*1e-4) {
			t.Errorf("%s: in %v, want %v", e.name, a, b)
		}
		used := map[int]bool{}
		e.scene.Visit(func(n *mesh.Node, _ mesh.Transform) {
			for i := 0; n.Mesh != nil && i < len(n.Mesh.Parts); i++ {
				if m := n.Mesh.Parts[i].Material; m >= 0 && !used[m] {
					used[m] = true
					if !slices.ContainsFunc(s.Materials, func(k mesh.Material) bool {
						return k.Name == e.scene.Materials[m].Name && k.Link == e.scene.Materials[m].Link
					}) {
						t.Errorf("%s: no material %+v", e.name, e.scene.Materials[m])
					}
				}
			}
		})
	})
	if files < 200 {
		t.Errorf("only %d files", files)
	}
}

// A file that another program has written is read.
func TestReadAssimp(t *testing.T) {
	assimp := peer.Program(t, "assimp", "assimp-utils")
	dir := t.TempDir()
	obj := "mtllib a.mtl\nv 0 0 0\nv 4 0 0\nv 4 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl Grass\nf 1/1 2/2 3/3\nusemtl Asphalt\nf 1/1 3/3 4/4\n"
	in, out := filepath.Join(dir, "a.obj"), filepath.Join(dir, "a.glb")
	for name, text := range map[string]string{in: obj, filepath.Join(dir, "a.mtl"): "newmtl Grass\nKd 0 1 0\nnewmtl Asphalt\nKd 0 0 0\n"} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
	if text, err := exec.Command(assimp, "export", in, out, "-f", "glb2").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	s, err := gltf.Read(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	flat, err := s.Flat("", 100)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range flat.Parts {
		names = append(names, s.Materials[p.Material].Name)
		if p.Triangles() != 1 || len(p.UVs) == 0 {
			t.Errorf("%d triangles, %d sets of texture coordinates", p.Triangles(), len(p.UVs))
		}
	}
	slices.Sort(names)
	b := s.Bounds()
	if !slices.Equal(names, []string{"Asphalt", "Grass"}) || b.Min != (gbx.Vec3{}) || b.Max != (gbx.Vec3{X: 4, Y: 1}) {
		t.Errorf("materials %v in %v", names, b)
	}
}

// Reading any file ends with a typed error or with a scene
// that can be written.
func FuzzRead(f *testing.F) {
	f.Add(glbOf(shifted()))
	scene := &mesh.Scene{Nodes: []*mesh.Node{{Transform: mesh.Identity, Mesh: &mesh.Mesh{Parts: []mesh.Part{{Material: -1, Geometry: square()}}}}}}
	f.Add(encode(f, scene))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := gltf.Read(data, nil)
		var typed *fault.Error
		if err != nil {
			if !errors.As(err, &typed) {
				t.Fatalf("an error without a kind: %v", err)
			}
			return
		}
		s.Bounds()
		if _, err := s.Flat("", 1<<20); err != nil && !errors.As(err, &typed) {
			t.Fatalf("an error without a kind: %v", err)
		}
		if err := gltf.Write(&bytes.Buffer{}, s, "fuzz"); err != nil && !errors.As(err, &typed) {
			t.Fatalf("an error without a kind: %v", err)
		}
		m, err := gltf.ReadModel(data, nil)
		if err != nil {
			if !errors.Is(err, fault.Limit) {
				t.Fatalf("a scene that can be read, but not as a model: %v", err)
			}
			return
		}
		for i := range m.Nodes {
			if mesh := m.Nodes[i].Mesh; mesh != nil {
				for _, c := range mesh.Corners {
					_ = mesh.Positions[c]
				}
			}
		}
	})
}

// A small file that names the same triangles very often is refused as a model.
func TestReadModelBound(t *testing.T) {
	triangles := 1 << 14
	bin := floats(0, 0, 0, 1, 0, 0, 0, 1, 0)
	for range triangles {
		bin = append(bin, 0, 1, 2)
	}
	one := `{"attributes":{"POSITION":0},"indices":1}`
	text := `{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[` + strings.Repeat(one+",", 199) + one + `]}],
	"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":1,"componentType":5121,"count":49152,"type":"SCALAR"}],
	"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":49152}],"buffers":[{"byteLength":49188}]}`
	data := glbOf(text, bin)
	if _, err := gltf.Read(data, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := gltf.ReadModel(data, nil); !errors.Is(err, fault.Limit) {
		t.Errorf("a file of %d bytes: %v", len(data), err)
	}
}
