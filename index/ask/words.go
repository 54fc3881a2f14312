package ask

import (
	"slices"
	"strings"

	"pakbox/internal/lib/hint"
	"pakbox/internal/lib/spell"
)

// Kind is what the values of a word are.
type Kind string

// Kinds of words.
const (
	Text   Kind = "text"
	Number Kind = "number"
	Time   Kind = "time" // in milliseconds
	Size   Kind = "size" // in bytes
	Date   Kind = "date" // in nanoseconds since 1970
	Flag   Kind = "yes or no"
)

// Word is a word that files are found by.
type Word struct {
	Name string
	Kind Kind
	Doc  string

	// columns are where it stands. Those of f, m, r, i and p belong to the tables
	// that have one row for a file; others, with a table's name, may have several.
	columns []string
	search  string // column of the full-text index that has it too
	indexed bool   // its columns have indexes: rows are found by them
	listed  bool   // so do its columns of text, without case, but many files may have one value
}

// single are the tables with one row for a file, by the names they have in
// questions.
var single = map[string]string{"f": "files", "m": "maps", "r": "replays", "i": "items", "p": "packs"}

const kindOfFile = `case when m.file is not null then 'map' when r.file is not null then 'replay' when i.file is not null then 'item'
	when p.file is not null then 'pack' when f.class_name = 'CGameCtnGhost' then 'ghost' when f.format = 'simutrans' then 'object' end`

// filesOfKind are the files that may be of a kind: kindOfFile tells.
var filesOfKind = map[string]string{
	"map": "select file from maps", "replay": "select file from replays", "item": "select file from items", "pack": "select file from packs",
	"ghost": "select file from files where class_name = 'CGameCtnGhost'", "object": "select file from files where format = 'simutrans'",
}

// Words are the words that files are found by.
var Words = []Word{
	{Name: "path", Kind: Text, Doc: "of the file, through archives", columns: []string{"f.path"}},
	{Name: "file", Kind: Text, Doc: "the file's own name", columns: []string{"f.name"}},
	{Name: "size", Kind: Size, Doc: "of the file", columns: []string{"f.size"}},
	{Name: "changed", Kind: Date, Doc: "when the file was changed", columns: []string{"f.mtime_ns"}},
	{Name: "kind", Kind: Text, Doc: "map, replay, ghost, item, pack or object", columns: []string{"kind"}},
	{Name: "format", Kind: Text, Doc: "gbx, nadeopak, vpk42, eterpack, simutrans, zip", columns: []string{"f.format"}},
	{Name: "class", Kind: Text, Doc: "of a GBX file, by name or number", columns: []string{"f.class_name", "f.class"}},
	{Name: "game", Kind: Text, Doc: "that made it", columns: []string{"f.game"}},
	{Name: "status", Kind: Text, Doc: "ok, partial, unknown, damaged, unsupported, locked, unreadable or changed", columns: []string{"f.status"}},
	{Name: "error", Kind: Text, Doc: "kind of the error", columns: []string{"f.error_kind"}},

	{Name: "name", Kind: Text, Doc: "of a map, item or object, without colours", columns: []string{"m.name", "i.name", "sim_objects.name"}, search: "name"},
	{Name: "author", Kind: Text, Doc: "login or name of who made it; with a time, the author medal", columns: []string{"m.author_login", "m.author_nick", "i.author_login", "p.author", "p.author_login", "p.author_nick", "sim_objects.copyright"}, search: "author"},
	{Name: "env", Kind: Text, Doc: "environment", columns: []string{"m.collection_name", "r.collection", "i.collection_name"}, listed: true},
	{Name: "title", Kind: Text, Doc: "title pack", columns: []string{"m.title_id", "p.title_id"}},
	{Name: "type", Kind: Text, Doc: "map type", columns: []string{"m.map_type"}},
	{Name: "mode", Kind: Text, Doc: "Race, Platform, Stunts, …", columns: []string{"m.mode"}},
	{Name: "mood", Kind: Text, Doc: "Sunrise, Day, Sunset or Night", columns: []string{"m.mood"}},
	{Name: "comment", Kind: Text, Doc: "what the author wrote", columns: []string{"m.comments", "i.description", "p.comment"}, search: "comments"},
	{Name: "build", Kind: Text, Doc: "version of the program that saved a map", columns: []string{"m.build"}},
	{Name: "uid", Kind: Text, Doc: "of a map, and of the map that was driven", columns: []string{"m.uid", "r.map_uid"}, indexed: true},
	{Name: "author_time", Kind: Time, Doc: "author medal", columns: []string{"m.medals_author"}, indexed: true},
	{Name: "gold", Kind: Time, Doc: "medal", columns: []string{"m.medals_gold"}},
	{Name: "silver", Kind: Time, Doc: "medal", columns: []string{"m.medals_silver"}},
	{Name: "bronze", Kind: Time, Doc: "medal", columns: []string{"m.medals_bronze"}},
	{Name: "laps", Kind: Number, Doc: "of a map", columns: []string{"m.laps"}},
	{Name: "checkpoints", Kind: Number, Doc: "of a map", columns: []string{"m.checkpoints"}},
	{Name: "blocks", Kind: Number, Doc: "how many stand on a map", columns: []string{"m.block_count"}},
	{Name: "items", Kind: Number, Doc: "how many stand on a map", columns: []string{"m.item_count"}},
	{Name: "embedded", Kind: Number, Doc: "how many files a map brings along", columns: []string{"m.embedded_count"}},
	{Name: "password", Kind: Flag, Doc: "whether a map has one", columns: []string{"m.password"}},
	{Name: "lightmap", Kind: Flag, Doc: "whether shadows are computed", columns: []string{"m.has_lightmap"}},
	{Name: "block", Kind: Text, Doc: "stands on the map", columns: []string{"map_blocks.name"}},
	{Name: "item", Kind: Text, Doc: "stands on the map", columns: []string{"map_items.name"}},
	{Name: "uses", Kind: Text, Doc: "file outside that it needs", columns: []string{"dependencies.path"}},
	{Name: "holds", Kind: Text, Doc: "file that an archive or map holds", columns: []string{"entries.name", "embedded.name"}},

	{Name: "time", Kind: Time, Doc: "of a run", columns: []string{"r.time", "ghosts.race_time"}, indexed: true},
	{Name: "driver", Kind: Text, Doc: "login or name of who drove", columns: []string{"r.login", "r.nick", "ghosts.login", "ghosts.nick"}, search: "author"},
	{Name: "respawns", Kind: Number, Doc: "of a run", columns: []string{"ghosts.respawns"}},
	{Name: "car", Kind: Text, Doc: "of a run", columns: []string{"ghosts.car"}},
	{Name: "tminterface", Kind: Flag, Doc: "whether the inputs of a run carry its mark", columns: []string{"inputs_summary.tminterface"}},

	{Name: "vertices", Kind: Number, Doc: "of an item or mesh", columns: []string{"i.vertex_count", "meshes.vertex_count"}},
	{Name: "triangles", Kind: Number, Doc: "of an item or mesh", columns: []string{"i.triangle_count", "meshes.triangle_count"}},

	{Name: "object", Kind: Text, Doc: "type of Simutrans object: vehicle, building, way, …", columns: []string{"sim_objects.type"}},
	{Name: "waytype", Kind: Text, Doc: "of a Simutrans vehicle", columns: []string{"sim_vehicles.waytype"}},
	{Name: "engine", Kind: Text, Doc: "of a Simutrans vehicle", columns: []string{"sim_vehicles.engine_type"}},
	{Name: "freight", Kind: Text, Doc: "of a Simutrans vehicle", columns: []string{"sim_vehicles.freight"}},
	{Name: "speed", Kind: Number, Doc: "of a Simutrans vehicle, in km/h", columns: []string{"sim_vehicles.topspeed"}},
	{Name: "power", Kind: Number, Doc: "of a Simutrans vehicle, in kW", columns: []string{"sim_vehicles.power"}},

	{Name: "finding", Kind: Text, Doc: "rule or kind of a finding of lint or verify", columns: []string{"findings.kind"}},
	{Name: "verdict", Kind: Text, Doc: "of replay check: ok, suspect or unknown", columns: []string{"check_verdicts.state"}},
}

// wordNamed finds a word.
func wordNamed(name string) (*Word, error) {
	if i := slices.IndexFunc(Words, func(w Word) bool { return w.Name == strings.ToLower(name) }); i >= 0 {
		return &Words[i], nil
	}
	names := make([]string, len(Words))
	for i, w := range Words {
		names[i] = w.Name
	}
	u := hint.Usagef("there is no word %q", name)
	if near := spell.Near(name, names, 1); len(near) > 0 {
		return nil, u.Hint("did you mean %s?", near[0])
	}
	return nil, u.Hint("words are %s", strings.Join(names, ", "))
}

// expression is a column as it stands in a question.
func expression(column string) string {
	if column == "kind" {
		return kindOfFile
	}
	return column
}

// tableOf is the table of a column, and whether a file may have several rows
// there.
func tableOf(column string) (table string, several bool) {
	if column == "kind" {
		return "f", false
	}
	table, _, _ = strings.Cut(column, ".")
	return table, single[table] == ""
}

// value is what a file says of the word, for printing and sorting: the first of
// its columns that says something.
func (w *Word) value() string {
	var list []string
	for _, c := range w.columns {
		e := expression(c)
		if table, several := tableOf(c); several {
			e = "(select min(" + e + ") from " + table + " where " + table + ".file = f.file)"
		}
		if w.Kind == Text {
			e = "nullif(" + e + ", '')"
		}
		list = append(list, e)
	}
	if len(list) == 1 {
		return list[0]
	}
	return "coalesce(" + strings.Join(list, ", ") + ")"
}
