package files

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
)

func diffCommand(a *kit.App) *cobra.Command {
	var values bool
	cmd := &cobra.Command{
		Use:        "diff A B",
		GroupID:    kit.GroupLook,
		SuggestFor: []string{"compare"},
		Short:      "Compare two archives by the content of their files",
		Long: `Diff lists the files that are only in B (added), only in A (removed), or in
both with different content (changed). The two may be of different formats, or
folders, or inside archives. The exit code is 1 if there is a difference.

Two maps are compared by what people see: names and medals, blocks and items
that came, went, moved or changed. Two runs are compared split by split. --values
shows every value that differs instead, by node, chunk and field; other GBX files
are always compared so. Two Simutrans files are compared by object, field and
pixel. Changed files in archives are compared in the same way.`,
		Example: `  pakbox diff old.vpk new.vpk
  pakbox diff game.vpk folder
  pakbox diff --json backup.zip/game.vpk game.vpk
  pakbox diff A.Map.Gbx B.Map.Gbx
  pakbox diff --values A.Replay.Gbx B.Replay.Gbx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.Opener.Streams = true
			params := answer.FileDiff.NewParams()
			params.Other = args[1]
			defer a.Watch("comparing")()
			return kit.AskOne(a, args[0], answer.FileDiff, params, func(_ *kit.App, _ string, d *answer.Difference) error {
				if d.Same() {
					a.Note("no differences")
				}
				printDifference(a, d, values, "")
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&values, "values", false, "show every value that differs")
	return cmd
}

// printDifference prints how two files differ. For maps and runs it uses words for
// people, unless values are requested or show more.
func printDifference(a *kit.App, d *answer.Difference, values bool, indent string) {
	switch {
	case d.ByValue && !values && len(d.Words) > 0:
		a.PrintValueChanges(indent, d.Words)
		a.Note("%s differ; --values lists them", question.Count(len(d.Values), "value"))
	case d.ByValue:
		a.PrintValueChanges(indent, d.Values)
	default:
		printChanges(a, d, values, indent)
	}
}

func printChanges(a *kit.App, d *answer.Difference, values bool, indent string) {
	size := func(e *archive.Entry) string {
		if e.Size < 0 {
			return "?"
		}
		return fmt.Sprint(e.Size)
	}
	for _, c := range d.Files {
		sizes := ""
		switch {
		case c.Old == nil:
			sizes = size(c.New)
		case c.New == nil:
			sizes = size(c.Old)
		default:
			sizes = size(c.Old) + " -> " + size(c.New)
		}
		fmt.Fprintf(a.Out, "%s%-8s %s (%s)\n", indent, c.Kind, kit.Printable(c.Name), sizes)
		if inner := d.Inside[c.Name]; inner != nil {
			printDifference(a, inner, values, indent+"  ")
		}
	}
}
