// Package solid draws triangles as a small picture: seen from above and one side,
// with light from the upper left, on a clear ground.
package solid

import (
	"image"
	"image/color"
	"math"
)

// Point is a place, or the way a surface looks. The second number grows upwards.
type Point [3]float64

// Drawing is a picture that is being made.
type Drawing struct {
	Image       *image.NRGBA
	depth       []float64
	lo, hi      [2]float64
	scale, x, y float64
}

// New begins a picture of so many pixels.
func New(width, height int) *Drawing {
	d := &Drawing{Image: image.NewNRGBA(image.Rect(0, 0, width, height)), depth: make([]float64, width*height), lo: [2]float64{math.Inf(1), math.Inf(1)}, hi: [2]float64{math.Inf(-1), math.Inf(-1)}}
	for i := range d.depth {
		d.depth[i] = math.Inf(-1)
	}
	return d
}

// Hold has the picture wide enough for a point. All points come before Fit.
func (d *Drawing) Hold(p Point) {
	x, y, _ := seen(p)
	d.lo = [2]float64{min(d.lo[0], x), min(d.lo[1], y)}
	d.hi = [2]float64{max(d.hi[0], x), max(d.hi[1], y)}
}

// Fit chooses the scale that shows all points, with an edge of so many pixels. It
// reports whether there is anything to show.
func (d *Drawing) Fit(edge float64) bool {
	b := d.Image.Bounds()
	wide, high := d.hi[0]-d.lo[0], d.hi[1]-d.lo[1]
	size := max(wide, high)
	if !(size > 0) || math.IsInf(size, 0) {
		return false
	}
	d.scale = min((float64(b.Dx())-2*edge)/max(wide, size*1e-6), (float64(b.Dy())-2*edge)/max(high, size*1e-6))
	d.x, d.y = (d.lo[0]+d.hi[0])/2, (d.lo[1]+d.hi[1])/2
	return true
}

// seen is a point as the eye sees it: to the right, downwards, and how near.
func seen(p Point) (x, y, near float64) {
	const turn, tilt = math.Pi / 4, math.Pi / 6
	x = p[0]*math.Cos(turn) - p[2]*math.Sin(turn)
	back := p[0]*math.Sin(turn) + p[2]*math.Cos(turn)
	return x, back*math.Sin(tilt) - p[1]*math.Cos(tilt), back*math.Cos(tilt) + p[1]*math.Sin(tilt)
}

// Triangle fills the pixels of a triangle that nothing nearer covers. Normal is the
// way its surface looks.
func (d *Drawing) Triangle(corners [3]Point, normal Point, base color.NRGBA) {
	b := d.Image.Bounds()
	var x, y, z [3]float64
	for i, c := range corners {
		x[i], y[i], z[i] = seen(c)
		x[i], y[i] = (x[i]-d.x)*d.scale+float64(b.Dx())/2, (y[i]-d.y)*d.scale+float64(b.Dy())/2
	}
	area := (x[1]-x[0])*(y[2]-y[0]) - (x[2]-x[0])*(y[1]-y[0])
	if area == 0 || math.IsNaN(area) {
		return
	}
	light := 0.55 + 0.45*max(0, 0.3*normal[0]+0.85*normal[1]+0.4*normal[2])
	shade := func(v uint8) uint8 { return uint8(min(255, float64(v)*light)) }
	fill := color.NRGBA{shade(base.R), shade(base.G), shade(base.B), 255}
	clip := func(v float64, n int) int { return int(min(max(v, 0), float64(n-1))) }
	for py := clip(min(y[0], y[1], y[2]), b.Dy()); py <= clip(max(y[0], y[1], y[2]), b.Dy()); py++ {
		for px := clip(min(x[0], x[1], x[2]), b.Dx()); px <= clip(max(x[0], x[1], x[2]), b.Dx()); px++ {
			cx, cy := float64(px)+0.5, float64(py)+0.5
			s := ((x[1]-cx)*(y[2]-cy) - (x[2]-cx)*(y[1]-cy)) / area
			t := ((x[2]-cx)*(y[0]-cy) - (x[0]-cx)*(y[2]-cy)) / area
			if s < 0 || t < 0 || s+t > 1 {
				continue
			}
			if near := s*z[0] + t*z[1] + (1-s-t)*z[2]; near > d.depth[py*b.Dx()+px] {
				d.depth[py*b.Dx()+px] = near
				d.Image.SetNRGBA(px, py, fill)
			}
		}
	}
}

// Normal is the way a triangle looks, by its corners.
func Normal(c [3]Point) Point {
	var a, b, n Point
	for i := range 3 {
		a[i], b[i] = c[1][i]-c[0][i], c[2][i]-c[0][i]
	}
	n = Point{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	length := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
	if !(length > 0) {
		return Point{}
	}
	for i := range n {
		n[i] /= length
	}
	return n
}
