package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
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

// eachRun makes the run of a command that looks at files one after another. A
// file that cannot be read does not stop the others.
func (a *app) eachRun(look func(name string, f *gbx.File, ghosts []*trackmania.Ghost) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		command := shell.SchemaName(cmd)
		for _, name := range a.Paths(cmd.Context(), command, args) {
			err := answer.WithRuns(cmd.Context(), a.Opener, name, func(f *gbx.File, ghosts []*trackmania.Ghost) error { return look(name, f, ghosts) })
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

// ghostFlag lets one of the runs of a file be chosen.
func ghostFlag(cmd *cobra.Command, c *answer.GhostChoice) {
	cmd.Flags().IntVar((*int)(c), "ghost", int(answer.AllGhosts), "only ghost number `N`, from 0")
}
