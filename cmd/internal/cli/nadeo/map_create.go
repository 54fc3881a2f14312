package nadeo

import (
	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/fault"
)

// noGame is the warning in the help of commands that make new files.
const noGame = `No game was at hand to load the result. It is compared with real files, but a game
may still refuse it.`

func mapCreateCommand(a *kit.App) *cobra.Command {
	params := answers.CreateMap.NewParams()
	params.Game = "tm2020"
	var to kit.Output
	cmd := &cobra.Command{
		Use:   "create OUT",
		Short: "Make an empty map",
		Long: `Create makes an empty map of TrackMania Forever (--game tmf), ManiaPlanet 4 (mp4)
or Trackmania of 2020 (tm2020), in one of the sizes and moods that the environment has. If you ask for another
size or mood, it lists them. The map has the chunks and values that all real
maps of the game have in common. 'pakbox map edit' and other commands put blocks
on it.

` + noGame,
		Example: `  pakbox map create --env Stadium --size 48x40x48 --mood Day New.Map.Gbx
  pakbox map create --env BlueBay --mood Sunrise Bay.Map.Gbx
  pakbox map create --decoration NoStadium48x48Night Void.Map.Gbx
  pakbox map create --game mp4 --env Canyon --mood Sunset --name 'My canyon' --author me -o New.Map.Gbx
  pakbox map create --game tmf --env Bay --size 45x36x45 New.Challenge.Gbx`,
		Args: kit.ArgCount(0, 1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			if to.Out != "" {
				return fault.Usagef("there are two names for one map: %s and %s", args[0], to.Out)
			}
			to.Out = args[0]
		}
		if to.Out == "" {
			return fault.Usagef("the map needs a name").Hint("pakbox map create New.Map.Gbx")
		}
		if err := kit.Promises(to.Out, ".gbx"); err != nil {
			return err
		}
		defer noteEnding(a, to.Out, ".Map.Gbx")
		return kit.MakeOne(a, cmd, to, to.Out, answers.CreateMap, params)
	}
	kit.Flags(cmd, answers.CreateMap, &params)
	to.OneFlags(cmd, kit.AnyFile+" (instead of OUT)")
	return cmd
}

var _ = kit.NewFileReport[answers.MapReport]("map.create", "the new map")
