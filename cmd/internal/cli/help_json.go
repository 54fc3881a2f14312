package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
)

// jsonText describes what each command prints with --json. The fields of an answer come
// from its type.
func jsonText(a *kit.App) string {
	fields := maps.Clone(moreJSON)
	for _, q := range answer.Questions() {
		shape := q.Shape()
		if more := moreJSON[q.Name]; more != "" && shape != "" {
			shape += "; "
		}
		fields[q.Name] = shape + moreJSON[q.Name]
	}
	var b strings.Builder
	b.WriteString(jsonIntro)
	for _, c := range commandNames(a) {
		fmt.Fprintf(&b, "  %-19s  %s\n", c, fields[c])
	}
	b.WriteString(errorKinds)
	return b.String()
}

// commandNames lists the commands that can print JSON, by the name of their schema.
func commandNames(a *kit.App) []string {
	root := &cobra.Command{Use: "pakbox"}
	root.AddCommand(a.TopLevel()...)
	names := []string{"help"}
	for _, c := range kit.AllCommands(root) {
		if !c.HasSubCommands() || moreJSON[kit.SchemaName(c)] != "" {
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

// moreJSON describes the JSON of commands beyond the schemas: all fields of commands without a
// question; for the others the fields of flags, and fields whose type is not a struct.
var moreJSON = map[string]string{
	"info":                "entries, size, stored_size, ratio, file_size, and the format's own facts; locked where a key is missing",
	"ls":                  "entries are [{name, size, stored_size, compressed, encrypted, method, hash, modified, offset, problem}]; path/name is a path that pakbox takes; objects are [{folder, size, ...}] where the file holds things with names",
	"verify":              "and what else the format measured; findings are [{severity, kind, rule, message, file, line, entry, field, offset, suggestion}]",
	"diff":                "changes are [{change, name, old_size, new_size}]; values and words are [{change, path, old, new}], of GBX and object files, and words of maps and runs only; a changed file in an archive has its own values and words",
	"dump":                "the document that create --from-json takes; body_bytes, decoded_bytes and chunks, [{chunk, class, header, count, bytes, decoded_bytes}] only with --coverage",
	"query":               "only for programs; the command prints each result as a line of its own",
	"grep":                "no line for a file without matches",
	"map.blocks":          "with --count count, by_name [{name, kind, count}]; with --set output, dry_run, size, old_size, values, words, block_count, item_count",
	"map.shrink":          "with -o or -C ways",
	"map.scrub":           "with -o or -C also removed, in the form of personal",
	"map.items":           "with -C target, files, failures",
	"map.lint":            "findings as in verify",
	"item.lint":           "findings as in verify",
	"replay.ghosts":       "ghosts as in replay.info, each with ghost, its number; with -C files",
	"replay.inputs":       "with -o output, size, sha256",
	"replay.telemetry":    "ghost, car, source, period, sample_count, and a list for each column: an object for each line; with -o output, size, sha256, files, lines, rows; with --parquet files, others, lines, rows",
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
	"convert":             "entries, size, file_size",
	"class":               "members and enums only with --members",

	// Commands that answer no question.
	"cat":                 "size, and text or base64",
	"extract":             "target, files, bytes, failures [error]",
	"config":              "settings [{name, value, origin}]; path is the configuration file",
	"explain":             "rule, by, means, mend; one object a rule",
	"ask":                 "{id, answer} or {id, error} a line; see 'pakbox help ask'",
	"mcp":                 "the Model Context Protocol",
	"schema":              "a JSON Schema; without QUESTION, lines of text",
	"edit":                "an object only for an error, because edit is for people",
	"map.rename":          "output, dry_run, size, old_size, and what was set; with --dry-run values [{change, path, old, new}]; so do all commands that change a map",
	"replay.map":          "output, size, sha256",
	"tally":               "files, bytes, gbx, other, failed; classes, versions, games, programs and titles [{name, files, bytes}]",
	"map.uid":             "uid; with --new old_uid and uid",
	"map.merge":           "blocks, items, embedded; cells_taken_twice if there are more than before",
	"map.list":            "output, size, sha256, game, map_count, left_out",
	"campaign.create":     "output, size, sha256, id, name, group_count, map_count",
	"map.create":          "output, size, sha256, name, uid, game, collection_name, decoration, map_size",
	"map.edit":            "output, dry_run, size, old_size, values, words, steps [{line, step, blocks, items, embedded}]",
	"item.create":         "output, size, sha256, name, author_login, game, collection_name, icon, vertex_count, triangle_count, materials; a static object also ok, problems",
	"item.import":         "as item.create; problems [{severity, rule, file, line, entry, field, message, suggestion}]; if ok is false only ok and problems",
	"item.set":            "output, dry_run, size, old_size, name, materials, waypoint, icon, pivots",
	"nadeoimporter":       "ok, outputs, problems",
	"simutrans.compile":   "ok, compiled, unchanged, errors, stale, objects [{path, obj, name, source, bytes, unchanged}], problems [{severity, file, line, key, message, suggestion}]",
	"simutrans.decompile": "target, written, exact, objects [{file, object, dat, png, target, exact, loss, error}]",
	"simutrans.new":       "source, picture",
	"simutrans.report":    "output, objects, findings",
	"simutrans.fmt":       "sources, changed",
	"simutrans.lsp":       "no JSON of its own: it uses the Language Server Protocol",
	"simutrans.convert":   "output, written, objects, losses [{object, node, field, before, after, dropped}]",
	"makeobj":             "ok, output, messages",
	"index":               "files, bytes, unchanged, read, reused, removed, kept, problems [{path, error}]",
	"index.merge":         "parts",
	"find":                "a line for each file: the words of --fields; without --fields: path, format, kind, name, author, env, author_time, time and size",
	"sql":                 "a line for each row: its columns",
	"dupes":               "a line for each group: by, what, size, files, alike",
	"stats":               "files, sections [{by, shares [{name, files, bytes}]}]",
	"serve":               "address, read_only: one line, once the page can be opened",
	"mount":               "dir, write, kept, found: one line, once the folder can be used",
	"mount.commit":        "message",
	"mount.end":           "message",
	"mount.discard":       "nothing else",
	"keys.ls":             "keys [{name, kind}]",
	"keys.add":            "added, replaced, unchanged",
	"keys.check":          "key",
	"drives.ls":           "left_out [error], files [{drive, name, size, origin, origin_format}]",
	"drives.which":        "as drives.ls",
	"drives.cat":          "size, and text or base64",
	"drives.refs":         "left_out, references, missing, tree {drive, name, file, refused, problem, repeated, needs}",
	"create":              "entries, size, file_size",
	"version":             "version, revision, revision_time, modified, go, os, arch",
	"help":                "topic, and its text or its table",
	"man":                 "page, text; or files",
	"completion":          "shell, script",
}
