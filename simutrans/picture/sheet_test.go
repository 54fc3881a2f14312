package picture

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
)

// Shades go from dark to light through the colour itself, evenly.
func TestShades(t *testing.T) {
	for c, want := range map[color.NRGBA]string{
		{200, 80, 0, 255}:    "100,40,0 125,50,0 150,60,0 175,70,0 200,80,0 213,123,63 227,167,127 241,211,191",
		{255, 255, 255, 255}: "127,127,127 159,159,159 191,191,191 223,223,223 255,255,255 255,255,255 255,255,255 255,255,255",
	} {
		got := ""
		for i := range shades {
			s := shade(c, i)
			got += fmt.Sprintf("%d,%d,%d ", s.R, s.G, s.B)
			if s.A != 255 {
				t.Errorf("shade %d of %v is translucent", i, c)
			}
		}
		if got != want+" " {
			t.Errorf("%v: %s, want %s", c, got, want)
		}
	}
}

// By night ordinary colours and players' are dim, lights are not; alpha stays.
func TestNight(t *testing.T) {
	if got := darken(color.NRGBA{100, 200, 250, 77}); got != (color.NRGBA{36, 72, 120, 77}) {
		t.Errorf("got = %v; want color.NRGBA{36, 72, 120, 77}", got)
	}
	red := color.NRGBA{200, 0, 0, 255}
	day, night := newPalette(Options{Player2: &red}), newPalette(Options{Player2: &red, Night: true})
	for _, test := range []struct {
		pixel      uint16
		day, night color.NRGBA
	}{
		{31 << 10, color.NRGBA{248, 0, 0, 255}, color.NRGBA{89, 0, 0, 255}},
		{0x8000, img.SpecialColors[0], darken(img.SpecialColors[0])},             // the first player's darkest
		{0x8000 + 8 + 4, red, color.NRGBA{72, 0, 0, 255}},                        // the second's own
		{0x8000 + 16, img.SpecialColors[16], color.NRGBA{0xD3, 0xC3, 0x80, 255}}, // a window
		{0x8000 + 20, img.SpecialColors[20], img.SpecialColors[20]},              // a light that is the same
		{0x8020 + 12*31, color.NRGBA{200, 0, 0, 11}, color.NRGBA{72, 0, 0, 11}},  // translucent
	} {
		if d, n := day.Color(test.pixel), night.Color(test.pixel); d != test.day || n != test.night {
			t.Errorf("%#x is %v and %v, want %v and %v", test.pixel, d, n, test.day, test.night)
		}
	}
}

func TestOver(t *testing.T) {
	white, none := color.NRGBA{255, 255, 255, 255}, color.NRGBA{}
	for _, test := range []struct{ c, under, want color.NRGBA }{
		{color.NRGBA{10, 20, 30, 255}, white, color.NRGBA{10, 20, 30, 255}},
		{color.NRGBA{0, 0, 0, 51}, white, color.NRGBA{204, 204, 204, 255}},
		{color.NRGBA{10, 20, 30, 100}, none, color.NRGBA{10, 20, 30, 100}},
		{none, white, white}, {none, none, none},
		{color.NRGBA{100, 0, 0, 128}, color.NRGBA{0, 100, 0, 128}, color.NRGBA{67, 32, 0, 191}},
	} {
		if got := over(test.c, test.under); got != test.want {
			t.Errorf("%v over %v is %v, want %v", test.c, test.under, got, test.want)
		}
	}
}

// pixels is an image of version 3 at x, y.
func pixels(x, y, w, h byte, words ...uint16) *node.Node {
	body := []byte{x, 0, y, 0, w, 0, 3, h, 0, 1}
	for _, word := range words {
		body = append(body, byte(word), byte(word>>8))
	}
	return &node.Node{Type: node.IMG, Body: body}
}

func symbol(images ...*node.Node) *node.Node {
	list := &node.Node{Type: node.IMG1, Body: []byte{byte(len(images)), 0, 0, 0}, Children: images}
	return &node.Node{Type: node.SYMB, Children: []*node.Node{node.NewText("a"), node.NewText("me"), list}}
}

// Where things are on a sheet: a title, the name of a section, frames of one
// size beside each other, each image in its place there, its label below.
func TestSheet(t *testing.T) {
	const red, green = 31 << 10, 31 << 5
	n := symbol(pixels(2, 3, 1, 1, 0, 1, red, 0), pixels(5, 4, 1, 1, 0, 1, green, 0), pixels(2, 3, 0, 0), pixels(2, 3, 1, 1, 0, 1, red, 0))
	for _, opts := range []Options{{Columns: 2}, {Columns: 2, Scale: 3}, {Columns: 2, Night: true}, {Columns: 1}, {}} {
		m, err := Sheet(n, opts)
		if err != nil {
			t.Fatal(err)
		}
		scale, columns := max(1, opts.Scale), opts.Columns
		if columns == 0 {
			columns = 8
		}
		width, height := 4*scale, 2*scale // of the box around all images, which begins at 2, 3
		ground, frame := color.NRGBA{200, 200, 200, 255}, color.NRGBA{175, 175, 175, 255}
		dot := map[bool][2]color.NRGBA{false: {{248, 0, 0, 255}, {0, 248, 0, 255}}, true: {{89, 0, 0, 255}, {0, 89, 0, 255}}}[opts.Night]
		if opts.Night {
			ground, frame = color.NRGBA{28, 30, 40, 255}, color.NRGBA{25, 27, 35, 255}
		}
		if got := m.NRGBAAt(0, 0); got != ground {
			t.Errorf("%+v: the ground is %v", opts, got)
		}
		rows := (3 + columns - 1) / columns
		if got, want := m.Bounds().Dy(), 2*margin+2*lineHeight+rows*(height+lineHeight+margin); got != want {
			t.Errorf("%+v: %d pixels high, want %d", opts, got, want)
		}
		pitch := max(width, textWidth("0"), textWidth("1"), textWidth("3")) + gap
		if got, want := m.Bounds().Dx(), max(margin+min(3, columns)*pitch, 2*margin+textWidth("symbol a by me")); got != want {
			t.Errorf("%+v: %d pixels wide, want %d", opts, got, want)
		}
		for i, at := range []image.Point{{0, 0}, {3, 1}, {0, 0}} {
			corner := image.Pt(margin+i%columns*pitch, margin+2*lineHeight+i/columns*(height+lineHeight+margin))
			for _, p := range []image.Point{{width - 1, 0}, {0, height - 1}, {width / 2, height / 2}} {
				if got := m.NRGBAAt(corner.X+p.X, corner.Y+p.Y); got != frame {
					t.Errorf("%+v: at %v of image %d is %v", opts, p, i, got)
				}
			}
			want := dot[i%2]
			for dy := range scale {
				for dx := range scale {
					if got := m.NRGBAAt(corner.X+at.X*scale+dx, corner.Y+at.Y*scale+dy); got != want {
						t.Errorf("%+v: image %d is %v, want %v", opts, i, got, want)
					}
				}
			}
			ink := 0
			for y := corner.Y + height; y < corner.Y+height+lineHeight; y++ {
				for x := corner.X; x < corner.X+textWidth("0"); x++ {
					if m.NRGBAAt(x, y) != ground {
						ink++
					}
				}
			}
			if ink < 5 {
				t.Errorf("%+v: image %d has no label", opts, i)
			}
		}
	}
	for name, broken := range map[string]*node.Node{"rows": pixels(0, 0, 1, 1, 0), "header": {Type: node.IMG, Body: []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}} {
		if _, err := Sheet(symbol(broken), Options{}); fault.KindOf(err) == "" {
			t.Errorf(`%s: err = %v; want err of a kind other than none`, name, err)
		}
	}
}

// Keys, and what begins a new row.
func TestKeys(t *testing.T) {
	for key, want := range map[string]string{
		"image": "image [] ", "image[n]": "image [n] ", "image[n][0]": "image [n 0] ", "freightimage[0][s]": "freightimage [0 s] 0", "back[9][1]": "back [9 1] 9", "image[3]": "image [3] ",
	} {
		stem, indices := splitKey(key)
		if got := fmt.Sprint(stem, " ", indices, " ", groupOf(indices)); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}

// A row has eight images by default, and a sheet has the name of its
// object.
func TestSheetOfNine(t *testing.T) {
	var images []*node.Node
	for range 9 {
		images = append(images, pixels(0, 0, 1, 1, 0, 1, 7, 0))
	}
	m, err := Sheet(symbol(images...), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Bounds().Dy(), 2*margin+2*lineHeight+2*(1+lineHeight+margin); got != want {
		t.Errorf("%d pixels high, want %d", got, want)
	}
	ink := 0
	for x := margin; x < margin+textWidth("symbol a by me"); x++ {
		for y := margin; y < margin+lineHeight; y++ {
			if m.NRGBAAt(x, y).R < 120 { // more ink than ground
				ink++
			}
		}
	}
	if ink < 60 {
		t.Errorf("a title of %d dots", ink)
	}
}

// The order in which people go through choices.
func TestOrderOfValues(t *testing.T) {
	for _, test := range []struct{ axis, values, want string }{
		{axisDirection, "w nw s n ne", "n ne s w nw"},
		{axisLoad, "1 loaded 0 empty", "empty loaded 0 1"},
		{axisShow, "icon cursor object", "object icon cursor"},
		{axisFrame, "10 9 2 0", "0 2 9 10"},
	} {
		a := Axis{Name: test.axis}
		for v := range strings.FieldsSeq(test.values) {
			a.Values = append(a.Values, Value{Value: v})
		}
		a.sort()
		var got []string
		for _, v := range a.Values {
			got = append(got, v.Value)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %v, want %s", test.axis, got, test.want)
		}
	}
}

// The labels of choices.
func TestLabels(t *testing.T) {
	n := &node.Node{Type: node.VHCL, Children: []*node.Node{
		node.NewText("Bus"), node.NewText("me"),
		node.NewXref(node.Xref{Type: node.GOOD, Name: "Coal"}), node.NewXref(node.Xref{Type: node.GOOD, Name: "Ore"}), node.NewXref(node.Xref{Type: node.GOOD, Name: "Coal"}),
	}}
	for _, test := range []struct {
		axis, value string
		choices     int
		want        string
	}{
		{axisSeason, "0", 2, "summer"}, {axisSeason, "1", 2, "snow"}, {axisSeason, "7", 2, "snow"},
		{axisSeason, "1", 4, "autumn"}, {axisSeason, "4", 5, "snow"}, {axisSeason, "5", 6, "5"},
		{axisLoad, "0", 2, "Ore"}, {axisLoad, "1", 2, "Coal"}, {axisLoad, "2", 3, "2"}, {axisLoad, "empty", 2, "empty"},
		{axisLivery, "0", 2, "0"}, {axisFrame, "3", 4, "3"}, {axisDirection, "nw", 8, "nw"},
	} {
		if got := label(n, test.axis, test.value, test.choices); got != test.want {
			t.Errorf("%s %s of %d: %q, want %q", test.axis, test.value, test.choices, got, test.want)
		}
	}
	if goods := freightGoods(&node.Node{Type: node.VHCL, Children: n.Children[:3]}); goods != nil {
		t.Errorf("goods = %v; want nil", goods)
	}
}

// Tiles are diamonds half as high as they are wide, and those in front hide
// those behind.
func TestPlaces(t *testing.T) {
	at := func(x, y, storey, layer int) sprite {
		return sprite{node: pixels(1, 2, 1, 1, 0, 1, 7, 0), axes: map[string]string{}, x: x, y: y, storey: storey, layer: layer, key: fmt.Sprint(x, y, storey, layer)}
	}
	placed, box, err := place([]sprite{at(1, 1, 0, 1), at(1, 0, 1, 0), at(1, 0, 0, 0), at(0, 1, 0, 0), at(0, 0, 0, 1), at(0, 0, 0, 0)}, 64, "", "")
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, p := range placed {
		got += fmt.Sprint(p.key, " ", p.at, "; ")
	}
	if want := "0 0 0 0 (1,2); 0 0 0 1 (1,2); 1 0 0 0 (33,18); 0 1 0 0 (-31,18); 1 0 1 0 (33,-46); 1 1 0 1 (1,34); "; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if box != image.Rect(-31, -46, 34, 35) {
		t.Errorf("box = %v; want image.Rect(-31, -46, 34, 35)", box)
	}
}
