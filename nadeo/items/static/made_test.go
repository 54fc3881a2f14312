package static

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/internal/lib/styled"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/items"
)

// NadeoStairs, the item of Nadeo's importer, taken apart into triangles and materials and
// made again, has the same bytes, header and body. Tangents are taken over, because
// normals are only known as rounded numbers.
func TestNadeoStairs(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "importer"), "NadeoStairs.Item.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	m, err := items.ModelOf(f)
	if err != nil {
		t.Fatal(err)
	}
	real := solidIn(f)
	o := Item{Name: m.Name(), Author: m.Author(), Collection: m.Ident().Collection, Waypoint: m.Waypoint(), Solid: Solid{Folder: real.MaterialsFolderName, Source: real.U05}}
	o.Placement, _ = m.Placement()
	o.Solid.Time = time.Unix(int64(real.FileWriteTime/1e7)-11644473600, int64(real.FileWriteTime%1e7)*100)
	for _, ref := range real.CustomMaterials {
		c, _ := gbx.Find[*plug.Chunk090FD000](ref.UserInst.Node)
		one := Material{Name: c.MaterialName.String(), Link: c.LinkID.String(), Surface: c.SurfacePhysicID, Gameplay: c.SurfaceGameplayID, UVLayers: 2, Lightmap: 1}
		o.Solid.Materials = append(o.Solid.Materials, one)
	}
	for _, g := range real.ShadedGeoms {
		p := Part{Material: int(g.MaterialIndex), Levels: 1}
		columns, list := visualIn(real.Visuals[g.VisualIndex].Node)
		if o.Solid.Materials[p.Material].UVLayers = len(columns) - 2; len(columns) == 6 {
			o.Solid.Materials[p.Material].UVLayers = 2
		} else {
			o.Solid.Materials[p.Material].UVLayers, o.Solid.Materials[p.Material].Lightmap = 1, -1
		}
		for _, k := range list {
			v := Vertex{Position: columns[0].Vec3s[k], Normal: unpacked(columns[1].Words[k])}
			for l := range o.Solid.Materials[p.Material].UVLayers {
				v.UVs[l] = columns[2+l].Vec2s[k]
			}
			p.Corners = append(p.Corners, v)
		}
		o.Solid.Parts = append(o.Solid.Parts, p)
	}
	made, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	mine := solidIn(made.File)
	for i := range mine.Visuals {
		got, _ := visualIn(mine.Visuals[i].Node)
		want, _ := visualIn(real.Visuals[i].Node)
		for k := range got {
			if len(got[k].Words) != len(want[k].Words) {
				t.Fatalf("column %d has %d values, want %d", k, len(got[k].Words), len(want[k].Words))
			}
			copy(got[k].Words, want[k].Words)
		}
	}
	body, err := made.File.EncodeBody()
	if err != nil || !bytes.Equal(body, f.BodyBytes()) {
		t.Errorf("the bodies differ: %d and %d bytes, %v", len(body), len(f.BodyBytes()), err)
	}
	head, _ := made.File.EncodeHeader()
	want, _ := f.EncodeHeader()
	if !bytes.Equal(head, want) {
		t.Error("the headers differ")
	}
}

// solidIn is the mesh of a static item.
func solidIn(f *gbx.File) *plug.Chunk090BB000 {
	item, _ := gbx.Find[*gamedata.Chunk2E002019](f.Body)
	entity, _ := gbx.Find[*gamedata.Chunk2E027000](item.EntityModel.Node)
	object, _ := gbx.Find[*plug.Plain09159000](entity.StaticObject.Node)
	solid, _ := gbx.Find[*plug.Chunk090BB000](object.Mesh.Node)
	return solid
}

// visualIn are the columns and the indices of a visual.
func visualIn(n *gbx.Node) (columns []plug.VertexColumn, list []uint16) {
	v, _ := gbx.Find[*plug.Chunk0900600F](n)
	stream, _ := gbx.Find[*plug.Chunk09056000](v.VertexStreams[0].Node)
	buffer, _ := gbx.Find[*plug.Chunk0906A001](n)
	index, _ := gbx.Find[*plug.Chunk09057001](buffer.IndexBuffer.Node)
	var at uint16
	for _, d := range index.IndexDeltas {
		at += uint16(d)
		list = append(list, at)
	}
	return stream.VertexData.Columns, list
}

// tile is two triangles of a floor of side metres, which has a share of the lightmap.
func tile(side, share float32) []Vertex {
	var out []Vertex
	for _, c := range [][2]float32{{0, 0}, {0, 1}, {1, 1}, {0, 0}, {1, 1}, {1, 0}} {
		out = append(out, Vertex{gbx.Vec3{X: c[0] * side, Z: c[1] * side}, gbx.Vec3{Y: 1}, [2]gbx.Vec2{{X: c[0], Y: c[1]}, {X: 0.25 + c[0]*share, Y: 0.5 + c[1]*share}}})
	}
	return out
}

func solidOf(parts ...Part) *Solid {
	return &Solid{Materials: []Material{{Name: "Floor", Link: "PlatformTech", UVLayers: 2, Lightmap: 1}, {Name: "Sign", Link: "Sign", UVLayers: 1, Lightmap: -1}}, Parts: parts}
}

// The scale of the lightmap is metres for one unit of it, weighed by area. Coarser levels
// and triangles without an area do not count for it; their places in the lightmap do.
func TestLightmapOfTiles(t *testing.T) {
	fine := Part{Levels: 1, Corners: tile(8, 0.25)}
	for name, test := range map[string]struct {
		s     *Solid
		scale float32
		used  [4]float32
	}{
		"one":       {solidOf(fine), 32, [4]float32{0.25, 0.5, 0.5, 0.75}},
		"two":       {solidOf(fine, Part{Levels: 3, Corners: tile(4, 0.5)}), (64*32 + 16*8) / 80.0, [4]float32{0.25, 0.5, 0.75, 1}},
		"coarse":    {solidOf(fine, Part{Levels: 2, Corners: tile(4, 0.5)}), 32, [4]float32{0.25, 0.5, 0.75, 1}},
		"no map":    {solidOf(fine, Part{Material: 1, Levels: 1, Corners: tile(4, 0.5)}), 32, [4]float32{0.25, 0.5, 0.5, 0.75}},
		"tiny":      {solidOf(fine, Part{Levels: 1, Corners: tile(0.001, 0.5)}), 32, [4]float32{0.25, 0.5, 0.75, 1}},
		"flat":      {solidOf(fine, Part{Levels: 1, Corners: tile(4, 0)}), 32, [4]float32{0.25, 0.5, 0.5, 0.75}},
		"only tiny": {solidOf(Part{Levels: 1, Corners: tile(0.001, 0.25)}), -1, [4]float32{0.25, 0.5, 0.5, 0.75}},
		"small":     {solidOf(Part{Levels: 1, Corners: tile(0.002, 0.25)}), 0.008, [4]float32{0.25, 0.5, 0.5, 0.75}},
	} {
		got, ok := test.s.lightmap()
		if used := [4]float32(got.U04[:4]); !ok || math.Abs(float64(got.U02-test.scale)) > 1e-4*math.Abs(float64(test.scale)) || used != test.used {
			t.Errorf("%s: %g m for a unit, %v used; want %g, %v", name, got.U02, used, test.scale, test.used)
		}
		if far := float32(math.MaxFloat32); [4]float32(got.U04[4:]) != [4]float32{far, far, -far, -far} || got.Version != 1 || got.U01 != 1 || !got.U03.True() {
			t.Errorf("%s: got = %+v; want [4]float32(got.U04[4:]) = [4]float32{far, far, -far, -far}, got.Version = 1, got.U01 = 1, got.U03.True() = true", name, got)
		}
	}
	n, err := solidOf(Part{Material: 1, Levels: 1, Corners: tile(4, 1)}).node(trackmania2020)
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := gbx.Find[*plug.Chunk090BB000](n); c.HasPreLightGen.True() {
		t.Error("a mesh without a lightmap has a scale")
	}
}

// Each part is a visual. Levels of detail only count if there are several; ManiaPlanet
// shows a plain mesh in all.
func TestLevelsOfParts(t *testing.T) {
	for _, test := range []struct {
		by   writer
		far  []float32
		want string
	}{
		{trackmania2020, nil, "0/0:1 1/1:1"}, {trackmania2020, []float32{64}, "0/0:1 1/1:2"}, {maniaPlanet, nil, "0/0:4294967295 1/1:4294967295"}, {maniaPlanet, []float32{64}, "0/0:1 1/1:2"},
	} {
		s := solidOf(Part{Levels: 1, Corners: tile(8, 1)}, Part{Levels: 2, Corners: tile(8, 1), Material: 1})
		s.LodDistances = test.far
		n, err := s.node(test.by)
		if err != nil {
			t.Fatal(err)
		}
		c, _ := gbx.Find[*plug.Chunk090BB000](n)
		var got []string
		for _, g := range c.ShadedGeoms {
			got = append(got, fmt.Sprintf("%d/%d:%d", g.VisualIndex, g.MaterialIndex, g.LodMask))
		}
		if fmt.Sprint(got) != "["+test.want+"]" || len(c.Visuals) != 2 || len(c.LodDistances) != len(test.far) || c.FileWriteTime != 0 {
			t.Errorf("%v, want %s; %d visuals", got, test.want, len(c.Visuals))
		}
	}
}

// A mesh has an upper limit, and at least one triangle.
func TestRefusedMeshes(t *testing.T) {
	for name, s := range map[string]*Solid{"large": solidOf(Part{Corners: make([]Vertex, 3*(maxTriangles+1))}), "empty": solidOf(), "line": solidOf(Part{Corners: make([]Vertex, 2)})} {
		want := fault.Unsupported
		if name == "large" {
			want = fault.Limit
		}
		if _, err := s.File(); !errors.Is(err, want) {
			t.Errorf("%s: err = %v; want err matching %v", name, err, want)
		}
		if _, err := New(Item{Solid: *s}); !errors.Is(err, want) {
			t.Errorf("an item, %s: %v", name, err)
		}
	}
}

// How a material is named: by the whole path, by a name in the folder, or by its model
// and texture. A colour is three numbers.
func TestMaterialNodes(t *testing.T) {
	for _, test := range []struct {
		m    Material
		want string
	}{
		{Material{Name: "a", Link: "PlatformTech", Surface: 16, Gameplay: 2}, `a 0 "" PlatformTech  16 2 []`},
		{Material{Name: "a", Link: `Stadium\Media\X`, Whole: true, Color: &[3]uint8{1, 2, 255}}, `a 1 "Stadium\\Media\\X"   0 0 [1 2 255]`},
		{Material{Name: "a", Model: "TDSN", BaseTexture: "Own"}, `a 0 ""  TDSN 0 0 [] Own`},
	} {
		for _, by := range []writer{trackmania2020, maniaPlanet} {
			n := test.m.node(by)
			c, _ := gbx.Find[*plug.Chunk090FD000](n)
			got := fmt.Sprintf("%s %d %q %s %s %d %d %v", c.MaterialName, c.IsUsingGameMaterial, c.Link, c.LinkID, c.Model, c.SurfacePhysicID, c.SurfaceGameplayID, c.Color)
			if c.BaseTexture != "" {
				got += " " + c.BaseTexture
			}
			size, _ := gbx.Find[*plug.Chunk090FD001](n)
			if got != test.want || c.Version != by.material || len(n.Chunks) != map[bool]int{true: 3, false: 2}[by == trackmania2020] || size.Version != 5 || size.TextureSizeInMeters != 1 || c.HidingGroup.String() != "" {
				t.Errorf("%s, want %s; %d chunks", got, test.want, len(n.Chunks))
			}
		}
	}
}

// Lights stand in sockets of a skeleton, in their order. ManiaPlanet has their names.
func TestLightsOfSolid(t *testing.T) {
	for name, by := range map[string]writer{"": trackmania2020, "two": maniaPlanet} {
		t.Run(name, func(t *testing.T) {
			s := solidOf(Part{Levels: 1, Corners: tile(8, 1)})
			for i, n := range []string{"one", "two"} {
				l := Light{Name: n, Model: plug.Chunk090F9000{Intensity: float32(i + 1)}}
				l.Place.T.Y = float32(10 * i)
				s.Lights = append(s.Lights, l)
			}
			n, err := s.node(by)
			if err != nil {
				t.Fatal(err)
			}
			c, _ := gbx.Find[*plug.Chunk090BB000](n)
			skel, ok := gbx.Find[*plug.Chunk090BA000](c.Skel.Node)
			if !ok || len(c.LightInsts) != 2 || len(skel.Skel.Sockets) != 2 || skel.Version != by.skel || skel.Skel.U07 != 1 {
				t.Fatalf("c = %+v; want ok = true, c.LightInsts of length 2, skel.Skel.Sockets of length 2, skel.Version = %v, skel.Skel.U07 = 1", c, by.skel)
			}
			model, _ := gbx.Find[*plug.Chunk090F9000](c.LightUserModels[c.LightInsts[1].ModelIndex].Node)
			socket := skel.Skel.Sockets[c.LightInsts[1].SocketIndex]
			if model.Intensity != 2 || socket.Location.T.Y != 10 || socket.JointIndex != -1 || socket.Name.String() != name {
				t.Errorf("%+v at %+v", model, socket)
			}
		})
	}
	n, _ := solidOf(Part{Levels: 1, Corners: tile(8, 1)}).node(maniaPlanet)
	if c, _ := gbx.Find[*plug.Chunk090BB000](n); c.Skel.Node != nil {
		t.Error("a mesh without lights has a skeleton")
	}
}

// A surface numbers points by first use and leaves unused ones out. Its table has the
// given kinds first, each once; a triangle names its kind and the kind's row.
func TestSurfaceNode(t *testing.T) {
	s := &Surface{
		Points:    []gbx.Vec3{{X: 0}, {X: 1}, {X: 2}, {X: 3}, {X: 4}},
		Triangles: [][3]int32{{4, 0, 2}, {2, 0, 1}, {0, 1, 4}}, Kinds: []uint16{0x0203, 5, 5}, Table: []uint16{9, 5, 9},
	}
	for game, f := range map[string]*gbx.File{"2020": s.File(), "ManiaPlanet": s.ManiaPlanetFile()} {
		c, _ := gbx.Find[*plug.Chunk0900C003](f.Body)
		m := c.Surf.MeshSurf.Mesh
		if got := fmt.Sprint(m.Vertices); got != "[{4 0 0} {0 0 0} {2 0 0} {1 0 0}]" {
			t.Errorf("%s: points %s", game, got)
		}
		if got := fmt.Sprintf("%v %x", m.Triangles[1].Indices, []uint32{m.Triangles[0].U01, m.Triangles[1].U01, m.Triangles[2].U01}); got != "{2 1 3} [20203 10005 10005]" {
			t.Errorf("%s: triangles %s", game, got)
		}
		var kinds []uint16
		for i, k := range c.Materials {
			if kinds = append(kinds, k.SurfaceID); c.SurfaceIDBytes[i] != byte(k.SurfaceID) {
				t.Errorf("%s: c.SurfaceIDBytes = %v; want c.SurfaceIDBytes[i] = byte(k.SurfaceID)", game, c.SurfaceIDBytes)
			}
		}
		if got := fmt.Sprint(c.SurfaceIDs, kinds); got != map[string]string{"2020": "[9 5 515] []", "ManiaPlanet": "[] [9 5 3]"}[game] {
			t.Errorf("%s: kinds %s", game, got)
		}
		if form := fmt.Sprint(c.Version, c.SurfVersion, m.Version, c.Surf.U02.Z); form != map[string]string{"2020": "4 2 7 1", "ManiaPlanet": "2 1 6 0"}[game] {
			t.Errorf(`%s: form = %s; want map[string]string{"2020": "4 2 7 1", "ManiaPlanet": "2 1 6 0"}[game]`, game, form)
		}
		if _, err := f.Encode(); err != nil || len(f.Chunks) != 0 {
			t.Errorf("%s: err = %v; want no error, empty f.Chunks", game, err)
		}
	}
}

// Cars run into the mesh, or into the hull instead. A trigger, a start and an icon are
// there if they are given; without a start cars stand at the origin.
func TestItemParts(t *testing.T) {
	surface := func(n int) *Surface {
		return &Surface{Points: make([]gbx.Vec3, 3), Triangles: make([][3]int32, n), Kinds: make([]uint16, n)}
	}
	count := func(r gbx.Ref) int {
		c, ok := gbx.Find[*plug.Chunk0900C003](r.Node)
		if !ok {
			return 0
		}
		return len(c.Surf.MeshSurf.Mesh.Triangles)
	}
	spawn := gbx.Iso4{T: gbx.Vec3{Y: 5}}
	for _, test := range []struct {
		o    Item
		want string
	}{
		{Item{Name: "a"}, "1 0 0 {0 0 0} 1 No Description false"},
		{Item{Name: "a", Hull: surface(2), Trigger: surface(3), Spawn: &spawn, Description: "Ä", Icon: image.NewNRGBA(image.Rect(0, 0, 64, 64))}, "0 2 3 {0 5 0} 0 Ä true"},
	} {
		test.o.Solid = *solidOf(Part{Levels: 1, Corners: tile(8, 1)})
		m, err := New(test.o)
		if err != nil {
			t.Fatal(err)
		}
		item, _ := gbx.Find[*gamedata.Chunk2E002019](m.File.Body)
		entity, _ := gbx.Find[*gamedata.Chunk2E027000](item.EntityModel.Node)
		object, _ := gbx.Find[*plug.Plain09159000](entity.StaticObject.Node)
		if got := fmt.Sprint(object.IsMeshCollidable, " ", count(object.Shape), " ", count(entity.TriggerShape), " ", entity.SpawnLocation.T, " ", entity.SpawnLocation.Y.Y, " ", styled.Unmarked(m.Description()), " ", m.HasIcon()); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
		if _, err := m.File.Encode(); err != nil || m.Name() != "a" {
			t.Errorf(`err = %v; want no error, m.Name() = "a"`, err)
		}
	}
}

// Equal corners are one vertex. Corners without a direction of the texture are not joined,
// and more than 65536 vertices become several visuals of whole triangles.
func TestWeld(t *testing.T) {
	if w := weld(tile(8, 1), 2); len(w) != 1 || len(w[0].vertices) != 4 || fmt.Sprint(w[0].deltas) != "[0 1 1 -2 2 1]" || len(w[0].tangents) != 4 {
		t.Errorf("a tile: %+v", w)
	}
	if b := weld(tile(8, 1), 2)[0].box(); fmt.Sprint(b.Min, b.Max) != "{4 0 4} {4 0 4}" {
		t.Errorf("the box is %v", b)
	}
	flat := tile(8, 1)
	for i := range flat {
		flat[i].UVs[0] = gbx.Vec2{}
	}
	if w := weld(flat, 2); len(w[0].vertices) != 6 {
		t.Errorf("without a direction: %d vertices", len(w[0].vertices))
	}
	if w := weld(flat, 1); len(w[0].vertices) != 4 || len(w[0].tangents) != 0 {
		t.Errorf("one layer: %+v", w)
	}
	many := make([]Vertex, 3*21846) // two corners more than 65536
	for i := range many {
		many[i].Position.X = float32(i)
	}
	if w := weld(many, 1); len(w) != 2 || len(w[0].vertices) != 65535 || len(w[1].vertices) != 3 || w[1].deltas[0] != 0 {
		t.Errorf("65538 vertices in %d visuals", len(w))
	}
	if w := weld(nil, 2); w != nil {
		t.Errorf("nothing: %v", w)
	}
}

// Vertices with two layers are 40 bytes in six columns, those with one 24 in three.
func TestColumns(t *testing.T) {
	for layers, want := range map[int]string{0: "0/2:0 5/14:12 of 16", 1: "0/2:0 5/14:12 10/1:16 of 24", 2: "0/2:0 5/14:12 10/1:16 11/1:24 18/14:32 20/14:36 of 40"} {
		s := weld(tile(8, 1), layers)[0].stream(layers)
		got, stride := "", uint32(0)
		for _, d := range s.Decls {
			got += fmt.Sprintf("%d/%d:%d ", d.Flags&0x1FF, d.Flags>>9&0x1FF, d.Offset)
			stride = d.Flags >> 18 & 0x3FF
			if d.Flags2 != uint32(d.Offset)<<2 {
				t.Errorf("%d layers: %+v", layers, d)
			}
		}
		if got += fmt.Sprintf("of %d", stride); got != want || !s.U01.True() {
			t.Errorf("%d layers: %s, want %s", layers, got, want)
		}
	}
	s := weld(tile(8, 0.5), 2)[0].stream(2)
	if s.Columns[2].Vec2s[2] != (gbx.Vec2{X: 1, Y: 1}) || s.Columns[3].Vec2s[2] != (gbx.Vec2{X: 0.75, Y: 1}) || s.Columns[1].Words[0] != 511<<10 {
		t.Errorf("s.Columns = %+v; want s.Columns[2].Vec2s[2] = gbx.Vec2{X: 1, Y: 1}, s.Columns[3].Vec2s[2] = gbx.Vec2{X: 0.75, Y: 1}, s.Columns[1].Words[0] = 511 << 10", s.Columns)
	}
	// u runs along x and v along z.
	if u, v := unpacked(s.Columns[4].Words[0]), unpacked(s.Columns[5].Words[0]); u != (gbx.Vec3{X: 1}) || v != (gbx.Vec3{Z: 1}) {
		t.Errorf("tangents %v %v", u, v)
	}
}

// Directions are 10 bits each, rounded towards 0, and no longer than 1.
func TestPacked(t *testing.T) {
	for v, want := range map[vec]uint32{{1, 0, 0}: 511, {0, 1, 0}: 511 << 10, {0, 0, -1}: 513 << 20, {2, -2, 0}: 511 | 513<<10, {0.9999, -0.9999, 0}: 510 | 514<<10} {
		if got := packed(v); got != want {
			t.Errorf("%v: %#x, want %#x", v, got, want)
		}
	}
	// Without a direction of the texture the two directions lie in the face, at a right angle.
	for _, n := range []vec{{0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {0, 0.1, 0.99}} {
		f := fallback(n)
		if math.Abs(f.u.Dot(n)) > 1e-9 || math.Abs(f.v.Dot(n)) > 1e-9 || math.Abs(f.u.Dot(f.v)) > 1e-9 || math.Abs(f.u.Dot(f.u)-1) > 1e-9 {
			t.Errorf("%v: f = %v; want math.Abs(f.u.Dot(n)) at most 1e-9, math.Abs(f.v.Dot(n)) at most 1e-9, math.Abs(f.u.Dot(f.v)) at most 1e-9, math.Abs(f.u.Dot(f.u) - 1) at most 1e-9", n, f)
		}
	}
	if u, v := (frame{}).tangents(gbx.Vec3{Z: 1}); unpacked(u) == (gbx.Vec3{}) || unpacked(v) == (gbx.Vec3{}) {
		t.Errorf("no direction: %x %x", u, v)
	}
}

// The clock of Windows counts tenths of microseconds since 1601; no time is 0.
func TestFileTime(t *testing.T) {
	for want, at := range map[uint64]time.Time{0: {}, 116444736000000000: time.Unix(0, 0), 116444736010000012: time.Unix(1, 1299)} {
		if got := fileTime(at); got != want {
			t.Errorf("%v: %d, want %d", at, got, want)
		}
	}
	f, err := solidOf(Part{Levels: 1, Corners: tile(8, 1)}).File()
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Chunks) != 1 || f.Chunks[0].Heavy || f.Chunks[0].ID != 0x090BB000 || slices.Contains(f.RawUserData, 1) {
		t.Errorf("the header is %+v", f.Chunks)
	}
}
