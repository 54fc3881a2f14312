package texture

import (
	"image"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

const (
	ddsMagic       = "DDS "
	ddsHeaderSize  = 4 + 124
	dx10HeaderSize = 20

	// flags of a pixel format
	flagAlphaPixels = 0x1
	flagAlphaOnly   = 0x2
	flagFourCC      = 0x4
	flagPalette     = 0x20
	flagRGB         = 0x40
	flagLuminance   = 0x20000

	flagMipMaps = 0x20000
	capsCube    = 0x200
	capsVolume  = 0x200000
	faces       = 6

	dx10Cube   = 0x4
	dx10Volume = 4 // D3D10_RESOURCE_DIMENSION_TEXTURE3D

	maxLayers = 2048 // the limit of graphics cards
)

// dds is the header of a DDS.
type dds struct {
	flags, height, width, depth, levels uint32
	pixels                              pixelFormat
	caps2                               uint32
	layers                              uint32
	cube                                bool
	volume                              bool // the layers are slices of a volume; each level has half as many

	codec codec
	start int64 // offset of the first picture
}

// pixelFormat describes pixels in a header without a DXGI format.
type pixelFormat struct {
	flags      uint32
	fourCC     string
	bits       uint32
	r, g, b, a uint32 // masks of the colours in a pixel
}

// codec decodes pictures, by blocks or by pixels.
type codec struct {
	name    string
	block   int // bytes of a block of 4 × 4 pixels; 0 for formats without blocks
	bits    int // bits of a pixel, for formats without blocks
	decode  func(dst *image.NRGBA, data []byte, palette []byte)
	palette int // bytes of the palette before the pictures
}

// size returns the bytes of a picture.
func (c codec) size(w, h int) int64 {
	if c.block > 0 {
		return int64((w+3)/4) * int64((h+3)/4) * int64(c.block)
	}
	return (int64(w)*int64(c.bits) + 7) / 8 * int64(h)
}

func readDDS(data []byte) (*dds, error) {
	r := wire.NewReader(data, 0)
	if string(r.Bytes(4, "magic")) != ddsMagic && r.Err() == nil {
		return nil, fault.New(fault.NotFormat, "is not a DDS file")
	}
	if size := r.U32("size of the header"); size != 124 {
		r.Fail(fault.BadEntry, 4, "size of the header", "%d bytes, and not 124", size)
	}
	d := &dds{flags: r.U32("flags"), height: r.U32("height"), width: r.U32("width")}
	r.U32("pitch")
	d.depth, d.levels = r.U32("depth"), r.U32("levels")
	checkSize(r, d.width, d.height)
	r.Skip(11*4, "reserved")
	r.U32("size of the pixel format")
	p := &d.pixels
	p.flags, p.fourCC, p.bits = r.U32("pixel format"), string(r.Bytes(4, "four letters")), r.U32("bits")
	p.r, p.g, p.b, p.a = r.U32("red"), r.U32("green"), r.U32("blue"), r.U32("alpha")
	r.U32("caps")
	d.caps2 = r.U32("caps 2")
	r.Skip(3*4, "reserved")
	if err := r.Err(); err != nil {
		return nil, err
	}
	if err := d.choose(r); err != nil {
		return nil, err
	}
	d.start = r.Offset()
	return d, d.check()
}

// choose finds the codec and the number of pictures.
func (d *dds) choose(r *wire.Reader) (err error) {
	d.layers = 1
	switch {
	case d.caps2&capsCube != 0:
		d.cube = true
		d.layers = 0
		for face := range uint32(faces) { // a cube may lack some faces
			d.layers += d.caps2 >> (10 + face) & 1
		}
		if d.layers == 0 {
			d.layers = faces
		}
	case d.caps2&capsVolume != 0:
		d.volume = true
		d.layers = max(d.depth, 1)
	}
	if d.pixels.flags&flagFourCC != 0 && d.pixels.fourCC == "DX10" {
		return d.readDX10(r)
	}
	d.codec, err = d.pixels.codec()
	return err
}

// readDX10 reads the second header of newer files.
func (d *dds) readDX10(r *wire.Reader) error {
	format, dimension, flags, count := r.U32("DXGI format"), r.U32("dimension"), r.U32("flags"), r.U32("array size")
	r.U32("alpha mode")
	if err := r.Err(); err != nil {
		return err
	}
	d.layers, d.cube, d.volume = max(count, 1), false, false
	switch {
	case count > maxLayers:
		return fault.At(fault.Limit, r.Offset(), "array size", "%d pictures are more than %d", count, maxLayers)
	case flags&dx10Cube != 0:
		d.cube = true
		d.layers *= faces
	case dimension == dx10Volume:
		d.volume = true
		d.layers = max(d.depth, 1)
	}
	c, ok := dxgiCodecs[format]
	if !ok {
		return fault.At(fault.Unsupported, r.Offset(), "DXGI format", "pixels of the DXGI format %d are not known", format)
	}
	d.codec = c
	return nil
}

func (d *dds) check() error {
	if d.layers > maxLayers {
		return fault.At(fault.Limit, 0, "layers", "%d pictures are more than %d", d.layers, maxLayers)
	}
	if d.flags&flagMipMaps == 0 || d.levels == 0 {
		d.levels = 1
	}
	most := uint32(1)
	for size := max(d.width, d.height); size > 1; size >>= 1 {
		most++
	}
	d.levels = min(d.levels, most) // some files count one level too many
	return nil
}

// texture returns the facts from the header.
func (d *dds) texture() *Texture {
	return &Texture{Format: d.codec.name, Width: int(d.width), Height: int(d.height), Layers: int(d.layers), Levels: int(d.levels), Cube: d.cube}
}

func openDDS(data []byte) (*Texture, error) {
	d, err := readDDS(data)
	if err != nil {
		return nil, err
	}
	t := d.texture()
	first := d.codec.size(t.Width, t.Height) + int64(d.codec.palette)
	if rest := int64(len(data)) - d.start; rest < first {
		return nil, fault.At(fault.Truncated, d.start, "picture", "%d bytes, of which %d are there", first, max(rest, 0))
	}
	t.picture = func(layer, level int) (*image.NRGBA, error) { return d.picture(data, layer, level) }
	return t, nil
}

// offset returns the offset of a picture. Levels of a layer are together; in a volume,
// slices of a level are together.
func (d *dds) offset(layer, level int) int64 {
	at := d.start + int64(d.codec.palette)
	sum := func(levels int) (size int64) {
		for l := range levels {
			w, h := levelSize(int(d.width), int(d.height), l)
			slices := int64(1)
			if d.volume {
				slices = max(int64(d.layers)>>l, 1)
			}
			size += slices * d.codec.size(w, h)
		}
		return size
	}
	if d.volume {
		w, h := levelSize(int(d.width), int(d.height), level)
		return at + sum(level) + int64(layer)*d.codec.size(w, h)
	}
	return at + int64(layer)*sum(int(d.levels)) + sum(level)
}

func (d *dds) picture(data []byte, layer, level int) (*image.NRGBA, error) {
	if d.volume && layer >= max(int(d.layers)>>level, 1) {
		return nil, fault.New(fault.BadEntry, "level %d of the volume has no slice %d", level, layer)
	}
	w, h := levelSize(int(d.width), int(d.height), level)
	at, size := d.offset(layer, level), d.codec.size(w, h)
	if at+size > int64(len(data)) {
		return nil, fault.At(fault.Truncated, at, "picture", "%d bytes, of which %d are there", size, max(int64(len(data))-at, 0))
	}
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	d.codec.decode(m, data[at:at+size], data[d.start:d.start+int64(d.codec.palette)])
	return m, nil
}
