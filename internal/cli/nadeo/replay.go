package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/internal/cli/shell"
	"pakbox/trackmania"
)

func (a *app) replayCommand() *cobra.Command {
	return a.Family(&cobra.Command{
		Use:     "replay",
		GroupID: shell.GroupGame,
		Short:   "See what a replay or ghost recorded: times, inputs, driven line",
		Long: `Replay looks into recorded runs of every TrackMania game and ShootMania:
replays, ghosts, and the ghosts that validate maps. A recorded run is evidence:
no command alters it.`,
		Example: `  pakbox replay info A.Replay.Gbx
  pakbox replay check *.Replay.Gbx
  pakbox replay inputs --tmi A.Replay.Gbx -o run.txt
  pakbox replay telemetry A.Ghost.Gbx -o line.parquet
  pakbox replay picture A.Replay.Gbx
  pakbox replay compare A.Replay.Gbx B.Replay.Gbx`,
	}, replayFamily.of(a)...)
}

// styled returns a name with its colours, if colours are allowed; otherwise without.
func (a *app) styled(s string) string {
	if a.Colours() {
		return trackmania.ANSI(s)
	}
	return shell.Printable(trackmania.Plain(s))
}

// loginText formats a login with its account.
func loginText(login string) string {
	if id, ok := trackmania.AccountID(login); ok {
		return login + " (account " + id + ")"
	}
	return shell.Printable(login)
}
