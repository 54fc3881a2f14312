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

// fonts are the typefaces of all texts. They are embedded in the program, so parsing
// cannot fail. They are parsed for the first PNG, because most commands draw none. A
// package variable set before main would link them into programs that never draw.
var fonts struct {
	once                   sync.Once
	regular, heavy, others *opentype.Font
}

func parseFonts() {
	parse := func(ttf []byte) *opentype.Font {
		f, _ := opentype.Parse(ttf)
		return f
	}
	fonts.regular, fonts.heavy, fonts.others = parse(goregular.TTF), parse(gobold.TTF), parse(dejavusans.TTF)
}

// typeface makes a face of a size. A face caches glyphs and must not be shared between
// goroutines, so each painter makes its own.
func typeface(size float64, bold bool) font.Face {
	fonts.once.Do(parseFonts)
	f := fonts.regular
	if bold {
		f = fonts.heavy
	}
	options := &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull}
	face, _ := opentype.NewFace(f, options)
	rest, _ := opentype.NewFace(fonts.others, options)
	return mixedFace{face, rest}
}

// mixedFace takes letters from a second face if the first lacks them.
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
