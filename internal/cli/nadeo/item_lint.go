package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/internal/answer/track"
	"pakbox/internal/cli/shell"
)

func init() { itemFamily.add((*app).itemLintCommand) }

func (a *app) itemLintCommand() *cobra.Command {
	many := shell.Many{Folders: true}
	params := track.ItemLint.NewParams()
	cmd := &cobra.Command{
		Use:   "lint ITEM...",
		Short: "Look for what goes wrong with items in the game",
		Long: `Lint looks for mistakes that make Trackmania (2020) drop an item silently, draw it
wrongly or crash, as other people have seen. It checks meshes, collision shapes,
triggers, materials, levels of detail and moving parts. The exit code is 1 if it
finds anything. 'pakbox explain RULE' tells how a rule is known. The rules were not
tried in a game here: an item without findings may still fail to load. Items of
other games get no findings. 'pakbox map lint' checks the items in a map.`,
		Example: `  pakbox item lint Part.Item.Gbx
  pakbox item lint --collection BlueBay Items
  pakbox item lint A.Map.Gbx/items/Part.Item.Gbx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return ask(a, cmd, many, args, "with errors or warnings", track.ItemLint, params, func(a *app, name string, l *track.Linted) error {
				a.printLint(name, l.Findings)
				return nil
			})
		},
	}
	many.Flags(cmd)
	shell.Flags(cmd, track.ItemLint, &params)
	return cmd
}
