// Package cli is pakbox's command line: the root, the list of commands, and the commands
// that work on every format, one file per command. A command is a thin layer: it turns
// arguments into questions to package answer, or into calls of package archive, and the
// results into text or JSON. It knows no format; the registry it gets does. The commands
// for one game are in separate packages, such as cli/nadeo.
//
// To add a command, write one file with a method that returns a *cobra.Command, and one
// entry in [app.commands], or in Commands of the game's package. A subcommand, such as one
// of map, adds itself to its family.
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/files"
	"pakbox/cmd/internal/cli/index"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/cli/nadeo"
	"pakbox/cmd/internal/cli/serve"
	"pakbox/cmd/internal/cli/simutrans"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/internal/lib/quote"
)

// Run runs one command and returns the program's exit code. When ctx ends, the work stops
// and unfinished output is removed.
func Run(ctx context.Context, env kit.Env) int {
	a := kit.New(ctx, env)
	a.Rerun = Run
	if env.OwnConsole {
		if files, ok := clicked(a, env.Args); ok {
			return runClicked(ctx, env, files)
		}
	}
	defer a.CleanUp()
	root := rootFor(a, kit.MarkPaths(slashHelp(env.Args)))
	root.SetOut(a.Out)
	root.SetErr(env.Stderr)

	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && cmd == root {
		err = unknownCommand(a, root, err)
	}
	// If printing a finding fails, that failure is the result.
	if flushed := a.Out.Flush(); flushed != nil && (err == nil || errors.Is(err, kit.ErrFound)) {
		err = flushed
	}
	if err != nil {
		a.Fail(kit.SchemaName(cmd), strings.TrimPrefix(cmd.Flags().Arg(0), kit.PathMark), err)
		a.Out.Flush()
	}
	return a.Code
}

// slashHelp replaces /?, which asks for help in the shells of Windows, at the end of a
// command line.
func slashHelp(args []string) []string {
	if last := len(args) - 1; last >= 0 && args[last] == "/?" {
		return append(slices.Clone(args[:last]), "--help")
	}
	return args
}

// commands lists all commands, in the order of the help.
func commands() []kit.Command {
	return slices.Concat(files.Commands, []kit.Command{{Name: "keys", Make: keysCommand}},
		index.Commands, nadeo.Commands, simutrans.Commands, serve.Commands, []kit.Command{
			{Name: "config", Make: configCommand}, {Name: "explain", Make: explainCommand}, {Name: "schema", Make: schemaCommand},
			{Name: "completion", Make: completionCommand}, {Name: "man", Make: manCommand}, {Name: "version", Make: versionCommand},
		})
}

// rootFor makes the root command. If the arguments name a command, it makes only that
// one: making all commands takes a tenth of the program's start time.
func rootFor(a *kit.App, args []string) *cobra.Command {
	all := commands()
	a.TopLevel = func() (list []*cobra.Command) {
		for _, m := range all {
			list = append(list, m.Make(a))
		}
		return list
	}
	for _, arg := range args {
		i := slices.IndexFunc(all, func(m kit.Command) bool { return m.Name == arg })
		if i < 0 {
			continue
		}
		root := root(a, all[i:i+1])
		root.SetArgs(args)
		// The word may also be the value of a flag, or the subject of help.
		if found, _, err := root.Find(args); err == nil && found != root && !aboutAll[arg] {
			return root
		}
		break
	}
	root := root(a, all)
	root.SetArgs(args)
	return root
}

// aboutAll are the commands that need the list of all commands.
var aboutAll = map[string]bool{"completion": true, "man": true}

// root makes the root command with the given commands.
func root(a *kit.App, commands []kit.Command) *cobra.Command {
	root := &cobra.Command{
		Use:   "pakbox",
		Short: "Open, check, edit and rebuild the files in which games keep their data",
		Long: `pakbox opens, checks, edits and rebuilds the files in which games keep their
data. The same commands work on every format; paths lead through archives:

  pakbox ls game.vpk
  pakbox cat backup.zip/game.vpk/docs/readme.txt
  pakbox extract game.vpk -C folder
  pakbox create game.vpk folder`,
		SilenceErrors:      true,
		SilenceUsage:       true,
		DisableSuggestions: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.Running, a.OneFamily = cmd, ofOneFamily(cmd)
			if a.Env.Writing != nil && !onlyLooks(cmd) {
				a.Env.Writing()
			}
			if err := a.ReadConfig(cmd.Flags().Changed("color")); err != nil {
				return err
			}
			for _, flag := range []string{"json", "csv", "raw"} {
				if f := cmd.Flags().Lookup(flag); f != nil && f.Value.String() == "true" {
					a.Out.WithoutColours()
				}
			}
			return kit.FlagsTogether(cmd)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if version, _ := cmd.Flags().GetBool("version"); version {
				return printVersion(a)
			}
			cmd.SetOut(a.Err)
			cmd.Help()
			return kit.ErrUsageShown
		},
	}
	root.SetUsageFunc(printUsage)
	root.CompletionOptions.DisableDefaultCmd = true
	cobra.MousetrapHelpText = "" // start.go has better advice
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return kit.FlagError(cmd, err) })
	root.SetHelpCommand(helpCommand(a))
	root.AddGroup(&cobra.Group{ID: kit.GroupLook, Title: "Look:"}, &cobra.Group{ID: kit.GroupChange, Title: "Change:"},
		&cobra.Group{ID: kit.GroupIndex, Title: "Ask many files at once:"},
		&cobra.Group{ID: kit.GroupGame, Title: "For some games:"}, &cobra.Group{ID: kit.GroupProgram, Title: "For other programs:"})
	for _, m := range commands {
		a.Join(root, m.Make(a))
	}
	for _, c := range kit.AllCommands(root) {
		a.PrintTo(c)
		c.Long, c.Example = kit.Wrap(c.Long), kit.Wrap(c.Example)
	}
	root.Long += "\n\nHelp on topics:\n\n"
	for _, t := range topics {
		if kit.FindCommand(root, []string{t.name}) == nil { // keys is both a topic and a command
			root.AddCommand(t.command(a))
		}
		root.Long += fmt.Sprintf("  pakbox help %-12s %s\n", t.name, t.short)
	}
	root.Long = strings.TrimSuffix(root.Long, "\n")
	root.Flags().Bool("version", false, "print the version")
	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.BoolVar(&a.JSON, "json", false, "print one JSON object per input (see 'pakbox help json')")
	a.ColourFlag(root)
	flags.BoolVarP(&a.Quiet, "quiet", "q", false, "no progress and no messages but errors")
	flags.StringVar(&a.KeysFile, "keys", "", "read keys from `FILE` (or set PAKBOX_KEYS)")
	flags.StringVar(&a.PassphraseFile, "passphrase-file", "", "read the passphrase from the first line of `FILE` (or set PAKBOX_PASSPHRASE)")
	flags.StringVar(&a.CodePage, "code-page", "", "code `PAGE` of the names in packs of Metin2: 949, 1252, utf-8, ...")
	return root
}

// ofOneFamily reports whether a command belongs to a family about one kind of file, such as
// map. The commands of keys take any file.
func ofOneFamily(cmd *cobra.Command) bool {
	family := cmd.Parent()
	return family != nil && family.GroupID == kit.GroupGame && family.Name() != "keys"
}

// onlyLooks reports whether a command never changes the file system.
func onlyLooks(cmd *cobra.Command) bool {
	switch cmd.GroupID {
	case kit.GroupLook, kit.GroupIndex, kit.GroupProgram:
		return !slices.Contains([]string{"extract", "serve", "mount", "index"}, cmd.Name())
	}
	return false
}

// unknownCommand explains an error that cobra found before it knew the command.
func unknownCommand(a *kit.App, root *cobra.Command, err error) error {
	if !strings.HasPrefix(err.Error(), "unknown command") {
		return err
	}
	_, rest, _ := root.Find(a.Env.Args)
	for _, arg := range rest {
		if strings.HasPrefix(arg, "-") {
			continue
		}
		root.SuggestionsMinimumDistance = 2
		u := fault.Usagef("unknown command %q", arg)
		if hint, ok := elsewhere[arg]; ok {
			return u.Hint("%s", hint)
		}
		near := root.SuggestionsFor(arg)
		// A known word of another program is a better suggestion than similar spelling.
		for _, c := range root.Commands() {
			if slices.Contains(c.SuggestFor, arg) {
				return u.Hint("did you mean %s?", question.OrList(append([]string{"'pakbox " + c.Name() + "'"}, commandsBelow(root, arg)...)))
			}
		}
		// So is a subcommand with this name, or an existing file.
		if below := commandsBelow(root, arg); len(below) > 0 {
			return u.Hint("did you mean %s?", question.OrList(below))
		}
		if _, err := os.Stat(arg); err == nil {
			return u.Hint("to see what %s is: pakbox info %s", arg, quote.Word(arg))
		}
		slices.SortStableFunc(near, func(x, y string) int { return sharedPrefix(y, arg) - sharedPrefix(x, arg) })
		if len(near) > 0 {
			return u.Hint("did you mean 'pakbox %s'?", near[0])
		}
		return u.Hint("'pakbox help' lists the commands")
	}
	return fault.Usagef("%v", err)
}

// elsewhere are the words of other programs for what a command of pakbox does: one-letter
// commands of packers, and options that are commands or flags here.
var elsewhere = map[string]string{
	"-?": "'pakbox help' lists the commands",
	"x":  "did you mean 'pakbox extract'?", "e": "did you mean 'pakbox extract'?", "l": "did you mean 'pakbox ls'?",
	"a": "did you mean 'pakbox create', or 'pakbox put' for an archive that exists?", "t": "did you mean 'pakbox verify'?",
	"d": "did you mean 'pakbox rm'?", "watch": "'pakbox index --watch' keeps an index up to date",
}

// commandsBelow lists the subcommands with this name, as a user types them.
func commandsBelow(root *cobra.Command, name string) (found []string) {
	for _, parent := range root.Commands() {
		for _, c := range parent.Commands() {
			if c.Name() == name && c.IsAvailableCommand() {
				found = append(found, "'"+c.CommandPath()+"'")
			}
		}
	}
	return found
}

// sharedPrefix counts the equal letters at the beginning of two words.
func sharedPrefix(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
