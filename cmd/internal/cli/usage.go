package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pakbox/cmd/internal/cli/kit"
)

// printUsage prints how a command is used, in cobra's order, with flags that fit the
// width of help. It uses no template, because templates call methods by name: the linker
// would then keep every method of every type, which costs 5 MB.
func printUsage(c *cobra.Command) error {
	w := c.OutOrStderr()
	fmt.Fprint(w, "Usage:")
	if c.Runnable() {
		fmt.Fprint(w, "\n  ", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n  %s [command]", c.CommandPath())
	}
	if len(c.Aliases) > 0 {
		fmt.Fprint(w, "\n\nAliases:\n  ", c.NameAndAliases())
	}
	if c.HasExample() {
		fmt.Fprint(w, "\n\nExamples:\n", c.Example)
	}
	if c.HasAvailableSubCommands() {
		printCommands(w, c)
	}
	if c.HasAvailableLocalFlags() {
		printFlags(w, "Flags", c.LocalFlags())
	}
	if c.HasAvailableInheritedFlags() {
		printFlags(w, "Global Flags", c.InheritedFlags())
	}
	if c.HasHelpSubCommands() {
		fmt.Fprint(w, "\n\nAdditional help topics:")
		printEach(w, c, func(sub *cobra.Command) bool { return sub.IsAdditionalHelpTopicCommand() }, (*cobra.Command).CommandPath)
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n\nUse \"%s [command] --help\" for more information about a command.", c.CommandPath())
	}
	fmt.Fprintln(w)
	return nil
}

// printCommands lists the commands below a command, by group if there are groups.
func printCommands(w io.Writer, c *cobra.Command) {
	list := func(title, group string, all bool) {
		fmt.Fprint(w, "\n\n", title)
		printEach(w, c, func(sub *cobra.Command) bool {
			return (all || sub.GroupID == group) && (sub.IsAvailableCommand() || sub.Name() == "help")
		}, (*cobra.Command).Name)
	}
	if len(c.Groups()) == 0 {
		list("Available Commands:", "", true)
		return
	}
	for _, g := range c.Groups() {
		list(g.Title, g.ID, false)
	}
	if !c.AllChildCommandsHaveGroup() {
		list("More about pakbox and its formats:", "", false)
	}
}

// printEach prints the names and descriptions of subcommands.
func printEach(w io.Writer, c *cobra.Command, want func(*cobra.Command) bool, name func(*cobra.Command) string) {
	for _, sub := range c.Commands() {
		if want(sub) {
			width := sub.NamePadding()
			if sub.IsAdditionalHelpTopicCommand() {
				width = sub.CommandPathPadding()
			}
			fmt.Fprintf(w, "\n  %-*s %s", width, name(sub), sub.Short)
		}
	}
}

func printFlags(w io.Writer, title string, flags *pflag.FlagSet) {
	fmt.Fprintf(w, "\n\n%s:\n%s", title, strings.TrimRight(flags.FlagUsagesWrapped(kit.HelpWidth), " \n"))
}
