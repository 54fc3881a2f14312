package static

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/plug"
	"pakbox/internal/testkit/corpus"
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
		if d := sub(a[i], b[i]); d.Dot(d) > room*room {
			return true
		}
	}
	return false
}

// closeCall reports whether the rounded normal does not determine which direction is kept,
// and the real tangents are those of the other choice.
func closeCall(f frame, normal gbx.Vec3, want [2]gbx.Vec3) bool {
	const rounding = 4.0 / 511
	n := wide(normal).Unit()
	a, b := f.u.Unit(), f.v.Unit()
	if d := math.Abs(n.Dot(a)) - math.Abs(n.Dot(b)); math.Abs(d) > rounding {
		return false
	}
	u, v := f.upright(n, !keepsU(n, a, b))
	return !apart([2]gbx.Vec3{unpacked(packed(u)), unpacked(packed(v))}, want)
}

// oldVisual is a visual of ManiaPlanet's form: its corners and its vertices.
type oldVisual struct {
	level   uint32
	corners []Vertex
	index   []uint16
	real    *plug.CPlugVisual3DPackedVertices
}

// oldSolids calls look for the meshes of ManiaPlanet's importer whose vertices are
// plain numbers.
func oldSolids(t *testing.T, look func(name string, c *plug.Chunk090BB000, visuals []oldVisual)) {
	for _, path := range corpus.Files(t, corpus.Dir(t, "gbx"), "090bb000", "*.Mesh.gbx") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		c, ok := gbx.Find[*plug.Chunk090BB000](f.Body)
		if !ok {
			continue
		}
		var visuals []oldVisual
		for _, g := range c.ShadedGeoms {
			node := c.Visuals[g.VisualIndex].Node
			v, _ := gbx.Find[*plug.Chunk0900600F](node)
			list, _ := gbx.Find[*plug.Chunk0902C004](node)
			buffer, ok := gbx.Find[*plug.Chunk0906A001](node)
			if !ok || v == nil || list == nil || len(v.TexCoordSets) == 0 || len(v.TexCoordSets[0].Uvs) == 0 {
				visuals = nil
				break
			}
			index, _ := gbx.Find[*plug.Chunk09057000](buffer.IndexBuffer.Node)
			o := oldVisual{level: g.LodMask, index: index.Indices, real: &list.Vertices}
			for _, k := range index.Indices {
				last := v.TexCoordSets[len(v.TexCoordSets)-1]
				o.corners = append(o.corners, Vertex{o.real.List[k].Position, o.real.List[k].Normal, [2]gbx.Vec2{v.TexCoordSets[0].Uvs[k], last.Uvs[k]}})
			}
			visuals = append(visuals, o)
		}
		if visuals != nil {
			look(filepath.Base(path), c, visuals)
		}
	}
}

// The scale of the lightmap of 20 meshes of ManiaPlanet's importer, from their
// triangles. Levels of detail other than the finest do not count.
func TestLightmapScale(t *testing.T) {
	compared := 0
	oldSolids(t, func(name string, c *plug.Chunk090BB000, visuals []oldVisual) {
		if c.HasPreLightGen != gbx.True {
			return
		}
		s := Solid{Materials: []Material{{Lightmap: 1}}}
		for _, v := range visuals {
			s.Parts = append(s.Parts, Part{Levels: v.level, Corners: v.corners})
		}
		compared++
		if got, _ := s.lightmap(); math.Abs(float64(got.U02-c.PreLightGen.U02)) > 5e-7*float64(c.PreLightGen.U02) {
			t.Errorf("%s: %v metres, want %v", name, got.U02, c.PreLightGen.U02)
		}
	})
	if compared < 20 {
		t.Errorf("only %d meshes were compared", compared)
	}
}

// Tangents of meshes of ManiaPlanet's importer, which are plain numbers: those of our
// frames, with the kept direction of our choice unless both are nearly upright.
func TestTangents(t *testing.T) {
	compared, clear := 0, 0
	oldSolids(t, func(name string, c *plug.Chunk090BB000, visuals []oldVisual) {
		const since2014 = 10 // the importer before kept a few more triangles apart
		for _, v := range visuals {
			if len(v.real.TangentsU) == 0 || c.Version < since2014 {
				continue
			}
			list, of := frames(v.corners)
			for i, k := range v.index {
				f, n := list[of[i]], wide(v.corners[i].Normal).Unit()
				if f.empty() || math.Abs(f.u.Unit().Dot(f.v.Unit())) > 0.95 {
					continue // slivers of the texture, which single precision turns
				}
				compared++
				fits := func(keepU bool) bool {
					a, b := f.upright(n, keepU)
					return near(a, v.real.TangentsU[k]) && near(b, v.real.TangentsV[k])
				}
				a, b := f.u.Unit(), f.v.Unit()
				ours := keepsU(n, a, b)
				if nearlyUpright := max(math.Abs(n.Dot(a)), math.Abs(n.Dot(b))) < 1e-3; nearlyUpright && (fits(true) || fits(false)) {
					continue
				}
				clear++
				if !fits(ours) {
					t.Fatalf("%s: corner %d has the tangents %v and %v, frame %v, normal %v", name, i, v.real.TangentsU[k], v.real.TangentsV[k], f, n)
				}
			}
		}
	})
	if compared < 5000 || clear < 500 {
		t.Errorf("only %d corners were compared, %d of them clear", compared, clear)
	}
	t.Logf("%d corners, %d of them clear", compared, clear)
}

// near leaves room for the importer's single precision on slivers.
func near(a vec, b gbx.Vec3) bool {
	const room = 5e-3
	d := a.Add(wide(b).Times(-1))
	return d.Dot(d) < room*room
}

// unpacked is a direction of three numbers of 10 bits.
func unpacked(w uint32) gbx.Vec3 {
	at := func(shift uint) float32 { return float32(int32(w<<(22-shift))>>22) / 511 }
	return gbx.Vec3{X: at(0), Y: at(10), Z: at(20)}
}
