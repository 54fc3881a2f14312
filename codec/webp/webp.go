// Package webp writes pictures as WebP without loss (VP8L), written from Google's
// "WebP Lossless Bitstream Specification". It is made for small pictures such as
// icons: one predictor for the whole picture, and copies of the pixels to the left
// and above. Package golang.org/x/image/webp reads such files.
package webp

import (
	"encoding/binary"
	"image"
	"image/color"

	"pakbox/fault"
)

// maxSide is the largest width and height that the format can state.
const maxSide = 1 << 14

// Encode returns the picture as a WebP file. Transparent pixels keep their colours.
func Encode(m image.Image) ([]byte, error) {
	b := m.Bounds()
	width, height := b.Dx(), b.Dy()
	if width < 1 || height < 1 || width > maxSide || height > maxSide {
		return nil, fault.New(fault.Limit, "a WebP picture cannot be %d by %d pixels", width, height)
	}
	p := &picture{width: width, pixels: make([]pixel, 0, width*height)}
	for y := range height {
		for x := range width {
			c := color.NRGBAModel.Convert(m.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
			p.pixels = append(p.pixels, pixel{c.G, c.R, c.B, c.A})
		}
	}
	data := p.stream(height)
	out := []byte("RIFF....WEBPVP8L")
	binary.LittleEndian.PutUint32(out[4:], uint32(12+len(data)+len(data)%2))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(data)))
	out = append(out, data...)
	return append(out, make([]byte, len(data)%2)...), nil // chunks are padded to an even length
}

// pixel is green, red, blue and alpha, in the order of the format.
type pixel [4]uint8

func (a pixel) minus(b pixel) pixel {
	return pixel{a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]}
}

type picture struct {
	width  int
	pixels []pixel
}

// Numbers of transforms and predictors in the format.
const (
	transformPredictor     = 0
	transformSubtractGreen = 2
	predictLeft            = 1
	predictAbove           = 2
	predictSelect          = 11
)

// stream is the content of the chunk VP8L.
func (p *picture) stream(height int) []byte {
	w := &bitWriter{}
	w.put(0x2F, 8)
	w.put(uint32(p.width-1), 14)
	w.put(uint32(height-1), 14)
	clear := uint32(0)
	for _, v := range p.pixels {
		if v[3] != 255 {
			clear = 1
		}
	}
	w.put(clear, 1)
	w.put(0, 3) // version

	w.put(1, 1)
	w.put(transformSubtractGreen, 2)
	for i, v := range p.pixels {
		p.pixels[i] = pixel{v[0], v[1] - v[0], v[2] - v[0], v[3]}
	}
	mode, rest := p.predicted()
	w.put(1, 1)
	w.put(transformPredictor, 2)
	const largestBlock = 7 // blocks of 512 pixels
	w.put(largestBlock, 3)
	across := func(n int) int { return (n + 511) / 512 }
	modes := make([]pixel, across(p.width)*across(height))
	for i := range modes {
		modes[i] = pixel{mode, 0, 0, 255}
	}
	w.picture(&picture{across(p.width), modes}, false)
	w.put(0, 1) // no more transforms
	w.picture(&picture{p.width, rest}, true)
	return w.bytes()
}

// predicted returns the predictor with the smallest differences, and the differences.
func (p *picture) predicted() (best uint8, rest []pixel) {
	least := -1
	for _, mode := range []uint8{predictLeft, predictAbove, predictSelect} {
		left, sum := make([]pixel, len(p.pixels)), 0
		for i, v := range p.pixels {
			left[i] = v.minus(p.guess(mode, i))
			for _, d := range left[i] {
				sum += min(int(d), 256-int(d))
			}
		}
		if least < 0 || sum < least {
			best, rest, least = mode, left, sum
		}
	}
	return best, rest
}

// guess predicts a pixel from the pixels before it. The first pixel, the first row and
// the first column have fixed predictors.
func (p *picture) guess(mode uint8, i int) pixel {
	switch {
	case i == 0:
		return pixel{0, 0, 0, 255}
	case i < p.width:
		return p.pixels[i-1]
	case i%p.width == 0 || mode == predictAbove:
		return p.pixels[i-p.width]
	case mode == predictLeft:
		return p.pixels[i-1]
	}
	left, above, corner := p.pixels[i-1], p.pixels[i-p.width], p.pixels[i-p.width-1]
	toLeft, toAbove := 0, 0 // distance of left + above - corner from left and from above
	for c := range left {
		toLeft += apart(above[c], corner[c])
		toAbove += apart(left[c], corner[c])
	}
	if toLeft < toAbove {
		return left
	}
	return above
}

func apart(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
