package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

func mapRenameCommand(a *kit.App) *cobra.Command {
	save := kit.Output{InPlace: true}
	var many kit.Many
	cmd := &cobra.Command{
		Use:   "rename MAP... NAME",
		Short: "Give a map another name",
		Long: `Rename changes the name wherever the map has it: in the header, in the header's
XML, which sites read, and in the body. The file keeps its own name. NAME may
hold $ codes. It may also hold facts of the map in braces: {name} is the old
name, {author_login} the author's login, {n} the number of the map among those
given, {file} and {dir} its file and folder. The same words can stand in the
name of the output, where {name} is the name of the file and {map_name} that of
the map. Write {{ for a brace.`,
		Example: `  pakbox map rename A.Map.Gbx '$f80Sunset $fffCity'
  pakbox map rename --dry-run A.Map.Gbx 'Sunset City'
  pakbox map rename -r maps -C cup '$f80Cup $g{name}'
  pakbox map rename -r maps -C cup '{author_login}: {name}'
  pakbox map rename maps/*.Gbx 'Cup {n}' -C cup -o '{n} {map_name}.Map.Gbx'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			last := len(args) - 1
			name := args[last]
			if source.Exists(name) {
				return fault.Usagef("the last argument is the new NAME, and %s is a file", name).Hint("usage: pakbox %s", kit.FullName(cmd)+" MAP... NAME")
			}
			if err := nadeo.CheckMapName(name); err != nil { // once, and not for each map
				return err
			}
			return kit.Change(a, cmd, many, args[:last], save, nadeo.MapRename, nadeo.NameParams{Name: name})
		},
	}
	many.Flags(cmd)
	save.Flags(cmd)
	return cmd
}
