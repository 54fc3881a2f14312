package img_test

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"os"
	"slices"
	"testing"

	"pakbox/fault"
	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
)

const none = img.Transparent

// The words of colours, by the rules at the head of colour.go.
func TestWordsOfColours(t *testing.T) {
	for _, test := range []struct {
		c    color.NRGBA
		want uint16
	}{
		{color.NRGBA{0, 0, 0, 255}, 0},
		{color.NRGBA{255, 0, 0, 255}, 31 << 10},
		{color.NRGBA{0, 255, 0, 255}, 31 << 5},
		{color.NRGBA{0, 0, 255, 255}, 31},
		{color.NRGBA{7, 8, 16, 255}, 1<<5 | 2},
		{color.NRGBA{0x24, 0x4B, 0x67, 255}, 0x8000},            // the player's darkest
		{color.NRGBA{0x01, 0x01, 0xFF, 255}, 0x8000 + 30},       // the last special colour
		{color.NRGBA{0x24, 0x4B, 0x68, 255}, 4<<10 | 9<<5 | 13}, // nearly special
		{color.NRGBA{0x24, 0x4A, 0x67, 255}, 4<<10 | 9<<5 | 12},
		{color.NRGBA{0x25, 0x4B, 0x67, 255}, 4<<10 | 9<<5 | 12},
		{color.NRGBA{0x24, 0x4B, 0x67, 254}, 0x8020 + 30}, // a little translucent
		{color.NRGBA{0x24, 0x4B, 0x67, 248}, 0x8020 + 30},
		{color.NRGBA{0x24, 0x4B, 0x67, 247}, 0x8020 + 29},
		{color.NRGBA{0x24, 0x4B, 0x67, 8}, 0x8020}, // hardly visible
		{color.NRGBA{0x24, 0x4B, 0x67, 7}, none},
		{color.NRGBA{0x39, 0x5E, 0x7C, 8}, 0x8020 + 31},
		{color.NRGBA{0, 0, 0, 8}, 0x8020 + 31*31},
		{color.NRGBA{0x20, 0, 0, 8}, 0x8020 + 31*31 + 1<<7*31},
		{color.NRGBA{0, 0x10, 0, 8}, 0x8020 + 31*31 + 1<<3*31},
		{color.NRGBA{0, 0, 0x20, 8}, 0x8020 + 31*31 + 31},
		{color.NRGBA{255, 255, 255, 254}, 0x8020 + 31*31 + 1023*31 + 30},
		{color.NRGBA{0xE7, 0xFF, 0xFF, 255}, none},
		{color.NRGBA{0xE7, 0xFF, 0xFF, 128}, none},
		{color.NRGBA{0xE8, 0xFF, 0xFF, 255}, 29<<10 | 31<<5 | 31},
		{color.NRGBA{0xE7, 0xFE, 0xFF, 255}, 28<<10 | 31<<5 | 31},
		{color.NRGBA{0xE7, 0xFF, 0xFE, 255}, 28<<10 | 31<<5 | 31},
		{color.NRGBA{}, none},
	} {
		if got := img.FromColor(test.c); got != test.want {
			t.Errorf("%v becomes %#x, want %#x", test.c, got, test.want)
		}
	}
	if got := fmt.Sprint(img.Color(0x7FFF), img.Color(0x8020), img.Color(0x8020+31*31), img.Color(none), img.Color(0x801F)); got !=
		"{248 248 248 255} {36 75 103 11} {0 0 0 11} {0 0 0 0} {1 1 255 255}" {
		t.Errorf(`got = %v; want "{248 248 248 255} {36 75 103 11} {0 0 0 11} {0 0 0 0} {1 1 255 255}"`, got)
	}
}

func TestSpecialAndTranslucent(t *testing.T) {
	for p, want := range map[uint16]string{
		0: "0 false false", 0x7FFF: "0 false false", 0x8000: "0 true false", 0x801E: "30 true false", 0x801F: "0 false false",
		0x8020: "0 true true", 0x803E: "0 true true", 0x803F: "1 true true",
		0x8020 + 31*31 - 1: "30 true true", 0x8020 + 31*31: "0 false true", 0xFFFE: "0 false true", none: "0 false false",
	} {
		i, ok := img.Special(p)
		if got := fmt.Sprint(i, ok, img.Translucent(p)); got != want {
			t.Errorf("%#x: %s, want %s", p, got, want)
		}
	}
}

// Every row that the head of img.go speaks of.
func TestRows(t *testing.T) {
	const a, b = 0x8020, 0x8021 // translucent
	for name, test := range map[string]struct{ row, want []uint16 }{
		"full":                 {[]uint16{1, 2, 3}, []uint16{0, 3, 1, 2, 3, 0}},
		"hole":                 {[]uint16{1, none, none, 3}, []uint16{0, 1, 1, 2, 1, 3, 0}},
		"opaque, translucent":  {[]uint16{1, a, b}, []uint16{0, 1, 1, 0x8000, 0x8002, a, b, 0}},
		"translucent, opaque":  {[]uint16{a, 1}, []uint16{0, 0x8001, a, 0x8000, 1, 1, 0}},
		"translucent and hole": {[]uint16{a, none, b}, []uint16{0, 0x8001, a, 1, 0x8001, b, 0}},
	} {
		m := img.Encode(&img.Bitmap{W: len(test.row), H: 1, Pix: test.row}, 0, 0)
		if !slices.Equal(m.Words, test.want) || m.X != 0 || m.Y != 0 || m.W != len(test.row) || m.H != 1 {
			t.Errorf("%s: m = %+v; want m.Words equal to %v, m.X = 0, m.Y = 0, m.W = len(test.row), m.H = 1", name, m, test.want)
		}
		if again, err := m.Bitmap(); err != nil || !slices.Equal(again.Pix, test.row) {
			t.Errorf("%s: read as %x, %v", name, again, err)
		}
	}
	// Around the box nothing is coded; inside, an empty row and the end of one.
	b3 := &img.Bitmap{W: 4, H: 5, Pix: []uint16{
		none, none, none, none,
		none, 1, none, none,
		none, none, none, none,
		none, none, 2, none,
		none, none, none, none,
	}}
	m := img.Encode(b3, 10, 20)
	if want := []uint16{0, 1, 1, 0, 2, 0, 0, 1, 1, 2, 0}; !slices.Equal(m.Words, want) || m.X != 11 || m.Y != 21 || m.W != 2 || m.H != 3 || m.Version != 3 || m.Zoomable != 1 {
		t.Errorf("m = %+v; want m.Words equal to %v, m.X = 11, m.Y = 21, m.W = 2, m.H = 3, m.Version = 3, m.Zoomable = 1", m, want)
	}
	if m := img.Encode(img.NewBitmap(4, 4), 10, 20); m.X != 11 || m.Y != 21 || m.W != 0 || m.H != 0 || len(m.Words) != 0 {
		t.Errorf("nothing is %+v", m)
	}
	for at, want := range map[[2]int]uint16{{1, 1}: 1, {2, 3}: 2, {0, 0}: none, {-1, 1}: none, {1, -1}: none, {4, 0}: none, {0, 5}: none} {
		if got := b3.At(at[0], at[1]); got != want {
			t.Errorf("%v is %#x", at, got)
		}
	}
	edge := &img.Bitmap{W: 1, H: 1, Pix: []uint16{9}}
	if edge.At(0, 0) != 9 || edge.At(1, 0) != none || edge.At(0, 1) != none {
		t.Error("the edge of one pixel")
	}
}

// sheet is two cells beside each other and two below; only the last has pixels.
func sheet() *img.Bitmap {
	b := img.NewBitmap(8, 8)
	for _, at := range [][2]int{{5, 5}, {6, 5}, {6, 7}} {
		b.Pix[at[1]*8+at[0]] = uint16(at[0])
	}
	return b
}

func TestCells(t *testing.T) {
	if m := img.EncodeCell(sheet(), 0, 4, 4, 0, 0); len(m.Words) != 0 {
		t.Errorf("the empty cell is %+v", m)
	}
	m := img.EncodeCell(sheet(), 4, 4, 4, 2, 3)
	if want := []uint16{0, 2, 5, 6, 0, 2, 0, 0, 1, 1, 6, 0}; !slices.Equal(m.Words, want) || m.X != 3 || m.Y != 4 || m.W != 2 || m.H != 3 {
		t.Errorf("m = %+v; want m.Words equal to %v, m.X = 3, m.Y = 4, m.W = 2, m.H = 3", m, want)
	}
	old, ok := img.EncodeCell1(sheet(), 4, 4, 4, 2, 3)
	if want := []uint16{1, 2, 5, 6, 1, 0, 0, 4, 0, 0, 2, 1, 6, 1, 0, 0}; !ok || old.Version != 1 || !slices.Equal(old.Words, want) || old.X != 3 || old.Y != 4 || old.W != 2 || old.H != 3 {
		t.Errorf("as version 1, %v: %+v", ok, old)
	}
	if old.Span() != 4 || m.Span() != 2 {
		t.Errorf("spans %d and %d", old.Span(), m.Span())
	}
	a, errA := m.Bitmap()
	b, errB := old.Bitmap()
	if errA != nil || errB != nil || !slices.Equal(a.Pix, b.Pix) {
		t.Errorf("%x, %v and %x, %v", a, errA, b, errB)
	}
	glass := sheet()
	glass.Pix[5*8+5] = 0x8020
	if _, ok := img.EncodeCell1(glass, 4, 4, 4, 0, 0); ok {
		t.Error("version 1 has something translucent")
	}
	for _, size := range [][2]int{{255, 255}, {256, 1}, {1, 256}} {
		large := img.NewBitmap(256, 256)
		large.Pix[0], large.Pix[(size[1]-1)*256+size[0]-1] = 1, 1
		if _, ok := img.EncodeCell1(large, 0, 0, 256, 0, 0); ok != (size[0] < 256 && size[1] < 256) {
			t.Errorf("%v pixels: %v", size, ok)
		}
	}
}

// Images of version 1 in real files are what EncodeCell1 makes of their pixels.
func TestVersion1AsRealCompilersWroteIt(t *testing.T) {
	same, all := 0, 0
	for _, path := range corpus.Files(t, corpus.Dir(t, "simutrans"), "pak", "*.pak") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := node.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		f.Root.Walk(func(n *node.Node, _ int) bool {
			if n.Type != node.IMG {
				return true
			}
			m, err := img.Parse(n.Body, n.BodyOffset())
			if err != nil {
				t.Fatal(err)
			}
			if m.Version != 1 || len(m.Words) == 0 || m.X < 0 || m.Y < 0 {
				return true
			}
			b, err := m.Bitmap()
			if err != nil {
				t.Fatal(err)
			}
			size := max(m.Span(), m.X+m.W, m.Y+m.H)
			cell := img.NewBitmap(size, size)
			for y := range m.H {
				copy(cell.Pix[(y+m.Y)*size+m.X:], b.Pix[y*m.W:(y+1)*m.W])
			}
			again, ok := img.EncodeCell1(cell, 0, 0, size, 0, 0)
			if all++; ok && string(again.Append(nil)) == string(m.Append(nil)) {
				same++
			}
			return true
		})
	}
	// The size of the cell is unknown for the others.
	if same != 812 || all != 848 {
		t.Errorf("%d of %d are the same", same, all)
	}
}

// Pictures that are not read from their own edge, and drawn elsewhere.
func TestPictures(t *testing.T) {
	m := image.NewNRGBA(image.Rect(2, 3, 6, 8))
	m.SetNRGBA(2, 3, color.NRGBA{255, 0, 0, 255})
	m.SetNRGBA(5, 7, color.NRGBA{0, 0, 255, 255})
	b := img.FromNRGBA(m)
	if b.W != 4 || b.H != 5 || len(b.Pix) != 20 || b.At(0, 0) != 31<<10 || b.At(3, 4) != 31 || b.At(1, 0) != none {
		t.Errorf("b = %+v; want b.W = 4, b.H = 5, b.Pix of length 20, b.At(0, 0) = 31 << 10, b.At(3, 4) = 31, b.At(1, 0) = %v", b, none)
	}
	if again := img.FromNRGBA(b.NRGBA()); again.W != b.W || !slices.Equal(again.Pix, b.Pix) {
		t.Errorf("again = %+v; want again.W = %v, again.Pix equal to %v", again, b.W, b.Pix)
	}
	dst := image.NewNRGBA(image.Rect(0, 0, 10, 10))
	dst.SetNRGBA(2, 1, color.NRGBA{1, 2, 3, 255})
	img.Draw(dst, 1, 1, b, img.Source{})
	if dst.NRGBAAt(1, 1) != (color.NRGBA{248, 0, 0, 255}) || dst.NRGBAAt(4, 5) != (color.NRGBA{0, 0, 248, 255}) || dst.NRGBAAt(2, 1) != (color.NRGBA{1, 2, 3, 255}) {
		t.Errorf("dst.NRGBAAt(1, 1) = %v, dst.NRGBAAt(4, 5) = %v, dst.NRGBAAt(2, 1) = %v; want dst.NRGBAAt(1, 1) = color.NRGBA{248, 0, 0, 255}, dst.NRGBAAt(4, 5) = color.NRGBA{0, 0, 248, 255}, dst.NRGBAAt(2, 1) = color.NRGBA{1, 2, 3, 255}", dst.NRGBAAt(1, 1), dst.NRGBAAt(4, 5), dst.NRGBAAt(2, 1))
	}
}

// Where in the file an image is wrong. It begins at 1000.
func TestErrorsSayWhere(t *testing.T) {
	head3, head1 := "\x00\x00\x00\x00\x02\x00\x03\x01\x00\x01", "\x00\x00\x00\x00\x02\x01\x01\x03\x00\x01"
	for _, test := range []struct {
		body   string
		offset int64
		field  string
	}{
		{"\x00\x00\x00\x00\x00\x00", 1000, "image"},
		{"\x00\x00\x00\x00\x00\x00\x04", 1006, "version"},
		{"\x00\x00\x00\x00\x00\x00\x03", 1007, "h"},
		{"\x00\x00\x00\x00\x00\x00\x01", 1007, "len"},
		{"\x00\x00\x00\x00\x00\x00\x00", 1004, "len"},
		{"\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x01\x00", 1012, "len"},
		{head1 + "\x00\x00\x01\x00", 1010, "len"},
		{head3, 1010, "word"},
		{head3 + "\x00\x00", 1012, "word"},
		{head3 + "\x00\x00\x02\x00\x07\x00", 1014, "word"},
		{head3 + "\x00\x00\x01\x00\x07\x00", 1016, "word"},
		{head3 + "\x00\x00\x01\x00\x07\x00\x00\x00\x09\x00", 1018, "word"},
		{head3 + "\x02\x00\x01\x00\x07\x00\x00\x00", 1016, "row"},
		{head1 + "\x02\x00\x00\x00\x00\x00", 0, ""}, // an empty row
		{head3 + "\x01\x00\x01\x00\x07\x00\x00\x00", 0, ""},
	} {
		m, err := img.Parse([]byte(test.body), 1000)
		if err == nil {
			_, err = m.Bitmap()
		}
		var e *fault.Error
		if test.field == "" {
			if err != nil {
				t.Errorf("%q: %v", test.body, err)
			}
		} else if !errors.As(err, &e) || e.Offset != test.offset || e.Field != test.field {
			t.Errorf("%q: %v, want %s at %d", test.body, err, test.field, test.offset)
		}
	}
}

// The first versions count from the edge of the cell, from the third on from
// the edge of the box; and what stands behind the rows is kept.
func TestVersions(t *testing.T) {
	for body, want := range map[string][]uint16{
		"\x01\x02\x00\x01\x04\x00\x00\x00\xaa\xbb\x01\xcc" + "\x03\x00\x01\x00\x0f\x80\x00\x00":     {0x8010, none}, // version 0
		"\x01\x02\x00\x01\x04\x00\x00\x00\xaa\xbb\x01\xcc" + "\x03\x00\x01\x00\x10\x80\x00\x00tail": {0x8010, none},
		"\x01\x00\x00\x00\x02\x01\x01\x04\x00\x01" + "\x03\x00\x01\x00\x0f\x80\x00\x00":             {0x800F, none}, // version 1
		"\x01\x00\x00\x00\x02\x01\x02\x04\x00\x01" + "\x01\x00\x01\x00\x0f\x80\x00\x00t":            {none, 0x800F}, // version 2
		"\x01\x00\x00\x00\x02\x00\x03\x01\x00\x01" + "\x01\x00\x01\x00\x0f\x80\x00\x00t":            {none, 0x800F}, // version 3
	} {
		m, err := img.Parse([]byte(body), 0)
		if err != nil {
			t.Errorf("%q: %v", body, err)
			continue
		}
		b, err := m.Bitmap()
		if err != nil || !slices.Equal(b.Pix, want) || m.X != 1 || m.Y != 0 || m.W != 2 || m.H != 1 || m.Zoomable != 1 {
			t.Errorf("%q: m = %+v, b = %x, err = %v; want no error, b.Pix equal to %v, m.X = 1, m.Y = 0, m.W = 2, m.H = 1, m.Zoomable = 1", body, m, b, err, want)
		}
		if got := string(m.Append(nil)); got != body {
			t.Errorf("%q is written as %q", body, got)
		}
	}
	// Rows without pixels say nothing about the edge; a row may begin with one.
	m := &img.Image{Version: 1, W: 2, H: 2, Words: []uint16{2, 0, 0, 5, 1, 7, 1, 1, 8, 0}}
	m.W = 3
	if b, err := m.Bitmap(); err != nil || !slices.Equal(b.Pix, []uint16{none, none, none, 7, none, 8}) {
		t.Errorf("b = %x, err = %v; want no error, b.Pix equal to []uint16{none, none, none, 7, none, 8}", b, err)
	}
}
