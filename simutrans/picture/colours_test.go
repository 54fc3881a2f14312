package picture

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	"pakbox/simutrans/img"
)

// A player's colour has eight shades: half of it, then eighths more up to itself, then
// quarters on the way to white.
func TestShadesInNumbers(t *testing.T) {
	for c, want := range map[color.NRGBA][8]int{
		{R: 80, A: 255}: {40, 50, 60, 70, 80, 123, 167, 211}, {R: 255, A: 255}: {127, 159, 191, 223, 255, 255, 255, 255}, {A: 255}: {0, 0, 0, 0, 0, 63, 127, 191},
	} {
		for i, v := range want {
			if got := shade(c, i); int(got.R) != v || got.A != 255 || got.G != got.B {
				t.Errorf("shade %d of %d: %v, want %d", i, c.R, got, v)
			}
		}
	}
	if got := darken(color.NRGBA{R: 250, G: 100, B: 200, A: 7}); got != (color.NRGBA{R: 90, G: 36, B: 96, A: 7}) {
		t.Errorf("at night it is %v", got)
	}
}

// Players' colours replace their eight shades each; lights shine at night as in the game,
// and everything else is darker.
func TestPalette(t *testing.T) {
	red, blue := color.NRGBA{R: 200, A: 255}, color.NRGBA{B: 200, A: 255}
	pixel := func(i int) uint16 { return img.FromColor(img.SpecialColors[i]) }
	plain := newPalette(Options{})
	own := newPalette(Options{Player1: &red, Player2: &blue})
	second := newPalette(Options{Player2: &blue})
	night := newPalette(Options{Night: true, Player1: &red})
	for i := range img.Specials {
		day := img.SpecialColors[i]
		day.A = 255
		if got := plain.Color(pixel(i)); got != day {
			t.Errorf("special colour %d is %v, want %v", i, got, day)
		}
		want, wantSecond := day, day
		switch {
		case i < 8:
			want = shade(red, i)
		case i < 16:
			want = shade(blue, i-8)
			wantSecond = want
		}
		if own.Color(pixel(i)) != want || second.Color(pixel(i)) != wantSecond {
			t.Errorf("special colour %d of players is %v and %v, want %v and %v", i, own.Color(pixel(i)), second.Color(pixel(i)), want, wantSecond)
		}
		dark := day
		if light, ok := map[int]color.NRGBA{16: {R: 0xD3, G: 0xC3, B: 0x80, A: 255}, 17: {R: 0x80, G: 0xC3, B: 0xD3, A: 255}, 26: {R: 255, G: 255, B: 0xE3, A: 255}, 27: {R: 0xD3, G: 0xC3, B: 0x80, A: 255}, 28: {R: 0xD3, G: 0xC3, B: 0x80, A: 255}}[i]; ok {
			dark = light
		} else if i < 8 {
			dark = darken(shade(red, i))
		} else if i < 16 {
			dark = darken(day)
		}
		if got := night.Color(pixel(i)); got != dark {
			t.Errorf("special colour %d at night is %v, want %v", i, got, dark)
		}
	}
	grass := img.FromColor(color.NRGBA{R: 80, G: 160, B: 40, A: 255})
	if got := night.Color(grass); got != darken(img.Color(grass)) || plain.Color(grass) != img.Color(grass) {
		t.Errorf("grass at night is %v", got)
	}
}

// A colour is a name or six digits, with or without #.
func TestParseColor(t *testing.T) {
	for text, want := range map[string]color.NRGBA{"Red": {R: 0xC8, G: 0x1E, B: 0x1E, A: 255}, "#0a1B2c": {R: 10, G: 0x1B, B: 0x2C, A: 255}, "ffffff": {R: 255, G: 255, B: 255, A: 255}, "white": {R: 0xD8, G: 0xD8, B: 0xD8, A: 255}} {
		if got, err := ParseColor(text); got != want || err != nil {
			t.Errorf("%s: got = %v, err = %v; want got = %v, no error", text, got, err, want)
		}
	}
	for _, text := range []string{"", "redd", "12345", "1234567", "12345g", "-12345"} {
		if _, err := ParseColor(text); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q is not a colour", text)) {
			t.Errorf(`%q: err = %v; want an error, err with fmt.Sprintf("%%q is not a colour", text)`, text, err)
		}
	}
}

// A contact sheet has eight pictures in a row, as wide as the widest within bounds, and
// the lower middle of a picture that is too large.
func TestContactSizes(t *testing.T) {
	list := func(n, w, h int) (out []Named) {
		for range n {
			out = append(out, Named{"a", image.NewNRGBA(image.Rect(0, 0, w, h))})
		}
		return out
	}
	size := func(l []Named) image.Point { return Contact("t", l).Rect.Size() }
	one := size(list(1, 96, 50))
	for _, test := range []struct {
		n, w, h int
		dx, dy  int
	}{
		{1, 10, 50, 0, 0}, {1, 97, 50, 1, 0}, {1, 160, 50, 64, 0}, {1, 999, 50, 64, 0}, {1, 96, 160, 0, 110}, {1, 96, 999, 0, 110},
		{8, 96, 50, 7 * (96 + gap), 0}, {9, 96, 50, 7 * (96 + gap), 50 + lineHeight + gap}, {17, 96, 50, 7 * (96 + gap), 2 * (50 + lineHeight + gap)},
	} {
		if got := size(list(test.n, test.w, test.h)).Sub(one); got != image.Pt(test.dx, test.dy) {
			t.Errorf("%d of %d by %d: %v more, want %d, %d", test.n, test.w, test.h, got, test.dx, test.dy)
		}
	}
	if one.X != 96+2*gap || one.Y != 50+2*lineHeight+3*gap {
		t.Errorf("one picture takes %v", one)
	}
	if wide := textWidth("abcdef"); fit("abcdef", wide) != "abcdef" || fit("abcdef", wide-1) == "abcdef" || !strings.HasSuffix(fit("abcdef", wide-1), "…") || fit("abcdef", 0) != "" {
		t.Error("a name is cut otherwise")
	}
}
