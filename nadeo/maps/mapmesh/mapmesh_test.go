package mapmesh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/gltf"
	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/peer"
	"pakbox/nadeo/maps"
)

// eachMap calls test with every map of the corpus that has something to show.
func eachMap(t *testing.T, test func(name string, m *maps.Map, r *Result)) {
	t.Helper()
	for path, data := range corpus.GBX(t, "03043000", "24003000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		m, err := maps.Of(f)
		if err != nil {
			t.Fatal(err)
		}
		line := Line{"line", []gbx.Vec3{{}, {X: 1}, {Z: 1}}}
		r, err := Of(t.Context(), m, Options{Lines: []Line{line, {"a point", line.Points[:1]}}})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		test(filepath.Base(path), m, r)
	}
}

// Every block and item of every real map is accounted for, and so is every
// triangle that is drawn.
func TestEverythingIsThere(t *testing.T) {
	seen, ownBlocks, ownItems, empty := 0, 0, 0, 0
	eachMap(t, func(name string, m *maps.Map, r *Result) {
		seen++
		empty += r.Empty
		if got, want := r.Boxes.Things+r.Embedded.Things+r.Empty+r.Hidden, m.BlockCount()+m.ItemCount(); got != want {
			t.Errorf("%s: %d of %d blocks and items", name, got, want)
		}
		drawn := 0
		r.Scene.Visit(func(n *mesh.Node, _ mesh.Transform) {
			if n.Mesh != nil {
				drawn += n.Mesh.Triangles()
			}
			if strings.Contains(n.Name, ".Block.Gbx #") && n.Mesh != nil && n.Mesh.Kind != mesh.Made {
				ownBlocks++
			}
			if strings.Contains(strings.ToLower(n.Name), ".item.gbx #") && n.Mesh != nil && n.Mesh.Kind != mesh.Made {
				ownItems++
			}
		})
		if drawn != r.Drawn() || r.Lines != 1 || r.Points != 3 {
			t.Errorf("%s: scene has %d triangles, Drawn() = %d; %d lines with %d points, want 1 with 3", name, drawn, r.Drawn(), r.Lines, r.Points)
		}
	})
	if seen < 230 || ownBlocks < 150 || ownItems < 100 || empty < 65_000 {
		t.Errorf("only %d maps, %d blocks and %d items with meshes, %d that show nothing", seen, ownBlocks, ownItems, empty)
	}
	t.Logf("%d maps, %d blocks and %d items with meshes, %d that show nothing", seen, ownBlocks, ownItems, empty)
}

// generations picks a map of each environment and title.
func generations(t *testing.T, test func(name string, r *Result)) int {
	t.Helper()
	seen := map[string]bool{}
	eachMap(t, func(name string, m *maps.Map, r *Result) {
		kind := fmt.Sprint(m.Collection(), " ", m.Title(), " ", r.Embedded.Things > 0)
		if r.Drawn() > 0 && !seen[kind] {
			seen[kind] = true
			test(name, r)
		}
	})
	return len(seen)
}

// Assimp, which other programs read glTF with, finds the same nodes and
// triangles in the same box, for a map of each generation. Khronos' validator
// is asked too if PAKBOX_GLTF_VALIDATOR names it, as in package gltf.
func TestAssimp(t *testing.T) {
	assimp := peer.Program(t, "assimp", "assimp-utils")
	dir := t.TempDir()
	maps := generations(t, func(name string, r *Result) {
		var b bytes.Buffer
		if err := gltf.Write(&b, r.Scene, name); err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		file := filepath.Join(dir, name+".glb")
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(assimp, "info", file, "-r").CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
			return
		}
		nodes, depth := 0, 1 // and a node around all
		r.Scene.Visit(func(*mesh.Node, mesh.Transform) { nodes++ })
		segments := r.Points - r.Lines
		box := r.Scene.Bounds()
		for label, want := range map[string][]float64{
			"Nodes:": {float64(nodes + depth)}, "Faces:": {float64(r.Stored + segments)},
			"Minimum point": {float64(box.Min.X), float64(box.Min.Y), float64(box.Min.Z)},
			"Maximum point": {float64(box.Max.X), float64(box.Max.Y), float64(box.Max.Z)},
		} {
			for i, got := range figures(t, out, label) {
				if d := got - want[i]; d < -0.01 || d > 0.01 {
					t.Errorf("%s: %s %v, want %v", name, label, got, want[i])
				}
			}
		}
	})
	if maps < 15 {
		t.Errorf("only %d generations", maps)
	}
	if validator := os.Getenv("PAKBOX_GLTF_VALIDATOR"); validator != "" {
		words := strings.Fields(validator)
		if out, err := exec.Command(words[0], append(words[1:], dir)...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", validator, err, out)
		}
	}
}

var numbers = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?`)

// figures are the numbers in the line that begins with the label.
func figures(t *testing.T, out []byte, label string) (list []float64) {
	t.Helper()
	for line := range strings.Lines(string(out)) {
		if rest, ok := strings.CutPrefix(line, label); ok {
			for _, word := range numbers.FindAllString(rest, -1) {
				v, err := strconv.ParseFloat(word, 64)
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, v)
			}
			return list
		}
	}
	t.Fatalf("no %q in:\n%s", label, out)
	return nil
}

// The box that stands for others is closed, of one metre, and seen from
// outside.
func TestCube(t *testing.T) {
	box := (&mesh.Mesh{Parts: []mesh.Part{{Geometry: cube}}}).Bounds(mesh.Identity)
	if box.Min != (gbx.Vec3{X: -0.5, Y: -0.5, Z: -0.5}) || box.Max != (gbx.Vec3{X: 0.5, Y: 0.5, Z: 0.5}) || cube.Triangles() != 12 {
		t.Errorf("%d triangles in %v", cube.Triangles(), box)
	}
	for i := 0; i < len(cube.Indices); i += 3 {
		a, b, c := cube.Positions[cube.Indices[i]], cube.Positions[cube.Indices[i+1]], cube.Positions[cube.Indices[i+2]]
		u, v, n := sub(b, a), sub(c, a), cube.Normals[cube.Indices[i]]
		// The cross product of two edges of one metre is the normal.
		if got := (gbx.Vec3{X: u.Y*v.Z - u.Z*v.Y, Y: u.Z*v.X - u.X*v.Z, Z: u.X*v.Y - u.Y*v.X}); got != n {
			t.Errorf("triangle %d looks to %v, its normals to %v", i/3, got, n)
		}
	}
}

func sub(a, b gbx.Vec3) gbx.Vec3 { return gbx.Vec3{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z} }

// Drawing a map can be cancelled.
func TestCalledOff(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, data := range corpus.GBX(t, "03043000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		m, err := maps.Of(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Of(ctx, m, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("Of with a cancelled context: %v, want context.Canceled", err)
		}
		return
	}
}

// A map of more blocks than a scene takes is refused before anything is made.
func TestTooMany(t *testing.T) {
	m := bigMap(t, maxThings+1, maps.Block{Name: "RoadTechStraight"})
	if _, err := Of(t.Context(), m, Options{}); !errors.Is(err, fault.Limit) {
		t.Errorf("%d blocks: %v", m.BlockCount(), err)
	}
}

// bigMap is a real map with more blocks.
func bigMap(tb testing.TB, n int, b maps.Block) *maps.Map {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(corpus.Dir(tb, "gbx"), "03043000/9dcf8d1fd282.Map.Gbx"))
	if err != nil {
		tb.Fatal(err)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		tb.Fatal(err)
	}
	m, err := maps.Of(f)
	if err != nil {
		tb.Fatal(err)
	}
	list := make([]maps.Block, n)
	for i := range list {
		b.Coord = gbx.Int3{X: int32(i % 200), Y: int32(9 + i/40000), Z: int32(i / 200 % 200)}
		list[i] = b
	}
	if err := m.AddBlock(list...); err != nil {
		tb.Fatal(err)
	}
	return m
}

// BenchmarkOf makes glTF of a map of 20,000 blocks.
func BenchmarkOf(b *testing.B) {
	m := bigMap(b, 20_000, maps.Block{Name: "RoadTechStraight"})
	b.ReportAllocs()
	for b.Loop() {
		r, err := Of(b.Context(), m, Options{})
		if err != nil {
			b.Fatal(err)
		}
		var out bytes.Buffer
		if err := gltf.Write(&out, r.Scene, "map"); err != nil {
			b.Fatal(err)
		}
	}
}

// The number that a block's flags make is one that the block's file has a
// variant for. Few stand in others: a maker changes some of a block's variants.
func TestVariants(t *testing.T) {
	there, others := map[string]bool{}, 0
	for _, data := range corpus.GBX(t) {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			continue
		}
		m, err := maps.Of(f)
		if err != nil {
			continue
		}
		files := newModels(m, nil)
		for b := range m.EachBlock() {
			e := files.embedding.Model(b.Name)
			if e == nil || files.file(e) == nil {
				continue
			}
			number := b.Variant()
			s, err := mesh.Read(files.file(e), mesh.Options{Variant: func(n int) bool { return n == number }})
			if kind := fmt.Sprint(e.Name, number); err == nil && len(s.Variants) > 0 {
				there[kind] = true
			} else if !there[kind] {
				others++
			}
			if len(there)+others > 10_000 {
				t.Fatal("the test would take too long")
			}
		}
	}
	t.Logf("%d kinds of placement are there, %d placements are not", len(there), others)
	if len(there) < 40 || others > 20 {
		t.Errorf("%d kinds of placement are there, %d placements are not", len(there), others)
	}
}
