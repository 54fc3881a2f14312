// Package texture reads pictures for graphics cards as images: DDS (BC1 to BC5, BC7 and
// uncompressed, cubes, levels of detail) and TGA.
//
// [Open] reads a file with all its pictures. A TGA has no magic, so that [Open] needs the
// name of the file. [Decode] and [DecodeConfig] read the first picture of a DDS; they are
// registered in package image.
//
// Memory is allocated only if the file is as large as its header claims.
package texture

import (
	"bytes"
	"image"
	"image/color"
	"io"
	"path"
	"strings"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

func init() { image.RegisterFormat("dds", ddsMagic, Decode, DecodeConfig) }

// maxPixels limits one picture: 8192 × 8192.
const maxPixels = 1 << 26

// maxFile limits the bytes that are read from a stream: enough for a cube of the largest
// pictures.
const maxFile = 1 << 30

// Texture is a file with its pictures. [Texture.Image] decodes them.
type Texture struct {
	Format        string // common name: BC7, BGRA8, TGA
	Width, Height int
	Layers        int // faces of a cube, pictures of an array, slices of a volume
	Levels        int // levels of detail, each half as large as the one before
	Cube          bool

	picture func(layer, level int) (*image.NRGBA, error)
}

// Is reports whether a file is a texture, by its name and its first bytes.
func Is(name string, head []byte) bool {
	if bytes.HasPrefix(head, []byte(ddsMagic)) {
		return true
	}
	return strings.EqualFold(path.Ext(name), ".tga") && isTGA(head)
}

// Open reads a texture. The data must not change while the texture is used.
func Open(name string, data []byte) (*Texture, error) {
	switch {
	case bytes.HasPrefix(data, []byte(ddsMagic)):
		return openDDS(data)
	case Is(name, data):
		return openTGA(data)
	}
	return nil, fault.New(fault.NotFormat, "is neither a DDS nor a TGA file")
}

// Header reads a texture from the first bytes of its file. The texture has no pictures.
func Header(name string, head []byte) (*Texture, error) {
	if bytes.HasPrefix(head, []byte(ddsMagic)) {
		d, err := readDDS(head)
		if err != nil {
			return nil, err
		}
		return d.texture(), nil
	}
	t, err := readTGA(wire.NewReader(head, 0))
	if err != nil {
		return nil, err
	}
	return t.texture(), nil
}

// Image decodes one picture. Layers and levels count from 0.
func (t *Texture) Image(layer, level int) (*image.NRGBA, error) {
	if layer < 0 || layer >= t.Layers || level < 0 || level >= t.Levels {
		return nil, fault.New(fault.BadEntry, "layer %d of level %d is missing; the texture has %d layers and %d levels", layer, level, t.Layers, t.Levels)
	}
	return t.picture(layer, level)
}

// levelSize returns the size of a level: halved level times, at least 1.
func levelSize(w, h, level int) (int, int) {
	level = min(level, 30)
	return max(w>>level, 1), max(h>>level, 1)
}

// Decode reads the first picture of a DDS.
func Decode(r io.Reader) (image.Image, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile))
	if err != nil {
		return nil, err
	}
	t, err := openDDS(data)
	if err != nil {
		return nil, err
	}
	return t.Image(0, 0)
}

// DecodeConfig reads the size of a DDS.
func DecodeConfig(r io.Reader) (image.Config, error) {
	head, err := io.ReadAll(io.LimitReader(r, ddsHeaderSize+dx10HeaderSize))
	if err != nil {
		return image.Config{}, err
	}
	d, err := readDDS(head)
	if err != nil {
		return image.Config{}, err
	}
	return image.Config{ColorModel: color.NRGBAModel, Width: int(d.width), Height: int(d.height)}, nil
}

// checkSize sets an error for a picture that is empty or too large.
func checkSize(r *wire.Reader, w, h uint32) {
	switch {
	case r.Err() != nil:
	case w == 0 || h == 0:
		r.Fail(fault.BadEntry, r.Offset(), "size", "a picture of %d × %d pixels", w, h)
	case uint64(w)*uint64(h) > maxPixels:
		r.Fail(fault.Limit, r.Offset(), "size", "%d × %d pixels are more than %d", w, h, maxPixels)
	}
}
