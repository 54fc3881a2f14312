package cli

import (
	"github.com/spf13/cobra"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/trackmania"
)

func (a *app) replayMapCommand() *cobra.Command {
	var o making
	cmd := &cobra.Command{
		Use:   "map REPLAY",
		Short: "Take out the map that a replay was driven on",
		Long: `Map writes the map inside a replay as its own file, byte for byte as it is
stored. Such maps lack what the games leave out of replays, such as the
thumbnail.`,
		Example: "  pakbox replay map A.Replay.Gbx -o A.Map.Gbx",
		Args:    argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.gbxFile(cmd.Context(), args[0], func(_ *source, f *gbx.File) error {
				r, err := trackmania.ReplayOf(f)
				if err != nil {
					return err
				}
				data := r.MapFile()
				if len(data) == 0 {
					return fault.New(fault.Unsupported, "the replay does not hold its map")
				}
				return a.writeMade(o, "replay.map", args[0], data, new(object).add("map_uid", r.MapIdent().ID.String()))
			})
		},
	}
	o.flags(cmd)
	return cmd
}
