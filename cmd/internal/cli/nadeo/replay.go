package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/nadeo"
)

func replayCommand(a *kit.App) *cobra.Command {
	return a.Family(&cobra.Command{
		Use:     "replay",
		GroupID: kit.GroupGame,
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
	}, replayCommands...)
}

// styled returns a name with its colours, if colours are allowed; otherwise without.
func styled(a *kit.App, s string) string {
	if a.Colours() {
		return nadeo.ANSI(s)
	}
	return kit.Printable(nadeo.Plain(s))
}

// loginText formats a login with its account.
func loginText(login string) string {
	if id, ok := nadeo.AccountID(login); ok {
		return login + " (account " + id + ")"
	}
	return kit.Printable(login)
}
