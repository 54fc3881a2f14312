package nadeo

import (
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
)

func mapThumbnailCommand(a *kit.App) *cobra.Command {
	var set string
	var keepSize bool
	save := kit.Output{Named: true, InPlace: true}
	var many kit.Many
	params := nadeo.MapThumbnail.NewParams()
	cmd := &cobra.Command{
		Use:   "thumbnail MAP...",
		Short: "Take out the map's picture, upright, or set another",
		Long: `Thumbnail writes the map's picture as a JPEG or PNG, to a file named like the map, or
where -o and -C say. --size makes it larger or smaller, --quality sets the quality of
a JPEG. Maps store it upside down, and this command turns it upright; 'pakbox cat' and
'pakbox extract' give thumbnail.jpg as it is stored.

With --set it puts another picture (JPEG or PNG, upright) into the map instead, in
that size and quality. Without --size the picture is cut to a square and scaled down
to the 512 by 512 pixels of the games, unless --keep-size is given. -o is then where the
changed map goes.`,
		Example: `  pakbox map thumbnail A.Map.Gbx -o a.jpg
  pakbox map thumbnail A.Map.Gbx --size 256 -o a.png
  pakbox map thumbnail maps -C pictures --quality 80
  pakbox map thumbnail A.Map.Gbx --set new.png`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := params.Form().Check(); err != nil {
				return fault.Usagef("%v", err)
			}
			if set == "" {
				if save.DryRun {
					return fault.Usagef("--dry-run goes with --set")
				}
				if params.Format == "" && strings.HasSuffix(strings.ToLower(save.Out), ".png") {
					params.Format = "png"
				}
				endings := []string{".jpg", ".jpeg"}
				switch params.Format {
				case "":
					endings = append(endings, ".png")
				case "png":
					endings = []string{".png"}
				}
				if err := kit.Promises(save.Out, endings...); err != nil {
					return err
				}
				many.Folders = true
				return kit.MakeFile(a, cmd, many, save, endings[0], "reading", args, nadeo.MapThumbnail, params)
			}
			return kit.Change(a, cmd, many, args, save, nadeo.SetMapThumbnail, nadeo.NewThumbnail{Picture: question.Content{Name: set}, Size: params.Size, Quality: params.Quality, KeepSize: keepSize})
		},
	}
	many.Flags(cmd)
	save.Flags(cmd)
	cmd.Flags().Lookup("output").Usage = "write the picture, or with --set the changed map, to `FILE`; - is standard output"
	cmd.Flags().Lookup("directory").Usage = "write the pictures, or with --set the changed maps, into `DIR`"
	cmd.Flags().StringVar(&set, "set", "", "put the picture in `FILE` into the map")
	cmd.Flags().BoolVar(&keepSize, "keep-size", false, "with --set: store the picture in its own size and shape")
	kit.Flags(cmd, nadeo.MapThumbnail, &params)
	return cmd
}
