package simutrans

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/simutrans"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/fault"
)

func pictureCommand(a *kit.App) *cobra.Command {
	params := simutrans.SimutransPicture.NewParams()
	params.Scale, params.Columns = 1, 8
	o := kit.Output{Named: true}
	many := kit.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "picture OBJECT...",
		Short: "Draw a Simutrans object, or all its images",
		Long: `Picture draws all images of an object on one sheet, each with the name that it
has in the source: directions, seasons, freight, layouts. OBJECT is a file with
one object, an object in a file, or a folder of such files. Colours are red, orange, yellow, green,
blue, purple, brown, black, grey, white, or rrggbb.

--sprite draws the object itself from its tiles, on a transparent background.
--choose selects a view: direction=sw, season=1, frame=3; --json lists all
choices.`,
		Example: `  pakbox simutrans picture vehicle.TB24.pak
  pakbox simutrans picture all.pak/vehicle.TB24 -o tram.png --player1 red --scale 2
  pakbox simutrans picture factory.Raffinerie.pak --night -o - > night.png
  pakbox simutrans picture vehicle.TB24.pak --sprite --choose direction=sw -o tram.png`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if params.Scale == 0 || params.Columns == 0 {
				return fault.Usagef("--scale and --columns take numbers from 1")
			}
			if err := kit.Promises(o.Out, ".png"); err != nil {
				return err
			}
			named := o.Out != ""
			return a.MakeOfEach(many, o, ".png", kit.SchemaName(cmd), "drawing", args, func(run *kit.App, name string, o kit.Output) error {
				at := run.At(name)
				f, err := simutrans.SimutransPicture.Ask(run.Ctx, at, params)
				if err != nil {
					return err
				}
				if !named { // named after the object, not after the file
					o.Out = filepath.Join(filepath.Dir(o.Out), f.Name)
				}
				return run.WriteFile(o, kit.SchemaName(cmd), at, f)
			})
		},
	}
	many.Flags(cmd)
	o.Flags(cmd)
	kit.Flags(cmd, simutrans.SimutransPicture, &params)
	return cmd
}
