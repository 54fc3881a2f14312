package cli

import (
	"github.com/spf13/cobra"

	"pakbox/trackmania"
)

func (a *app) mapRenameCommand() *cobra.Command {
	var save saving
	cmd := &cobra.Command{
		Use:   "rename MAP NAME",
		Short: "Give a map another name",
		Long: `Rename changes the name wherever the map has it: in the header, in the XML there
that sites read, and in the body. NAME may hold $ codes. The file keeps its own
name.`,
		Example: `  pakbox map rename A.Map.Gbx '$f80Sunset $fffCity'
  pakbox map rename --dry-run A.Map.Gbx 'Sunset City'`,
		Args: argCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.editMap(cmd, args[0], save, func(m *trackmania.Map) (*object, error) {
				old := m.Name()
				m.Rename(args[1])
				return new(object).add("old_name", old).add("name", m.Name()), nil
			})
		},
	}
	save.flags(cmd)
	return cmd
}
