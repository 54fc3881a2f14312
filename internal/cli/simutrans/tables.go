package simutrans

import (
	"strings"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/simutrans"
)

// tableCommand lists the objects of a table.
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
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := columns.Wanted(); err != nil {
				return err
			}
			tally := a.Each(many, shell.SchemaName(cmd), "reading", args, func(run *shell.App, name string) error {
				return (&app{run}).addRows(t, name, &columns)
			})
			return a.PrintRows(&columns, tally, t.Usual...)
		},
	}
	many.Flags(cmd)
	columns.Flags(cmd)
	return cmd
}

// addRows adds the objects of a file to the rows.
func (a *app) addRows(t *simutrans.Table, name string, columns *shell.Columns) error {
	s, objects, err := a.openObjects(a.Ctx, name)
	if err != nil {
		return err
	}
	defer s.Close()
	for _, o := range objects {
		record, err := t.Of(o.Node)
		if err == nil && record != nil {
			err = a.AddRow(columns, append(answer.Envelope("simutrans."+t.Name, name, "simutrans"), record...))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
