package simutrans

import (
	"bytes"
	"image/color"
	"image/png"
	"path/filepath"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/simutrans"
	"pakbox/simutrans/picture"
)

func (a *app) pictureCommand() *cobra.Command {
	var opts picture.Options
	var player1, player2 string
	o := shell.Making{Named: true}
	many := shell.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "picture OBJECT...",
		Short: "Draw a contact sheet of a Simutrans object",
		Long: `Picture draws all images of an object on one sheet, each with the name that it
has in the source: directions, seasons, freight, layouts. OBJECT is a file with
one object, an object in a file, or a folder of such files. Colours are red, orange, yellow, green,
blue, purple, brown, black, grey, white, or rrggbb.`,
		Example: `  pakbox simutrans picture vehicle.TB24.pak
  pakbox simutrans picture all.pak/vehicle.TB24 -o tram.png --player1 red --scale 2
  pakbox simutrans picture factory.Raffinerie.pak --night -o - > night.png`,
		Args: shell.ArgCount(1, shell.Unlimited),
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
			if err := shell.Promises(o.Out, ".png"); err != nil {
				return err
			}
			named := o.Out != ""
			return a.MakeOfEach(many, o, ".png", shell.SchemaName(cmd), "drawing", args, func(run *shell.App, name string, o shell.Making) error {
				return (&app{run}).picture(name, o, named, opts)
			})
		},
	}
	many.Flags(cmd)
	o.Flags(cmd)
	cmd.Flags().StringVar(&player1, "player1", "", "the player's first `COLOUR`")
	cmd.Flags().StringVar(&player2, "player2", "", "the player's second `COLOUR`")
	cmd.Flags().BoolVar(&opts.Night, "night", false, "show it by night")
	cmd.Flags().IntVar(&opts.Scale, "scale", 1, "enlarge `N` times")
	cmd.Flags().IntVar(&opts.Columns, "columns", 8, "put `N` images in a row")
	return cmd
}

const maxScale = 16

// picture draws the object that a path leads to. Unless the picture is named, it
// is called like the object, and not like the file.
func (a *app) picture(name string, o shell.Making, named bool, opts picture.Options) error {
	s, objects, err := a.openObjects(a.Ctx, name)
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
	var b bytes.Buffer
	if err := png.Encode(&b, sheet); err != nil {
		return err
	}
	if !named {
		o.Out = filepath.Join(filepath.Dir(o.Out), simutrans.FolderName(objects[0].Node)+".png")
	}
	if o.Out == "-" {
		return a.WriteContent(b.Bytes(), true)
	}
	if err := o.Write(b.Bytes()); err != nil {
		return err
	}
	size := sheet.Bounds().Size()
	if a.JSON {
		return a.Print(answer.New("simutrans.picture", name, s.Format()).Add("object", objectLabel(objects[0].Node)).
			Add("output", filepath.ToSlash(o.Out)).Add("width", size.X).Add("height", size.Y))
	}
	a.Note("drew %s: %d x %d pixels in %s", objectLabel(objects[0].Node), size.X, size.Y, o.Out)
	return nil
}
