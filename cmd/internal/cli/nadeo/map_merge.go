package nadeo

import (
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/quote"
)

func mapMergeCommand(a *kit.App) *cobra.Command {
	save := kit.Output{InPlace: true}
	params := nadeo.MergeMaps.NewParams()
	cmd := &cobra.Command{
		Use:   "merge MAP OTHER...",
		Short: "Put the blocks and items of other maps on a map",
		Long: `Merge puts the blocks and items of other maps of the same environment on a map, at
their places, with the files that they need. Everything else stays that of the first
map, which is not changed: -o names the merged map. It prints how many cells then have two blocks. Blocks that would not lie on the
map, and files of one name that differ, are refused. The map is no longer validated,
and it gets a new UID, unless --keep-uid is given.`,
		Example: `  pakbox map merge Road.Map.Gbx Scenery.Map.Gbx -o Both.Map.Gbx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range args {
				if source.IsFolder(name) {
					return fault.Usagef("%s: is a folder, and maps are merged that are named", name).Hint("all maps in it: %s/*.Map.Gbx", quote.Word(strings.TrimRight(name, "/")))
				}
			}
			if !save.Given() && !save.DryRun {
				return fault.Usagef("map merge: the merged map needs a name").Hint("write it to a third file with -o FILE, or over the first with -o %s --force", quote.Word(args[0]))
			}
			params.With = args[1:]
			return kit.Change(a, cmd, kit.Many{}, args[:1], save, nadeo.MergeMaps, params)
		},
	}
	save.Flags(cmd)
	kit.Flags(cmd, nadeo.MergeMaps, &params)
	return cmd
}
