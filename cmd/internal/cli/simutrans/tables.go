package simutrans

import (
	"strings"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/simutrans"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/simutrans"
)

// tableCommand makes the command that lists the objects of a table.
func tableCommand(a *kit.App, t *simutrans.Table) *cobra.Command {
	many := kit.Many{Folders: true}
	var columns kit.Columns
	cmd := &cobra.Command{
		Use:   t.Name + " PATH...",
		Short: "List the " + t.Name + " of a Simutrans pakset, to compare them",
		Long: `List the ` + t.Name + ` in object files, and in those of folders.
` + t.Doc + ` The columns are those of --json.`,
		Example: `  pakbox simutrans ` + t.Name + ` pak --sort intro
  pakbox simutrans ` + t.Name + ` pak --csv > ` + t.Name + `.csv
  pakbox simutrans ` + t.Name + ` pak --fields ` + strings.Join(t.Usual[:3], ","),
		RunE: func(cmd *cobra.Command, args []string) error {
			q := answers.TableQuestions[t.Name]
			asking := kit.Asking[question.NoParams, *answers.ObjectTable]{
				Question: q, Columns: &columns, Always: true, Usual: t.Usual,
				Params: func(kit.Input) question.NoParams { return question.NoParams{} },
			}
			_, err := asking.Each(a, many, q.Name, "reading", func() []kit.Input { return a.Inputs(many, q.Name, args) })
			return err
		},
	}
	many.Flags(cmd)
	columns.Flags(cmd)
	return cmd
}
