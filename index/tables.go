package index

import (
	"slices"
	"strings"

	"pakbox"
	"pakbox/archive"
	"pakbox/archive/folder"
	"pakbox/archive/imagefile"
	"pakbox/fact"
	"pakbox/nadeo/clips"
	"pakbox/nadeo/gbxarchive"
	place "pakbox/nadeo/maps/table"
	"pakbox/simutrans"
)

// tables are all tables. The columns of maps, runs, items, meshes, packs and Simutrans
// objects are the facts that their packages declare, and columns that only the index has.
var tables = [...]*Table{
	filesTable, mapsTable, mapBlocksTable, mapItemsTable, mapPlacesTable, embeddedTable, dependenciesTable, clipsTable, replaysTable, ghostsTable, checkpointsTable, inputsSummaryTable, checkVerdictsTable,
	itemsTable, meshesTable, packsTable, entriesTable, picturesTable, simObjectsTable, simVehiclesTable, simCouplingsTable, simFieldsTable, textsTable, findingsTable,
}

func init() {
	for i, t := range tables {
		t.number = i
	}
}

// subject finds a subject by its name.
func subject(subjects []*fact.Subject, name string) *fact.Subject {
	return subjects[slices.IndexFunc(subjects, func(s *fact.Subject) bool { return s.Name == name })]
}

func gbxFacts(name string) []Column { return factsOf(subject(gbxarchive.Format{}.Subjects(), name)) }

func simFacts(name string) []Column { return factsOf(subject(simutrans.Format{}.Subjects(), name)) }

// optional returns the columns, changed so that they may be null.
func optional(columns []Column) []Column {
	for i := range columns {
		columns[i].Null = true
	}
	return columns
}

// ownFacts declares columns for facts without further names for searching: these would
// take the words of more common facts. The columns in never are never null.
func ownFacts(facts []*fact.Fact, never ...string) (columns []Column) {
	for _, f := range facts {
		columns = append(columns, own(column(f, !slices.Contains(never, f.Name))))
	}
	return columns
}

// nano declares that a column holds nanoseconds.
func nano(c Column) Column {
	c.Nano = true
	return c
}

// packFacts declares the facts of all archive formats. Facts of the same name share a
// column.
func packFacts() (columns []Column) {
	for _, f := range pakbox.Formats() {
		switch f.(type) {
		case gbxarchive.Format, simutrans.Format:
			continue // these have tables of their own
		}
		if d, ok := f.(archive.Declarer); ok {
			for _, s := range d.Subjects() {
				columns = append(columns, optional(factsOf(s))...)
			}
		}
	}
	return columns
}

// formatNames lists the formats that a file can be of.
func formatNames() string {
	var names []string
	for _, f := range pakbox.Formats() {
		if _, ok := f.(folder.Format); !ok {
			names = append(names, f.Name())
		}
	}
	return strings.Join(names, ", ")
}

// Statuses of a file: how reading it ended.
const (
	StatusOK          = "ok"
	StatusPartial     = "partial"     // something in the file could not be read; the error is the first
	StatusUnknown     = "unknown"     // the file has no format that pakbox opens
	StatusDamaged     = "damaged"     // the file has a known format, and is damaged
	StatusUnsupported = "unsupported" // the file has a known format, and pakbox cannot read this variant
	StatusLocked      = "locked"      // a key or passphrase is missing
	StatusUnreadable  = "unreadable"  // the system denies reading the file
	StatusChanged     = "changed"     // the file changed while it was read
)

var filesTable = NewTable("files", "A row for each file. Files in archives have rows too if pakbox opens their format.", func() [][]Column {
	return [][]Column{{
		fileKey("key of the file, made of its path"),
		always("path", fact.Text, "path as given, with slashes; through archives if the file lies in one").raw().word("path", "path of the file, through archives"),
		refers(maybe("parent", fact.Count, "key of the archive, replay or map that the file lies in")),
		always("name", fact.Text, "last part of the path").raw().word("file", "name of the file").searched(fact.ByName),
		always("size", fact.Bytes, "size of the file").word("size", "size of the file").indexed(),
		nano(maybe("mtime_ns", fact.Moment, "time of the last change")).word("changed", "time of the last change of the file"),
		maybe("blake3", fact.Hash, "BLAKE3 of the content").indexed(),
		maybe("body_blake3", fact.Hash, "BLAKE3 of a GBX file's body, uncompressed").indexed(),
		maybe("kind", fact.Text, "map, replay, ghost, item, pack, object or picture").word("kind", "map, replay, ghost, item, pack, object or picture").indexed(),
		maybe("format", fact.Text, "name of the format").word("format", formatNames()),
		maybe("class_name", fact.ID, "name of a GBX file's class").word("class", "class of a GBX file, by name or number"),
		maybe("class", fact.ID, "number of a GBX file's class, eight digits").word("class", ""),
		maybe("game", fact.Text, "game that made the file, if known").word("game", "game that made the file"),
		always("status", fact.Text, "ok, partial (something in it could not be read), unknown (no format that pakbox opens), damaged, unsupported, locked (needs a key), unreadable, changed (while it was read)").
			word("status", "ok, partial, unknown, damaged, unsupported, locked, unreadable or changed"),
		maybe("error_kind", fact.Text, "kind of the error, as in the error of --json").word("error", "kind of the error"),
		maybe("error_message", fact.Text, "the error in one sentence"),
		maybe("error_entry", fact.Text, "entry that the error is about").raw(),
		maybe("error_offset", fact.Count, "offset in the file that the error is about"),
		always("schema_version", fact.Count, "version of the rows"),
	}}
})

var mapsTable = NewTable("maps", "A row for each map, with the facts of info --json.", func() [][]Column {
	return [][]Column{{fileKey("key of the file")}, gbxFacts("map"), {
		always("embedded_count", fact.Count, "number of files that the map embeds; their names are in embedded").word("embedded", "number of files that a map embeds"),
		maybe("layout_hash", fact.Hash, "hash of the blocks in any order: name, place, direction"),
		maybe("shifted_hash", fact.Hash, "the same hash, wherever on the ground the blocks stand").indexed(),
		minHashColumn,
	}}
})

// minHashColumn holds the MinHash of a map; see [layout].
var minHashColumn = func() Column {
	c := maybe("minhash", fact.Hash, "64 numbers of four bytes, little-endian: maps that share numbers share blocks")
	c.Size = 4 * minHashes
	return c
}()

var mapBlocksTable = NewTable("map_blocks", "How often each block stands on a map.", func() [][]Column {
	return [][]Column{{
		fileKey("key of the map"),
		always("kind", fact.Text, "block, or baked: a block that the game added"),
		always("name", fact.ID, "name of the block").word("block", "block that stands on a map").indexed(),
		always("count", fact.Count, "number of blocks of that name"),
	}}
})

var mapItemsTable = NewTable("map_items", "How often each item stands on a map.", func() [][]Column {
	return [][]Column{{
		fileKey("key of the map"),
		always("name", fact.ID, "name of the item").word("item", "item that stands on a map").indexed(),
		always("count", fact.Count, "number of items of that name"),
	}}
})

var mapPlacesTable = NewTable("map_places", "Where each block and item stands on a map, as map blocks lists them; only if asked for (--places).", func() [][]Column {
	return [][]Column{{
		fileKey("key of the map"),
		always("ordinal", fact.Count, "place in the list, from 0"),
	}, ownFacts(place.Columns[1:], "name", "kind")}
})

var embeddedTable = NewTable("embedded", "The files that a map embeds.", func() [][]Column {
	return [][]Column{{
		fileKey("key of the map"),
		always("ordinal", fact.Count, "place in the list, from 0"),
		always("name", fact.Text, "path in the map, such as Items/Tree.Item.Gbx").raw().word("holds", "file that an archive or a map holds").indexed(),
		always("size", fact.Bytes, "size that the list states"),
		always("stored_size", fact.Bytes, "compressed size"),
		maybe("blake3", fact.Hash, "BLAKE3 of the content; null where it cannot be unpacked").indexed(),
		maybe("model", fact.ID, "name by which the map uses the file"),
		always("listed", fact.Flag, "whether the file stands in the map's own list"),
		always("used", fact.Count, "number of blocks and items that use the file"),
	}}
})

var dependenciesTable = NewTable("dependencies", "Files outside that a file uses.", func() [][]Column {
	return [][]Column{{
		fileKey("key of the file"),
		always("ordinal", fact.Count, "place in the list, from 0"),
		always("kind", fact.Text, "mod, music, skin, foreground; listed for a file that only the header of a map lists; item for an item or block that a map uses and does not embed; reference for the files that a GBX header names"),
		always("path", fact.Text, "path as the file gives it").word("uses", "file outside that a file needs"),
		maybe("url", fact.Text, "address to download it"),
		maybe("uses", fact.Count, "number of times that a map uses it"),
	}}
})

var clipsTable = NewTable("clips", "The clips of the media tracker: of a map, a replay, or a file of its own.", func() [][]Column {
	return [][]Column{{
		fileKey("key of the file"),
		always("clip", fact.Count, "place in the file, from 0"),
		always("use", fact.Text, "use of the clip: intro, in game and others of a map, replay, or file").word("clip", "use of a clip: intro, in game, …"),
	}, ownFacts(clips.Facts.Subject.Columns(), "name", "length", "track_count", "block_count")}
})

var replaysTable = NewTable("replays", "A row for each replay, with the facts of info --json.", func() [][]Column {
	return [][]Column{{fileKey("key of the file")}, gbxFacts("replay"), {
		always("ghost_count", fact.Count, "number of runs in the replay"),
		refers(maybe("map_file", fact.Count, "key of the map inside the replay")),
	}}
})

var ghostsTable = NewTable("ghosts", "A row for each recorded run: in a ghost, in a replay, or the validation of a map.", func() [][]Column {
	return [][]Column{{
		fileKey("key of the file"),
		always("ghost", fact.Count, "place in the file, from 0"),
	}, gbxFacts("ghost")}
})

var checkpointsTable = NewTable("checkpoints", "The time of each run at each checkpoint; the last is the finish.", func() [][]Column {
	return [][]Column{{
		fileKey("key of the file"),
		always("ghost", fact.Count, "place of the run, as in ghosts"),
		always("checkpoint", fact.Count, "place of the checkpoint, from 0"),
		maybe("time", fact.Time, "time; null for a checkpoint that was not passed"),
	}}
})

var inputsSummaryTable = NewTable("inputs_summary", "The inputs of each run that recorded them, in numbers.", func() [][]Column {
	return [][]Column{{
		fileKey("key of the file"),
		always("ghost", fact.Count, "place of the run, as in ghosts"),
		always("input_count", fact.Count, "number of inputs, as in ghosts"),
		always("accelerate", fact.Count, "number of presses of the accelerator"),
		always("brake", fact.Count, "number of presses of the brake"),
		always("steer_keys", fact.Count, "number of presses of the keys for steering"),
		always("steer_analog", fact.Count, "number of moves of the wheel"),
		always("respawn", fact.Count, "number of presses of the key to respawn"),
		always("horn", fact.Count, "number of presses of the horn"),
		maybe("first_time", fact.Time, "time of the first input"),
		maybe("last_time", fact.Time, "time of the last input"),
		always("spikes", fact.Count, "number of times that analog steering turned back: values above or below both neighbours"),
		maybe("spikes_per_second", fact.Number, "spikes over the time of the run; null if the run was not finished"),
		maybe("tminterface", fact.Flag, "whether the inputs carry the mark of TMInterface, which plays scripts; null if they do not say when the race began").
			word("tminterface", "whether the inputs of a run carry the mark of TMInterface"),
		always("damaged", fact.Flag, "whether the stored inputs end early"),
	}}
})

var checkVerdictsTable = NewTable("check_verdicts", "The verdicts of replay check; only if asked for (--check).", func() [][]Column {
	return [][]Column{{
		fileKey("key of the file"),
		maybe("ghost", fact.Count, "place of the run, as in ghosts; null for the replay as a whole"),
		always("question", fact.Text, "what was looked at"),
		always("state", fact.Text, "ok, suspect or unknown").word("verdict", "verdict of replay check: ok, suspect or unknown"),
		always("detail", fact.Text, "the verdict in one sentence"),
	}}
})

var itemsTable = NewTable("items", "A row for each item, block or other thing of the editors' lists.", func() [][]Column {
	return [][]Column{{fileKey("key of the file")}, gbxFacts("item"), optional(gbxFacts("mesh"))}
})

var meshesTable = NewTable("meshes", "A row for each file that stores geometry.", func() [][]Column {
	return [][]Column{{fileKey("key of the file")}, gbxFacts("mesh")}
})

var packsTable = NewTable("packs", "A row for each archive, with the facts of info --json.", func() [][]Column {
	return [][]Column{{
		fileKey("key of the file"),
		always("format", fact.Text, "format of the archive"),
		always("entries", fact.Count, "number of entries"),
		maybe("size", fact.Bytes, "size of all contents; null if only unpacking would show it"),
		always("stored_size", fact.Bytes, "size of everything that is stored for them"),
	}, packFacts()}
})

var entriesTable = NewTable("entries", "The entries of each archive, as ls --json lists them.", func() [][]Column {
	return [][]Column{{
		fileKey("key of the archive"),
		always("entry", fact.Count, "place in the archive, from 0"),
		always("name", fact.Text, "name in the archive").raw().word("holds", "file that an archive or a map holds").indexed(),
		maybe("size", fact.Bytes, "size of the content; null if only unpacking would show it"),
		always("stored_size", fact.Bytes, "stored size"),
		always("compressed", fact.Flag, "whether the content is compressed"),
		always("encrypted", fact.Flag, "whether the content is encrypted"),
		always("method", fact.Text, "how the content is stored, in the format's words"),
		always("hash", fact.Text, "hash that the archive stores, such as crc32:…; empty where it stores none"),
		maybe("modified", fact.Moment, "time of the last change"),
		maybe("blake3", fact.Hash, "BLAKE3 of the content; only if asked for (--contents), and null where it cannot be unpacked").indexed(),
	}}
})

var picturesTable = NewTable("pictures", "The pictures: files of their own, and entries of archives. Sizes are those of the header.", func() [][]Column {
	return [][]Column{{
		fileKey("key of the file, or of the archive"),
		maybe("entry", fact.Count, "place in the archive, as in entries; null for a file of its own"),
	}, optional(slices.DeleteFunc(factsOf(&imagefile.Facts.Subject), func(c Column) bool { return c.Name == "file_size" }))}
})

var simObjectsTable = NewTable("sim_objects", "A row for each object of a Simutrans file.", func() [][]Column {
	return [][]Column{{
		fileKey("key of the file"),
		always("object", fact.Count, "place in the file, from 0"),
	}, simFacts("object"), simFacts("object list"), {
		maybe("descriptor_version", fact.Count, "version of the descriptor; null where it cannot be read"),
		maybe("extended_version", fact.Count, "version of Simutrans-Extended"),
	}}
})

var simVehiclesTable = NewTable("sim_vehicles", "The numbers of Simutrans vehicles.", func() [][]Column {
	return [][]Column{{
		fileKey("key of the file"),
		always("object", fact.Count, "place of the object, as in sim_objects"),
		always("name", fact.Text, "name of the vehicle, as in sim_objects"),
		always("copyright", fact.Text, "copyright line, as in sim_objects"),
		maybe("gear", fact.Count, "gear as stored: 64 is 1.0"),
		maybe("weight", fact.Count, "weight in kilograms"),
	}, simFacts("vehicle")}
})

var simCouplingsTable = NewTable("sim_couplings", "The vehicles that may be coupled to a Simutrans vehicle. A side without rows allows all.", func() [][]Column {
	return [][]Column{{
		fileKey("key of the file"),
		always("object", fact.Count, "place of the object, as in sim_objects"),
		always("side", fact.Text, "prev or next: in front of the vehicle, or behind it"),
		always("ordinal", fact.Count, "place in the list, from 0"),
		always("name", fact.Text, "name of the other vehicle; none for the end of a convoy").word("couples", "vehicle that may be coupled to a Simutrans vehicle"),
	}}
})

var simFieldsTable = NewTable("sim_fields", "Every field of every Simutrans object, of all types.", func() [][]Column {
	return [][]Column{{
		fileKey("key of the file"),
		always("object", fact.Count, "place of the object, as in sim_objects"),
		always("field", fact.ID, "name of the field, as in info --json"),
		maybe("value", fact.Number, "value of a field that is a number"),
		always("text", fact.Text, "value in words, with the unit"),
	}}
})

var textsTable = NewTable("texts", "The texts that find searches, in the form that conditions compare: without colour codes, case and accents, and with Latin letters in place of letters that look like them. SQLite has two full-text indexes of this table: search by words, grams by three letters.", func() [][]Column {
	return [][]Column{{
		fileKey("key of the file"),
		always("name", fact.Text, "name of the file, and the names that stand in it"),
		maybe("author", fact.Text, "logins and names of makers and drivers"),
		maybe("comments", fact.Text, "comments of the makers"),
	}}
})

var findingsTable = NewTable("findings", "The findings of map lint and verify; only if asked for (--lint, --verify).", func() [][]Column {
	return [][]Column{{
		fileKey("key of the file"),
		always("source", fact.Text, "lint or verify"),
		always("severity", fact.Text, "error, warning or note"),
		always("kind", fact.Text, "the rule or the kind of damage").word("finding", "rule or kind of a finding of lint or verify"),
		always("message", fact.Text, "the finding in one sentence"),
		maybe("entry", fact.Text, "entry that the finding is about").raw(),
		maybe("offset", fact.Count, "offset in the file that the finding is about"),
	}}
})
