package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo/runs"
)

func replayMapCommand(a *kit.App) *cobra.Command {
	var o kit.Output
	many := kit.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "map REPLAY...",
		Short: "Take out the map that a replay was driven on",
		Long: `Map writes the map inside a replay as its own file, byte for byte as it is
stored. Such maps lack what the games leave out of replays, such as the
thumbnail.`,
		Example: "  pakbox replay map A.Replay.Gbx -o A.Map.Gbx",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := kit.Promises(o.Out, ".gbx"); err != nil {
				return err
			}
			return a.MakeOfEach(many, o, ".Map.Gbx", kit.SchemaName(cmd), "reading", args, takeMap)
		},
	}
	many.Flags(cmd)
	o.Flags(cmd)
	return cmd
}

// takeMap writes the map inside a replay to a file.
func takeMap(a *kit.App, name string, o kit.Output) error {
	return nadeo.WithGBX(a.Ctx, a.Opener, name, func(_ *source.Source, f *gbx.File) error {
		r, err := runs.ReplayOf(f)
		if err != nil {
			return err
		}
		data := r.MapFile()
		if len(data) == 0 {
			return fault.New(fault.Unsupported, "the replay does not hold its map")
		}
		return kit.WriteMade(a, replayMapReport, o, name, data, takenMap{UID: r.MapIdent().ID.String()})
	})
}

var replayMapReport = kit.NewReport[takenMap]("replay.map", "", "the new file with the map of a replay")

type takenMap struct {
	kit.Made
	UID string `json:"map_uid" doc:"UID of the map"`
}
