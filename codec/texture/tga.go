package texture

import (
	"image"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

const tgaHeaderSize = 18

// Types of TGA pictures. tgaRuns is added for run-length coding.
const (
	tgaPalette = 1
	tgaColour  = 2
	tgaGrey    = 3
	tgaRuns    = 8
)

// Bits for the corner of the first pixel. Without them it is the lower left corner.
const (
	tgaFromRight = 0x10
	tgaFromTop   = 0x20
)

// tga is the header of a TGA.
type tga struct {
	kind                     uint8
	paletteFirst             int
	paletteCount             int
	paletteBits              uint8
	w, h                     int
	bits                     uint8
	descriptor               uint8
	runs                     bool
	palette                  []uint8 // four bytes for each colour
	pixelBytes, paletteBytes int
	skipText                 int // bytes of text after the header
}

// isTGA reports whether a header makes sense.
func isTGA(head []byte) bool {
	_, err := readTGA(wire.NewReader(head[:min(len(head), tgaHeaderSize)], 0))
	return err == nil
}

// readTGA reads the header, without the text after it.
func readTGA(r *wire.Reader) (*tga, error) {
	idLength, paletteType, kind := r.U8("length of the text"), r.U8("kind of palette"), r.U8("kind of picture")
	t := &tga{kind: kind &^ tgaRuns, runs: kind&tgaRuns != 0}
	t.paletteFirst, t.paletteCount, t.paletteBits = int(r.U16("first colour")), int(r.U16("colours")), r.U8("bits of a colour")
	r.Skip(4, "place")
	w, h := uint32(r.U16("width")), uint32(r.U16("height"))
	t.bits, t.descriptor = r.U8("bits of a pixel"), r.U8("descriptor")
	checkSize(r, w, h)
	if err := r.Err(); err != nil {
		return nil, err
	}
	t.w, t.h = int(w), int(h)
	t.pixelBytes, t.paletteBytes = (int(t.bits)+7)/8, (int(t.paletteBits)+7)/8
	ok := paletteType <= 1 && kind&^(tgaRuns|3) == 0
	switch t.kind {
	case tgaPalette:
		ok = ok && paletteType == 1 && (t.bits == 8 || t.bits == 16) && t.paletteBits >= 15 && t.paletteBits <= 32 && t.paletteCount > 0
	case tgaColour:
		ok = ok && (t.bits == 15 || t.bits == 16 || t.bits == 24 || t.bits == 32)
	case tgaGrey:
		ok = ok && (t.bits == 8 || t.bits == 16)
	default:
		ok = false
	}
	if !ok {
		return nil, fault.At(fault.Unsupported, 2, "kind of picture", "a TGA of the kind %d with %d bits is not known", kind, t.bits)
	}
	t.paletteCount *= int(paletteType)
	t.skipText = int(idLength)
	return t, nil
}

func openTGA(data []byte) (*Texture, error) {
	r := wire.NewReader(data, 0)
	t, err := readTGA(r)
	if err != nil {
		return nil, err
	}
	r.Skip(t.skipText, "text")
	colours := r.Bytes(t.paletteCount*t.paletteBytes, "palette")
	if err := r.Err(); err != nil {
		return nil, err
	}
	if t.kind != tgaPalette {
		t.paletteCount = 0 // the file has a palette but does not use it
	}
	for i := range t.paletteCount {
		px := tgaPixel(colours[i*t.paletteBytes:], int(t.paletteBits), t.alphaBits())
		t.palette = append(t.palette, px[:]...)
	}
	if t.alphaBits() == 0 {
		makeVisible(t.palette)
	}
	start := int(r.Offset())
	// At best, 128 pixels take one pixel and a byte.
	if least := t.w * t.h * t.pixelBytes; !t.runs && len(data)-start < least || t.runs && (len(data)-start)*128 < t.w*t.h {
		return nil, fault.At(fault.Truncated, int64(start), "picture", "%d bytes are too few for %d × %d pixels", len(data)-start, t.w, t.h)
	}
	out := t.texture()
	out.picture = func(int, int) (*image.NRGBA, error) { return t.picture(data[start:], int64(start)) }
	return out, nil
}

// texture returns the facts from the header.
func (t *tga) texture() *Texture {
	name := map[uint8]string{tgaPalette: "TGA palette", tgaColour: "TGA colour", tgaGrey: "TGA grey"}[t.kind]
	if t.runs {
		name += " in runs"
	}
	return &Texture{Format: name, Width: t.w, Height: t.h, Layers: 1, Levels: 1}
}

// alphaBits returns the number of alpha bits that the header states.
func (t *tga) alphaBits() int { return int(t.descriptor & 0xF) }

// picture decodes the pixels, which may begin at any corner.
func (t *tga) picture(data []byte, offset int64) (*image.NRGBA, error) {
	m := image.NewNRGBA(image.Rect(0, 0, t.w, t.h))
	r := wire.NewReader(data, offset)
	at := 0
	put := func(px [4]uint8) {
		x, y := at%t.w, at/t.w
		if t.descriptor&tgaFromRight != 0 {
			x = t.w - 1 - x
		}
		if t.descriptor&tgaFromTop == 0 {
			y = t.h - 1 - y
		}
		copy(m.Pix[y*m.Stride+4*x:], px[:])
		at++
	}
	for at < t.w*t.h && r.Err() == nil {
		count, repeated := 1, false
		if t.runs {
			head := r.U8("run")
			count, repeated = min(int(head&0x7F)+1, t.w*t.h-at), head&0x80 != 0
		}
		var px [4]uint8
		for i := range count {
			if i == 0 || !repeated {
				px = t.pixel(r.Bytes(t.pixelBytes, "pixel"))
			}
			if r.Err() != nil {
				break
			}
			put(px)
		}
	}
	if t.alphaBits() == 0 {
		makeVisible(m.Pix)
	}
	return m, r.Err()
}

// makeVisible makes all pixels opaque if alpha is zero everywhere: then no alpha was
// stored. The header does not show it, because many programs store alpha and state 0 bits of it.
func makeVisible(pix []uint8) {
	for i := 3; i < len(pix); i += 4 {
		if pix[i] != 0 {
			return
		}
	}
	for i := 3; i < len(pix); i += 4 {
		pix[i] = 255
	}
}

// pixel returns the colour of a stored pixel.
func (t *tga) pixel(data []byte) [4]uint8 {
	if len(data) < t.pixelBytes {
		return [4]uint8{}
	}
	switch {
	case t.kind == tgaPalette:
		i := int(data[0])
		if t.pixelBytes == 2 {
			i |= int(data[1]) << 8
		}
		if i -= t.paletteFirst; i >= 0 && i < t.paletteCount {
			return [4]uint8(t.palette[4*i:])
		}
		return [4]uint8{3: 255}
	case t.kind == tgaGrey:
		px := [4]uint8{data[0], data[0], data[0], 255}
		if t.bits == 16 {
			px[3] = data[1]
		}
		return px
	}
	return tgaPixel(data, int(t.bits), t.alphaBits())
}

// tgaPixel returns a colour of 15 to 32 bits, stored blue first.
func tgaPixel(data []byte, bits, alphaBits int) [4]uint8 {
	if bits <= 16 {
		v := uint16(data[0]) | uint16(data[1])<<8
		wide := func(c uint16) uint8 { return uint8(c<<3 | c>>2) }
		px := [4]uint8{wide(v >> 10 & 0x1F), wide(v >> 5 & 0x1F), wide(v & 0x1F), 255}
		if alphaBits > 0 && v&0x8000 == 0 {
			px[3] = 0
		}
		return px
	}
	px := [4]uint8{data[2], data[1], data[0], 255}
	if bits == 32 {
		px[3] = data[3]
	}
	return px
}
