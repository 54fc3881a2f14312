package simutrans

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
	"pakbox/simutrans"
	"pakbox/simutrans/picture"
)

func (a *app) pictureCommand() *cobra.Command {
	var opts picture.Options
	var out, player1, player2 string
	var force bool
	cmd := &cobra.Command{
		Use:   "picture OBJECT",
		Short: "Draw a contact sheet of a Simutrans object",
		Long: `Picture draws all images of an object on one sheet, each with the name that it
has in the source: directions, seasons, freight, layouts. OBJECT is a file with
one object, or an object in a file. Colours are red, orange, yellow, green,
blue, purple, brown, black, grey, white, or rrggbb.`,
		Example: `  pakbox simutrans picture vehicle.TB24.pak
  pakbox simutrans picture all.pak/vehicle.TB24 -o tram.png --player1 red --scale 2
  pakbox simutrans picture factory.Raffinerie.pak --night -o - > night.png`,
		Args: shell.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, c := range []struct {
				flag, text string
				to         **color.NRGBA
			}{{"player1", player1, &opts.Player1}, {"player2", player2, &opts.Player2}} {
				if c.text == "" {
					continue
				}
				colour, err := picture.ParseColour(c.text)
				if err != nil {
					return hint.Usagef("--%s: %v", c.flag, err)
				}
				*c.to = &colour
			}
			if opts.Scale < 1 || opts.Scale > maxScale || opts.Columns < 1 {
				return hint.Usagef("--scale takes 1 to %d, --columns a number from 1", maxScale)
			}
			if err := shell.Promises(out, ".png"); err != nil {
				return err
			}
			return a.picture(cmd.Context(), args[0], out, force, opts)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "write to `FILE` instead of OBJECT.png; - is standard output")
	cmd.Flags().StringVar(&player1, "player1", "", "the player's first `COLOUR`")
	cmd.Flags().StringVar(&player2, "player2", "", "the player's second `COLOUR`")
	cmd.Flags().BoolVar(&opts.Night, "night", false, "show it by night")
	cmd.Flags().IntVar(&opts.Scale, "scale", 1, "enlarge `N` times")
	cmd.Flags().IntVar(&opts.Columns, "columns", 8, "put `N` images in a row")
	cmd.Flags().BoolVar(&force, "force", false, "replace a picture that exists")
	return cmd
}

const maxScale = 16

func (a *app) picture(ctx context.Context, name, out string, force bool, opts picture.Options) error {
	s, objects, err := a.openObjects(ctx, name)
	if err != nil {
		return err
	}
	defer s.Close()
	if len(objects) != 1 {
		return hint.Usagef("%s holds %s", name, answer.Count(len(objects), "object")).
			Hint("choose one that 'pakbox ls %s' lists: pakbox simutrans picture %s/OBJECT", name, name)
	}
	sheet, err := picture.Sheet(objects[0].Node, opts)
	if err != nil {
		return err
	}
	if out == "" {
		out = simutrans.FolderName(objects[0].Node) + ".png"
	}
	if err := a.writePicture(out, force, sheet); err != nil {
		return err
	}
	size := sheet.Bounds().Size()
	if a.JSON {
		return a.Print(answer.New("simutrans.picture", name, s.Format()).Add("object", objectLabel(objects[0].Node)).
			Add("output", out).Add("width", size.X).Add("height", size.Y))
	}
	a.Note("drew %s: %d x %d pixels in %s", objectLabel(objects[0].Node), size.X, size.Y, out)
	return nil
}

// writePicture writes a PNG whole or not at all.
func (a *app) writePicture(out string, force bool, m image.Image) error {
	if out == "-" {
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			return err
		}
		return a.WriteContent(b.Bytes())
	}
	return source.StageFile(out, force, func(f *os.File) error { return png.Encode(f, m) })
}
