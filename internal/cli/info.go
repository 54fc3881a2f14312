package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"pakbox/archive"
)

func (a *app) infoCommand() *cobra.Command {
	return &cobra.Command{
		Use:        "info FILE...",
		GroupID:    groupLook,
		SuggestFor: []string{"show", "file", "stat", "identify"},
		Short:      "Say what a file is, with the facts people look for first",
		Long: `Info prints a card for each file: its format, what its header says, and how
much it holds. FILE may be an archive, a folder, or anything inside one.

Of an encrypted archive whose passphrase is not given, info shows what stands
in the clear.`,
		Example: `  pakbox info game.vpk
  pakbox info backup.zip/game.vpk
  pakbox info --json *.vpk`,
		Args: argCount(1, unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			cards := 0
			for _, file := range a.paths(cmd.Context(), "info", args) {
				c, err := info(cmd.Context(), a.opener, file)
				if err == nil {
					if cards++; cards > 1 && !a.json {
						fmt.Fprintln(a.out)
					}
					err = a.printCard(c)
				}
				if err != nil {
					a.fail("info", file, err)
				}
			}
			return nil
		},
	}
}

func (a *app) printCard(c card) error {
	if a.json {
		return a.print(c.object())
	}
	description := c.format
	if f, ok := a.formats.ByName(c.format); ok {
		description = fmt.Sprintf("%s (%s)", f.Name(), f.Description())
	}
	lines := append([]archive.Fact{
		{Name: "path", Label: "Name", Value: c.path},
		{Name: "format", Label: "Format", Value: description},
	}, c.facts...)
	lines = slices.DeleteFunc(lines, func(f archive.Fact) bool { return f.Label == "" || f.Value == "" && f.Text == "" })
	width := 0
	for _, f := range lines {
		width = max(width, len(f.Label))
	}
	for _, f := range lines {
		fmt.Fprintf(a.out, "%-*s  %s\n", width, f.Label, printable(factText(f)))
	}
	if c.locked {
		a.note("hint: give the passphrase or key to see the rest; see 'pakbox help keys'")
	}
	return nil
}
