package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/collection"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/lib/spell"
	"pakbox/internal/question"
)

// topic is a page of help that does not belong to a command.
type topic struct {
	name, short string
	text        func(a *app) string
	facts       func(a *app) *form.Object // content for --json; nil if the text is everything
}

var topics = []topic{
	{"exit-codes", "What the exit codes mean", exitCodesText, exitCodesFacts},
	{"formats", "The formats that pakbox knows", formatsText, formatsFacts},
	{"paths", "Paths through archives, and patterns", func(*app) string { return pathsText }, nil},
	{"keys", "Where keys and passphrases come from", func(*app) string { return keysText }, nil},
	{"json", "What --json prints", func(*app) string { return jsonText }, nil},
	{"tables", "The tables of an index", func(*app) string { return collection.TablesText() }, func(*app) *form.Object { return collection.TablesObject() }},
}

// command makes a cobra command for the topic that cannot be run.
func (t topic) command(a *app) *cobra.Command {
	c := &cobra.Command{Use: t.name, Short: t.short, Hidden: true}
	c.SetHelpFunc(func(*cobra.Command, []string) { a.printTopic(t) })
	return c
}

func (a *app) printTopic(t topic) error {
	if !a.JSON {
		_, err := a.Out.WriteString(strings.TrimRight(shell.Wrap(t.text(a)), "\n") + "\n")
		return err
	}
	o := new(form.Object).Add("schema", "pakbox.help/1").Add("topic", t.name)
	if t.facts == nil {
		return a.Print(o.Add("text", t.text(a)))
	}
	return a.Print(o.Merge(t.facts(a)))
}

func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND... | TOPIC]",
		Short:   "Explain a command or a topic",
		Long:    "Help explains a command or a topic. Without an argument it lists both.",
		Example: "  pakbox help create\n  pakbox help exit-codes\n  pakbox help formats --json",
		Args:    shell.ArgCount(0, 2),
		ValidArgsFunction: func(cmd *cobra.Command, before []string, typed string) (names []string, _ cobra.ShellCompDirective) {
			parent := shell.FindCommand(cmd.Root(), before)
			if parent == nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			for _, c := range parent.Commands() {
				if strings.HasPrefix(c.Name(), typed) && c.Name() != cobra.ShellCompRequestCmd { // topics too
					names = append(names, c.Name()+"\t"+c.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			for _, t := range topics {
				if t.name == strings.Join(args, " ") {
					return a.printTopic(t)
				}
			}
			if c := shell.FindCommand(root, args); c != nil {
				c.InitDefaultHelpFlag()
				if a.JSON {
					return a.Print(new(form.Object).Add("schema", "pakbox.help/1").Add("topic", shell.FullName(c)).Add("text", c.Long+"\n\n"+c.UsageString()))
				}
				return c.Help()
			}
			return noHelp(root, strings.Join(args, " "))
		},
	}
}

// noHelp makes the error for words without help, and suggests a similar topic.
func noHelp(root *cobra.Command, words string) error {
	var names []string
	for _, t := range topics {
		names = append(names, t.name)
	}
	for _, c := range shell.AllCommands(root) {
		names = append(names, shell.FullName(c))
	}
	u := hint.Usagef("there is no help on %q", words)
	if near := spell.Near(words, names, 1); len(near) > 0 {
		return u.Hint("did you mean 'pakbox help %s'?", near[0])
	}
	return u.Hint("'pakbox help' lists commands and topics")
}

func exitCodesText(*app) string {
	var b strings.Builder
	for _, c := range shell.ExitCodes {
		fmt.Fprintf(&b, "%d  %s\n", c.Code, c.Meaning)
		for _, line := range strings.Split(c.Detail, "\n") {
			fmt.Fprintf(&b, "     %s\n", line)
		}
	}
	b.WriteString("\nWith several inputs, the highest of their codes counts. These codes never change.\n")
	return b.String()
}

func exitCodesFacts(*app) *form.Object {
	return new(form.Object).Add("exit_codes", shell.ExitCodes)
}

func formatsText(a *app) string {
	var b strings.Builder
	b.WriteString("A file's format is found by its content. The extension chooses the format of a\nnew file, unless --format names it.\n\n")
	for _, f := range a.knownFormats().Formats {
		does := "read"
		if f.Write {
			does = "read, write"
		}
		fmt.Fprintf(&b, "%-10s %s\n", f.Name, f.Description)
		fmt.Fprintf(&b, "%-10s %s", "", does)
		if len(f.Extensions) > 0 {
			fmt.Fprintf(&b, "; %s", strings.Join(f.Extensions, " "))
		}
		if len(f.Settings) > 0 {
			fmt.Fprintf(&b, "; settings --%s", strings.Join(f.Settings, " --"))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func formatsFacts(a *app) *form.Object {
	return new(form.Object).AddFields(a.knownFormats())
}

func (a *app) knownFormats() *answer.Formats {
	known, _ := answer.KnownFormats.Ask(a.Ctx, a.At(""), question.NoParams{}) // cannot fail
	return known
}

const pathsText = `A path may lead through archives, as if each were a folder:

  pakbox cat backup.zip/game.vpk/docs/readme.txt

Commands that look at files (cat) or list them (ls) take the path of a file or
a folder; those that work on archives (info, verify, diff, convert) also take
an archive inside an archive. put, rm, mv and set change archives inside
archives: only the outermost file is replaced, in one step.

Most commands take a plain folder as all files in it and in the folders below.
Some commands also work on a folder itself (info, ls, verify, extract, convert),
and some change files. These take the files only with -r (--recursive). In
query, -r is --raw, as in jq, because query takes the files of folders anyway.

A GBX file is a folder too. A map has thumbnail.jpg, items and lightmap; a
replay has map.Map.Gbx and ghosts. thumbnail.jpg is upside down, as maps store
it; 'pakbox map thumbnail' turns it.

- stands for standard input, or for standard output if an archive is written;
-/docs/readme.txt is a path inside the archive on standard input. Write ./- for
a file that is called -.

Patterns: * stands for any characters of a name, ? for one character, [a-z] for
one of a set, and ** for any number of folders. If the shell did not expand a
pattern, pakbox does. A name that exists is never read as a pattern. Inside an
archive, quote the pattern so that the shell leaves it alone:

  pakbox ls 'game.vpk/**/*.dds'
`

const keysText = `pakbox ships no keys. A passphrase is never taken from the command line, where
other users could see it. It comes from, in this order:

  --passphrase-file FILE    the file's first line (- is standard input)
  PAKBOX_PASSPHRASE         the environment
  a prompt                  on the terminal; a new passphrase is asked for twice

Keys come from a keys file: --keys FILE, or PAKBOX_KEYS=FILE. It is text, one
NAME and value a line; # begins a comment.

  Stadium          0123456789ABCDEF0123456789ABCDEF
  "My Pack"        0123456789ABCDEF0123456789ABCDEF
  *                final:0123456789ABCDEF0123456789ABCDEF
  eterpack-index   1,2,3,4
  eterpack-data    1,2,3,4
  eterpack-mcoz    DATA
  metin2-mob-proto 1,2,3,4
  lz4-dictionary   /home/me/lz4-dictionary.bin
  nadeopak-names   /home/me/names.txt

For a NadeoPak, NAME is the pack's file name without its extensions, in any
case, in quotes if it has spaces; * stands for all other packs. The value is one
of:

  32 hex digits          the base key, as a packlist holds it
  final:32 hex digits    the key of the pack itself
  title:32 hex digits    the key that the master server gives out for a title

The other names are fixed:

  eterpack-index, eterpack-data          keys of EterPack: four numbers
  eterpack-epkd, eterpack-mcoz           the marks that a server's packer uses
  eterpack-index-ext, eterpack-data-ext  the extensions that it uses
  metin2-item-proto, metin2-mob-proto    keys of Metin2's tables
  lz4-dictionary                         file: the dictionary of NadeoPaks of
                                         version 18
  nadeopak-names                         file: a list of paths, to find the
                                         names of hashed entries

A PackMakerLite.json has everything about EterPack; you can give it as the keys
file.

'pakbox keys' lists, adds and checks keys: see 'pakbox keys --help'.
`

const jsonText = `With --json a command prints one JSON object per input, one per line. Sizes are
bytes, dates are milliseconds since 1970, times of runs are milliseconds. Unknown
values are null. New fields may appear; existing fields stay.

Every object about a file has schema ("pakbox.ls/1"), path, format, and on
failure error {kind, message, entry, offset}. This list shows the other fields
of each command:

  info      entries, size, stored_size, ratio, file_size, and the format's own facts;
            locked where a key is missing
  ls        entries [{name, size, stored_size, compressed, encrypted, method, hash,
            modified, offset, problem}]; path/name is a path that pakbox takes;
            objects [{folder, size, ...}] where the file holds things with names
  cat       size, and text or base64
  extract   target, files, bytes, failures [error]
  verify    ok, entries, bytes, findings [{severity, kind, message, entry, offset}],
            and what else the format measured
  diff      other_path, other_format, identical, added, removed, changed,
            changes [{change, name, old_size, new_size}]; for two GBX or object files
            values [{change, path, old, new}]; for maps and runs also words, in the
            same form; a changed file in an archive has its own values and words
  dump      the document that create --from-json takes: header, body and more;
            with --coverage body_bytes, decoded_bytes, chunks [{chunk, class, header,
            count, bytes, decoded_bytes}]
  get       values [{path, value}]
  query     no such object, except for an error: each result is a line of its own
  grep      matches [{file, place, line, text}]; no line for a file without matches
  config    settings [{name, value, origin}]; path is the configuration file
  explain   rule, by, means, mend; one object a rule
  ask       {id, answer} or {id, error} a line; see 'pakbox help ask'
  mcp       the Model Context Protocol
  schema    a JSON Schema; without QUESTION, lines of text
  edit      an object only for an error, because edit is for people
  set       output, dry_run, changes [{part, place, offset, old, new, old_value, new_value}],
            notes
  map.blocks   blocks [{name, kind, coord, direction, position, yaw_pitch_roll, ghost,
            ground, color, skin, waypoint, flags, order, author, collection, scale,
            pivot}]; with --count count, by_name [{name, kind, count}]; with --set
            output, dry_run, size, old_size, values, words, block_count, item_count
  map.cut      output, size, sha256, blocks, items, corner
  map.shrink   size, savings [{way, lossless, saved, size, means}]; with -o or -C ways
  map.deps     dependencies [{kind, path, url, uses, present}], absent
  map.scrub    personal [{kind, where, value, new}]; with -o or -C also removed, in the
            same form
  map.items    item_count, embedded [{name, size, stored_size, model, listed, used}],
            missing; with -C target, files, failures
  map.lightmap   pictures [{name, size}]
  map.lint, item.lint   findings [{severity, kind, message}]
  map.medals   mode, medals {author, gold, silver, bronze}, in_order
  map.mesh     output, size, sha256, block_count, item_count, triangle_count (as often
            as drawn), stored_triangle_count, boxes, embedded and game {models, things,
            triangle_count}, empty, hidden, lines, points, bounds, warnings
  map.meta     values [{name, type, value}]
  map.password   password, crc_ok
  map.validation   validated, author_time, ghost {race_time, nick, login} or null
  map.size     size, limits, within_maniaplanet, within_trackmania, parts [{name, id,
            count, bytes, stored_bytes, parts}]
  map.rename, and others that change a map   output, dry_run, size, old_size, and what
            was set; with --dry-run values [{change, path, old, new}]
  map.picture, map.thumbnail, replay.picture, replay.map   output, size, sha256; for
            pictures also width, height, kind
  replay.info  time, login, nick, account_id, map_uid, map_author, collection,
            collection_name, map_size, ghosts [{race_time, respawns, checkpoints,
            login, nick, sample_count, input_count, ...}]
  replay.ghosts  ghosts, as in replay.info, each with ghost, its number; with -C files
  replay.inputs  ghosts [{ghost, inputs [{time, name, value, analog}]}]; inputs of a
            mouse also have y; with -o output, size, sha256
  replay.board   places [{map_uid, map_name, rank, nick, login, race_time, gap,
                   medal, date, file, ghost}]
  replay.compare   length, runs [{path, ghost, name, time, map_uid, checkpoints}], against
            [{run, splits [{number, finish, distance, time, other_time, delta, gain}],
            apart and same [{from, to, most, most_at, delta}], points [{distance, time,
            other_time, delta, apart, speed, other_speed, ...}]}], warnings
  replay.clip, replay.create, clip.combine   output, size, sha256, and runs, clips, tracks
  clip.ls   clips [{use, name, length, tracks [{name, keep_playing, cycling, blocks
            [{kind, start, end, text}]}]}]
  replay.animate   output, size, sha256, kind, width, height, frames
  replay.telemetry   ghost, car, source, period, sample_count, and a list for each
            column; with -o output, size, sha256, files, lines, rows; with --parquet
            files, others, lines, rows
  replay.check   verdicts [{question, state, detail}], suspect, ghosts [{ghost,
            verdicts}]
  tally     files, bytes, gbx, other, failed; classes, versions, games, programs and
            titles [{name, files, bytes}]
  campaign.ls  id, name, map_count, groups [{name, maps [{uid, collection,
            author_login, map_path}]}]
  map.uid           uid; with --new old_uid and uid
  map.merge         blocks, items, embedded; cells_taken_twice if there are more than before
  map.list          output, size, sha256, game, map_count, left_out
  campaign.create   output, size, sha256, id, name, group_count, map_count
  map.create        output, size, sha256, name, uid, game, collection_name,
                    decoration, map_size
  item.create       output, size, sha256, name, author_login, game, collection_name,
                    icon, vertex_count, triangle_count, materials; a static object
                    also ok, problems
  item.import       as item.create; problems [{severity, rule, file, line, entry, field,
                    message, suggestion}]; if ok is false only ok and problems
  nadeoimporter     ok, outputs, problems
  map.edit          output, dry_run, size, old_size, values, words, steps [{line,
                    step, blocks, items, embedded}]
  mesh      vertex_count, triangle_count, bounds, meshes [{name, kind, role, level,
            vertices, triangles, materials, bounds}], outside
  simutrans.compile    ok, compiled, unchanged, errors, stale, objects [{path, obj, name,
            source, bytes, unchanged}], problems [{severity, file, line, key, message,
            suggestion}]
  simutrans.decompile  target, written, exact, objects [{file, object, dat, png,
            target, exact, loss, error}]
  simutrans.check      paths, objects, errors, warnings, infos, findings [{level, rule,
            object, file, message, suggestion}]
  simutrans.picture    object, output, width, height; with --sprite axes [{name,
                       values [{value, label}]}]
  simutrans.vehicles   name, copyright, waytype, engine_type, intro, retire, topspeed,
                       power, length, axle_load, price, running_cost, fixed_cost,
                       capacity, weight, gear, freight: an object for each vehicle
  simutrans.goods      name, copyright, category, value, speed_bonus, weight_per_unit,
                       color: an object for each good
  simutrans.factories  name, copyright, location, productivity, range,
                       distribution_weight, needs, makes, size, intro, retire: an
                       object for each factory
  simutrans.buildings  name, copyright, kind, level, size, waytype, capacity, price,
                       maintenance, climates, enables, chance, layouts, intro,
                       retire: an object for each building
  simutrans.ways       name, copyright, type, waytype, topspeed, axle_load, price,
                       maintenance, max_length, max_height, intro, retire: an object
                       for each way, bridge, tunnel and way object
  simutrans.new        source, picture
  simutrans.report     output, objects, findings
  simutrans.fmt        sources, changed
  simutrans.lsp        no JSON of its own: it speaks the Language Server Protocol
  simutrans.convert    output, written, objects, losses [{object, node, field, before,
            after, dropped}]
  makeobj   ok, output, messages
  index     files, bytes, unchanged, read, reused, removed, kept, problems [{path,
            error}]
  index.merge   parts
  find      a line for each file: the words of --fields; without --fields: path, format,
            kind, name, author, env, author_time, time and size
  sql       a line for each row: its columns
  dupes     a line for each group: by, what, size, files, alike
  stats     files, sections [{by, shares [{name, files, bytes}]}]
  serve     address, read_only: one line, once the page can be opened
  mount     dir, write, kept, found: one line, once the folder can be used
  mount.commit   message
  mount.end      message
  mount.discard
  keys.ls   keys [{name, kind}]
  keys.add  added, replaced, unchanged
  keys.check   key
  drives.ls, drives.which   left_out [error], files [{drive, name, size, origin,
            origin_format}]
  drives.cat   size, and text or base64
  drives.refs  left_out, references, missing, tree {drive, name, file, refused, problem,
            repeated, needs}
  create, convert   entries, size, file_size
  put       added, replaced, size
  rm        removed
  mv        moved
  block     blocks [{environment, name, ground, air, cell_count, family, ends, role,
            surface, mirror, confidence, ...}]; without a word
            families [{environment, family, blocks, mirrored}]
  item.set   output, dry_run, size, old_size, name, materials, waypoint, icon, pivots
  item.materials   materials [{name, link, surface, surface_number, effects, uv_layers,
            color}]
  class     id, name, engine, parent, extension, older_ids, former_names, chunks [{id,
            name, header}], sheet
  version   version, revision, revision_time, modified, go, os, arch
  help      topic, and its text or its table
  man       page, text; or files
  completion   shell, script

error.kind is one of: usage, not_found, exists, permission, io, interrupted, or
the problem of the file: bad_magic, corrupt, truncated, hash_mismatch,
unsupported, passphrase_required, wrong_key, unsafe_path, limit_exceeded, and
others. The exit code says the same: see 'pakbox help exit-codes'.
`
