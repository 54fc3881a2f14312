package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// family makes a command that only holds others, such as 'pakbox keys ls'.
// They work like the commands of the root: with paths through archives, and
// completion of such paths.
func (a *app) family(parent *cobra.Command, members ...*cobra.Command) *cobra.Command {
	var names []string
	for _, c := range members {
		c.ValidArgsFunction = a.completePath
		run := c.RunE
		c.RunE = func(cmd *cobra.Command, args []string) error { return run(cmd, unmarkPaths(args)) }
		parent.AddCommand(c)
		names = append(names, c.Name())
	}
	parent.Use += " " + strings.Join(names, "|")
	parent.Args = cobra.ArbitraryArgs
	parent.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			cmd.SetOut(a.env.Stderr)
			cmd.Help()
			return errUsageShown
		}
		cmd.SuggestionsMinimumDistance = 2
		u := usagef("there is no command %q", fullName(cmd)+" "+args[0])
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			return u.hint("did you mean 'pakbox %s %s'?", fullName(cmd), near[0])
		}
		return u.hint("'pakbox help %s' lists its commands: %s", fullName(cmd), strings.Join(names, ", "))
	}
	return parent
}

// fullName is a command as one types it behind pakbox: "keys ls".
func fullName(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// schemaName is a command as the schema field of its JSON has it: "keys.ls".
func schemaName(cmd *cobra.Command) string {
	return strings.ReplaceAll(fullName(cmd), " ", ".")
}

// usageLine is the command line of a command, without its flags.
func usageLine(cmd *cobra.Command) string {
	return strings.TrimSuffix(cmd.CommandPath(), cmd.Name()) + cmd.Use
}

// findCommand finds a command by its words: "keys", "ls".
func findCommand(root *cobra.Command, words []string) *cobra.Command {
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

// allCommands lists what can be run below a command, families with their
// members behind them.
func allCommands(parent *cobra.Command) (all []*cobra.Command) {
	for _, c := range parent.Commands() {
		if c.Runnable() && !c.Hidden {
			all = append(append(all, c), allCommands(c)...)
		}
	}
	return all
}

// jobsFlag gives a command that works in parallel the flag that bounds it.
func jobsFlag(cmd *cobra.Command, jobs *int) {
	cmd.Flags().IntVarP(jobs, "jobs", "j", 0, "work on `N` files at a time (0 means one per core)")
}
