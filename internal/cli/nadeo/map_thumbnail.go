package nadeo

import (
	"os"

	"github.com/spf13/cobra"

	"pakbox/fault"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
	"pakbox/trackmania"
)

func (a *app) mapThumbnailCommand() *cobra.Command {
	var set string
	var save shell.Saving
	cmd := &cobra.Command{
		Use:   "thumbnail MAP",
		Short: "Take out the map's picture, upright, or set another",
		Long: `Thumbnail writes the map's picture as a JPEG, to standard output or with -o to a
file. Maps store it on its head; it is turned. (thumbnail.jpg in the file, as
'pakbox cat' and 'pakbox extract' give it, is the picture as stored.)

With --set it puts another picture (JPEG or PNG, upright) into the map instead;
the games' own have 512 by 512 pixels. -o is then where the changed map goes.`,
		Example: `  pakbox map thumbnail A.Map.Gbx -o a.jpg
  pakbox map thumbnail A.Map.Gbx --set new.png`,
		Args: shell.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if set == "" {
				if save.DryRun {
					return hint.Usagef("--dry-run goes with --set")
				}
				return a.takeThumbnail(cmd, args[0], shell.Making{Out: save.Out, Force: save.Force})
			}
			picture, err := os.ReadFile(set)
			if err != nil {
				return err
			}
			return a.editMap(cmd, args[0], save, func(m *trackmania.Map) (*answer.Object, error) {
				err := m.SetThumbnail(picture)
				return new(answer.Object).Add("thumbnail_size", len(m.StoredThumbnail())), fault.InFile(err, set)
			})
		},
	}
	save.Flags(cmd)
	cmd.Flags().Lookup("output").Usage = "write the picture, or with --set the changed map, to `FILE`"
	cmd.Flags().StringVar(&set, "set", "", "put the picture in `FILE` into the map")
	return cmd
}

func (a *app) takeThumbnail(cmd *cobra.Command, name string, o shell.Making) error {
	if err := shell.Promises(o.Out, ".jpg", ".jpeg"); err != nil {
		return err
	}
	return answer.WithMap(cmd.Context(), a.Opener, name, func(_ *source.Source, m *trackmania.Map) error {
		data, err := m.Thumbnail()
		if err != nil {
			return err
		}
		if data == nil {
			return fault.New(fault.Unsupported, "the map has no thumbnail")
		}
		return a.WriteMade(o, shell.SchemaName(cmd), name, data, nil)
	})
}
