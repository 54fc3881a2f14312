package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/trackmania/maps"
)

func init() { mapFamily.add((*app).mapUIDCommand) }

func (a *app) mapUIDCommand() *cobra.Command {
	var save shell.Saving
	var many shell.Many
	var fresh bool
	cmd := &cobra.Command{
		Use:   "uid MAP...",
		Short: "Show the UID of a map, or give it a new one",
		Long: `Uid shows the unique name by which games, servers and sites know a map. With --new it gives the map a fresh UID, also in the header, in its XML, in the
checksum of the password, and in texts of scripts that hold the UID. Blocks and
validation stay; the run that validated the map names the old UID.`,
		Example: `  pakbox map uid maps
  pakbox map uid A.Map.Gbx --new -o Copy.Map.Gbx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !fresh {
				return a.lookAtMaps(cmd, many, args, "", func(a *app, name string, m *maps.Map) error {
					if a.JSON {
						return a.Print(form.New(shell.SchemaName(cmd), name, "gbx").Add("uid", m.UID()))
					}
					_, err := fmt.Fprintf(a.Out, "%s  %s\n", shell.Printable(m.UID()), shell.Printable(name))
					return err
				})
			}
			return a.editMaps(cmd, many, args, save, func(m *maps.Map) (*form.Object, error) {
				old := m.UID()
				err := m.SetUID(maps.NewUID())
				return new(form.Object).Add("old_uid", old).Add("uid", m.UID()), err
			})
		},
	}
	cmd.Flags().BoolVar(&fresh, "new", false, "give each map a fresh UID")
	many.Flags(cmd)
	save.Flags(cmd)
	return cmd
}
