package decompile_test

import (
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
)

// tally counts how objects come out: in the source language alone, with some
// values pinned, or with their nodes carried.
type tally struct{ plain, pinned, carried int }

func decompileAll(t *testing.T, dir string) (n tally) {
	t.Helper()
	for _, path := range corpus.Files(t, dir, "*.pak") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := node.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range f.Root.Children {
			r, err := decompile.Object(o, decompile.Options{})
			switch {
			case err != nil:
				t.Errorf("%s: %v", filepath.Base(path), err)
			case !r.Exact:
				t.Errorf("%s: o.Type.Obj() = %s o.Name() = %s: r.Loss = %s; want r.Exact", filepath.Base(path), o.Type.Obj(), o.Name(), r.Loss)
			case r.Carried:
				n.carried++
			case r.Pins > 0:
				n.pinned++
			default:
				n.plain++
			}
		}
	}
	return n
}

func TestPak64CompilesToItself(t *testing.T) {
	if n := decompileAll(t, corpus.Pak64(t)); n.pinned+n.carried > 0 {
		t.Errorf("n = %+v; want n.pinned + n.carried at most 0", n)
	}
}

// Every object of the corpus compiles to itself. Six vehicles of a compiler
// before 2010 couple to a vehicle called "none", a factory and a pedestrian
// have a word their compiler had not set: these values are pinned.
func TestCorpusCompilesToItself(t *testing.T) {
	n := decompileAll(t, filepath.Join(corpus.Dir(t, "simutrans"), "pak"))
	if want := (tally{plain: 210, pinned: 8}); n != want {
		t.Errorf("%+v, want %+v", n, want)
	}
}

// An edit of a carried source changes the object.
func TestCarriedSourceCanBeChanged(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "simutrans"), "pak", "britain-ex__pier.concretepost4Pier.pak"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := node.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	old := f.Root.Children[0].Clone()
	old.Body[1] = 0xFF // a version that is not known
	r, err := decompile.Object(old, decompile.Options{Sheet: "s"})
	if err != nil || !r.Carried || !r.Exact || r.Image == nil {
		t.Fatalf("r = %+v, err = %v; want no error, r.Carried = true, r.Exact = true, r.Image other than nil", r, err)
	}
	r.Image.SetNRGBA(firstPixel(r.Image))
	c, err := compile.NewCompiler("", 0)
	if err != nil {
		t.Fatal(err)
	}
	c.Picture("", "s", img.FromNRGBA(r.Image))
	s := c.Source("x.dat", "", []byte(strings.Replace(string(r.Dat), "name=concretepost4Pier", "name=Another", 1)))
	if len(s.Problems) > 0 || len(s.Objects) != 1 {
		t.Fatalf("s.Problems = %v; want len(s.Problems) at most 0, s.Objects of length 1", s.Problems)
	}
	n := s.Objects[0].Node
	images := 0
	for i, m := range decompile.Images(n) {
		if string(m.Node.Body) != string(decompile.Images(old)[i].Node.Body) {
			images++
		}
	}
	if n.Name() != "Another" || n.Copyright() != old.Copyright() || images == 0 {
		t.Errorf("%s by %s, %d images changed", n.Name(), n.Copyright(), images)
	}
}

// firstPixel is another colour for the first pixel that is drawn.
func firstPixel(m *image.NRGBA) (x, y int, c color.NRGBA) {
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			if c := m.NRGBAAt(x, y); c.A == 255 && c.R != 0xE7 {
				return x, y, color.NRGBA{c.R ^ 0x80, c.G, c.B, 255}
			}
		}
	}
	return 0, 0, color.NRGBA{}
}

func TestInnerNodesAreNoObjects(t *testing.T) {
	if _, err := decompile.Object(node.NewText("x"), decompile.Options{}); fault.KindOf(err) != fault.UnknownClass {
		t.Errorf("err = %v; want err of kind fault.UnknownClass", err)
	}
}

// A building of no climate, which a misspelt one makes of it, stays so, and
// its clusters have a key.
func TestBuildingsAreSaidInTheLanguage(t *testing.T) {
	c, err := compile.NewCompiler("", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"climates=mediterranean", "type=ind\nclusters=1,7,32"} {
		s := c.Source("x.dat", "", []byte("obj=building\nname=x\nbackimage[0][0][0][0][0]=-\n"+line+"\n"))
		if r, err := decompile.Object(s.Objects[0].Node, decompile.Options{}); err != nil || !r.Exact || r.Pins > 0 {
			t.Errorf("err = %v\nr.Dat = %s; want no error, r.Exact = true, r.Pins at most 0", err, r.Dat)
		}
	}
}
