package mapmesh

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/scene"
)

// Outlines are as wide and as long, within a twentieth, as the meshes in the
// scene, and every embedded mesh has one.
func TestFootprints(t *testing.T) {
	seen := 0
	eachMap(t, func(name string, m *maps.Map, r *Result) {
		f := FootprintsOf(m, scene.Of(m))
		empty, found := 0, 0
		for _, outlines := range []map[int][]gbx.Vec3{f.Blocks, f.Items} {
			for _, o := range outlines {
				if len(o) == 0 {
					empty++
				}
			}
		}
		for _, group := range r.Scene.Nodes {
			outlines := map[string]map[int][]gbx.Vec3{"Blocks": f.Blocks, "Items": f.Items}[group.Name]
			for _, n := range group.Children {
				i, _ := strconv.Atoi(n.Name[strings.LastIndex(n.Name, "#")+1:])
				outline, ok := outlines[i]
				if !ok || n.Mesh == nil {
					continue
				}
				found++
				got := boxOf(outline)
				var all []gbx.Vec3
				for _, p := range n.Mesh.Parts {
					for _, v := range p.Positions {
						all = append(all, n.Transform.Point(v))
					}
				}
				want := boxOf(all)
				near := 0.05*float64(max(want.Max.X-want.Min.X, want.Max.Y-want.Min.Y, want.Max.Z-want.Min.Z)) + 0.01
				for _, d := range []float32{got.Min.X - want.Min.X, got.Min.Z - want.Min.Z, got.Max.X - want.Max.X, got.Max.Z - want.Max.Z} {
					if !(math.Abs(float64(d)) < near) {
						t.Errorf("%s: %s: outline %v, mesh %v", name, n.Name, got, want)
						break
					}
				}
			}
		}
		if found != r.Embedded.Things || empty != r.Empty {
			t.Errorf("%s: %d outlines and %d empty ones, of %d and %d", name, found, empty, r.Embedded.Things, r.Empty)
		}
		seen += found
	})
	if seen < 250 {
		t.Errorf("only %d outlines", seen)
	}
}

func boxOf(points []gbx.Vec3) mesh.Bounds {
	inf := float32(math.Inf(1))
	b := mesh.Bounds{Min: gbx.Vec3{X: inf, Y: inf, Z: inf}, Max: gbx.Vec3{X: -inf, Y: -inf, Z: -inf}}
	for _, p := range points {
		b.Min = gbx.Vec3{X: min(b.Min.X, p.X), Y: min(b.Min.Y, p.Y), Z: min(b.Min.Z, p.Z)}
		b.Max = gbx.Vec3{X: max(b.Max.X, p.X), Y: max(b.Max.Y, p.Y), Z: max(b.Max.Z, p.Z)}
	}
	return b
}

// The outline of points is convex, goes around them once, and leaves none outside.
func TestHull(t *testing.T) {
	got := hull([]gbx.Vec3{{X: 0, Z: 0}, {X: 1, Z: 0}, {X: 2, Z: 0}, {X: 2, Z: 2}, {X: 1, Z: 1}, {X: 0, Z: 2}, {X: 0, Z: 0}, {X: 0, Z: 1}})
	want := []gbx.Vec3{{X: 0, Z: 0}, {X: 2, Z: 0}, {X: 2, Z: 2}, {X: 0, Z: 2}}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got, want)
		}
	}
}
