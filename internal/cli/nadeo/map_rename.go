package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/trackmania"
)

func (a *app) mapRenameCommand() *cobra.Command {
	var save shell.Saving
	cmd := &cobra.Command{
		Use:   "rename MAP NAME",
		Short: "Give a map another name",
		Long: `Rename changes the name wherever the map has it: in the header, in the XML there
that sites read, and in the body. NAME may hold $ codes. The file keeps its own
name.`,
		Example: `  pakbox map rename A.Map.Gbx '$f80Sunset $fffCity'
  pakbox map rename --dry-run A.Map.Gbx 'Sunset City'`,
		Args: shell.ArgCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.editMap(cmd, args[0], save, func(m *trackmania.Map) (*answer.Object, error) {
				old := m.Name()
				m.Rename(args[1])
				return new(answer.Object).Add("old_name", old).Add("name", m.Name()), nil
			})
		},
	}
	save.Flags(cmd)
	return cmd
}
