package static

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/tree"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/internal/chunks"
	"pakbox/nadeo/items"
	"pakbox/nadeo/items/library"
	"pakbox/nadeo/maps"
)

type embeddedFile struct {
	name string
	file *gbx.File
}

var (
	embeddedOnce  sync.Once
	embeddedFiles []embeddedFile
)

// embedded calls look for the files that maps embed, each content once. The
// files are read once for all tests, which do not change them.
func embedded(t *testing.T, look func(name string, f *gbx.File)) {
	corpus.Dir(t, "gbx") // skips the test if none exists
	embeddedOnce.Do(func() {
		seen := map[string]bool{}
		for name, data := range corpus.GBX(t) {
			const classMap = "03043000"
			if !strings.Contains(name, classMap) && !strings.HasSuffix(strings.ToLower(name), ".map.gbx") {
				continue
			}
			f, err := gbx.Parse(data, engine.Registry())
			if err != nil {
				continue
			}
			if m, err := maps.Of(f); err == nil {
				readEmbedded(m.EmbeddedZip(), seen)
			}
		}
	})
	for _, f := range embeddedFiles {
		look(f.name, f.file)
	}
}

func readEmbedded(data []byte, seen map[string]bool) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return
	}
	for _, e := range z.File {
		r, err := e.Open()
		if err != nil {
			continue
		}
		data, err := io.ReadAll(r)
		if err != nil || seen[string(data)] {
			continue
		}
		seen[string(data)] = true
		if f, err := gbx.Parse(data, engine.Registry()); err == nil && f.Body != nil {
			embeddedFiles = append(embeddedFiles, embeddedFile{e.Name, f})
		}
	}
}

// structure is the chunks of a node with their versions, in their order.
func structure(n *gbx.Node) (out []string) {
	for _, c := range n.Chunks {
		v, _ := chunks.ChunkVersion(c.Body)
		out = append(out, fmt.Sprintf("%08X.%d %v", uint32(c.ID), v, c.Skip))
	}
	return out
}

// sameBody compares two nodes value by value. Paths that match may differ.
func sameBody(t *testing.T, name string, got, want *gbx.Node, may string) {
	t.Helper()
	if a, b := structure(got), structure(want); !slices.Equal(a, b) {
		t.Errorf("%s: %v, want %v", name, a, b)
		return
	}
	parse := func(n *gbx.Node) *gbx.File {
		data, err := gbx.New(n, engine.Registry()).Encode()
		if err != nil {
			t.Fatal(err)
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	list, err := tree.Diff(parse(want), parse(got))
	if err != nil {
		t.Fatal(err)
	}
	differs := regexp.MustCompile(may)
	for _, c := range list {
		if c.Path != "header.numNodes" && !differs.MatchString(c.Path) {
			t.Errorf("%s: %s differs: %.200v", name, c.Path, c)
		}
	}
}

// The items of ManiaPlanet's importer since 2017, made again from the names of their
// files and how they are placed, have the same bytes. Maps have given them a name.
func TestManiaPlanetItems(t *testing.T) {
	compared := 0
	embedded(t, func(name string, f *gbx.File) {
		m, err := items.ModelOf(f)
		if err != nil {
			return
		}
		c, ok := gbx.Find[*gamedata.Chunk2E002019](f.Body)
		if !ok || c.Version != 12 {
			return
		}
		entity, ok := gbx.Find[*gamedata.Chunk2E027000](c.EntityModel.Node)
		if !ok {
			return
		}
		phy, _ := gbx.Find[*gamedata.Chunk2E006001](entity.PhyModel.Node)
		vis, _ := gbx.Find[*gamedata.Chunk2E007001](entity.VisModel.Node)
		place, _ := m.Placement()
		made, err := NewManiaPlanet(Item{
			Name: m.Name(), Author: m.Author(), Collection: m.Ident().Collection, Waypoint: m.Waypoint(), Placement: place,
		}, ManiaPlanetFiles{Mesh: vis.Mesh, MoveShape: phy.MoveShape, TriggerShape: phy.TriggerShape})
		if err != nil {
			t.Fatal(err)
		}
		ident, _ := gbx.Find[*gamedata.Chunk2E00100B](made.File.Body)
		ident.Model = m.Ident()
		placed, _ := gbx.Find[*gamedata.Chunk2E00201C](made.File.Body)
		real, _ := gbx.Find[*gamedata.Chunk2E00201C](f.Body)
		values, _ := gbx.Find[*gamedata.Chunk2E020000](placed.DefaultPlacement.Node)
		realValues, _ := gbx.Find[*gamedata.Chunk2E020000](real.DefaultPlacement.Node)
		const unnamed = 0x20
		values.Flags |= realValues.Flags & unnamed
		// Some have another camera or a number in 2E002020.
		sameBody(t, name, made.File.Body, f.Body, `defaultCam$|2E002020.u01$`)
		compared++
	})
	if compared < 30 {
		t.Errorf("only %d items were compared", compared)
	}
	t.Log(compared, "items")
}

// Meshes of ManiaPlanet's importer since 2017, taken apart and made again, have the
// same chunks and values. Tangents are left out: normals are only known as rounded
// numbers. So is the scale of the lightmap, which TestLightmapScale looks at.
func TestManiaPlanetMeshes(t *testing.T) {
	meshes, vertices := 0, 0
	embedded(t, func(name string, f *gbx.File) {
		real, ok := gbx.Find[*plug.Chunk090BB000](f.Body)
		if !ok || real.Version != 20 {
			return
		}
		s := Solid{Folder: real.MaterialsFolderName, LodDistances: real.LodDistances}
		for _, m := range real.CustomMaterials {
			c, _ := gbx.Find[*plug.Chunk090FD000](m.UserInst.Node)
			s.Materials = append(s.Materials, Material{Name: c.MaterialName.String(), Link: c.LinkID.String(), Surface: c.SurfacePhysicID, UVLayers: 1, Lightmap: -1})
		}
		for _, l := range real.LightInsts {
			model, _ := gbx.Find[*plug.Chunk090F9000](real.LightUserModels[l.ModelIndex].Node)
			skel, _ := gbx.Find[*plug.Chunk090BA000](real.Skel.Node)
			socket := &skel.Skel.Sockets[l.SocketIndex]
			s.Lights = append(s.Lights, Light{Name: socket.Name.String(), Model: *model, Place: socket.Location})
		}
		for _, g := range real.ShadedGeoms {
			node := real.Visuals[g.VisualIndex].Node
			v, _ := gbx.Find[*plug.Chunk0900600F](node)
			stream, _ := gbx.Find[*plug.Chunk09056000](v.VertexStreams[0].Node)
			buffer, _ := gbx.Find[*plug.Chunk0906A001](node)
			index, _ := gbx.Find[*plug.Chunk09057000](buffer.IndexBuffer.Node)
			m := &s.Materials[g.MaterialIndex]
			if len(stream.VertexData.Columns) == 6 {
				m.UVLayers, m.Lightmap = 2, 1
			}
			part := Part{Material: int(g.MaterialIndex), Levels: g.LodMask}
			for _, i := range index.Indices {
				c := Vertex{Position: stream.VertexData.Columns[0].Vec3s[i], Normal: unpacked(stream.VertexData.Columns[1].Words[i])}
				for l := range m.UVLayers {
					c.UVs[l] = stream.VertexData.Columns[2+l].Vec2s[i]
				}
				part.Corners = append(part.Corners, c)
			}
			s.Parts = append(s.Parts, part)
		}
		made, err := s.ManiaPlanetFile()
		if err != nil {
			t.Fatal(err)
		}
		got, _ := gbx.Find[*plug.Chunk090BB000](made.Body)
		if a, b := got.PreLightGen, real.PreLightGen; a.U04 == b.U04 && math.Abs(float64(a.U02-b.U02)) > 2e-6*float64(b.U02) {
			t.Errorf("%s: the scale of the lightmap is %v, want %v", name, a.U02, b.U02)
		}
		got.PreLightGen, got.FileWriteTime = real.PreLightGen, real.FileWriteTime
		vertices += sameCorners(t, path.Base(name), got, real)
		sameBody(t, path.Base(name), made.Body, f.Body, `vertexStreams|vertexCount|indexBuffer`)
		meshes++
	})
	if meshes < 15 {
		t.Errorf("only %d meshes were compared", meshes)
	}
	t.Log(meshes, "meshes,", vertices, "vertices")
}

// cornersOf lists the corners of a visual in the order of its indices: places and
// texture coordinates.
func cornersOf(n *gbx.Node) (out []string) {
	v, _ := gbx.Find[*plug.Chunk0900600F](n)
	stream, _ := gbx.Find[*plug.Chunk09056000](v.VertexStreams[0].Node)
	buffer, _ := gbx.Find[*plug.Chunk0906A001](n)
	index, _ := gbx.Find[*plug.Chunk09057000](buffer.IndexBuffer.Node)
	for _, i := range index.Indices {
		text := ""
		for _, c := range stream.VertexData.Columns {
			if len(c.Vec3s) > 0 {
				text += fmt.Sprint(c.Vec3s[i])
			}
			if len(c.Vec2s) > 0 {
				text += fmt.Sprint(c.Vec2s[i])
			}
		}
		out = append(out, text)
	}
	return out
}

// sameCorners compares the corners of all visuals and how vertices are declared.
// Where rounded normals are equal, the new mesh may have fewer vertices.
func sameCorners(t *testing.T, name string, got, want *plug.Chunk090BB000) (vertices int) {
	if len(got.Visuals) != len(want.Visuals) {
		t.Errorf("%s: %d visuals, want %d", name, len(got.Visuals), len(want.Visuals))
		return 0
	}
	for i := range got.Visuals {
		a, b := got.Visuals[i].Node, want.Visuals[i].Node
		if !slices.Equal(cornersOf(a), cornersOf(b)) {
			t.Errorf("%s: the corners of visual %d differ", name, i)
		}
		v, _ := gbx.Find[*plug.Chunk0900600F](a)
		w, _ := gbx.Find[*plug.Chunk0900600F](b)
		mine, _ := gbx.Find[*plug.Chunk09056000](v.VertexStreams[0].Node)
		theirs, _ := gbx.Find[*plug.Chunk09056000](w.VertexStreams[0].Node)
		if !reflect.DeepEqual(mine.VertexData.Decls, theirs.VertexData.Decls) {
			t.Errorf("%s: visual %d has the columns %v, want %v", name, i, mine.VertexData.Decls, theirs.VertexData.Decls)
		}
		if most := w.VertexCount; v.VertexCount > most || v.VertexCount < most*95/100 {
			t.Errorf("%s: visual %d has %d vertices, want %d", name, i, v.VertexCount, most)
		}
		vertices += int(w.VertexCount)
	}
	return vertices
}

// Shapes of ManiaPlanet's importer, made again from their triangles, have the same
// bytes.
func TestManiaPlanetShapes(t *testing.T) {
	compared := 0
	embedded(t, func(name string, f *gbx.File) {
		real, ok := gbx.Find[*plug.Chunk0900C003](f.Body)
		if !ok || real.Version != 2 || !strings.Contains(strings.ToLower(name), ".shape.gbx") {
			return
		}
		s := &Surface{Points: real.Surf.MeshSurf.Mesh.Vertices}
		for _, tri := range real.Surf.MeshSurf.Mesh.Triangles {
			s.Triangles = append(s.Triangles, [3]int32{tri.Indices.X, tri.Indices.Y, tri.Indices.Z})
			s.Kinds = append(s.Kinds, uint16(tri.U01&0xFF))
		}
		for _, m := range real.Materials {
			s.Table = append(s.Table, uint16(m.SurfaceID))
		}
		may := "^$"
		if skel, ok := gbx.Find[*plug.Chunk090BA000](real.Skel.Node); ok && skel.Version < 14 {
			may = `skel` // of 2015
		}
		sameBody(t, path.Base(name), s.ManiaPlanetFile().Body, f.Body, may)
		compared++
	})
	if compared < 20 {
		t.Errorf("only %d shapes were compared", compared)
	}
	t.Log(compared, "shapes")
}

// Materials of ManiaPlanet drive as in meshes of its importer. Storm's Platform has
// another surface in items of the editor, which the table follows.
func TestManiaPlanetMaterials(t *testing.T) {
	compared := map[string]bool{}
	embedded(t, func(_ string, f *gbx.File) {
		c, ok := gbx.Find[*plug.Chunk090BB000](f.Body)
		if !ok || c.Version > maniaPlanet.solid {
			return
		}
		refs := c.MaterialInsts
		for _, m := range c.CustomMaterials {
			refs = append(refs, m.UserInst)
		}
		for _, r := range refs {
			u, ok := gbx.Find[*plug.Chunk090FD000](r.Node)
			if !ok || u.LinkID.String() == "" || u.LinkID.String() == "Platform" {
				continue
			}
			path := strings.TrimSuffix(c.MaterialsFolderName, `\`) + `\` + u.LinkID.String()
			if n, known := library.SurfaceOf(path); !known || n != u.SurfacePhysicID {
				t.Errorf("SurfaceOf(%q) = %d, %v, want %d as in the item", path, n, known, u.SurfacePhysicID)
			}
			compared[path] = true
		}
	})
	if len(compared) < 20 {
		t.Errorf("only %d materials", len(compared))
	}
	t.Log(len(compared), "materials")
}
