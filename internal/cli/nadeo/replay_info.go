package nadeo

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/internal/answer/replay"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/question"
	"pakbox/trackmania"
	"pakbox/trackmania/runs"
)

func init() { replayFamily.add((*app).replayInfoCommand) }

func (a *app) replayInfoCommand() *cobra.Command {
	many := shell.Many{Folders: true}
	var rows shell.Columns
	cmd := &cobra.Command{
		Use:        "info FILE...",
		SuggestFor: []string{"runs", "list", "ls", "show"},
		Short:      "Tell who drove what, and how fast",
		Long: `Info shows what a replay says about itself, and each run in it: the time, the
driver, the car, the checkpoints with their splits, and how much was recorded.`,
		Example: `  pakbox replay info A.Replay.Gbx
  pakbox replay info --table --sort race_time replays
  pakbox replay info --json *.Ghost.Gbx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return askRows(a, cmd, many, args, "", replay.Info, question.NoParams{}, &rows, nil, (*app).printRuns,
				"path", "ghost", "race_time", "nick", "login", "map_uid", "respawns", "checkpoints")
		},
	}
	many.Flags(cmd)
	rows.Flags(cmd, runs.GhostFacts.Facts...)
	return cmd
}

func (a *app) printRuns(name string, info *replay.Runs) error {
	r, err := runs.ReplayOf(info.File)
	isReplay := err == nil
	a.Separate()
	fmt.Fprintln(a.Out, shell.Printable(name))
	t := shell.Table{}
	if isReplay {
		a.replayRows(&t, r)
	}
	t.Print(a.Out)
	for i, g := range info.List {
		if len(info.List) > 1 || isReplay {
			fmt.Fprintf(a.Out, "ghost %d\n", i)
		}
		t := shell.Table{}
		a.ghostRows(&t, g)
		t.Print(a.Out)
	}
	return nil
}

func (a *app) replayRows(t *shell.Table, r *runs.Replay) {
	p, m := r.Player(), r.MapIdent()
	t.Row("Time", trackmania.TimeText(r.Time()))
	t.Row("Driver", a.styled(p.Nick))
	t.Row("Login", loginText(p.Login))
	t.Row("Map UID", shell.Printable(m.ID.String()))
	t.Row("Environment", r.Environment())
	t.Row("Map author", loginText(m.Author.String()))
	if n := len(r.MapFile()); n > 0 {
		t.Row("Map inside", fact.SizeText(int64(n)))
	}
	if made := r.Made(); made != "" {
		t.Row("Made", shell.Printable(made))
	}
}

func (a *app) ghostRows(t *shell.Table, g *runs.Ghost) {
	p := g.Player()
	t.Row("Time", trackmania.TimeText(g.Time()))
	t.Row("Driver", a.styled(p.Nick))
	t.Row("Login", loginText(p.Login))
	t.Row("Zone", a.styled(p.Zone))
	if !g.Car().ID.IsEmpty() {
		t.Row("Car", shell.Printable(g.Car().ID.String()))
	}
	t.Row("Map UID", shell.Printable(g.MapUID()))
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
			t.Add("  "+label, trackmania.TimeText(c))
			continue
		}
		t.Add("  "+label, fmt.Sprintf("%s  +%s", trackmania.TimeText(c), trackmania.TimeText(c-before)))
		before = c
	}
	t.Row("Recorded", fmt.Sprintf("%s, %s", form.Count(g.SampleCount(), "sample"), form.Count(g.InputCount(), "input")))
	t.Row("Program", shell.Printable(strings.TrimSpace(g.Program())))
}
