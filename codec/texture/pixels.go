package texture

import (
	"encoding/binary"
	"fmt"
	"image"
	"math/bits"

	"pakbox/fault"
)

// fourCCCodecs has the formats that are named by four letters. DXT2 and DXT4 are DXT3 and
// DXT5 with premultiplied alpha.
var fourCCCodecs = map[string]codec{
	"DXT1": blocks("BC1", 8, decodeBC1),
	"DXT2": blocks("BC2", 16, decodeBC2), "DXT3": blocks("BC2", 16, decodeBC2),
	"DXT4": blocks("BC3", 16, decodeBC3), "DXT5": blocks("BC3", 16, decodeBC3),
	"ATI1": blocks("BC4", 8, decodeBC4), "BC4U": blocks("BC4", 8, decodeBC4), "BC4S": blocks("BC4 signed", 8, decodeBC4Signed),
	"ATI2": blocks("BC5", 16, decodeBC5), "BC5U": blocks("BC5", 16, decodeBC5), "BC5S": blocks("BC5 signed", 16, decodeBC5Signed),
}

// dxgiCodecs has the formats that are named by a DXGI number. A format has one number for
// each colour space.
var dxgiCodecs = map[uint32]codec{
	71: blocks("BC1", 8, decodeBC1), 72: blocks("BC1", 8, decodeBC1),
	74: blocks("BC2", 16, decodeBC2), 75: blocks("BC2", 16, decodeBC2),
	77: blocks("BC3", 16, decodeBC3), 78: blocks("BC3", 16, decodeBC3),
	80: blocks("BC4", 8, decodeBC4), 81: blocks("BC4 signed", 8, decodeBC4Signed),
	83: blocks("BC5", 16, decodeBC5), 84: blocks("BC5 signed", 16, decodeBC5Signed),
	98: blocks("BC7", 16, decodeBC7), 99: blocks("BC7", 16, decodeBC7),

	28: masked("RGBA8", 32, 0xFF, 0xFF00, 0xFF0000, 0xFF000000), 29: masked("RGBA8", 32, 0xFF, 0xFF00, 0xFF0000, 0xFF000000),
	87: masked("BGRA8", 32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000), 91: masked("BGRA8", 32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000),
	88: masked("BGRX8", 32, 0xFF0000, 0xFF00, 0xFF, 0), 93: masked("BGRX8", 32, 0xFF0000, 0xFF00, 0xFF, 0),
	24: masked("RGB10A2", 32, 0x3FF, 0xFFC00, 0x3FF00000, 0xC0000000),
	49: masked("RG8", 16, 0xFF, 0xFF00, 0, 0),
	61: grey("R8", 8, 0xFF, 0),
	65: masked("A8", 8, 0, 0, 0, 0xFF),
	85: masked("B5G6R5", 16, 0xF800, 0x7E0, 0x1F, 0), 86: masked("B5G5R5A1", 16, 0x7C00, 0x3E0, 0x1F, 0x8000),
	115: masked("B4G4R4A4", 16, 0xF00, 0xF0, 0xF, 0xF000),
}

// codec finds the codec of a pixel format.
func (p pixelFormat) codec() (codec, error) {
	alpha := p.a
	if p.flags&(flagAlphaPixels|flagAlphaOnly) == 0 {
		alpha = 0
	}
	known := p.bits == 8 || p.bits == 16 || p.bits == 24 || p.bits == 32
	switch {
	case p.flags&flagFourCC != 0:
		if c, ok := fourCCCodecs[p.fourCC]; ok {
			return c, nil
		}
		return codec{}, fault.New(fault.Unsupported, "pixels of the format %q are not known", p.fourCC)
	case p.flags&flagPalette != 0 && p.bits == 8:
		return codec{name: "palette", bits: 8, palette: 256 * 4, decode: decodePalette}, nil
	case p.flags&flagRGB != 0 && known:
		return masked(p.name(alpha), int(p.bits), p.r, p.g, p.b, alpha), nil
	case p.flags&flagLuminance != 0 && known:
		return grey(p.name(alpha), int(p.bits), p.r, alpha), nil
	case p.flags&flagAlphaOnly != 0 && known:
		return masked("A8", int(p.bits), 0, 0, 0, alpha), nil
	}
	return codec{}, fault.New(fault.Unsupported, "pixels of %d bits of the kind 0x%X are not known", p.bits, p.flags)
}

// name returns the colours with their number of bits: R8G8B8A8.
func (p pixelFormat) name(alpha uint32) string {
	if p.flags&flagLuminance != 0 {
		return fmt.Sprintf("L%dA%d", bits.OnesCount32(p.r), bits.OnesCount32(alpha))
	}
	return fmt.Sprintf("R%dG%dB%dA%d", bits.OnesCount32(p.r), bits.OnesCount32(p.g), bits.OnesCount32(p.b), bits.OnesCount32(alpha))
}

// channel is the position of one colour in a pixel.
type channel struct {
	mask  uint32
	shift int
	most  uint32 // the largest value
}

func newChannel(mask uint32) channel {
	c := channel{mask: mask, shift: bits.TrailingZeros32(mask)}
	if mask != 0 {
		c.most = mask >> c.shift
	}
	return c
}

// of returns the value of the channel scaled to eight bits, or def if the channel has no
// mask.
func (c channel) of(pixel uint32, def uint8) uint8 {
	if c.mask == 0 {
		return def
	}
	v := uint64(pixel & c.mask >> c.shift)
	return uint8((v*255 + uint64(c.most)/2) / uint64(c.most))
}

// masked returns the codec of a format with a mask for each colour.
func masked(name string, bitCount int, r, g, b, a uint32) codec {
	red, green, blue, alpha := newChannel(r), newChannel(g), newChannel(b), newChannel(a)
	return codec{name: name, bits: bitCount, decode: func(dst *image.NRGBA, data, _ []byte) {
		eachPixel(dst, data, bitCount/8, func(px []uint8, v uint32) {
			px[0], px[1], px[2], px[3] = red.of(v, 0), green.of(v, 0), blue.of(v, 0), alpha.of(v, 255)
		})
	}}
}

// grey returns the codec of a format with one channel of grey.
func grey(name string, bitCount int, mask, a uint32) codec {
	shade, alpha := newChannel(mask), newChannel(a)
	return codec{name: name, bits: bitCount, decode: func(dst *image.NRGBA, data, _ []byte) {
		eachPixel(dst, data, bitCount/8, func(px []uint8, v uint32) {
			l := shade.of(v, 0)
			px[0], px[1], px[2], px[3] = l, l, l, alpha.of(v, 255)
		})
	}}
}

// eachPixel calls put with each pixel of dst and its stored value.
func eachPixel(dst *image.NRGBA, data []byte, size int, put func(px []uint8, v uint32)) {
	var word [4]byte
	for i := range len(dst.Pix) / 4 {
		copy(word[:], data[i*size:(i+1)*size])
		put(dst.Pix[4*i:4*i+4:4*i+4], binary.LittleEndian.Uint32(word[:]))
	}
}

func decodePalette(dst *image.NRGBA, data, palette []byte) {
	for i, p := range data {
		copy(dst.Pix[4*i:4*i+4], palette[4*int(p):4*int(p)+4])
	}
}

// blocks returns the codec of a format with blocks of 4 × 4 pixels.
func blocks(name string, size int, block func(out *[16][4]uint8, data []byte)) codec {
	return codec{name: name, block: size, decode: func(dst *image.NRGBA, data, _ []byte) {
		var out [16][4]uint8
		w, h := dst.Rect.Dx(), dst.Rect.Dy()
		for by := 0; by < h; by += 4 {
			for bx := 0; bx < w; bx += 4 {
				block(&out, data[:size])
				data = data[size:]
				for y := range min(4, h-by) {
					row := dst.Pix[(by+y)*dst.Stride+4*bx:]
					for x := range min(4, w-bx) {
						copy(row[4*x:4*x+4], out[4*y+x][:])
					}
				}
			}
		}
	}}
}
