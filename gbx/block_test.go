package gbx_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"testing"

	"pakbox/gbx"
)

// blockOf is the compressed block of the file that is shown.
func blockOf(t *testing.T, f *gbx.File) *zlibBlock {
	t.Helper()
	c, ok := gbx.Find[*single[zlibBlock]](f.Body)
	if !ok {
		t.Fatal("no block")
	}
	return &c.V
}

// inflated is what the standard library finds in a block.
func inflated(t *testing.T, z *zlibBlock) []byte {
	t.Helper()
	r, err := zlib.NewReader(bytes.NewReader(z.Stored))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err != nil || len(content) != int(z.Size) {
		t.Fatalf("%d bytes, which should be %d: %v", len(content), z.Size, err)
	}
	return content
}

// renamer changes a name inside a compressed block.
type renamer struct {
	blind
	to     string
	change bool // the visitor reports a change
}

func (r *renamer) Value(name string, p any) {
	if id, ok := p.(*gbx.ID); ok && name == "name" {
		*id = gbx.NewID(r.to)
	}
}

func (r *renamer) Inside(found, coded []byte, err error) bool { return r.change }

// A block is compressed again if a visitor has changed what is in it, as hard as
// it was before, and stays as it is otherwise.
func TestBlockChanged(t *testing.T) {
	data, reg := shownFile()
	inner := join(0x40000000, text("out"), 1, testClass, testChunk+9, "tail")
	for _, k := range []struct{ before, after byte }{{0x01, 0x9C}, {0x5E, 0x9C}, {0x9C, 0x9C}, {0xDA, 0xDA}} {
		f := read(t, data, reg)
		z := blockOf(t, f)
		before := bytes.Clone(z.Stored)
		if err := f.Walk(&renamer{to: "out"}); err != nil || !bytes.Equal(z.Stored, before) {
			t.Errorf("% x became % x (%v)", before, z.Stored, err)
		}
		z.Stored = bytes.Clone(before)
		z.Stored[1] = k.before
		z.Stored[0] = 0x78
		for binary.BigEndian.Uint16(z.Stored)%31 != 0 {
			z.Stored[0] -= 0x10 // another window is another check
		}
		if err := f.Walk(&renamer{to: "out", change: true}); err != nil || z.Stored[1] != k.after {
			t.Errorf("% x became % x (%v)", before, z.Stored, err)
		}
		if got := inflated(t, z); !bytes.Equal(got, join(3, inner)) {
			t.Errorf("got = % x; want got equal to join(3, inner)", got)
		}
		saved, err := f.Encode()
		if err != nil {
			t.Fatal(err)
		}
		content, err := blockOf(t, read(t, saved, reg)).Content()
		if err != nil || content.Name.String() != "out" || content.Node.Node.Tail == nil {
			t.Errorf(`content = %+v, err = %v; want no error, content.Name.String() = "out", content.Node.Node.Tail other than nil`, content, err)
		}
	}
}

// Damage of a block is reported, and the file that holds it is kept.
func TestBlockDamaged(t *testing.T) {
	content := join(3, 0x40000000, text("in"), -1)
	good := stored(content)[8:]
	changed := func(at int, by byte) []byte {
		b := bytes.Clone(good)
		b[at] ^= by
		return b
	}
	for _, test := range []struct {
		name   string
		size   int
		stored []byte
		want   string
	}{
		{"whole", 18, good, ""},
		{"more than declared", 17, good, "a compressed block holds 18 bytes, not 17"},
		{"less than declared", 19, good, "a compressed block holds 18 bytes, not 19"},
		{"nothing", 18, nil, "unpacking: unexpected EOF"},
		{"cut", 18, good[:len(good)-1], "unpacking: unexpected EOF"},
		{"far more than it can hold", 1032*len(good) + 65, good, "a compressed block of 29 bytes cannot expand to 29993 bytes"},
		{"nearly more than it can hold", 1032*len(good) + 64, good, "a compressed block holds 18 bytes, not 29992"},
		{"four billion bytes", -1, good, "a compressed block of 29 bytes cannot expand to 4294967295 bytes"},
		{"another checksum", 18, changed(len(good)-1, 1), "unpacking: deflated data: Adler-32 of the data differs from the stored one after 29 bytes"},
		{"left over", 22, stored(join(content, 7))[8:], "at 0x12: 4 bytes of the compressed block are unknown"},
		{"too short", 14, stored(content[:14])[8:], "node at 0xe: needs 4 bytes, 0 remain"},
	} {
		_, reg := shownFile()
		data := binaryFile(testChunk+4, test.size, len(test.stored), test.stored, nodeEnd)
		f := read(t, data, reg)
		z := blockOf(t, f)
		got := ""
		v, err := z.Content()
		if err != nil {
			got = err.Error()
		} else if v.Name.String() != "in" || !v.Node.IsNil() {
			t.Errorf(`%s: v = %+v; want v.Name.String() = "in", v.Node.IsNil() = true`, test.name, v)
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		inexact := f.Coverage().Inexact
		if (len(inexact) == 1 && inexact[0] == gbx.Inexact{Chunk: testChunk + 4, Reason: "compressed block: " + test.want}) != (test.want != "") {
			t.Errorf(`%s: inexact = %+v; want the compressed block of the last chunk exactly if it has a reason`, test.name, inexact)
		}
	}
}
