// Package view draws scenes as pictures, without a graphics card: icons of items,
// previews of maps.
package view

import (
	"context"
	"image"
	"image/color"
	"math"
	"slices"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
)

// Options say how to draw a scene.
type Options struct {
	Size image.Point // size of the picture in pixels, at most MaxSide in each direction
	Tilt float64     // tilt of the view in degrees: 0 is from the side, 90 from above
	Sky  bool        // whether to draw a sky; otherwise the background is transparent
	// Focus holds two opposite corners of the box that fills the picture. If they are equal,
	// the whole scene fills it.
	Focus [2]gbx.Vec3
}

// MaxSide is the largest width and height of a picture in pixels.
const MaxSide = 1600

// fine is the number of sample points of a pixel in each direction, for smooth edges.
const fine = 2

// unknown is the colour of materials whose colour is unknown.
var unknown = [4]uint8{150, 152, 158, 255}

// Draw draws a scene from a corner, in parallel projection, scaled to fill the picture.
func Draw(ctx context.Context, s *mesh.Scene, o Options) (*image.NRGBA, error) {
	e := newEye(o)
	var err error
	each := func(use func(p mesh.Part, t mesh.Transform)) {
		s.Visit(func(n *mesh.Node, t mesh.Transform) {
			if n.Mesh == nil || err != nil {
				return
			}
			if err = ctx.Err(); err != nil {
				return
			}
			for _, p := range n.Mesh.Parts {
				use(p, t)
			}
		})
	}
	if o.Focus[0] != o.Focus[1] {
		e.measure(corners(o.Focus), mesh.Identity)
	} else {
		seen := e.crowd(s)
		each(func(p mesh.Part, t mesh.Transform) {
			if seen(t) {
				e.measure(p.Positions, t)
			}
		})
	}
	e.fit()
	each(func(p mesh.Part, t mesh.Transform) {
		base := unknown
		if p.Material >= 0 && s.Materials[p.Material].Color[3] != 0 {
			base = s.Materials[p.Material].Color
		}
		if err == nil {
			err = e.part(ctx, p.Geometry, t, base)
		}
	})
	if err != nil {
		return nil, err
	}
	return e.picture(o.Sky), nil
}

// point is a position in the picture: x to the right and y down in sample points, near
// towards the viewer in metres.
type point struct{ x, y, near float64 }

// eye draws into sample points. A pixel has several.
type eye struct {
	width, height int // in sample points
	sin, cos      float64
	lo, hi        point // bounds of everything drawn, before scaling
	scale, dx, dy float64
	seen          []color.NRGBA
	near          []float32
	veil          *eye // the nearest things that one looks through; nil if none exist
}

func newEye(o Options) *eye {
	w, h := fine*min(max(o.Size.X, 1), MaxSide), fine*min(max(o.Size.Y, 1), MaxSide)
	e := &eye{width: w, height: h, seen: make([]color.NRGBA, w*h), near: make([]float32, w*h)}
	e.sin, e.cos = math.Sincos(o.Tilt * math.Pi / 180)
	e.lo, e.hi = point{math.Inf(1), math.Inf(1), 0}, point{math.Inf(-1), math.Inf(-1), 0}
	for i := range e.near {
		e.near[i] = float32(math.Inf(-1))
	}
	return e
}

// look returns a position of the scene as seen by the viewer, in metres.
func (e *eye) look(p gbx.Vec3) point {
	x, y, z := float64(p.X), float64(p.Y), float64(p.Z)
	back := (x + z) * math.Sqrt2 / 2 // towards the viewer, who looks from a corner
	return point{(x - z) * math.Sqrt2 / 2, back*e.sin - y*e.cos, back*e.cos + y*e.sin}
}

// crowd returns whether a mesh with this transform stands among the others. A few objects
// far away from the rest of a large scene must not shrink the rest to a dot: they may lie
// outside the picture.
func (e *eye) crowd(s *mesh.Scene) func(mesh.Transform) bool {
	var xs, ys []float64
	s.Visit(func(n *mesh.Node, t mesh.Transform) {
		if n.Mesh != nil {
			at := e.look(t.T)
			xs, ys = append(xs, at.x), append(ys, at.y)
		}
	})
	const large = 200 // meshes; in a smaller scene every mesh counts
	if len(xs) < large {
		return func(mesh.Transform) bool { return true }
	}
	within := func(values []float64) (lo, hi float64) {
		slices.Sort(values)
		lo, hi = values[len(values)/100], values[len(values)-1-len(values)/100]
		return lo - (hi-lo)/2, hi + (hi-lo)/2
	}
	left, right := within(xs)
	top, bottom := within(ys)
	return func(t mesh.Transform) bool {
		at := e.look(t.T)
		return at.x >= left && at.x <= right && at.y >= top && at.y <= bottom
	}
}

// corners lists the corners of a box.
func corners(box [2]gbx.Vec3) []gbx.Vec3 {
	var out []gbx.Vec3
	for i := range 8 {
		out = append(out, gbx.Vec3{X: box[i&1].X, Y: box[i>>1&1].Y, Z: box[i>>2].Z})
	}
	return out
}

// measure extends the bounds by positions.
func (e *eye) measure(positions []gbx.Vec3, t mesh.Transform) {
	for _, v := range positions {
		at := e.look(t.Point(v))
		if math.IsNaN(at.x+at.y) || math.IsInf(at.x+at.y, 0) {
			continue
		}
		e.lo.x, e.lo.y = min(e.lo.x, at.x), min(e.lo.y, at.y)
		e.hi.x, e.hi.y = max(e.hi.x, at.x), max(e.hi.y, at.y)
	}
}

// fit computes the scale with which the scene fills the picture, apart from a margin.
func (e *eye) fit() {
	const rim = 0.04
	w, h := float64(e.width), float64(e.height)
	e.scale = (1 - 2*rim) * min(w/max(e.hi.x-e.lo.x, 1e-6), h/max(e.hi.y-e.lo.y, 1e-6))
	e.dx, e.dy = w/2-e.scale*(e.lo.x+e.hi.x)/2, h/2-e.scale*(e.lo.y+e.hi.y)/2
}

// place returns the position in the picture of a position in the scene.
func (e *eye) place(p gbx.Vec3) point {
	at := e.look(p)
	return point{at.x*e.scale + e.dx, at.y*e.scale + e.dy, at.near}
}

// part draws the triangles, or the line, of a part.
func (e *eye) part(ctx context.Context, g *mesh.Geometry, t mesh.Transform, base [4]uint8) error {
	if g.Line {
		for i := 1; i < len(g.Positions); i++ {
			e.line(e.place(t.Point(g.Positions[i-1])), e.place(t.Point(g.Positions[i])), color.NRGBA{base[0], base[1], base[2], 255})
		}
		return nil
	}
	for i := 0; i+2 < len(g.Indices); i += 3 {
		if i%(3<<14) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var corners [3]gbx.Vec3
		fill := base
		for k := range corners {
			at := g.Indices[i+k]
			if int(at) >= len(g.Positions) {
				return nil // cannot happen: readers refuse such a mesh
			}
			corners[k] = t.Point(g.Positions[at])
		}
		if len(g.Colors) == len(g.Positions) && base == unknown {
			fill = g.Colors[g.Indices[i]]
			fill[3] = 255
		}
		e.triangle(corners, fill)
	}
	return nil
}

// triangle draws a triangle, lit by a sun high on the left.
func (e *eye) triangle(c [3]gbx.Vec3, base [4]uint8) {
	light := 0.5 + 0.5*max(0, e.facing(c))
	shade := func(v uint8) uint8 { return uint8(float64(v)*light + 0.5) }
	e.fill(e.place(c[0]), e.place(c[1]), e.place(c[2]), color.NRGBA{shade(base[0]), shade(base[1]), shade(base[2]), base[3]})
}

// facing is how directly the visible side of a triangle faces the sun: 1 is fully.
func (e *eye) facing(c [3]gbx.Vec3) float64 {
	ax, ay, az := float64(c[1].X-c[0].X), float64(c[1].Y-c[0].Y), float64(c[1].Z-c[0].Z)
	bx, by, bz := float64(c[2].X-c[0].X), float64(c[2].Y-c[0].Y), float64(c[2].Z-c[0].Z)
	x, y, z := ay*bz-az*by, az*bx-ax*bz, ax*by-ay*bx
	length := math.Sqrt(x*x + y*y + z*z)
	if !(length > 0) {
		return 0
	}
	toEye := (x+z)*math.Sqrt2/2*e.cos + y*e.sin
	lit := (0.25*x + 0.9*y + 0.36*z) / length
	if toEye < 0 {
		return -lit
	}
	return lit
}

// fill draws the points of a triangle that no nearer triangle covers.
func (e *eye) fill(a, b, c point, with color.NRGBA) {
	area := (b.x-a.x)*(c.y-a.y) - (c.x-a.x)*(b.y-a.y)
	if area == 0 || math.IsNaN(area) || math.IsInf(area, 0) {
		return
	}
	first, last := clip(min(a.y, b.y, c.y), e.height), clip(max(a.y, b.y, c.y), e.height)
	for y := first; y <= last; y++ {
		// The weights of the three corners change linearly along a row. Inside the
		// triangle none is negative.
		cy := float64(y) + 0.5
		u, du := (b.x*(c.y-cy)-c.x*(b.y-cy))/area, (b.y-c.y)/area
		v, dv := (c.x*(a.y-cy)-a.x*(c.y-cy))/area, (c.y-a.y)/area
		left, right := 0.0, float64(e.width)
		for _, share := range [3][2]float64{{u, du}, {v, dv}, {1 - u - v, -du - dv}} {
			switch at := -share[0] / share[1]; {
			case share[1] > 0:
				left = max(left, at)
			case share[1] < 0:
				right = min(right, at)
			case share[0] < 0:
				right = -1
			}
		}
		for x := int(math.Ceil(left - 0.5)); x < e.width && float64(x)+0.5 <= right; x++ {
			cx := float64(x) + 0.5
			here, there := u+du*cx, v+dv*cx
			e.dot(x, y, here*a.near+there*b.near+(1-here-there)*c.near, with)
		}
	}
}

// clip limits a coordinate to the picture.
func clip(v float64, size int) int { return int(min(max(v, 0), float64(size-1))) }

func (e *eye) dot(x, y int, near float64, with color.NRGBA) {
	if with.A < 255 {
		if e.veil == nil {
			e.veil = newEye(Options{Size: image.Pt(e.width/fine, e.height/fine)})
		}
		e = e.veil
	}
	if at := y*e.width + x; float32(near) > e.near[at] {
		e.near[at], e.seen[at] = float32(near), with
	}
}

// line draws a visible thick line. It also covers things up to a metre in front of it.
func (e *eye) line(a, b point, with color.NRGBA) {
	long := max(math.Abs(b.x-a.x), math.Abs(b.y-a.y))
	if !(long < float64(4*(e.width+e.height))) {
		return
	}
	steps := int(long) + 1
	for i := range steps + 1 {
		f := float64(i) / float64(steps)
		x, y := int(a.x+(b.x-a.x)*f), int(a.y+(b.y-a.y)*f)
		for dy := range 2 * fine {
			for dx := range 2 * fine {
				if px, py := x+dx-fine, y+dy-fine; px >= 0 && py >= 0 && px < e.width && py < e.height {
					e.dot(px, py, a.near+(b.near-a.near)*f+1, with)
				}
			}
		}
	}
}

// picture converts sample points to pixels.
func (e *eye) picture(sky bool) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, e.width/fine, e.height/fine))
	for y := range e.height / fine {
		behind := color.NRGBA{}
		if sky {
			down := float64(y) / float64(e.height/fine)
			behind = color.NRGBA{uint8(96 + 100*down), uint8(148 + 70*down), uint8(204 + 30*down), 255}
		}
		for x := range e.width / fine {
			out.SetNRGBA(x, y, e.pixel(x, y, behind))
		}
	}
	return out
}

// through returns the colour of a sample point, seen through the veil if there is one
// before it. With nothing behind it, a veil is not transparent.
func (e *eye) through(at int) color.NRGBA {
	c := e.seen[at]
	if e.veil == nil || e.veil.seen[at].A == 0 || e.veil.near[at] <= e.near[at] {
		return c
	}
	veil := e.veil.seen[at]
	if c.A == 0 {
		veil.A = 255
		return veil
	}
	mix := func(front, behind uint8) uint8 {
		return uint8((int(front)*int(veil.A) + int(behind)*(255-int(veil.A))) / 255)
	}
	return color.NRGBA{mix(veil.R, c.R), mix(veil.G, c.G), mix(veil.B, c.B), c.A}
}

// pixel returns the mean of the sample points of a pixel. Transparent points only lower
// its alpha.
func (e *eye) pixel(x, y int, behind color.NRGBA) color.NRGBA {
	var r, g, b, a int
	for dy := range fine {
		for dx := range fine {
			c := e.through((y*fine+dy)*e.width + x*fine + dx)
			if c.A == 0 {
				c = behind
			}
			opaque := int(c.A)
			r, g, b, a = r+int(c.R)*opaque, g+int(c.G)*opaque, b+int(c.B)*opaque, a+opaque
		}
	}
	if a == 0 {
		return color.NRGBA{}
	}
	return color.NRGBA{uint8(r / a), uint8(g / a), uint8(b / a), uint8(a / (fine * fine))}
}
