package crystal_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/gltf"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo"
	"pakbox/nadeo/items"
	"pakbox/nadeo/items/crystal"
	"pakbox/nadeo/items/importer"
	"pakbox/nadeo/items/static"
	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
)

// sampleBox is a box with a top of another material, moved and mirrored.
func sampleBox() *mesh.Scene {
	corner := func(i int) gbx.Vec3 { return gbx.Vec3{X: float32(i & 1), Y: float32(i >> 1 & 1), Z: float32(i >> 2)} }
	side := func(a, b, c, d int) *mesh.Geometry {
		g := &mesh.Geometry{Indices: []uint32{0, 1, 2, 0, 2, 3}, UVs: [][]gbx.Vec2{{{X: 0, Y: 1}, {X: 1, Y: 1}, {X: 1, Y: 0}, {X: 0.25, Y: 0.5}}}}
		for _, i := range []int{a, b, c, d} {
			g.Positions = append(g.Positions, corner(i))
		}
		return g
	}
	box := &mesh.Mesh{Parts: []mesh.Part{
		{Material: 0, Geometry: side(2, 6, 7, 3)},
		{Material: 1, Geometry: side(0, 2, 3, 1)}, {Material: 1, Geometry: side(4, 5, 7, 6)},
		{Material: 1, Geometry: side(0, 4, 6, 2)}, {Material: 1, Geometry: side(1, 3, 7, 5)},
	}}
	flat := side(0, 1, 5, 4)
	flat.Indices = append(flat.Indices, 1, 1, 2) // has no area
	box.Parts = append(box.Parts, mesh.Part{Material: 1, Geometry: flat})
	turned := mesh.Transform{Mat3: gbx.Mat3{X: gbx.Vec3{X: -2}, Y: gbx.Vec3{Y: 3}, Z: gbx.Vec3{Z: 1}}, T: gbx.Vec3{X: 10, Y: 1}}
	return &mesh.Scene{
		Nodes:     []*mesh.Node{{Transform: mesh.Identity, Mesh: box}, {Transform: turned, Mesh: box}},
		Materials: []mesh.Material{{Name: "PlatformTech"}, {Name: "wall", Link: "Stadium/Media/Material/TrackWall"}},
	}
}

// sample describes the new item of the tests.
type sample struct {
	game nadeo.Generation
	mesh *mesh.Scene
	part importer.Part
}

func sampleItem(g nadeo.Generation) sample {
	icon := image.NewNRGBA(image.Rect(0, 0, 128, 96))
	for y := range 96 {
		for x := range 128 {
			icon.Set(x, y, color.NRGBA{uint8(x * 2), uint8(y * 2), 9, uint8(255 - y)})
		}
	}
	return sample{g, sampleBox(), importer.Part{Name: "Größe", Author: "ada", Icon: icon}}
}

var itemGames = []nadeo.Generation{nadeo.ManiaPlanet4, nadeo.Trackmania2020}

// make makes a crystal of the sample, whose mesh goes through a glTF file.
func (o sample) make(t *testing.T) *items.Model {
	t.Helper()
	var b bytes.Buffer
	if err := gltf.Write(&b, o.mesh, "part"); err != nil {
		t.Fatal(err)
	}
	o.part.Mesh = filepath.Join(t.TempDir(), "part.glb")
	if err := os.WriteFile(o.part.Mesh, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := importer.Create(t.Context(), o.part, importer.Options{Game: o.game, Crystal: true})
	if err != nil || r.Model == nil {
		t.Fatalf("err = %v r = %v; want no error, r.Model other than nil", err, r)
	}
	return r.Model
}

func itemBytes(t *testing.T, o sample) []byte {
	t.Helper()
	return mustEncode(t, o.make(t).File)
}

// A new item is read to its last byte, is byte-identical when saved, has the
// options that were set, and has the triangles of the mesh.
func TestNewItem(t *testing.T) {
	for _, g := range itemGames {
		t.Run(string(g), func(t *testing.T) {
			data := itemBytes(t, sampleItem(g))
			if !bytes.Equal(itemBytes(t, sampleItem(g)), data) {
				t.Error("the same options give another item")
			}
			f, err := gbx.Parse(data, engine.Registry())
			if err != nil {
				t.Fatal(err)
			}
			if c := f.Coverage(); len(c.Opaque) > 0 || len(c.Inexact) > 0 || f.Body.Tail != nil || len(f.Rest) > 0 || len(f.Trailer) > 0 {
				t.Errorf("not all is read: %+v", c)
			}
			if list := items.Contradictions(f); len(list) > 0 {
				t.Errorf("list = %v; want len(list) at most 0", list)
			}
			m, err := items.ModelOf(f)
			if err != nil {
				t.Fatal(err)
			}
			if styled.Unmarked(m.Name()) != "Größe" || m.Author() != "ada" || !m.HasIcon() || m.Type() != gamedata.CGameItemModelItemTypeOrnament || m.Model() != "CGameCommonItemEntityModelEdition" {
				t.Errorf("%q by %q, icon %v, %v of %s", m.Name(), m.Author(), m.HasIcon(), m.Type(), m.Model())
			}
			if got := nadeo.EnvironmentName(m.Collection()); !strings.HasPrefix(got, "Stadium") {
				t.Errorf("collection %s", got)
			}
			s, err := m.Mesh()
			if err != nil {
				t.Fatal(err)
			}
			compareTriangles(t, s, sampleBox(), true)
		})
	}
}

// triangle is a triangle as it can be compared: places and texture coordinates
// of its corners, beginning with the lowest one, and its material.
type triangle struct {
	corners  [3]gbx.Vec3
	uvs      [3]gbx.Vec2
	material string
}

// triangles are those of a scene that have an area; without texture coordinates
// if they are not exact.
func triangles(t *testing.T, s *mesh.Scene, exact bool) map[triangle]int {
	t.Helper()
	flat, err := s.Flat("", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	out := map[triangle]int{}
	for _, p := range flat.Parts {
		for i := 0; i < len(p.Indices); i += 3 {
			var k triangle
			first := 0
			for j := range 3 {
				a, b := p.Positions[p.Indices[i+j]], p.Positions[p.Indices[i+first]]
				if a.X < b.X || a.X == b.X && (a.Y < b.Y || a.Y == b.Y && a.Z < b.Z) {
					first = j
				}
			}
			for j := range 3 {
				at := p.Indices[i+(first+j)%3]
				if k.corners[j] = p.Positions[at]; exact {
					k.uvs[j] = p.UVs[0][at]
				}
			}
			if k.corners[0] == k.corners[1] || k.corners[1] == k.corners[2] || k.corners[2] == k.corners[0] {
				continue
			}
			if p.Material >= 0 {
				m := s.Materials[p.Material]
				if k.material = m.Name; m.Link != "" {
					k.material = m.Link[strings.LastIndexAny(m.Link, `/\`)+1:]
				}
			}
			out[k]++
		}
	}
	return out
}

func compareTriangles(t *testing.T, got, want *mesh.Scene, exact bool) {
	t.Helper()
	a, b := triangles(t, got, exact), triangles(t, want, exact)
	if len(b) == 0 || !reflect.DeepEqual(a, b) {
		t.Errorf("%d triangles, want %d", len(a), len(b))
	}
}

// An item that a map embeds and has placed is there after it was saved.
func TestNewItemsOnNewMaps(t *testing.T) {
	for _, g := range itemGames {
		t.Run(string(g), func(t *testing.T) {
			m, err := maps.New(maps.Options{Game: g, UID: "SampleUID_00000000000000001"})
			if err != nil {
				t.Fatal(err)
			}
			data := itemBytes(t, sampleItem(g))
			if err := m.AddEmbedded("Items/Box.Item.Gbx", data); err != nil {
				t.Fatal(err)
			}
			item, err := items.ModelOf(mustParse(t, data))
			if err != nil {
				t.Fatal(err)
			}
			collection := item.Ident().Collection
			if name, ok := collection.Name(); ok {
				collection = gbx.NewID(name)
			}
			model := gbx.Ident{ID: gbx.NewID("Box.Item.Gbx"), Collection: collection, Author: gbx.NewID("ada")}
			if err := m.AddItem(maps.Item{Model: model, Position: gbx.Vec3{X: 500, Y: 20, Z: 500}}); err != nil {
				t.Fatal(err)
			}
			saved := mustEncode(t, m.File)
			again := &maps.Map{File: mustParse(t, saved)}
			if !bytes.Equal(mustEncode(t, again.File), saved) {
				t.Error("the second save is another file")
			}
			items := again.Items()
			if len(items) != 1 || items[0].Model.ID.String() != "Box.Item.Gbx" {
				t.Fatalf("items %+v", items)
			}
			z, err := zip.NewReader(bytes.NewReader(again.EmbeddedZip()), int64(len(again.EmbeddedZip())))
			if err != nil || len(z.File) != 1 || z.File[0].Name != "Items/Box.Item.Gbx" {
				t.Fatalf("embedded: %v", err)
			}
			list := append(again.LintStrict(), lint.Map(again, int64(len(saved)))...)
			if finding.Worst(list) == finding.Error {
				t.Errorf("list = %v; want finding.Worst(list) other than finding.Error", list)
			}
		})
	}
}

func mustEncode(t *testing.T, f *gbx.File) []byte {
	t.Helper()
	data, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func mustParse(t *testing.T, data []byte) *gbx.File {
	t.Helper()
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestItemsThatCannotBe(t *testing.T) {
	corners := make([]static.Vertex, 3)
	corners[1].Position.X, corners[2].Position.Z = 1, 1
	good := static.Solid{Materials: []static.Material{{Link: "RoadTech"}}, Parts: []static.Part{{Levels: 1, Corners: corners}}}
	large := good
	large.Parts = []static.Part{{Levels: 1, Corners: slices.Repeat(corners, 1<<18+1)}}
	for name, c := range map[string]struct {
		solid static.Solid
		game  nadeo.Generation
		want  fault.Kind
	}{
		"empty":     {static.Solid{}, nadeo.Trackmania2020, fault.Unsupported},
		"no area":   {static.Solid{Materials: good.Materials, Parts: []static.Part{{Levels: 1, Corners: make([]static.Vertex, 3)}}}, nadeo.Trackmania2020, fault.Unsupported},
		"old game":  {good, nadeo.Forever, fault.Unsupported},
		"too large": {large, nadeo.Trackmania2020, fault.Limit},
	} {
		if _, err := crystal.New(static.Item{Name: "a", Author: "b", Solid: c.solid}, c.game); !errors.Is(err, c.want) {
			t.Errorf("%s: err = %v; want err matching %v", name, err, c.want)
		}
	}
}
