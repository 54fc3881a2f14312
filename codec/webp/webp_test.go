package webp_test

import (
	"bytes"
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	decoder "golang.org/x/image/webp"

	"pakbox/codec/webp"
	"pakbox/fault"
)

// same encodes a picture, and reads it with the decoder of the Go project.
func same(t *testing.T, name string, m *image.NRGBA) int {
	t.Helper()
	data, err := webp.Encode(m)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	got, err := decoder.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	b := m.Bounds()
	if got.Bounds().Size() != b.Size() {
		t.Fatalf("%s: %v, want %v", name, got.Bounds(), b)
	}
	for y := range b.Dy() {
		for x := range b.Dx() {
			if a, want := got.At(x, y), m.NRGBAAt(b.Min.X+x, b.Min.Y+y); a != want {
				t.Fatalf("%s: the pixel at %d, %d is %v, want %v", name, x, y, a, want)
			}
		}
	}
	return len(data)
}

// Pictures of all sizes and kinds are read as they were, clear pixels too.
func TestEncode(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	kinds := map[string]func(x, y int) color.NRGBA{
		"clear": func(int, int) color.NRGBA { return color.NRGBA{} },
		"one":   func(int, int) color.NRGBA { return color.NRGBA{200, 100, 50, 255} },
		"ramp":  func(x, y int) color.NRGBA { return color.NRGBA{uint8(x), uint8(y), uint8(x + y), uint8(255 - x)} },
		"noise": func(int, int) color.NRGBA {
			v := rng.Uint32()
			return color.NRGBA{uint8(v), uint8(v >> 8), uint8(v >> 16), uint8(v >> 24)}
		},
		"chess":  func(x, y int) color.NRGBA { return color.NRGBA{uint8(255 * (x + y&1)), 7, 9, 255} },
		"sparse": func(int, int) color.NRGBA { return color.NRGBA{0, uint8(rng.Uint32() % 50 / 49 * 255), 0, 255} },
		"skewed": func(int, int) color.NRGBA {
			return color.NRGBA{uint8(rng.ExpFloat64() * 4), uint8(rng.ExpFloat64()), 0, 255}
		},
	}
	for name, at := range kinds {
		for _, size := range []image.Point{{1, 1}, {1, 9}, {9, 1}, {2, 2}, {64, 64}, {65, 31}, {600, 3}, {3, 1030}} {
			m := image.NewNRGBA(image.Rect(5, 7, 5+size.X, 7+size.Y))
			for y := range size.Y {
				for x := range size.X {
					m.SetNRGBA(5+x, 7+y, at(x, y))
				}
			}
			n := same(t, name, m)
			if name == "one" && n > 200 {
				t.Errorf("%d bytes for one colour", n)
			}
		}
	}
}

func TestSizes(t *testing.T) {
	for _, m := range []image.Image{image.NewGray(image.Rect(0, 0, 0, 3)), image.NewGray(image.Rect(0, 0, 1<<14+1, 1))} {
		if _, err := webp.Encode(m); fault.KindOf(err) != fault.Limit {
			t.Errorf("%v: err = %v; want err of kind fault.Limit", m.Bounds(), err)
		}
	}
}
