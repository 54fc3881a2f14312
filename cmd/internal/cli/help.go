package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/index"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/internal/lib/spell"
)

// topic is a page of help that does not belong to a command.
type topic struct {
	name, short string
	text        func(a *kit.App) string
	// print prints the content as JSON; nil if the text is everything.
	print func(a *kit.App, topic string) error
}

var topics = []topic{
	{"exit-codes", "Meaning of the exit codes", exitCodesText, printExitCodes},
	{"formats", "The formats that pakbox knows", formatsText, printFormats},
	{"paths", "Paths through archives, and patterns", func(*kit.App) string { return pathsText }, nil},
	{"keys", "Where keys and passphrases come from", func(*kit.App) string { return keysText }, nil},
	{"json", "Output of --json", jsonText, nil},
	{"tables", "The tables of an index", func(*kit.App) string { return index.TablesText() }, printTables},
}

// command makes a cobra command for the topic that cannot be run.
func (t topic) command(a *kit.App) *cobra.Command {
	c := &cobra.Command{Use: t.name, Short: t.short, Hidden: true}
	c.SetHelpFunc(func(*cobra.Command, []string) { printTopic(a, t) })
	return c
}

func printTopic(a *kit.App, t topic) error {
	if !a.JSON {
		_, err := a.Out.WriteString(strings.TrimRight(kit.Wrap(t.text(a)), "\n") + "\n")
		return err
	}
	if t.print == nil {
		return helpReport.PrintPlain(a, helpText{t.name, t.text(a)})
	}
	return t.print(a, t.name)
}

func helpCommand(a *kit.App) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND... | TOPIC]",
		Short:   "Explain a command or a topic",
		Long:    "Help explains a command or a topic. Without an argument it lists both.",
		Example: "  pakbox help create\n  pakbox help exit-codes\n  pakbox help formats --json",
		Args:    kit.ArgCount(0, 2),
		ValidArgsFunction: func(cmd *cobra.Command, before []string, typed string) (names []string, _ cobra.ShellCompDirective) {
			parent := kit.FindCommand(cmd.Root(), before)
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
					return printTopic(a, t)
				}
			}
			if c := kit.FindCommand(root, args); c != nil {
				c.InitDefaultHelpFlag()
				if a.JSON {
					return helpReport.PrintPlain(a, helpText{kit.FullName(c), c.Long + "\n\n" + c.UsageString()})
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
	for _, c := range kit.AllCommands(root) {
		names = append(names, kit.FullName(c))
	}
	u := fault.Usagef("no help on %q", words)
	if near := spell.Near(words, names, 1); len(near) > 0 {
		return u.Hint("did you mean 'pakbox help %s'?", near[0])
	}
	return u.Hint("'pakbox help' lists commands and topics")
}

func exitCodesText(*kit.App) string {
	var b strings.Builder
	for _, c := range kit.ExitCodes {
		fmt.Fprintf(&b, "%d  %s\n", c.Code, c.Meaning)
		for _, line := range strings.Split(c.Detail, "\n") {
			fmt.Fprintf(&b, "     %s\n", line)
		}
	}
	b.WriteString("\nWith several inputs, the highest of their codes counts. These codes never change.\n")
	return b.String()
}

func printExitCodes(a *kit.App, topic string) error {
	return exitCodesReport.PrintPlain(a, helpExitCodes{topic, kit.ExitCodes})
}

func formatsText(a *kit.App) string {
	var b strings.Builder
	b.WriteString("A file's format is found by its content. The extension chooses the format of a\nnew file, unless --format names it.\n\n")
	for _, f := range knownFormats(a).Formats {
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

func printFormats(a *kit.App, topic string) error {
	return formatsReport.PrintPlain(a, helpFormats{topic, *knownFormats(a)})
}

func printTables(a *kit.App, topic string) error {
	return tablesReport.PrintPlain(a, helpTables{topic, index.Tables()})
}

func knownFormats(a *kit.App) *answer.Formats {
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

const keysText = `pakbox ships no keys, except those that every client of Metin2 has for its tables.
A passphrase is never taken from the command line, where
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

var (
	helpReport      = kit.NewPlainReport[helpText]("help", "", "the help of a command or a topic")
	exitCodesReport = kit.NewPlainReport[helpExitCodes]("help", "exit-codes", "the exit codes")
	formatsReport   = kit.NewPlainReport[helpFormats]("help", "formats", "the formats that pakbox knows")
	tablesReport    = kit.NewPlainReport[helpTables]("help", "tables", "the tables of an index")
)

type helpText struct {
	Topic string `json:"topic" doc:"name of the command or topic"`
	Text  string `json:"text" doc:"the help as text"`
}

type helpExitCodes struct {
	Topic     string         `json:"topic"`
	ExitCodes []kit.ExitText `json:"exit_codes" doc:"the exit codes"`
}

type helpFormats struct {
	Topic string `json:"topic"`
	formatList
}

// formatList is embedded under this name, because a field Formats would hide the one inside.
type formatList = answer.Formats

type helpTables struct {
	Topic string `json:"topic"`
	index.TableList
}
