// Package texture reads the pictures that games keep for their graphics cards
// as images: DDS, with blocks of BC1 to BC5 and BC7 or without compression,
// cubes and levels of detail, and TGA.
//
// [Decode] and [DecodeConfig] read the first picture of a file, and are
// registered with package image for DDS. TGA has nothing at its begin to be
// told by, so that only who knows from a name that a file is one can ask:
//
//	m, err := texture.DecodeTGA(f)
//
// [Open] gives all pictures of a file: the faces of a cube, the levels of
// detail, each half as large as the one before.
//
// Nothing in a file is trusted: its size must hold what its header promises
// before anything is allocated for it.
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

// maxPixels bounds a single picture: 8192 × 8192.
const maxPixels = 1 << 26

// maxFile bounds what is read of a stream: a cube of the largest pictures.
const maxFile = 1 << 30

// Texture is a file with its pictures, which are decoded when asked for.
type Texture struct {
	Format        string // as people call it: BC7, BGRA8, TGA
	Width, Height int
	Layers        int // 6 of a cube; those of an array, or the slices of a volume
	Levels        int // of detail
	Cube          bool

	picture func(layer, level int) (*image.NRGBA, error)
}

// Is reports whether a file is a texture by its name and how it begins.
func Is(name string, head []byte) bool {
	if bytes.HasPrefix(head, []byte(ddsMagic)) {
		return true
	}
	return strings.EqualFold(path.Ext(name), ".tga") && isTGA(head)
}

// Open reads a file whose name tells a TGA. Its content must stay as it is
// while the texture is used.
func Open(name string, data []byte) (*Texture, error) {
	switch {
	case bytes.HasPrefix(data, []byte(ddsMagic)):
		return openDDS(data)
	case Is(name, data):
		return openTGA(data)
	}
	return nil, fault.New(fault.NotFormat, "is no DDS or TGA")
}

// Image decodes a picture: a layer from 0, in the size of a level.
func (t *Texture) Image(layer, level int) (*image.NRGBA, error) {
	if layer < 0 || layer >= t.Layers || level < 0 || level >= t.Levels {
		return nil, fault.New(fault.BadEntry, "there is no layer %d of level %d; the texture has %d layers and %d levels", layer, level, t.Layers, t.Levels)
	}
	return t.picture(layer, level)
}

// Bounds is the size of a level.
func (t *Texture) Bounds(level int) image.Rectangle {
	w, h := levelSize(t.Width, t.Height, level)
	return image.Rect(0, 0, w, h)
}

// levelSize halves a size as often as the level says, to 1 at least.
func levelSize(w, h, level int) (int, int) {
	level = min(level, 30)
	return max(w>>level, 1), max(h>>level, 1)
}

// Decode reads the first picture of a DDS.
func Decode(r io.Reader) (image.Image, error) { return decode(r, openDDS) }

// DecodeTGA reads a TGA.
func DecodeTGA(r io.Reader) (image.Image, error) { return decode(r, openTGA) }

func decode(r io.Reader, open func([]byte) (*Texture, error)) (image.Image, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile))
	if err != nil {
		return nil, err
	}
	t, err := open(data)
	if err != nil {
		return nil, err
	}
	return t.Image(0, 0)
}

// DecodeConfig tells the size of a DDS.
func DecodeConfig(r io.Reader) (image.Config, error) {
	return config(r, ddsHeaderSize+dx10HeaderSize, ddsConfig)
}

// DecodeTGAConfig tells the size of a TGA.
func DecodeTGAConfig(r io.Reader) (image.Config, error) { return config(r, tgaHeaderSize, tgaConfig) }

func config(r io.Reader, size int64, read func([]byte) (w, h int, err error)) (image.Config, error) {
	head, err := io.ReadAll(io.LimitReader(r, size))
	if err != nil {
		return image.Config{}, err
	}
	w, h, err := read(head)
	return image.Config{ColorModel: color.NRGBAModel, Width: w, Height: h}, err
}

// checkSize refuses a picture that is nothing or too much.
func checkSize(r *wire.Reader, w, h uint32) {
	switch {
	case r.Err() != nil:
	case w == 0 || h == 0:
		r.Fail(fault.BadEntry, r.Offset(), "size", "a picture of %d × %d pixels", w, h)
	case uint64(w)*uint64(h) > maxPixels:
		r.Fail(fault.Limit, r.Offset(), "size", "%d × %d pixels are more than %d", w, h, maxPixels)
	}
}
