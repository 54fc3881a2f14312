// Package lint holds items of Trackmania (2020) against what the game is known to
// drop without a word, to draw wrongly, or to crash on.
//
// No game was at hand. The rules are those that other people found, and each says
// how it is known.
package lint

import "pakbox/finding"

// Confidence is how a rule is known.
type Confidence string

// The ways in which rules are known, the surest first.
const (
	Tested      Confidence = "somebody loaded such a file in the game and looked"
	Transcribed Confidence = "somebody read it out of the program"
	OneSource   Confidence = "one source says so"
)

// Rule is a kind of finding about items.
type Rule struct {
	ID         string // of the list of rules that the project follows
	Name       string
	Severity   finding.Severity
	Confidence Confidence
	Means      string
	Mend       string
}

const (
	exportAgain = "Export the mesh again, or make the item with 'pakbox item create'."
	inModeler   = "Open the item in the game's mesh modeler and save it."
)

// The rules. An error keeps the item or the map from loading; a warning is about a
// part that the game leaves out or draws wrongly.
var (
	prefabInside = Rule{"I01", "item_prefab_inside", finding.Warning, Tested,
		"The item holds a prefab inside the entity of a static object. The game leaves the item out.", "Refer to the prefab directly."}
	emptyCollision = Rule{"I02", "item_empty_collision", finding.Warning, Tested,
		"A collision shape has no triangles. The game leaves the item out, and its editor drops it when the map is saved.", "Give the shape faces, or leave the shape out."}
	compoundTrigger = Rule{"I03", "item_compound_trigger", finding.Warning, Tested,
		"The trigger of the item is not a plain mesh of triangles. The game leaves it out.", "Make the trigger from a mesh."}
	idleTrigger = Rule{"I04", "item_idle_trigger", finding.Warning, Tested,
		"The item has a trigger but is no waypoint. The trigger does nothing: gates with effects need a prefab with a trigger of their own kind.", "Make the item a waypoint, or take the trigger out."}
	movingPart = Rule{"I05", "item_moving_part", finding.Error, Tested,
		"A moving part has no shape of its own, or what binds moving parts does not fit them. The game crashes.", "Give each moving part a dynamic shape and one constraint that names it."}
	effectSystem = Rule{"I06", "item_effect_system", finding.Note, Tested,
		"The item has a system of effects. Emitters with a model make the whole item vanish; emitters without one, or with a texture inside the file, make the game crash. pakbox does not look into the system.", "Load the item in the game before you share it."}
	editorHelper = Rule{"I07", "item_editor_helper", finding.Error, Tested,
		"The item holds a shape that only the game's own editor may show. The game crashes.", "Take the node of class 0917B000 out of the prefab."}
	userLight = Rule{"I08", "item_user_light", finding.Warning, Tested,
		"The mesh has lights by model and instance. Items of the importer of 2021 have such lights and are played, but a newer form of mesh with them made the game crash.", "Load the item in the game before you share it."}
	detailLevels = Rule{"I09", "item_detail_levels", finding.Error, Tested,
		"The mesh has more than four levels of detail. The game crashes.", "Export at most four levels."}
	detailOrder = Rule{"I09", "item_detail_order", finding.Warning, Tested,
		"The distances of the levels of detail do not rise, or a level is empty before one that is not. The item blinks.", exportAgain}
	mixedVertices = Rule{"I10", "item_mixed_vertices", finding.Error, Tested,
		"Parts with one material have different kinds of vertices. The game joins them as if all were like the first, and crashes.", exportAgain}
	plainVertices = Rule{"I11", "item_plain_vertices", finding.Error, Tested,
		"Faces of PlatformTech have no tangents. The game crashes.", exportAgain}
	noLightmap = Rule{"I12", "item_no_lightmap", finding.Warning, Tested,
		"Faces have no second set of texture coordinates, which their material needs for the lightmap. The game does not draw them.", "Give the mesh a UV layer Lightmap."}
	unsortedParts = Rule{"I13", "item_unsorted_parts", finding.Warning, Tested,
		"The parts of the mesh are not in the order of levels and materials. The game crashed on such a file once.", exportAgain}
	subVisuals = Rule{"I14", "item_sub_visuals", finding.Error, Tested,
		"A part of the mesh is divided once more (chunk 09006005). The game crashes.", exportAgain}
	brokenMesh = Rule{"I15", "item_broken_mesh", finding.Error, OneSource,
		"The numbers of a mesh do not fit together: triangles without vertices, or lists of different lengths.", exportAgain}
	unusedPart = Rule{"I15", "item_unused_part", finding.Warning, OneSource,
		"The mesh has a part without triangles, a material that nothing uses, or the same material twice.", exportAgain}
	endlessGroup = Rule{"I16", "item_endless_group", finding.Error, Tested,
		"A group of the mesh is below itself. The game loads without end.", inModeler}
	lightmapOverlap = Rule{"I17", "item_lightmap_overlap", finding.Warning, Tested,
		"Many faces share one place in the lightmap, more than in any real item at hand. The game may draw a translucent box.", inModeler}
	manyTextures = Rule{"I18", "item_many_textures", finding.Warning, Transcribed,
		"A material has more than eight textures or more than eight constants. The game drops all of them.", "Use at most eight."}
	textureName = Rule{"I19", "item_texture_name", finding.Warning, Tested,
		"A material names a texture that is no .dds file beside the item. The game draws a checkerboard.", "Name a .dds file without a folder, and put it beside the item."}
	textureForm = Rule{"I20", "item_texture_form", finding.Warning, Tested,
		"A .dds file beside the item is not compressed in blocks, or has no smaller pictures (mipmaps). The game draws a checkerboard.", "Save it as BC1 or BC3 with mipmaps."}
	sameNames = Rule{"I21", "item_same_names", finding.Error, Tested,
		"Custom materials of one name differ. With many of them the game crashes.", "Give each material a name of its own."}
	materialModel = Rule{"I22", "item_material_model", finding.Warning, Tested,
		"The model of a material is not for items. The game draws it red or black.", "Use TDSN, TDOSN or TDSNI."}
	foreignFolder = Rule{"I23", "item_foreign_folder", finding.Warning, Transcribed,
		"A material is in a folder that the collection of the map does not have. The game removes the faces and notes \"unknown collection folder\".", "Use materials of the map's collection, or of Editors or Effects."}
	waterSurface = Rule{"I24", "item_water_surface", finding.Warning, Tested,
		"A surface is water. Cars fall through: water is a volume that only blocks have.", "Choose another surface: 'pakbox item materials' lists them."}
	solidAnyway = Rule{"I25", "item_solid_anyway", finding.Warning, Tested,
		"A collision shape has the surface NotCollidable. In a shape it is solid all the same.", "Leave these triangles out of the shape."}
	surfaceTable = Rule{"I26", "item_surface_table", finding.Note, Tested,
		"A triangle of a collision shape names another surface than the table of the shape. The game believes the table.", ""}
	fixedScale = Rule{"I27", "item_fixed_scale", finding.Note, Tested,
		"An item that is no crystal is placed with a scale. The game ignores the scale.", "Scale the mesh, and make the item again."}
	noRespawn = Rule{"I28", "item_no_respawn", finding.Warning, Tested,
		"The waypoint says that nobody may respawn there. Only blocks can say so; on an item it does nothing.", ""}
)

// Rules lists all rules.
func Rules() []Rule {
	return []Rule{
		prefabInside, emptyCollision, compoundTrigger, idleTrigger, movingPart, effectSystem, editorHelper, userLight, detailLevels,
		detailOrder, mixedVertices, plainVertices, noLightmap, unsortedParts, subVisuals, brokenMesh, unusedPart, endlessGroup,
		lightmapOverlap, manyTextures, textureName, textureForm, sameNames, materialModel, foreignFolder, waterSurface, solidAnyway,
		surfaceTable, fixedScale, noRespawn,
	}
}
