// Package imagefile shows pictures of every kind that games store.
package imagefile

import (
	"bytes"
	"image"
	_ "image/gif" // pictures that files hold
	_ "image/jpeg"
	"image/png"
	"io"
	"path"
	"strings"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/webp"

	"pakbox/fact"
	"pakbox/fault"
	"pakbox/texture"
)

// maxPicture bounds a picture that is to be shown, as a file and in pixels.
const (
	maxPictureBytes  = 256 << 20
	maxPicturePixels = 1 << 26
)

// IsTexture reports whether a file has the name of a picture that no other
// program shows: DDS and TGA.
func IsTexture(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".dds" || ext == ".tga"
}

// IsPicture reports whether a file is a picture, by its name and how it begins.
func Is(name string, head []byte) bool {
	if texture.Is(name, head) {
		return true
	}
	_, _, err := image.DecodeConfig(bytes.NewReader(head))
	return err == nil || bytes.HasPrefix(head, []byte("\xff\xd8\xff")) || len(head) > 12 && string(head[8:12]) == "WEBP"
}

// Picture decodes a picture of any kind that pakbox knows.
func Decode(name string, r io.Reader) (image.Image, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxPictureBytes+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxPictureBytes:
		return nil, fault.New(fault.Limit, "a picture of more than %s", fact.SizeText(maxPictureBytes))
	case texture.Is(name, data):
		t, err := texture.Open(name, data)
		if err != nil {
			return nil, err
		}
		return t.Image(0, 0)
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fault.Wrap(fault.Unsupported, err, "no picture that can be shown")
	}
	if int64(config.Width)*int64(config.Height) > maxPicturePixels {
		return nil, fault.New(fault.Limit, "a picture of %d x %d pixels", config.Width, config.Height)
	}
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fault.Wrap(fault.Corrupt, err, "the picture")
	}
	return m, nil
}

// WritePNG writes a picture of any kind as PNG.
func WritePNG(w io.Writer, name string, r io.Reader) error {
	m, err := Decode(name, r)
	if err != nil {
		return err
	}
	return (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, m)
}
