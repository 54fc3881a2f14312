package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
)

func (a *app) replayPictureCommand() *cobra.Command {
	var o canvasOut
	many := shell.Many{Folders: true}
	params := answer.ReplayPicture.NewParams()
	together := false
	cmd := &cobra.Command{
		Use:   "picture FILE...",
		Short: "Draw the driven line, the speed and the inputs",
		Long: `Picture draws a run: the driven line from above, coloured by speed, with start,
checkpoints and finish; the speed over time; and the inputs below it. It writes
a PNG, or with --svg or an output that ends in .svg an SVG. Of several ghosts
the first is drawn; --ghost chooses another. With --together all runs are drawn
in one picture, which 'pakbox replay compare -o' draws too.`,
		Example: `  pakbox replay picture A.Replay.Gbx
  pakbox replay picture A.Ghost.Gbx -o line.svg
  pakbox replay picture A.Replay.Gbx --ghost 2 -o - > line.png
  pakbox replay picture --together A.Ghost.Gbx B.Ghost.Gbx -o both.png`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(&params.Kind); err != nil {
				return err
			}
			if together {
				return a.drawTogether(cmd, o, args, params.Ghost)
			}
			return shell.MakeFile(a.App, cmd, many, o.Making, "."+params.Kind, "drawing", args, answer.ReplayPicture, params)
		},
	}
	many.Flags(cmd)
	o.Flags(cmd)
	shell.Flags(cmd, answer.ReplayPicture, &params)
	cmd.Flags().BoolVar(&together, "together", false, "draw the runs of all files in one picture")
	return cmd
}

// drawTogether draws runs of several files in one picture.
func (a *app) drawTogether(cmd *cobra.Command, o canvasOut, args []string, ghost answer.GhostChoice) error {
	if o.Out == "" {
		return hint.Usagef("one picture of several files needs a name").Hint("name it with -o FILE.png")
	}
	params := answer.ReplayCompare.NewParams()
	params.Ghost, params.With = ghost, args[1:]
	at := a.At(args[0])
	c, err := answer.ReplayCompare.Ask(cmd.Context(), at, params)
	if err != nil {
		return err
	}
	f, err := c.Draw(o.kind())
	if err != nil {
		return err
	}
	return a.WriteFile(o.Making, shell.SchemaName(cmd), at, f)
}
