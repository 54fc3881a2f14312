package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/fault"
)

func replayPictureCommand(a *kit.App) *cobra.Command {
	var o canvasOut
	many := kit.Many{Folders: true}
	params := nadeo.Draw.NewParams()
	together := false
	cmd := &cobra.Command{
		Use:   "picture FILE...",
		Short: "Draw the driven line, the speed and the inputs",
		Long: `Picture draws a run: the driven line from above, coloured by speed, with start,
checkpoints and finish, on the map; the speed over time; and the inputs below it.
Ghosts do not hold their map: --map names the map, or a folder or an index that
has it. Picture writes a PNG, or an SVG with --svg or an output that ends in
.svg. If a file has several ghosts, it draws the first; --ghost chooses another.
--together draws all runs in one picture, as 'pakbox replay compare -o' does.`,
		Example: `  pakbox replay picture A.Replay.Gbx
  pakbox replay picture A.Ghost.Gbx --map Maps -o line.svg
  pakbox replay picture A.Replay.Gbx --ghost 2 -o - > line.png
  pakbox replay picture --together A.Ghost.Gbx B.Ghost.Gbx -o both.png`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(&params.Kind); err != nil {
				return err
			}
			if together {
				with := nadeo.Compare.NewParams()
				with.Ghost, with.Map, with.With = params.Ghost, params.Map, args[1:]
				return drawTogether(a, cmd, o, with, args[0], params.Width)
			}
			return kit.MakeFile(a, cmd, many, o.Output, "."+params.Kind, "drawing", args, nadeo.Draw, params)
		},
	}
	many.Flags(cmd)
	o.Flags(cmd)
	kit.Flags(cmd, nadeo.Draw, &params)
	cmd.Flags().BoolVar(&together, "together", false, "draw the runs of all files in one picture")
	return cmd
}

// drawTogether draws runs of several files in one picture.
func drawTogether(a *kit.App, cmd *cobra.Command, o canvasOut, params nadeo.CompareParams, name string, width int) error {
	if o.Out == "" {
		return fault.Usagef("one picture of several files needs a name").Hint("name it with -o FILE.png")
	}
	at := a.At(name)
	c, err := nadeo.Compare.Ask(cmd.Context(), at, params)
	if err != nil {
		return err
	}
	f, err := c.Draw(o.kind(), width)
	if err != nil {
		return err
	}
	return a.WriteFile(o.Output, kit.SchemaName(cmd), at, f)
}
