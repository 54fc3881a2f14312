package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/nadeo"
)

func clipCommand(a *kit.App) *cobra.Command {
	return a.Family(&cobra.Command{
		Use:     "clip",
		GroupID: kit.GroupGame,
		Short:   "List and combine clips of the media tracker",
		Long: `Clip looks into clips of the media tracker: files of their own (.Clip.Gbx), and
those in maps and replays. 'pakbox replay clip' makes clips of runs, and 'pakbox
replay ghosts' takes runs out of clips.`,
		Example: `  pakbox clip ls A.Clip.Gbx
  pakbox clip combine A.Clip.Gbx B.Clip.Gbx -o Both.Clip.Gbx`,
	}, clipCommands...)
}

func clipListCommand(a *kit.App) *cobra.Command {
	many := kit.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "ls FILE...",
		Short: "List tracks and blocks of clips",
		Long: `Ls lists the tracks of clips and the blocks on them, with their times in seconds:
of a clip, of all clips of a map, or of the clip in a replay.`,
		Example: `  pakbox clip ls A.Clip.Gbx
  pakbox clip ls --json A.Map.Gbx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return ask(a, cmd, many, args, "", answers.ClipList, question.NoParams{}, printClips)
		},
	}
	many.Flags(cmd)
	return cmd
}

func printClips(a *kit.App, name string, list *answers.Clips) error {
	if len(list.Clips) == 0 {
		a.Note("%s: contains no clips", name)
	}
	for _, c := range list.Clips {
		fmt.Fprintf(a.Out, "%s: %s %s, %.2f s\n", kit.Printable(name), c.Use, kit.Printable(nadeo.Plain(c.Name)), c.Length)
		t := kit.Table{}
		for _, track := range c.Tracks {
			for i, b := range track.Blocks {
				title := ""
				if i == 0 {
					title = kit.Printable(nadeo.Plain(track.Name))
				}
				t.Add("  "+title, b.Kind, fmt.Sprintf("%.2f", b.Start), fmt.Sprintf("%.2f", b.End), kit.Printable(nadeo.Plain(b.Text)))
			}
		}
		t.Print(a.Out)
	}
	return nil
}

func clipCombineCommand(a *kit.App) *cobra.Command {
	params := answers.ClipCombine.NewParams()
	return makeOne(a, &cobra.Command{
		Use:   "combine CLIP CLIP... -o OUT",
		Short: "Make one clip of several",
		Long: `Combine makes one clip: the first clip, with the unchanged tracks of the others
added at the end. All clips must be of the same game.`,
		Example: "  pakbox clip combine A.Clip.Gbx B.Clip.Gbx -o Both.Clip.Gbx",
	}, "Both.Clip.Gbx", answers.ClipCombine, &params, &params.With)
}

func replayClipCommand(a *kit.App) *cobra.Command {
	params := answers.MakeClip.NewParams()
	return makeOne(a, &cobra.Command{
		Use:   "clip FILE... -o OUT",
		Short: "Make a clip of the media tracker that shows runs",
		Long: `Clip makes a clip of runs for the media tracker of their game: TrackMania Forever,
ManiaPlanet 4 or Trackmania (2020). It shows the cars with their models; with
--inputs also what the first driver pressed, and with --checkpoints the times at
checkpoints, with the gaps to the second run. Runs are put in as they are.

It takes the first run of each file, or the one that --ghost names; of a single
file it takes all runs.`,
		Example: `  pakbox replay clip A.Replay.Gbx B.Ghost.Gbx -o Race.Clip.Gbx
  pakbox replay clip --no-ghosts --inputs A.Replay.Gbx -o Keys.Clip.Gbx`,
	}, "Race.Clip.Gbx", answers.MakeClip, &params, &params.With)
}

func replayCreateCommand(a *kit.App) *cobra.Command {
	params := answers.Create.NewParams()
	return makeOne(a, &cobra.Command{
		Use:   "create MAP FILE... -o OUT",
		Short: "Put a map and runs on it into a replay",
		Long: `Create puts a map, and runs that were driven on it, into a replay of TrackMania
Forever, ManiaPlanet 4 or Trackmania (2020). Map and runs stay the same, byte
for byte. The replay
is marked in its header as put together, and not as a proof of a time. It
takes the first run of each file; of a single file it takes all runs.`,
		Example: "  pakbox replay create A.Map.Gbx A.Ghost.Gbx B.Ghost.Gbx -o Both.Replay.Gbx",
	}, "Both.Replay.Gbx", answers.Create, &params, &params.With)
}

// makeOne makes a command for a question that makes one file from several.
func makeOne[P any](a *kit.App, cmd *cobra.Command, example string, q *question.Typed[P, *question.File], params *P, with *[]string) *cobra.Command {
	var o kit.Output
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if o.Out == "" {
			return fault.Usagef("%s needs a name for what it makes", cmd.Name()).Hint("name it with -o %s", example)
		}
		*with = args[1:]
		at := a.At(args[0])
		f, err := q.Ask(cmd.Context(), at, *params)
		if err != nil {
			return err
		}
		return a.WriteFile(o, kit.SchemaName(cmd), at, f)
	}
	kit.Flags(cmd, q, params)
	o.OneFlags(cmd, kit.AnyFile)
	return cmd
}
