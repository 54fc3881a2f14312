package mesh

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
)

// One mesh of several nodes has each triangle where its node has it, seen from
// the same side, with normals that stand on it; also where a node mirrors.
func TestFlat(t *testing.T) {
	g := &Geometry{
		Positions: []gbx.Vec3{{X: 1}, {X: 3}, {X: 1, Y: 2}}, Normals: []gbx.Vec3{{Z: 1}, {Z: 1}, {Z: 1}}, Indices: []uint32{0, 1, 2},
	}
	m := &Mesh{Parts: []Part{{Material: 1, Geometry: g}}}
	turned := Transform{Mat3: gbx.Mat3{X: gbx.Vec3{Z: -1}, Y: gbx.Vec3{Y: 1}, Z: gbx.Vec3{X: 1}}, T: gbx.Vec3{Y: 5}}
	mirrored := Transform{Mat3: gbx.Mat3{X: gbx.Vec3{X: -2}, Y: gbx.Vec3{Y: 1}, Z: gbx.Vec3{Z: 1}}}
	s := &Scene{Nodes: []*Node{{Transform: Identity, Mesh: m}, {Transform: turned, Children: []*Node{{Transform: mirrored, Mesh: m}}}}}
	one, err := s.Flat("one", 6)
	if err != nil || len(one.Parts) != 2 || one.Name != "one" || one.Parts[0].Geometry != g || one.Parts[1].Material != 1 {
		t.Fatalf(`one = %+v, err = %v; want no error, one.Parts of length 2, one.Name = "one", one.Parts[0].Geometry = %v, one.Parts[1].Material = 1`, one, err, g)
	}
	p := one.Parts[1]
	for i, want := range []gbx.Vec3{{Y: 5, Z: 2}, {Y: 5, Z: 6}, {Y: 7, Z: 2}} { // 1, 3, 1 times -2 along x, which is -z
		if d := sub(p.Positions[i], want); dot(d, d) > 1e-8 {
			t.Errorf("position %d is %v, want %v", i, p.Positions[i], want)
		}
	}
	a, b, c := p.Positions[p.Indices[0]], p.Positions[p.Indices[1]], p.Positions[p.Indices[2]]
	n, _ := unit(cross(sub(b, a), sub(c, a)))
	if d := sub(n, p.Normals[0]); dot(d, d) > 1e-8 {
		t.Errorf("a triangle looks to %v, its normals to %v", n, p.Normals[0])
	}
	if !slices.Equal(g.Indices, []uint32{0, 1, 2}) || g.Positions[1] != (gbx.Vec3{X: 3}) || g.Normals[0] != (gbx.Vec3{Z: 1}) {
		t.Errorf("the mesh itself has changed: %+v", g)
	}
	if _, err := s.Flat("one", 5); !errors.Is(err, fault.Limit) {
		t.Errorf("more vertices than allowed: %v", err)
	}
	far := Transform{Mat3: gbx.Mat3{X: gbx.Vec3{X: math.MaxFloat32}, Y: gbx.Vec3{Y: 1}, Z: gbx.Vec3{Z: 1}}}
	if _, err := (&Scene{Nodes: []*Node{{Transform: far, Mesh: m}}}).Flat("far", 9); err == nil {
		t.Error("a mesh beyond all numbers")
	}
}

// Files that refer to each other in a circle come to an end.
func TestOutsideInCircles(t *testing.T) {
	opened := 0
	a := &gbx.File{Body: &gbx.Node{Chunks: []gbx.Chunk{{Body: &gamedata.Chunk2E007001{Mesh: `\Items\b.Mesh.Gbx`, SolidRef: "c.Solid.Gbx"}}}}}
	var open Opener
	open = func(name string) (*gbx.File, Opener) {
		if opened++; opened > 1000 {
			t.Fatal("it does not end")
		}
		if name != "/Items/b.Mesh.Gbx" && name != "c.Solid.Gbx" {
			t.Errorf("opened %q", name)
		}
		return a, open
	}
	if s, err := Read(a, Options{Outside: open}); err != nil || len(s.Nodes) > 0 || len(s.Outside) > 0 {
		t.Errorf("s = %+v, err = %v; want no error, len(s.Nodes) at most 0, len(s.Outside) at most 0", s, err)
	}
	// Without regard for what is being read already, as with copies of files.
	fresh := func() *gbx.File { f := *a; n := *a.Body; f.Body = &n; return &f }
	opened = 0
	var copies Opener
	copies = func(string) (*gbx.File, Opener) { opened++; return fresh(), copies }
	if _, err := Read(a, Options{Outside: copies}); !errors.Is(err, fault.Limit) || opened > maxDepth+1 {
		t.Errorf("%d files opened: %v", opened, err)
	}
}
