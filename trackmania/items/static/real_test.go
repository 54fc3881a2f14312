package static

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/plug"
	"pakbox/internal/testkit/corpus"
	"pakbox/trackmania/internal/build"
)

// realVisual is a visual of a real mesh: its corners, and what the importer made.
type realVisual struct {
	corners  []Vertex
	layers   int
	data     *plug.VertexData
	deltas   []int16
	box      gbx.Box
	vertices int
}

// realSolid reads a mesh of the importer and takes it apart into corners.
func realSolid(t *testing.T, file string) (*plug.Chunk090BB000, []realVisual) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "gbx"), "090bb000", file))
	if err != nil {
		t.Fatal(err)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	c, ok := gbx.Find[*plug.Chunk090BB000](f.Body)
	if !ok {
		t.Fatal("no solid")
	}
	var out []realVisual
	for _, ref := range c.Visuals {
		v, _ := gbx.Find[*plug.Chunk0900600F](ref.Node)
		stream, _ := gbx.Find[*plug.Chunk09056000](v.VertexStreams[0].Node)
		buffer, _ := gbx.Find[*plug.Chunk0906A001](ref.Node)
		index, _ := gbx.Find[*plug.Chunk09057001](buffer.IndexBuffer.Node)
		r := realVisual{data: &stream.VertexData, deltas: index.IndexDeltas, box: v.BoundingBox, vertices: int(v.VertexCount), layers: 1}
		if len(r.data.Columns) == 6 {
			r.layers = 2
		}
		var at uint16
		for _, d := range r.deltas {
			at += uint16(d)
			c := Vertex{Position: r.data.Columns[0].Vec3s[at], Normal: unpacked(r.data.Columns[1].Words[at])}
			for l := range r.layers {
				c.UVs[l] = r.data.Columns[2+l].Vec2s[at]
			}
			r.corners = append(r.corners, c)
		}
		out = append(out, r)
	}
	return c, out
}

// Two meshes of Nadeo's importer are taken apart into triangles and made again:
// vertices and their order, indices and boxes are equal. Tangents are compared with
// some room, because normals are only known as rounded numbers.
func TestRealMeshes(t *testing.T) {
	for _, file := range []string{"2c4472bbb29c.Mesh.Gbx", "6641ba26dafe.Mesh.Gbx"} {
		_, visuals := realSolid(t, file)
		compared, far := 0, 0
		for i, r := range visuals {
			made := weld(r.corners, r.layers)
			if len(made) != 1 {
				t.Fatalf("%s: visual %d becomes %d", file, i, len(made))
			}
			w := made[0]
			if w.box() != r.box {
				t.Errorf("%s: visual %d has the box %v, want %v", file, i, w.box(), r.box)
			}
			if len(w.vertices) != r.vertices {
				t.Errorf("%s: visual %d has %d vertices, want %d", file, i, len(w.vertices), r.vertices)
				continue
			}
			for k, d := range w.deltas {
				if d != r.deltas[k] {
					t.Fatalf("%s: visual %d: index %d differs", file, i, k)
				}
			}
			stream := w.stream(r.layers)
			for k, d := range stream.Decls {
				if real := r.data.Decls[k]; d.Flags != real.Flags || d.Flags2 != real.Flags2 || d.Offset != real.Offset {
					t.Errorf("%s: visual %d: column %d is declared as %+v, want %+v", file, i, k, d, real)
				}
			}
			if r.layers < 2 {
				continue
			}
			list, of := frames(r.corners)
			var at uint16
			for k, d := range r.deltas {
				at += uint16(d)
				want := [2]gbx.Vec3{unpacked(r.data.Columns[4].Words[at]), unpacked(r.data.Columns[5].Words[at])}
				got := [2]gbx.Vec3{unpacked(w.tangents[at][0]), unpacked(w.tangents[at][1])}
				compared++
				if apart(got, want) && !closeCall(list[of[k]], r.corners[k].Normal, want) {
					far++
				}
			}
		}
		if far > 0 {
			t.Errorf("%s: %d of %d corners have other tangents", file, far, compared)
		}
	}
}

// apart reports whether tangents differ by more than the rounding of all that they
// are made from.
func apart(a, b [2]gbx.Vec3) bool {
	const room = 0.012
	for i := range a {
		if d := sub(a[i], b[i]); dot(d, d) > room*room {
			return true
		}
	}
	return false
}

// closeCall reports whether the rounded normal cannot tell which direction is kept,
// and the real tangents are those of the other choice.
func closeCall(f frame, normal gbx.Vec3, want [2]gbx.Vec3) bool {
	const rounding = 4.0 / 511
	n := wide(normal).unit()
	a, b := f.u.unit(), f.v.unit()
	if d := math.Abs(dot(n, a)) - math.Abs(dot(n, b)); math.Abs(d) > rounding {
		return false
	}
	u, v := f.upright(n, !keepsU(n, a, b))
	return !apart([2]gbx.Vec3{unpacked(packed(u)), unpacked(packed(v))}, want)
}

// The versions of the chunks of a solid, in their order.
func structure(t *testing.T, n *gbx.Node) []string {
	var out []string
	for _, c := range n.Chunks {
		v, _ := build.ChunkVersion(c.Body)
		out = append(out, fmt.Sprintf("%08X.%d", uint32(c.ID), v))
	}
	return out
}

// A mesh of ManiaPlanet's importer, taken apart and made again, has the same chunks
// with the same versions, and the same vertices, indices and texture coordinates.
func TestManiaPlanet(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "gbx"), "090bb000", "7a8ebc8e663f.Mesh.gbx"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	real, _ := gbx.Find[*plug.Chunk090BB000](f.Body)
	visual := real.Visuals[0].Node
	v, _ := gbx.Find[*plug.Chunk0900600F](visual)
	list, _ := gbx.Find[*plug.Chunk0902C004](visual)
	buffer, _ := gbx.Find[*plug.Chunk0906A001](visual)
	index, _ := gbx.Find[*plug.Chunk09057000](buffer.IndexBuffer.Node)
	s := Solid{Folder: real.MaterialsFolderName, Materials: []Material{{Name: "Transparents", Link: "Transparents", Surface: 28, UVLayers: 2, Lightmap: 1}}}
	part := Part{Levels: 1}
	for _, i := range index.Indices {
		p := list.Vertices.List[i]
		part.Corners = append(part.Corners, Vertex{p.Position, p.Normal, [2]gbx.Vec2{v.TexCoordSets[0].Uvs[i], v.TexCoordSets[1].Uvs[i]}})
	}
	s.Parts = []Part{part}
	made, err := s.ManiaPlanetFile()
	if err != nil {
		t.Fatal(err)
	}
	got, _ := gbx.Find[*plug.Chunk090BB000](made.Body)
	for _, pair := range [][2]*gbx.Node{{made.Body, f.Body}, {got.Visuals[0].Node, visual}, {got.MaterialInsts[0].Node, real.MaterialInsts[0].Node}} {
		if a, b := structure(t, pair[0]), structure(t, pair[1]); !slices.Equal(a, b) {
			t.Errorf("%v, want %v", a, b)
		}
	}
	gotList, _ := gbx.Find[*plug.Chunk0902C004](got.Visuals[0].Node)
	gotV, _ := gbx.Find[*plug.Chunk0900600F](got.Visuals[0].Node)
	if !slices.Equal(gotList.Vertices.List, list.Vertices.List) || gotV.BoundingBox != v.BoundingBox ||
		!slices.Equal(gotV.TexCoordSets[1].Uvs, v.TexCoordSets[1].Uvs) || got.ShadedGeoms[0] != real.ShadedGeoms[0] {
		t.Errorf("the vertices differ: %d, want %d; box %v, want %v; part %+v, want %+v", len(gotList.Vertices.List), len(list.Vertices.List),
			gotV.BoundingBox, v.BoundingBox, got.ShadedGeoms[0], real.ShadedGeoms[0])
	}
	if a, b := got.PreLightGen, real.PreLightGen; math.Abs(float64(a.U02-b.U02)) > 1e-5 || a.U04 != b.U04 {
		t.Errorf("the lightmap is %+v, want %+v", a, b)
	}
}
