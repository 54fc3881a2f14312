package script

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/tree"
)

// registry has the one class.
var registry = gbx.NewRegistry([]gbx.ClassInfo{{ID: 0x11002000, Name: "CScriptTraitsMetadata", Chunks: []gbx.ChunkInfo{
	{ID: 0x11002000, New: func() gbx.Body { return new(Chunk11002000) }},
}}})

// fileOf is a file with nothing but the chunk.
func fileOf(chunk []byte) []byte {
	return cat([]byte("GBX\x06\x00BUUR"), word(0x11002000), word(0), word(1), word(0), word(0x11002000), chunk, word(0xFACADE01))
}

// Every kind of value, with its name and in its place.
func TestForms(t *testing.T) {
	words := func(from, n uint32) (b []byte) {
		for i := range n {
			b = append(b, word(from+i)...)
		}
		return b
	}
	floats := func(n int) (b []byte) {
		for i := range n {
			b = append(b, word(math.Float32bits(float32(i+1)))...)
		}
		return b
	}
	values := cat(
		small("b"), []byte{0, 1}, small("i"), []byte{1}, word(7), small("r"), []byte{2}, word(0x3FC00000), small("t"), []byte{3}, small("x"),
		small("2"), []byte{4}, floats(2), small("3"), []byte{5}, floats(3), small("j"), []byte{6}, words(1, 2), small("k"), []byte{7}, words(1, 3),
		small("o"), []byte{8}, floats(12), small("v"), []byte{9})
	types := []byte{1, 2, 3, 5, 9, 10, 14, 11, 12, 0}
	testForm(t, "every kind", cat(word(6), []byte{10}, types, []byte{10}, values), `
version 6
types[0].kind 1
types[1].kind 2
types[2].kind 3
types[3].kind 5
types[4].kind 9
types[5].kind 10
types[6].kind 14
types[7].kind 11
types[8].kind 12
types[9].kind 0
traits[0].name "b"
traits[0].typeIndex 0
traits[0].value.bool 1
traits[1].name "i"
traits[1].typeIndex 1
traits[1].value.int 7
traits[2].name "r"
traits[2].typeIndex 2
traits[2].value.real 1.5
traits[3].name "t"
traits[3].typeIndex 3
traits[3].value.text "x"
traits[4].name "2"
traits[4].typeIndex 4
traits[4].value.vec2.x 1
traits[4].value.vec2.y 2
traits[5].name "3"
traits[5].typeIndex 5
traits[5].value.vec3.x 1
traits[5].value.vec3.y 2
traits[5].value.vec3.z 3
traits[6].name "j"
traits[6].typeIndex 6
traits[6].value.int2.x 1
traits[6].value.int2.y 2
traits[7].name "k"
traits[7].typeIndex 7
traits[7].value.int3.x 1
traits[7].value.int3.y 2
traits[7].value.int3.z 3
traits[8].name "o"
traits[8].typeIndex 8
traits[8].value.iso4.x.x 1
traits[8].value.iso4.x.y 2
traits[8].value.iso4.x.z 3
traits[8].value.iso4.y.x 4
traits[8].value.iso4.y.y 5
traits[8].value.iso4.y.z 6
traits[8].value.iso4.z.x 7
traits[8].value.iso4.z.y 8
traits[8].value.iso4.z.z 9
traits[8].value.iso4.t.x 10
traits[8].value.iso4.t.y 11
traits[8].value.iso4.t.z 12
traits[9].name "v"
traits[9].typeIndex 9
`)
}

// Values made of others, in each version that stores them in another way.
func TestComposedForms(t *testing.T) {
	pair := cat([]byte{15, 2}, text("K"), text("A"), []byte{2}, text("B"), []byte{7, 0, 1}) // a struct of an Integer and a Boolean[]
	for name, k := range map[string]struct {
		chunk []byte
		want  string
	}{
		"a struct": {cat(word(6), []byte{1}, pair, []byte{1}, small("s"), []byte{0}, word(5), []byte{2, 1, 0}), `
version 6
types[0].kind 15
types[0].memberCount 2
types[0].name "K"
types[0].members[0].name "A"
types[0].members[0].kind 2
types[0].members[1].name "B"
types[0].members[1].kind 7
types[0].members[1].key.kind 0
types[0].members[1].value.kind 1
traits[0].name "s"
traits[0].typeIndex 0
traits[0].value.members[0].int 5
traits[0].value.members[1].elements[0].value.bool 1
traits[0].value.members[1].elements[1].value.bool 0
`},
		"with defaults": {cat(word(4), []byte{1}, small("s"), []byte{15, 1}, text("K"), text("A"), []byte{2}, word(9), word(5)), `
version 4
traits[0].name "s"
traits[0].type.kind 15
traits[0].type.memberCount 1
traits[0].type.name "K"
traits[0].type.members[0].name "A"
traits[0].type.members[0].kind 2
traits[0].type.members[0].default.int 9
traits[0].value.members[0].int 5
`},
		"keys": {cat(word(3), []byte{1}, small("s"), []byte{7, 2, 5}, []byte{1}, word(8), small("eight")), `
version 3
traits[0].name "s"
traits[0].type.kind 7
traits[0].type.key.kind 2
traits[0].type.value.kind 5
traits[0].value.elements[0].key.int 8
traits[0].value.elements[0].value.text "eight"
`},
		"a byte": {cat(word(3), []byte{1}, small("s"), []byte{1, 1}), `
version 3
traits[0].name "s"
traits[0].type.kind 1
traits[0].value.bool 1
`},
		"words": {old, `
version 2
traits[0].name "Flag"
traits[0].type.kind 1
traits[0].value.bool 1
traits[1].name "Names"
traits[1].type.kind 7
traits[1].type.key.kind 0
traits[1].type.value.kind 5
traits[1].value.elements[0].value.text "a"
traits[1].value.elements[1].value.text "bc"
`},
	} {
		testForm(t, name, k.chunk, k.want)
	}
}

// small is a text whose length is a byte.
func small(s string) []byte { return append([]byte{byte(len(s))}, s...) }

// testForm reads a chunk as the values in want, one a line; a document of it is the same
// file.
func testForm(t *testing.T, name string, chunk []byte, want string) {
	t.Helper()
	data := fileOf(chunk)
	f, err := gbx.Parse(data, registry)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if got := valuesOf(t, f); got != want[1:] {
		t.Errorf("%s:\n%s\nwant\n%s", name, got, want[1:])
	}
	document := bytes.NewBufferString("{")
	if err := tree.WriteJSON(document, f, archive.Everything); err != nil {
		t.Fatal(err)
	}
	document.WriteByte('}')
	again, err := tree.ReadJSON(document.Bytes(), registry)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if saved, err := again.Encode(); err != nil || !bytes.Equal(saved, data) {
		t.Errorf("%s: the document is another file (%v):\n%x\n%x", name, err, saved, data)
	}
}

// valuesOf lists the values of the chunk by their paths.
func valuesOf(t *testing.T, f *gbx.File) string {
	t.Helper()
	all, err := tree.Of(f)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var list func(path string, v *tree.Value)
	list = func(path string, v *tree.Value) {
		if len(v.Children) == 0 && v.Length > 0 {
			b.WriteString(strings.TrimPrefix(path, "body.11002000.traits.") + " " + v.Text() + "\n")
		}
		for i := range v.Children {
			c := &v.Children[i]
			list(tree.ChildPath(path, c), c)
		}
	}
	list("body", &all.Body)
	return strings.ReplaceAll(b.String(), "body.11002000.", "")
}

// A value that no version can hold is rejected with its place, in a document too.
func TestRefused(t *testing.T) {
	for _, k := range []struct {
		chunk  []byte
		kind   fault.Kind
		offset int64
	}{
		{word(1), fault.UnsupportedVersion, 4},
		{word(7), fault.UnsupportedVersion, 4},
		{cat(word(3), []byte{1, 1, 's', 15}), fault.Corrupt, 8},       // a struct before there were any
		{cat(word(5), []byte{1, 2, 1, 1, 'x', 1}), fault.Corrupt, 10}, // the second of one type
		{cat(word(5), []byte{1, 4, 1, 1, 'x', 0}), fault.Unsupported, 10},
		{cat(word(5), []byte{1, 6, 1, 1, 'x', 0}), fault.Unsupported, 10},
		{cat(word(5), []byte{1}, bytes.Repeat([]byte{7, 0}, maxTypeDepth+1), []byte{2}), fault.Limit, 5 + 2*maxTypeDepth + 1},
		{cat(word(6), []byte{1}, bytes.Repeat(cat([]byte{15, 1}, text(""), text("")), maxTypeDepth+2)), fault.Limit, 5 + 10*(maxTypeDepth+1)},
	} {
		err := gbx.DecodeRecord(k.chunk, &record{})
		if e, ok := err.(*fault.Error); !ok || e.Kind != k.kind || e.Offset != k.offset {
			t.Errorf("% x: %v, want %v at %d", k.chunk[:min(len(k.chunk), 12)], err, k.kind, k.offset)
		}
	}
	if err := gbx.DecodeRecord(cat(word(5), []byte{1}, bytes.Repeat([]byte{7, 0}, maxTypeDepth), []byte{2, 0}), &record{}); err != nil {
		t.Errorf("as deep as may be: %v", err)
	}
	f, err := gbx.Parse(fileOf(bare), registry)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := tree.WriteJSON(&b, f, archive.Everything); err != nil {
		t.Fatal(err)
	}
	value := `"members":[{"vec3":`
	document := "{" + b.String() + "}"
	if strings.Count(document, value) != 1 {
		t.Fatalf("document = %v; want strings.Count(document, value) = 1", document)
	}
	more := strings.Replace(document, value, `"members":[{"vec3":[1,2,3]},{"vec3":`, 1)
	if _, err := tree.ReadJSON([]byte(more), registry); err == nil || !strings.Contains(err.Error(), "2 values for 1 members") {
		t.Errorf(`err = %v; want an error, err with "2 values for 1 members"`, err)
	}
}
