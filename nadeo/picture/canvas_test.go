package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"
)

func TestShade(t *testing.T) {
	for _, f := range []float64{math.NaN(), math.Inf(-1), -1, 0} {
		if got := shade(f); got != ramp[0] {
			t.Errorf("shade(%g) = %v", f, got)
		}
	}
	for _, f := range []float64{1, 2, math.Inf(1)} {
		if got := shade(f); got != ramp[len(ramp)-1] {
			t.Errorf("shade(%g) = %v", f, got)
		}
	}
	light := func(c color.NRGBA) float64 { return 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B) }
	for i := range 100 {
		if a, b := light(shade(float64(i)/100)), light(shade(float64(i+1)/100)); b < a-1.5 {
			t.Errorf("the scale gets darker at %d %%: %.1f, %.1f", i, a, b)
		}
	}
}

// Every pixel of a shape is painted, and none beside it.
func TestPaint(t *testing.T) {
	c := newCanvas(40, 40)
	c.rect(red, 10, 10, 20, 5)
	c.stroke(faded(green, 0x80), 4, point{10, 25}, point{30, 25}, point{10, 25.001})
	c.disc(blue, point{20, 35}, 3)
	img := c.Image()
	at := func(x, y int) color.NRGBA { return color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA) }
	for _, k := range []struct {
		x, y int
		want color.NRGBA
	}{
		{9, 12, background}, {10, 10, red}, {29, 14, red}, {30, 12, background}, {20, 15, background},
		{20, 35, blue}, {24, 35, background},
	} {
		if got := at(k.x, k.y); got != k.want {
			t.Errorf("pixel %d, %d is %v, want %v", k.x, k.y, got, k.want)
		}
	}
	// A stroke that turns back over itself is painted once: half green.
	if got, want := at(20, 25), mix(background, green, 0x80/255.0); near(got, want) > 2 {
		t.Errorf("the stroke is %v, want %v", got, want)
	}
}

func near(a, b color.NRGBA) int {
	d := func(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
	return max(d(a.R, b.R), d(a.G, b.G), d(a.B, b.B))
}

// Shapes can lie anywhere or nowhere: the picture is made, and soon.
func TestFarOut(t *testing.T) {
	c := newCanvas(100, 100)
	odd := []float64{0, 50, -1e30, 1e30, math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(-1)}
	for _, x := range odd {
		for _, y := range odd {
			p := point{x, y}
			c.stroke(red, 3, point{50, 50}, p)
			c.stroke(red, 3, point{1, 1}, p, point{99, 99}, p)
			c.fill(faded(blue, 0x10), point{50, 50}, p, point{50, 80})
			c.rect(faded(blue, 0x10), 10, 10, x, y)
			c.disc(green, p, 4)
			c.ring(green, p, 4, 1)
			c.text(bright, "text", x, y, 12, center)
		}
	}
	for i := range c.shapes {
		for _, p := range c.shapes[i].points {
			if !c.near(p) && math.Abs(p.x)+math.Abs(p.y) > 1e6 {
				t.Fatalf("a shape at %v is kept", p)
			}
		}
	}
	check(t, c)
	// A line that leaves the picture is drawn up to its edge.
	c = newCanvas(100, 100)
	c.stroke(red, 3, point{50, 50}, point{1e9, 50})
	c.stroke(red, 3, point{-1e9, 20}, point{50, 20})
	for _, p := range []point{{99, 50}, {0, 20}} {
		if got := color.NRGBAModel.Convert(c.Image().At(int(p.x), int(p.y))); got != red {
			t.Errorf("the edge at %v is %v", p, got)
		}
	}
}

// A place is somewhere if both of its numbers are.
func TestFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, p := range []point{{bad, 1}, {1, bad}, {bad, bad}} {
			if p.finite() {
				t.Errorf("%v is a place", p)
			}
		}
	}
	if !(point{1, -1e300}).finite() {
		t.Error("point{1, -1e300}.finite() = true, want false")
	}
}

// check holds a picture to both of its formats.
func check(t testing.TB, c *Canvas) {
	t.Helper()
	var b bytes.Buffer
	if err := c.PNG(&b); err != nil {
		t.Fatal(err)
	}
	if img, err := png.Decode(&b); err != nil || img.Bounds().Dx() != c.Width || img.Bounds().Dy() != c.Height {
		t.Fatalf("err = %v; want no error, img.Bounds().Dx() = %v, img.Bounds().Dy() = %v", err, c.Width, c.Height)
	}
	b.Reset()
	if err := c.SVG(&b); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
		t.Error("the SVG has places that are nowhere")
	}
	for d := xml.NewDecoder(&b); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestSVG(t *testing.T) {
	c := newCanvas(10, 10)
	c.text(bright, "<a> & \x00", 5, 5, 12, right)
	c.stroke(faded(red, 0x80), 1.5, point{-1.5, 2}, point{3.25, 2.005})
	var b bytes.Buffer
	if err := c.SVG(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`text-anchor="end" fill="#f2f5f9">&lt;a&gt; &amp; ` + "\ufffd</text>",
		`<path fill="none" d="M-1.5 2l4.75 0.01" stroke-width="1.5" stroke="#ff5c5c" stroke-opacity="0.502"/>`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %s", want, b.String())
		}
	}
}

func TestShortened(t *testing.T) {
	long := strings.Repeat("wide ", 50)
	got := shortened(long, 200, 14, false)
	if w := textWidth(got, 14, false); w > 200 || w < 150 || !strings.HasSuffix(got, "…") {
		t.Errorf("%q is %.0f wide", got, w)
	}
	if shortened("short", 200, 14, true) != "short" {
		t.Error("a short text is cut")
	}
	if shortened("nowhere", 0, 14, true) != "…" {
		t.Error("shortened to no width is not an ellipsis")
	}
	// A name in a file can be as long as the file.
	endless := strings.Repeat("wide ", 200_000)
	if again := shortened(endless, 200, 14, false); again != got {
		t.Errorf("a very long name is %q", again)
	}
}

// Names in all scripts are drawn: in letters that the typeface has, or in words.
func TestDrawnText(t *testing.T) {
	for in, want := range map[string]string{
		"plain ä Ωж":    "plain ä Ωж",
		"ｆｕｌｌ 𝒄𝒖𝒓":      "full cur",
		"ặ x\u0948y":    "ặ xy",
		"赛道 三":          "[Han 2] [Han 1]",
		"سباق":          "[Arabic 4]",
		"жฟ๏.":          "ж[Thai 2].",
		"\ue123a\u200b": "a",
		"":              "",
		"漢字カナ":          "[Han 2][Katakana 2]",
	} {
		if got := drawnText(in); got != want {
			t.Errorf("%q is drawn as %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"a אבג b": "a גבא b", "אבג": "גבא", "אב c דה": "בא c הד", "": ""} {
		if got := inSight(in); got != want {
			t.Errorf("%q is seen as %q, want %q", in, got, want)
		}
	}
	for r := range strings.SplitSeq("←…—", "") {
		if drawnText(r) != r {
			t.Errorf("%q is drawn as %q", r, drawnText(r))
		}
	}
}
