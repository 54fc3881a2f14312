package edit_test

import (
	"bytes"
	"context"
	"image"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/gltf"
	"pakbox/gbx/tree"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/items"
	"pakbox/nadeo/items/edit"
)

func parse(t *testing.T, data []byte) *items.Model {
	t.Helper()
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	m, err := items.ModelOf(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// saved writes an item and reads it again, and holds it against what may differ.
func saved(t *testing.T, old []byte, m *items.Model, may string) *items.Model {
	t.Helper()
	data, err := m.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again := parse(t, data)
	if twice, err := again.File.Encode(); err != nil || !bytes.Equal(twice, data) {
		t.Errorf("the second save is another file: %v", err)
	}
	changes, err := tree.Diff(parse(t, old).File, again.File)
	if err != nil {
		t.Fatal(err)
	}
	pattern := regexp.MustCompile(may)
	for _, c := range changes {
		if !pattern.MatchString(c.Path) {
			t.Errorf("%s has changed", c.Path)
		}
	}
	if len(changes) == 0 {
		t.Error("nothing has changed")
	}
	return again
}

// square is a mesh of two triangles in one of the game's materials.
func square() *mesh.Scene {
	up := gbx.Vec3{Y: 1}
	uvs := []gbx.Vec2{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}
	g := &mesh.Geometry{
		Positions: []gbx.Vec3{{}, {Z: 8}, {X: 8, Z: 8}, {X: 8}}, Normals: []gbx.Vec3{up, up, up, up},
		UVs: [][]gbx.Vec2{uvs, uvs}, Indices: []uint32{0, 1, 2, 0, 2, 3},
	}
	return &mesh.Scene{
		Materials: []mesh.Material{{Name: "RoadTech"}},
		Nodes:     []*mesh.Node{{Name: "Square", Transform: mesh.Identity, Mesh: &mesh.Mesh{Parts: []mesh.Part{{Geometry: g}}}}},
	}
}

func squareFile(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := gltf.Write(&b, square(), "square"); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "square.glb")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func count(t *testing.T, m *items.Model) (triangles int) {
	t.Helper()
	s, err := m.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	_, triangles = s.Finest().Count()
	return triangles
}

// Real items of both forms take another surface, another place and another mesh, and
// keep everything else.
func TestRealItems(t *testing.T) {
	const most = 40
	surfaces, meshes := 0, 0
	ice := uint8(3)
	file := squareFile(t)
	for path, data := range corpus.GBX(t, "2e002000") {
		m := parse(t, data)
		if len(edit.Names(m)) == 0 || surfaces == most {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			if err := edit.SetMaterial(m, edit.Material{Name: "*", Surface: &ice}); err != nil {
				t.Fatal(err)
			}
			if _, ok := m.Placement(); ok {
				if err := edit.Placement(m, func(p *items.Placement) { p.GridStep.X += 1.5 }); err != nil {
					t.Fatal(err)
				}
			}
			saved(t, data, m, `surfacePhysicId$|gridSnapHStep$`)
			surfaces++
			m = parse(t, data)
			if _, err := edit.Mesh(context.Background(), m, file); err != nil {
				return // another form
			}
			if again := saved(t, data, m, `meshCrystal|staticObject|numNodes`); count(t, again) != 2 || again.Name() != m.Name() {
				t.Errorf("the item has %d triangles", count(t, again))
			}
			meshes++
			m = parse(t, data)
			if err := edit.Waypoint(m, gamedata.CGameItemModelWaypointTypeFinish); err != nil {
				t.Fatal(err)
			}
			again := saved(t, data, m, `meshCrystal.*layers|triggerShape|waypointType$|numNodes`)
			if s, err := again.Mesh(); err != nil || len(s.Select(func(n *mesh.Node) bool { return n.Role == mesh.Trigger }).Nodes) == 0 {
				t.Errorf("the finish has no trigger: %v", err)
			}
		})
	}
	if surfaces < most || meshes < 20 {
		t.Errorf("%d surfaces and %d meshes were changed", surfaces, meshes)
	}
}

// The importer's item gets another material, a waypoint, an icon and a mesh.
func TestStairs(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "importer"), "NadeoStairs.Item.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	m := parse(t, data)
	if err := edit.SetMaterial(m, edit.Material{Name: "stepice", Link: "RoadDirt"}); err != nil {
		t.Fatal(err)
	}
	saved(t, data, m, `customMaterials\[2\].userInst.090FD000.(linkId|surfacePhysicId)$`)
	for name, to := range map[string]edit.Material{
		"no such material":  {Name: "StepGold", Link: "RoadDirt"},
		"not in a library":  {Name: "StepIce", Link: "RoadGold"},
		"other coordinates": {Name: "StepIce", Link: "CustomIce"},
	} {
		if err := edit.SetMaterial(m, to); err == nil {
			t.Errorf("%s: no error", name)
		}
	}

	m = parse(t, data)
	if err := edit.Waypoint(m, gamedata.CGameItemModelWaypointTypeFinish); err != nil {
		t.Fatal(err)
	}
	if again := saved(t, data, m, `triggerShape|waypointType$|numNodes`); again.Waypoint() != gamedata.CGameItemModelWaypointTypeFinish {
		t.Errorf("the item is %v", again.Waypoint())
	}

	m = parse(t, data)
	if err := edit.Icon(m, image.NewNRGBA(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatal(err)
	}
	if again := saved(t, data, m, `2E001004|userData|chunks`); !again.HasIcon() {
		t.Error("the item has no icon")
	}

	m = parse(t, data)
	if _, err := edit.Mesh(context.Background(), m, squareFile(t)); err != nil {
		t.Fatal(err)
	}
	if again := saved(t, data, m, `staticObject|numNodes`); count(t, again) != 2 {
		t.Errorf("the item has %d triangles", count(t, again))
	}
}
