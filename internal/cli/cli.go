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

	"pakbox/internal/cli/collection"
	"pakbox/internal/cli/mount"
	"pakbox/internal/cli/nadeo"
	"pakbox/internal/cli/page"
	"pakbox/internal/cli/reach"
	"pakbox/internal/cli/shell"
	"pakbox/internal/cli/simutrans"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
)

// Run runs one command and returns the program's exit code. When ctx ends, the work stops
// and unfinished output is removed.
func Run(ctx context.Context, env shell.Env) int {
	a := &app{shell.New(ctx, env)}
	if env.OwnConsole {
		if files, ok := a.clicked(env.Args); ok {
			return runClicked(ctx, env, files)
		}
	}
	defer a.CleanUp()
	root := a.rootFor(shell.MarkPaths(env.Args))
	root.SetOut(a.Out)
	root.SetErr(env.Stderr)

	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && cmd == root {
		err = a.unknownCommand(root, err)
	}
	// If printing a finding fails, that failure is the result.
	if flushed := a.Out.Flush(); flushed != nil && (err == nil || errors.Is(err, shell.ErrFound)) {
		err = flushed
	}
	if err != nil {
		a.Fail(shell.SchemaName(cmd), strings.TrimPrefix(cmd.Flags().Arg(0), shell.PathMark), err)
		a.Out.Flush()
	}
	return a.Code
}

// app is the state of this run of the program, which all commands share.
type app struct{ *shell.App }

// commands lists all commands, in the order of the help.
func (a *app) commands() []shell.Maker {
	return slices.Concat([]shell.Maker{
		{Name: "info", Make: a.infoCommand}, {Name: "ls", Make: a.lsCommand}, {Name: "cat", Make: a.catCommand},
		{Name: "extract", Make: a.extractCommand}, {Name: "verify", Make: a.verifyCommand}, {Name: "diff", Make: a.diffCommand},
		{Name: "dump", Make: a.dumpCommand}, {Name: "get", Make: a.getCommand}, {Name: "query", Make: a.queryCommand},
		{Name: "grep", Make: a.grepCommand},
		{Name: "create", Make: a.createCommand}, {Name: "convert", Make: a.convertCommand}, {Name: "put", Make: a.putCommand},
		{Name: "rm", Make: a.rmCommand}, {Name: "mv", Make: a.mvCommand}, {Name: "set", Make: a.setCommand},
		{Name: "edit", Make: a.editCommand},
		{Name: "keys", Make: a.keysCommand},
	}, collection.Commands(a.App), nadeo.Commands(a.App), simutrans.Commands(a.App), page.Commands(a.App), mount.Commands(a.App), reach.Commands(a.App, Run), []shell.Maker{
		{Name: "config", Make: a.configCommand}, {Name: "explain", Make: a.explainCommand}, {Name: "schema", Make: a.schemaCommand},
		{Name: "completion", Make: a.completionCommand}, {Name: "man", Make: a.manCommand}, {Name: "version", Make: a.versionCommand},
	})
}

// rootFor makes the root command. If the arguments name a command, it makes only that
// one: making all commands takes a tenth of the program's start time.
func (a *app) rootFor(args []string) *cobra.Command {
	all := a.commands()
	a.TopLevel = func() (list []*cobra.Command) {
		for _, m := range all {
			list = append(list, m.Make())
		}
		return list
	}
	for _, arg := range args {
		i := slices.IndexFunc(all, func(m shell.Maker) bool { return m.Name == arg })
		if i < 0 {
			continue
		}
		root := a.root(all[i : i+1])
		root.SetArgs(args)
		// The word may also be the value of a flag, or the subject of help.
		if found, _, err := root.Find(args); err == nil && found != root && !aboutAll[arg] {
			return root
		}
		break
	}
	root := a.root(all)
	root.SetArgs(args)
	return root
}

// aboutAll are the commands that need the list of all commands.
var aboutAll = map[string]bool{"completion": true, "man": true}

// root makes the root command with the given commands.
func (a *app) root(commands []shell.Maker) *cobra.Command {
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
			if a.Env.Writing != nil && !onlyLooks(cmd) {
				a.Env.Writing()
			}
			if err := a.ReadConfig(cmd.Flags().Changed("color")); err != nil {
				return err
			}
			return shell.FlagsTogether(cmd)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if version, _ := cmd.Flags().GetBool("version"); version {
				return a.printVersion()
			}
			cmd.SetOut(a.Env.Stderr)
			cmd.Help()
			return shell.ErrUsageShown
		},
	}
	root.SetUsageFunc(printUsage)
	root.CompletionOptions.DisableDefaultCmd = true
	cobra.MousetrapHelpText = "" // start.go has better advice
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return shell.FlagError(cmd, err) })
	root.SetHelpCommand(a.helpCommand())
	root.AddGroup(&cobra.Group{ID: shell.GroupLook, Title: "Look:"}, &cobra.Group{ID: shell.GroupChange, Title: "Change:"},
		&cobra.Group{ID: shell.GroupIndex, Title: "Ask many files at once:"},
		&cobra.Group{ID: shell.GroupGame, Title: "For some games:"}, &cobra.Group{ID: shell.GroupProgram, Title: "For other programs:"})
	for _, m := range commands {
		a.Join(root, m.Make())
	}
	for _, c := range shell.AllCommands(root) {
		c.Long, c.Example = shell.Wrap(c.Long), shell.Wrap(c.Example)
	}
	root.Long += "\n\nHelp on topics:\n\n"
	for _, t := range topics {
		if shell.FindCommand(root, []string{t.name}) == nil { // keys is both a topic and a command
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

// onlyLooks reports whether a command never changes the file system.
func onlyLooks(cmd *cobra.Command) bool {
	switch cmd.GroupID {
	case shell.GroupLook, shell.GroupIndex, shell.GroupProgram:
		return !slices.Contains([]string{"extract", "serve", "mount", "index"}, cmd.Name())
	}
	return false
}

// unknownCommand explains an error that cobra found before it knew the command.
func (a *app) unknownCommand(root *cobra.Command, err error) error {
	if !strings.HasPrefix(err.Error(), "unknown command") {
		return err
	}
	_, rest, _ := root.Find(a.Env.Args)
	for _, arg := range rest {
		if strings.HasPrefix(arg, "-") {
			continue
		}
		root.SuggestionsMinimumDistance = 2
		u := hint.Usagef("there is no command %q", arg)
		near := root.SuggestionsFor(arg)
		// A known word of another program is a better suggestion than similar spelling.
		for _, c := range root.Commands() {
			if slices.Contains(c.SuggestFor, arg) {
				return u.Hint("did you mean 'pakbox %s'?", c.Name())
			}
		}
		// So is a subcommand with this name, or an existing file.
		if below := commandsBelow(root, arg); len(below) > 0 {
			return u.Hint("did you mean %s?", form.OrList(below))
		}
		if _, err := os.Stat(arg); err == nil {
			return u.Hint("to see what %s is: pakbox info %s", arg, hint.Word(arg))
		}
		slices.SortStableFunc(near, func(x, y string) int { return sharedPrefix(y, arg) - sharedPrefix(x, arg) })
		if len(near) > 0 {
			return u.Hint("did you mean 'pakbox %s'?", near[0])
		}
		return u.Hint("'pakbox help' lists the commands")
	}
	return hint.Usagef("%v", err)
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
