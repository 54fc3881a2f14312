package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/nadeo/lint"
)

// findingLines formats findings, one on each line.
func findingLines(list []finding.Finding) string {
	var b strings.Builder
	for _, f := range list {
		fmt.Fprintf(&b, "%s %s", f.Severity, f.Rule)
		for _, at := range []string{f.Entry, f.Field} {
			if at != "" {
				fmt.Fprintf(&b, " [%s]", at)
			}
		}
		fmt.Fprintf(&b, ": %s\n", f.Message)
	}
	return b.String()
}

// geoms gives a mesh other parts: visual, material, levels each.
func geoms(list ...[3]uint32) func(p *parts) {
	return func(p *parts) {
		p.solid.ShadedGeoms = nil
		for _, g := range list {
			p.solid.ShadedGeoms = append(p.solid.ShadedGeoms, plug.CPlugSolid2ModelShadedGeom{VisualIndex: g[0], MaterialIndex: g[1], LodMask: g[2]})
		}
	}
}

// edges are items at the edge of a rule, with the expected findings.
var edges = []struct {
	name   string
	change func(p *parts)
	want   string
}{
	{"version 12", func(p *parts) { p.item.Version = 12; p.solid.LodDistances = []float32{2, 1} }, ""},
	{"version 13", func(p *parts) { p.item.Version = 13; p.solid.LodDistances = []float32{2, 1} }, "warning item_detail_order [mesh]: LOD distances must ascend, but are [2 1]\n"},
	{"four levels", func(p *parts) { p.solid.LodDistances = []float32{1, 2, 3} }, ""},
	{"five levels", func(p *parts) { p.solid.LodDistances = []float32{1, 2, 3, 4} }, "error item_detail_levels [mesh]: the mesh has 5 levels of detail; the game supports 4\n"},
	{"equal levels", func(p *parts) { p.solid.LodDistances = []float32{2, 2} }, ""},
	{"lights that are played", func(p *parts) {
		p.solid.Version, p.solid.LightUserModels, p.solid.LightInsts = 29, make([]gbx.Ref, 1), make([]plug.CPlugSolid2ModelLightInst, 1)
	}, ""},
	{"lights that are not", func(p *parts) {
		p.solid.Version, p.solid.LightUserModels, p.solid.LightInsts = 30, make([]gbx.Ref, 1), make([]plug.CPlugSolid2ModelLightInst, 2)
	}, "warning item_user_light [mesh]: 2 lights by model\n"},
	{"models without lights", func(p *parts) { p.solid.LightUserModels = make([]gbx.Ref, 1) }, ""},
	{"lights without models", func(p *parts) { p.solid.LightInsts = make([]plug.CPlugSolid2ModelLightInst, 1) }, ""},
	{"one level", geoms([3]uint32{0, 0, 1}, [3]uint32{1, 1, 1}), ""},
	{"no first level", geoms([3]uint32{0, 0, 2}, [3]uint32{1, 1, 2}), "warning item_detail_order [mesh]: level 0 has no faces, level 1 has some\n"},
	{"no second level", geoms([3]uint32{0, 0, 1}, [3]uint32{1, 1, 4}), "warning item_detail_order [mesh]: level 1 has no faces, level 2 has some\n"},
	{"by level", geoms([3]uint32{0, 0, 1}, [3]uint32{1, 1, 1}, [3]uint32{0, 0, 2}, [3]uint32{1, 1, 2}), ""},
	{"by material", geoms([3]uint32{0, 0, 1}, [3]uint32{0, 0, 2}, [3]uint32{1, 1, 1}, [3]uint32{1, 1, 2}), ""},
	{"twice the same", geoms([3]uint32{0, 0, 1}, [3]uint32{0, 0, 1}, [3]uint32{1, 1, 1}), ""},
	{"in no order", geoms([3]uint32{0, 0, 2}, [3]uint32{1, 1, 1}, [3]uint32{0, 0, 1}), "warning item_unsorted_parts [mesh]: the 3 parts are in no order\n"},
	{"no visual", geoms([3]uint32{0, 0, 1}, [3]uint32{1, 1, 1}, [3]uint32{2, 1, 1}), "error item_broken_mesh [mesh]: part 2 has visual 2 of 2\n"},
	{"no material", geoms([3]uint32{0, 0, 1}, [3]uint32{1, 1, 1}, [3]uint32{1, 2, 1}), "error item_broken_mesh [mesh]: part 2 has material 2 of 2\n"},
	{"unused", geoms([3]uint32{0, 0, 1}, [3]uint32{1, 0, 1}), "warning item_unused_part [mesh]: material 1 is unused\n"},
	{"two corners", func(p *parts) { p.visuals[0].indices.IndexDeltas = []int16{0, 1} }, "error item_broken_mesh [visual 0]: triangles with 2 corners\n"},
	{"a vertex too far", func(p *parts) { p.visuals[1].indices.IndexDeltas = []int16{0, 1, 2} }, "error item_broken_mesh [visual 1]: a triangle has vertex 3 of 3\n"},
	{"another stream", func(p *parts) { p.visuals[0].stream.Count = 4 }, "error item_broken_mesh [visual 0]: 4 vertices in the stream, 3 in the visual\n"},
	{"no triangles", func(p *parts) { p.visuals[0].indices.IndexDeltas = nil }, "warning item_unused_part [visual 0]: the part has no triangles\n"},
	{"no vertices", func(p *parts) { p.visuals[0].head.VertexCount, p.visuals[0].stream.Count = 0, 0 }, "warning item_unused_part [visual 0]: the part has no triangles\nerror item_broken_mesh [visual 0]: a triangle has vertex 0 of 0\n"},
	{"parts of parts", func(p *parts) { p.visuals[1].sub.SubVisuals = make([]gbx.Int3, 2) }, "error item_sub_visuals [visual 1]: the visual has 2 sub-visuals; the game supports none\n"},
	{"no declarations", func(p *parts) {
		p.visuals[0].stream.VertexData, p.visuals[1].stream.VertexData = plug.VertexData{}, plug.VertexData{}
	}, ""},
	{"road without tangents", func(p *parts) { p.visuals[1].stream.VertexData = declared(0, 5, 10, 11) }, ""},
	{"platform without tangents", func(p *parts) { p.visuals[0].stream.VertexData = declared(0, 5, 10, 11) }, "error item_plain_vertices [visual 0]: vertices of Stadium\\Media\\Material\\PlatformTech without tangents\n"},
	{"one layer", func(p *parts) { p.visuals[1].stream.VertexData = declared(0, 5, 17, 18) }, "warning item_no_lightmap [visual 1]: RoadTech needs the layers BaseMaterial and Lightmap; there is 1\n"},
	{"no layer", func(p *parts) { p.visuals[1].stream.VertexData = declared(0, 5, 9, 18) }, "warning item_no_lightmap [visual 1]: RoadTech needs the layers BaseMaterial and Lightmap; there is 0\n"},
	{"two kinds", func(p *parts) {
		geoms([3]uint32{0, 0, 1}, [3]uint32{1, 0, 1}, [3]uint32{1, 1, 1})(p)
		p.visuals[1].stream.VertexData = declared(0, 5, 10, 11, 18)
	}, "error item_mixed_vertices [visual 1]: material 0 has vertices of two kinds\n"},
	{"eight textures", func(p *parts) {
		p.material[0].UserTextures, p.material[0].Csts = slices.Repeat(textures("a.DDS"), 8), make([]plug.CPlugMaterialUserInstCst, 8)
	}, ""},
	{"nine textures", func(p *parts) { p.material[0].UserTextures = slices.Repeat(textures("a.dds"), 9) }, "warning item_many_textures [material MA]: 9 textures and 0 constants\n"},
	{"a picture", func(p *parts) { p.material[1].UserTextures = textures("a.png") }, "warning item_texture_name [material MB]: the texture is \"a.png\"\n"},
	{"a drive", func(p *parts) { p.material[1].UserTextures = textures("c:a.dds") }, "warning item_texture_name [material MB]: the texture is \"c:a.dds\"\n"},
	{"one side", func(p *parts) { p.material[0].Model = gbx.NewID("TDSN") }, ""},
	{"two sides", func(p *parts) { p.material[0].Model = gbx.NewID("TDSN2Sided_x") }, "warning item_material_model [material MA]: the model is TDSN2Sided_x\n"},
	{"glow", func(p *parts) { p.material[0].Model = gbx.NewID("TDEM") }, "warning item_material_model [material MA]: the model is TDEM\n"},
	{"no name", func(p *parts) { p.material[0].MaterialName, p.material[0].SurfacePhysicID = gbx.NoID, 13 }, "warning item_water_surface [material PlatformTech]: the surface is Water\n"},
	{"the same twice", func(p *parts) { p.material[1] = p.material[0] }, "warning item_unused_part [mesh]: material 1 duplicates an earlier one\n"},
	{"alike names", func(p *parts) {
		p.material[1].MaterialName = p.material[0].MaterialName
		p.material[0].UserTextures, p.material[1].UserTextures = textures("a.dds"), textures("a.dds")
	}, ""},
	{"other names", func(p *parts) {
		p.material[0].UserTextures, p.material[1].UserTextures = textures("a.dds"), textures("b.dds")
	}, ""},
	{"other effects", func(p *parts) {
		p.material[1].MaterialName = p.material[0].MaterialName
		p.material[0].UserTextures, p.material[1].UserTextures = textures("a.dds"), append(textures("a.dds"), textures("b.dds")...)
	}, "error item_same_names [material MA]: materials of this name have different textures\n"},
	{"links", func(p *parts) { p.material[0].Link = "Storm/Media/Floor" }, "warning item_foreign_folder [material MA]: the material is in the folder Storm, the item is for Stadium2020\n"},
	{"a link for all", func(p *parts) { p.material[0].Link = `editors\Media\Floor` }, ""},
	{"a ball", func(p *parts) { p.shape.Surf.Type, p.shape.Surf.MeshSurf = plug.CPlugSurfaceSurfTypeSphere, nil }, ""},
	{"cooked triangles", func(p *parts) {
		m := &p.shape.Surf.MeshSurf.Mesh
		m.Triangles, m.CookedTriangles = nil, append(m.CookedTriangles, plug.CPlugSurfaceCookedTriangle{})
	}, ""},
	{"water", func(p *parts) { p.shape = meshShape(0x100 | 13) }, "warning item_water_surface [collision]: a surface of the collision shape is Water\n"},
	{"no collision", func(p *parts) { p.shape = meshShape(28) }, "warning item_solid_anyway [collision]: a surface of the collision shape is NotCollidable\n"},
	{"a table of its own", func(p *parts) { p.shape.SurfaceIDs = []uint16{28} }, "warning item_solid_anyway [collision]: a surface of the collision shape is NotCollidable\nnote item_surface_table [collision]: triangle 0 has Asphalt, but the table has NotCollidable\n"},
	{"surface 0", func(p *parts) { p.shape.Surf.MeshSurf.Mesh.Triangles[0].U01 = 0 }, ""},
	{"surface of no table", func(p *parts) { p.shape.Surf.MeshSurf.Mesh.Triangles[0].U01 = 1<<16 | 2 }, ""},
	{"surface of an effect", func(p *parts) { p.shape.Materials[0].SurfaceID = 0x300 | 16 }, ""},
	{"another surface", func(p *parts) { p.shape.Surf.MeshSurf.Mesh.Triangles[0].U01 = 2 }, "note item_surface_table [collision]: triangle 0 has Grass, but the table has Asphalt\n"},
	{"idle", func(p *parts) { p.waypoint.WaypointType = gamedata.CGameItemModelWaypointTypeNone }, "warning item_idle_trigger [trigger]: the item has a trigger and is not a waypoint\n"},
	{"binds what stands", func(p *parts) { p.prefab, p.constraint.Ent1, p.constraint.Ent2 = true, 0, 2 }, "error item_moving_part [prefab]: constraint 1 binds part 2, which does not move\n"},
	{"binds nothing", func(p *parts) { p.prefab, p.constraint.Ent1, p.constraint.Ent2 = true, -1, -1 }, ""},
	{"binds twice", func(p *parts) { p.prefab, p.twoBinds = true, true }, "error item_moving_part [prefab]: 2 constraints for 1 moving parts\n"},
	{"helpers", func(p *parts) { p.prefab, p.more = true, []classid.ID{0x0915C000, 0x0917B000, 0x0915C000} }, "note item_effect_system [prefab]: the item has a system of effects\nerror item_editor_helper [prefab]: the item has a helper of the game's editor\n"},
	{"a group below itself", func(p *parts) {
		p.crystal = true
		p.layers.Layers.List[0].Geometry.Crystal.Groups[1].ParentIndex = 1
		p.layers.Layers.List[0].Geometry.Crystal.Groups[1].Name = "part"
	}, "error item_endless_group [layer Geometry]: group 1, \"part\", is below itself\n"},
	{"eight on one place", func(p *parts) { p.crystal, p.faces = true, 9 }, ""},
	{"ten on one place", func(p *parts) { p.crystal, p.faces = true, 11 }, "warning item_lightmap_overlap [layer Geometry]: a place of the lightmap belongs to 5 faces on average\n"},
	{"many on one place", func(p *parts) { p.crystal, p.faces = true, 20 }, "warning item_lightmap_overlap [layer Geometry]: a place of the lightmap belongs to 10 faces on average\n"},
}

// Findings of items at the edges of rules name the part of the item and the figures.
func TestItemEdges(t *testing.T) {
	for _, e := range edges {
		p := good()
		e.change(p)
		if got := findingLines(lint.Item(p.model(t), "Stadium2020")); got != e.want {
			t.Errorf("%s:\n%swant\n%s", e.name, got, e.want)
		}
	}
}

// Materials are equal only if all that a game sees of them is.
func TestEqualMaterials(t *testing.T) {
	for name, change := range map[string]func(m *plug.Chunk090FD000){
		"name": func(m *plug.Chunk090FD000) { m.MaterialName = gbx.NewID("x") }, "link": func(m *plug.Chunk090FD000) { m.Link = `Stadium\Media\Material\PlatformTech` },
		"link's ID": func(m *plug.Chunk090FD000) { m.LinkID = gbx.NewID("RoadTech") }, "model": func(m *plug.Chunk090FD000) { m.Model = gbx.NewID("TDSN") },
		"surface": func(m *plug.Chunk090FD000) { m.SurfacePhysicID = 2 }, "effect": func(m *plug.Chunk090FD000) { m.SurfaceGameplayID = 2 },
		"textures": func(m *plug.Chunk090FD000) { m.UserTextures = textures("a.dds") }, "colour": func(m *plug.Chunk090FD000) { m.Color = append(m.Color, 1) },
	} {
		p := good()
		p.material[1] = p.material[0]
		change(&p.material[1])
		if got := findingLines(lint.Item(p.model(t), "Stadium2020")); strings.Contains(got, "duplicates") {
			t.Errorf("another %s: %s", name, got)
		}
	}
}

// Which folders of materials an item may use follows from its collection.
func TestFoldersOfMaterials(t *testing.T) {
	for test, want := range map[string]bool{
		"Stadium2020 Stadium": true, "Stadium2020 stadium256": true, "Stadium Stadium4": true, "Stadium256 Stadium": true, "Stadium4 Stadium": true, "Stadium Canyon": false,
		"BlueBay Stadium": false, "GreenCoast Stadium": false, "RedIsland Stadium": false, "WhiteShore Stadium": false, "BlueBay Test": true, "RedIsland EFFECTS": true, "WhiteShore Editors": true,
		"Canyon Stadium": true, "Valley Canyon": true,
	} {
		collection, folder, _ := strings.Cut(test, " ")
		p := good()
		for i := range p.material {
			p.material[i].Link = folder + `\Media\Material\x` + fmt.Sprint(i)
		}
		got := findingLines(lint.Item(p.model(t), collection))
		if want != !strings.Contains(got, "item_foreign_folder") || !want && strings.Count(got, "the material is in the folder "+folder+", the item is for "+collection) != 2 {
			t.Errorf("%s: got = %s", test, got)
		}
	}
}
