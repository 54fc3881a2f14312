package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/trackmania"
)

func (a *app) replayCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Compare the declared time with what was recorded",
		Long: `Check compares the time that a run declares with its checkpoints, samples and
inputs, and a replay's header with its map and ghosts. It looks for missing,
repeated and misplaced samples, for jumps, and for speeds that do not fit the
positions. What a file does not allow to judge is said to be unknown.

A suspect answer is a contradiction in the file; there may be an honest reason.
A clean result does not prove that a person drove the run. The exit code is 1
if something is suspect.`,
		Example: "  pakbox replay check *.Replay.Gbx",
		Args:    argCount(1, unlimited),
		RunE:    a.eachRun(a.checkRuns),
	}
}

func (a *app) checkRuns(name string, f *gbx.File, ghosts []*trackmania.Ghost) error {
	suspect := false
	t := table{}
	judge := func(where string, verdicts []trackmania.Verdict) []*object {
		list := make([]*object, len(verdicts))
		for i, v := range verdicts {
			suspect = suspect || v.State == trackmania.Suspect
			list[i] = new(object).add("question", v.Question()).add("state", v.State).add("detail", v.Message)
			t.add(printable(name), where, string(v.State), v.Question(), printable(v.Message))
		}
		return list
	}
	o := newObject("replay.check", name, "gbx")
	if r, err := trackmania.ReplayOf(f); err == nil {
		o.add("verdicts", judge("replay", r.Check()))
	}
	list := []*object{}
	for i, g := range ghosts {
		list = append(list, new(object).add("ghost", i).add("verdicts", judge(fmt.Sprintf("ghost %d", i), g.Check())))
	}
	if a.json {
		if err := a.print(o.add("suspect", suspect).add("ghosts", list)); err != nil {
			return err
		}
	} else {
		t.print(a.out)
	}
	if suspect {
		return errFound
	}
	return nil
}
