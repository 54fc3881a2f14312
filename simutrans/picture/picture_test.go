package picture_test

import (
	"image/color"
	"os"
	"path/filepath"
	"testing"

	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/picture"
)

// corpusObjects visits the objects of the corpus.
func corpusObjects(t *testing.T, visit func(file string, n *node.Node)) {
	t.Helper()
	for _, path := range corpus.Files(t, corpus.Dir(t, "simutrans"), "pak", "*.pak") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := node.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range f.Root.Children {
			visit(filepath.Base(path), o)
		}
	}
}

// Every object of the corpus can be shown, Extended ones too.
func TestEveryObjectCanBeShown(t *testing.T) {
	shown := 0
	corpusObjects(t, func(file string, n *node.Node) {
		if _, err := picture.Sheet(n, picture.Options{}); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		shown++
	})
	t.Logf("%d objects shown", shown)
}

// oneImage is a symbol of three pixels: ordinary, player's, window.
func oneImage() *node.Node {
	b := img.NewBitmap(3, 1)
	b.Pix = []uint16{0x7FFF, 0x8004, 0x8010}
	list := &node.Node{Type: node.IMG1, Body: []byte{1, 0, 0, 0}, Children: []*node.Node{
		{Type: node.IMG, Body: img.Encode(b, 0, 0).Append(nil)},
	}}
	return &node.Node{Type: node.SYMB, Children: []*node.Node{node.NewText("x"), node.NewText(""), list}}
}

func TestPlayerColoursAndNight(t *testing.T) {
	red := color.NRGBA{200, 30, 30, 255}
	has := func(opts picture.Options, c color.NRGBA) bool {
		m, err := picture.Sheet(oneImage(), opts)
		if err != nil {
			t.Fatal(err)
		}
		for y := range m.Bounds().Dy() {
			for x := range m.Bounds().Dx() {
				if m.NRGBAAt(x, y) == c {
					return true
				}
			}
		}
		return false
	}
	golden := color.NRGBA{0xD3, 0xC3, 0x80, 255}
	if !has(picture.Options{Player1: &red}, red) || has(picture.Options{}, red) {
		t.Error("the player's colour is not the one chosen")
	}
	if !has(picture.Options{Night: true}, golden) || has(picture.Options{}, golden) {
		t.Error("windows are not lit at night")
	}
	white := color.NRGBA{248, 248, 248, 255}
	if has(picture.Options{Night: true}, white) || !has(picture.Options{}, white) {
		t.Error("ordinary colours are not dark at night")
	}
}

func TestParseColour(t *testing.T) {
	for s, want := range map[string]color.NRGBA{"ff0080": {255, 0, 128, 255}, "#010203": {1, 2, 3, 255}, "Red": {0xC8, 0x1E, 0x1E, 255}} {
		if got, err := picture.ParseColor(s); err != nil || got != want {
			t.Errorf("%s is %v (%v)", s, got, err)
		}
	}
	for _, s := range []string{"", "reddish", "12345", "1234567", "12zzzz", "12 456", "0x1234", "+12345", "##12345", "-00001", "1_2345"} {
		if _, err := picture.ParseColor(s); err == nil {
			t.Errorf("%q is a colour", s)
		}
	}
}
