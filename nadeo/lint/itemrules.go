package lint

import "pakbox/finding"

const (
	exportAgain = "Export the mesh again, or make the item from it anew."
	inModeler   = "Open the item in the game's mesh modeler and save it."
)

// The rules about items of Trackmania (2020). An error prevents the item or the map from
// loading. A warning is about a part that the game drops or draws wrongly.
var (
	prefabInside = Rule{Name: "item_prefab_inside", Fact: "I01", Severity: finding.Warning, Evidence: Tested,
		Means: "The item holds a prefab inside the entity of a static object. The game leaves the item out.",
		Mend:  "Refer to the prefab directly."}
	emptyCollision = Rule{Name: "item_empty_collision", Fact: "I02", Severity: finding.Warning, Evidence: Tested,
		Means: "A collision shape has no triangles. The game leaves the item out, and its editor drops it when the map is saved.",
		Mend:  "Give the shape faces, or leave the shape out."}
	compoundTrigger = Rule{Name: "item_compound_trigger", Fact: "I03", Severity: finding.Warning, Evidence: Tested,
		Means: "The trigger of the item is not a plain mesh of triangles. The game leaves it out.",
		Mend:  "Make the trigger from a mesh."}
	idleTrigger = Rule{Name: "item_idle_trigger", Fact: "I04", Severity: finding.Warning, Evidence: Tested,
		Means: "The item has a trigger but is not a waypoint. The trigger does nothing: gates with effects need a prefab with a trigger of their own kind.",
		Mend:  "Make the item a waypoint, or take the trigger out."}
	movingPart = Rule{Name: "item_moving_part", Fact: "I05", Severity: finding.Error, Evidence: Tested,
		Means: "A moving part has no shape of its own, or what binds moving parts does not fit them. The game crashes.",
		Mend:  "Give each moving part a dynamic shape and one constraint that names it."}
	effectSystem = Rule{Name: "item_effect_system", Fact: "I06", Severity: finding.Note, Evidence: Tested,
		Means: "The item has a system of effects. Emitters with a model make the whole item vanish; emitters without one, or with a texture inside the file, make the game crash. pakbox does not look into the system.",
		Mend:  "Load the item in the game before you share it."}
	editorHelper = Rule{Name: "item_editor_helper", Fact: "I07", Severity: finding.Error, Evidence: Tested,
		Means: "The item holds a shape that only the game's own editor may show. The game crashes.",
		Mend:  "Take the node of class 0917B000 out of the prefab."}
	userLight = Rule{Name: "item_user_light", Fact: "I08", Severity: finding.Warning, Evidence: Tested,
		Means: "The mesh has lights by model and instance. Items of the importer of 2021 have such lights and are played, but a newer form of mesh with them made the game crash.",
		Mend:  "Load the item in the game before you share it."}
	detailLevels = Rule{Name: "item_detail_levels", Fact: "I09", Severity: finding.Error, Evidence: Tested,
		Means: "The mesh has more than four levels of detail. The game crashes.",
		Mend:  "Export at most four levels."}
	detailOrder = Rule{Name: "item_detail_order", Fact: "I09", Severity: finding.Warning, Evidence: Tested,
		Means: "The distances of the levels of detail do not rise, or a level is empty before one that is not. The item blinks.",
		Mend:  exportAgain}
	mixedVertices = Rule{Name: "item_mixed_vertices", Fact: "I10", Severity: finding.Error, Evidence: Tested,
		Means: "Parts with one material have different kinds of vertices. The game joins them as if all were like the first, and crashes.",
		Mend:  exportAgain}
	plainVertices = Rule{Name: "item_plain_vertices", Fact: "I11", Severity: finding.Error, Evidence: Tested,
		Means: "Faces of PlatformTech have no tangents. The game crashes.",
		Mend:  exportAgain}
	noLightmap = Rule{Name: "item_no_lightmap", Fact: "I12", Severity: finding.Warning, Evidence: Tested,
		Means: "Faces have no second set of texture coordinates, which their material needs for the lightmap. The game does not draw them.",
		Mend:  "Give the mesh a UV layer Lightmap."}
	unsortedParts = Rule{Name: "item_unsorted_parts", Fact: "I13", Severity: finding.Warning, Evidence: Tested,
		Means: "The parts of the mesh are not in the order of levels and materials. The game crashed on such a file once.",
		Mend:  exportAgain}
	subVisuals = Rule{Name: "item_sub_visuals", Fact: "I14", Severity: finding.Error, Evidence: Tested,
		Means: "A part of the mesh is divided once more (chunk 09006005). The game crashes.",
		Mend:  exportAgain}
	brokenMesh = Rule{Name: "item_broken_mesh", Fact: "I15", Severity: finding.Error, Evidence: Guess,
		Means: "The numbers of a mesh do not fit together: triangles without vertices, or lists of different lengths.",
		Mend:  exportAgain}
	unusedPart = Rule{Name: "item_unused_part", Fact: "I15", Severity: finding.Warning, Evidence: Guess,
		Means: "The mesh has a part without triangles, a material that nothing uses, or the same material twice.",
		Mend:  exportAgain}
	endlessGroup = Rule{Name: "item_endless_group", Fact: "I16", Severity: finding.Error, Evidence: Tested,
		Means: "A group of the mesh is below itself. The game loads without end.",
		Mend:  inModeler}
	lightmapOverlap = Rule{Name: "item_lightmap_overlap", Fact: "I17", Severity: finding.Warning, Evidence: Tested,
		Means: "Many faces share one place in the lightmap, more than in any real item at hand. The game may draw a translucent box.",
		Mend:  inModeler}
	manyTextures = Rule{Name: "item_many_textures", Fact: "I18", Severity: finding.Warning, Evidence: Transcribed,
		Means: "A material has more than eight textures or more than eight constants. The game drops all of them.",
		Mend:  "Use at most eight."}
	textureName = Rule{Name: "item_texture_name", Fact: "I19", Severity: finding.Warning, Evidence: Tested,
		Means: "A material names a texture that is no .dds file beside the item. The game draws a checkerboard.",
		Mend:  "Name a .dds file without a folder, and put it beside the item."}
	textureForm = Rule{Name: "item_texture_form", Fact: "I20", Severity: finding.Warning, Evidence: Tested, check: textureForms,
		Means: "A .dds file beside the item is not compressed in blocks, or has no smaller pictures (mipmaps). The game draws a checkerboard.",
		Mend:  "Save it as BC1 or BC3 with mipmaps."}
	sameNames = Rule{Name: "item_same_names", Fact: "I21", Severity: finding.Error, Evidence: Tested,
		Means: "Custom materials of one name differ. With many of them the game crashes.",
		Mend:  "Give each material a name of its own."}
	materialModel = Rule{Name: "item_material_model", Fact: "I22", Severity: finding.Warning, Evidence: Tested,
		Means: "The model of a material is not for items. The game draws it red or black.",
		Mend:  "Use TDSN, TDOSN or TDSNI."}
	foreignFolder = Rule{Name: "item_foreign_folder", Fact: "I23", Severity: finding.Warning, Evidence: Transcribed,
		Means: "A material is in a folder that the collection of the map does not have. The game removes the faces and notes \"unknown collection folder\".",
		Mend:  "Use materials of the map's collection, or of Editors or Effects."}
	waterSurface = Rule{Name: "item_water_surface", Fact: "I24", Severity: finding.Warning, Evidence: Tested,
		Means: "A surface is water. Cars fall through: water is a volume that only blocks have.",
		Mend:  "Choose another surface of the game."}
	solidAnyway = Rule{Name: "item_solid_anyway", Fact: "I25", Severity: finding.Warning, Evidence: Tested,
		Means: "A collision shape has the surface NotCollidable. In a shape it is solid all the same.",
		Mend:  "Leave these triangles out of the shape."}
	surfaceTable = Rule{Name: "item_surface_table", Fact: "I26", Severity: finding.Note, Evidence: Tested,
		Means: "A triangle of a collision shape names another surface than the table of the shape. The game believes the table.",
		Mend:  "Keep it if the table has the surface that you want."}
	noRespawn = Rule{Name: "item_no_respawn", Fact: "I28", Severity: finding.Warning, Evidence: Tested,
		Means: "The waypoint forbids respawning. Only blocks can forbid it; on an item the setting has no effect.",
		Mend:  "Take the flag out, or make a custom block."}
)

var itemRules = []Rule{
	prefabInside, emptyCollision, compoundTrigger, idleTrigger, movingPart, effectSystem, editorHelper, userLight, detailLevels,
	detailOrder, mixedVertices, plainVertices, noLightmap, unsortedParts, subVisuals, brokenMesh, unusedPart, endlessGroup,
	lightmapOverlap, manyTextures, textureName, textureForm, sameNames, materialModel, foreignFolder, waterSurface, solidAnyway,
	surfaceTable, noRespawn,
}
