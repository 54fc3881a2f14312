package view

import (
	"context"
	"errors"
	"image"
	"image/color"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
)

// box is a box of one colour.
func box(material int, min, max gbx.Vec3) *mesh.Node {
	g := &mesh.Geometry{}
	for i := range 8 {
		p := min
		if i&1 != 0 {
			p.X = max.X
		}
		if i&2 != 0 {
			p.Y = max.Y
		}
		if i&4 != 0 {
			p.Z = max.Z
		}
		g.Positions = append(g.Positions, p)
	}
	for _, q := range [][4]uint32{{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}} {
		g.Indices = append(g.Indices, q[0], q[1], q[2], q[0], q[2], q[3])
	}
	return &mesh.Node{Transform: mesh.Identity, Mesh: &mesh.Mesh{Parts: []mesh.Part{{Material: material, Geometry: g}}}}
}

func draw(t *testing.T, s *mesh.Scene, o Options) *image.NRGBA {
	t.Helper()
	m, err := Draw(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A cube shows three sides of different light, the upper one the lightest, whichever
// way round its triangles are; around it the picture is clear.
func TestCube(t *testing.T) {
	s := &mesh.Scene{Materials: []mesh.Material{{Color: [4]uint8{200, 100, 50, 255}}}, Nodes: []*mesh.Node{box(0, gbx.Vec3{}, gbx.Vec3{X: 1, Y: 1, Z: 1})}}
	for range 2 {
		m := draw(t, s, Options{Size: image.Pt(100, 100), Tilt: 30})
		top, left, right := m.NRGBAAt(50, 30), m.NRGBAAt(30, 65), m.NRGBAAt(70, 65)
		if top.R <= left.R || top.R <= right.R || left == right || top.A != 255 {
			t.Errorf("top %v, left %v, right %v", top, left, right)
		}
		if c := m.NRGBAAt(2, 2); c != (color.NRGBA{}) {
			t.Errorf("the corner is %v", c)
		}
		// The outline of a cube seen so is as wide as its diagonal and less high.
		if m.NRGBAAt(50, 5).A != 0 && m.NRGBAAt(5, 50).A != 0 {
			t.Error("the picture is filled")
		}
		g := s.Nodes[0].Mesh.Parts[0].Geometry
		for i := 0; i < len(g.Indices); i += 3 {
			g.Indices[i], g.Indices[i+1] = g.Indices[i+1], g.Indices[i]
		}
	}
}

// A nearer triangle covers a farther one, whichever is drawn first.
func TestCover(t *testing.T) {
	far, near := box(0, gbx.Vec3{}, gbx.Vec3{X: 1, Y: 1, Z: 1}), box(1, gbx.Vec3{X: 2, Z: 2}, gbx.Vec3{X: 3, Y: 1, Z: 3})
	materials := []mesh.Material{{Color: [4]uint8{255, 0, 0, 255}}, {Color: [4]uint8{0, 0, 255, 255}}}
	for _, nodes := range [][]*mesh.Node{{far, near}, {near, far}} {
		m := draw(t, &mesh.Scene{Materials: materials, Nodes: nodes}, Options{Size: image.Pt(60, 60), Tilt: 5})
		if c := m.NRGBAAt(30, 30); c.B == 0 || c.R != 0 {
			t.Errorf("the middle is %v", c)
		}
	}
}

// Things below water are seen through it, and things above it are not tinted; with
// nothing below, the water has its own colour.
func TestWater(t *testing.T) {
	cube := box(0, gbx.Vec3{}, gbx.Vec3{X: 1, Y: 1, Z: 1})
	sea := func(y float32) *mesh.Node {
		return box(1, gbx.Vec3{X: -4, Y: y - 0.1, Z: -4}, gbx.Vec3{X: 5, Y: y, Z: 5})
	}
	materials := []mesh.Material{{Color: [4]uint8{255, 0, 0, 255}}, {Color: [4]uint8{0, 0, 255, 100}}}
	for _, nodes := range [][]*mesh.Node{{cube, sea(2)}, {sea(2), cube}} {
		m := draw(t, &mesh.Scene{Materials: materials, Nodes: nodes}, Options{Size: image.Pt(60, 60), Tilt: 90})
		if c := m.NRGBAAt(30, 30); c.B < 50 || c.R < 100 || c.A != 255 {
			t.Errorf("below water the cube is %v", c)
		}
		if c := m.NRGBAAt(30, 12); c.B < 100 || c.R != 0 || c.A != 255 {
			t.Errorf("the water is %v", c)
		}
	}
	m := draw(t, &mesh.Scene{Materials: materials, Nodes: []*mesh.Node{cube, sea(0)}}, Options{Size: image.Pt(60, 60), Tilt: 90})
	if c := m.NRGBAAt(30, 30); c.B != 0 {
		t.Errorf("above water the cube is %v", c)
	}
}

// Nothing is a clear picture or the sky; a picture has the most pixels it may have; the
// work ends with whoever asked for it.
func TestBounds(t *testing.T) {
	if c := draw(t, &mesh.Scene{}, Options{Size: image.Pt(10, 10), Sky: true}).NRGBAAt(5, 5); c.A != 255 || c.B <= c.R {
		t.Errorf("the sky is %v", c)
	}
	if b := draw(t, &mesh.Scene{}, Options{Size: image.Pt(1<<20, 1)}).Bounds(); b.Dx() != MaxSide || b.Dy() != 1 {
		t.Errorf("a picture of %v", b)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &mesh.Scene{Nodes: []*mesh.Node{box(-1, gbx.Vec3{}, gbx.Vec3{X: 1, Y: 1, Z: 1})}}
	if _, err := Draw(ctx, s, Options{Size: image.Pt(10, 10)}); !errors.Is(err, context.Canceled) {
		t.Errorf("drawn for nobody: %v", err)
	}
}

// A few objects far away do not shrink a large scene.
func TestFarAway(t *testing.T) {
	filled := func(extra ...*mesh.Node) (n int) {
		var nodes []*mesh.Node
		for i := range 400 {
			n := box(-1, gbx.Vec3{}, gbx.Vec3{X: 1, Y: 1, Z: 1})
			n.Transform.T = gbx.Vec3{X: float32(i % 20), Z: float32(i / 20)}
			nodes = append(nodes, n)
		}
		m := draw(t, &mesh.Scene{Nodes: append(nodes, extra...)}, Options{Size: image.Pt(60, 60), Tilt: 90})
		for i := 3; i < len(m.Pix); i += 4 {
			if m.Pix[i] != 0 {
				n++
			}
		}
		return n
	}
	far := box(-1, gbx.Vec3{}, gbx.Vec3{X: 1, Y: 1, Z: 1})
	far.Transform.T = gbx.Vec3{X: 1000, Z: -2000}
	if alone, with := filled(), filled(far); with != alone || alone < 1000 {
		t.Errorf("%d pixels are filled, %d with an object far away", alone, with)
	}
}

// A box in focus fills the picture, however large the ground below it is.
func TestFocus(t *testing.T) {
	nodes := []*mesh.Node{box(-1, gbx.Vec3{X: -1000, Y: -2, Z: -1000}, gbx.Vec3{X: 1000, Y: -1, Z: 1000}), box(0, gbx.Vec3{}, gbx.Vec3{X: 1, Y: 1, Z: 1})}
	s := &mesh.Scene{Nodes: nodes, Materials: []mesh.Material{{Color: [4]uint8{255, 0, 0, 255}}}}
	red := func(o Options) (n int) {
		o.Size, o.Tilt = image.Pt(60, 60), 90
		m := draw(t, s, o)
		for i := 0; i < len(m.Pix); i += 4 {
			if m.Pix[i]/2 > m.Pix[i+2] {
				n++
			}
		}
		return n
	}
	if far, near := red(Options{}), red(Options{Focus: [2]gbx.Vec3{{}, {X: 1, Y: 1, Z: 1}}}); far > 4 || near < 1000 {
		t.Errorf("%d red pixels from afar, %d in focus", far, near)
	}
}
