package importer

import (
	"image"
	"image/color"
	"math"

	"pakbox/gbx"
	"pakbox/trackmania/items/library"
	"pakbox/trackmania/items/static"
)

// iconSide is the width and height of an icon.
const iconSide = 64

// surfaceColors are colours of surfaces in icons; others are grey.
var surfaceColors = map[string]color.NRGBA{
	"Grass": {96, 150, 60, 255}, "Green": {80, 160, 80, 255}, "Dirt": {140, 96, 60, 255}, "Sand": {215, 190, 130, 255},
	"Ice": {150, 205, 235, 255}, "RoadIce": {150, 205, 235, 255}, "Snow": {235, 240, 245, 255}, "Wood": {170, 125, 75, 255},
	"Plastic": {225, 90, 50, 255}, "Asphalt": {95, 98, 105, 255}, "Rubber": {60, 60, 64, 255}, "Concrete": {170, 170, 165, 255},
}

// drawIcon draws the mesh from above and one side, its light from the upper left.
// What lies behind it is clear.
func drawIcon(s *static.Solid) image.Image {
	out := image.NewNRGBA(image.Rect(0, 0, iconSide, iconSide))
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for i := range s.Parts {
		for k := range s.Parts[i].Corners {
			x, y, _ := seen(s.Parts[i].Corners[k].Position)
			lo, hi = [2]float64{min(lo[0], x), min(lo[1], y)}, [2]float64{max(hi[0], x), max(hi[1], y)}
		}
	}
	size := max(hi[0]-lo[0], hi[1]-lo[1])
	if !(size > 0) || math.IsInf(size, 0) {
		return out
	}
	d := &drawing{out: out, scale: (iconSide - 4) / size, x: (lo[0] + hi[0]) / 2, y: (lo[1] + hi[1]) / 2}
	for i := range d.depth {
		d.depth[i] = math.Inf(-1)
	}
	for i := range s.Parts {
		p := &s.Parts[i]
		if p.Levels&1 == 0 {
			continue
		}
		c, ok := surfaceColors[library.SurfaceName(s.Materials[p.Material].Surface)]
		if !ok {
			c = color.NRGBA{150, 152, 158, 255}
		}
		if own := s.Materials[p.Material].Color; own != nil {
			c = color.NRGBA{own[0], own[1], own[2], 255}
		}
		for t := 0; t+2 < len(p.Corners); t += 3 {
			d.triangle(p.Corners[t:t+3], c)
		}
	}
	return out
}

// seen is a point as the eye sees it: to the right, downwards, and how near.
func seen(p gbx.Vec3) (x, y, near float64) {
	const turn, tilt = math.Pi / 4, math.Pi / 6
	px, py, pz := float64(p.X), float64(p.Y), float64(p.Z)
	x = px*math.Cos(turn) - pz*math.Sin(turn)
	back := px*math.Sin(turn) + pz*math.Cos(turn)
	return x, back*math.Sin(tilt) - py*math.Cos(tilt), back*math.Cos(tilt) + py*math.Sin(tilt)
}

type drawing struct {
	out         *image.NRGBA
	depth       [iconSide * iconSide]float64
	scale, x, y float64
}

// triangle fills the pixels of a triangle that nothing nearer covers.
func (d *drawing) triangle(c []static.Vertex, base color.NRGBA) {
	var x, y, z [3]float64
	for i := range 3 {
		x[i], y[i], z[i] = seen(c[i].Position)
		x[i], y[i] = (x[i]-d.x)*d.scale+iconSide/2, (y[i]-d.y)*d.scale+iconSide/2
	}
	area := (x[1]-x[0])*(y[2]-y[0]) - (x[2]-x[0])*(y[1]-y[0])
	if area == 0 || math.IsNaN(area) {
		return
	}
	n := c[0].Normal
	light := 0.55 + 0.45*max(0, 0.3*float64(n.X)+0.85*float64(n.Y)+0.4*float64(n.Z))
	shade := func(v uint8) uint8 { return uint8(min(255, float64(v)*light)) }
	fill := color.NRGBA{shade(base.R), shade(base.G), shade(base.B), 255}
	clip := func(v float64) int { return int(min(max(v, 0), iconSide-1)) }
	for py := clip(min(y[0], y[1], y[2])); py <= clip(max(y[0], y[1], y[2])); py++ {
		for px := clip(min(x[0], x[1], x[2])); px <= clip(max(x[0], x[1], x[2])); px++ {
			cx, cy := float64(px)+0.5, float64(py)+0.5
			a := ((x[1]-cx)*(y[2]-cy) - (x[2]-cx)*(y[1]-cy)) / area
			b := ((x[2]-cx)*(y[0]-cy) - (x[0]-cx)*(y[2]-cy)) / area
			if a < 0 || b < 0 || a+b > 1 {
				continue
			}
			if near := a*z[0] + b*z[1] + (1-a-b)*z[2]; near > d.depth[py*iconSide+px] {
				d.depth[py*iconSide+px] = near
				d.out.SetNRGBA(px, py, fill)
			}
		}
	}
}
