package nadeo

import (
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fault"
	"pakbox/gbx/engine"
	"pakbox/internal/answer/about"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
	"pakbox/trackmania/maps"
)

func init() { mapFamily.add((*app).mapMergeCommand) }

func (a *app) mapMergeCommand() *cobra.Command {
	var save shell.Saving
	cmd := &cobra.Command{
		Use:   "merge MAP OTHER...",
		Short: "Put the blocks and items of other maps on a map",
		Long: `Merge puts the blocks and items of other maps of the same environment on a map, at
their places, with the files that they need. Everything else stays that of the first
map. It tells how many cells are then taken twice. Blocks that would not lie on the
map, and files of one name that differ, are refused. The map is no longer validated,
and it gets a new UID, unless --keep-uid is given.`,
		Example: `  pakbox map merge Road.Map.Gbx Scenery.Map.Gbx -o Both.Map.Gbx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range args {
				if source.IsFolder(name) {
					return hint.Usagef("%s: is a folder, and maps are merged that are named", name).Hint("all maps in it: %s/*.Map.Gbx", hint.Word(strings.TrimRight(name, "/")))
				}
			}
			return a.editLayouts(cmd, shell.Many{}, args[:1], save, func(run *app, m *maps.Map) (*form.Object, error) {
				var all maps.Merged
				for _, name := range args[1:] {
					err := about.WithMap(run.Ctx, run.Opener, name, func(_ *source.Source, other *maps.Map) error {
						done, err := m.Merge(other, engine.Registry())
						all.Blocks, all.Items, all.Files = all.Blocks+done.Blocks, all.Items+done.Items, all.Files+done.Files
						return fault.InFile(err, name)
					})
					if err != nil {
						return nil, err
					}
				}
				return new(form.Object).Add("blocks", all.Blocks).Add("items", all.Items).Add("embedded", all.Files), nil
			})
		},
	}
	save.Flags(cmd)
	keepUIDFlag(cmd)
	return cmd
}
