package sheet_test

import (
	"errors"
	"testing"

	"pakbox/gbx/internal/sheet"
)

const example = `# A remark.
class CExample 03001000 : CMwNod // An example.

header 003 Common [TMF.11 MP3]
    byte version
    if version < 3 && !(version == 1)
        ident info // uid, environment, author
    else if version == 9
        unsupported "version 9"
    else
        string[old] names

chunk 01F skippable like 013
    encapsulated
        node<CMwNod>[] nodes
    zlib samples(version)
        optimized(len(nodes) + 1)[3] places
    raw vec3[n * 2] points

struct Key(version)
    float time

enum Kind
    Race
    Script = 6 // a script

extern Odd
`

func TestParse(t *testing.T) {
	s, err := sheet.Parse("x", example)
	if err != nil {
		t.Fatal(err)
	}
	if s.Class != "CExample" || s.ID != 0x03001000 || s.Parent != "CMwNod" || s.Doc != "An example." {
		t.Errorf("class = %+v", s)
	}
	h := s.Chunks[0]
	if !h.Header || h.ID != 0x03001003 || h.Name != "Common" || len(h.Games) != 2 {
		t.Errorf("header = %+v", h)
	}
	cond := h.Body[1].(*sheet.If)
	if got := cond.Cond.String(); got != "((version < 3) && !(version == 1))" {
		t.Errorf("condition = %s", got)
	}
	if inner := cond.Else[0].(*sheet.If); len(inner.Else) != 1 {
		t.Errorf("else if = %+v", inner)
	}
	c := s.Chunks[1]
	if !c.Skip || c.Body[0].(*sheet.Base).ID != 0x03001013 {
		t.Errorf("chunk = %+v", c)
	}
	if f := c.Body[3].(*sheet.Field); !f.Type.Raw || f.Type.Count.Expr.String() != "(n * 2)" {
		t.Errorf("field = %+v", f)
	}
	if v := s.Enums[0].Values[1]; v.Value != 6 || v.Doc != "a script" {
		t.Errorf("enum = %+v", v)
	}
}

func TestParseMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "x:1: the sheet names no class",
		"chunk 001":                             "x:1: a sheet begins with its class",
		"class C 03001000\nchunk 01":            `x:2: "01" is not a chunk number: write three hex digits, or eight`,
		"class C 03001000\nchunk 001\n  byte a": "x:3: indent by multiples of 4 spaces",
		"class C 03001000\nchunk 001\n    byte": "x:3: the field needs a name, or _",
		"class C 03001000\nchunk 001\n    byte a b":         `x:3: "b" is left over`,
		"class C 03001000\nchunk 001\n    if a >\n":         `x:3: value expected at ""`,
		"class C 03001000\nchunk 001\nchunk 001":            "x:3: chunk 03001001 is already described in line 2",
		"class C 03001000\nchunk 001\n    byte Version":     `x:3: the field's name "Version" should begin with a small letter`,
		"class C 03001000\nchunk 001\n\tbyte a":             "x:3: use spaces, not tabs",
		"class C 03001000\nchunk 001\n    else\n":           "x:3: else without if",
		"class C 03001000\nchunk 001\n    byte[99999999] a": "x:3: a list of 99999999",
	} {
		_, err := sheet.Parse("x", text)
		if err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// FuzzSheetParser feeds the parser anything; it must answer with a sheet or
// with an error that names the line.
func FuzzSheetParser(f *testing.F) {
	f.Add(example)
	f.Add("class C 03001000\nplain\n    byte[while] a")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := sheet.Parse("x", text)
		if err == nil {
			if s.Class == "" {
				t.Fatal("a sheet without a class")
			}
			return
		}
		var e *sheet.Error
		if !errors.As(err, &e) || e.Line < 1 {
			t.Fatalf("error without a line: %v", err)
		}
	})
}
