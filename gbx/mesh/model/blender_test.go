package model_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx/mesh/fbx"
	"pakbox/gbx/mesh/gltf"
	"pakbox/gbx/mesh/model"
	"pakbox/internal/testkit/peer"
)

func readFile(t *testing.T, path string) *model.Scene {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var s *model.Scene
	if fbx.Is(data) {
		s, err = fbx.Read(bytes.NewReader(data), int64(len(data)))
	} else {
		s, err = gltf.ReadModel(data, os.DirFS(filepath.Dir(path)))
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return s
}

func find(t *testing.T, s *model.Scene, name string) *model.Node {
	t.Helper()
	for i := range s.Nodes {
		if s.Nodes[i].Name == name {
			return &s.Nodes[i]
		}
	}
	t.Fatalf("no node %s", name)
	return nil
}

func close3(a, b model.Vec3) bool { d := a.Sub(b); return d.Dot(d) < 1e-9 }

// Blender's files of one scene give the places that Blender knew, whatever their
// axes, units and form are.
func TestBlender(t *testing.T) {
	data, err := os.ReadFile("testdata/truth.json")
	if err != nil {
		t.Fatal(err)
	}
	var truth map[string][]model.Vec3
	if err := json.Unmarshal(data, &truth); err != nil {
		t.Fatal(err)
	}
	var corners []string // of the first file
	for _, name := range []string{"plain.fbx", "zup.fbx", "baked.fbx", "one.glb", "beside.gltf", "inside.gltf"} {
		s := readFile(t, filepath.Join("testdata", name))
		for node, points := range truth {
			n := find(t, s, node)
			if n.Mesh == nil {
				if !close3(n.World.T, points[0]) {
					t.Errorf("%s: %s is at %v, want %v", name, node, n.World.T, points[0])
				}
				continue
			}
			for _, p := range n.Mesh.Positions {
				if !slices.ContainsFunc(points, func(want model.Vec3) bool { return close3(want, n.World.Point(p)) }) {
					t.Errorf("%s: %s has a vertex at %v", name, node, n.World.Point(p))
				}
			}
		}
		if wall := find(t, s, "Wall_Lod0"); s.Nodes[find(t, s, "_trigger_ball").Parent].Name != "Wall_Lod0" || wall.Parent != -1 ||
			wall.Mesh.UVLayer(model.BaseMaterial) == nil || wall.Mesh.UVLayer(model.Lightmap) == nil {
			t.Errorf("%s: the tree or the layers are others", name)
		}
		lamp := find(t, s, "Lamp")
		down := lamp.World.Direction(model.Vec3{0, 0, -1}).Unit()
		if l := lamp.Light; l == nil || l.Kind != model.SpotLight || l.Color != [3]float64{1, 0.5, 0.25} || math.Abs(l.Outer-60) > 1e-4 || math.Abs(l.Inner-51) > 1e-4 {
			t.Errorf("%s: light %+v", name, l)
		}
		if !close3(down, model.Vec3{0, -math.Cos(0.2), -math.Sin(0.2)}) {
			t.Errorf("%s: the lamp shines to %v", name, down)
		}
		if got := cornersOf(s); corners == nil {
			corners = got
		} else if !slices.Equal(got, corners) {
			t.Errorf("%s has other corners than the first file: %d and %d", name, len(got), len(corners))
		}
	}
}

// cornersOf lists the corners of all polygons: material, place, normal and texture
// coordinates. It does not depend on how polygons are cut.
func cornersOf(s *model.Scene) []string {
	set := map[string]bool{}
	for _, n := range s.Nodes {
		if n.Mesh == nil {
			continue
		}
		for _, p := range n.Mesh.Polygons {
			for c := p.First; c < p.First+p.Count; c++ {
				text := s.Materials[p.Material]
				at, normal := n.World.Point(n.Mesh.Positions[n.Mesh.Corners[c]]), n.World.Normal(n.Mesh.Normals[c])
				numbers := append(at[:], normal[:]...)
				for _, l := range n.Mesh.UVLayers {
					numbers = append(numbers, l.UVs[c][:]...)
				}
				for _, v := range numbers {
					text += fmt.Sprintf(" %.2f", v+1e-4) // away from zero and from halves
				}
				set[strings.ReplaceAll(text, "-0.00", "0.00")] = true
			}
		}
	}
	var out []string
	for text := range set {
		out = append(out, text)
	}
	slices.Sort(out)
	return out
}

// Assimp reads Blender's file and writes its own: the scene stays the same.
func TestAssimp(t *testing.T) {
	assimp := peer.Program(t, "assimp", "assimp-utils")
	for _, name := range []string{"plain.fbx", "baked.fbx"} {
		out := filepath.Join(t.TempDir(), "assimp.fbx")
		if text, err := exec.Command(assimp, "export", filepath.Join("testdata", name), out).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		want, got := readFile(t, filepath.Join("testdata", name)), readFile(t, out)
		if a, b := cornersOf(want), cornersOf(got); !slices.Equal(a, b) {
			t.Errorf("%s: %d corners, want %d: %q and %q", name, len(b), len(a), b[0], a[0])
		}
		for _, node := range []string{"_socket_start", "_trigger_ball", "Lamp"} {
			if a, b := find(t, want, node).World, find(t, got, node).World; !close3(a.T, b.T) || !close3(a.Z.Unit(), b.Z.Unit()) || !close3(a.Y.Unit(), b.Y.Unit()) {
				t.Errorf("%s: %s is at %v, want %v", name, node, b, a)
			}
		}
	}
}
