package convert

import (
	"fmt"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/node"
)

// compiled is the one object of a source.
func compiled(t *testing.T, target, source string) *node.Node {
	t.Helper()
	c, err := compile.NewCompiler(target, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Source("a.dat", t.TempDir(), []byte(source))
	if s.Failed() || len(s.Objects) != 1 {
		t.Fatalf("s.Problems = %v; want s.Failed() = false, s.Objects of length 1", s.Problems)
	}
	return s.Objects[0].Node
}

func image(words ...byte) *node.Node {
	return &node.Node{Type: node.IMG, Body: append([]byte{0, 0, 0, 0, 1, 0, 3, 1, 0, 1}, words...)}
}

func symbol(children ...*node.Node) *node.Node {
	list := &node.Node{Type: node.IMG1, Body: []byte{byte(len(children)), 0, 0, 0}, Children: children}
	return &node.Node{Type: node.SYMB, Children: []*node.Node{node.NewText("A"), node.NewText("me"), list}}
}

// Every difference after a conversion is reported. Lists that only
// grow or lose empty images are the same.
func TestCompare(t *testing.T) {
	pixel, other := image(0, 0, 1, 0, 7, 0, 0, 0), image(0, 0, 1, 0, 8, 0, 0, 0)
	renamed := symbol(pixel)
	renamed.SetName("B")
	shorter := symbol(pixel)
	shorter.Children = shorter.Children[:1]
	retyped := symbol(pixel)
	retyped.Children[1] = node.NewXref(node.Xref{Type: node.WAY, Name: "x"})
	for _, test := range []struct {
		before, after *node.Node
		want          string
	}{
		{symbol(pixel), symbol(pixel), ""},
		{symbol(pixel), symbol(pixel, pixel), ""},
		{symbol(pixel, image()), symbol(pixel), ""},
		{symbol(pixel), symbol(other), "symbol/002.IMG1/000.IMG: image changes from 18 bytes to image of 18 bytes"},
		{symbol(pixel, other), symbol(pixel), "symbol/002.IMG1/001.IMG: image (18 bytes) is dropped"},
		{symbol(image(1)), symbol(), "symbol/002.IMG1/000.IMG: image (11 bytes) is dropped"},
		{symbol(pixel), renamed, "symbol/000.TEXT: text changes from A to B"},
		{symbol(pixel), retyped, "symbol/001.TEXT: text changes from 3 bytes to xref of 7 bytes"},
		{symbol(pixel), shorter, "symbol/001.TEXT: text (3 bytes) is dropped; symbol/002.IMG1: imagelist (22 bytes) is dropped"},
	} {
		losses, err := compare(test.before, test.after, "symbol")
		var lines []string
		for _, l := range losses {
			lines = append(lines, l.String())
		}
		if got := strings.Join(lines, "; "); err != nil || got != test.want {
			t.Errorf("%q, want %q (%v)", got, test.want, err)
		}
	}
	broken := &node.Node{Type: node.GOOD, Body: []byte{3, 0x80, 0}}
	whole := &node.Node{Type: node.GOOD, Body: []byte{3, 0x80, 0, 0, 0, 0, 0, 0, 0, 0}}
	for name, pair := range map[string][2]*node.Node{
		"before": {broken, whole}, "after": {whole, broken},
		"below": {{Type: node.SYMB, Children: []*node.Node{broken}}, {Type: node.SYMB, Children: []*node.Node{whole}}},
	} {
		if losses, err := compare(pair[0], pair[1], "x"); fault.KindOf(err) != fault.Truncated || losses != nil {
			t.Errorf("%s: losses = %v, err = %v; want err of kind fault.Truncated, losses = nil", name, losses, err)
		}
	}
}

// A weight in tons is the same weight in kilograms, and another is a loss.
func TestWeights(t *testing.T) {
	const source = "obj=vehicle\nname=A\nwaytype=road\nweight=%s\n"
	for weight, want := range map[string]string{"12": "", "12.5": "vehicle: weight changes from 12500 to 12"} {
		n := compiled(t, "60.6", fmt.Sprintf(source, weight))
		_, losses, err := Object(n, Options{Target: "60.6", Versions: "VHCL=8"})
		got := ""
		if len(losses) > 0 {
			got = losses[0].String()
		}
		if err != nil || got != want {
			t.Errorf("%s t: %v, want %q (%v)", weight, losses, want, err)
		}
	}
}

// A failed conversion reports its reason.
func TestRefused(t *testing.T) {
	whole := compiled(t, "60.6", "obj=good\nname=Coal\nvalue=5\n")
	for name, test := range map[string]struct {
		n    *node.Node
		opts Options
		kind fault.Kind
		text string
	}{
		"no such target":   {whole, Options{Target: "1.0"}, "", "1.0"},
		"no such version":  {whole, Options{Versions: "GOOD=99"}, fault.Unsupported, "99"},
		"unknown object":   {&node.Node{Type: node.TILE, Children: whole.Children}, Options{}, "", ""},
		"a damaged object": {&node.Node{Type: node.GOOD, Body: []byte{3, 0x80}, Children: whole.Children}, Options{}, "", ""},
	} {
		n, losses, err := Object(test.n, test.opts)
		if err == nil || n != nil || losses != nil || test.kind != "" && fault.KindOf(err) != test.kind || !strings.Contains(err.Error(), test.text) {
			t.Errorf(`%s: n = %v, losses = %v, err = %v; want an error, n = nil, losses = nil, (test.kind = "" or err of kind %v), err with %q`, name, n, losses, err, test.kind, test.text)
		}
	}
	same, losses, err := Object(whole, Options{})
	if err != nil || len(losses) != 0 || !same.Equal(whole) {
		t.Errorf("losses = %v, err = %v; want no error, empty losses, same.Equal(whole) = true", losses, err)
	}
}
