package main

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
)

// cell is the width and height of a picture in a sheet, in pixels.
const cell = 64

// nothing is the background colour of a sheet.
var nothing = color.NRGBA{0xE7, 0xFF, 0xFF, 0xFF}

// voxel is a point of a model: x to the east, y to the south, z up.
type voxel struct {
	x, y, z float64
	color   color.NRGBA
}

// sheet draws models side by side, each seen from the south-east as Simutrans shows the
// world. The PNG is not compressed, so that its bytes depend on the models alone and not
// on the version of a library.
func sheet(models ...[]voxel) ([]byte, error) {
	colors := color.Palette{nothing}
	for _, v := range slices.Concat(models...) {
		if !slices.Contains(colors, color.Color(v.color)) {
			colors = append(colors, v.color)
		}
	}
	m := image.NewPaletted(image.Rect(0, 0, len(models)*cell, cell), colors)
	for i, model := range models {
		slices.SortStableFunc(model, func(a, b voxel) int { return cmp.Or(cmp.Compare(a.z, b.z), cmp.Compare(a.x+a.y, b.x+b.y)) })
		for _, v := range model {
			x, y := int(math.Round(cell/2+v.x-v.y)), int(math.Round(cell*3/4+(v.x+v.y)/2-v.z))
			if x >= 0 && x < cell && y >= 0 && y < cell {
				m.Set(i*cell+x, y, v.color)
			}
		}
	}
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&b, m)
	return b.Bytes(), err
}

// tram makes a tram that faces the direction x, y.
func tram(x, y float64) (model []voxel) {
	const long, wide, high = 13, 4, 11
	n := math.Hypot(x, y)
	x, y = x/n, y/n
	for along := -long; along <= long; along++ {
		for across := -wide; across <= wide; across++ {
			for z := range high + 1 {
				// Half steps leave no holes when the tram stands diagonally.
				for _, half := range []float64{0, 0.5} {
					a, c := float64(along)+half, float64(across)+half
					model = append(model, voxel{a*x - c*y, a*y + c*x, float64(z), tramColor(along, z, high, long)})
				}
			}
		}
	}
	return model
}

// tramColor returns the colour of a tram at one place. The stripe has the colour of the
// player.
func tramColor(along, z, high, long int) color.NRGBA {
	switch {
	case z < 2:
		return color.NRGBA{0x30, 0x30, 0x34, 0xFF} // wheels
	case z == high:
		return color.NRGBA{0x80, 0x78, 0x68, 0xFF} // roof
	case z == 3:
		return color.NRGBA{0x60, 0x84, 0xA7, 0xFF}
	case z >= 6 && z <= 8 && along%4 != 0 && along != long:
		return color.NRGBA{0x50, 0x60, 0x78, 0xFF} // windows
	}
	return color.NRGBA{0xD8, 0xC0, 0x70, 0xFF}
}

// fir makes a tree of this height.
func fir(height int) (model []voxel) {
	for z := range height {
		radius, c := float64(height-z)/3.2, color.NRGBA{0x28, uint8(0x58 + 12*(z/8)), 0x30, 0xFF}
		if z < height/6 {
			radius, c = 1, color.NRGBA{0x5A, 0x42, 0x28, 0xFF}
		}
		for x := -math.Ceil(radius); x <= radius; x++ {
			for y := -math.Ceil(radius); y <= radius; y++ {
				if math.Hypot(x, y) <= radius {
					model = append(model, voxel{x, y, float64(z), c})
				}
			}
		}
	}
	return model
}
