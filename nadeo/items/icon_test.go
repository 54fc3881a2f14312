package items_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"testing"

	"pakbox/fault"
	"pakbox/gbx/engine/gamedata"
	"pakbox/nadeo/items"

	"golang.org/x/image/webp"
)

// TestReadIcon: pictures are read, other data and pictures that are too large rejected.
func TestReadIcon(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 7, 5))); err != nil {
		t.Fatal(err)
	}
	m, err := items.ReadIcon(b.Bytes())
	if err != nil || fmt.Sprint(m.Bounds()) != "(0,0)-(7,5)" {
		t.Errorf(`m = %v (err = %v); want no error, fmt.Sprint(m.Bounds()) = "(0,0)-(7,5)"`, m, err)
	}
	for _, bad := range [][]byte{nil, []byte("no picture"), b.Bytes()[:b.Len()/2]} {
		if _, err := items.ReadIcon(bad); fault.KindOf(err) != fault.Corrupt {
			t.Errorf("%d bytes: %v", len(bad), err)
		}
	}
}

// Icons are 64 by 64 pixels, the lowest row first, blue before red.
func TestIconPixels(t *testing.T) {
	m := image.NewNRGBA(image.Rect(5, 5, 5+128, 5+128))
	for y := range 128 {
		for x := range 128 {
			m.Set(5+x, 5+y, color.NRGBA{uint8(x), uint8(y), 200, 255})
		}
	}
	m.Set(5, 5+127, color.NRGBA{})
	pixels := items.IconPixels(m)
	at := func(x, y int) []byte { return pixels[4*((63-y)*64+x):][:4] }
	if len(pixels) != 64*64*4 || !bytes.Equal(at(10, 20), []byte{200, 41, 21, 255}) {
		t.Errorf("%d bytes, %v", len(pixels), at(10, 20))
	}
	if corner := at(0, 63); corner[3] != 191 || corner[0] != 200 {
		t.Errorf("one of four pixels is clear: %v", corner)
	}
	small := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	small.Set(1, 0, color.NRGBA{1, 2, 3, 128})
	if p := items.IconPixels(small); !bytes.Equal(p[4*63:4*64], []byte{3, 2, 1, 128}) || !bytes.Equal(p[:4], []byte{0, 0, 0, 0}) {
		t.Errorf("p[4*63 : 4*64] = %v; want p[4*63 : 4*64] equal to []byte{3, 2, 1, 128}, p[:4] equal to []byte{0, 0, 0, 0}", p[4*63:4*64])
	}
}

// Icons are read back as they were scaled, as WebP and as pixels. Pixels never are all
// opaque.
func TestIconHeaders(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for y := range 64 {
		for x := range 64 {
			m.Set(x, y, color.NRGBA{uint8(4 * x), uint8(4 * y), uint8(x ^ y), 255})
		}
	}
	chunk, err := items.WebPIconHeader(m)
	if err != nil {
		t.Fatal(err)
	}
	icon := chunk.Body.(*gamedata.Header2E001004)
	got, err := webp.Decode(bytes.NewReader(icon.Webp))
	if err != nil || icon.Width != 0x8040 || icon.Height != 0x8040 || icon.Version != 1 {
		t.Fatalf("%v: %d by %d, version %d", err, icon.Width, icon.Height, icon.Version)
	}
	for y := range 64 {
		for x := range 64 {
			if got.At(x, y) != m.At(x, y) {
				t.Fatalf("the pixel at %d, %d is %v, want %v", x, y, got.At(x, y), m.At(x, y))
			}
		}
	}
	pixels := items.IconHeader(m).Body.(*gamedata.Header2E001004).Pixels
	if last := len(pixels) - 1; pixels[last] != 254 || pixels[3] != 255 {
		t.Errorf("opacity %d and %d", pixels[last], pixels[3])
	}
}
