package items

import (
	"bytes"
	"image"

	"pakbox/codec/texture"
	"pakbox/codec/webp"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/nadeo/internal/chunks"
)

// iconSize is the width and height of all icons of items.
const iconSize = 64

// maxIcon limits the pixels of a picture that is read for an icon.
const maxIcon = 4096 * 4096

// ReadIcon reads a picture for an icon: PNG, JPEG or TGA.
func ReadIcon(data []byte) (image.Image, error) {
	if t, err := texture.Open("icon.tga", data); err == nil {
		if t.Width*t.Height > maxIcon {
			return nil, fault.New(fault.Limit, "an icon of %d by %d pixels", t.Width, t.Height)
		}
		return t.Image(0, 0)
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fault.Wrap(fault.Corrupt, err, "icon")
	}
	if size.Width*size.Height > maxIcon {
		return nil, fault.New(fault.Limit, "an icon of %d by %d pixels", size.Width, size.Height)
	}
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fault.Wrap(fault.Corrupt, err, "icon")
	}
	return m, nil
}

// IconHeader makes the header chunk with an icon as pixels. Authors of other tools report
// that the game can convert an icon to WebP only if some pixel is not fully opaque, so
// this makes the last pixel slightly transparent.
func IconHeader(m image.Image) gbx.HeaderChunk {
	pixels := iconPixels(m)
	last := &pixels[len(pixels)-1]
	*last = min(*last, 254)
	return chunks.Header(&gamedata.Header2E001004{Width: iconSize, Height: iconSize, Pixels: pixels}, true)
}

// WebPIconHeader makes the header chunk with the icon as lossless WebP, the form of
// Trackmania since April 2022.
func WebPIconHeader(m image.Image) (gbx.HeaderChunk, error) {
	const isWebP = 0x8000
	picture := image.NewNRGBA(image.Rect(0, 0, iconSize, iconSize))
	pixels := iconPixels(m)
	for y := range iconSize {
		row := pixels[(iconSize-1-y)*iconSize*4:]
		for x := range iconSize {
			p, to := row[4*x:], picture.Pix[picture.PixOffset(x, y):]
			to[0], to[1], to[2], to[3] = p[2], p[1], p[0], p[3]
		}
	}
	data, err := webp.Encode(picture)
	return chunks.Header(&gamedata.Header2E001004{Width: iconSize | isWebP, Height: iconSize | isWebP, Version: 1, Webp: data}, true), err
}

// iconPixels scales a picture to the size of icons. A pixel of the icon is the mean of
// the pixels under it, or the nearest pixel of a small picture. The lowest row comes
// first, and each pixel begins with blue. Colours are not premultiplied by opacity.
func iconPixels(m image.Image) []byte {
	b := m.Bounds()
	span := func(i, n int) (from, to int) { return i * n / iconSize, max((i+1)*n/iconSize, i*n/iconSize+1) }
	out := make([]byte, 0, iconSize*iconSize*4)
	for y := iconSize - 1; y >= 0; y-- {
		top, bottom := span(y, b.Dy())
		for x := range iconSize {
			left, right := span(x, b.Dx())
			var sum [4]uint64 // colours weighted by opacity
			for py := top; py < bottom; py++ {
				for px := left; px < right; px++ {
					r, g, bl, a := m.At(b.Min.X+px, b.Min.Y+py).RGBA()
					sum[0], sum[1], sum[2], sum[3] = sum[0]+uint64(bl), sum[1]+uint64(g), sum[2]+uint64(r), sum[3]+uint64(a)
				}
			}
			pixel := [4]byte{}
			if sum[3] > 0 {
				for i := range 3 {
					pixel[i] = byte((sum[i]*255 + sum[3]/2) / sum[3])
				}
				n := uint64((bottom - top) * (right - left))
				pixel[3] = byte((sum[3]*255 + n*0xFFFF/2) / (n * 0xFFFF))
			}
			out = append(out, pixel[:]...)
		}
	}
	return out
}
