package compile_test

import (
	"bytes"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/simutrans/compile"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// memory compiles a source beside a picture s of 3 × 2 cells, each of which
// has one pixel of its own colour.
func memory(t *testing.T, cell int, source string) *compile.Source {
	t.Helper()
	c, err := compile.NewCompiler("", cell)
	if err != nil {
		t.Fatal(err)
	}
	b := img.NewBitmap(3*c64, 2*c64)
	for i := range 6 {
		b.Pix[(i/3*c64+5)*b.W+i%3*c64+7] = uint16(100 + i)
	}
	c.Picture("dir", "s", b)
	c.Picture("dir/sub", "t", b)
	return c.Source("x.dat", "dir", []byte(source))
}

const c64 = compile.DefaultCell

// TestReferences: which cell of a picture is meant, and what moves it.
func TestReferences(t *testing.T) {
	for _, test := range []struct {
		value    string
		colour   uint16 // of the pixel, 0 if none exists
		x, y     int
		zoomable uint8
	}{
		{"s.0.0", 100, 7, 5, 1}, {"s.0.2", 102, 7, 5, 1}, {"s.1.0", 103, 7, 5, 1}, {"s.1.2", 105, 7, 5, 1},
		{"s.1.2,3,-4", 105, 10, 1, 1}, {"s.1.2,3", 105, 10, 5, 1}, {"s.1.2,,9", 105, 7, 14, 1},
		{"> s.1.2", 105, 7, 5, 0}, {">s.1.2", 105, 7, 5, 0}, {" s.1.2 ", 105, 7, 5, 1},
		{"-", 0, 0, 0, 1}, {"> -", 0, 0, 0, 0},
		// A number alone is divided by the number of rows, which is two.
		{"s.0", 100, 7, 5, 1}, {"s.2", 105, 7, 5, 1}, {"s.3", 103, 7, 5, 1}, {"s.1,5,5", 101, 7, 5, 1},
		{"sub/t.1.1", 104, 7, 5, 1}, {"./s.1.1", 104, 7, 5, 1}, {"sub/../s.1.1", 104, 7, 5, 1},
	} {
		s := memory(t, 0, "obj=menu\nname=a\nimage[0]="+test.value+"\nimage[1]=s.0.0\n")
		if len(s.Objects) != 1 {
			t.Errorf("%q: s.Problems = %v; want s.Objects of length 1", test.value, s.Problems)
			continue
		}
		m, err := img.Parse(s.Objects[0].Node.Children[2].Children[0].Body, 0)
		if err != nil {
			t.Fatal(err)
		}
		colour := uint16(0)
		if len(m.Words) > 2 {
			colour = m.Words[2]
		}
		if colour != test.colour || m.X != test.x || m.Y != test.y || m.Zoomable != test.zoomable {
			t.Errorf("%q: %d at %d, %d, zoomable %d", test.value, colour, m.X, m.Y, m.Zoomable)
		}
	}
}

// TestProblemsOfPicturesAndDirectives: problems for authors that are independent of
// the type of an object.
func TestProblemsOfPicturesAndDirectives(t *testing.T) {
	const symbol = "obj=menu\nname=a\n"
	for _, test := range []struct{ source, want string }{
		{"obj=menu\n", "1: error: name: the object has no name (every object needs one)"},
		{symbol + "cell_size=15\n", "3: error: cell_size: 15 is not between 16 and 32765"},
		{symbol + "cell_size=16\nimage[0]=s.7.11\n", ""},
		{symbol + "cell_size=32766\n", "3: error: cell_size: 32766 is not between 16 and 32765"},
		{symbol + "cell_size=128\nimage[0]=s.0.0\n", "4: error: image[0]: s.png is 192 × 128 pixels, which 128 does not divide (choose the cell size of the pakset, or set cell_size)"},
		{symbol + "cell_size=96\nimage[0]=s.0.0\n", "4: error: image[0]: s.png is 192 × 128 pixels, which 96 does not divide (choose the cell size of the pakset, or set cell_size)"},
		{symbol + "image[0]=s\n", "3: error: image[0]: the reference to s.png has no image number (write name.row.column)"},
		{symbol + "image[0]=s.2.0\nimage[1]=s.0.3\nimage[2]=s.-1.0\n",
			"3: error: image[0]: s.png has 2 rows of 3 images, but the source refers to 2.0 (rows and columns count from 0)\n" +
				"4: error: image[1]: s.png has 2 rows of 3 images, but the source refers to 0.3 (rows and columns count from 0)\n" +
				"5: error: image[2]: s.png has 2 rows of 3 images, but the source refers to -1.0 (rows and columns count from 0)"},
		// A picture that is not there is one problem.
		{symbol + "image[0-3]=none.0.0\n---\nobj=menu\nname=b\nimage[0]=none.0.1\n", "3: error: image[0]: picture none.png not found"},
		{"#pakbox WAY=99\n" + symbol, `1: error: #pakbox: "WAY=99" names no version of a node`},
		{"#pakbox file 1001 \"x\"\n" + symbol, ""},
		{"#pakbox file 1000 \"x\"\n" + symbol, "1: error: #pakbox: the head of a file is a code of 1001 to 1003 and a text"},
		{"#pakbox file 1004 \"x\"\n" + symbol, "1: error: #pakbox: the head of a file is a code of 1001 to 1003 and a text"},
		{"#pakbox file 1003 x\n" + symbol, "1: error: #pakbox: the head of a file is a code of 1001 to 1003 and a text"},
		{"#pakbox file 1003 \"x\\x1a\"\n" + symbol, "1: error: #pakbox: the head of a file is a code of 1001 to 1003 and a text"},
		{"#pakbox file x \"x\"\n" + symbol, "1: error: #pakbox: the head of a file is a code of 1001 to 1003 and a text"},
		{symbol + "#pakbox node 000.MENU/009.TEXT text=x\n", "3: error: #pakbox: node 009.TEXT not found on the path 000.MENU/009.TEXT"},
	} {
		var got []string
		s := memory(t, 0, test.source)
		for _, p := range s.Problems {
			got = append(got, strings.TrimPrefix(p.String(), "x.dat:"))
		}
		if strings.Join(got, "\n") != test.want || (len(s.Objects) == 1) != (test.want == "") {
			t.Errorf("%s: got\n%s\nwant\n%s", test.source, strings.Join(got, "\n"), test.want)
		}
	}
}

// TestHeadsOfFiles: a directive gives a file the head it is to have, and is
// written for the heads that no target writes.
func TestHeadsOfFiles(t *testing.T) {
	target, err := object.LookupTarget("60.6")
	if err != nil {
		t.Fatal(err)
	}
	n := memory(t, 0, "obj=sound\nname=a\n").Objects[0].Node
	for _, test := range []struct {
		code   uint32
		banner string
		want   string
	}{
		{node.Code1003, node.Banner, ""},
		{node.Code1001, node.Banner, `file 1001 "`}, {node.Code1003, "Simutrans\x00é\n", `file 1003 "Simutrans\x00é\n"`},
	} {
		f := node.New(n)
		f.Code, f.Banner = test.code, []byte(test.banner)
		directive := compile.FileDirective(f, target)
		if !strings.HasPrefix(directive, test.want) || (directive == "") != (test.want == "") {
			t.Errorf(`test.code = %d test.banner = %q: directive = %s; want directive beginning with %q, none exactly if none is expected`, test.code, test.banner, directive, test.want)
		}
		source := "obj=sound\nname=a\n"
		if directive != "" {
			source = "#pakbox " + directive + "\n" + source
		}
		s := memory(t, 0, source)
		want, err := f.Append(nil)
		if err != nil || len(s.Objects) != 1 {
			t.Fatalf("err = %v, s.Problems = %v; want no error, s.Objects of length 1", err, s.Problems)
		}
		if got, err := s.Objects[0].File().Append(nil); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%q, want %q (%v)", got, want, err)
		}
	}
}

// TestLibrariesHaveTheHeadTheirObjectsAgreeOn, or that of today.
func TestLibrariesHaveTheHeadTheirObjectsAgreeOn(t *testing.T) {
	sound := func(name, head string) string { return head + "obj=sound\nname=" + name + "\n---\n" }
	const old = "#pakbox file 1002 \"old\"\n"
	for _, test := range []struct {
		source string
		code   uint32
	}{
		{sound("a", old) + sound("b", old), 1002},
		{sound("a", old) + sound("b", ""), node.Code1003},
		{sound("a", "") + sound("b", ""), node.Code1003},
	} {
		dir := project(t, map[string]string{"a.dat": test.source})
		r := run(t, compile.Options{Sources: []string{dir}, Out: filepath.Join(dir, "x.pak")})
		data, err := os.ReadFile(filepath.Join(dir, "x.pak"))
		if err != nil || r.Failed() {
			t.Fatalf("err = %v, r.Problems = %v; want no error, r.Failed() = false", err, r.Problems)
		}
		f, err := node.Parse(data)
		if err != nil || f.Code != test.code || len(f.Root.Children) != 2 {
			t.Errorf("code %d, %d objects (%v)", f.Code, len(f.Root.Children), err)
		}
	}
}

// TestCarriedObjectsMayBeRenamed: a carried object takes its name and its copyright
// from the source.
func TestCarriedObjectsMayBeRenamed(t *testing.T) {
	n := memory(t, 0, "obj=menu\nname=a\ncopyright=me\nimage[0]=s.0.0\n").Objects[0].Node
	n.Type, n.Body = node.VHCL, []byte{99, 0x80}
	r, err := decompile.Object(n, decompile.Options{})
	if err != nil || !r.Carried || !r.Exact {
		t.Fatalf("r = %+v (err = %v); want no error, r.Carried = true, r.Exact = true", r, err)
	}
	c, err := compile.NewCompiler("", 0)
	if err != nil {
		t.Fatal(err)
	}
	c.Picture("", r.Sheet, img.FromNRGBA(r.Image))
	for _, change := range []struct{ old, with, name, copyright string }{
		{"name=a", "name=a", "a", "me"}, {"name=a", "name=b", "b", "me"}, {"copyright=me", "copyright=you", "a", "you"},
		{"name=a", "", "", "me"},
	} {
		s := c.Source("x.dat", "", bytes.Replace(r.Dat, []byte(change.old+"\n"), []byte(change.with+"\n"), 1))
		if len(s.Objects) != 1 {
			t.Errorf("%s: s.Problems = %v; want s.Objects of length 1", change.with, s.Problems)
			continue
		}
		if o := s.Objects[0]; o.Node.Name() != change.name || o.Node.Copyright() != change.copyright || o.Name != change.name {
			t.Errorf("%s: %s by %s", change.with, o.Node.Name(), o.Node.Copyright())
		}
	}
	// One that is pinned as another type is neither.
	s := c.Source("x.dat", "", bytes.Replace(r.Dat, []byte("obj=vehicle"), []byte("obj=way"), 1))
	if !s.Failed() || len(s.Objects) != 0 {
		t.Errorf("s.Problems = %v; want s.Failed() = true, empty s.Objects", s.Problems)
	}
}

// TestNamesOfFilesStayInTheirFolder.
func TestNamesOfFilesStayInTheirFolder(t *testing.T) {
	for name, want := range map[string]string{"a/b": "sound.a_b.pak", `..\c`: "sound..._c.pak", "../../d": "sound..._.._d.pak", "e\x00f": "sound.e_f.pak"} {
		if got := compile.FileName("sound", name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

// TestRunsThatCannotBe: what is wrong with a source is a problem of the
// result, what is wrong with the output an error of the run.
func TestRunsThatCannotBe(t *testing.T) {
	dir := project(t, map[string]string{"a.dat": "obj=sound\nname=x\n", "B.DAT": "obj=sound\nname=y\n", "c.txt": "obj=sound\nname=z\n", "file": ""})
	if err := os.Mkdir(filepath.Join(dir, "d.dat"), 0o755); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	r := run(t, compile.Options{Sources: []string{dir, filepath.Join(dir, "none.dat"), filepath.Join(dir, "nowhere") + "/"}, Out: out + "/"})
	var names, wrong []string
	for _, o := range r.Outputs {
		names = append(names, o.Name)
	}
	for _, p := range r.Problems {
		wrong = append(wrong, strings.ReplaceAll(p.String(), dir, ""))
	}
	slices.Sort(wrong)
	if strings.Join(names, " ") != "y x" || strings.Join(wrong, "\n") != "/none.dat: error: no_source: there is no such file\n/nowhere/: error: no_source: there is no such file" {
		t.Errorf("names = %s\n%s", names, strings.Join(wrong, "\n"))
	}
	source := []string{filepath.Join(dir, "a.dat")}
	for _, bad := range []string{filepath.Join(dir, "file") + "/", filepath.Join(dir, "file", "x.pak"), filepath.Join(dir, "file", "sub") + "/"} {
		if _, err := compile.Run(t.Context(), compile.Options{Sources: source, Out: bad}); err == nil {
			t.Errorf("%s is written", bad)
		}
	}
	// A file of which a folder has the place.
	if err := os.MkdirAll(filepath.Join(dir, "taken", "sound.x.pak"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := compile.Run(t.Context(), compile.Options{Sources: source, Out: filepath.Join(dir, "taken")}); err == nil {
		t.Error("a folder is overwritten")
	}
	// Notes that are not notes are as none.
	notes := t.TempDir()
	opts := compile.Options{Sources: source, Out: out, Notes: notes}
	run(t, opts)
	files, _ := filepath.Glob(filepath.Join(notes, "*"))
	if len(files) != 1 {
		t.Fatalf("files = %v; want files of length 1", files)
	}
	touch(t, files[0], "{")
	if n := compiled(run(t, opts)); n != 1 {
		t.Errorf("%d compiled", n)
	}
	if n := compiled(run(t, opts)); n != 0 {
		t.Errorf("%d compiled", n)
	}
}

// TestPicturesFromMemory: a picture that is no PNG is refused.
func TestPicturesFromMemory(t *testing.T) {
	c, err := compile.NewCompiler("", 16)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.PictureFile("", "p", bytes.Repeat([]byte("no picture"), 10)); err == nil {
		t.Error("text is a picture")
	}
	dir := t.TempDir()
	writePNG(t, filepath.Join(dir, "p.png"), image.NewGray(image.Rect(0, 0, 16, 16)))
	data, err := os.ReadFile(filepath.Join(dir, "p.png"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.PictureFile("", "p", data); err != nil {
		t.Error(err)
	}
	s := c.Source("x.dat", "", []byte("obj=menu\nname=a\nimage[0]=p.0.0\n"))
	if s.Failed() || len(s.Pictures) != 1 || s.Pictures[0] != "p.png" {
		t.Errorf(`s.Problems = %v, s.Pictures = %v; want s.Failed() = false, s.Pictures of length 1, s.Pictures[0] = "p.png"`, s.Problems, s.Pictures)
	}
}

// TestCellHints: the size of cells that a folder's name ends in is suggested
// where it fits the picture.
func TestCellHints(t *testing.T) {
	for dir, want := range map[string]string{
		"boats192": "the folder boats192 is named for a cell size of 192: choose this cell size, or set cell_size=192", "boats192/red": "the folder boats192 is named for a cell size of 192: choose this cell size, or set cell_size=192",
		"48": "the folder 48 is named for a cell size of 48: choose this cell size, or set cell_size=48", "a96/b": "the folder a96 is named for a cell size of 96: choose this cell size, or set cell_size=96",
		"boats12": "", "boats100": "", "boats": "", "boats192b": "", "boats288": "", "boats128": "",
	} {
		t.Run(dir, func(t *testing.T) {
			c, err := compile.NewCompiler("", 64)
			if err != nil {
				t.Fatal(err)
			}
			c.Picture(dir, "s", img.NewBitmap(192, 576))
			if want == "" {
				want = "choose the cell size of the pakset, or set cell_size"
			}
			s := c.Source("x.dat", dir, []byte("obj=menu\nname=a\ncell_size=80\nimage[0]=s.0.0\n"))
			if len(s.Problems) != 1 || s.Problems[0].Suggestion != want {
				t.Errorf("%s: s.Problems = %v; want s.Problems of length 1, s.Problems[0].Suggestion = %v", dir, s.Problems, want)
			}
		})
	}
}
