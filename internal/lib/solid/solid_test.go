package solid

import (
	"image/color"
	"testing"
)

// What is nearer covers what lies behind it, whichever is drawn first, and what is
// not covered stays clear.
func TestNearerCovers(t *testing.T) {
	red, blue := color.NRGBA{200, 0, 0, 255}, color.NRGBA{0, 0, 200, 255}
	low := [3]Point{{-1, 0, -1}, {-1, 0, 1}, {1, 0, -1}}
	high := [3]Point{{-1, 1, -1}, {-1, 1, 1}, {1, 1, -1}}
	var before [2]int
	for _, first := range []bool{true, false} {
		d := New(64, 64)
		for _, p := range append(low[:], high[:]...) {
			d.Hold(p)
		}
		if !d.Fit(2) {
			t.Fatal("nothing to show")
		}
		if first {
			d.Triangle(low, Normal(low), red)
		}
		d.Triangle(high, Normal(high), blue)
		if !first {
			d.Triangle(low, Normal(low), red)
		}
		reds, blues := 0, 0
		for i := 0; i < len(d.Image.Pix); i += 4 {
			if d.Image.Pix[i] > 0 {
				reds++
			}
			if d.Image.Pix[i+2] > 0 {
				blues++
			}
		}
		if reds == 0 || blues < 400 || d.Image.NRGBAAt(0, 0).A != 0 || !first && before != [2]int{reds, blues} {
			t.Errorf("low first %v: %d pixels of what is below, %d of what is above, %v before", first, reds, blues, before)
		}
		before = [2]int{reds, blues}
	}
	if New(8, 8).Fit(1) {
		t.Error("nothing fits")
	}
	if n := Normal(low); n[1] < 0.99 {
		t.Errorf("the triangle looks %v, not upwards", n)
	}
}
