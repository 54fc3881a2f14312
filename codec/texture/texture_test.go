package texture_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"os"
	"testing"

	"pakbox/codec/texture"
	"pakbox/fault"
	"pakbox/internal/testkit/corpus"
)

// plainDDS makes a DDS of 32-bit pixels, each of which encodes its layer, level
// and index.
func plainDDS(w, h, layers, levels int, caps2 uint32) []byte {
	b := ddsFile(fourCC("DXT1"), w, h, nil)
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(b[at:], v) }
	put(8, 0x21007)
	put(24, uint32(layers))
	put(28, uint32(levels))
	put(80, 0x41)
	put(84, 0)
	put(88, 32)
	put(92, 0xFF)
	put(96, 0xFF00)
	put(100, 0xFF0000)
	put(104, 0xFF000000)
	put(112, caps2)
	pixel := func(layer, level, i int) { b = append(b, byte(layer), byte(level), byte(i), 255) }
	if caps2 == 0x200000 { // a volume
		for level := range levels {
			for layer := range max(layers>>level, 1) {
				for i := range max(w>>level, 1) * max(h>>level, 1) {
					pixel(layer, level, i)
				}
			}
		}
		return b
	}
	for layer := range layers {
		for level := range levels {
			for i := range max(w>>level, 1) * max(h>>level, 1) {
				pixel(layer, level, i)
			}
		}
	}
	return b
}

// TestCubesVolumesAndLevels: every picture of a file is where it belongs.
func TestCubesVolumesAndLevels(t *testing.T) {
	for _, f := range []struct {
		name           string
		layers, levels int
		caps2          uint32
		cube           bool
	}{
		{"one", 1, 1, 0, false}, {"levels", 1, 4, 0, false}, {"cube", 6, 4, 0xFE00, true}, {"half a cube", 3, 2, 0x1E00, true}, {"volume", 4, 3, 0x200000, false},
	} {
		t.Run(f.name, func(t *testing.T) {
			tex := open(t, "x", plainDDS(8, 4, f.layers, f.levels, f.caps2))
			if tex.Layers != f.layers || tex.Levels != f.levels || tex.Cube != f.cube || tex.Format != "R8G8B8A8" {
				t.Errorf(`%s: tex = %+v; want tex.Layers = %v, tex.Levels = %v, tex.Cube = %v, tex.Format = "R8G8B8A8"`, f.name, tex, f.layers, f.levels, f.cube)
			}
			for layer := range f.layers {
				for level := range f.levels {
					m, err := tex.Image(layer, level)
					if f.name == "volume" && layer >= max(f.layers>>level, 1) {
						if err == nil {
							t.Errorf("%s: level %d has a slice %d", f.name, level, layer)
						}
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					last := len(m.Pix)/4 - 1
					if got, want := fmt.Sprint(m.Pix[4*last:4*last+3]), fmt.Sprint([]int{layer, level, last}); got != want {
						t.Errorf("%s: the last pixel of layer %d, level %d is %s, want %s", f.name, layer, level, got, want)
					}
				}
			}
			if _, err := tex.Image(f.layers, 0); err == nil {
				t.Errorf("%s has one layer more", f.name)
			}
		})
	}
}

// TestImagePackage: who imports the package can decode DDS as any picture.
func TestImagePackage(t *testing.T) {
	data := plainDDS(8, 4, 1, 1, 0)
	m, name, err := image.Decode(bytes.NewReader(data))
	if err != nil || name != "dds" || m.Bounds().Dx() != 8 {
		t.Errorf(`m = %v, name = %s, err = %v; want no error, name = "dds", m.Bounds().Dx() = 8`, m, name, err)
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || c.Width != 8 || c.Height != 4 {
		t.Errorf("c = %+v, err = %v; want no error, c.Width = 8, c.Height = 4", c, err)
	}
}

// Real 32-bit TGA files claim 0 attribute bits and have alpha all the same. Only
// alpha that is zero everywhere does not count.
func TestAlphaWithoutAttributeBits(t *testing.T) {
	head := []byte{0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 32, 0}
	for want, pixels := range map[string]string{"\x03\x02\x01\x00\x06\x05\x04\x09": "\x01\x02\x03\x00\x04\x05\x06\x09", "\x03\x02\x01\xFF\x06\x05\x04\xFF": "\x01\x02\x03\x00\x04\x05\x06\x00"} {
		t.Run(want, func(t *testing.T) {
			tex, err := texture.Open("a.tga", append(bytes.Clone(head), pixels...))
			if err != nil {
				t.Fatal(err)
			}
			if m, err := tex.Image(0, 0); err != nil || string(m.Pix) != want {
				t.Errorf("% x: m.Pix = % x, err = %v; want no error, m.Pix = % x", pixels, m.Pix, err, want)
			}
		})
	}
	for _, file := range corpus.Files(t, corpus.Dir(t, "textures"), "*.tga") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tex, err := texture.Open(file, data)
		if err != nil {
			t.Fatal(err)
		}
		m, err := tex.Image(0, 0)
		if err != nil {
			t.Fatal(err)
		}
		alphas := map[uint8]bool{}
		for i := 3; i < len(m.Pix); i += 4 {
			alphas[m.Pix[i]] = true
		}
		if len(alphas) < 3 {
			t.Errorf("%s: %d values of alpha", file, len(alphas))
		}
	}
}

// TestPixelFormats: bits are spread over eight, and what is absent is opaque.
func TestPixelFormats(t *testing.T) {
	for _, f := range []struct {
		format uint32
		pixel  []byte
		want   string
	}{
		{28, []byte{1, 2, 3, 4}, "[1 2 3 4]"}, {87, []byte{1, 2, 3, 4}, "[3 2 1 4]"}, {88, []byte{1, 2, 3, 4}, "[3 2 1 255]"},
		{85, []byte{0x1F, 0}, "[0 0 255 255]"}, {85, []byte{0, 0xF8}, "[255 0 0 255]"}, {86, []byte{0xE0, 0x83}, "[0 255 0 255]"},
		{115, []byte{0x21, 0x43}, "[51 34 17 68]"}, {61, []byte{9}, "[9 9 9 255]"}, {65, []byte{9}, "[0 0 0 9]"}, {49, []byte{7, 8}, "[7 8 0 255]"},
		{24, []byte{0xFF, 0x03, 0, 0x40}, "[255 0 0 85]"},
	} {
		m := first(t, open(t, "x", ddsFile(f.format, 1, 1, f.pixel)))
		if got := fmt.Sprint(m.Pix); got != f.want {
			t.Errorf("DXGI %d: %v is %s, want %s", f.format, f.pixel, got, f.want)
		}
	}
}

// TestReservedBlock: a block of BC7 without a mode is nothing.
func TestReservedBlock(t *testing.T) {
	block := make([]byte, 16)
	block[1] = 0xFF
	if m := first(t, open(t, "x", ddsFile(98, 1, 1, block))); fmt.Sprint(m.Pix) != "[0 0 0 0]" {
		t.Errorf(`m.Pix = %v; want fmt.Sprint(m.Pix) = "[0 0 0 0]"`, m.Pix)
	}
}

// TestSignedBlocks: -127 is black, 0 in the middle, 127 white; -128 is -127.
func TestSignedBlocks(t *testing.T) {
	for low, want := range map[byte]string{0x81: "[1 1 1 255]", 0x80: "[1 1 1 255]", 0: "[128 128 128 255]", 0x7F: "[255 255 255 255]"} {
		block := []byte{low, low, 0, 0, 0, 0, 0, 0}
		if m := first(t, open(t, "x", ddsFile(81, 1, 1, block))); fmt.Sprint(m.Pix) != want {
			t.Errorf("%#x is %v, want %s", low, m.Pix, want)
		}
	}
}

// TestDamagedFiles: each fault has its kind, and none takes memory that the
// file cannot fill.
func TestDamagedFiles(t *testing.T) {
	good := plainDDS(8, 4, 1, 1, 0)
	change := func(at int, v uint32) []byte {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	tga := append([]byte{0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0}, 1, 2, 3)
	for _, f := range []struct {
		name string
		file string
		data []byte
		kind fault.Kind
	}{
		{"a short header", "x", good[:100], fault.Truncated},
		{"a short picture", "x", good[:len(good)-1], fault.Truncated},
		{"no width", "x", change(16, 0), fault.BadEntry},
		{"too large", "x", change(16, 1<<30), fault.Limit},
		{"larger than the file", "x", change(16, 8000), fault.Truncated},
		{"a strange header", "x", change(4, 7), fault.BadEntry},
		{"unknown letters", "x", ddsFile(fourCC("WHAT"), 4, 4, make([]byte, 64)), fault.Unsupported},
		{"unknown number", "x", ddsFile(95, 4, 4, make([]byte, 64)), fault.Unsupported},
		{"text", "x.tga", []byte("hello, this is not a picture"), fault.NotFormat},
		{"a short TGA", "x.tga", tga[:len(tga)-1], fault.Truncated},
	} {
		_, err := texture.Open(f.file, f.data)
		if fault.KindOf(err) != f.kind {
			t.Errorf("%s: err = %v; want err of kind %v", f.name, err, f.kind)
		}
	}
	unused := append([]byte{0, 1, 2, 0, 0, 2, 0, 8, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0}, 0xAA, 0xBB, 1, 2, 3)
	if m := first(t, open(t, "x.tga", unused)); fmt.Sprint(m.Pix) != "[3 2 1 255]" {
		t.Errorf("behind a palette that is not used: %v", m.Pix)
	}
	if tex := open(t, "x", change(28, 99)); tex.Levels != 4 {
		t.Errorf("a picture of 8 × 4 pixels has %d levels", tex.Levels)
	}
	if m := first(t, open(t, "x.tga", tga)); fmt.Sprint(m.Pix) != "[3 2 1 255]" {
		t.Errorf(`m.Pix = %v; want fmt.Sprint(m.Pix) = "[3 2 1 255]"`, m.Pix)
	}
}

// FuzzDDS: no file makes the decoder fail in another way than with an error.
func FuzzDDS(f *testing.F) {
	f.Add(plainDDS(8, 4, 6, 3, 0xFE00))
	f.Add(plainDDS(4, 4, 4, 3, 0x200000))
	f.Add(ddsFile(98, 5, 5, make([]byte, 64)))
	f.Add(ddsFile(fourCC("DXT5"), 4, 4, make([]byte, 16)))
	f.Fuzz(func(t *testing.T, data []byte) { decodeAll(t, "x.dds", data) })
}

// FuzzTGA is FuzzDDS for TGA.
func FuzzTGA(f *testing.F) {
	f.Add(append([]byte{0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 24, 0x20}, make([]byte, 6)...))
	f.Add(append([]byte{1, 1, 9, 0, 0, 2, 0, 24, 0, 0, 0, 0, 4, 0, 4, 0, 8, 0, 'x'}, 1, 2, 3, 4, 5, 6, 0x8F, 1))
	f.Add([]byte("\x00\x01\x02\x00\x9f\x9f\x9f\x00\x00\x00\xed\xed\xed\xed\xed\x00\x18 ")) // colours, and a palette of no bits
	f.Fuzz(func(t *testing.T, data []byte) { decodeAll(t, "x.tga", data) })
}

// decodeAll decodes the pictures of a file as far as they are few.
func decodeAll(t *testing.T, name string, data []byte) {
	tex, err := texture.Open(name, data)
	if err != nil {
		return
	}
	if int64(tex.Width)*int64(tex.Height) > 256*int64(len(data)) {
		t.Fatalf("%d × %d pixels in %d bytes", tex.Width, tex.Height, len(data))
	}
	for layer := range min(tex.Layers, 8) {
		for level := range tex.Levels {
			if m, err := tex.Image(layer, level); err == nil && m.Bounds() != levelBounds(tex, level) {
				t.Fatalf("%v, want %v", m.Bounds(), levelBounds(tex, level))
			}
		}
	}
}

// levelBounds is the size of a level.
func levelBounds(t *texture.Texture, level int) image.Rectangle {
	return image.Rect(0, 0, max(t.Width>>level, 1), max(t.Height>>level, 1))
}
