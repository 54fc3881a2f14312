package picture

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"pakbox/simutrans/img"
)

// palette maps pixels to the colours that they have in the game.
type palette struct {
	specials [img.Specials]color.NRGBA
	night    bool
}

// shades is the number of shades of a player's colour.
const shades = 8

// nightLights are the special colours that change at night: windows become golden or
// blue. The others stay the same.
var nightLights = map[int]color.NRGBA{
	16: {0xD3, 0xC3, 0x80, 255}, 17: {0x80, 0xC3, 0xD3, 255}, 26: {0xFF, 0xFF, 0xE3, 255},
	27: {0xD3, 0xC3, 0x80, 255}, 28: {0xD3, 0xC3, 0x80, 255},
}

func newPalette(opts Options) *palette {
	p := &palette{specials: img.SpecialColors, night: opts.Night}
	for i, c := range []*color.NRGBA{opts.Player1, opts.Player2} {
		if c == nil {
			continue
		}
		for j := range shades {
			p.specials[i*shades+j] = shade(*c, j)
		}
	}
	if !opts.Night {
		return p
	}
	for i := range p.specials {
		if light, ok := nightLights[i]; ok {
			p.specials[i] = light
		} else if i < 2*shades {
			p.specials[i] = darken(p.specials[i])
		}
	}
	return p
}

// Color implements img.Palette.
func (p *palette) Color(pixel uint16) color.NRGBA {
	c := img.Color(pixel)
	if i, ok := img.Special(pixel); ok {
		special := p.specials[i]
		special.A = c.A
		return special
	}
	if p.night {
		return darken(c)
	}
	return c
}

// shade returns the i-th of eight shades, from dark to light. The fifth is the colour
// itself.
func shade(c color.NRGBA, i int) color.NRGBA {
	const own = 4
	mix := func(v uint8) uint8 {
		if i <= own {
			return uint8(int(v) * (i + 4) / (own + 4))
		}
		return uint8(int(v) + (255-int(v))*(i-own)/(shades-own))
	}
	return color.NRGBA{mix(c.R), mix(c.G), mix(c.B), 255}
}

// darken returns a colour as it looks at night: darker and bluish.
func darken(c color.NRGBA) color.NRGBA {
	return color.NRGBA{uint8(int(c.R) * 9 / 25), uint8(int(c.G) * 9 / 25), uint8(int(c.B) * 12 / 25), c.A}
}

var colourNames = map[string]uint32{
	"red": 0xC81E1E, "orange": 0xE07818, "yellow": 0xE0C818, "green": 0x2C9030, "blue": 0x2850C8,
	"purple": 0x8030B0, "brown": 0x885028, "black": 0x383838, "grey": 0x888888, "white": 0xD8D8D8,
}

// ParseColor reads a player's colour: a name, or rrggbb.
func ParseColor(s string) (color.NRGBA, error) {
	v, ok := colourNames[strings.ToLower(s)]
	if !ok {
		digits := strings.TrimPrefix(s, "#")
		n, err := strconv.ParseUint(digits, 16, 32)
		if err != nil || len(digits) != 6 {
			return color.NRGBA{}, fmt.Errorf("%q is not a colour; write rrggbb or a name such as red", s)
		}
		v = uint32(n)
	}
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}, nil
}
