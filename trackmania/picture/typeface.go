package picture

import (
	"image"
	"sync"

	"github.com/go-fonts/dejavu/dejavusans"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// The typefaces of all texts are a part of the program: parsing cannot fail.
// It waits for the first PNG, because most runs of a program draw none.
var (
	regular = sync.OnceValue(func() *opentype.Font { return parseTTF(goregular.TTF) })
	heavy   = sync.OnceValue(func() *opentype.Font { return parseTTF(gobold.TTF) })
	more    = sync.OnceValue(func() *opentype.Font { return parseTTF(dejavusans.TTF) })
)

func parseTTF(ttf []byte) *opentype.Font {
	f, _ := opentype.Parse(ttf)
	return f
}

// typeface is a face at a size. A face caches glyphs and must not be shared
// between goroutines, so everybody makes their own.
func typeface(size float64, bold bool) font.Face {
	f := regular()
	if bold {
		f = heavy()
	}
	options := &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull}
	face, _ := opentype.NewFace(f, options)
	rest, _ := opentype.NewFace(more(), options)
	return mixedFace{face, rest}
}

// mixedFace takes the letters that a face lacks from another.
type mixedFace struct {
	font.Face
	rest font.Face
}

func (m mixedFace) of(r rune) font.Face {
	if inGo(r) {
		return m.Face
	}
	return m.rest
}

func (m mixedFace) Glyph(dot fixed.Point26_6, r rune) (image.Rectangle, image.Image, image.Point, fixed.Int26_6, bool) {
	return m.of(r).Glyph(dot, r)
}

func (m mixedFace) GlyphBounds(r rune) (fixed.Rectangle26_6, fixed.Int26_6, bool) {
	return m.of(r).GlyphBounds(r)
}

func (m mixedFace) GlyphAdvance(r rune) (fixed.Int26_6, bool) { return m.of(r).GlyphAdvance(r) }
