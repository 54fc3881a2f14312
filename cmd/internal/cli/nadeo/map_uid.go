package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/nadeo/maps"
)

func mapUIDCommand(a *kit.App) *cobra.Command {
	save := kit.Output{InPlace: true}
	var many kit.Many
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
				return lookAtMaps(a, cmd, many, args, "", func(a *kit.App, name string, m *maps.Map) error {
					if a.JSON {
						return mapUIDReport.Print(a, name, "gbx", mapUID{m.UID()})
					}
					_, err := fmt.Fprintf(a.Out, "%s  %s\n", kit.Printable(m.UID()), kit.Printable(name))
					return err
				})
			}
			return kit.Change(a, cmd, many, args, save, nadeo.RenewMapUID, question.NoParams{})
		},
	}
	cmd.Flags().BoolVar(&fresh, "new", false, "give each map a fresh UID")
	many.Flags(cmd)
	save.Flags(cmd)
	return cmd
}

var mapUIDReport = kit.NewReport[mapUID]("map.uid", "", "the UID of a map")

type mapUID struct {
	UID string `json:"uid" doc:"UID of the map"`
}
