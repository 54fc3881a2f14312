package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/gbx/internal/sheet"
)

// The committed code must be what the sheets say.
func TestGeneratedCodeIsCurrent(t *testing.T) {
	files, problems := Generate(filepath.Join("..", "..", "engine"))
	for _, err := range problems {
		t.Error(err)
	}
	for path, want := range files {
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s does not match its sheet; run go generate ./gbx/...", path)
		}
	}
	old, err := filepath.Glob(filepath.Join("..", "..", "engine", "*", "*_gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range old {
		if _, ok := files[path]; !ok {
			t.Errorf("%s has no sheet any more", path)
		}
	}
}

// generate returns the code for one sheet.
func generate(t *testing.T, text string) (string, error) {
	t.Helper()
	s, err := sheet.Parse("C.chunks", "class C 03001000\n"+text)
	if err != nil {
		return "", err
	}
	other, err := sheet.Parse("D.chunks", "class D 03002000\nenum E\n    A")
	if err != nil {
		return "", err
	}
	p := &pkg{name: "x", classes: map[string]*sheet.Sheet{"C": s, "D": other}}
	return p.class(s)
}

func TestStatements(t *testing.T) {
	tests := []struct{ sheet, want string }{
		{"chunk 001\n    byte version\n    if version >= 3\n        id name", "if c.Version >= 3 {\n\tx.ID(&c.Name, \"name\")"},
		{"chunk 001\n    uint32 flags\n    if flags & 4\n        id name", "if c.Flags & 4 != 0 {"},
		{"chunk 001\n    uint32 a\n    byte b\n    if a > b || !a\n        id name", "if int(c.A) > int(c.B) || !(c.A != 0) {"},
		{"chunk 001\n    uint32 a\n    if a == -1\n        id name", "if int32(c.A) == -1 {"},
		{"chunk 001\n    S(2)[old] list\nstruct S(v)\n    float x\n    if v > 1\n        string s", "code.OldList(x, &c.List, &c.ListListVersion, 4, \"list\")"},
		{"chunk 001\n    uint32 _\n    uint32 _", "x.U32(&c.U02, \"u02\")"},
		{"chunk 001\n    byte n\n    uint32[n + 1] list", "code.SizedList(x, &c.List, int(c.N) + 1, 4, \"list\")"},
		{"chunk 001\n    string a\nchunk 002\n    base 001\n    if len(a) > 0\n        byte b", "c.Chunk03001001.Code(x)\n\tif len(c.A) > 0 {"},
		{"chunk 001\n    byte version\n    zlib data(version)\n        if version > 1\n            float f", "c.Data.Code(x, Chunk03001001Data{version: int(c.Version)}, \"data\")"},
		{"chunk 001\n    raw uint32[] list", "text := x.Raw()"},
		{"chunk 001\n    id a\n    byte[] b\n    byte n\n    if f(a, b, n)\n        byte d", "if f(x, c.A, c.B, int(c.N)) != 0 {"},
		{"chunk 001\n    S[] list\nstruct S\n    data[9] b", "code.List(x, &c.List, 9, \"list\")"},
		{"chunk 001\n    data[9] b", "x.Bytes(&c.B, 9, \"b\")"},
		{"chunk 001\n    S[] list\nstruct S\n    byte a\n    if a\n        return\n    else\n        byte b\n    uint32 d", "code.List(x, &c.List, 1, \"list\")"},
		{"chunk 001\n    byte<D.E> e\n    if e == 0\n        byte d", "code.Enum8(x, &c.E, \"e\")\n\tif c.E == 0 {"},
		{"struct S\n    byte a\n    byte b\n    if a || b as g\n        byte c", "if (c.A != 0 || c.B != 0) && code.Optional("},
		{"chunk 001\n    node<C> n\n    if !null(n)\n        byte b", "if !(c.N.IsNil()) {"},
		{"chunk 001\n    node<C> n\n    if local(n)\n        byte b", "if c.N.Node != nil {"},
	}
	for _, test := range tests {
		got, err := generate(t, test.sheet)
		if err != nil {
			t.Errorf("%s: %v", test.sheet, err)
		} else if !strings.Contains(got, test.want) {
			t.Errorf("%s\ngives\n%s\nwithout %q", test.sheet, got, test.want)
		}
	}
}

func TestMistakes(t *testing.T) {
	tests := []struct{ sheet, want string }{
		{"chunk 001\n    uint33 a", "C.chunks:3: no type uint33"},
		{"chunk 001\n    if b > 1\n        byte a", "C.chunks:3: no field b before this line"},
		{"chunk 001\n    string s\n    if s > 1\n        byte a", "C.chunks:4: s is not a number"},
		{"chunk 001\n    byte a\n    uint32 a", "C.chunks:4: a is already there as another type or in another group"},
		{"chunk 001\n    S s\nstruct S(v)\n    byte a", "C.chunks:3: S takes 1 values in ()"},
		{"chunk 001\n    base 009", "C.chunks:3: no chunk 03001009 to include here"},
		{"chunk 001\n    byte<E> e", "C.chunks:3: no enum or flags E"},
	}
	for _, test := range tests {
		if _, err := generate(t, test.sheet); err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", test.sheet, err, test.want)
		}
	}
}
