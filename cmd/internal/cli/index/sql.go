package index

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/fault"
	"pakbox/index/ask"
)

func sqlCommand(a *kit.App) *cobra.Command {
	var p printing
	var attach []string
	cmd := &cobra.Command{
		Use:     "sql INDEX QUERY",
		GroupID: kit.GroupIndex,
		Short:   "Ask an index of many files in SQL",
		Long: `Sql runs a query, in SQLite's SQL, on an index that 'pakbox index' made. It
prints the rows as a table, as CSV, or as JSON with an object on each line. The index is only
read. INDEX may be a folder: its index is kept in your cache, and updated first.
Hashes are printed in hexadecimal; in a query they are x'…'. With --attach,
a query can use the tables of a second index: NAME.files, NAME.maps.

'pakbox help tables' lists the tables and their columns.`,
		Example: `  pakbox sql my.pakbox.sqlite 'select status, count(*) from files group by 1'
  pakbox sql my.pakbox.sqlite 'select path, medals_author from maps join files using (file)
    order by medals_author limit 10' --csv
  pakbox sql my.pakbox.sqlite "select path from search('sunset')
    join texts on id = search.rowid join files using (file)"
  pakbox sql mine.sqlite --attach yours=theirs.sqlite
    'select name from yours.maps where uid not in (select uid from maps)'`,
		Args: kit.ArgCount(2, 2),
		RunE: asIndex(a, func(cmd *cobra.Command, x *ask.Index, args []string) error {
			for _, text := range attach {
				name, file, ok := strings.Cut(text, "=")
				if !ok {
					return fault.Usagef("--attach: %q is not of the form NAME=FILE", text)
				}
				if err := x.Attach(cmd.Context(), name, file); err != nil {
					return noIndex(err)
				}
			}
			found, err := x.SQL(cmd.Context(), args[1])
			if err == nil {
				err = rows(cmd.Context(), a, "sql", p, found, nil)
			}
			if errors.As(err, new(*ask.QueryError)) {
				return fault.WithHint(err, "'pakbox help tables' lists the tables and their columns")
			}
			return err
		}),
	}
	p.flags(cmd)
	cmd.Flags().StringArrayVar(&attach, "attach", nil, "let the query use a second index: `NAME=FILE`")
	return cmd
}
