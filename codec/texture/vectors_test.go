package texture_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"pakbox/codec/texture"
	"pakbox/fault"
)

// tgaFile is a TGA of 2 × 1 pixels: 18 bytes of header as Truevision describes
// them, then what follows.
func tgaFile(kind, bits, descriptor byte, palette []byte, colourBits byte, rest ...byte) []byte {
	b := []byte{0, 0, kind, 0, 0, 0, 0, colourBits, 0, 0, 0, 0, 2, 0, 1, 0, bits, descriptor}
	if palette != nil {
		b[1] = 1
		binary.LittleEndian.PutUint16(b[3:], 1) // the first colour has the number 1
		binary.LittleEndian.PutUint16(b[5:], uint16(len(palette))/uint16((colourBits+7)/8))
	}
	return append(append(b, palette...), rest...)
}

// Every kind of TGA, by hand: blue comes first, rows from below unless the
// descriptor has another order, alpha only if it declares bits for it.
func TestTGAKinds(t *testing.T) {
	const top, right = 0x20, 0x10
	for _, f := range []struct {
		what   string
		data   []byte
		format string
		want   string
	}{
		{"24 bits", tgaFile(2, 24, top, nil, 0, 1, 2, 3, 4, 5, 6), "TGA colour", "[3 2 1 255 6 5 4 255]"},
		{"from the right", tgaFile(2, 24, top|right, nil, 0, 1, 2, 3, 4, 5, 6), "TGA colour", "[6 5 4 255 3 2 1 255]"},
		{"32 bits", tgaFile(2, 32, top|8, nil, 0, 1, 2, 3, 4, 5, 6, 7, 8), "TGA colour", "[3 2 1 4 7 6 5 8]"},
		{"32 bits without attribute bits", tgaFile(2, 32, top, nil, 0, 1, 2, 3, 4, 5, 6, 7, 8), "TGA colour", "[3 2 1 4 7 6 5 8]"},
		{"16 bits", tgaFile(2, 16, top|1, nil, 0, 0x00, 0xFC, 0xE0, 0x03), "TGA colour", "[255 0 0 255 0 255 0 0]"},
		{"15 bits", tgaFile(2, 15, top, nil, 0, 0x1F, 0x00, 0x01, 0x04), "TGA colour", "[0 0 255 255 8 0 8 255]"},
		{"grey", tgaFile(3, 8, top, nil, 0, 9, 10), "TGA grey", "[9 9 9 255 10 10 10 255]"},
		{"grey with alpha", tgaFile(3, 16, top, nil, 0, 9, 1, 10, 2), "TGA grey", "[9 9 9 1 10 10 10 2]"},
		{"palette", tgaFile(1, 8, top, []byte{1, 2, 3, 4, 5, 6}, 24, 2, 1), "TGA palette", "[6 5 4 255 3 2 1 255]"},
		{"palette of 16 bits", tgaFile(1, 16, top, []byte{0x1F, 0, 0xE0, 0x03}, 16, 1, 0, 2, 0), "TGA palette", "[0 0 255 255 0 255 0 255]"},
		{"colours that are not there", tgaFile(1, 8, top, []byte{1, 2, 3}, 24, 0, 2), "TGA palette", "[0 0 0 255 0 0 0 255]"},
		{"a colour whose number has two bytes", tgaFile(1, 16, top, []byte{1, 2, 3}, 24, 1, 1, 1, 0), "TGA palette", "[0 0 0 255 3 2 1 255]"},
		{"a run", tgaFile(10, 24, top, nil, 0, 0x81, 1, 2, 3), "TGA colour in runs", "[3 2 1 255 3 2 1 255]"},
		{"a run that is too long", tgaFile(11, 8, top, nil, 0, 0xFF, 7), "TGA grey in runs", "[7 7 7 255 7 7 7 255]"},
		{"no run", tgaFile(11, 8, top, nil, 0, 0x01, 7, 8), "TGA grey in runs", "[7 7 7 255 8 8 8 255]"},
		{"two runs", tgaFile(11, 8, top, nil, 0, 0x00, 7, 0x80, 8), "TGA grey in runs", "[7 7 7 255 8 8 8 255]"},
		{"runs of a palette", tgaFile(9, 8, top, []byte{1, 2, 3, 4, 5, 6}, 24, 0x81, 2), "TGA palette in runs", "[6 5 4 255 6 5 4 255]"},
	} {
		tex := open(t, "x.tga", f.data)
		if got := fmt.Sprint(first(t, tex).Pix); got != f.want || tex.Format != f.format {
			t.Errorf("%s: %s %s, want %s %s", f.what, tex.Format, got, f.format, f.want)
		}
	}
	rows := tgaFile(3, 8, 0, nil, 0, 1, 2, 3, 4)
	rows[14] = 2
	if got := fmt.Sprint(first(t, open(t, "x.tga", rows)).Pix); got != "[3 3 3 255 4 4 4 255 1 1 1 255 2 2 2 255]" {
		t.Errorf("rows from below: %s", got)
	}
	text := append(append(tgaFile(3, 8, 0x20, nil, 0), "text"...), 1, 2)
	text[0] = 4
	if got := fmt.Sprint(first(t, open(t, "x.tga", text)).Pix); got != "[1 1 1 255 2 2 2 255]" {
		t.Errorf("behind a text: %s", got)
	}
}

func TestTGARefused(t *testing.T) {
	kind := func(at int, v byte) []byte {
		b := tgaFile(3, 8, 0, nil, 0, 1, 2)
		b[at] = v
		return b
	}
	for what, f := range map[string]struct {
		data []byte
		want fault.Kind
	}{
		"no picture":            {kind(2, 0), fault.NotFormat},
		"kind 4":                {kind(2, 4), fault.NotFormat},
		"kind 32":               {kind(2, 32), fault.NotFormat},
		"another palette":       {kind(1, 2), fault.NotFormat},
		"grey of 24 bits":       {kind(16, 24), fault.NotFormat},
		"colour of 8 bits":      {tgaFile(2, 8, 0, nil, 0, 1, 2), fault.NotFormat},
		"palette without one":   {tgaFile(1, 8, 0, nil, 24, 1, 2), fault.NotFormat},
		"palette of 14 bits":    {tgaFile(1, 8, 0, []byte{1, 2}, 14, 1, 2), fault.NotFormat},
		"palette of no colours": {tgaFile(1, 8, 0, []byte{}, 24, 1, 2), fault.NotFormat},
		"a pixel too few":       {tgaFile(3, 8, 0, nil, 0, 1), fault.Truncated},
		"a palette that is cut": {tgaFile(1, 8, 0, []byte{1, 2, 3}, 24)[:20], fault.Truncated},
		"a header that is cut":  {tgaFile(3, 8, 0, nil, 0)[:17], fault.NotFormat},
		"no width":              {kind(12, 0), fault.NotFormat},
	} {
		tex, err := texture.Open("x.tga", f.data)
		if fault.KindOf(err) != f.want {
			t.Errorf("%s: %v, %v, want %s", what, tex, err, f.want)
		}
	}
	tex := open(t, "x.tga", tgaFile(11, 8, 0, nil, 0, 0x01, 7))
	if _, err := tex.Image(0, 0); fault.KindOf(err) != fault.Truncated {
		t.Errorf("a run that is cut: %v", err)
	}
}

// There are as many pictures as layers and levels, and no others.
func TestImageBounds(t *testing.T) {
	tex := open(t, "x.dds", plainDDS(4, 2, 6, 3, 0xFE00))
	for _, c := range []struct {
		layer, level int
		there        bool
	}{{0, 0, true}, {5, 2, true}, {-1, 0, false}, {0, -1, false}, {6, 0, false}, {0, 3, false}} {
		if m, err := tex.Image(c.layer, c.level); (err == nil) != c.there || err != nil && fault.KindOf(err) != fault.BadEntry {
			t.Errorf("layer %d, level %d: %v, %v", c.layer, c.level, m != nil, err)
		}
	}
	for level, want := range []string{"(0,0)-(4,2)", "(0,0)-(2,1)", "(0,0)-(1,1)"} {
		if m, err := tex.Image(0, level); err != nil || m.Bounds().String() != want {
			t.Errorf("level %d: %v", level, err)
		}
	}
}

// A file that ends before its first picture does is refused at once.
func TestCutDDS(t *testing.T) {
	whole := plainDDS(4, 2, 1, 1, 0)
	if _, err := texture.Open("x.dds", whole); err != nil {
		t.Fatal(err)
	}
	if _, err := texture.Open("x.dds", whole[:len(whole)-1]); fault.KindOf(err) != fault.Truncated {
		t.Errorf("err = %v; want err of kind fault.Truncated", err)
	}
	palette := append(plainDDS(1, 1, 1, 1, 0)[:128], make([]byte, 256*4)...)
	binary.LittleEndian.PutUint32(palette[80:], 0x20)
	binary.LittleEndian.PutUint32(palette[88:], 8)
	if _, err := texture.Open("x.dds", palette); fault.KindOf(err) != fault.Truncated {
		t.Errorf("a palette and no pixel: %v", err)
	}
	if _, err := texture.Open("x.dds", append(palette, 0)); err != nil {
		t.Error(err)
	}
	headless := plainDDS(1, 1, 1, 1, 0)
	headless[4] = 123
	if _, err := texture.Open("x.dds", headless); fault.KindOf(err) != fault.BadEntry {
		t.Errorf("another header: %v", err)
	}
}

// Masks count only where the flags say that they do.
func TestDDSFlags(t *testing.T) {
	for _, f := range []struct {
		flags, bits uint32
		format      string
		want        string
	}{
		{0x41, 32, "R8G8B8A8", "[1 2 3 4]"},
		{0x40, 32, "R8G8B8A0", "[1 2 3 255]"},
		{0x20001, 32, "L8A8", "[1 1 1 4]"},
		{0x20000, 32, "L8A0", "[1 1 1 255]"},
		{0x2, 32, "A8", "[0 0 0 4]"},
		{0x40, 20, "", ""},
		{0x80, 32, "", ""},
	} {
		b := plainDDS(1, 1, 1, 1, 0)
		copy(b[128:], []byte{1, 2, 3, 4})
		binary.LittleEndian.PutUint32(b[80:], f.flags)
		binary.LittleEndian.PutUint32(b[88:], f.bits)
		tex, err := texture.Open("x.dds", b)
		if f.format == "" {
			if fault.KindOf(err) != fault.Unsupported {
				t.Errorf("flags %x, %d bits: %v", f.flags, f.bits, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(first(t, tex).Pix); got != f.want || tex.Format != f.format {
			t.Errorf("flags %x: %s %s, want %s %s", f.flags, tex.Format, got, f.format, f.want)
		}
	}
}
