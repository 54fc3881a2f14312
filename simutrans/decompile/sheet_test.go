package decompile_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
)

// symbols compiles a source beside a picture s of cells of the given size, in
// whose first cell there is a rectangle of colours, and nothing in the others.
func symbols(t *testing.T, cell int, r image.Rectangle, source string) *node.Node {
	t.Helper()
	c, err := compile.NewCompiler("60.6", cell)
	if err != nil {
		t.Fatal(err)
	}
	b := img.NewBitmap(2*cell, cell)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			b.Pix[y*b.W+x] = uint16(x%31 + 32*(y%31))
		}
	}
	c.Picture("", "s", b)
	s := c.Source("x.dat", "", []byte("obj=symbol\nname=a\n"+source))
	if len(s.Objects) != 1 {
		t.Fatalf("s.Problems = %v; want s.Objects of length 1", s.Problems)
	}
	return s.Objects[0].Node
}

// lines returns the lines of a source that begin with one of the words.
func lines(dat []byte, words ...string) string {
	var list []string
	for line := range strings.Lines(string(dat)) {
		if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(line, w) }) {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return strings.Join(list, " ")
}

// TestCells: the cells of a sheet have the smallest usual size that holds every
// image in its place.
func TestCells(t *testing.T) {
	for _, test := range []struct {
		cell       int
		x, y, w, h int
		source     string
		want       string
		sheet      string // its size
	}{
		{64, 3, 4, 10, 11, "image[0]=s.0.0\n", "cell_size=16 image[0]=symbol_a.0.0", "16×16"},
		{64, 6, 4, 10, 11, "image[0]=s.0.0\n", "cell_size=16 image[0]=symbol_a.0.0", "16×16"},
		{64, 7, 4, 10, 11, "image[0]=s.0.0\n", "cell_size=32 image[0]=symbol_a.0.0", "32×32"},
		{64, 4, 22, 10, 11, "image[0]=s.0.0\n", "cell_size=48 image[0]=symbol_a.0.0", "48×48"},
		{64, 0, 10, 10, 11, "image[0]=s.0.0\n", "cell_size=32 image[0]=symbol_a.0.0", "32×32"},
		{64, 10, 0, 11, 10, "image[0]=s.0.0\n", "cell_size=32 image[0]=symbol_a.0.0", "32×32"},
		{256, 0, 0, 256, 3, "image[0]=s.0.0\n", "cell_size=256 image[0]=symbol_a.0.0", "256×256"},
		// Beyond 256 a place would take more room than its image.
		{512, 300, 20, 10, 11, "image[0]=s.0.0\n", "cell_size=16 image[0]=symbol_a.0.0,294,15", "16×16"},
		{512, 0, 0, 257, 3, "image[0]=s.0.0\n", "cell_size=320 image[0]=symbol_a.0.0", "320×320"},
		{512, 0, 0, 320, 3, "image[0]=s.0.0\n", "cell_size=320 image[0]=symbol_a.0.0", "320×320"},
		{512, 0, 0, 321, 3, "image[0]=s.0.0\n", "cell_size=384 image[0]=symbol_a.0.0", "384×384"},
		// Places outside of the cell are offsets.
		{64, 3, 4, 10, 11, "image[0]=s.0.0,-5,-7\n", "cell_size=16 image[0]=symbol_a.0.0,-2,-3", "16×16"},
		{64, 3, 4, 10, 11, "image[0]=s.0.0,0,-5\n", "cell_size=16 image[0]=symbol_a.0.0,0,-1", "16×16"},
		// Images that must not be zoomed, empty images, and unused ones.
		{64, 3, 4, 10, 11, "image[0]=> s.0.0\nimage[1]=> -\nimage[2]=-\n", "cell_size=16 image[0]=> symbol_a.0.0 image[1]=> - image[2]=-", "16×16"},
		{64, 3, 4, 10, 11, "image[0]=s.0.1,2,3\n", "cell_size=16 image[0]=symbol_a.0.0,2,3", "16×16"},
		{64, 3, 4, 10, 11, "image[0]=s.0.1,2,-1\n", "cell_size=16 image[0]=symbol_a.0.0,2,-1", "16×16"},
		{64, 3, 4, 10, 11, "image[0]=s.0.1,-1,2\n", "cell_size=16 image[0]=symbol_a.0.0,-1,2", "16×16"},
		{64, 3, 4, 10, 11, "image[0]=-\n", "image[0]=-", ""},
		// The same image has one place, another offset another.
		{64, 3, 4, 10, 11, "image[0]=s.0.0\nimage[1]=s.0.0\nimage[2]=s.0.0,1\n", "cell_size=16 image[0]=symbol_a.0.0 image[1]=symbol_a.0.0 image[2]=symbol_a.0.1", "32×16"},
		// A row has eight.
		{64, 3, 0, 1, 1, "image[0-9]=s.0.0,<$0>\n", "cell_size=16 image[0]=symbol_a.0.0 image[1]=symbol_a.0.1 image[2]=symbol_a.0.2 image[3]=symbol_a.0.3 " +
			"image[4]=symbol_a.0.4 image[5]=symbol_a.0.5 image[6]=symbol_a.0.6 image[7]=symbol_a.0.7 image[8]=symbol_a.1.0 image[9]=symbol_a.1.1", "128×32"},
		// The rows of old images are as long as the cell.
		{80, 3, 4, 10, 11, "#pakbox IMG=2\nimage[0]=s.0.0\n", "cell_size=16 image[0]=symbol_a.0.0", "16×16"},
		{80, 3, 4, 10, 11, "#pakbox IMG=1\nimage[0]=s.0.0\n", "cell_size=80 image[0]=symbol_a.0.0", "80×80"},
	} {
		n := symbols(t, test.cell, image.Rect(test.x, test.y, test.x+test.w, test.y+test.h), test.source)
		r, err := decompile.Object(n, decompile.Options{})
		if err != nil || !r.Exact || r.Pins > 0 || r.Carried {
			t.Errorf("%s: r = %+v (err = %v); want no error, r.Exact = true, r.Pins at most 0, r.Carried = false", test.source, r, err)
			continue
		}
		sheet := ""
		if r.Image != nil {
			sheet = fmt.Sprintf("%d×%d", r.Image.Rect.Dx(), r.Image.Rect.Dy())
		}
		got := lines(r.Dat, "cell_size=", "image[")
		if got != test.want || sheet != test.sheet {
			t.Errorf("%s:\n%s on %s, want\n%s on %s", test.source, got, sheet, test.want, test.sheet)
		}
	}
}

func TestSheetsHaveNamesThatAReferenceCanHold(t *testing.T) {
	for name, want := range map[string]string{
		"Plain-1": "symbol_Plain-1", "a b\tc": "symbol_a_b_c", "a.b/c\\d,e": "symbol_a_b_c_d_e", "<x>:\"|?*=[]": "symbol__x_________", "a~\x7fé!": "symbol_a~__!",
	} {
		n := symbols(t, 64, image.Rect(0, 0, 3, 3), "image[0]=s.0.0\n")
		n.SetName(name)
		if got := decompile.SheetName(n); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

// TestPicturesHaveAPaletteIfItHoldsTheirColours, and are the same either way.
func TestPicturesHaveAPaletteIfItHoldsTheirColours(t *testing.T) {
	for colours, palette := range map[int]bool{1: true, 256: true, 257: false, 1000: false} {
		m := image.NewNRGBA(image.Rect(0, 0, 40, 50))
		for i := range 40 * 50 {
			if c := i % colours; c > 0 { // the first is transparent
				m.SetNRGBA(i%40, i/40, color.NRGBA{uint8(c), uint8(c >> 8), 7, 255})
			}
		}
		r := decompile.Result{Image: m}
		data, err := r.PNG()
		if err != nil {
			t.Fatal(err)
		}
		got, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := got.(*image.Paletted); ok != palette {
			t.Errorf("%d colours: %T", colours, got)
		}
		for i := range 40 * 50 {
			if want := m.NRGBAAt(i%40, i/40); color.NRGBAModel.Convert(got.At(i%40, i/40)) != want {
				t.Fatalf("%d colours: pixel %d is %v, want %v", colours, i, got.At(i%40, i/40), want)
			}
		}
	}
}

// TestImagesHaveTheKeysOfASource, or a path if no key of a source fits them.
func TestImagesHaveTheKeysOfASource(t *testing.T) {
	n := symbols(t, 64, image.Rect(3, 4, 20, 18), "image[0]=s.0.0\nimage[1]=-\nimage[2]=s.0.0,1\n")
	keys := func(n *node.Node) (list []string) {
		for _, m := range decompile.Images(n) {
			list = append(list, m.Key)
		}
		return list
	}
	if got := fmt.Sprint(keys(n)); got != "[image[0] image[1] image[2]]" {
		t.Errorf(`got = %v; want "[image[0] image[1] image[2]]"`, got)
	}
	if got := decompile.CellSize(n); got != 32 {
		t.Errorf("cells of %d", got)
	}
	unknown := n.Clone()
	unknown.Type = node.VHCL
	unknown.Body = []byte{99, 0x80}
	if got := fmt.Sprint(keys(unknown)); got != "[image[2][0] image[2][2]]" {
		t.Errorf(`got = %v; want "[image[2][0] image[2][2]]"`, got)
	}
	broken := n.Clone()
	broken.Children[2].Children[0].Body = []byte{1, 2, 3}
	if got := fmt.Sprint(keys(broken)); got != "[image[2][0] image[2][2]]" {
		t.Errorf(`got = %v; want "[image[2][0] image[2][2]]"`, got)
	}
	if got := decompile.CellSize(broken); got != 0 {
		t.Errorf("cells of %d", got)
	}
	if r, err := decompile.Object(broken, decompile.Options{}); err != nil || !r.Exact || !r.Carried || r.Image != nil {
		t.Errorf("r = %+v, err = %v; want no error, r.Exact = true, r.Carried = true, r.Image = nil", r, err)
	}
}

// TestTargets: whose compiler gives the object again.
func TestTargets(t *testing.T) {
	n := symbols(t, 64, image.Rect(3, 4, 20, 18), "image[0]=s.0.0\n")
	extended := node.New(n)
	extended.Banner = []byte(node.BannerExtended)
	c, err := compile.NewCompiler("60.12", 64)
	if err != nil {
		t.Fatal(err)
	}
	newer := c.Source("x.dat", "", []byte("obj=way\nname=w\nwaytype=track\nimage[-]=-\n")).Objects[0].Node
	for _, test := range []struct {
		n    *node.Node
		opts decompile.Options
		want string
	}{
		{n, decompile.Options{}, "60.6"},
		{n, decompile.Options{Target: "60.12"}, "60.12"},
		{n, decompile.Options{Head: node.New(n)}, "60.6"},
		{n, decompile.Options{Head: extended}, "extended"},
		{newer, decompile.Options{}, "60.12"},
	} {
		r, err := decompile.Object(test.n, test.opts)
		if err != nil || r.Target != test.want || !r.Exact || r.Pins != 0 || strings.Contains(string(r.Dat), "#pakbox") {
			t.Errorf(`%+v: r = %+v (err = %v); want no error, r.Target = %v, r.Exact = true, r.Pins = 0, r.Dat without "#pakbox"`, test.opts, r, err, test.want)
		}
	}
	if _, err := decompile.Object(n, decompile.Options{Target: "59"}); err == nil || !strings.Contains(err.Error(), `"59"`) {
		t.Errorf("err = %v; want an error, err with `\"59\"`", err)
	}
	old := node.New(n)
	old.Code = node.Code1001
	if r, err := decompile.Object(n, decompile.Options{Head: old}); err != nil || !strings.Contains(string(r.Dat), "\n#pakbox file 1001 \"") {
		t.Errorf("r.Dat = %s (err = %v); want no error, r.Dat with \"\\n#pakbox file 1001 \\\"\"", r.Dat, err)
	}
}

// TestWhatIsLostIsTold: where the nodes are carried, the name is still a line
// of the source, which has no place for the end of one.
func TestWhatIsLostIsTold(t *testing.T) {
	for name, loss := range map[string]string{
		"a\nb":                     "good/000.TEXT differs: text was a\nb, becomes text a",
		"a\n---\nobj=good\nname=c": "the source gives 2 objects",
		"a\n#pakbox WAY=99":        `decompiled.dat:4: error: #pakbox: "WAY=99" names no version of a node`,
	} {
		n := symbols(t, 64, image.Rect(3, 4, 20, 18), "image[0]=s.0.0\n")
		n.Type, n.Body = node.GOOD, []byte{99, 0x80}
		n.SetName(name)
		r, err := decompile.Object(n, decompile.Options{})
		if err != nil || r.Exact || r.Loss != loss {
			t.Errorf("%q: %s (%v), want %s", name, r.Loss, err, loss)
		}
	}
}

// TestSheetsHaveOnlySoMuchRoom: a row of pixels, which takes few bytes, has a
// cell as high as it is wide. There is room for what many images need, and for
// as much as they hold, but not for any number of such cells.
func TestSheetsHaveOnlySoMuchRoom(t *testing.T) {
	row := func(w, shift int) *node.Node {
		m := img.Image{Version: 3, W: w, H: 1, Zoomable: 1, Words: []uint16{0, uint16(w)}}
		for x := range w {
			m.Words = append(m.Words, uint16(x+shift)%31)
		}
		m.Words = append(m.Words, 0)
		return &node.Node{Type: node.IMG, Body: m.Append(nil)}
	}
	for _, test := range []struct {
		images, width int
		fits          bool
	}{
		{1, 1088, true},  // 1088² pixels, of 2²⁰ + 2·256² + 64·1088
		{1, 1152, false}, // 1152² pixels, of 2²⁰ + 2·256² + 64·1152
		{9, 384, true},   // two rows of eight
		{9, 448, false},
	} {
		n := symbols(t, 64, image.Rect(3, 4, 20, 18), "image[0]=s.0.0\n")
		list := n.Children[2]
		list.Body[0], list.Children = byte(test.images), nil
		for i := range test.images {
			list.Children = append(list.Children, row(test.width, i))
		}
		r, err := decompile.Object(n, decompile.Options{})
		// Where the nodes are carried, every image has a row of its own.
		if fits := err == nil && r.Exact && !r.Carried; fits != test.fits || err != nil && fault.KindOf(err) != fault.Limit {
			t.Errorf("%d images %d pixels wide fit: %v (%v)", test.images, test.width, fits, err)
		}
	}
}

// TestImagesOfOtherCompilers: an image whose gaps are coded in two steps would
// come back in one, so that it is carried as it is, and the others as pictures.
func TestImagesOfOtherCompilers(t *testing.T) {
	row := func(words ...uint16) *node.Node {
		m := img.Image{Version: 3, W: 4, H: 1, Zoomable: 1, Words: words}
		return &node.Node{Type: node.IMG, Body: m.Append(nil)}
	}
	n := symbols(t, 64, image.Rect(3, 4, 20, 18), "image[0]=s.0.0\n")
	list := n.Children[2]
	list.Body[0] = 3
	list.Children = append(list.Children, row(0, 1, 7, 2, 1, 9, 0), row(0, 1, 7, 1, 0, 1, 1, 9, 0))
	for _, known := range []bool{true, false} {
		if !known {
			n.Type, n.Body = node.VHCL, []byte{99, 0x80}
		}
		r, err := decompile.Object(n, decompile.Options{Sheet: "s"})
		if err != nil || !r.Exact || r.Carried == known {
			t.Fatalf("%s: r = %+v (err = %v); want no error, r.Exact = true, r.Carried other than %v", n.Type, r, err, known)
		}
		if got := lines(r.Dat, "image["); known && got != "image[0]=s.0.0 image[1]=s.0.1 image[2]=s.0.1" || !known && got != "image[2][0]=s.0.0 image[2][1]=s.1.0" {
			t.Errorf(`%s: got = %s; want (known = false or got = "image[0]=s.0.0 image[1]=s.0.1 image[2]=s.0.1"), (known = true or got = "image[2][0]=s.0.0 image[2][1]=s.1.0")`, n.Type, got)
		}
	}
}
