// Package cli is pakbox's command line: one file per command, each a thin
// layer that turns arguments into calls of package archive and its answers
// into text or JSON. It knows no format; the registry it is given does. The
// exception are the commands that only one game has, such as simutrans.
//
// Its manners: data goes to standard output, everything else to standard
// error. A message is one line, "pakbox: " and a sentence without capital
// letter or full stop; advice follows as "pakbox: hint: " lines. Nothing is
// overwritten without --force. Exit codes are listed in exit.go.
//
// A new command is one file with a method that returns a *cobra.Command, and
// one entry in [app.commands].
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Run runs one command and returns the program's exit code. When ctx ends,
// the work stops, and what was not finished is taken back.
func Run(ctx context.Context, env Env) int {
	a := newApp(ctx, env)
	if env.OwnConsole {
		if files, ok := a.clicked(env.Args); ok {
			return runClicked(ctx, env, files)
		}
	}
	defer a.cleanUp()
	root := a.rootFor(markPaths(env.Args))
	root.SetOut(a.out)
	root.SetErr(env.Stderr)

	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && cmd == root {
		err = a.unknownCommand(root, err)
	}
	// What was found but could not be printed was not found.
	if flushed := a.out.Flush(); flushed != nil && (err == nil || errors.Is(err, errFound)) {
		err = flushed
	}
	if err != nil {
		a.fail(schemaName(cmd), strings.TrimPrefix(cmd.Flags().Arg(0), pathMark), err)
		a.out.Flush()
	}
	return a.code
}

// commands lists every command, in the order that help shows them.
func (a *app) commands() []maker {
	return []maker{
		{"info", a.infoCommand}, {"ls", a.lsCommand}, {"cat", a.catCommand}, {"extract", a.extractCommand}, {"verify", a.verifyCommand}, {"diff", a.diffCommand},
		{"dump", a.dumpCommand}, {"get", a.getCommand}, {"query", a.queryCommand},
		{"create", a.createCommand}, {"convert", a.convertCommand}, {"put", a.putCommand}, {"rm", a.rmCommand}, {"mv", a.mvCommand}, {"set", a.setCommand},
		{"map", a.mapCommand}, {"replay", a.replayCommand}, {"tally", a.tallyCommand}, {"campaign", a.campaignCommand}, {"mesh", a.meshCommand},
		{"simutrans", a.simutransCommand}, {"makeobj", a.makeobjCommand}, {"keys", a.keysCommand}, {"drives", a.drivesCommand},
		{"class", a.classCommand}, {"completion", a.completionCommand}, {"man", a.manCommand}, {"version", a.versionCommand},
	}
}

// rootFor is the root with all commands or, where that is enough, with only the
// one that the arguments mean: making all takes a tenth of the time that the
// program takes to start.
func (a *app) rootFor(args []string) *cobra.Command {
	all := a.commands()
	for _, arg := range args {
		i := slices.IndexFunc(all, func(m maker) bool { return m.name == arg })
		if i < 0 {
			continue
		}
		root := a.root(all[i : i+1])
		root.SetArgs(args)
		// It may be the value of a flag, or the subject of help.
		if found, _, err := root.Find(args); err == nil && found != root && !aboutAll[arg] {
			return root
		}
		break
	}
	root := a.root(all)
	root.SetArgs(args)
	return root
}

// aboutAll are the commands that show the others.
var aboutAll = map[string]bool{"completion": true, "man": true}

// root is the command that has the given ones.
func (a *app) root(commands []maker) *cobra.Command {
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
			if a.env.Writing != nil && !onlyLooks(cmd) {
				a.env.Writing()
			}
			return flagsTogether(cmd)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if version, _ := cmd.Flags().GetBool("version"); version {
				return a.printVersion()
			}
			cmd.SetOut(a.env.Stderr)
			cmd.Help()
			return errUsageShown
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	cobra.MousetrapHelpText = "" // start.go has better advice
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return flagError(cmd, err) })
	root.SetHelpCommand(a.helpCommand())
	root.AddGroup(&cobra.Group{ID: groupLook, Title: "Look:"}, &cobra.Group{ID: groupChange, Title: "Change:"},
		&cobra.Group{ID: groupGame, Title: "For some games:"})
	for _, m := range commands {
		c := m.make()
		if c.GroupID != "" { // a command on files
			c.ValidArgsFunction = a.completePath
			run := c.RunE
			c.RunE = func(cmd *cobra.Command, args []string) error { return run(cmd, unmarkPaths(args)) }
		}
		root.AddCommand(c)
	}
	root.Long += "\n\nHelp on topics:\n\n"
	for _, t := range topics {
		if findCommand(root, []string{t.name}) == nil { // keys is both
			root.AddCommand(t.command(a))
		}
		root.Long += fmt.Sprintf("  pakbox help %-12s %s\n", t.name, t.short)
	}
	root.Long = strings.TrimSuffix(root.Long, "\n")
	root.Flags().Bool("version", false, "print the version")
	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.BoolVar(&a.json, "json", false, "print one JSON object per input (see 'pakbox help json')")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "no progress and no messages but errors")
	flags.StringVar(&a.keysFile, "keys", "", "read keys from `FILE` (or set PAKBOX_KEYS)")
	flags.StringVar(&a.passphraseFile, "passphrase-file", "", "read the passphrase from the first line of `FILE` (or set PAKBOX_PASSPHRASE)")
	return root
}

// onlyLooks reports whether a command leaves the file system as it is.
func onlyLooks(cmd *cobra.Command) bool {
	return cmd.GroupID == groupLook && cmd.Name() != "extract"
}

// unknownCommand explains an error that cobra met before it found a command.
func (a *app) unknownCommand(root *cobra.Command, err error) error {
	if !strings.HasPrefix(err.Error(), "unknown command") {
		return err
	}
	_, rest, _ := root.Find(a.env.Args)
	for _, arg := range rest {
		if strings.HasPrefix(arg, "-") {
			continue
		}
		root.SuggestionsMinimumDistance = 2
		u := usagef("there is no command %q", arg)
		near := root.SuggestionsFor(arg)
		slices.SortStableFunc(near, func(x, y string) int { return sharedPrefix(y, arg) - sharedPrefix(x, arg) })
		if len(near) > 0 {
			return u.hint("did you mean 'pakbox %s'?", near[0])
		}
		if _, err := os.Stat(arg); err == nil {
			return u.hint("to see what %s is: pakbox info %s", arg, arg)
		}
		return u.hint("'pakbox help' lists the commands")
	}
	return usagef("%v", err)
}

// sharedPrefix counts the letters that two words begin with.
func sharedPrefix(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
