package nadeo

import (
	"bytes"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/source"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/picture"
)

func (a *app) mapPictureCommand() *cobra.Command {
	var o canvasOut
	many := shell.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "picture MAP...",
		Short: "Draw a map from above, as PNG or SVG",
		Long: `Picture draws the blocks and items of a map from above, north up, coloured by
height, with start, checkpoints and finish. It writes a PNG, or with --svg or an
output that ends in .svg an SVG, called like the map. Blocks of the games up to
TrackMania United are drawn with the cells that they take; of later ones only the
name tells how large they are, and what does not say so is drawn one cell large.`,
		Example: `  pakbox map picture A.Map.Gbx
  pakbox map picture A.Map.Gbx -o a.svg`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.drawEach(cmd, many, o, args, func(a *app, name string, draw canvasOut) error {
				return answer.WithMap(a.Ctx, a.Opener, name, func(_ *source.Source, m *maps.Map) error {
					return a.writeCanvas(draw, shell.SchemaName(cmd), name, picture.Map(m), new(answer.Object))
				})
			})
		},
	}
	many.Flags(cmd)
	o.Flags(cmd)
	return cmd
}

// canvasOut is where a command that draws puts its pictures.
type canvasOut struct {
	shell.Making
	svg bool
}

// Flags gives a command the flags for it.
func (o *canvasOut) Flags(cmd *cobra.Command) {
	o.Named = true
	o.Making.Flags(cmd)
	cmd.Flags().BoolVar(&o.svg, "svg", false, "draw an SVG")
}

// kind is what the pictures are, by what the name of the output asks for.
func (o *canvasOut) kind() string {
	if o.svg || strings.HasSuffix(strings.ToLower(o.Out), ".svg") {
		return "svg"
	}
	return "png"
}

// drawEach calls draw with the files that args stand for.
func (a *app) drawEach(cmd *cobra.Command, many shell.Many, o canvasOut, args []string, draw func(a *app, name string, o canvasOut) error) error {
	if err := shell.Promises(o.Out, "."+o.kind(), ".svg"); err != nil {
		return err
	}
	return a.MakeOfEach(many, o.Making, "."+o.kind(), shell.SchemaName(cmd), "drawing", args, func(run *shell.App, name string, m shell.Making) error {
		return draw(&app{run}, name, canvasOut{m, o.svg})
	})
}

// writeCanvas writes a picture in the format that its name asks for; more is
// added to what --json says.
func (a *app) writeCanvas(o canvasOut, command, name string, c *picture.Canvas, more *answer.Object) error {
	var b bytes.Buffer
	encode := c.PNG
	if o.kind() == "svg" {
		encode = c.SVG
	}
	if err := encode(&b); err != nil {
		return err
	}
	more.Add("kind", o.kind()).Add("width", c.Width).Add("height", c.Height)
	return a.WriteMade(o.Making, command, name, b.Bytes(), more)
}
