package view

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
)

type vec [3]float64

func (a vec) plus(b vec, f float64) vec { return vec{a[0] + f*b[0], a[1] + f*b[1], a[2] + f*b[2]} }
func (a vec) dot(b vec) float64         { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec) cross(b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
func of(p gbx.Vec3) vec { return vec{float64(p.X), float64(p.Y), float64(p.Z)} }

// camera are the directions of a picture: to the right, down and towards the viewer.
type camera struct{ right, down, near vec }

func cameraAt(tilt float64) camera {
	sin, cos := math.Sincos(tilt * math.Pi / 180)
	h := math.Sqrt(0.5)
	return camera{vec{h, 0, -h}, vec{h * sin, -cos, h * sin}, vec{h * cos, sin, h * cos}}
}

// hit is how near to the viewer a ray meets a triangle.
func hit(c [3]gbx.Vec3, from, along vec) (float64, bool) {
	a := of(c[0])
	ab, ac := of(c[1]).plus(a, -1), of(c[2]).plus(a, -1)
	p := along.cross(ac)
	det := ab.dot(p)
	if math.Abs(det) < 1e-12 {
		return 0, false
	}
	s := from.plus(a, -1)
	u := s.dot(p) / det
	q := s.cross(ab)
	v := along.dot(q) / det
	return ac.dot(q) / det, u >= 0 && v >= 0 && u+v <= 1
}

// The picture shows the first triangle that each ray from the eye meets, or
// nothing. The focus is in the middle and fills the picture up to a rim.
func TestRays(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	inks := []color.NRGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 0, 255}, {0, 255, 255, 255}, {255, 0, 255, 255}}
	for _, tilt := range []float64{0, 30, 55, 90} {
		s := &mesh.Scene{}
		var triangles [][3]gbx.Vec3
		place := mesh.Transform{Mat3: gbx.Mat3{X: gbx.Vec3{Z: 2}, Y: gbx.Vec3{Y: 1}, Z: gbx.Vec3{X: -1}}, T: gbx.Vec3{X: 3, Y: -1, Z: 2}}
		for i, ink := range inks {
			g := &mesh.Geometry{Indices: []uint32{2, 0, 1}}
			for range 3 {
				g.Positions = append(g.Positions, gbx.Vec3{X: r.Float32() * 10, Y: r.Float32() * 10, Z: r.Float32() * 10})
			}
			s.Materials = append(s.Materials, mesh.Material{Color: [4]uint8{ink.R, ink.G, ink.B, 255}})
			s.Nodes = append(s.Nodes, &mesh.Node{Transform: place, Mesh: &mesh.Mesh{Parts: []mesh.Part{{Material: i, Geometry: g}}}})
			triangles = append(triangles, [3]gbx.Vec3{place.Point(g.Positions[0]), place.Point(g.Positions[1]), place.Point(g.Positions[2])})
		}
		const w, h = 60, 40
		focus := [2]gbx.Vec3{{X: -8, Y: 0, Z: 0}, {X: 4, Y: 8, Z: 20}}
		m := draw(t, s, Options{Size: image.Pt(w, h), Tilt: tilt, Focus: focus})
		c := cameraAt(tilt)
		lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
		for i := range 8 {
			corner := vec{float64(focus[i&1].X), float64(focus[i>>1&1].Y), float64(focus[i>>2].Z)}
			for k, axis := range []vec{c.right, c.down} {
				lo[k], hi[k] = min(lo[k], corner.dot(axis)), max(hi[k], corner.dot(axis))
			}
		}
		scale := 0.92 * min(w/(hi[0]-lo[0]), h/(hi[1]-lo[1]))
		wrong, shown := 0, 0
		for y := range h {
			for x := range w {
				seen := -1
				mixed := false // at an edge
				for i, d := range [][2]float64{{0.5, 0.5}, {0.25, 0.25}, {0.75, 0.25}, {0.25, 0.75}, {0.75, 0.75}} {
					a := (float64(x)+d[0]-w/2)/scale + (lo[0]+hi[0])/2
					b := (float64(y)+d[1]-h/2)/scale + (lo[1]+hi[1])/2
					at := vec{}.plus(c.right, a).plus(c.down, b)
					best, nearest := -1, math.Inf(-1)
					for k := range triangles {
						if near, ok := hit(triangles[k], at, c.near); ok && near > nearest {
							best, nearest = k, near
						}
					}
					if i == 0 {
						seen = best
					}
					mixed = mixed || best != seen
				}
				if mixed {
					continue
				}
				got := m.NRGBAAt(x, y)
				if seen < 0 {
					if got != (color.NRGBA{}) {
						wrong++
					}
					continue
				}
				shown++
				ink := inks[seen]
				if (got.R > 0) != (ink.R > 0) || (got.G > 0) != (ink.G > 0) || (got.B > 0) != (ink.B > 0) || got.A != 255 {
					wrong++
				}
			}
		}
		if wrong > 3 || shown < 100 {
			t.Errorf("tilt %g: %d pixels of %d are wrong", tilt, wrong, shown)
		}
	}
}

// Edges are smooth: the parts of pixels together are the area, and no pixel at an edge is
// darker than the surface.
func TestArea(t *testing.T) {
	ground := &mesh.Geometry{Positions: []gbx.Vec3{{}, {X: 10}, {X: 10, Z: 5}, {Z: 5}}, Indices: []uint32{0, 1, 2, 0, 2, 3}}
	s := &mesh.Scene{Materials: []mesh.Material{{Color: [4]uint8{200, 100, 40, 255}}}, Nodes: []*mesh.Node{{Transform: mesh.Identity, Mesh: &mesh.Mesh{Parts: []mesh.Part{{Geometry: ground}}}}}}
	m := draw(t, s, Options{Size: image.Pt(90, 90), Tilt: 90})
	var area float64
	box := image.Rectangle{}
	part := 0
	for y := range 90 {
		for x := range 90 {
			c := m.NRGBAAt(x, y)
			if c.A == 0 {
				continue
			}
			box = box.Union(image.Rect(x, y, x+1, y+1))
			area += float64(c.A) / 255
			if c.A < 255 {
				part++
			}
			if c.R != 190 || c.G != 95 || c.B != 38 { // nine tenths of the sun
				t.Fatalf("the pixel %d, %d is %v", x, y, c)
			}
		}
	}
	// Seen from above it is 15/√2 wide and as high.
	side := 90 * 0.92
	scale := side / (15 / math.Sqrt2)
	if want := 50 * scale * scale; math.Abs(area-want) > want/100 || part == 0 {
		t.Errorf("the area is %g, want %g; %d pixels are covered in part", area, want, part)
	}
	if math.Abs(float64(box.Dx())-side) > 2 || math.Abs(float64(box.Dy())-side) > 2 || box.Min.X+box.Max.X < 89 || box.Min.X+box.Max.X > 91 || box.Min.Y+box.Max.Y < 89 || box.Min.Y+box.Max.Y > 91 {
		t.Errorf("it is drawn at %v", box)
	}
}

// The sun is high on the left: what looks up is lighter than the left side of a box, and
// that lighter than its right side. A face that looks away has half the light.
func TestSun(t *testing.T) {
	e := newEye(Options{Size: image.Pt(1, 1), Tilt: 30})
	light := func(a, b, c gbx.Vec3) (front, back float64) {
		return e.facing([3]gbx.Vec3{a, b, c}), e.facing([3]gbx.Vec3{a, c, b})
	}
	up, upBack := light(gbx.Vec3{}, gbx.Vec3{Z: 2}, gbx.Vec3{X: 3})
	left, leftBack := light(gbx.Vec3{}, gbx.Vec3{X: 2}, gbx.Vec3{Y: 3})
	right, rightBack := light(gbx.Vec3{}, gbx.Vec3{Y: 2}, gbx.Vec3{Z: 3})
	if up <= left || left <= right || right <= 0 || up != upBack || left != leftBack || right != rightBack || up > 1 {
		t.Errorf("up %g, left %g, right %g; from behind %g, %g, %g", up, left, right, upBack, leftBack, rightBack)
	}
	if flat, _ := light(gbx.Vec3{}, gbx.Vec3{X: 1}, gbx.Vec3{X: 2}); flat != 0 {
		t.Errorf("a line is lit: %g", flat)
	}
}

// A line is as wide as two pixels and is seen through what is up to a metre in front of
// it. Beyond the picture it is not drawn, and it harms nothing.
func TestLine(t *testing.T) {
	line := func(x float32, ends ...gbx.Vec3) *mesh.Node {
		at := mesh.Identity
		at.T = gbx.Vec3{X: x, Z: x}
		return &mesh.Node{Transform: at, Mesh: &mesh.Mesh{Parts: []mesh.Part{{Material: 0, Geometry: &mesh.Geometry{Line: true, Positions: ends}}}}}
	}
	materials := []mesh.Material{{Color: [4]uint8{255, 0, 0, 255}}, {Color: [4]uint8{0, 0, 255, 255}}}
	focus := [2]gbx.Vec3{{}, {X: 10, Y: 10, Z: 10}}
	wall := &mesh.Geometry{Positions: []gbx.Vec3{{X: -50, Y: -50, Z: 50}, {X: 50, Y: -50, Z: -50}, {X: 50, Y: 50, Z: -50}, {X: -50, Y: 50, Z: 50}}, Indices: []uint32{0, 1, 2, 0, 2, 3}}
	for _, test := range []struct {
		behind float32 // metres behind the wall, to the side of the viewer's direction
		seen   bool
	}{{-5, true}, {0.5, true}, {1.2, false}, {9, false}} {
		x := -test.behind / math.Sqrt2
		nodes := []*mesh.Node{line(x, gbx.Vec3{Y: 2}, gbx.Vec3{Y: 8}), {Transform: mesh.Identity, Mesh: &mesh.Mesh{Parts: []mesh.Part{{Material: 1, Geometry: wall}}}}}
		m := draw(t, &mesh.Scene{Materials: materials, Nodes: nodes}, Options{Size: image.Pt(50, 50), Focus: focus})
		high, wide := 0, 0
		for i := range 50 {
			if m.NRGBAAt(25, i).R > 128 {
				high++
			}
			if m.NRGBAAt(i, 25).R > 128 {
				wide++
			}
		}
		// The focus is 14.1 wide and 10 high: a metre is 0.92 * 50/14.1 pixels.
		if test.seen && (wide != 2 || high < 19 || high > 23) || !test.seen && (wide != 0 || high != 0) {
			t.Errorf("%g metres behind a wall: %d wide, %d high", test.behind, wide, high)
		}
	}
	inf := float32(math.Inf(1))
	for _, ends := range [][]gbx.Vec3{{{Y: 1e9}, {Y: -1e9}}, {{X: inf}, {}}, {{X: -100, Z: 100}, {X: -90, Z: 100}}, {{}}, {}} {
		m := draw(t, &mesh.Scene{Materials: materials, Nodes: []*mesh.Node{line(0, ends...)}}, Options{Size: image.Pt(20, 20), Focus: focus})
		for i := range m.Pix {
			if m.Pix[i] != 0 {
				t.Errorf("%v is drawn", ends)
				break
			}
		}
	}
}

// Without a known colour of its material a surface has the colours of its corners, if it
// has any, and otherwise grey.
func TestColours(t *testing.T) {
	for _, test := range []struct {
		known, corners bool
		want           string
	}{{true, true, "red"}, {true, false, "red"}, {false, true, "green"}, {false, false, "grey"}} {
		n := box(0, gbx.Vec3{}, gbx.Vec3{X: 1, Y: 1, Z: 1})
		s := &mesh.Scene{Materials: []mesh.Material{{}}, Nodes: []*mesh.Node{n}}
		if test.known {
			s.Materials[0].Color = [4]uint8{250, 0, 0, 255}
		}
		if test.corners {
			for range n.Mesh.Parts[0].Positions {
				n.Mesh.Parts[0].Colors = append(n.Mesh.Parts[0].Colors, [4]uint8{0, 250, 0, 255})
			}
		}
		c := draw(t, s, Options{Size: image.Pt(20, 20), Tilt: 30}).NRGBAAt(10, 10)
		got := "grey"
		switch {
		case c.R > 0 && c.G == 0:
			got = "red"
		case c.G > 0 && c.R == 0:
			got = "green"
		}
		if got != test.want || c.A != 255 {
			t.Errorf("known %v, corners %v: %s, %v", test.known, test.corners, got, c)
		}
	}
}

// The sky gets lighter from top to bottom, row by row, and is seen through nothing.
func TestSky(t *testing.T) {
	const high = 200
	s := &mesh.Scene{Materials: []mesh.Material{{Color: [4]uint8{255, 0, 0, 255}}}, Nodes: []*mesh.Node{box(0, gbx.Vec3{}, gbx.Vec3{X: 1, Y: 1, Z: 1})}}
	m := draw(t, s, Options{Size: image.Pt(50, high), Sky: true, Tilt: 30})
	for y := range high {
		c := m.NRGBAAt(0, y)
		if c.A != 255 || c != m.NRGBAAt(49, y) || c.B <= c.G || c.G <= c.R {
			t.Errorf("row %d: %v", y, c)
		}
		if y > 0 {
			above := m.NRGBAAt(0, y-1)
			for _, step := range []int{int(c.R) - int(above.R), int(c.G) - int(above.G), int(c.B) - int(above.B)} {
				if step < 0 || step > 1 {
					t.Errorf("from row %d to the next: %v, %v", y-1, above, c)
				}
			}
		}
	}
	if top, bottom := m.NRGBAAt(0, 0), m.NRGBAAt(0, high-1); int(bottom.R)-int(top.R) < 50 || int(bottom.G)-int(top.G) < 30 || int(bottom.B)-int(top.B) < 10 {
		t.Errorf("from %v to %v", top, bottom)
	}
	if c := m.NRGBAAt(25, high/2); c.G != 0 || c.B != 0 {
		t.Errorf("the sky is seen through a box: %v", c)
	}
}

// Of many meshes the hundredth part on each side may lie outside; what stands around the
// others in half their width does not.
func TestCrowd(t *testing.T) {
	s := &mesh.Scene{}
	add := func(x float32) {
		at := mesh.Identity
		at.T = gbx.Vec3{X: x, Z: -x} // along the width of the picture
		s.Nodes = append(s.Nodes, &mesh.Node{Transform: at, Mesh: &mesh.Mesh{}})
	}
	for i := range 299 {
		add(float32(i)) // from 0 to 298
	}
	add(1e6)
	seen := newEye(Options{Size: image.Pt(1, 1)}).crowd(s)
	for x, want := range map[float32]bool{-300: false, -160: false, -140: true, 0: true, 298: true, 440: true, 450: false, 1e6: false} {
		if seen(mesh.Transform{Mat3: mesh.Identity.Mat3, T: gbx.Vec3{X: x, Z: -x}}) != want {
			t.Errorf("%g is among the others: %v", x, !want)
		}
	}
	s.Nodes = s.Nodes[101:] // fewer than two hundred, of which each counts
	if seen := newEye(Options{Size: image.Pt(1, 1)}).crowd(s); !seen(mesh.Transform{T: gbx.Vec3{X: 1e9}}) {
		t.Error("a mesh of a small scene does not count")
	}
}
