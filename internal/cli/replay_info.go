package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/trackmania"
)

func (a *app) replayInfoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "info FILE...",
		Short: "Tell who drove what, and how fast",
		Long: `Info shows what a replay says about itself, and each run in it: the time, the
driver, the car, the checkpoints with their splits, and how much was recorded.`,
		Example: `  pakbox replay info A.Replay.Gbx
  pakbox replay info --json *.Ghost.Gbx`,
		Args: argCount(1, unlimited),
		RunE: a.eachRun(a.printRuns),
	}
}

func (a *app) printRuns(name string, f *gbx.File, ghosts []*trackmania.Ghost) error {
	r, err := trackmania.ReplayOf(f)
	isReplay := err == nil
	if a.json {
		o := newObject("replay.info", name, "gbx")
		if isReplay {
			return a.print(o.addFields(r.Info()))
		}
		return a.print(o.add("ghosts", trackmania.GhostInfos(ghosts)))
	}
	fmt.Fprintln(a.out, printable(name))
	t := table{}
	if isReplay {
		a.replayRows(&t, r)
	}
	t.print(a.out)
	for i, g := range ghosts {
		if len(ghosts) > 1 || isReplay {
			fmt.Fprintf(a.out, "ghost %d\n", i)
		}
		t := table{}
		a.ghostRows(&t, g)
		t.print(a.out)
	}
	return nil
}

func (a *app) replayRows(t *table, r *trackmania.Replay) {
	p, m := r.Player(), r.MapIdent()
	t.row("Time", trackmania.TimeText(r.Time()))
	t.row("Driver", a.styled(p.Nick))
	t.row("Login", loginText(p.Login))
	t.row("Map UID", printable(m.ID.String()))
	t.row("Environment", trackmania.EnvironmentName(trackmania.CollectionName(m.Collection)))
	t.row("Map author", loginText(m.Author.String()))
	if n := len(r.MapFile()); n > 0 {
		t.row("Map inside", sizeText(int64(n)))
	}
}

// row adds a fact to a card, unless there is nothing to say.
func (t *table) row(label, text string) {
	if text != "" {
		t.add("  "+label, text)
	}
}

func (a *app) ghostRows(t *table, g *trackmania.Ghost) {
	p := g.Player()
	t.row("Time", trackmania.TimeText(g.Time()))
	t.row("Driver", a.styled(p.Nick))
	t.row("Login", loginText(p.Login))
	t.row("Zone", a.styled(p.Zone))
	if !g.Car().ID.IsEmpty() {
		t.row("Car", printable(g.Car().ID.String()))
	}
	t.row("Map UID", printable(g.MapUID()))
	if n := g.Respawns(); n >= 0 {
		t.row("Respawns", fmt.Sprint(n))
	}
	if n := g.StuntScore(); n > 0 {
		t.row("Points", fmt.Sprint(n))
	}
	var before gbx.Time
	for i, c := range g.Checkpoints() {
		label := ""
		if i == 0 {
			label = "Checkpoints"
		}
		if c == gbx.NoTime {
			t.add("  "+label, trackmania.TimeText(c))
			continue
		}
		t.add("  "+label, fmt.Sprintf("%s  +%s", trackmania.TimeText(c), trackmania.TimeText(c-before)))
		before = c
	}
	t.row("Recorded", fmt.Sprintf("%s, %s", count(g.SampleCount(), "sample"), count(g.InputCount(), "input")))
	t.row("Program", printable(strings.TrimSpace(g.Program())))
}
