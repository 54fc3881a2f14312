package nadeo

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/internal/lib/stray"
	"pakbox/nadeo/picture"
)

func replayAnimateCommand(a *kit.App) *cobra.Command {
	o := kit.Output{}
	params := nadeo.Animate.NewParams()
	frames := ""
	cmd := &cobra.Command{
		Use:   "animate FILE...",
		Short: "Show runs as a moving picture",
		Long: `Animate draws runs as a film: the map, if a file or --map has it, the driven lines,
the cars with the last part of their way, and their gaps, speeds, gas, brake and
steering. All cars start at once.

The ending of the output decides: .png and .apng are animated PNG, which browsers
and messengers play, .gif is a GIF. For .mp4 and .webm the program ffmpeg must be
installed. With --frames each picture becomes a PNG in a folder.

It takes the first recorded run of each file, or the one that --ghost names; of a
single file it takes all runs.`,
		Example: `  pakbox replay animate A.Replay.Gbx -o run.png
  pakbox replay animate --hz 30 --size 1280x720 A.Ghost.Gbx B.Ghost.Gbx -o race.mp4
  pakbox replay animate --map Maps A.Ghost.Gbx B.Ghost.Gbx -o race.gif
  pakbox replay animate --frames frames A.Replay.Gbx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if (o.Out == "") == (frames == "") {
				return fault.Usagef("animate needs a place for the pictures").Hint("name a file with -o FILE.png, or a folder with --frames DIR")
			}
			if err := kit.Promises(o.Out, ".png", ".apng", ".gif", ".mp4", ".webm"); err != nil {
				return err
			}
			params.With = args[1:]
			defer a.Watch("drawing")()
			at := a.At(args[0])
			ending := strings.ToLower(filepath.Ext(o.Out))
			switch {
			case frames != "":
				return writeFrames(cmd.Context(), a, at, params, frames, o.Force)
			case ending == ".mp4" || ending == ".webm":
				return writeVideo(cmd.Context(), a, at, params, o)
			case ending == ".gif":
				params.Kind = "gif"
			}
			f, err := nadeo.Animate.Ask(cmd.Context(), at, params)
			if err != nil {
				return err
			}
			return a.WriteFile(o, kit.SchemaName(cmd), at, f)
		},
	}
	kit.Flags(cmd, nadeo.Animate, &params)
	cmd.Flags().StringVar(&frames, "frames", "", "write each picture as a PNG into `DIR` instead")
	o.OneFlags(cmd, "write the film to `FILE`, - for an animated PNG on standard output")
	return cmd
}

// writeFrames writes each picture of a film as a file.
func writeFrames(ctx context.Context, a *kit.App, at *question.At, params nadeo.AnimateParams, dir string, force bool) error {
	film, told, err := nadeo.Film(ctx, at, params)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	done := told.Progress(at)
	for i := range film.Frames() {
		if err := ctx.Err(); err != nil {
			return err
		}
		var b bytes.Buffer
		if err := png.Encode(&b, film.Frame(i)); err != nil {
			return err
		}
		o := kit.Output{Out: filepath.Join(dir, fmt.Sprintf("frame-%05d.png", i)), Force: force}
		if err := o.Write(a, b.Bytes()); err != nil {
			return err
		}
		if done != nil {
			done(1)
		}
	}
	if a.JSON {
		return framesReport.Print(a, at.Path, "gbx", writtenFrames{filepath.ToSlash(dir), told.Kind, told.Width, told.Height, told.Frames})
	}
	a.Note("wrote %s to %s", question.Count(film.Frames(), "picture"), dir)
	return nil
}

// videoArgs are ffmpeg's arguments for each extension: codecs that browsers play, and a
// colour format that all players know.
var videoArgs = map[string][]string{
	"mp4":  {"-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"},
	"webm": {"-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "6", "-crf", "30", "-b:v", "0", "-pix_fmt", "yuv420p", "-f", "webm"},
}

// writeVideo lets ffmpeg make a video. It writes to a temporary file, because the parts
// of an MP4 refer to each other.
func writeVideo(ctx context.Context, a *kit.App, at *question.At, params nadeo.AnimateParams, o kit.Output) error {
	params.Kind = strings.ToLower(strings.TrimPrefix(filepath.Ext(o.Out), "."))
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		return fault.WithHint(fault.New(fault.Unsupported, "%s videos are made by the program ffmpeg, which is not installed", strings.ToUpper(params.Kind)),
			"without it: an extension of .png or .gif, or --frames DIR")
	}
	film, told, err := nadeo.Film(ctx, at, params)
	if err != nil {
		return err
	}
	dir, release, err := stray.MkdirTemp()
	if err != nil {
		return err
	}
	defer release()
	defer os.RemoveAll(dir)
	made := filepath.Join(dir, "video")
	args := []string{"-hide_banner", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", fmt.Sprintf("%dx%d", told.Width, told.Height),
		"-framerate", strconv.FormatFloat(cmp.Or(params.Hz, 20), 'f', -1, 64), "-i", "pipe:0",
		"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2"} // video needs even sides
	if err := encode(ctx, exec.CommandContext(ctx, ffmpeg, append(append(args, videoArgs[params.Kind]...), made)...), film, told.Progress(at)); err != nil {
		return err
	}
	data, err := os.ReadFile(made)
	if err != nil {
		return err
	}
	return a.WriteFile(o, "replay.animate", at, &question.File{Data: data, Say: told})
}

// encode passes the pictures of a film to a program. If the program fails, its output is
// the error.
func encode(ctx context.Context, cmd *exec.Cmd, film *picture.Film, done picture.Progress) error {
	var said bytes.Buffer
	cmd.Stderr = &said
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	drawn := film.Raw(ctx, in, done)
	in.Close()
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		line, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		return fault.Wrap(fault.Unsupported, err, "ffmpeg could not make the video: %s", kit.Printable(line))
	}
	if drawn == io.ErrClosedPipe {
		return nil
	}
	return drawn
}

var framesReport = kit.NewReport[writtenFrames]("replay.animate", "--frames", "the pictures that were written")

type writtenFrames struct {
	Output string `json:"output" doc:"folder of the pictures"`
	Kind   string `json:"kind" doc:"kind of moving picture: apng or gif"`
	Width  int    `json:"width" doc:"width of a picture in pixels"`
	Height int    `json:"height" doc:"height of a picture in pixels"`
	Frames int    `json:"frames" doc:"number of pictures"`
}
