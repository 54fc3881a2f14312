package lint

import (
	"image/color"
	"strings"
	"testing"

	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
)

// drawing makes a bitmap of rows: a letter stands for a pixel, a point for none.
func drawing(rows ...string) *img.Bitmap {
	letters := map[rune]uint16{
		'.': img.Transparent, 'o': img.FromColor(color.NRGBA{R: 0x40, A: 255}), 'p': img.FromColor(color.NRGBA{R: 0xE3, G: 0xFF, B: 0xFF, A: 255}),
		's': img.FromColor(img.SpecialColors[3]),
	}
	near := img.SpecialColors[3]
	near.B ^= 1
	letters['n'] = img.FromColor(near)
	b := img.NewBitmap(len(rows[0]), len(rows))
	for y, row := range rows {
		for x, r := range row {
			b.Pix[y*b.W+x] = letters[r]
		}
	}
	return b
}

// Pale pixels count where they touch what is transparent, on any of four sides or at the
// end of the picture, and not inside. Shades count everywhere.
func TestCountPixels(t *testing.T) {
	for _, test := range []struct {
		rows               string
		edge, near, exact3 int
	}{
		{"ooo opo ooo", 0, 0, 0}, {"o.o opo ooo", 1, 0, 0}, {"ooo .po ooo", 1, 0, 0}, {"ooo op. ooo", 1, 0, 0}, {"ooo opo o.o", 1, 0, 0}, {".o. opo .o.", 0, 0, 0},
		{"poo ooo ooo", 1, 0, 0}, {"opo ooo ooo", 1, 0, 0}, {"ooo poo ooo", 1, 0, 0}, {"ooo oop ooo", 1, 0, 0}, {"ooo ooo opo", 1, 0, 0}, {"ooooo opppo oo.oo", 1, 0, 0},
		{"ooooo opppo o...o", 3, 0, 0}, {"nos non ono", 0, 4, 1}, {"sss ooo", 0, 0, 3}, {"...", 0, 0, 0},
	} {
		rows := strings.Fields(test.rows)
		count := countPixels(&node.Node{Type: node.IMG, Body: img.Encode(drawing(rows...), 0, 0).Append(nil)})
		if count.edge != test.edge || count.near[3] != test.near || test.edge+test.near > 0 && count.exact[3] != test.exact3 {
			t.Errorf("%s: %d at edges, %d near and %d exact", test.rows, count.edge, count.near[3], count.exact[3])
		}
	}
}
