package img

import (
	"image"
	"image/color"
)

// Palette maps pixels to colours on a screen.
type Palette interface {
	Color(p uint16) color.NRGBA
}

// Source is the palette of source pictures: compiling a picture with its colours gives
// the same pixels.
type Source struct{}

// Color implements Palette.
func (Source) Color(p uint16) color.NRGBA { return Color(p) }

// Draw copies b onto dst with its upper left corner at x, y. Transparent pixels leave dst
// unchanged. Translucent pixels replace it without mixing.
func Draw(dst *image.NRGBA, x, y int, b *Bitmap, palette Palette) {
	for by := range b.H {
		for bx, p := range b.Pix[by*b.W : (by+1)*b.W] {
			if p != Transparent {
				dst.SetNRGBA(x+bx, y+by, palette.Color(p))
			}
		}
	}
}

// NRGBA returns the picture in the source palette.
func (b *Bitmap) NRGBA() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, b.W, b.H))
	Draw(m, 0, 0, b, Source{})
	return m
}

// FromNRGBA reads a picture in the source palette.
func FromNRGBA(m *image.NRGBA) *Bitmap {
	r := m.Bounds()
	b := &Bitmap{W: r.Dx(), H: r.Dy(), Pix: make([]uint16, r.Dx()*r.Dy())}
	for y := range b.H {
		for x := range b.W {
			b.Pix[y*b.W+x] = FromColor(m.NRGBAAt(r.Min.X+x, r.Min.Y+y))
		}
	}
	return b
}
