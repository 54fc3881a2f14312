package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
)

func (a *app) getCommand() *cobra.Command {
	var many shell.Many
	cmd := &cobra.Command{
		Use:     "get FILE... PATH...",
		GroupID: shell.GroupLook,
		Short:   "Print values of a file by their paths",
		Long: `Get prints the values that PATHs lead to. A path is the names that 'pakbox dump'
shows, joined by dots, with [n] for the n-th element of a list; chunks are called
by their ID. As few names as tell the value apart are enough: mapName will do
where the header and the body hold the same name.

The values of a Simutrans object are its fields; in a file of several objects,
the object stands in front: all.pak/vehicle.Tram, or vehicle.Tram/topspeed.`,
		Example: `  pakbox get A.Map.Gbx mapName
  pakbox get A.Map.Gbx header.03043002.authorTime
  pakbox get A.Map.Gbx 'body.0304301F.blocks[3]'
  pakbox get --json A.Map.Gbx mapName authorTime
  pakbox get all.pak/vehicle.Tram topspeed intro`,
		Args: shell.ArgCount(2, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, paths := splitFiles(args, source.Exists)
			if len(paths) == 0 {
				return hint.Usagef("get: there is no PATH behind the files").Hint("usage: pakbox %s", cmd.Use)
			}
			t := a.Each(many, "get", "reading", files, func(run *shell.App, file string) error {
				return (&app{run}).get(file, paths)
			})
			a.Summary(t, "read", "")
			return nil
		},
	}
	many.Flags(cmd)
	return cmd
}

// splitFiles takes the files that stand in front of other arguments. The first
// argument always is one.
func splitFiles(args []string, isFile func(arg string) bool) (files, rest []string) {
	n := 1
	for n < len(args) && isFile(args[n]) {
		n++
	}
	return args[:n], args[n:]
}

func (a *app) get(file string, paths []string) error {
	found, texts, err := answer.Values(a.Ctx, a.Opener, file, paths)
	switch {
	case err != nil:
		return err
	case a.JSON:
		return a.Print(found)
	}
	label := ""
	if a.Input.Many {
		label = shell.Printable(file) + ": "
	}
	for _, text := range texts {
		fmt.Fprintf(a.Out, "%s%s\n", label, shell.PrintableLines(text))
	}
	return nil
}
