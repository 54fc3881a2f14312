package kit

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/quote"
)

// Join adds a subcommand. Its usage line gives the number of arguments. Unless it has its
// own completion, its arguments are completed as paths through archives.
func (a *App) Join(parent, c *cobra.Command) {
	if c.Args == nil {
		c.Args = argsOf(c.Use)
	}
	if c.ValidArgsFunction == nil && len(c.ValidArgs) == 0 {
		c.ValidArgsFunction = a.CompletePath
	}
	run := c.RunE
	c.RunE = func(cmd *cobra.Command, args []string) error { return run(cmd, UnmarkPaths(args)) }
	parent.AddCommand(c)
}

// Family makes a command that only has subcommands, such as 'pakbox keys ls'. They work
// like top-level commands: with paths through archives, and their completion. If the
// arguments of the run name a member, only this one is made.
func (a *App) Family(parent *cobra.Command, members ...Command) *cobra.Command {
	var names []string
	only := a.member(parent.Name(), members)
	for _, c := range members {
		names = append(names, c.Name)
		if only == "" || only == c.Name {
			a.Join(parent, c.Make(a))
		}
	}
	if list := strings.Join(names, "|"); len(list) < 50 {
		parent.Use += " " + list
	} else {
		parent.Use += " COMMAND"
	}
	parent.Args = cobra.ArbitraryArgs
	parent.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			cmd.SetOut(a.Err)
			cmd.Help()
			return ErrUsageShown
		}
		u := fault.Usagef("unknown command %q", FullName(cmd)+" "+args[0])
		switch meant := a.meant(cmd, args[0]); {
		case source.Exists(args[0]):
			u.Hint("to see what %s is: pakbox info %s", args[0], quote.Word(args[0]))
		case meant != nil && meant.Parent() == cmd:
			return u.Hint("did you mean 'pakbox %s'?", FullName(meant))
		case meant != nil:
			u.Hint("did you mean 'pakbox %s'?", meant.Name())
		}
		return u.Hint("'pakbox help %s' lists its commands: %s", FullName(cmd), strings.Join(names, ", "))
	}
	return parent
}

// member returns the name of the member of a family that the arguments of the run ask
// for, or "" if all members are needed: for help, completion and advice.
func (a *App) member(family string, members []Command) string {
	for i, arg := range a.Env.Args {
		switch arg {
		case "help", "man", "completion", "-h", "--help":
			return ""
		case family:
			for _, c := range members {
				if i+1 < len(a.Env.Args) && a.Env.Args[i+1] == c.Name {
					return c.Name
				}
			}
			return ""
		}
	}
	return ""
}

// meant finds the command for a word that no subcommand of a family has as its name: the
// subcommand or the command of the root for which other programs use the word, or else
// one that is spelled alike.
func (a *App) meant(family *cobra.Command, word string) *cobra.Command {
	for _, c := range slices.Concat(family.Commands(), a.TopLevel()) {
		if c.Name() == word || slices.Contains(c.SuggestFor, word) {
			return c
		}
	}
	family.SuggestionsMinimumDistance = 2
	for _, near := range family.SuggestionsFor(word) {
		return FindCommand(family, []string{near})
	}
	return nil
}

// FullName returns a command as the user types it after pakbox: "keys ls".
func FullName(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// SchemaName returns the name of a command in the schema field of its JSON: "keys.ls".
func SchemaName(cmd *cobra.Command) string {
	return strings.ReplaceAll(FullName(cmd), " ", ".")
}

// UsageLine returns the command line of a command, without its flags.
func UsageLine(cmd *cobra.Command) string {
	return strings.TrimSuffix(cmd.CommandPath(), cmd.Name()) + cmd.Use
}

// FindCommand finds a command by its words, such as "keys", "ls".
func FindCommand(root *cobra.Command, words []string) *cobra.Command {
	at := root
	for _, word := range words {
		var next *cobra.Command
		for _, c := range at.Commands() {
			if c.Name() == word && c.Runnable() {
				next = c
			}
		}
		if next == nil {
			return nil
		}
		at = next
	}
	return at
}

// AllCommands lists all commands below a command that can be run. The subcommands of a
// family follow it.
func AllCommands(parent *cobra.Command) (all []*cobra.Command) {
	for _, c := range parent.Commands() {
		if c.Runnable() && !c.Hidden {
			all = append(append(all, c), AllCommands(c)...)
		}
	}
	return all
}

// JobsFlag adds the flag that limits the parallel work of a command.
func JobsFlag(cmd *cobra.Command, jobs *int) {
	cmd.Flags().IntVarP(jobs, "jobs", "j", 0, "work on `N` files at a time (0 means one per core)")
}
