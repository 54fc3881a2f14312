package nadeo

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/trackmania"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/picture"
	"pakbox/trackmania/runs"
)

func (a *app) replayPictureCommand() *cobra.Command {
	var o canvasOut
	many := shell.Many{Folders: true}
	var ghost answer.GhostChoice
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
			if together {
				return a.drawTogether(cmd, o, args, ghost)
			}
			one := ghost
			if one == answer.AllGhosts {
				one = 0
			}
			return a.drawEach(cmd, many, o, args, func(a *app, name string, draw canvasOut) error {
				return answer.WithRuns(a.Ctx, a.Opener, name, func(f *gbx.File, ghosts []*runs.Ghost) error {
					return one.Each(ghosts, func(i int, g *runs.Ghost) error {
						run, err := runOf(f, g)
						if err != nil {
							return err
						}
						return a.writeCanvas(draw, shell.SchemaName(cmd), name, picture.DrawRun(run), new(answer.Object).Add("ghost", i))
					})
				})
			})
		},
	}
	many.Flags(cmd)
	o.Flags(cmd)
	ghostFlag(cmd, &ghost)
	cmd.Flags().BoolVar(&together, "together", false, "draw the runs of all files in one picture")
	return cmd
}

// drawTogether draws runs of several files in one picture.
func (a *app) drawTogether(cmd *cobra.Command, o canvasOut, args []string, ghost answer.GhostChoice) error {
	if o.Out == "" {
		return hint.Usagef("one picture of several files needs a name").Hint("name it with -o FILE.png")
	}
	if err := shell.Promises(o.Out, "."+o.kind(), ".svg"); err != nil {
		return err
	}
	runs, err := answer.GatherRuns(cmd.Context(), a.Opener, args, ghost)
	if err != nil {
		return err
	}
	c, err := runs.Compare()
	if err != nil {
		return err
	}
	return a.writeCanvas(o, shell.SchemaName(cmd), args[0], picture.DrawComparison(c, runs.Map), new(answer.Object).Add("runs", len(runs.Runs)))
}

// runOf gathers what a picture of a ghost shows.
func runOf(f *gbx.File, g *runs.Ghost) (picture.Run, error) {
	lines, err := g.Telemetry()
	if err != nil && !errors.Is(err, runs.ErrNotRecorded) {
		return picture.Run{}, err
	}
	inputs, _ := g.Inputs() // those before an error are drawn
	r := picture.Run{Time: g.Time(), Checkpoints: g.Checkpoints(), Lines: lines, Inputs: inputs}
	if r.Time == gbx.NoTime {
		r.Time = g.FinishMark()
	}
	r.Title = trackmania.Plain(g.Player().Nick)
	if r.Title == "" {
		r.Title = g.Player().Login
	}
	if r.Title == "" {
		r.Title = "Unknown driver"
	}
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	add(mapTitle(f))
	if len(parts) == 0 {
		add(g.MapUID())
	}
	if car := g.Car(); !car.ID.IsEmpty() {
		add(car.ID.String())
	}
	add(g.Player().Zone)
	r.Subtitle = strings.Join(parts, "  ·  ")
	return r, nil
}

// mapTitle is the name of the map that a file holds or is.
func mapTitle(f *gbx.File) string {
	m, err := maps.Of(f)
	if r, isReplay := runs.ReplayOf(f); isReplay == nil && len(r.MapFile()) > 0 {
		inside, broken := gbx.Parse(r.MapFile(), engine.Registry())
		if broken != nil {
			return ""
		}
		m, err = maps.Of(inside)
	}
	if err != nil {
		return ""
	}
	return trackmania.Plain(m.Name())
}
