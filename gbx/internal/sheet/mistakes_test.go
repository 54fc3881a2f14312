package sheet_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pakbox/gbx/internal/sheet"
)

const head = "class C 03001000\n"

// plain reads the fields of a class without chunks.
func plain(t *testing.T, text string) sheet.Block {
	t.Helper()
	s, err := sheet.Parse("x", head+"plain\n    "+strings.ReplaceAll(text, "\n", "\n    "))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return *s.Plain
}

// nested is a block of so many conditions, each in the one before.
func nested(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("    ", i) + "if a\n")
	}
	return b.String() + strings.Repeat("    ", n) + "byte a"
}

// chained is a condition with so many alternatives.
func chained(n int) string {
	return "if a\n    byte a\n" + strings.Repeat("else if a\n    byte a\n", n)
}

// Nesting has a limit, so that no sheet exhausts the memory, and what is not nested has
// no limit. Blocks that have ended do not count.
func TestNesting(t *testing.T) {
	deep := "(" + strings.Repeat("(", 200) + "a" + strings.Repeat(")", 200) + ")"
	for _, test := range []struct {
		what, text string
		ok         bool
	}{
		{"conditions", nested(90), true}, {"conditions", nested(101), false},
		{"alternatives", chained(90), true}, {"alternatives", chained(101), false},
		{"alternatives one after the other", strings.Repeat(chained(60), 5), true},
		{"conditions one after the other", strings.Repeat(nested(60)+"\n", 5), true},
		{"brackets", "if " + strings.Repeat("(", 90) + "a" + strings.Repeat(")", 90) + "\n    byte a", true}, {"brackets", "if " + deep, false},
		{"signs", "if " + strings.Repeat("!", 90) + "a\n    byte a", true}, {"signs", "if " + strings.Repeat("!", 101) + "a", false},
		{"terms", "if a" + strings.Repeat(" + a", 500) + "\n    byte a", true},
		{"fields", strings.Repeat("byte a\n", 500), true},
	} {
		_, err := sheet.Parse("x", head+"plain\n    "+strings.ReplaceAll(test.text, "\n", "\n    "))
		if (err == nil) != test.ok || err != nil && !strings.Contains(err.Error(), "too deep") {
			t.Errorf(`%s: err = %v; want success = %v, (no error or err with "too deep")`, test.what, err, test.ok)
		}
	}
}

// Operators bind as in Go; equal ones from the left.
func TestExpressions(t *testing.T) {
	for text, want := range map[string]string{
		"a - b - c": "((a - b) - c)", "a + b * c": "(a + (b * c))", "a || b && c": "(a || (b && c))", "a < b == c": "((a < b) == c)",
		"a & 0x10 != 0": "((a & 16) != 0)", "a << 2 | b >> 1": "((a << 2) | (b >> 1))", "-a * b": "(-a * b)", "!a && b": "(!a && b)", "!(a && b)": "!(a && b)",
		"len(a) % 2": "(len(a) % 2)", "f()": "f()", "f(a, b + 1).x": "", "a.b.c": "a.b.c", "a / b ^ c": "((a / b) ^ c)", "a<=b": "(a <= b)", "a>=b": "(a >= b)", "a>b": "(a > b)", "a Z9_z": "",
	} {
		s, err := sheet.Parse("x", head+"plain\n    if "+text+"\n        byte a")
		if want == "" {
			if err == nil || !strings.Contains(err.Error(), "is left over") {
				t.Errorf(`%s: err = %v; want an error, err with "is left over"`, text, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := (*s.Plain)[0].(*sheet.If).Cond.String(); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestStatements(t *testing.T) {
	b := plain(t, `if a as group // why
    base 005
else if b
    base 0304F00A
else
    marker "x // \" y"
encapsulated
    return
encapsulated inside
    byte _
zlib packed(a, b) // how
    byte a9
Other.Struct(1, a)[byte] s // a doc
node<Other.Class>[4096] n
int32[1] z`)
	cond := b[0].(*sheet.If)
	other := cond.Else[0].(*sheet.If)
	if cond.Group != "group" || cond.Doc != "why" || cond.Then[0].(*sheet.Base).ID != 0x03001005 || other.Then[0].(*sheet.Base).ID != 0x0304F00A || other.Else[0].(*sheet.Marker).Text != `x // " y` {
		t.Errorf("cond = %+v, other = %+v", cond, other)
	}
	if one, two := b[1].(*sheet.Encapsulated), b[2].(*sheet.Encapsulated); one.Name != "encapsulated" || two.Name != "inside" || two.Body[0].(*sheet.Field).Name != "" {
		t.Errorf(`one = %+v, two = %+v; want one.Name = "encapsulated", two.Name = "inside", two.Body[0].(*sheet.Field).Name = ""`, one, two)
	}
	if _, ok := b[1].(*sheet.Encapsulated).Body[0].(*sheet.Return); !ok {
		t.Errorf("b[1] = %+v; want ok", b[1])
	}
	if z := b[3].(*sheet.Zlib); z.Name != "packed" || z.Doc != "how" || !reflect.DeepEqual(z.Args, []string{"a", "b"}) {
		t.Errorf(`z = %+v; want z.Name = "packed", z.Doc = "how", z.Args equal to []string{"a", "b"}`, z)
	}
	if f := b[4].(*sheet.Field); f.Type.Name != "Other.Struct" || len(f.Type.Args) != 2 || f.Type.Count.Kind != sheet.CountByte || f.Doc != "a doc" || f.Pos() != 15 {
		t.Errorf("%+v at %d", f, f.Pos())
	}
	if f := b[5].(*sheet.Field); f.Type.Of != "Other.Class" || f.Type.Count.Fixed != 4096 {
		t.Errorf(`f = %+v; want f.Type.Of = "Other.Class", f.Type.Count.Fixed = 4096`, f)
	}
	if f := b[6].(*sheet.Field); *f.Type.Count != (sheet.Count{Kind: sheet.CountFixed, Fixed: 1}) || f.Name != "z" {
		t.Errorf(`f = %+v; want *f.Type.Count = sheet.Count{Kind: sheet.CountFixed, Fixed: 1}, f.Name = "z"`, f)
	}
}

func TestNamedThings(t *testing.T) {
	s, err := sheet.Parse("x", head+`flags Bits // some bits
    A
    B = 4
    C
    D = 31 // the last
enum Kind
    Last = 0xFFFFFFFF
extern Odd // by hand
extern list Many
extern list
header 001
chunk 001 like 002 Name [A B,C] // what`)
	if err != nil {
		t.Fatal(err)
	}
	bits := sheet.Enum{Line: 2, Name: "Bits", Flags: true, Doc: "some bits", Values: []sheet.EnumValue{{Name: "A"}, {Name: "B", Value: 4}, {Name: "C", Value: 5}, {Name: "D", Value: 31, Doc: "the last"}}}
	if !reflect.DeepEqual(*s.Enums[0], bits) || s.Enums[1].Flags || s.Enums[1].Values[0].Value != 0xFFFFFFFF {
		t.Errorf("s.Enums[0] = %+v, s.Enums[1] = %+v; want *s.Enums[0] equal to %v, s.Enums[1].Flags = false, s.Enums[1].Values[0].Value = 0xFFFFFFFF", s.Enums[0], s.Enums[1], bits)
	}
	for i, want := range []sheet.Extern{{Line: 9, Name: "Odd", Doc: "by hand"}, {Line: 10, Name: "Many", List: true}, {Line: 11, Name: "list"}} {
		if *s.Externs[i] != want {
			t.Errorf("%+v, want %+v", *s.Externs[i], want)
		}
	}
	c := s.Chunks[1]
	if s.Chunks[0].ID != c.ID || !s.Chunks[0].Header || c.Header || c.Name != "Name" || c.Doc != "what" || !reflect.DeepEqual(c.Games, []string{"A", "B", "C"}) || c.Body[0].(*sheet.Base).ID != 0x03001002 {
		t.Errorf("chunk %+v; want chunk Name of the games A, B and C, after its header chunk", c)
	}
}

// Each mistake is named, with its line, which is the last one by default.
func TestMoreMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"    byte a": "unexpected indent", "class D 03002000": "a sheet describes one class", "words": "class, header, chunk, plain, struct, enum, flags or extern expected, not \"words\"",
		"chunk 001 a b": `a chunk has one name, not "a" and "b"`, "chunk 001 [A": "] expected", "chunk 001 like 1": `"1" is not a chunk number: write three hex digits, or eight`,
		"chunk 0304F00": `"0304F00" is not a chunk number: write three hex digits, or eight`, "chunk xyz": `"xyz" is not a chunk number: write three hex digits, or eight`,
		"struct": "the struct needs a name", "struct A(": "a name is missing in ()", "struct A(b c)": `"," expected at "c)"`, "struct A(b) c": `"c" is left over`, "enum": "the enum needs a name", "flags": "the flags needs a name",
		"enum A\n    B = x": "a number is expected after =", "flags A\n    B = 32": "write: Name, or Name = number", "enum A\n    B c": "write: Name, or Name = number", "enum A\n    = 1": "write: Name, or Name = number",
		"plain\n    // what": "documentation stands behind what it documents; use # for remarks", "plain\n        byte a": "indented too far",
		"plain\n    marker x": "text in double quotes expected", "plain\n    unsupported": "text in double quotes expected", "plain\n    marker \"x\" y": `"y" is left over`,
		"plain\n    zlib": "the compressed block needs a name", "plain\n    zlib a(": "a name is missing in ()", "plain\n    base 1": `"1" is not a chunk number: write three hex digits, or eight`,
		"plain\n    if": `value expected at ""`, "plain\n    if a as": `"as" is left over`, "plain\n    if a as +": "a name is expected after as", "plain\n    if a b": `"b" is left over`, "plain\n    if a.": `name expected after "a."`,
		"plain\n    if 0x": `"0x" is not a number`, "plain\n    if (a": `")" expected at ""`, "plain\n    if f(a b)": `"," expected at "b)"`, "plain\n    if f(": `value expected at ""`, "plain\n    if !": `value expected at ""`,
		"plain\n    byte<a b": `">" expected at "b"`, "plain\n    byte(a b": `"," expected at "b"`, "plain\n    byte[a b": `"]" expected at "b"`, "plain\n    byte[0] b": "a list of 0", "plain\n    byte[4097] b": "a list of 4097",
		"plain\n    raw": `type expected at ""`, "plain\n    <a> b": `type expected at "<a> b"`, "plain\n    byte 9": `the field's name "9" should begin with a small letter`, "plain\n    byte {": "the field needs a name, or _",
		"plain\n    if a\n        byte b\n    else c": `"c" is left over`, "plain\n    if a\n        byte b\n    else if": `"if" is left over`, "plain\n    return x": `"x" is left over`,
	} {
		_, err := sheet.Parse("x", head+text)
		if full := fmt.Sprintf("x:%d: %s", 2+strings.Count(text, "\n"), want); err == nil || err.Error() != full {
			t.Errorf("%q: %v, want %s", text, err, full)
		}
	}
	for text, want := range map[string]string{
		"class C 03001001": "x:1: write: class Name EECCC000", "class C 030010000": "x:1: write: class Name EECCC000", "class 03001000": "x:1: write: class Name EECCC000", "class C": "x:1: write: class Name EECCC000",
		head + "plain\n    if a\n        byte B\n    byte c":                                `x:4: the field's name "B" should begin with a small letter`,
		head + "plain\n    encapsulated\n        byte B\n    byte c":                        `x:4: the field's name "B" should begin with a small letter`,
		head + "struct A\n    byte B\nextern C":                                             `x:3: the field's name "B" should begin with a small letter`,
		head + "plain\n    if a\n        byte b\n    else\n        byte B\n    byte c":      `x:6: the field's name "B" should begin with a small letter`,
		head + "plain\n    if a\n        byte b\n    else if c\n        byte B\n    byte c": `x:6: the field's name "B" should begin with a small letter`,
	} {
		if _, err := sheet.Parse("x", text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
