package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/source"
	"pakbox/trackmania"
)

func (a *app) replayMapCommand() *cobra.Command {
	var o shell.Making
	cmd := &cobra.Command{
		Use:   "map REPLAY",
		Short: "Take out the map that a replay was driven on",
		Long: `Map writes the map inside a replay as its own file, byte for byte as it is
stored. Such maps lack what the games leave out of replays, such as the
thumbnail.`,
		Example: "  pakbox replay map A.Replay.Gbx -o A.Map.Gbx",
		Args:    shell.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return answer.WithGBX(cmd.Context(), a.Opener, args[0], func(_ *source.Source, f *gbx.File) error {
				r, err := trackmania.ReplayOf(f)
				if err != nil {
					return err
				}
				data := r.MapFile()
				if len(data) == 0 {
					return fault.New(fault.Unsupported, "the replay does not hold its map")
				}
				return a.WriteMade(o, "replay.map", args[0], data, new(answer.Object).Add("map_uid", r.MapIdent().ID.String()))
			})
		},
	}
	o.Flags(cmd)
	return cmd
}
