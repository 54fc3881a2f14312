package picture

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"
)

// block is a picture of one colour with its number.
func block(i, w, h int) Named {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetNRGBA(x, y, color.NRGBA{255, uint8(i), uint8(y), 255})
		}
	}
	return Named{fmt.Sprint("name ", i), m}
}

// Pictures stand in rows of eight, in their order, each on the lower edge of its frame and
// in the middle of it; of a larger one the middle of its lower part is seen. None leaves
// the sheet or covers another.
func TestContact(t *testing.T) {
	for _, test := range []struct {
		list          []Named
		width, height int // of a frame
		columns, rows int
	}{
		{[]Named{block(1, 10, 10)}, 96, 10, 1, 1},
		{[]Named{block(1, 100, 20), block(2, 40, 30), block(3, 1, 1)}, 100, 30, 3, 1},
		{[]Named{block(1, 300, 200), block(2, 100, 160)}, 160, 160, 2, 1},
		{[]Named{block(1, 97, 9), block(2, 9, 9), block(3, 9, 9), block(4, 9, 9), block(5, 9, 9), block(6, 9, 9), block(7, 9, 9), block(8, 9, 9), block(9, 9, 9), block(10, 9, 5)}, 97, 9, 8, 2},
	} {
		m := Contact("t", test.list)
		wide, high := gap+test.columns*(test.width+gap), 2*gap+lineHeight+test.rows*(test.height+lineHeight+gap)
		if m.Rect.Dx() != wide || m.Rect.Dy() != high {
			t.Errorf("%d pictures: the sheet is %v, want %d × %d", len(test.list), m.Rect, wide, high)
		}
		for i, n := range test.list {
			var box image.Rectangle // where its colour is
			low, pixels := 0, 0
			for y := range m.Rect.Dy() {
				for x := range m.Rect.Dx() {
					if c := m.NRGBAAt(x, y); c.R == 255 && int(c.G) == i+1 {
						box = box.Union(image.Rect(x, y, x+1, y+1))
						low, pixels = int(c.B), pixels+1
					}
				}
			}
			size := n.Image.Rect.Size()
			w, h := min(size.X, test.width), min(size.Y, test.height)
			left := gap + i%8*(test.width+gap)
			bottom := gap + lineHeight + i/8*(test.height+lineHeight+gap) + test.height
			want := image.Rect(left+(test.width-w)/2, bottom-h, left+(test.width-w)/2+w, bottom)
			if box != want || pixels != w*h || low != size.Y-1 {
				t.Errorf("picture %d of %d is at %v, want %v; %d pixels, its lowest row is %d of %d", i+1, len(test.list), box, want, pixels, low, size.Y)
			}
		}
	}
	long := strings.Repeat("a long title ", 20)
	if m := Contact(long, nil); m.Rect.Dx() != 2*margin+textWidth(long) || m.Rect.Dy() != 2*gap+lineHeight {
		t.Errorf("without pictures: %v", m.Rect)
	}
}

// A name that is too long is cut, and marked as cut.
func TestFit(t *testing.T) {
	const name = "Schnellzuglokomotive Größe"
	if got := fit(name, textWidth(name)); got != name {
		t.Errorf("got = %q; want %q", got, name)
	}
	for width := range textWidth(name) {
		got := fit(name, width)
		start, cut := strings.CutSuffix(got, "…")
		if textWidth(got) > width || got != "" && (!cut || !strings.HasPrefix(name, start)) {
			t.Errorf("in %d pixels: %q", width, got)
		}
		next := name[:len(start)+len(string([]rune(name[len(start):])[0]))]
		if textWidth(next+"…") <= width && next != name {
			t.Errorf("in %d pixels %q, though there is room for %q", width, got, next)
		}
	}
	if got := fit("", 5); got != "" {
		t.Errorf(`got = %q; want ""`, got)
	}
}
