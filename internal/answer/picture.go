package answer

import (
	"bytes"
	"image"
	"image/color"
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

// What bounds a picture that is written as PNG: bytes of its file, and of its
// pixels in memory.
const (
	maxPictureBytes  = 256 << 20
	maxPictureMemory = 256 << 20
)

// IsTexture reports whether a file has the name of a picture that no other
// program shows: DDS and TGA.
func IsTexture(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".dds" || ext == ".tga"
}

// IsPicture reports whether a file is a picture, by its name and how it begins.
func IsPicture(name string, head []byte) bool {
	if texture.Is(name, head) {
		return true
	}
	_, _, err := image.DecodeConfig(bytes.NewReader(head))
	return err == nil || bytes.HasPrefix(head, []byte("\xff\xd8\xff")) || len(head) > 12 && string(head[8:12]) == "WEBP"
}

// Picture decodes a picture of any kind that pakbox knows. Its pixels take so many
// bytes at most.
func Picture(name string, r io.Reader, memory int64) (image.Image, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxPictureBytes+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxPictureBytes:
		return nil, fault.New(fault.Limit, "a picture of more than %s", fact.SizeText(maxPictureBytes))
	}
	need, err := PictureMemory(name, data)
	if err != nil {
		return nil, err
	}
	if need > memory {
		return nil, fault.New(fault.Limit, "a picture of %s of pixels, more than %s", fact.SizeText(need), fact.SizeText(memory))
	}
	if texture.Is(name, data) {
		t, err := texture.Open(name, data)
		if err != nil {
			return nil, err
		}
		return t.Image(0, 0)
	}
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fault.Wrap(fault.Corrupt, err, "the picture")
	}
	return m, nil
}

// PictureMemory is how many bytes the pixels of a picture take in memory.
func PictureMemory(name string, data []byte) (int64, error) {
	if texture.Is(name, data) {
		t, err := texture.Open(name, data)
		if err != nil {
			return 0, err
		}
		return 4 * int64(t.Width) * int64(t.Height), nil
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return 0, fault.Wrap(fault.Unsupported, err, "no picture that can be shown")
	}
	pixel := int64(4)
	if config.ColorModel == color.RGBA64Model || config.ColorModel == color.NRGBA64Model {
		pixel = 8
	}
	return pixel * int64(config.Width) * int64(config.Height), nil
}

// WritePNG writes a picture of any kind as PNG.
func WritePNG(w io.Writer, name string, r io.Reader) error {
	m, err := Picture(name, r, maxPictureMemory)
	if err != nil {
		return err
	}
	return (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, m)
}
