package picture_test

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"testing"

	"pakbox/simutrans/compile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/picture"
)

var update = flag.Bool("update", false, "write the pictures in testdata anew; look at them before they are committed")

// squares is a sheet of four images of 16 by 16: a player's square with a window, one that is
// half transparent, and two of ordinary colours.
func squares() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 4*64, 64))
	for i, c := range []color.NRGBA{img.SpecialColors[4], {R: 200, G: 60, B: 20, A: 120}, {R: 40, G: 160, B: 60, A: 255}, img.SpecialColors[12]} {
		c.A = max(c.A, 120)
		if i == 0 || i == 3 {
			c.A = 255
		}
		for y := range 16 {
			for x := range 16 - 4*i {
				m.SetNRGBA(i*64+20+2*i+x, 30+i+y, c)
			}
		}
	}
	window := img.SpecialColors[16]
	window.A = 255
	m.SetNRGBA(24, 34, window)
	return m
}

// How sheets look: titles, labels, frames, shades, by day and by night.
func TestLooks(t *testing.T) {
	c, err := compile.NewCompiler("", 64)
	if err != nil {
		t.Fatal(err)
	}
	c.Picture("", "s", img.FromNRGBA(squares()))
	s := c.Source("x.dat", "", []byte("obj=vehicle\nname=Bus 7\ncopyright=a painter\nwaytype=road\nemptyimage[s,w,sw,se]=s.0.<$0>\nfreightimage[0][s,w,sw,se]=s.0.<$0>\nfreightimage[1][s,w,sw,se]=s.0.1\nfreightimagetype[0]=Coal\nfreightimagetype[1]=Ore\nfreight=Coal\n"))
	if s.Failed() || len(s.Objects) != 1 {
		t.Fatalf("s.Problems = %v; want s.Failed() = false, s.Objects of length 1", s.Problems)
	}
	bus := s.Objects[0].Node
	green := color.NRGBA{R: 0x2C, G: 0x90, B: 0x30, A: 255}
	for name, opts := range map[string]picture.Options{"day": {Columns: 3, Scale: 2}, "night": {Night: true, Player1: &green}} {
		t.Run(name, func(t *testing.T) {
			m, err := picture.Sheet(bus, opts)
			if err != nil {
				t.Fatal(err)
			}
			same(t, "testdata/"+name+".png", m)
		})
	}
	var list []picture.Named
	for _, direction := range []string{"s", "w", "sw", "se"} {
		m, err := picture.Sprite(bus, map[string]string{"direction": direction, "load": "0"}, picture.Options{Scale: 3})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, picture.Named{Name: "a bus that drives to " + direction, Image: m})
	}
	list = append(list, picture.Named{Name: "large", Image: squares()})
	same(t, "testdata/contact.png", picture.Contact("Five pictures", list))
}

// same compares a picture with the one that somebody has looked at, dot by dot.
func same(t *testing.T, path string, m *image.NRGBA) {
	t.Helper()
	if *update {
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if want.Bounds() != m.Rect {
		t.Fatalf("%s is %v, now it is %v", path, want.Bounds(), m.Rect)
	}
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			if c := color.NRGBAModel.Convert(want.At(x, y)); c != m.NRGBAAt(x, y) {
				t.Fatalf("%s has %v at %d, %d; now it is %v", path, c, x, y, m.NRGBAAt(x, y))
			}
		}
	}
}
