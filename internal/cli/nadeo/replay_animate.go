package nadeo

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/trackmania/picture"
)

func (a *app) replayAnimateCommand() *cobra.Command {
	o := shell.Making{}
	var ghost answer.GhostChoice
	size, frames, hz := "960x540", "", 20.0
	cmd := &cobra.Command{
		Use:   "animate FILE...",
		Short: "Show runs as a moving picture",
		Long: `Animate draws runs in time: the map below where a file holds it, the lines, the
cars with what they drove lately, and their speed, gas, brake and steering. All
start at once. It writes an animated PNG (APNG), which browsers and messengers
play, or with --frames a folder of pictures from which ffmpeg makes a video:

  ffmpeg -framerate 20 -i frames/frame-%05d.png -pix_fmt yuv420p run.mp4

Of each file the first recorded run is taken, or --ghost; of a single file all.`,
		Example: `  pakbox replay animate A.Replay.Gbx -o run.png
  pakbox replay animate --hz 30 --size 1280x720 A.Ghost.Gbx B.Ghost.Gbx -o race.png
  pakbox replay animate --frames frames A.Replay.Gbx`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (o.Out == "") == (frames == "") {
				return hint.Usagef("animate needs a place for the pictures").Hint("name a file with -o FILE.png, or a folder with --frames DIR")
			}
			if err := shell.Promises(o.Out, ".png", ".apng"); err != nil {
				return err
			}
			var at image.Point
			if n, err := fmt.Sscanf(size+" ", "%dx%d ", &at.X, &at.Y); n != 2 || err != nil {
				return hint.Usagef("--size takes a width and a height such as 960x540, not %q", size)
			}
			runs, err := answer.GatherRuns(cmd.Context(), a.Opener, args, ghost)
			if err != nil {
				return err
			}
			film, err := picture.NewFilm(runs.Runs, runs.Map, at, hz)
			if err != nil {
				return err
			}
			defer a.Watch("drawing")()
			more := new(form.Object).Add("kind", "apng").Add("width", at.X).Add("height", at.Y).Add("frames", film.Frames())
			if frames != "" {
				return a.writeFrames(cmd.Context(), film, frames, args[0], o.Force, more)
			}
			var b bytes.Buffer
			if err := film.APNG(cmd.Context(), &b); err != nil {
				return err
			}
			return a.WriteMade(o, shell.SchemaName(cmd), args[0], b.Bytes(), more)
		},
	}
	cmd.Flags().Float64Var(&hz, "hz", hz, "`N` pictures a second")
	cmd.Flags().StringVar(&size, "size", size, "`WIDTHxHEIGHT` in pixels")
	cmd.Flags().StringVar(&frames, "frames", "", "write each picture as a PNG into `DIR` instead")
	cmd.Flags().StringVarP(&o.Out, "output", "o", "", "write an animated PNG to `FILE`, - for standard output")
	cmd.Flags().BoolVar(&o.Force, "force", false, "replace files that exist")
	cmd.Flags().StringVar((*string)(&ghost), "ghost", "", "only ghost number `N`, from 0")
	return cmd
}

// writeFrames writes each picture of a film as a file.
func (a *app) writeFrames(ctx context.Context, film *picture.Film, dir, name string, force bool, more *form.Object) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for i := range film.Frames() {
		if err := ctx.Err(); err != nil {
			return err
		}
		var b bytes.Buffer
		if err := png.Encode(&b, film.Frame(i)); err != nil {
			return err
		}
		o := shell.Making{Out: filepath.Join(dir, fmt.Sprintf("frame-%05d.png", i)), Force: force}
		if err := o.Write(a.App, b.Bytes()); err != nil {
			return err
		}
	}
	if a.JSON {
		return a.Print(form.New("replay.animate", name, "gbx").Add("output", filepath.ToSlash(dir)).Merge(more))
	}
	a.Note("wrote %s to %s", form.Count(film.Frames(), "picture"), dir)
	return nil
}
