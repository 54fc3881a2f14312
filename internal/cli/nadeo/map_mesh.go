package nadeo

import (
	"context"

	"github.com/spf13/cobra"

	"pakbox/gbx/mesh"
	"pakbox/internal/answer/track"
	"pakbox/internal/cli/shell"
	"pakbox/maniaplanet"
	"pakbox/maniaplanet/models"
)

func init() { mapFamily.add((*app).mapMeshCommand) }

func (a *app) mapMeshCommand() *cobra.Command {
	o := shell.Making{Named: true}
	many := shell.Many{Folders: true}
	params := track.MapMesh.NewParams()
	var layout maniaplanet.Layout
	cmd := &cobra.Command{
		Use:   "mesh MAP...",
		Short: "Make one 3D scene of a map, as glTF",
		Long: `Mesh writes a whole map as one binary glTF 2.0 file with the name of the map.
Blender, browsers and most other 3D programs read it. MAP may also be a replay
that holds its map.

Items and blocks that the map brings along have their own meshes. --game adds
the meshes of the game's files and packs, as 'pakbox drives' sees them. All
other blocks are drawn with surfaces from the catalogue ('pakbox block'), in the
colour of their material; other items are boxes. A mesh that stands at many
places is in the file once.

Nodes have the names and numbers of their blocks and items. In front of a
waypoint stands Start, Checkpoint or Finish. The runs in the file, and those of
--replay, are lines.`,
		Example: `  pakbox map mesh A.Map.Gbx -o a.glb
  pakbox map mesh A.Map.Gbx --replay mine.Replay.Gbx --replay record.Ghost.Gbx
  pakbox map mesh A.Map.Gbx --game GAME --personal Documents/ManiaPlanet
  pakbox map mesh --json -r maps -C scenes`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := shell.Promises(o.Out, ".glb"); err != nil {
				return err
			}
			var library *models.Models
			if params.Game != "" {
				g, err := a.openGame(cmd.Context(), params.Game, layout)
				if err != nil {
					return err
				}
				defer g.Close()
				library = models.Of(g)
			}
			command := shell.SchemaName(cmd)
			return a.MakeOfEach(many, o, ".glb", command, "exporting", args, func(run *shell.App, name string, o shell.Making) error {
				at := run.At(name)
				at.Game = func(context.Context, string) (mesh.Library, func(), error) { return library.ForMap(), func() {}, nil }
				f, err := track.MapMesh.Ask(run.Ctx, at, params)
				if err != nil {
					return err
				}
				scene := f.Say.(*track.MapScene)
				for _, w := range scene.Warnings {
					run.Note("warning: %s", w)
				}
				if err := run.WriteFile(o, command, at, f); err != nil || run.JSON {
					return err
				}
				run.Note("%s: %s", name, scene.Summary())
				return nil
			})
		},
	}
	many.Flags(cmd)
	o.Flags(cmd)
	shell.Flags(cmd, track.MapMesh, &params)
	cmd.Flags().StringVar(&params.Game, "game", "", "take meshes that a map does not bring along from `GAME`, a folder as for 'drives'")
	layoutFlags(cmd.Flags(), &layout)
	return cmd
}
