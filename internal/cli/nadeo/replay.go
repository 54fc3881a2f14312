package nadeo

import (
	"strconv"

	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/trackmania"
	"pakbox/trackmania/runs"
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
  pakbox replay picture A.Replay.Gbx
  pakbox replay compare A.Replay.Gbx B.Replay.Gbx`,
	},
		a.replayInfoCommand(), a.replayMapCommand(), a.replayGhostsCommand(), a.replayInputsCommand(),
		a.replayTelemetryCommand(), a.replayCheckCommand(), a.replayPictureCommand(), a.replayCompareCommand(),
		a.replayAnimateCommand())
}

// lookAtRuns calls do with each file that args stand for, with output in order.
// Found is what is said of those in which it finds something.
func (a *app) lookAtRuns(cmd *cobra.Command, many shell.Many, args []string, found string, do func(a *app, name string, f *gbx.File, ghosts []*runs.Ghost) error) error {
	return a.look(cmd, many, args, found, func(a *app, name string) error {
		return answer.WithRuns(a.Ctx, a.Opener, name, func(f *gbx.File, ghosts []*runs.Ghost) error { return do(a, name, f, ghosts) })
	})
}

// styled gives a name with its colours, where there may be any, else without.
func (a *app) styled(s string) string {
	if a.Colours() {
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

// ghostFlag lets one of the runs of a file be chosen.
func ghostFlag(cmd *cobra.Command, c *answer.GhostChoice) {
	*c = answer.AllGhosts
	cmd.Flags().Var((*ghostValue)(c), "ghost", "only ghost number `N`, from 0")
}

// ghostValue is a choice of a ghost as a flag, which is empty where none is
// chosen.
type ghostValue answer.GhostChoice

func (v *ghostValue) Type() string { return "int" }

func (v *ghostValue) String() string {
	if answer.GhostChoice(*v) == answer.AllGhosts {
		return ""
	}
	return strconv.Itoa(int(*v))
}

func (v *ghostValue) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return hint.Usagef("%q is no number of a ghost", s)
	}
	*v = ghostValue(n)
	return nil
}
