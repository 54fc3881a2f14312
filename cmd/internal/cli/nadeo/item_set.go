package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
)

func itemSetCommand(a *kit.App) *cobra.Command {
	params := nadeo.SetItem.NewParams()
	save := kit.Output{InPlace: true}
	var many kit.Many
	cmd := &cobra.Command{
		Use:   "set ITEM...",
		Short: "Change materials, waypoint, placement, icon or mesh of items",
		Long: `Set changes existing items as the flags say, and leaves the rest of the files as
it is. Name a material as in the item, by the last part of its link, or write *
for all. 'pakbox mesh' lists the materials of an item, 'pakbox item materials'
those of the game. A new material drives as it usually does unless you name a
surface.

--mesh replaces the mesh of the item. The item keeps its form: a static object
of Nadeo's importer, or a crystal of the mesh modeler. An
item that becomes a waypoint and has no trigger gets a box around its mesh as the
trigger.

` + noGame,
		Example: `  pakbox item set Part.Item.Gbx --surface Metal=Ice
  pakbox item set Part.Item.Gbx --material Metal=PlatformTech:Asphalt:Turbo -o Turbo.Item.Gbx
  pakbox item set Gate.Item.Gbx --waypoint Checkpoint --icon gate.png
  pakbox item set Items --grid 16 --fly 4 --pivot 0,0,0 --not-on-item
  pakbox item set Part.Item.Gbx --mesh better.glb`,
		RunE: func(cmd *cobra.Command, args []string) error {
			many.Folders = true
			return kit.Change(a, cmd, many, args, save, nadeo.SetItem, params)
		},
	}
	kit.Flags(cmd, nadeo.SetItem, &params)
	many.Flags(cmd)
	save.Flags(cmd)
	return cmd
}
