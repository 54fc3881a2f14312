package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
)

// noGame is the warning in the help of commands that make new files.
const noGame = `No game was at hand to load the result. It is compared with real files, but a game
may still refuse it.`

func mapCreateCommand(a *kit.App) *cobra.Command {
	var o maps.Options
	var game, size string
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
		return createMap(a, o, game, size, to)
	}
	flags := cmd.Flags()
	flags.StringVar(&game, "game", "tm2020", "the `GAME`: tmf, mp4 or tm2020")
	flags.StringVar(&o.Environment, "env", "", "the environment's `NAME` (default Stadium); Trackmania of 2020 also has BlueBay, GreenCoast, RedIsland and WhiteShore")
	flags.StringVar(&size, "size", "", "the size in cells, `XxYxZ` (default the environment's usual one)")
	flags.StringVar(&o.Mood, "mood", "", "the `MOOD`: Day, Sunrise, Sunset or Night (default Day)")
	flags.StringVar(&o.Decoration, "decoration", "", "the exact `NAME` of what surrounds the map, such as 48x48Screen155Day")
	flags.StringVar(&o.Name, "name", "", "the map's `NAME`, with colour codes (default Unnamed)")
	flags.StringVar(&o.Author.Login, "author", "", "the author's `LOGIN` (default nobody)")
	flags.StringVar(&o.Author.Nick, "nick", "", "the author's `NAME` (default the login)")
	flags.StringVar(&o.UID, "uid", "", "the map's `UID` (default a fresh one)")
	flags.StringVar(&o.Title, "title", "", "the `ID` of the title pack, such as TMStadium")
	flags.StringVar(&o.Type, "type", "", `the `+"`SCRIPT`"+` that decides how it is played, such as TrackMania\TM_Race`)
	to.OneFlags(cmd, kit.AnyFile+" (instead of OUT)")
	return cmd
}

func createMap(a *kit.App, o maps.Options, game, size string, to kit.Output) error {
	var err error
	if o.Game, err = nadeo.GenerationOf(game); err != nil {
		return fault.Usagef("%v", err)
	}
	if size != "" {
		var s gbx.Int3
		var more string
		if n, _ := fmt.Sscanf(size+" ", "%dx%dx%d%s", &s.X, &s.Y, &s.Z, &more); n != 3 {
			return fault.Usagef("%q is not a size", size).Hint("sizes are written as 48x40x48")
		}
		o.Size = s
	}
	m, err := maps.New(o)
	if err != nil {
		return fault.Usagef("%v", err)
	}
	data, err := m.File.Encode()
	if err != nil {
		return err
	}
	defer noteEnding(a, to.Out, ".Map.Gbx")
	s := m.Size()
	return kit.WriteMade(a, mapCreateReport, to, to.Out, data, createdMap{
		Name: m.Name(), UID: m.UID(), Game: string(o.Game), Collection: nadeo.EnvironmentName(m.Collection()),
		Decoration: m.Decoration().ID.String(), Blocks: []int32{s.X, s.Y, s.Z},
	})
}

var mapCreateReport = kit.NewReport[createdMap]("map.create", "", "the new map")

type createdMap struct {
	kit.Made
	Name       string  `json:"name" doc:"name of the map"`
	UID        string  `json:"uid" doc:"UID of the map"`
	Game       string  `json:"game" doc:"game of the map"`
	Collection string  `json:"collection_name" doc:"environment of the map"`
	Decoration string  `json:"decoration" doc:"decoration of the map"`
	Blocks     []int32 `json:"map_size" doc:"size of the map in blocks: x, y and z"`
}
