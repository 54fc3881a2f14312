package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
)

func itemLintCommand(a *kit.App) *cobra.Command {
	many := kit.Many{Folders: true}
	params := nadeo.ItemLint.NewParams()
	cmd := &cobra.Command{
		Use:   "lint ITEM...",
		Short: "Look for what goes wrong with items in the game",
		Long: `Lint looks for mistakes that make Trackmania (2020) drop an item silently, draw it
wrongly or crash, as other people have seen. It checks meshes, collision shapes,
triggers, materials, levels of detail and moving parts. The exit code is 1 if it
finds anything. 'pakbox explain RULE' prints the evidence for a rule. The rules were not
tried in a game here: an item without findings may still fail to load. Items of
other games get no findings. 'pakbox map lint' checks the items in a map.`,
		Example: `  pakbox item lint Part.Item.Gbx
  pakbox item lint --collection BlueBay Items
  pakbox item lint A.Map.Gbx/items/Part.Item.Gbx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return ask(a, cmd, many, args, "with errors or warnings", nadeo.ItemLint, params, func(a *kit.App, name string, l *nadeo.Linted) error {
				printLint(a, name, l.Findings)
				return nil
			})
		},
	}
	many.Flags(cmd)
	kit.Flags(cmd, nadeo.ItemLint, &params)
	return cmd
}
