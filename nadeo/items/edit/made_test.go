package edit

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/gltf"
	"pakbox/nadeo"
	"pakbox/nadeo/items"
	"pakbox/nadeo/items/crystal"
	"pakbox/nadeo/items/static"
	"pakbox/nadeo/nadeotest/roomtest"
)

// described is an item of one triangle with its own trigger, start and light.
func described() static.Item {
	at := func(x, z float32) static.Vertex {
		return static.Vertex{Position: gbx.Vec3{X: x, Y: x, Z: z}, Normal: gbx.Vec3{Y: 1}, UVs: [2]gbx.Vec2{{X: x, Y: z}, {X: x, Y: z}}}
	}
	o := static.Item{Name: "Tor", Author: "ada", Spawn: &gbx.Iso4{T: gbx.Vec3{Y: 5}}}
	o.Solid.Materials = []static.Material{{Name: "RoadTech", Link: "RoadTech", UVLayers: 2, Lightmap: 1}}
	o.Solid.Folder = `Stadium\Media\Material\`
	o.Solid.Parts = []static.Part{{Levels: 1, Corners: []static.Vertex{at(0, 0), at(0, 1), at(1, 0)}}}
	o.Solid.Lights = []static.Light{{Name: "lamp"}}
	o.Trigger = &static.Surface{Points: []gbx.Vec3{{}, {X: 1}, {Y: 1}}, Triangles: [][3]int32{{0, 1, 2}}, Kinds: []uint16{0}}
	return o
}

func modelOf(t *testing.T, o static.Item, game nadeo.Generation) *items.Model {
	t.Helper()
	var m *items.Model
	var err error
	if game == "" {
		m, err = static.New(o)
	} else {
		m, err = crystal.New(o, game)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// meshFile is a glTF file of a square and of other nodes without faces, or with the
// square's faces.
func meshFile(t *testing.T, names ...string) string {
	t.Helper()
	up := gbx.Vec3{Y: 1}
	uvs := []gbx.Vec2{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}
	g := &mesh.Geometry{Positions: []gbx.Vec3{{}, {Z: 8}, {X: 8, Z: 8}, {X: 8}}, Normals: []gbx.Vec3{up, up, up, up}, UVs: [][]gbx.Vec2{uvs, uvs}, Indices: []uint32{0, 1, 2, 0, 2, 3}}
	s := &mesh.Scene{Materials: []mesh.Material{{Name: "RoadTech"}}}
	for _, name := range append([]string{"Square"}, names...) {
		n := &mesh.Node{Name: name, Transform: mesh.Identity}
		if !strings.HasPrefix(name, "_socket") {
			n.Mesh = &mesh.Mesh{Parts: []mesh.Part{{Geometry: g}}}
		} else {
			n.Transform.T.Z = 3
		}
		s.Nodes = append(s.Nodes, n)
	}
	var b bytes.Buffer
	if err := gltf.Write(&b, s, "square"); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "square.glb")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// layersOf are the kinds of layers of a crystal and the number of their triangles.
func layersOf(t *testing.T, m *items.Model) string {
	t.Helper()
	c, _ := gbx.Find[*gamedata.Chunk2E002019](m.File.Body)
	e, _ := gbx.Find[*gamedata.Chunk2E026000](c.EntityModelEdition.Node)
	list, ok := gbx.Find[*plug.Chunk09003005](e.MeshCrystal.Node)
	if !ok {
		t.Fatal("the crystal has no layers")
	}
	var out []string
	for _, l := range list.Layers.List {
		text := l.LayerName
		if l.Geometry != nil {
			text += fmt.Sprint(" ", len(l.Geometry.Crystal.Embedded.Geometry.Faces))
		}
		if l.Trigger != nil {
			text += fmt.Sprint(" ", len(l.Trigger.TriggerShape.Embedded.Geometry.Faces))
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// A crystal with a new mesh keeps trigger, start and light; those that the new mesh has
// replace them, and other layers go.
func TestMeshOfCrystal(t *testing.T) {
	for _, game := range []nadeo.Generation{nadeo.ManiaPlanet4, nadeo.Trackmania2020} {
		for _, test := range []struct {
			nodes []string
			want  string
		}{
			{nil, "Geometry 2, Trigger 1, Spawn position, Light"}, {[]string{"_trigger_a"}, "Geometry 2, Trigger 2, Spawn position, Light"},
			{[]string{"_socket_start", "_trigger_a"}, "Geometry 2, Trigger 2, Spawn position, Light"},
		} {
			o := described()
			o.Solid.Parts = append(o.Solid.Parts, static.Part{Levels: 1, Hidden: true, Corners: o.Solid.Parts[0].Corners})
			m := modelOf(t, o, game)
			if before := layersOf(t, m); before != "Geometry 1, Collisions 1, Trigger 1, Spawn position, Light" {
				t.Fatalf(`before = %v; want "Geometry 1, Collisions 1, Trigger 1, Spawn position, Light"`, before)
			}
			if _, err := Mesh(t.Context(), m, meshFile(t, test.nodes...)); err != nil {
				t.Fatal(err)
			}
			if got := layersOf(t, m); got != test.want {
				t.Errorf("%s with %v: %s, want %s", game, test.nodes, got, test.want)
			}
			if _, err := m.File.Encode(); err != nil {
				t.Errorf("%s: %v", game, err)
			}
		}
	}
	// An item before April 2022 keeps its first chunk, an item of now gets none.
	m := modelOf(t, described(), nadeo.Trackmania2020)
	c, _ := gbx.Find[*gamedata.Chunk2E002019](m.File.Body)
	e, _ := gbx.Find[*gamedata.Chunk2E026000](c.EntityModelEdition.Node)
	for _, old := range []bool{false, true} {
		if old {
			e.MeshCrystal.Node.Chunks = append([]gbx.Chunk{{ID: 0x09051000, Body: &plug.Chunk09051000{U01: 9}}}, e.MeshCrystal.Node.Chunks...)
		}
		if _, err := Mesh(t.Context(), m, meshFile(t)); err != nil {
			t.Fatal(err)
		}
		first, ok := gbx.Find[*plug.Chunk09051000](e.MeshCrystal.Node)
		if ok != old || old && (first.U01 != 9 || e.MeshCrystal.Node.Chunks[0].ID != 0x09051000 || e.MeshCrystal.Node.Chunks[1].ID == 0x09051000) {
			t.Errorf("before 2022 %t: %v", old, first)
		}
	}
}

// A static object keeps its trigger and its start together, or gets both from the mesh.
func TestMeshOfStatic(t *testing.T) {
	for _, test := range []struct {
		nodes     []string
		triangles int
		y, z      float32
	}{{nil, 1, 5, 0}, {[]string{"_socket_start"}, 1, 5, 0}, {[]string{"_socket_start", "_trigger_a"}, 2, 0, 3}} {
		m := modelOf(t, described(), "")
		said, err := Mesh(t.Context(), m, meshFile(t, test.nodes...))
		if err != nil {
			t.Fatal(err)
		}
		e, _ := entityOf(m)
		shape, _ := gbx.Find[*plug.Chunk0900C003](e.TriggerShape.Node)
		if n := len(shape.Surf.MeshSurf.Mesh.Triangles); n != test.triangles || e.SpawnLocation.T.Y != test.y || e.SpawnLocation.T.Z != test.z {
			t.Errorf("%v: a trigger of %d triangles, cars start at %v", test.nodes, n, e.SpawnLocation.T)
		}
		if len(test.nodes) == 2 != (len(said) == 1) {
			t.Errorf("%v: said = %q; want said of length 1 exactly if test.nodes has length 2", test.nodes, said)
		}
		if names := Names(m); fmt.Sprint(names) != "[RoadTech]" {
			t.Errorf("materials %v", names)
		}
	}
}

// An impossible edit is rejected, and the error names the object.
func TestRefused(t *testing.T) {
	item := func(b ...gbx.Body) *items.Model {
		m, err := items.ModelOf(roomtest.NodeFile(0x2E002000, b...))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	finish := gamedata.CGameItemModelWaypointTypeFinish
	bare := item(&gamedata.Chunk2E002019{Version: 15}, &gamedata.Chunk2E00201F{})
	for want, err := range map[string]error{
		"does not say how it is placed": Placement(item(), func(*items.Placement) { t.Error("placed") }),
		"no place for a waypoint":       Waypoint(item(), finish),
	} {
		if !errors.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := Waypoint(bare, finish); err == nil || bare.Waypoint() == finish {
		t.Errorf("a finish without a mesh: %v", err)
	}
	if err := Waypoint(bare, gamedata.CGameItemModelWaypointTypeStart); err != nil || bare.Waypoint() != gamedata.CGameItemModelWaypointTypeStart {
		t.Errorf("a start needs no trigger: %v", err)
	}
	for want, m := range map[string]*items.Model{"the item has no mesh": item(), "neither a static object nor a crystal": bare} {
		if _, err := Mesh(t.Context(), m, meshFile(t)); !errors.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	m := modelOf(t, described(), "")
	if _, err := Mesh(t.Context(), m, filepath.Join(t.TempDir(), "none.glb")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing mesh: %v", err)
	}
	wrong := meshFile(t)
	data, _ := os.ReadFile(wrong)
	if err := os.WriteFile(wrong, bytes.ReplaceAll(data, []byte("RoadTech"), []byte("RoadGold")), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Mesh(t.Context(), m, wrong); !errors.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), "RoadGold the material RoadGold has the Link RoadGold, which the game's library does not have") {
		t.Errorf("an unknown material: %v", err)
	}
	if Names(item()) != nil || SetMaterial(item(), Material{Name: "*"}) == nil {
		t.Error("an item of nothing has materials")
	}
}

// A waypoint that cars cross gets a box around the mesh if it has no trigger, and keeps
// the trigger that it has.
func TestNeededTrigger(t *testing.T) {
	for _, game := range []nadeo.Generation{"", nadeo.ManiaPlanet4, nadeo.Trackmania2020} {
		for kind, want := range map[gamedata.CGameItemModelWaypointType]int{
			gamedata.CGameItemModelWaypointTypeFinish: 12, gamedata.CGameItemModelWaypointTypeCheckpoint: 12, gamedata.CGameItemModelWaypointTypeStartFinish: 12,
			gamedata.CGameItemModelWaypointTypeStart: 0, gamedata.CGameItemModelWaypointTypeNone: 0,
		} {
			for _, has := range []bool{false, true} {
				o := described()
				if !has {
					o.Trigger = nil
				}
				m := modelOf(t, o, game)
				if err := Waypoint(m, kind); err != nil {
					t.Fatal(err)
				}
				s, err := m.Mesh()
				if err != nil {
					t.Fatal(err)
				}
				_, n := s.Select(func(n *mesh.Node) bool { return n.Role == mesh.Trigger }).Count()
				if wanted := map[bool]int{false: want, true: 1}[has]; n != wanted || m.Waypoint() != kind {
					t.Errorf("%s %v, trigger %t: %d triangles, want %d", game, kind, has, n, wanted)
				}
			}
		}
	}
}

// An icon keeps the form and the place of the old one; a new one comes after the name.
func TestIcons(t *testing.T) {
	picture := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	picture.Set(1, 2, color.NRGBA{R: 9, A: 255})
	order := func(m *items.Model) (out []string) {
		for _, c := range m.File.Chunks {
			out = append(out, fmt.Sprintf("%X", uint32(c.ID)&0xFFFF))
		}
		return out
	}
	for _, test := range []struct {
		game nadeo.Generation
		icon image.Image
		webp bool
	}{{"", nil, false}, {"", picture, false}, {nadeo.ManiaPlanet4, picture, false}, {nadeo.Trackmania2020, picture, true}, {nadeo.Trackmania2020, nil, false}} {
		o := described()
		o.Icon = test.icon
		m := modelOf(t, o, test.game)
		if err := Icon(m, image.NewNRGBA(image.Rect(0, 0, 4, 4))); err != nil {
			t.Fatal(err)
		}
		h, ok := gbx.FindHeader[*gamedata.Header2E001004](&m.File.Header)
		if got := fmt.Sprint(order(m)); !ok || got != "[1003 1004 1006 2000 2001]" || (len(h.Webp) > 0) != test.webp || len(m.File.Chunks) != 5 || uint32(m.File.Chunks[1].ID) != 0x2E001004 || !m.File.Chunks[1].Heavy {
			t.Errorf("%s: %s, WebP %t", test.game, got, len(h.Webp) > 0)
		}
	}
	m := modelOf(t, described(), "")
	m.File.Chunks = nil
	if err := Icon(m, picture); err != nil || len(m.File.Chunks) != 1 {
		t.Errorf("a header of nothing: %v", err)
	}
}

// The triangles of a collision shape drive as the material does.
func TestHullTriangles(t *testing.T) {
	o := described()
	o.Solid.Materials[0].Surface = 16
	o.Hull = &static.Surface{Points: o.Trigger.Points, Triangles: [][3]int32{{0, 1, 2}, {0, 2, 1}}, Kinds: []uint16{16, 7}}
	m := modelOf(t, o, "")
	ice, turbo := uint8(3), uint8(1)
	if err := SetMaterial(m, Material{Name: "roadtech", Surface: &ice, Gameplay: &turbo}); err != nil {
		t.Fatal(err)
	}
	e, _ := entityOf(m)
	object, _ := gbx.Find[*plug.Plain09159000](e.StaticObject.Node)
	shape, _ := gbx.Find[*plug.Chunk0900C003](object.Shape.Node)
	if got := shape.Surf.MeshSurf.Mesh.Triangles; got[0].U01 != 0x0103 || got[1].U01 != 0x10007 || fmt.Sprint(shape.SurfaceIDs) != "[259 7]" {
		t.Errorf(`got = %x, shape.SurfaceIDs = %v; want got[0].U01 = 0x0103, got[1].U01 = 0x10007, fmt.Sprint(shape.SurfaceIDs) = "[259 7]"`, got, shape.SurfaceIDs)
	}
}

// The materials of a custom block are those of its crystals, then of its objects.
func TestMaterialsOfBlocks(t *testing.T) {
	o := described()
	o.Solid.Materials[0].Link, o.Solid.Materials[0].Name = "Stadium\\Media\\Material\\RoadIce", "own"
	made, _ := gbx.Find[*gamedata.Chunk2E002019](modelOf(t, o, nadeo.Trackmania2020).File.Body)
	edition, _ := gbx.Find[*gamedata.Chunk2E026000](made.EntityModelEdition.Node)
	e, _ := entityOf(modelOf(t, described(), ""))
	block := &gamedata.Chunk2E025000{}
	block.CustomizedVariants = make([]gamedata.CGameBlockItemMobil, 2)
	block.CustomizedVariants[1].Crystal = edition.MeshCrystal
	block.Properties = make([]gamedata.CGameBlockItemMobilProperties, 2)
	block.Properties[1].StaticObject = e.StaticObject
	m, err := items.ModelOf(roomtest.NodeFile(0x2E002000, &gamedata.Chunk2E002019{EntityModelEdition: gbx.NewRef(roomtest.Node(0x2E025000, block))}))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(Names(m)); got != "[RoadIce RoadTech]" {
		t.Errorf("materials %s", got)
	}
}
