package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/source"
	"pakbox/trackmania"
)

func (a *app) mapCommand() *cobra.Command {
	return a.Family(&cobra.Command{
		Use:     "map",
		GroupID: shell.GroupGame,
		Short:   "See what is in a TrackMania or ShootMania map, and change it",
		Long: `Map looks into maps (challenges, tracks) of every TrackMania game and
ShootMania, and changes them. What depends on a change follows it; everything
else stays as it was. Changed maps are saved in place, in one step, or with -o
elsewhere; --dry-run shows what would change.`,
		Example: `  pakbox map blocks --count A.Map.Gbx
  pakbox map thumbnail A.Map.Gbx -o a.jpg
  pakbox map rename A.Map.Gbx 'New name'
  pakbox map lint *.Map.Gbx`,
	},
		a.mapThumbnailCommand(), a.mapItemsCommand(), a.mapBlocksCommand(), a.mapMetaCommand(), a.mapPasswordCommand(),
		a.mapSizeCommand(), a.mapLightmapCommand(), a.mapLintCommand(), a.mapRenameCommand(), a.mapMedalsCommand(), a.mapPictureCommand())
}

// eachMap makes the run of a command that looks at maps one after another. A
// map that cannot be read does not stop the others.
func (a *app) eachMap(look func(name string, s *source.Source, m *trackmania.Map) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		command := shell.SchemaName(cmd)
		for _, name := range a.Paths(cmd.Context(), command, args) {
			err := answer.WithMap(cmd.Context(), a.Opener, name, func(s *source.Source, m *trackmania.Map) error { return look(name, s, m) })
			if err != nil {
				a.Fail(command, name, err)
			}
		}
		return nil
	}
}

// editMap changes the map that a path leads to, and saves it. What change
// returns is added to what --json says.
func (a *app) editMap(cmd *cobra.Command, name string, o shell.Saving, change func(m *trackmania.Map) (*answer.Object, error)) error {
	return answer.WithMap(cmd.Context(), a.Opener, name, func(s *source.Source, m *trackmania.Map) error {
		return a.saveGBX(o, shell.SchemaName(cmd), name, s, m.File, func() (*answer.Object, error) { return change(m) })
	})
}
