package lint_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/meta"
	"pakbox/gbx/engine/plug"
	"pakbox/nadeo"
	"pakbox/nadeo/items"
	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
)

// parts is an item of all parts that rules look at. A good one has no findings.
type parts struct {
	item     gamedata.Chunk2E002019
	waypoint gamedata.Chunk2E00201F
	entity   gamedata.Chunk2E027000
	object   plug.Plain09159000
	solid    plug.Chunk090BB000
	visuals  [2]visual
	shape    plug.Chunk0900C003
	trigger  plug.Chunk0900C003
	material [2]plug.Chunk090FD000

	prefab     bool // the item is a prefab with the following
	moving     plug.Plain09144000
	constraint meta.Plain2F0C8000
	checkpoint plug.Plain09178000
	more       []classid.ID // entities with nothing in them
	twoBinds   bool

	crystal bool // the item is a crystal with the following
	layers  plug.Chunk09003005
	light   plug.Chunk09003006
	faces   int
}

type visual struct {
	head    plug.Chunk0900600F
	sub     plug.Chunk09006005
	stream  plug.Chunk09056000
	indices plug.Chunk09057001
}

func node(class classid.ID, bodies ...gbx.Body) gbx.Ref {
	n := &gbx.Node{Class: class}
	for _, b := range bodies {
		n.Chunks = append(n.Chunks, gbx.Chunk{Body: b})
	}
	return gbx.NewRef(n)
}

func declared(usages ...uint32) (out plug.VertexData) {
	for _, u := range usages {
		out.Decls = append(out.Decls, plug.VertexDecl{Flags: u})
	}
	return out
}

func meshShape(surface uint16) plug.Chunk0900C003 {
	c := plug.Chunk0900C003{Materials: []plug.CPlugSurfaceSurfMaterial{{SurfaceID: surface}}}
	c.Surf.Type = plug.CPlugSurfaceSurfTypeMesh
	c.Surf.MeshSurf = &plug.CPlugSurfaceSurfMeshSurf{}
	c.Surf.MeshSurf.Mesh.Vertices = []gbx.Vec3{{}, {X: 1}, {Y: 1}}
	c.Surf.MeshSurf.Mesh.Triangles = []plug.CPlugSurfaceTriangle{{Indices: gbx.Int3{X: 0, Y: 1, Z: 2}, U01: uint32(surface)}}
	return c
}

// good is an item with a mesh of two parts, each with two levels of detail, or a
// prefab or crystal if that is asked for.
func good() *parts {
	p := &parts{shape: meshShape(16), trigger: meshShape(0), faces: 2}
	p.item.Version, p.waypoint.WaypointType = 15, gamedata.CGameItemModelWaypointTypeCheckpoint
	p.solid.Version, p.solid.LodDistances, p.solid.MaterialsFolderName = 32, []float32{50}, `Stadium\Media\Material\`
	for i := range p.visuals {
		v := &p.visuals[i]
		v.head.VertexCount, v.stream.Count = 3, 3
		v.stream.VertexData = declared(0, 5, 10, 11, 18, 20)
		v.indices.IndexDeltas = []int16{0, 1, 1}
		p.solid.ShadedGeoms = append(p.solid.ShadedGeoms, plug.CPlugSolid2ModelShadedGeom{VisualIndex: uint32(i), MaterialIndex: uint32(i), LodMask: 3})
		p.material[i] = plug.Chunk090FD000{Version: 11, MaterialName: gbx.NewID("M" + string(rune('A'+i))), LinkID: gbx.NewID([]string{"PlatformTech", "RoadTech"}[i]), SurfacePhysicID: 16}
	}
	p.constraint = meta.Plain2F0C8000{Ent1: 0, Ent2: -1}
	p.layers.Layers.List = []plug.CPlugCrystalLayer{{LayerName: "Geometry", Geometry: &plug.CPlugCrystalLayerGeometry{IsVisible: gbx.True}}}
	p.layers.Layers.List[0].Geometry.Crystal.Groups = []plug.CPlugCrystalPart{{ParentIndex: -1}, {ParentIndex: 0}}
	p.light.Uvs = []gbx.Vec2{{}, {X: 0.4}, {Y: 0.4}, {X: 0.9, Y: 0.9}, {X: 0.5, Y: 0.9}, {X: 0.9, Y: 0.5}}
	return p
}

func (p *parts) model(t *testing.T) *items.Model {
	t.Helper()
	for i := range p.visuals {
		v := &p.visuals[i]
		v.head.VertexStreams = []gbx.Ref{node(0x09056000, &v.stream)}
		index := plug.Chunk0906A001{HasIndexBuffer: gbx.True, IndexBuffer: node(0x09057000, &v.indices)}
		p.solid.Visuals = append(p.solid.Visuals, node(0x0901E000, &v.head, &v.sub, &index))
		p.solid.CustomMaterials = append(p.solid.CustomMaterials, plug.CPlugSolid2ModelMaterial{UserInst: node(0x090FD000, &p.material[i])})
	}
	p.object.Mesh, p.object.Shape = node(0x090BB000, &p.solid), node(0x0900C000, &p.shape)
	if p.entity.StaticObject.IsNil() {
		p.entity.StaticObject = node(0x09159000, &p.object)
	}
	p.entity.TriggerShape = node(0x0900C000, &p.trigger)
	p.item.EntityModel = node(0x2E027000, &p.entity)
	if p.prefab {
		p.item.EntityModel = p.prefabNode()
	}
	if p.crystal {
		p.item.EntityModel, p.item.EntityModelEdition = gbx.Ref{}, p.crystalNode()
	}
	body := &gbx.Node{Class: 0x2E002000, Chunks: []gbx.Chunk{{Body: &p.item}, {Body: &p.waypoint}}}
	m, err := items.ModelOf(gbx.New(body, engine.Registry()))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func (p *parts) prefabNode() gbx.Ref {
	if p.moving.DynaShape.IsNil() {
		p.moving.DynaShape = node(0x0900C000, &p.shape)
	}
	p.checkpoint.TriggerShape = node(0x0900C000, &p.trigger)
	bind := plug.CPlugPrefabEntRef{Model: node(0x2F0CA000), Params: node(0x2F0C8000, &p.constraint)}
	c := &plug.Plain09145000{Ents: []plug.CPlugPrefabEntRef{{Model: node(0x09144000, &p.moving)}, bind, {Model: node(0x09178000, &p.checkpoint)}}}
	if p.twoBinds {
		c.Ents = append(c.Ents, bind)
	}
	for _, class := range p.more {
		c.Ents = append(c.Ents, plug.CPlugPrefabEntRef{Model: node(class)})
	}
	return node(0x09145000, c)
}

func (p *parts) crystalNode() gbx.Ref {
	g := &p.layers.Layers.List[0].Geometry.Crystal
	g.Version = 32
	e := &plug.CPlugCrystalEmbeddedGeometry{}
	for i := range p.faces {
		first := uint32(3 * i)
		e.Positions = append(e.Positions, gbx.Vec3{Z: float32(i)}, gbx.Vec3{X: 1, Z: float32(i)}, gbx.Vec3{Y: 1, Z: float32(i)})
		e.Faces = append(e.Faces, plug.Face{Indices: []uint32{first, first + 1, first + 2}, UVs: make([]gbx.Vec2, 3)})
		if i >= 2 {
			p.light.Uvs = append(p.light.Uvs, p.light.Uvs[:3]...)
		}
	}
	g.Embedded = &plug.CPlugCrystalCrystalEmbedded{Geometry: *e}
	materials := &plug.Chunk09003003{Version: 2, Materials: []plug.CPlugCrystalMaterial{{UserInst: node(0x090FD000, &p.material[0])}}}
	p.material[0].Link, p.material[0].LinkID = `Stadium\Media\Material\PlatformTech`, gbx.NoID
	crystal := node(0x09003000, materials, &p.layers, &p.light)
	return node(0x2E026000, &gamedata.Chunk2E026000{MeshCrystal: crystal})
}

// broken is what breaks each rule in a good item.
var broken = map[string]func(p *parts){
	"item_prefab_inside":    func(p *parts) { p.entity.StaticObject = node(0x09145000, &plug.Plain09145000{}) },
	"item_empty_collision":  func(p *parts) { p.shape.Surf.MeshSurf.Mesh.Triangles = nil },
	"item_compound_trigger": func(p *parts) { p.trigger.Surf.Type = plug.CPlugSurfaceSurfTypeCompound },
	"item_idle_trigger":     func(p *parts) { p.waypoint.WaypointType = gamedata.CGameItemModelWaypointTypeNone },
	"item_moving_part":      func(p *parts) { p.prefab, p.constraint.Ent1 = true, 2 },
	"item_effect_system":    func(p *parts) { p.prefab, p.more = true, []classid.ID{0x0915C000} },
	"item_editor_helper":    func(p *parts) { p.prefab, p.more = true, []classid.ID{0x0917B000} },
	"item_user_light": func(p *parts) {
		p.solid.LightUserModels, p.solid.LightInsts = make([]gbx.Ref, 1), make([]plug.CPlugSolid2ModelLightInst, 1)
	},
	"item_detail_levels": func(p *parts) { p.solid.LodDistances = []float32{1, 2, 3, 4} },
	"item_detail_order":  func(p *parts) { p.solid.LodDistances = []float32{2, 1} },
	"item_mixed_vertices": func(p *parts) {
		p.solid.ShadedGeoms[1].MaterialIndex = 0
		p.visuals[1].stream.VertexData = declared(0, 5, 10, 11, 18)
	},
	"item_plain_vertices": func(p *parts) { p.visuals[0].stream.VertexData = declared(0, 5, 10) },
	"item_no_lightmap":    func(p *parts) { p.visuals[1].stream.VertexData = declared(0, 5, 10, 18, 20) },
	"item_unsorted_parts": func(p *parts) { p.solid.ShadedGeoms[0].MaterialIndex, p.solid.ShadedGeoms[1].MaterialIndex = 1, 0 },
	"item_sub_visuals":    func(p *parts) { p.visuals[0].sub.SubVisuals = make([]gbx.Int3, 1) },
	"item_broken_mesh":    func(p *parts) { p.visuals[0].indices.IndexDeltas = []int16{0, 1, 2} },
	"item_unused_part":    func(p *parts) { p.visuals[1].indices.IndexDeltas = nil },
	"item_endless_group": func(p *parts) {
		p.crystal = true
		p.layers.Layers.List[0].Geometry.Crystal.Groups[1].ParentIndex = 1
	},
	"item_lightmap_overlap": func(p *parts) { p.crystal, p.faces = true, 20 },
	"item_many_textures":    func(p *parts) { p.material[0].Csts = make([]plug.CPlugMaterialUserInstCst, 9) },
	"item_texture_name":     func(p *parts) { p.material[0].UserTextures = textures(`Skins\a.dds`) },
	"item_same_names": func(p *parts) {
		p.material[1].MaterialName = p.material[0].MaterialName
		p.material[0].UserTextures, p.material[1].UserTextures = textures("a.dds"), textures("b.dds")
	},
	"item_material_model": func(p *parts) { p.material[0].Model = gbx.NewID("TDSNE") },
	"item_foreign_folder": func(p *parts) { p.material[0].LinkID = gbx.NewID(`Storm\Media\Material\Floor`) },
	"item_water_surface":  func(p *parts) { p.material[0].SurfacePhysicID = 13 },
	"item_solid_anyway":   func(p *parts) { p.shape = meshShape(28) },
	"item_surface_table":  func(p *parts) { p.shape.Surf.MeshSurf.Mesh.Triangles[0].U01 = 2 },
	"item_no_respawn":     func(p *parts) { p.prefab, p.checkpoint.NoRespawn = true, gbx.True },
}

func textures(name string) []plug.CPlugMaterialUserInstUserTexture {
	return []plug.CPlugMaterialUserInstUserTexture{{Texture: name}}
}

// Every rule finds the item that breaks it, and nothing else does.
func TestItemRules(t *testing.T) {
	for name, change := range map[string]func(*parts){
		"static": func(*parts) {}, "prefab": func(p *parts) { p.prefab = true }, "crystal": func(p *parts) { p.crystal = true },
	} {
		p := good()
		change(p)
		if found := lint.Item(p.model(t), "Stadium2020"); len(found) > 0 {
			t.Errorf("a good item, %s: %v", name, found)
		}
	}
	for _, r := range lint.Rules() {
		if !r.OfItems() || r.Name == "item_texture_form" { // about files beside the item
			continue
		}
		change := broken[r.Name]
		if change == nil {
			t.Errorf("no item breaks %s", r.Name)
			continue
		}
		p := good()
		change(p)
		found := lint.Item(p.model(t), "Stadium2020")
		if !slices.ContainsFunc(found, func(f finding.Finding) bool { return f.Rule == r.Name && f.Severity == r.Severity }) {
			t.Errorf("%s: found = %v; want a finding of this rule, of its severity", r.Name, found)
		}
	}
}

// The constraints between moving parts must be consistent with the parts.
func TestMovingParts(t *testing.T) {
	for name, change := range map[string]func(*parts){
		"no shape":  func(p *parts) { p.moving.DynaShape = gbx.Ref{}; p.more = []classid.ID{0x09144000} },
		"two binds": func(p *parts) { p.twoBinds = true },
	} {
		p := good()
		p.prefab = true
		change(p)
		m := p.model(t)
		if name == "no shape" {
			p.moving.DynaShape = gbx.Ref{}
		}
		if found := lint.Item(m, ""); len(found) != 1 || found[0].Rule != "item_moving_part" {
			t.Errorf(`%s: found = %v; want found of length 1, found[0].Rule = "item_moving_part"`, name, found)
		}
	}
}

// Materials of the Stadium are removed on a vista.
func TestVista(t *testing.T) {
	if found := lint.Item(good().model(t), "BlueBay"); len(found) != 2 || found[0].Rule != "item_foreign_folder" {
		t.Errorf(`found = %v; want found of length 2, found[0].Rule = "item_foreign_folder"`, found)
	}
}

// The rules ignore items of ManiaPlanet.
func TestOtherGames(t *testing.T) {
	p := good()
	p.item.Version, p.material[0].SurfacePhysicID = 12, 13
	if found := lint.Item(p.model(t), ""); len(found) > 0 {
		t.Errorf("found = %v; want len(found) at most 0", found)
	}
}

// dds is a texture of 4 by 4 pixels with some levels.
func dds(fourCC string, levels uint32) []byte {
	b := make([]byte, 128+256)
	copy(b, "DDS ")
	put := func(offset int, v uint32) { binary.LittleEndian.PutUint32(b[offset:], v) }
	put(4, 124)
	put(8, 0x1007|0x20000)
	put(12, 4)
	put(16, 4)
	put(28, levels)
	put(76, 32)
	put(80, 4)
	copy(b[84:], fourCC)
	if fourCC == "" { // blue, green, red, alpha
		put(80, 0x41)
		put(88, 32)
		put(92, 0xFF0000)
		put(96, 0xFF00)
		put(100, 0xFF)
		put(104, 0xFF000000)
	}
	put(108, 0x1000|0x400008)
	return b
}

func TestTexture(t *testing.T) {
	for name, test := range map[string]struct {
		data []byte
		want []string
	}{
		"good": {dds("DXT1", 3), nil}, "no mipmaps": {dds("DXT5", 1), []string{"item_texture_form"}}, "plain": {dds("", 3), []string{"item_texture_form"}},
		"no picture": {[]byte("DDS "), []string{"item_texture_form"}},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := maps.New(maps.Options{Game: nadeo.Trackmania2020, UID: "SampleUID_00000000000000001"})
			if err != nil {
				t.Fatal(err)
			}
			var packed bytes.Buffer
			z := zip.NewWriter(&packed)
			w, err := z.Create("Items/a.dds")
			if err == nil {
				_, err = w.Write(test.data)
			}
			if err == nil {
				err = z.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
			c, ok := gbx.Find[*game.Chunk03043054](m.File.Body)
			if !ok {
				t.Fatal("the map has no place for embedded files")
			}
			c.EmbeddedZip = packed.Bytes()
			var got []string
			for _, f := range lint.Map(m, 0) {
				if strings.HasPrefix(f.Rule, "item_") {
					got = append(got, f.Rule)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%s: %v, want %v", name, got, test.want)
			}
		})
	}
}
