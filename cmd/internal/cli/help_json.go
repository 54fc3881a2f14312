package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
)

// jsonText describes what each command prints with --json. The fields come from the types
// of answers and reports.
func jsonText(a *kit.App) string {
	fields := jsonFields()
	var b strings.Builder
	b.WriteString(jsonIntro)
	for _, c := range commandNames(a) {
		fmt.Fprintf(&b, "  %-19s  %s\n", c, fields[c])
	}
	b.WriteString(errorKinds)
	return b.String()
}

// jsonFields lists the fields of each command.
func jsonFields() map[string]string {
	fields := map[string]string{}
	add := func(name, text string) {
		switch {
		case fields[name] == "":
			fields[name] = text
		case text != "" && !strings.Contains(fields[name], text):
			fields[name] += "; " + text
		}
	}
	for _, q := range answer.Questions() {
		add(q.Name, q.Shape())
	}
	for _, r := range kit.Reports {
		add(r.Name, cmp.Or(r.Shape(), "nothing else"))
	}
	for name, text := range moreJSON {
		add(name, text)
	}
	return fields
}

// commandNames lists the commands that can print JSON, by the name of their schema.
func commandNames(a *kit.App) []string {
	root := &cobra.Command{Use: "pakbox"}
	root.AddCommand(a.TopLevel()...)
	names, fields := []string{"help"}, jsonFields()
	for _, c := range kit.AllCommands(root) {
		if !c.HasSubCommands() || fields[kit.SchemaName(c)] != "" {
			names = append(names, kit.SchemaName(c))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

const jsonIntro = `With --json a command prints one JSON object per input, one per line. Sizes are
bytes, dates are milliseconds since 1970, times of runs are milliseconds. Unknown
values are null. New fields may appear; existing fields stay.

Every object about a file has schema ("pakbox.ls/1"), path, format, and on
failure error {kind, message, entry, offset}. This list shows the other fields
of each command; [{...}] is a list of objects. 'pakbox schema QUESTION' has the
types and meanings of those that answer questions.

`

const errorKinds = `
error.kind is one of: usage, not_found, exists, permission, io, interrupted, or
the problem of the file: bad_magic, corrupt, truncated, hash_mismatch,
unsupported, passphrase_required, wrong_key, unsafe_path, limit_exceeded, and
others. The exit code follows from it: see 'pakbox help exit-codes'.
`

// moreJSON describes the JSON of commands beyond the types of answers and reports: fields
// whose type is not a struct, and commands whose output is not one object.
var moreJSON = map[string]string{
	"info":                "entries, size, stored_size, ratio, file_size, and the format's own facts; locked where a key is missing",
	"ls":                  "entries are [{name, size, stored_size, compressed, encrypted, method, hash, modified, offset, problem}]; path/name is a path that pakbox takes; objects are [{folder, size, ...}] where the file holds things with names",
	"verify":              "and what else the format measured; findings are [{severity, kind, rule, message, file, line, entry, field, offset, suggestion}]",
	"diff":                "changes are [{change, name, old_size, new_size}]; values and words are [{change, path, old, new}], of GBX and object files, and words of maps and runs only; a changed file in an archive has its own values and words",
	"dump":                "the document that create --from-json takes; body_bytes, decoded_bytes and chunks, [{chunk, class, header, count, bytes, decoded_bytes}] only with --coverage",
	"query":               "only for programs; the command prints each result as a line of its own",
	"grep":                "no line for a file without matches",
	"map.blocks":          "with --set as map.blocks.set",
	"map.shrink":          "with -o or -C ways",
	"map.scrub":           "with -o or -C also removed, in the form of personal",
	"map.lint":            "findings as in verify",
	"item.lint":           "findings as in verify",
	"replay.ghosts":       "ghosts as in replay.info, each with ghost, its number",
	"replay.telemetry":    "a list for each column: an object for each line",
	"map.cut":             "output, size, sha256, blocks, items, corner",
	"map.mesh":            "output, size, sha256, block_count, item_count, triangle_count (as often as drawn), stored_triangle_count, boxes, embedded and game {models, things, triangle_count}, empty, hidden, lines, points, bounds, warnings",
	"map.picture":         "output, size, sha256, width, height, kind",
	"map.thumbnail":       "output, size, sha256",
	"replay.picture":      "output, size, sha256, width, height, kind",
	"replay.animate":      "output, size, sha256, kind, width, height, frames",
	"replay.clip":         "output, size, sha256, runs, clips, tracks",
	"replay.create":       "output, size, sha256, runs, clips, tracks",
	"clip.combine":        "output, size, sha256, runs, clips, tracks",
	"simutrans.check":     "findings as in verify, with file and suggestion",
	"simutrans.picture":   "object, output, width, height; with --sprite axes [{name, values [{value, label}]}]",
	"simutrans.vehicles":  "an object for each vehicle: schema, path, format, and the columns of the table",
	"simutrans.goods":     "an object for each good, as in simutrans.vehicles",
	"simutrans.factories": "an object for each factory, as in simutrans.vehicles",
	"simutrans.buildings": "an object for each building, as in simutrans.vehicles",
	"simutrans.ways":      "an object for each way, bridge, tunnel and way object, as in simutrans.vehicles",
	"block":               "blocks for a word, families without one",
	"class":               "members and enums only with --members",

	// Commands that answer no question.
	"ask":           "{id, answer} or {id, error} a line; see 'pakbox help ask'",
	"mcp":           "the Model Context Protocol",
	"schema":        "a JSON Schema; without QUESTION, lines of text",
	"edit":          "an object only for an error, because edit is for people",
	"map.rename":    "output, dry_run, size, old_size, and what was set; with --dry-run values [{change, path, old, new}]; so do all commands that change a map",
	"map.uid":       "with --new as map.uid.new",
	"map.merge":     "blocks, items, embedded; cells_taken_twice if there are more than before",
	"map.edit":      "output, dry_run, size, old_size, values, words, steps [{line, step, blocks, items, embedded}]",
	"item.set":      "output, dry_run, size, old_size, name, materials, waypoint, icon, pivots",
	"simutrans.lsp": "no JSON of its own: it uses the Language Server Protocol",
	"find":          "a line for each file: the words of --fields; without --fields: path, format, kind, name, author, env, author_time, time and size",
	"sql":           "a line for each row: its columns",
	"drives.cat":    "size, and text or base64",
}
