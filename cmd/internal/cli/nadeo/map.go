package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/source"
	"pakbox/nadeo/maps"
)

func mapCommand(a *kit.App) *cobra.Command {
	return a.Family(&cobra.Command{
		Use:     "map",
		GroupID: kit.GroupGame,
		Short:   "See what is in a TrackMania or ShootMania map, and change it",
		Long: `Map looks into maps (challenges, tracks) of every TrackMania game and
ShootMania, and changes them. Values that depend on a change are changed
too; everything else stays as it was. Changed maps are saved in place, in one step, or with -o
elsewhere; --dry-run shows what would change.`,
		Example: `  pakbox map blocks --count A.Map.Gbx
  pakbox map thumbnail A.Map.Gbx -o a.jpg
  pakbox map rename A.Map.Gbx 'New name'
  pakbox map lint *.Map.Gbx`,
	}, mapCommands...)
}

// title prints the name of a file above its output, if there are several files.
func title(a *kit.App, name string) {
	if a.Subject.Many {
		a.Separate()
		fmt.Fprintf(a.Out, "%s:\n", kit.Printable(name))
	}
}

// lookAtMaps calls do for each map in args, several at a time, and prints the output in
// order. found is the word for maps in which do found something.
func lookAtMaps(a *kit.App, cmd *cobra.Command, many kit.Many, args []string, found string, do func(a *kit.App, name string, m *maps.Map) error) error {
	return look(a, cmd, many, args, found, func(a *kit.App, name string) error {
		return nadeo.WithMap(a.Ctx, a.Opener, name, func(_ *source.Source, m *maps.Map) error { return do(a, name, m) })
	})
}

// keepUIDFlag adds the flag --keep-uid to a command that changes blocks or items of maps.
func keepUIDFlag(cmd *cobra.Command, p *nadeo.LayoutParams) {
	cmd.Flags().BoolVar(&p.KeepUID, "keep-uid", false, "keep the map's UID, although its blocks or items change")
}
