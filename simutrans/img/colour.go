package img

import "image/color"

// A pixel's word is one of
//
//	0x0000 + rgb555                              ordinary colour
//	0x8000 + i                                   special colour i, 0 to 30
//	0x8020 + i*31 + a                            special colour, translucent
//	0x8020 + 31*31 + rgb343*31 + a               ordinary colour, translucent
//
// where a is from 0, hardly visible, to 30, nearly opaque. Transparent is a word outside
// these ranges; it never occurs in a file.
const (
	special      = 0x8000
	specialAlpha = 0x8020
	colourAlpha  = specialAlpha + Specials*alphas
	alphas       = 31

	// Specials is the number of special colours.
	Specials = 31
	// Transparent is the word of a transparent pixel.
	Transparent = 0xFFFF
)

// transparency is the colour of transparent pixels in source pictures, with any alpha.
var transparency = color.NRGBA{0xE7, 0xFF, 0xFF, 0xFF}

// SpecialColors are the colours with a meaning: 0 to 7 are the player's first colour from
// dark to light, 8 to 15 the second, 16 to 30 are lights and greys that do not darken at
// night.
var SpecialColors = [Specials]color.NRGBA{
	rgb(0x244B67), rgb(0x395E7C), rgb(0x4C7191), rgb(0x6084A7), rgb(0x7497BD), rgb(0x88ABD3), rgb(0x9CBEE9), rgb(0xB0D2FF),
	rgb(0x7B5803), rgb(0x8E6F04), rgb(0xA18605), rgb(0xB49D07), rgb(0xC6B408), rgb(0xD9CB0A), rgb(0xECE20B), rgb(0xFFF90D),
	rgb(0x57656F), rgb(0x7F9BF1), rgb(0xFFFF53), rgb(0xFF211D), rgb(0x01DD01), rgb(0x6B6B6B), rgb(0x9B9B9B), rgb(0xB3B3B3),
	rgb(0xC9C9C9), rgb(0xDFDFDF), rgb(0xE3E3FF), rgb(0xC1B1D1), rgb(0x4D4D4D), rgb(0xFF017F), rgb(0x0101FF),
}

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xFF}
}

// specialIndex finds special colours by their RGB value. maybeSpecial has the red values
// of all special colours: for most colours red alone shows that they are not special,
// without a search.
var specialIndex, maybeSpecial = indexSpecials()

func indexSpecials() (index map[uint32]uint16, maybe [256]bool) {
	index = make(map[uint32]uint16, Specials)
	for i, c := range SpecialColors {
		index[packed(c)] = uint16(i)
		maybe[c.R] = true
	}
	return index, maybe
}

func packed(c color.NRGBA) uint32 { return uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B) }

func specialOf(c color.NRGBA) (i uint16, ok bool) {
	if maybeSpecial[c.R] {
		i, ok = specialIndex[packed(c)]
	}
	return i, ok
}

// Translucent reports whether a pixel is mixed with the pixel below it.
func Translucent(p uint16) bool { return p >= specialAlpha && p != Transparent }

// Special returns the number of the special colour of a pixel.
func Special(p uint16) (i int, ok bool) {
	switch {
	case p >= special && p < special+Specials:
		return int(p - special), true
	case p >= specialAlpha && p < colourAlpha:
		return int(p-specialAlpha) / alphas, true
	}
	return 0, false
}

// nearSpecials finds special colours by the 15-bit word of an ordinary pixel.
var nearSpecials = indexNear()

func indexNear() map[uint16]int {
	near := make(map[uint16]int, Specials)
	for i, c := range SpecialColors {
		near[ordinary(c)] = i
	}
	return near
}

// NearSpecial returns the special colour that an ordinary pixel nearly has: in the source
// picture they differ by less than 8 of 255 in each component.
func NearSpecial(p uint16) (i int, ok bool) {
	i, ok = nearSpecials[p]
	return i, ok
}

// NearTransparency reports whether a pixel is nearly, but not exactly, the colour of
// transparent pixels.
func NearTransparency(p uint16) bool {
	red, green, blue := p>>10, p>>5&0x1F, p&0x1F
	return p < special && red >= 27 && red <= 29 && green >= 30 && blue >= 30
}

func ordinary(c color.NRGBA) uint16 {
	return uint16(c.R>>3)<<10 | uint16(c.G>>3)<<5 | uint16(c.B>>3)
}

// FromColor returns the pixel for a colour of a source picture.
func FromColor(c color.NRGBA) uint16 {
	through := 255 - c.A
	if through >= 0xF8 || c.R == transparency.R && c.G == transparency.G && c.B == transparency.B {
		return Transparent
	}
	i, isSpecial := specialOf(c)
	if through == 0 {
		if isSpecial {
			return special + i
		}
		return ordinary(c)
	}
	a := 30 - uint16(through/8)
	if isSpecial {
		return specialAlpha + i*alphas + a
	}
	rgb343 := uint16(c.R>>5)<<7 | uint16(c.G>>4)<<3 | uint16(c.B>>5)
	return colourAlpha + rgb343*alphas + a
}

// Color returns a colour that FromColor converts back to the same pixel. The five bits of
// an ordinary colour are not scaled to the full range of eight bits, because some would
// then become a special colour.
func Color(p uint16) color.NRGBA {
	switch {
	case p == Transparent:
		return color.NRGBA{}
	case p < special:
		return color.NRGBA{uint8(p>>10) << 3, uint8(p>>5) << 3, uint8(p) << 3, 0xFF}
	case p < specialAlpha:
		return SpecialColors[min(p-special, Specials-1)]
	case p < colourAlpha:
		c := SpecialColors[(p-specialAlpha)/alphas]
		c.A = alpha(p - specialAlpha)
		return c
	}
	v := (p - colourAlpha) / alphas
	return color.NRGBA{uint8(v>>7) << 5, uint8(v>>3) << 4, uint8(v) << 5, alpha(p - colourAlpha)}
}

// alpha returns the middle of the eight alpha values that become the same a.
func alpha(coded uint16) uint8 { return uint8(251 - 8*(30-coded%alphas)) }
