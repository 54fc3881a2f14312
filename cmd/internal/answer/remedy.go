package answer

// remedies are the commands that repair what the rules of package lint find. The library
// states the remedy without them.
var remedies = map[string]string{
	"empty_without_light":   "Place a block, or make the map with 'pakbox map create'.",
	"free_block_cell":       "Move the block with 'pakbox map edit' or 'pakbox map blocks --set'.",
	"missing_embed":         "Embed it: pakbox map items MAP --add FILE; or open and save the map in the editor of the game.",
	"unsafe_path":           "Take it out: pakbox map items MAP --remove NAME.",
	"absolute_embed":        embedAnew,
	"embed_twice":           embedAnew,
	"embed_ident":           embedAnew,
	"block_as_item":         embedAnew,
	"uid_twice":             "Give one of them a new UID: pakbox map uid MAP --new.",
	"medal_order":           "Set the times: pakbox map medals MAP --gold 0:41.000.",
	"uid_mismatch":          "Save the map in the editor of the game, or give it a new one: pakbox map uid MAP --new.",
	"uid_form":              "pakbox map uid MAP --new.",
	"validation":            "Drive the map in the editor, or take the mark off: pakbox map validation MAP --remove.",
	"times_differ":          "Set the time, which sets it everywhere: pakbox map medals MAP --gold 0:41.000.",
	"decoration":            "Make the map anew with a decoration that there is: 'pakbox map create --help' lists them.",
	"oversize":              "See what takes the bytes: pakbox map size MAP. Shadows come off with pakbox map lightmap MAP --strip.",
	"upload_size":           "See what takes the bytes: pakbox map size MAP.",
	"private_path":          "List and remove such paths: pakbox map scrub MAP -o COPY.",
	"item_detail_order":     exportAgain,
	"item_mixed_vertices":   exportAgain,
	"item_plain_vertices":   exportAgain,
	"item_unsorted_parts":   exportAgain,
	"item_sub_visuals":      exportAgain,
	"item_broken_mesh":      exportAgain,
	"item_unused_part":      exportAgain,
	"item_water_surface":    "Choose another surface: 'pakbox item materials' lists them.",
	"light_objects":         "Compute the shadows in the editor, or take them out: pakbox map lightmap MAP --strip.",
	"unknown_in_macroblock": "'pakbox block WORD' finds names.",
	"unknown_block":         "Replace it, with the step 'replace block=OLD with=NEW' of pakbox map edit. 'pakbox block WORD' finds names.",
	"foreign_block":         "Replace it, with the step 'replace block=OLD with=NEW' of pakbox map edit.",
	"unknown_item":          "Replace it, with the step 'replace item=OLD with=NEW' of pakbox map edit.",
	"waypoint_tag":          "Set the tag of the model, with the step 'waypoint block=NAME to=Checkpoint' of pakbox map edit.",
	"item_skin":             "Take the skin off, with the step 'skin item=NAME to=' of pakbox map edit.",
	"no_start":              "Place one, with the step 'place block=RoadTechStart at=20,9,20' of pakbox map edit.",
	"no_finish":             "Place one, with the step 'place block=RoadTechFinish at=20,9,30' of pakbox map edit.",
	"lonely_checkpoint":     "Look at it with 'pakbox map picture', and join it to the track.",
	"road_gap":              "Place the missing block, with the step 'place block=NAME at=X,Y,Z facing=WAY' of pakbox map edit.",
}

const (
	embedAnew   = "Take it out and embed it anew: pakbox map items MAP --remove NAME, then --add FILE."
	exportAgain = "Export the mesh again, or make the item with 'pakbox item create'."
)
