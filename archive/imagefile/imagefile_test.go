package imagefile_test

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"pakbox/archive/imagefile"
	"pakbox/fault"
)

// TestPicture: a texture becomes a PNG with its pixels, and what is not a picture
// is refused.
func TestPicture(t *testing.T) {
	tga := []byte("\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x01\x00\x18\x00\x01\x02\x03")
	var b bytes.Buffer
	if err := imagefile.WritePNG(&b, "a/stone.TGA", bytes.NewReader(tga)); err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if r, g, blue, _ := m.At(0, 0).RGBA(); r>>8 != 3 || g>>8 != 2 || blue>>8 != 1 {
		t.Errorf("r >> 8 = %d g >> 8 = %d blue >> 8 = %d; want r >> 8 = 3, g >> 8 = 2, blue >> 8 = 1", r>>8, g>>8, blue>>8)
	}
	if !imagefile.Is("stone.tga", tga) || imagefile.Is("stone.txt", tga) || !imagefile.Is("x", []byte("DDS ")) {
		t.Error("Is is wrong for stone.tga, stone.txt or a DDS")
	}
	if err := imagefile.WritePNG(&b, "a.txt", strings.NewReader("hello")); fault.KindOf(err) != fault.Unsupported {
		t.Errorf("err = %v; want err of kind fault.Unsupported", err)
	}
}
