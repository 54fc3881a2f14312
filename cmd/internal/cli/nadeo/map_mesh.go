package nadeo

import (
	"context"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/gbx/mesh"
	"pakbox/nadeo/drives"
	"pakbox/nadeo/drives/models"
)

func mapMeshCommand(a *kit.App) *cobra.Command {
	o := kit.Output{Named: true}
	many := kit.Many{Folders: true}
	params := nadeo.MapMesh.NewParams()
	var layout drives.Layout
	cmd := &cobra.Command{
		Use:   "mesh MAP...",
		Short: "Make one 3D scene of a map, as glTF",
		Long: `Mesh writes a whole map as one binary glTF 2.0 file with the name of the map.
Blender, browsers and most other 3D programs read it. MAP may also be a replay
that holds its map.

Embedded items and blocks have their own meshes. --game adds
the meshes of the game's files and packs, as 'pakbox drives' sees them. All
other blocks are drawn with surfaces from the catalogue ('pakbox block'), in the
colour of their material; other items are boxes. A mesh that stands at many
places is in the file once.

Nodes have the names and numbers of their blocks and items. In front of a
waypoint stands Start, Checkpoint or Finish. The runs in the file, and those of
--replay, are lines.

Around the map lie the ground or the sea of its environment, and the stands of
the Stadium. --no-surroundings leaves them out.`,
		Example: `  pakbox map mesh A.Map.Gbx -o a.glb
  pakbox map mesh A.Map.Gbx --replay mine.Replay.Gbx --replay record.Ghost.Gbx
  pakbox map mesh A.Map.Gbx --game GAME --personal Documents/ManiaPlanet
  pakbox map mesh --json -r maps -C scenes`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := kit.Promises(o.Out, ".glb"); err != nil {
				return err
			}
			var library *models.Models
			if params.Game != "" {
				g, err := openGame(cmd.Context(), a, params.Game, layout)
				if err != nil {
					return err
				}
				defer g.Close()
				library = models.Of(g)
			}
			command := kit.SchemaName(cmd)
			return a.MakeOfEach(many, o, ".glb", command, "exporting", args, func(run *kit.App, name string, o kit.Output) error {
				at := run.At(name)
				at.Host = gameHost{models: library}
				f, err := nadeo.MapMesh.Ask(run.Ctx, at, params)
				if err != nil {
					return err
				}
				scene := f.Say.(*nadeo.MapScene)
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
	kit.Flags(cmd, nadeo.MapMesh, &params)
	cmd.Flags().StringVar(&params.Game, "game", "", "take meshes that are not embedded from `GAME`, a folder as for 'drives'")
	layoutFlags(cmd.Flags(), &layout)
	return cmd
}

// gameHost is a command that has opened a folder of a game.
type gameHost struct {
	kit.Host
	models *models.Models
}

// Models returns the models of the folder.
func (h gameHost) Models(context.Context, string) (mesh.Library, func(), error) {
	return h.models.ForMap(), func() {}, nil
}
