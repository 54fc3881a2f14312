package simutrans

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/simutrans"
	"pakbox/simutrans/node"
	"pakbox/simutrans/picture"
)

func (a *app) pictureCommand() *cobra.Command {
	var opts picture.Options
	var player1, player2 string
	var sprite bool
	var choices []string
	o := shell.Making{Named: true}
	many := shell.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "picture OBJECT...",
		Short: "Draw a Simutrans object, or all its images",
		Long: `Picture draws all images of an object on one sheet, each with the name that it
has in the source: directions, seasons, freight, layouts. OBJECT is a file with
one object, an object in a file, or a folder of such files. Colours are red, orange, yellow, green,
blue, purple, brown, black, grey, white, or rrggbb.

--sprite draws the object itself, put together from its tiles, on nothing.
--choose says which view of it: direction=sw, season=1, frame=3; --json lists
what there is to choose.`,
		Example: `  pakbox simutrans picture vehicle.TB24.pak
  pakbox simutrans picture all.pak/vehicle.TB24 -o tram.png --player1 red --scale 2
  pakbox simutrans picture factory.Raffinerie.pak --night -o - > night.png
  pakbox simutrans picture vehicle.TB24.pak --sprite --choose direction=sw -o tram.png`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, c := range []struct {
				flag, text string
				to         **color.NRGBA
			}{{"player1", player1, &opts.Player1}, {"player2", player2, &opts.Player2}} {
				if c.text == "" {
					continue
				}
				colour, err := picture.ParseColor(c.text)
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
			view, err := parseChoices(choices)
			if err != nil {
				return err
			}
			if view.sprite = sprite; len(choices) > 0 && !sprite {
				return hint.Usagef("--choose goes with --sprite")
			}
			named := o.Out != ""
			return a.MakeOfEach(many, o, ".png", shell.SchemaName(cmd), "drawing", args, func(run *shell.App, name string, o shell.Making) error {
				return (&app{run}).picture(name, o, named, view, opts)
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
	cmd.Flags().BoolVar(&sprite, "sprite", false, "draw the object itself, not a sheet of its images")
	cmd.Flags().StringArrayVar(&choices, "choose", nil, "draw this view: `NAME=VALUE`, such as direction=sw")
	return cmd
}

const maxScale = 16

// view is what is to be drawn.
type view struct {
	sprite bool // the object, and not all its images
	choice map[string]string
}

func parseChoices(texts []string) (v view, err error) {
	v.choice = map[string]string{}
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return v, hint.Usagef("--choose: %q is not of the form NAME=VALUE", text)
		}
		v.choice[name] = value
	}
	return v, nil
}

// draw draws the view.
func (v view) draw(n *node.Node, opts picture.Options) (*image.NRGBA, error) {
	if v.sprite {
		return picture.Sprite(n, v.choice, opts)
	}
	return picture.Sheet(n, opts)
}

// picture draws the object that a path leads to. Unless the picture is named, it
// is called like the object, and not like the file.
func (a *app) picture(name string, o shell.Making, named bool, v view, opts picture.Options) error {
	s, objects, err := a.openObjects(a.Ctx, name)
	if err != nil {
		return err
	}
	defer s.Close()
	if len(objects) != 1 {
		return hint.Usagef("%s holds %s", name, answer.Count(len(objects), "object")).
			Hint("choose one that 'pakbox ls %s' lists: pakbox simutrans picture %s/OBJECT", name, name)
	}
	sheet, err := v.draw(objects[0].Node, opts)
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
		made := answer.New("simutrans.picture", name, s.Format()).Add("object", objectLabel(objects[0].Node)).
			Add("output", filepath.ToSlash(o.Out)).Add("width", size.X).Add("height", size.Y)
		if v.sprite {
			made.Add("axes", picture.Axes(objects[0].Node))
		}
		return a.Print(made)
	}
	a.Note("drew %s: %d x %d pixels in %s", objectLabel(objects[0].Node), size.X, size.Y, o.Out)
	return nil
}
