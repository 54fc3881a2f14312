package nadeo

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/source"
	"pakbox/trackmania"
	"pakbox/trackmania/picture"
)

func (a *app) mapPictureCommand() *cobra.Command {
	var o shell.Making
	var svg bool
	cmd := &cobra.Command{
		Use:   "picture MAP",
		Short: "Draw a map from above, as PNG or SVG",
		Long: `Picture draws the blocks and items of a map from above, north up, coloured by
height, with start, checkpoints and finish. It writes a PNG, or with --svg or an
output that ends in .svg an SVG. Blocks are drawn one cell large: how large they
really are stands in the game's files.`,
		Example: `  pakbox map picture A.Map.Gbx
  pakbox map picture A.Map.Gbx -o a.svg`,
		Args: shell.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return answer.WithMap(cmd.Context(), a.Opener, args[0], func(_ *source.Source, m *trackmania.Map) error {
				return a.writeCanvas(o, shell.SchemaName(cmd), args[0], picture.Map(m), svg, new(answer.Object))
			})
		},
	}
	canvasFlags(cmd, &o, &svg)
	return cmd
}

// canvasFlags are those of commands that draw.
func canvasFlags(cmd *cobra.Command, o *shell.Making, svg *bool) {
	cmd.Flags().StringVarP(&o.Out, "output", "o", "", "write to `FILE` instead of a picture named like the input, here; - is standard output")
	cmd.Flags().BoolVar(&o.Force, "force", false, "replace FILE if it exists")
	cmd.Flags().BoolVar(svg, "svg", false, "draw an SVG")
}

// writeCanvas writes a picture in the format that its name asks for; more is
// added to what --json says.
func (a *app) writeCanvas(o shell.Making, command, name string, c *picture.Canvas, svg bool, more *answer.Object) error {
	var b bytes.Buffer
	kind, encode := "png", c.PNG
	if svg || strings.HasSuffix(strings.ToLower(o.Out), ".svg") {
		kind, encode = "svg", c.SVG
	}
	if err := shell.Promises(o.Out, "."+kind, ".svg"); err != nil {
		return err
	}
	if err := encode(&b); err != nil {
		return err
	}
	if o.Out == "" {
		o.Out = filepath.Base(filepath.FromSlash(name)) + "." + kind
	}
	more.Add("kind", kind).Add("width", c.Width).Add("height", c.Height)
	return a.WriteMade(o, command, name, b.Bytes(), more)
}
