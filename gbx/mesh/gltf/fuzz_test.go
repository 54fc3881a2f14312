package gltf_test

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/gltf"
)

// file builds an uncompressed file: ints are 32-bit words, floats too, strings
// are bytes.
func file(class int, parts ...any) []byte {
	var b bytes.Buffer
	word := func(v uint32) { b.Write([]byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)}) }
	for _, p := range append([]any{"GBX\x06\x00BUUR", class, 0, 4, 0}, append(parts, end)...) {
		switch p := p.(type) {
		case string:
			b.WriteString(p)
		case int:
			word(uint32(p))
		case float64:
			word(math.Float32bits(float32(p)))
		}
	}
	return b.Bytes()
}

const end = 0xFACADE01

// solid2 is a model of one triangle, whose vertices are in a stream.
func solid2(stream ...any) []byte {
	parts := []any{0x090BB000, 5, 3, -1, 1,
		1, 0x0901E000,
		0x0900600F, 4, 0, 0, 3, 1, 2, 0x09056000, 0x09056000}
	parts = append(append(parts, stream...), end)
	return file(0x090BB000, append(parts, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0,
		0x0906A001, 1, 0x09057001, 2, 3, "\x00\x00\x01\x00\x01\x00", end, end,
		0, -1, 1, 0, 10, 0, -1, 0, 0, 0, 0, 0, 0)...)
}

const (
	positions = 0x00400400 // three floats, vertices of 16 bytes
	normals   = 0x00401C05 // three signed numbers of ten bits
)

// inColumns and inRows are the two forms of a vertex stream.
var (
	inColumns = []any{1, 3, 0, -1, 2, positions, 0, normals, 12 << 2, "\x00\x00\x0C\x00", 1,
		0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 511 << 20, 511 << 20, 0}
	inRows = []any{0, 3, 0, -1, 2, positions, 1,
		0.0, 0.0, 0.0, 511 << 20, 1.0, 0.0, 0.0, 511 << 20, 0.0, 1.0, 0.0, 0,
		normals, 12 << 2, "\x00\x00\x0C\x00"}
)

// dented is a crystal of one face of five corners, one of them a dent.
func dented() []byte {
	return file(0x09003000,
		0x09003003, 2, 0,
		0x09003005, 0, 1, 0, 2, 0, 3, -1, 0, 1, 1,
		37, 4, 0, 0, 1, 0, "\x01", -1, 0, -1, 0,
		"\x01", 0, 0,
		5, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 4.0, 4.0, 0.0, 2.0, 1.0, 0.0, 0.0, 4.0, 0.0,
		5, 0, 1, 1, 0.5, 0.25, 5, "\x00\x00\x00\x00\x00",
		"\x02\x00\x01\x02\x03\x04", -1, "\x00", 0, 0, 1, 1)
}

// knot is a tree that is its own child, twice, and mirrored.
func knot() []byte {
	return file(0x09005000, 0x0900500D, 0, 0, 1, 0x0904F000,
		0x0904F00D, 3, -1, -1,
		0x0904F006, 10, 2, 1, 1,
		0x0904F01A, 4, -1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 5.0, 6.0, 7.0, end)
}

// surface is a collision shape of one triangle.
func surface() []byte {
	return file(0x0900C000, 0x0900C003, 2, 1, 7, 7,
		3, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1, 0, 1, 2, 0, 0, 0, -1)
}

func TestSeeds(t *testing.T) {
	for name, data := range map[string][]byte{"columns": solid2(inColumns...), "rows": solid2(inRows...), "dented": dented(), "surface": surface()} {
		t.Run(name, func(t *testing.T) {
			f, err := gbx.Parse(data, engine.Registry())
			if err != nil {
				t.Fatal(err)
			}
			if c := f.Coverage(); len(c.Opaque) > 0 || len(c.Inexact) > 0 {
				t.Errorf("%s: c = %+v; want len(c.Opaque) at most 0, len(c.Inexact) at most 0", name, c)
			}
			s, err := mesh.Read(f, mesh.Options{})
			if err != nil {
				t.Fatal(err)
			}
			doc := parse(t, encode(t, s))
			want := map[string]int{"dented": 3}[name]
			if _, triangles := doc.check(t); triangles != max(1, want) {
				t.Errorf("%s: %d triangles", name, triangles)
			}
			g := s.Nodes[0].Mesh.Parts[0]
			switch name {
			case "dented": // no triangle may cover the dent: areas add up to that of the face
				if area := covered(g.Geometry); math.Abs(area-10) > 1e-5 {
					t.Errorf("%s: an area of %v, want 10", name, area)
				}
			case "columns", "rows": // the third normal has no direction, and gets that of the triangle
				if g.Normals[0] != (gbx.Vec3{Z: 1}) || g.Normals[2] != (gbx.Vec3{Z: 1}) || g.Positions[2] != (gbx.Vec3{Y: 1}) {
					t.Errorf("%s: normals %v, positions %v", name, g.Normals, g.Positions)
				}
			}
		})
	}
}

// covered sums up the areas of all triangles of a flat mesh.
func covered(g *mesh.Geometry) float64 {
	sum := 0.0
	for i := 0; i < len(g.Indices); i += 3 {
		a, b, c := g.Positions[g.Indices[i]], g.Positions[g.Indices[i+1]], g.Positions[g.Indices[i+2]]
		sum += math.Abs(float64((b.X-a.X)*(c.Y-a.Y)-(b.Y-a.Y)*(c.X-a.X))) / 2
	}
	return sum
}

// A few nodes that are used over and over cannot make very many.
func TestDoubling(t *testing.T) {
	node := &gbx.Node{Class: 0x0904F000}
	for range 100 {
		twice := &plug.Chunk0904F006{Children: []gbx.Ref{gbx.NewRef(node), gbx.NewRef(node)}}
		node = &gbx.Node{Class: 0x0904F000, Chunks: []gbx.Chunk{{ID: 0x0904F006, Body: twice}}}
	}
	if _, err := mesh.Read(&gbx.File{Body: node}, mesh.Options{}); !errors.Is(err, fault.Limit) {
		t.Errorf("error %v, want a limit", err)
	}
}

// For any file, reading its meshes ends with a typed error or with a
// glTF file that keeps the rules.
func FuzzExport(f *testing.F) {
	for _, seed := range [][]byte{solid2(inColumns...), solid2(inRows...), dented(), knot(), surface()} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			return
		}
		s, err := mesh.Read(in, mesh.Options{})
		var typed *fault.Error
		if err != nil {
			if !errors.As(err, &typed) {
				t.Fatalf("an error without a kind: %v", err)
			}
			return
		}
		s.Count()
		var out bytes.Buffer
		if err := gltf.Write(&out, s, "fuzz"); err != nil {
			if !errors.As(err, &typed) {
				t.Fatalf("an error without a kind: %v", err)
			}
			return
		}
		parse(t, out.Bytes()).check(t)
	})
}
