package collection

import (
	"github.com/spf13/cobra"

	"pakbox/index/ask"
	"pakbox/internal/cli/shell"
)

func (a *app) sqlCommand() *cobra.Command {
	var p printing
	cmd := &cobra.Command{
		Use:     "sql INDEX QUERY",
		GroupID: shell.GroupLook,
		Short:   "Ask an index of many files in SQL",
		Long: `Sql asks an index that 'pakbox index' made in the SQL of SQLite, and prints the
rows: as a table, or as CSV, or as JSON, an object a line. The index is only
read. Hashes are printed in hexadecimal; in a query they are x'…'.

'pakbox help tables' lists the tables and their columns.`,
		Example: `  pakbox sql my.pakbox.sqlite 'select status, count(*) from files group by 1'
  pakbox sql my.pakbox.sqlite 'select path, medals_author from maps join files using (file)
    order by medals_author limit 10' --csv
  pakbox sql my.pakbox.sqlite "select path from search('sunset')
    join texts on id = search.rowid join files using (file)"`,
		Args: shell.ArgCount(2, 2),
		RunE: asIndex(func(cmd *cobra.Command, x *ask.Index, args []string) error {
			found, err := x.SQL(cmd.Context(), args[1])
			if err != nil {
				return err
			}
			return a.rows(cmd.Context(), "sql", p, found, nil)
		}),
	}
	p.flags(cmd)
	return cmd
}
