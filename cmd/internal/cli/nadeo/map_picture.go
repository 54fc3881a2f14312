package nadeo

import (
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
)

func mapPictureCommand(a *kit.App) *cobra.Command {
	var o canvasOut
	many := kit.Many{Folders: true}
	params := nadeo.MapPicture.NewParams()
	cmd := &cobra.Command{
		Use:   "picture MAP...",
		Short: "Draw a map from above, as PNG or SVG",
		Long: `Picture draws the blocks and items of a map from above, north up, coloured by
height, with start, checkpoints and finish. It writes a PNG with the name of the map, or an SVG with --svg or an output that
ends in .svg. The numbers at the rim are those of the cells: x below, z at the
left. Blocks have the surfaces that 'pakbox map mesh' draws; blocks that the
catalogue does not know are one cell large.`,
		Example: `  pakbox map picture A.Map.Gbx
  pakbox map picture A.Map.Gbx -o a.svg
  pakbox map picture --3d A.Map.Gbx -o a.png`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(&params.Kind); err != nil {
				return err
			}
			return kit.MakeFile(a, cmd, many, o.Output, "."+params.Kind, "drawing", args, nadeo.MapPicture, params)
		},
	}
	many.Flags(cmd)
	o.Flags(cmd)
	kit.Flags(cmd, nadeo.MapPicture, &params)
	cmd.Flags().BoolVar(&params.Solid, "3d", false, "draw the map in three dimensions, seen from a corner")
	return cmd
}

// canvasOut has the paths for the pictures of a command that draws.
type canvasOut struct {
	kit.Output
	svg bool
}

// Flags adds the flags for it to a command.
func (o *canvasOut) Flags(cmd *cobra.Command) {
	o.Named = true
	o.Output.Flags(cmd)
	cmd.Flags().BoolVar(&o.svg, "svg", false, "draw an SVG")
}

// kind returns the kind of picture that the output's name asks for.
func (o *canvasOut) kind() string {
	if o.svg || strings.HasSuffix(strings.ToLower(o.Out), ".svg") {
		return "svg"
	}
	return "png"
}

// check rejects names with the extension of another kind, and sets the kind.
func (o *canvasOut) check(kind *string) error {
	*kind = o.kind()
	return kit.Promises(o.Out, "."+*kind, ".svg")
}
