package plug_test

import (
	"bytes"
	"math"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/plug"
)

// join makes bytes of what it is given: ints are 32-bit words, floats too, strings
// are bytes.
func join(parts ...any) []byte {
	var b bytes.Buffer
	word := func(v uint32) { b.Write([]byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)}) }
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			b.WriteString(p)
		case int:
			word(uint32(p))
		case float64:
			word(math.Float32bits(float32(p)))
		case []any:
			b.Write(join(p...))
		}
	}
	return b.Bytes()
}

// file builds an uncompressed file.
func file(class int, parts ...any) []byte {
	return join("GBX\x06\x00BUUR", class, 0, 1, 0, parts, 0xFACADE01)
}

// whole parses a file that must be understood to the last byte and re-encoded.
func whole(t *testing.T, data []byte) *gbx.Node {
	t.Helper()
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	if c := f.Coverage(); len(c.Opaque) != 0 || len(c.Inexact) != 0 {
		t.Fatalf("coverage = %+v", c)
	}
	return f.Body
}

// crystal is a crystal of one triangle repeated, in the newest version. In
// arrays, numbers take two bytes from a count of 255 on, other numbers only
// from 256 on.
func crystal(faces int, uvIndex string) []byte {
	parts := []any{
		0x09003003, 2, 0, // no materials
		0x09003005, 0, 1, 0, 2, 0, 3, -1, 0, 1, 1, // one layer
		37, 4, 0, 0, 1, 0, "\x01", -1, 0, -1, 0, // one group
		"\x01", 0, 0,
		3, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0,
		3, 0, faces, 1, 0.0, 0.0, faces * 3,
	}
	for range faces * 3 {
		parts = append(parts, uvIndex)
	}
	for range faces {
		parts = append(parts, "\x00\x00\x01\x02", -1, "\x00")
	}
	return file(0x09003000, append(parts, 0, 0, 1, 1)...)
}

func TestCrystalFaces(t *testing.T) {
	for _, test := range []struct {
		faces   int
		uvIndex string
	}{{1, "\x00"}, {84, "\x00"}, {85, "\x00\x00"}, {86, "\x00\x00"}} {
		c, ok := gbx.Find[*plug.Chunk09003005](whole(t, crystal(test.faces, test.uvIndex)))
		if !ok {
			t.Fatal("no layers")
		}
		faces := c.Layers.List[0].Geometry.Crystal.Embedded.Geometry.Faces
		if len(faces) != test.faces || len(faces[0].Indices) != 3 || faces[0].Indices[2] != 2 {
			t.Errorf("%d faces: %+v", test.faces, faces)
		}
	}
}

const (
	positions = 0x00400400 // three floats, vertices of 16 bytes
	colors    = 0x00400808 // four bytes
)

func TestVertexStreamColumns(t *testing.T) {
	n := whole(t, file(0x09056000, 0x09056000, 1, 2, 0, -1,
		2, positions, 0, colors, 12<<2, "\x00\x00\x0C\x00", 1,
		1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7, 8))
	c, _ := gbx.Find[*plug.Chunk09056000](n)
	d := &c.VertexData
	if d.Columns[0].Vec3s[1] != (gbx.Vec3{X: 4, Y: 5, Z: 6}) || d.Columns[1].Words[1] != 8 {
		t.Errorf("columns = %+v", d.Columns)
	}
}

func TestVertexStreamInterleaved(t *testing.T) {
	n := whole(t, file(0x09056000, 0x09056000, 0, 2, 0, -1,
		2, positions, 1, 1.0, 2.0, 3.0, 7, 4.0, 5.0, 6.0, 8,
		colors, 12<<2, "\x00\x00\x0C\x00"))
	c, _ := gbx.Find[*plug.Chunk09056000](n)
	if d := &c.VertexData.Decls[0]; d.Stride() != 16 || len(d.Vertices) != 32 {
		t.Errorf("stride %d, %d bytes", d.Stride(), len(d.Vertices))
	}
}
