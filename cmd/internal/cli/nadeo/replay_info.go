package nadeo

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/runs"
)

func replayInfoCommand(a *kit.App) *cobra.Command {
	many := kit.Many{Folders: true}
	var rows kit.Columns
	cmd := &cobra.Command{
		Use:        "info FILE...",
		SuggestFor: []string{"runs", "list", "ls", "show"},
		Short:      "Show driver, map and time of a replay",
		Long: `Info shows the facts of a replay, and each run in it: the time, the
driver, the car, the checkpoints with their splits, and how much was recorded.`,
		Example: `  pakbox replay info A.Replay.Gbx
  pakbox replay info --table --sort race_time replays
  pakbox replay info --json *.Ghost.Gbx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return askRows(a, cmd, many, args, "", answers.Info, question.NoParams{}, &rows, nil, printRuns,
				"path", "ghost", "race_time", "nick", "login", "map_uid", "respawns", "checkpoints")
		},
	}
	many.Flags(cmd)
	rows.Flags(cmd, runs.GhostFacts.Facts...)
	return cmd
}

func printRuns(a *kit.App, name string, info *answers.Runs) error {
	r, err := runs.ReplayOf(info.File)
	isReplay := err == nil
	a.Separate()
	fmt.Fprintln(a.Out, kit.Printable(name))
	t := kit.Table{}
	if isReplay {
		replayRows(a, &t, r)
	}
	t.Print(a.Out)
	for i, g := range info.List {
		if len(info.List) > 1 || isReplay {
			fmt.Fprintf(a.Out, "ghost %d\n", i)
		}
		t := kit.Table{}
		ghostRows(a, &t, g)
		t.Print(a.Out)
	}
	return nil
}

func replayRows(a *kit.App, t *kit.Table, r *runs.Replay) {
	p, m := r.Player(), r.MapIdent()
	t.Row("Time", nadeo.TimeText(r.Time()))
	t.Row("Driver", styled(a, p.Nick))
	t.Row("Login", loginText(p.Login))
	t.Row("Map UID", kit.Printable(m.ID.String()))
	t.Row("Environment", r.Environment())
	t.Row("Map author", loginText(m.Author.String()))
	if n := len(r.MapFile()); n > 0 {
		t.Row("Map inside", fact.SizeText(int64(n)))
	}
	if made := r.Assembler(); made != "" {
		t.Row("Made", kit.Printable(made))
	}
}

func ghostRows(a *kit.App, t *kit.Table, g *runs.Ghost) {
	p := g.Player()
	t.Row("Time", nadeo.TimeText(g.Time()))
	t.Row("Driver", styled(a, p.Nick))
	t.Row("Login", loginText(p.Login))
	t.Row("Zone", styled(a, p.Zone))
	if !g.Car().ID.IsEmpty() {
		t.Row("Car", kit.Printable(g.Car().ID.String()))
	}
	t.Row("Map UID", kit.Printable(g.MapUID()))
	if n := g.Respawns(); n >= 0 {
		t.Row("Respawns", fmt.Sprint(n))
	}
	if n := g.StuntScore(); n > 0 {
		t.Row("Points", fmt.Sprint(n))
	}
	var before gbx.Time
	for i, c := range g.Checkpoints() {
		label := ""
		if i == 0 {
			label = "Checkpoints"
		}
		if g.IsFinish(c) {
			label = "Finish"
		}
		if c == gbx.NoTime {
			t.Add("  "+label, nadeo.TimeText(c))
			continue
		}
		t.Add("  "+label, fmt.Sprintf("%s  +%s", nadeo.TimeText(c), nadeo.TimeText(c-before)))
		before = c
	}
	t.Row("Recorded", fmt.Sprintf("%s, %s", question.Count(g.SampleCount(), "sample"), question.Count(g.InputCount(), "input")))
	t.Row("Program", kit.Printable(strings.TrimSpace(g.Program())))
}
