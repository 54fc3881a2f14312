package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/source"
)

// mapMeshFlags say what a scene is made of, and where it goes.
type mapMeshFlags struct {
	shell.Making
	replays []string
}

func (a *app) mapMeshCommand() *cobra.Command {
	flags := mapMeshFlags{Making: shell.Making{Named: true}}
	many := shell.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "mesh MAP...",
		Short: "Make one 3D scene of a map, as glTF",
		Long: `Mesh writes a whole map as one binary glTF 2.0 file, called like the map, which
Blender, browsers and most other 3D programs read. Items and blocks that the map
brings along have their own meshes; the others are boxes where they stand, in the
colour of what they are made of. A mesh that stands at many places is in the file
once. Nodes are named after their blocks and items, with their numbers and, where
they are, Start, Checkpoint or Finish in front; runs in the file, and those of
--replay, are lines. MAP may also be a replay that holds its map.`,
		Example: `  pakbox map mesh A.Map.Gbx -o a.glb
  pakbox map mesh A.Map.Gbx --replay mine.Replay.Gbx --replay record.Ghost.Gbx
  pakbox map mesh --json -r maps -C scenes`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := shell.Promises(flags.Out, ".glb"); err != nil {
				return err
			}
			command := shell.SchemaName(cmd)
			return a.MakeOfEach(many, flags.Making, ".glb", command, "exporting", args, func(run *shell.App, name string, o shell.Making) error {
				return (&app{run}).mapMesh(command, name, o, flags)
			})
		},
	}
	many.Flags(cmd)
	flags.Making.Flags(cmd)
	cmd.Flags().StringArrayVar(&flags.replays, "replay", nil, "add the runs of `FILE` as lines; may be given several times")
	return cmd
}

func (a *app) mapMesh(command, name string, o shell.Making, flags mapMeshFlags) error {
	return answer.WithGBX(a.Ctx, a.Opener, name, func(_ *source.Source, f *gbx.File) error {
		made, err := answer.MakeMapMesh(a.Ctx, a.Opener, f, meshTitle(name), nil, flags.replays)
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
