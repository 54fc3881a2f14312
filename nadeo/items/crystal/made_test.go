package crystal

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/nadeo"
	"pakbox/nadeo/items/static"
)

// triangleAt is a triangle of one square metre's half, lifted by y.
func triangleAt(y float32) []static.Vertex {
	uv := func(u, v float32) [2]gbx.Vec2 { return [2]gbx.Vec2{{X: u, Y: v}, {X: u / 2, Y: v / 4}} }
	return []static.Vertex{{Position: gbx.Vec3{Y: y}, UVs: uv(0, 0)}, {Position: gbx.Vec3{Y: y, Z: 1}, UVs: uv(0, 1)}, {Position: gbx.Vec3{X: 1, Y: y}, UVs: uv(1, 0)}}
}

// whole is an item with every kind of layer.
func whole() static.Item {
	spawn := gbx.Iso4{T: gbx.Vec3{X: 1, Y: 2, Z: 3}}
	spawn.Mat3.Z = gbx.Vec3{X: 0.5, Y: math.Sqrt2 / 2, Z: 0.5}
	lamp := static.Light{Model: plug.Chunk090F9000{Intensity: 7}}
	lamp.Place.T.Y = 4
	o := static.Item{Name: "Tor", Author: "ada", Spawn: &spawn}
	o.Solid.Materials = []static.Material{{Link: `Stadium\Media\Material\RoadTech`, Surface: 16, Gameplay: 2, Color: &[3]uint8{1, 2, 255}}, {Link: "B", Surface: 3}}
	o.Solid.Parts = []static.Part{
		{Levels: 1, Corners: triangleAt(0)}, {Levels: 2, Corners: triangleAt(5)}, {Levels: 1, Passable: true, Material: 1, Corners: triangleAt(1)},
		{Levels: 3, Hidden: true, Corners: triangleAt(2)}, {Levels: 3, Corners: triangleAt(0)},
	}
	o.Solid.Lights = []static.Light{lamp}
	o.Trigger = &static.Surface{Points: []gbx.Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}}, Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}}, Kinds: make([]uint16, 2)}
	return o
}

// crystalIn is the crystal of an item.
func crystalIn(t *testing.T, o static.Item, game nadeo.Generation) *gbx.Node {
	t.Helper()
	m, err := New(o, game)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := gbx.Find[*gamedata.Chunk2E002019](m.File.Body)
	e, _ := gbx.Find[*gamedata.Chunk2E026000](c.EntityModelEdition.Node)
	return e.MeshCrystal.Node
}

// Faces that are solid and seen, only seen, and only solid are layers of their own, then
// come trigger, start and lights. Coarser levels are left out.
func TestLayersOfEachKind(t *testing.T) {
	for _, game := range []nadeo.Generation{nadeo.ManiaPlanet4, nadeo.Trackmania2020} {
		c, _ := gbx.Find[*plug.Chunk09003005](crystalIn(t, whole(), game))
		var got []string
		for _, l := range c.Layers.List {
			text := fmt.Sprint(l.LayerID, " ", l.LayerName, " ", l.Version, l.TypeVersion, l.IsEnabled.True())
			if g := l.Geometry; g != nil {
				text += fmt.Sprint(" ", g.IsVisible.True(), g.IsCollidable.True(), len(g.Crystal.Embedded.Geometry.Faces), g.GroupIndices)
			}
			if l.Trigger != nil {
				text += fmt.Sprint(" ", len(l.Trigger.TriggerShape.Embedded.Geometry.Faces), l.Trigger.TriggerGroupIndices)
			}
			if l.Modifier != nil {
				p := l.Modifier.Parameters
				text += fmt.Sprintf(" %v %.1f %.1f %d %d", p.SpawnPosition, p.HorizontalAngle, p.VerticalAngle, len(p.Lights), len(p.LightPositions))
			}
			got = append(got, text)
		}
		want := []string{"Layer1 Geometry 2 1 true true true 2 [0]", "Layer2 Not collidable 2 1 true true false 1 [0]", "Layer3 Collisions 2 1 true false true 1 [0]",
			"Layer4 Trigger 2 1 true 2 [0]", "Layer5 Spawn position 2 0 true {1 2 3} 45.0 45.0 0 0", "Layer6 Light 2 0 true {0 0 0} 0.0 0.0 1 1"}
		if a, b := strings.ReplaceAll(strings.Join(got, "\n"), " ", ""), strings.ReplaceAll(strings.Join(want, "\n"), " ", ""); a != b {
			t.Errorf("%s: %s; want a = %v", game, strings.Join(got, "\n"), b)
		}
		light := c.Layers.List[5].Modifier.Parameters
		if m, _ := gbx.Find[*plug.Chunk090F9000](light.Lights[0].Node); m.Intensity != 7 || light.LightPositions[0].Location.T.Y != 4 || light.LightPositions[0].LightIndex != 0 {
			t.Errorf("%s: light = %+v; want m.Intensity = 7, light.LightPositions[0].Location.T.Y = 4, light.LightPositions[0].LightIndex = 0", game, light)
		}
		smooth, _ := gbx.Find[*plug.Chunk09003007](crystalIn(t, whole(), game))
		if fmt.Sprint(smooth.SmoothingGroups, smooth.FaceSmoothingGroups) != "[0 1 2] [2 2 2]" {
			t.Errorf(`%s: smooth = %v; want fmt.Sprint(smooth.SmoothingGroups, smooth.FaceSmoothingGroups) = "[0 1 2] [2 2 2]"`, game, smooth)
		}
	}
}

// A steep start looks up at most; without one, and without lights and trigger, there are
// only the faces.
func TestFewLayers(t *testing.T) {
	o := whole()
	o.Spawn.Mat3.Z = gbx.Vec3{Y: -1.001}
	c, _ := gbx.Find[*plug.Chunk09003005](crystalIn(t, o, nadeo.Trackmania2020))
	if a := c.Layers.List[4].Modifier.Parameters.VerticalAngle; a != -90 {
		t.Errorf("it looks %g degrees up", a)
	}
	o.Spawn, o.Trigger, o.Solid.Lights, o.Solid.Parts = nil, nil, nil, o.Solid.Parts[:1]
	if c, _ = gbx.Find[*plug.Chunk09003005](crystalIn(t, o, nadeo.Trackmania2020)); len(c.Layers.List) != 1 {
		t.Errorf("%d layers", len(c.Layers.List))
	}
	o.Solid.Parts = []static.Part{{Levels: 1, Corners: make([]static.Vertex, 3)}} // without area
	if _, err := New(o, nadeo.Trackmania2020); !errors.Is(err, fault.Unsupported) {
		t.Errorf("err = %v; want err matching fault.Unsupported", err)
	}
}

// Equal places are one vertex, whatever the sign of 0; an edge is there once. Corners
// share their texture coordinates in Trackmania (2020), faces have their own before.
func TestFaces(t *testing.T) {
	o := whole()
	minus := float32(math.Copysign(0, -1))
	second := []static.Vertex{{Position: gbx.Vec3{X: 1, Y: minus}, UVs: triangleAt(0)[2].UVs}, {Position: gbx.Vec3{Z: 1}, UVs: triangleAt(0)[1].UVs}, {Position: gbx.Vec3{X: 1, Z: 1}}}
	o.Solid.Parts = []static.Part{{Levels: 1, Corners: append(triangleAt(minus), second...), Material: 1}}
	for _, game := range []nadeo.Generation{nadeo.ManiaPlanet4, nadeo.Trackmania2020} {
		node := crystalIn(t, o, game)
		c, _ := gbx.Find[*plug.Chunk09003005](node)
		all := c.Layers.List[0].Geometry.Crystal
		g := all.Embedded.Geometry
		if len(g.Positions) != 4 || g.EdgeCount != 5 || g.FaceCount != 2 || fmt.Sprint(g.Faces[0].Indices, g.Faces[1].Indices) != "[0 1 2] [2 1 3]" || math.Signbit(float64(g.Positions[0].Y)) {
			t.Errorf("%s: geometry %+v; want 4 positions, 5 edges and the faces [0 1 2] [2 1 3]", game, g)
		}
		light, _ := gbx.Find[*plug.Chunk09003006](node)
		if game == nadeo.ManiaPlanet4 {
			if fmt.Sprint(g.Edges) != "[{0 1} {1 2} {2 0} {1 3} {3 2}]" || fmt.Sprint(g.Faces[0].UVs) != "[{0 0} {0 1} {1 0}]" || len(all.FaceSelection) != 2 || len(all.EdgeSelection) != 5 || len(all.VertexSelection) != 4 ||
				all.FaceCount != 2 || all.EdgeCount != 5 || all.VertexCount != 4 || all.Version != 32 || !all.IsEmbedded.True() || !all.Groups[0].IsInUse.True() || fmt.Sprint(light.Uvs[:3]) != "[{0 0} {0 0.25} {0.5 0}]" || light.Version != 0 {
				t.Errorf("%s: %+v, lightmap %v", game, all, light)
			}
			continue
		}
		if fmt.Sprint(g.Uvs, g.UvIndices.Values) != "[{0 0} {0 1} {1 0}] [0 1 2 2 1 0]" || g.Faces[0].UVs != nil || all.MaxMaterialIndex != 1 || all.Version != 37 || all.IsEmbeddedByte != 1 || all.Groups[0].IsInUseByte != 1 {
			t.Errorf("%s: all = %+v", game, all)
		}
		if fmt.Sprint(light.PackedUVs, light.UvIndices.Values) != fmt.Sprint([]uint32{0, 16384 << 16, 32768}, []uint32{0, 1, 2, 2, 1, 0}) || light.Version != 2 {
			t.Errorf("%s: lightmap %v", game, light)
		}
		if all.BaseVisualLevel != 4 || fmt.Sprint(all.VisualLevels) != "[{4 64} {2 128} {1 192}]" || all.Groups[0].ParentIndex != -1 || all.Groups[0].AnchorIndex != -1 || all.Groups[0].Name != "part" {
			t.Errorf("%s: all = %+v", game, all)
		}
	}
}

// Materials are named by their path. Colours and effects are Trackmania's (2020).
func TestMaterialsOfCrystal(t *testing.T) {
	for game, want := range map[nadeo.Generation]string{
		nadeo.ManiaPlanet4:   `9 0 Stadium\Media\Material\RoadTech 16 0 [] 0 1 0`,
		nadeo.Trackmania2020: `11 1 Stadium\Media\Material\RoadTech 16 2 [1 2 255] 1 2 1`,
	} {
		list, _ := gbx.Find[*plug.Chunk09003003](crystalIn(t, whole(), game))
		n := list.Materials[0].UserInst.Node
		c, _ := gbx.Find[*plug.Chunk090FD000](n)
		size, _ := gbx.Find[*plug.Chunk090FD001](n)
		if got := fmt.Sprint(c.Version, " ", c.IsUsingGameMaterial, " ", c.Link, " ", c.SurfacePhysicID, " ", c.SurfaceGameplayID, " ", c.Color, " ", len(c.Csts), " ", size.TextureSizeInMeters, " ", size.U01); got != want || size.Version != 5 || len(list.Materials) != 2 || list.Version != 2 {
			t.Errorf("%s: %s, want %s", game, got, want)
		}
		if len(c.Csts) == 1 && (c.Csts[0].U01.String() != "TargetColor" || c.Csts[0].U02.String() != "Real" || c.Csts[0].U03 != 3) {
			t.Errorf(`c.Csts = %+v; want len(c.Csts) other than 1 or c.Csts[0].U01.String() = "TargetColor", c.Csts[0].U02.String() = "Real", c.Csts[0].U03 = 3`, c.Csts)
		}
	}
}

// The editor's settings are those of all real items: they select the first layer.
func TestEditorData(t *testing.T) {
	for game, class := range map[nadeo.Generation]byte{nadeo.ManiaPlanet4: 5, nadeo.Trackmania2020: 6} {
		c, _ := gbx.Find[*plug.Chunk09003004](crystalIn(t, whole(), game))
		want := "\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x06\x00\x00\x00Layer1\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00" +
			"\xbf\x66\xc9\x3f\xfb\x49\xd5\x4b\xbb\xe4\x69\x68\xc9\x93\x08\x19\x00\x00\x00\x00\x00\x20\x00\x11" + string(class) + "\x00\x00\x00\x00\x00\x01\xde\xca\xfa\x00\x00\x00\x00"
		if string(c.EditorData) != want || c.EditorDataFlags != 1 || c.Version != 1 {
			t.Errorf("%s: c.EditorData = %q; want c.EditorData = %q, c.EditorDataFlags = 1, c.Version = 1", game, c.EditorData, want)
		}
	}
}

// A trigger can be added to a crystal of either game, under a free name. A crystal of
// another version is refused and stays.
func TestAddedTrigger(t *testing.T) {
	for game, version := range map[nadeo.Generation]uint32{nadeo.ManiaPlanet4: 32, nadeo.Trackmania2020: 37} {
		o := whole()
		o.Trigger, o.Spawn, o.Solid.Lights = nil, nil, nil
		node := crystalIn(t, o, game)
		c, _ := gbx.Find[*plug.Chunk09003005](node)
		c.Layers.List[0].LayerID = gbx.NewID("Layer4")
		if err := AddTrigger(node, whole().Trigger); err != nil {
			t.Fatal(err)
		}
		l := c.Layers.List[len(c.Layers.List)-1]
		if len(c.Layers.List) != 4 || l.LayerID.String() != "Layer5" || l.Version != 2 || l.TypeVersion != 1 || !l.IsEnabled.True() || l.Type != plug.CPlugCrystalLayerTypeTrigger || l.Trigger.TriggerShape.Version != version {
			t.Errorf("%s: layer %+v; want an enabled trigger as the fourth layer, Layer5", game, l)
		}
		faces := l.Trigger.TriggerShape.Embedded.Geometry
		if len(faces.Positions) != 4 || len(faces.Faces) != 2 || fmt.Sprint(faces.Faces[1].Indices) != "[0 2 3]" {
			t.Errorf(`%s: faces = %+v; want faces.Positions of length 4, faces.Faces of length 2, fmt.Sprint(faces.Faces[1].Indices) = "[0 2 3]"`, game, faces)
		}
		if game == nadeo.ManiaPlanet4 && fmt.Sprint(faces.Faces[0].UVs) != "[{0 0} {1 0} {0 1}]" {
			t.Errorf(`faces.Faces[0].UVs = %v; want game other than nadeo.ManiaPlanet4 or fmt.Sprint(faces.Faces[0].UVs) = "[{0 0} {1 0} {0 1}]"`, faces.Faces[0].UVs)
		}
		c.Layers.List[0].Geometry.Crystal.Version = version - 1
		if err := AddTrigger(node, whole().Trigger); !errors.Is(err, fault.Unsupported) || len(c.Layers.List) != 4 {
			t.Errorf("version %d: %v", version-1, err)
		}
		c.Layers.List[0].Geometry = nil
		if err := AddTrigger(node, whole().Trigger); !errors.Is(err, fault.Unsupported) {
			t.Errorf("a layer without faces: %v", err)
		}
		c.Layers.List = nil
		if err := AddTrigger(node, whole().Trigger); !errors.Is(err, fault.Unsupported) {
			t.Errorf("no layer: %v", err)
		}
	}
	if err := AddTrigger(nil, whole().Trigger); !errors.Is(err, fault.Unsupported) {
		t.Errorf("no crystal: %v", err)
	}
}
