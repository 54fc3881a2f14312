package importer

import (
	"image"
	"image/color"

	"pakbox/gbx"
	"pakbox/internal/lib/solid"
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
	d := solid.New(iconSide, iconSide)
	for i := range s.Parts {
		for k := range s.Parts[i].Corners {
			d.Hold(point(s.Parts[i].Corners[k].Position))
		}
	}
	if !d.Fit(2) {
		return d.Image
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
			corners := p.Corners[t : t+3]
			d.Triangle([3]solid.Point{point(corners[0].Position), point(corners[1].Position), point(corners[2].Position)}, point(corners[0].Normal), c)
		}
	}
	return d.Image
}

func point(v gbx.Vec3) solid.Point { return solid.Point{float64(v.X), float64(v.Y), float64(v.Z)} }
