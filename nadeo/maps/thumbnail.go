package maps

import (
	"bytes"
	"cmp"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"slices"
	"sync"

	scale "golang.org/x/image/draw"

	"pakbox/fault"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo"
)

// jpegQuality is the default quality.
const jpegQuality = 95

// maxThumbnail limits the pixels of a thumbnail; games write 512 by 512.
const maxThumbnail = 4096 * 4096

// ThumbnailForm states how to encode a thumbnail. The zero value means a JPEG in the size
// of the picture.
type ThumbnailForm struct {
	Size    int    // pixels of the longer side; 0 keeps the size
	Quality int    // of a JPEG, from 1 to 100; 0 for 95
	Format  string // jpg or png; "" is jpg
	// Square cuts the picture to a square and scales it down to these pixels; 0 does not.
	// [Map.SetThumbnail] does it by itself unless KeepSize is set, because the games expect
	// it.
	Square   int
	KeepSize bool
}

// Check returns an error if the form is invalid.
func (o ThumbnailForm) Check() error {
	switch {
	case o.Format != "" && o.Format != "jpg" && o.Format != "png":
		return fault.New(fault.Unsupported, "unknown format %q of a thumbnail; expected jpg or png", o.Format)
	case o.Quality < 0 || o.Quality > 100:
		return fault.New(fault.Limit, "quality %d is out of range; expected 1 to 100", o.Quality)
	case o.Size < 0 || o.Size*o.Size > maxThumbnail:
		return fault.New(fault.Limit, "a thumbnail cannot have %d pixels a side", o.Size)
	}
	return nil
}

// StoredThumbnail returns the stored picture of the map: a JPEG that is upside down.
func (m *Map) StoredThumbnail() []byte {
	if c, ok := head[*game.Header03043007](m); ok {
		return c.Thumbnail
	}
	return nil
}

// Thumbnail returns the picture of the map upright, or nil if none exists.
func (m *Map) Thumbnail(o ThumbnailForm) ([]byte, error) {
	stored := m.StoredThumbnail()
	if len(stored) == 0 {
		return nil, nil
	}
	return turnPicture(stored, o)
}

// SetThumbnail replaces the map's picture. It takes an upright JPEG or PNG; the map
// stores a JPEG.
func (m *Map) SetThumbnail(picture []byte, o ThumbnailForm) error {
	c, ok := head[*game.Header03043007](m)
	if !ok {
		return fault.New(fault.Unsupported, "the map has no place for a thumbnail")
	}
	o.Format = ""
	if o.Size == 0 && !o.KeepSize {
		o.Square = squareOf(c.Thumbnail)
	}
	turned, err := turnPicture(picture, o)
	if err != nil {
		return err
	}
	c.Version = max(c.Version, 1)
	c.Thumbnail, c.ThumbSize = turned, uint32(len(turned))
	return nil
}

// usualThumbnail is the width and height of the pictures that the games take.
const usualThumbnail = 512

// squareOf returns the pixels of a side of the stored picture, or those of the games'.
func squareOf(stored []byte) int {
	if size, _, err := image.DecodeConfig(bytes.NewReader(stored)); err == nil && size.Width == size.Height && size.Width >= usualThumbnail {
		return size.Width
	}
	return usualThumbnail
}

// squared cuts the middle out of a picture; side 0 does not.
func squared(src image.Image, side int) image.Image {
	b := src.Bounds()
	short := min(b.Dx(), b.Dy())
	if side == 0 || b.Dx() == b.Dy() {
		return src
	}
	at := image.Pt(b.Min.X+(b.Dx()-short)/2, b.Min.Y+(b.Dy()-short)/2)
	square := image.NewRGBA(image.Rect(0, 0, short, short))
	draw.Draw(square, square.Bounds(), src, at, draw.Src)
	return square
}

// turnPicture turns a picture upside down, and encodes it.
func turnPicture(data []byte, o ThumbnailForm) ([]byte, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fault.Wrap(fault.Corrupt, err, "thumbnail")
	}
	if size.Width*size.Height > maxThumbnail {
		return nil, fault.New(fault.Limit, "a thumbnail of %d by %d pixels", size.Width, size.Height)
	}
	src, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fault.Wrap(fault.Corrupt, err, "thumbnail")
	}
	if o.Square > 0 {
		src = squared(src, o.Square)
		o.Size = min(o.Square, src.Bounds().Dx()) // pictures are not made larger
	}
	dst := resized(src, o.Size)
	row := make([]byte, dst.Stride)
	height := dst.Bounds().Dy()
	for y := range height / 2 {
		top := dst.Pix[y*dst.Stride:][:dst.Stride]
		bottom := dst.Pix[(height-1-y)*dst.Stride:][:dst.Stride]
		copy(row, top)
		copy(top, bottom)
		copy(bottom, row)
	}
	if o.Format == "png" {
		var b bytes.Buffer
		err := png.Encode(&b, dst)
		return b.Bytes(), err
	}
	return encodeJPEG(dst, cmp.Or(o.Quality, jpegQuality))
}

// resized scales a picture so that its longer side has so many pixels; 0 keeps the size.
func resized(src image.Image, side int) *image.RGBA {
	b := src.Bounds()
	width, height := b.Dx(), b.Dy()
	if longer := max(width, height); side > 0 && longer > 0 && side != longer {
		width, height = max(1, width*side/longer), max(1, height*side/longer)
	}
	dst := image.NewRGBA(image.Rect(0, 0, width, height))
	if width == b.Dx() && height == b.Dy() {
		draw.Draw(dst, dst.Bounds(), src, b.Min, draw.Src)
		return dst
	}
	scale.CatmullRom.Scale(dst, dst.Bounds(), src, b, draw.Src, nil)
	return dst
}

// jfif follows the first two bytes in the JPEGs of the games.
const jfif = "\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"

// encodeJPEG encodes a picture as the games do.
func encodeJPEG(m image.Image, quality int) ([]byte, error) {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}); err != nil {
		return nil, err
	}
	const start = 2 // after "\xff\xd8"
	return slices.Insert(b.Bytes(), start, []byte(jfif)...), nil
}

// thumbnailSide is the width and height of thumbnails in pixels.
var thumbnailSide = map[nadeo.Generation]int{nadeo.Forever: 256, nadeo.ManiaPlanet4: 512, nadeo.Trackmania2020: 1024}

// plainThumbnail makes the picture for a new map. It is made once for each size, because
// encoding it is most of the work of a new map.
func plainThumbnail(g nadeo.Generation) ([]byte, error) {
	side := thumbnailSide[g]
	if known, ok := plainThumbnails.Load(side); ok {
		return slices.Clone(known.([]byte)), nil
	}
	m := image.NewGray(image.Rect(0, 0, side, side))
	for i := range m.Pix {
		m.Pix[i] = 0x80
	}
	data, err := encodeJPEG(m, jpegQuality)
	if err == nil {
		plainThumbnails.Store(side, slices.Clone(data))
	}
	return data, err
}

var plainThumbnails sync.Map // []byte, by side
