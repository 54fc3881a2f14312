package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/answer/about"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/source"
	"pakbox/trackmania/runs"
)

func init() { replayFamily.add((*app).replayMapCommand) }

func (a *app) replayMapCommand() *cobra.Command {
	var o shell.Making
	many := shell.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "map REPLAY...",
		Short: "Take out the map that a replay was driven on",
		Long: `Map writes the map inside a replay as its own file, byte for byte as it is
stored. Such maps lack what the games leave out of replays, such as the
thumbnail.`,
		Example: "  pakbox replay map A.Replay.Gbx -o A.Map.Gbx",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := shell.Promises(o.Out, ".gbx"); err != nil {
				return err
			}
			return a.MakeOfEach(many, o, ".Map.Gbx", shell.SchemaName(cmd), "reading", args, takeMap)
		},
	}
	many.Flags(cmd)
	o.Flags(cmd)
	return cmd
}

// takeMap writes the map inside a replay to a file.
func takeMap(a *shell.App, name string, o shell.Making) error {
	return about.WithGBX(a.Ctx, a.Opener, name, func(_ *source.Source, f *gbx.File) error {
		r, err := runs.ReplayOf(f)
		if err != nil {
			return err
		}
		data := r.MapFile()
		if len(data) == 0 {
			return fault.New(fault.Unsupported, "the replay does not hold its map")
		}
		return a.WriteMade(o, "replay.map", name, data, new(form.Object).Add("map_uid", r.MapIdent().ID.String()))
	})
}
