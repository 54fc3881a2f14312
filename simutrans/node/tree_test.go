package node_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans/node"
	_ "pakbox/simutrans/object" // declares the words for types
)

// readFile reads a file as a program that has it open does.
func readFile(t *testing.T, path string) ([]byte, *node.File) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := node.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatalf("%s: %v", filepath.Base(path), err)
	}
	return data, f
}

// The manifest lists the nodes of each file as another program found them when the corpus
// was gathered. makeobj named each file by the object in it.
func TestNodesAreThoseOfTheManifest(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t, "simutrans"), "pak")
	text, err := os.ReadFile(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	table := csv.NewReader(bytes.NewReader(text))
	table.Comma, table.LazyQuotes = '\t', true
	rows, err := table.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		name, listed := row[0], row[5]
		if strings.HasPrefix(name, "synthetic__") {
			continue // listed by what they are for
		}
		data, f := readFile(t, filepath.Join(dir, name))
		want := map[string]bool{}
		for word := range strings.FieldsSeq(listed) {
			typ, rest, _ := strings.Cut(word, ":")
			switch typ = strings.TrimRight(typ, "."); {
			case typ == "FILE" && rest != fmt.Sprintf("0x%x", f.Code):
				t.Errorf("%s: code 0x%x, listed as %s", name, f.Code, rest)
			case typ != "FILE":
				want[typ] = true
			}
		}
		got := map[string]bool{}
		last, depths := int64(-1), map[*node.Node]int{f.Root: 0}
		f.Root.Walk(func(n *node.Node, depth int) bool {
			got[n.Type.String()] = true
			if n.Offset <= last || !bytes.HasPrefix(data[n.Offset:], []byte(n.Type.String())) {
				t.Errorf("%s: offset of %s = %d, want its type there, and more than %d", name, n.Type, n.Offset, last)
			}
			if at := n.BodyOffset(); f.Code != node.Code1001 && !bytes.HasPrefix(data[at:], n.Body) {
				t.Errorf("%s: the body of %s is not at %d", name, n.Type, at)
			}
			last = n.Offset
			for _, c := range n.Children {
				depths[c] = depth + 1
			}
			if d, ok := depths[n]; !ok || d != depth {
				t.Errorf("%s: %s at %d is visited at depth %d, want %d", name, n.Type, n.Offset, depth, d)
			}
			return true
		})
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: types %v, listed are %v", name, got, want)
		}
		_, file, _ := strings.Cut(strings.TrimSuffix(name, ".pak"), "__")
		if obj, called, ok := strings.Cut(file, "."); ok && len(f.Root.Children) == 1 {
			if typ, ok := node.ObjType(obj); ok && (f.Root.Children[0].Type.Obj() != obj || typ != f.Root.Children[0].Type || f.Root.Children[0].Name() != called) {
				t.Errorf("%s holds the %s %q", name, f.Root.Children[0].Type.Obj(), f.Root.Children[0].Name())
			}
		}
	}
}

// A file cut at any byte is reported as truncated, with an offset
// inside the file.
func TestEveryBeginOfAFileIsTruncated(t *testing.T) {
	dir := corpus.Dir(t, "simutrans")
	for _, name := range []string{"britain-ex__good.None.pak", "debian-pak64__good.None.pak", "contrast__ground.Outside.pak"} {
		data, f := readFile(t, filepath.Join(dir, "pak", name))
		for end := range len(data) {
			_, err := node.Parse(data[:end])
			var e *fault.Error
			want := fault.Truncated
			if end <= len(f.Banner) {
				want = fault.NotFormat
			}
			if !errors.As(err, &e) || e.Kind != want || e.Offset < 0 || e.Offset > int64(end) || e.Field == "" {
				t.Errorf("%s, the first %d bytes: %v", name, end, err)
			}
		}
	}
	if _, err := node.Read(strings.NewReader(header), 1000); err == nil {
		t.Error("Read accepted a file that is shorter than its size")
	}
}

// Where and what is wrong, in files of one fault.
func TestErrorsSayWhere(t *testing.T) {
	nested := func(depth int) string {
		return header + strings.Repeat("ROOT\x01\x00\x00\x00", depth) + "ROOT\x00\x00\x00\x00"
	}
	at := int64(len(header))
	for _, test := range []struct {
		data   string
		offset int64
		field  string
	}{
		{"x\x1a\xec\x03\x00\x00ROOT\x00\x00\x00\x00", 2, "version code"},
		{"\x1a\xeb\x03\x00\x00", 5, "root"},
		{header + "TEXT\x00\x00\x00\x00", at, "root"},
		{header + "\x00\x00\x00\x00\x00\x00\x00\x00", at, "root"},
		{header + "ROOT\x00\x00\x05\x00abcd", at, "size"},
		{header + "ROOT\x01\x00\x04\x00abcd", at, "children"},
		{header + "ROOT\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", at + 8, "type"},
		{header + "ROOT\x00\x00\x00\x00!", at + 8, ""},
		{nested(65), at + 8*65, "node"},
	} {
		_, err := node.Parse([]byte(test.data))
		var e *fault.Error
		if !errors.As(err, &e) || e.Offset != test.offset || e.Field != test.field {
			t.Errorf("%q: %v, want %s at 0x%x", test.data, err, test.field, test.offset)
		}
	}
	if _, err := node.Parse([]byte(nested(64))); err != nil {
		t.Errorf("64 levels: %v", err)
	}
	if _, err := node.Parse([]byte(strings.Repeat("x", 64<<10-1) + "\x1a\xeb\x03\x00\x00ROOT\x00\x00\x00\x00")); err != nil {
		t.Errorf("a text of 64 KiB: %v", err)
	}
	if _, err := node.Parse([]byte(strings.Repeat("x", 64<<10) + "\x1a\xeb\x03\x00\x00ROOT\x00\x00\x00\x00")); fault.KindOf(err) != fault.NotFormat {
		t.Errorf("a longer text: %v", err)
	}
}

func TestDetect(t *testing.T) {
	const rest = "\x1a\xeb\x03\x00\x00ROOT"
	for text, want := range map[string]bool{
		rest:                                 true, // no text at all
		"tab\tand line\r\n" + rest:           true,
		"a bell\a" + rest:                    false,
		"old\x1a\xe9\x03\x00\x00ROOT":        true,
		"newer\x1a\xec\x03\x00\x00ROOT":      false,
		"no root\x1a\xeb\x03\x00\x00TEX":     false,
		"text\x1a\xeb\x03\x00\x00TEXT":       false,
		"newer text\x1a\xec\x03\x00\x00TEXT": false,
		"no end, but long enough":            false,
		"":                                   false,
		"Simutrans object file\n":            true,
	} {
		if got := node.Detect([]byte(text)); got != want {
			t.Errorf("%q: got = %v; want %v", text, got, want)
		}
	}
}

// A node can have 65535 children, and in a file of code 1003 any size.
func TestLimitsOfANode(t *testing.T) {
	head := func(objects int) string {
		data, err := node.Head(objects)
		if err != nil {
			t.Fatalf("%d objects: %v", objects, err)
		}
		return string(data)
	}
	if got := head(65535); got != header+"ROOT\xff\xff\x00\x00" {
		t.Errorf("got = %q; want header + \"ROOT\\xff\\xff\\x00\\x00\"", got)
	}
	if _, err := node.Head(65536); fault.KindOf(err) != fault.Limit {
		t.Errorf("65536 objects: %v", err)
	}
	// An error below the root is an error of the file, however it is written.
	f := node.New(&node.Node{Type: node.TEXT, Body: make([]byte, 65536)})
	f.Code = node.Code1001
	if _, err := f.WriteTo(io.Discard); fault.KindOf(err) != fault.Limit {
		t.Errorf("a file of code 1001 with a body of 64 KiB: %v", err)
	}
	f.Code = node.Code1003
	for _, size := range []int{0, 65534, 65535, 65536} {
		f.Root.Children[0].Body = make([]byte, size)
		var out bytes.Buffer
		n, err := f.WriteTo(&out)
		if err != nil || n != f.Size() || int64(out.Len()) != n {
			t.Errorf("a body of %d bytes: WriteTo wrote %d bytes, returned %d, Size() = %d: %v", size, out.Len(), n, f.Size(), err)
		}
		if got := f.Root.BodyBytes(); got != int64(size) {
			t.Errorf("a body of %d bytes: sum %d", size, got)
		}
	}
	broken := errors.New("disk full")
	if _, err := f.WriteTo(failing{broken}); !errors.Is(err, broken) {
		t.Errorf("to a full disk: %v", err)
	}
}

type failing struct{ err error }

func (w failing) Write([]byte) (int, error) { return 0, w.err }

// object is a vehicle with a list of two images.
func object() *node.Node {
	return &node.Node{Type: node.VHCL, Body: []byte{1, 2, 3}, Children: []*node.Node{
		node.NewText("Bus"), node.NewText("me"),
		{Type: node.IMG1, Body: []byte{2, 0}, Children: []*node.Node{
			{Type: node.IMG, Body: []byte("first")}, {Type: node.IMG, Body: []byte("second")},
		}},
		node.NewXref(node.Xref{Type: node.SMOK, Name: "Steam"}),
	}}
}

func TestFindAndWalk(t *testing.T) {
	o := object()
	if n := o.Find(node.IMG); n == nil || string(n.Body) != "first" {
		t.Errorf("the first image is %v", n)
	}
	if n := o.Find(node.VHCL); n != o {
		t.Errorf("the vehicle itself: %v", n)
	}
	if n := o.Find(node.TREE); n != nil {
		t.Errorf("a tree: %v", n)
	}
	var seen []string
	o.Walk(func(n *node.Node, depth int) bool {
		seen = append(seen, fmt.Sprint(depth, n.Type))
		return n.Type != node.IMG1
	})
	if got := strings.Join(seen, " "); got != "0 VHCL 1 TEXT 1 TEXT 1 IMG1 1 XREF" {
		t.Errorf(`got = %v; want "0 VHCL 1 TEXT 1 TEXT 1 IMG1 1 XREF"`, got)
	}
	for i, want := range map[int]*node.Node{-1: nil, 0: o.Children[0], 3: o.Children[3], 4: nil} {
		if got := o.Child(i); got != want {
			t.Errorf("child %d: %v", i, got)
		}
	}
}

// A copy is equal, shares nothing, and any difference makes it unequal.
func TestCloneAndEqual(t *testing.T) {
	for name, change := range map[string]func(*node.Node){
		"type":        func(n *node.Node) { n.Type = node.CCAR },
		"body":        func(n *node.Node) { n.Body[0]++ },
		"child less":  func(n *node.Node) { n.Children = n.Children[:3] },
		"grandchild":  func(n *node.Node) { n.Children[2].Children[1].Body[0]++ },
		"other child": func(n *node.Node) { n.Children[0], n.Children[1] = n.Children[1], n.Children[0] },
	} {
		t.Run(name, func(t *testing.T) {
			o, c := object(), object().Clone()
			if !o.Equal(c) {
				t.Fatal("a copy is not equal")
			}
			c = o.Clone()
			change(c)
			if o.Equal(c) || c.Equal(o) {
				t.Errorf("%s: still equal", name)
			}
			if !o.Equal(object()) {
				t.Errorf("%s: the original has changed", name)
			}
		})
	}
}

func TestTextsOfObjects(t *testing.T) {
	o := object()
	if o.Name() != "Bus" || o.Copyright() != "me" {
		t.Errorf("%q by %q", o.Name(), o.Copyright())
	}
	if !o.SetCopyright("you") || o.Copyright() != "you" || o.Name() != "Bus" {
		t.Errorf("%q by %q", o.Name(), o.Copyright())
	}
	mixed := &node.Node{Type: node.BUIL, Children: []*node.Node{
		{Type: node.TILE}, node.NewText("Hut"), {Type: node.TILE}, node.NewText("him"),
	}}
	if mixed.Name() != "Hut" || mixed.Copyright() != "him" {
		t.Errorf("%q by %q", mixed.Name(), mixed.Copyright())
	}
	nameless := &node.Node{Type: node.BUIL, Children: []*node.Node{{Type: node.TILE}}}
	if nameless.Name() != "" || nameless.SetName("x") || nameless.SetCopyright("x") {
		t.Error("a building without texts has one")
	}
	if s := (&node.Node{Type: node.TEXT, Body: []byte("no end")}).Text(); s != "no end" {
		t.Errorf(`s = %q; want "no end"`, s)
	}
	if s := (&node.Node{Type: node.TEXT, Body: []byte("\x00behind")}).Text(); s != "" {
		t.Errorf(`s = %q; want ""`, s)
	}
	if s := (&node.Node{Type: node.IMG, Body: []byte("image")}).Text(); s != "" {
		t.Errorf(`s = %q; want ""`, s)
	}
}

// The bytes of a reference: type, whether it must be there, name, NUL.
func TestXref(t *testing.T) {
	for want, body := range map[node.Xref]string{
		{Type: node.GOOD, Fatal: true, Name: "Coal"}:   "GOOD\x01Coal\x00",
		{Type: node.SMOK, Fatal: false, Name: "Steam"}: "SMOK\x00Steam\x00",
		{Type: node.WAY, Fatal: false}:                 "WAY\x00\x00\x00",
	} {
		n := node.NewXref(want)
		if string(n.Body) != body {
			t.Errorf("%+v is %q", want, n.Body)
		}
		if got, ok := n.Xref(); !ok || got != want {
			t.Errorf("%q is %+v", body, got)
		}
	}
	for body, want := range map[string]bool{"GOOD": false, "GOOD\x01": true, "GOOD\x02x": true} {
		if x, ok := (&node.Node{Type: node.XREF, Body: []byte(body)}).Xref(); ok != want || ok && !x.Fatal {
			t.Errorf("%q: x = %+v, ok = %v; want ok = %v, (ok = false or x.Fatal = true)", body, x, ok, want)
		}
	}
	if _, ok := (*node.Node)(nil).Xref(); ok {
		t.Error("nothing is a reference")
	}
	if _, ok := node.NewText("long enough").Xref(); ok {
		t.Error("a text is a reference")
	}
}

func TestNamesOfTypes(t *testing.T) {
	for typ, want := range map[node.Type]struct{ letters, obj, name string }{
		node.WAY:             {"WAY", "way", "way"},
		node.WYOB:            {"WYOB", "way-object", "way-object"},
		node.BRDG:            {"BRDG", "bridge", "bridge"},
		node.IMG1:            {"IMG1", "", "imagelist"},
		node.ROOT:            {"ROOT", "", "root"},
		letters("ABCD"):      {"ABCD", "", "ABCD"},
		letters(" ~ ~"):      {" ~ ~", "", " ~ ~"},
		letters("AB\x7fD"):   {"0x447f4241", "", "0x447f4241"},
		letters("A\x1fCD"):   {"0x44431f41", "", "0x44431f41"},
		letters("\x00\x00A"): {"0x00410000", "", "0x00410000"},
		0:                    {"0x00000000", "", "0x00000000"},
	} {
		if typ.String() != want.letters || typ.Obj() != want.obj || typ.Name() != want.name {
			t.Errorf("%q, %q, %q: want %q", typ.String(), typ.Obj(), typ.Name(), want)
		}
		if got, ok := node.ObjType(want.obj); ok != (want.obj != "") || ok && got != typ {
			t.Errorf("%q is %s, %v", want.obj, got, ok)
		}
	}
}

// letters is the type that is written so.
func letters(s string) (t node.Type) {
	for i := range s {
		t |= node.Type(s[i]) << (8 * i)
	}
	return t
}

// Every type has a step that can be a file name and is read back.
func TestSteps(t *testing.T) {
	for typ, want := range map[node.Type]string{
		node.VHCL:       "007.VHCL",
		node.WAY:        "007.WAY",
		letters("0x12"): "007.0x12",
		letters("09AZ"): "007.09AZ",
		letters("azby"): "007.azby",
		letters("A/BC"): "007.0x43422f41",
		letters("A:BC"): "007.0x43423a41",
		letters("A@BC"): "007.0x43424041",
		letters("A[BC"): "007.0x43425b41",
		letters("A`BC"): "007.0x43426041",
		letters("A{BC"): "007.0x43427b41",
		1:               "007.0x00000001",
		0xFFFFFFFF:      "007.0xffffffff",
	} {
		step := node.Step(7, typ)
		if step != want {
			t.Errorf("%q: step %s, want %s", typ, step, want)
		}
		if index, got, err := node.ParseStep(step); err != nil || index != 7 || got != typ {
			t.Errorf("%s is read as %d, %q: %v", step, index, got, err)
		}
	}
	if index, typ, err := node.ParseStep("0.A"); err != nil || index != 0 || typ != letters("A") {
		t.Errorf("0.A is %d, %q: %v", index, typ, err)
	}
	for _, step := range []string{"", "007", ".VHCL", "x.VHCL", "-1.VHCL", "007.", "007.VHCLE", "007.0x1234567", "007.0x1234567g", "007.0x123456789"} {
		if index, typ, err := node.ParseStep(step); fault.KindOf(err) != fault.BadEntry || index != 0 || typ != 0 {
			t.Errorf("%q is read as %d, %q: %v", step, index, typ, err)
		}
	}
}

func TestAt(t *testing.T) {
	o := object()
	second := o.Children[2].Children[1]
	for path, want := range map[string]*node.Node{
		"": o, "000.VHCL": o, "002.IMG1": o.Children[2],
		"002.IMG1/001.IMG": second, "000.VHCL/002.IMG1/001.IMG": second, "/002.IMG1/001.IMG": second,
	} {
		if got, err := o.At(path); err != nil || got != want {
			t.Errorf("%q: got = %v, err = %v; want no error, got = %v", path, got, err, want)
		}
	}
	for path, want := range map[string]string{
		"001.VHCL":         "001.VHCL on the path 001.VHCL is a TEXT",
		"002.IMG1/002.IMG": "node 002.IMG not found on the path 002.IMG1/002.IMG",
		"002.IMG/001.IMG":  "002.IMG on the path 002.IMG/001.IMG is a IMG1",
		"002.IMG1/image":   "is not a step to a node",
		"002.IMG1/":        "is not a step to a node",
	} {
		if got, err := o.At(path); got != nil || fault.KindOf(err) != fault.BadEntry || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got = %v, err = %v; want got = nil, err of kind fault.BadEntry, err with %q", path, got, err, want)
		}
	}
}
