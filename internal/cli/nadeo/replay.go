package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
	"pakbox/trackmania"
)

func (a *app) replayCommand() *cobra.Command {
	return a.Family(&cobra.Command{
		Use:     "replay",
		GroupID: shell.GroupGame,
		Short:   "See what a replay or ghost recorded: times, inputs, the driven line",
		Long: `Replay looks into recorded runs of every TrackMania game and ShootMania:
replays, ghosts, and the ghosts that validate maps. A recorded run is evidence:
no command alters it.`,
		Example: `  pakbox replay info A.Replay.Gbx
  pakbox replay check *.Replay.Gbx
  pakbox replay inputs --tmi A.Replay.Gbx -o run.txt
  pakbox replay telemetry A.Ghost.Gbx -o line.parquet
  pakbox replay picture A.Replay.Gbx`,
	},
		a.replayInfoCommand(), a.replayMapCommand(), a.replayGhostsCommand(), a.replayInputsCommand(),
		a.replayTelemetryCommand(), a.replayCheckCommand(), a.replayPictureCommand())
}

// withRuns calls look with the recorded runs of the file that a path leads
// to.
func (a *app) withRuns(cmd *cobra.Command, name string, look func(f *gbx.File, ghosts []*trackmania.Ghost) error) error {
	return a.gbxFile(cmd.Context(), name, func(_ *source.Source, f *gbx.File) error {
		ghosts := trackmania.GhostsOf(f)
		if _, err := trackmania.ReplayOf(f); err != nil && len(ghosts) == 0 {
			return fault.New(fault.NotFormat, "there is no recorded run in the file")
		}
		return look(f, ghosts)
	})
}

// eachRun makes the run of a command that looks at files one after another. A
// file that cannot be read does not stop the others.
func (a *app) eachRun(look func(name string, f *gbx.File, ghosts []*trackmania.Ghost) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		command := shell.SchemaName(cmd)
		for _, name := range a.Paths(cmd.Context(), command, args) {
			err := a.withRuns(cmd, name, func(f *gbx.File, ghosts []*trackmania.Ghost) error { return look(name, f, ghosts) })
			if err != nil {
				a.Fail(command, name, err)
			}
		}
		return nil
	}
}

// styled gives a name with its colours on a terminal, else without.
func (a *app) styled(s string) string {
	if a.Out.Terminal {
		return trackmania.ANSI(s)
	}
	return shell.Printable(trackmania.Plain(s))
}

// loginText shows a login, and the account that it stands for.
func loginText(login string) string {
	if id, ok := trackmania.AccountID(login); ok {
		return login + " (account " + id + ")"
	}
	return shell.Printable(login)
}

// timeValue is a time in JSON.
func timeValue(t gbx.Time) any {
	if t == gbx.NoTime {
		return nil
	}
	return int64(t)
}

// ghostChoice is a choice among the runs of a file.
type ghostChoice int

func (c *ghostChoice) flag(cmd *cobra.Command) {
	cmd.Flags().IntVar((*int)(c), "ghost", allGhosts, "only ghost number `N`, from 0")
}

// allGhosts is the choice of all.
const allGhosts = -1

// each calls run with the ghosts that are chosen.
func (c ghostChoice) each(ghosts []*trackmania.Ghost, run func(i int, g *trackmania.Ghost) error) error {
	if int(c) >= len(ghosts) && c != allGhosts || c < allGhosts {
		return hint.Usagef("there is no ghost %d: the file has %s, counted from 0", c, answer.Count(len(ghosts), "ghost"))
	}
	for i, g := range ghosts {
		if c == allGhosts || int(c) == i {
			if err := run(i, g); err != nil {
				return err
			}
		}
	}
	return nil
}
