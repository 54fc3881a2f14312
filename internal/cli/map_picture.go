package cli

import (
	"bytes"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/trackmania"
	"pakbox/trackmania/picture"
)

func (a *app) mapPictureCommand() *cobra.Command {
	var o making
	var svg bool
	cmd := &cobra.Command{
		Use:   "picture MAP",
		Short: "Draw a map from above, as PNG or SVG",
		Long: `Picture draws the blocks and items of a map from above, north up, coloured by
height, with start, checkpoints and finish. It is an SVG where FILE ends in .svg
or --svg is given, else a PNG. Blocks are drawn one cell large: how large they
really are stands in the game's files.`,
		Example: `  pakbox map picture A.Map.Gbx -o a.png
  pakbox map picture A.Map.Gbx -o a.svg`,
		Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withMap(cmd, args[0], func(_ *source, m *trackmania.Map) error {
				return a.writeCanvas(o, schemaName(cmd), args[0], picture.Map(m), svg)
			})
		},
	}
	o.flags(cmd)
	cmd.Flags().BoolVar(&svg, "svg", false, "write SVG")
	return cmd
}

// writeCanvas writes a picture in the format that its name asks for.
func (a *app) writeCanvas(o making, command, name string, c *picture.Canvas, svg bool) error {
	var b bytes.Buffer
	kind, encode := "png", c.PNG
	if svg || strings.HasSuffix(strings.ToLower(o.out), ".svg") {
		kind, encode = "svg", c.SVG
	}
	if err := encode(&b); err != nil {
		return err
	}
	return a.writeMade(o, command, name, b.Bytes(), new(object).add("kind", kind).add("width", c.Width).add("height", c.Height))
}
