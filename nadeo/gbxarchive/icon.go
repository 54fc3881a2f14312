package gbxarchive

import (
	"bytes"
	"image"
	"image/png"

	"pakbox/fault"
)

// iconPNG makes a PNG of an icon. Its pixels are blue, green, red, alpha; the lowest row
// is first.
func iconPNG(width, height int, pixels []byte) ([]byte, error) {
	if width == 0 || height == 0 || len(pixels) != width*height*4 {
		return nil, fault.New(fault.SizeMismatch, "an icon of %d by %d pixels has %d bytes", width, height, len(pixels))
	}
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		row := img.Pix[y*img.Stride:][:width*4]
		copy(row, pixels[(height-1-y)*width*4:])
		for x := 0; x < len(row); x += 4 {
			row[x], row[x+2] = row[x+2], row[x]
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
