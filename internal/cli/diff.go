package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
)

func (a *app) diffCommand() *cobra.Command {
	return &cobra.Command{
		Use:        "diff A B",
		GroupID:    shell.GroupLook,
		SuggestFor: []string{"compare"},
		Short:      "Compare two archives by the content of their files",
		Long: `Diff lists the files that are only in B (added), only in A (removed), or in
both with different content (changed). The two may be of different formats, or
folders, or inside archives. The exit code is 1 if there is a difference.

Two GBX files are compared value by value: by node, chunk and field. Two
Simutrans files are compared by object, field and pixel.`,
		Example: `  pakbox diff old.vpk new.vpk
  pakbox diff game.vpk folder
  pakbox diff --json backup.zip/game.vpk game.vpk
  pakbox diff A.Map.Gbx B.Map.Gbx`,
		Args: shell.ArgCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.diff(cmd.Context(), args[0], args[1])
		},
	}
}

func (a *app) diff(ctx context.Context, nameA, nameB string) error {
	end := a.Watch("comparing")
	d, err := answer.Diff(ctx, a.Opener, nameA, nameB)
	end()
	switch {
	case err != nil:
		return err
	case a.JSON:
		a.Print(d.Object())
	case d.ByValue:
		a.PrintValueChanges(d.Values)
	default:
		a.printChanges(d.Files)
	}
	if !d.Same() {
		return shell.ErrFound
	}
	return nil
}

func (a *app) printChanges(changes []archive.Change) {
	size := func(e *archive.Entry) string {
		if e.Size < 0 {
			return "?"
		}
		return fmt.Sprint(e.Size)
	}
	for _, c := range changes {
		sizes := ""
		switch {
		case c.Old == nil:
			sizes = size(c.New)
		case c.New == nil:
			sizes = size(c.Old)
		default:
			sizes = size(c.Old) + " -> " + size(c.New)
		}
		fmt.Fprintf(a.Out, "%-8s %s (%s)\n", c.Kind, shell.Printable(c.Name), sizes)
	}
}
