package simutrans

import (
	"strings"

	"github.com/spf13/cobra"

	"pakbox/internal/answer/pakset"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/question"
	"pakbox/simutrans"
)

// tableCommand makes the command that lists the objects of a table.
func (a *app) tableCommand(t *simutrans.Table) *cobra.Command {
	many := shell.Many{Folders: true}
	var columns shell.Columns
	cmd := &cobra.Command{
		Use:   t.Name + " PATH...",
		Short: "List the " + t.Name + " of a Simutrans pakset, to compare them",
		Long: `List the ` + t.Name + ` in object files, and in those of folders.
` + t.Doc + ` The columns are those of --json.`,
		Example: `  pakbox simutrans ` + t.Name + ` pak --sort intro
  pakbox simutrans ` + t.Name + ` pak --csv > ` + t.Name + `.csv
  pakbox simutrans ` + t.Name + ` pak --fields ` + strings.Join(t.Usual[:3], ","),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := columns.Wanted(); err != nil {
				return err
			}
			q := pakset.TableQuestions[t.Name]
			tally := a.Each(many, q.Name, "reading", args, func(run *shell.App, name string) error {
				list, err := q.Ask(run.Ctx, run.At(name), question.NoParams{})
				if err != nil {
					return err
				}
				for _, o := range list.Objects {
					if err := run.AddRow(&columns, append(form.Envelope(q.Name, name, "simutrans"), o.Record...)); err != nil {
						return err
					}
				}
				return nil
			})
			return a.PrintRows(&columns, tally, t.Usual...)
		},
	}
	many.Flags(cmd)
	columns.Flags(cmd)
	return cmd
}
