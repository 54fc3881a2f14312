package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/internal/answer/about"
	"pakbox/internal/answer/track"
	"pakbox/internal/cli/shell"
	"pakbox/internal/source"
	"pakbox/maniaplanet"
	"pakbox/maniaplanet/models"
	"pakbox/trackmania/mapmesh"
)

// mapMeshFlags say what a scene is made of, and where it goes.
type mapMeshFlags struct {
	shell.Making
	replays []string
	game    string
	layout  maniaplanet.Layout
}

func (a *app) mapMeshCommand() *cobra.Command {
	flags := mapMeshFlags{Making: shell.Making{Named: true}}
	many := shell.Many{Folders: true}
	var library *models.Models
	cmd := &cobra.Command{
		Use:   "mesh MAP...",
		Short: "Make one 3D scene of a map, as glTF",
		Long: `Mesh writes a whole map as one binary glTF 2.0 file, called like the map, which
Blender, browsers and most other 3D programs read. Items and blocks that the map
brings along have their own meshes, and with --game those of the game's files and
packs, as 'pakbox drives' sees them; the others are boxes where they stand, in the
colour of what they are made of. A mesh that stands at many places is in the file
once. Nodes are named after their blocks and items, with their numbers and, where
they are, Start, Checkpoint or Finish in front; runs in the file, and those of
--replay, are lines. MAP may also be a replay that holds its map.`,
		Example: `  pakbox map mesh A.Map.Gbx -o a.glb
  pakbox map mesh A.Map.Gbx --replay mine.Replay.Gbx --replay record.Ghost.Gbx
  pakbox map mesh A.Map.Gbx --game GAME --personal Documents/ManiaPlanet
  pakbox map mesh --json -r maps -C scenes`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := shell.Promises(flags.Out, ".glb"); err != nil {
				return err
			}
			command := shell.SchemaName(cmd)
			if flags.game != "" {
				g, err := a.openGame(cmd.Context(), flags.game, flags.layout)
				if err != nil {
					return err
				}
				defer g.Close()
				library = models.Of(g)
			}
			return a.MakeOfEach(many, flags.Making, ".glb", command, "exporting", args, func(run *shell.App, name string, o shell.Making) error {
				return (&app{run}).mapMesh(command, name, o, library, flags.replays)
			})
		},
	}
	many.Flags(cmd)
	flags.Making.Flags(cmd)
	cmd.Flags().StringVar(&flags.game, "game", "", "take meshes that a map does not bring along from `GAME`, a folder as for 'drives'")
	layoutFlags(cmd.Flags(), &flags.layout)
	cmd.Flags().StringArrayVar(&flags.replays, "replay", nil, "add the runs of `FILE` as lines; may be given several times")
	return cmd
}

func (a *app) mapMesh(command, name string, o shell.Making, found *models.Models, replays []string) error {
	var library mapmesh.Library
	if found != nil {
		library = found.ForMap()
	}
	return about.WithGBX(a.Ctx, a.Opener, name, func(_ *source.Source, f *gbx.File) error {
		made, err := track.MakeMapMesh(a.Ctx, a.Opener, f, shell.BaseName(name), library, replays)
		if err != nil {
			return err
		}
		for _, w := range made.Warnings {
			a.Note("warning: %s", w)
		}
		if err := a.WriteMade(o, command, name, made.GLB, made.Object()); err != nil {
			return err
		}
		if !a.JSON {
			a.Note("%s: %s", name, made.Summary())
		}
		return nil
	})
}
