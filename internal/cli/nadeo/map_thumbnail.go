package nadeo

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fault"
	"pakbox/internal/answer/track"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/trackmania/maps"
)

func init() { mapFamily.add((*app).mapThumbnailCommand) }

func (a *app) mapThumbnailCommand() *cobra.Command {
	var set string
	save := shell.Saving{Making: shell.Making{Named: true}}
	var many shell.Many
	params := track.MapThumbnail.NewParams()
	cmd := &cobra.Command{
		Use:   "thumbnail MAP...",
		Short: "Take out the map's picture, upright, or set another",
		Long: `Thumbnail writes the map's picture as a JPEG or PNG, to a file named like the map, or
where -o and -C say. --size makes it larger or smaller, --quality sets the quality of
a JPEG. Maps store it upside down, and this command turns it upright; 'pakbox cat' and
'pakbox extract' give thumbnail.jpg as it is stored.

With --set it puts another picture (JPEG or PNG, upright) into the map instead, in
that size and quality; the games' own have 512 by 512 pixels. -o is then where the
changed map goes.`,
		Example: `  pakbox map thumbnail A.Map.Gbx -o a.jpg
  pakbox map thumbnail A.Map.Gbx --size 256 -o a.png
  pakbox map thumbnail maps -C pictures --quality 80
  pakbox map thumbnail A.Map.Gbx --set new.png`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := params.Form().Check(); err != nil {
				return hint.Usagef("%v", err)
			}
			if set == "" {
				if save.DryRun {
					return hint.Usagef("--dry-run goes with --set")
				}
				if params.Format == "" && strings.HasSuffix(strings.ToLower(save.Making.Out), ".png") {
					params.Format = "png"
				}
				endings := []string{".jpg", ".jpeg"}
				switch params.Format {
				case "":
					endings = append(endings, ".png")
				case "png":
					endings = []string{".png"}
				}
				if err := shell.Promises(save.Making.Out, endings...); err != nil {
					return err
				}
				many.Folders = true
				return shell.MakeFile(a.App, cmd, many, save.Making, endings[0], "reading", args, track.MapThumbnail, params)
			}
			picture, err := os.ReadFile(set)
			if err != nil {
				return err
			}
			return a.editMaps(cmd, many, args, save, func(m *maps.Map) (*form.Object, error) {
				err := m.SetThumbnail(picture, params.Form())
				return new(form.Object).Add("thumbnail_size", len(m.StoredThumbnail())), fault.InFile(err, set)
			})
		},
	}
	many.Flags(cmd)
	save.Flags(cmd)
	cmd.Flags().Lookup("output").Usage = "write the picture, or with --set the changed map, to `FILE`; - is standard output"
	cmd.Flags().Lookup("directory").Usage = "write the pictures, or with --set the changed maps, into `DIR`"
	cmd.Flags().StringVar(&set, "set", "", "put the picture in `FILE` into the map")
	shell.Flags(cmd, track.MapThumbnail, &params)
	return cmd
}
