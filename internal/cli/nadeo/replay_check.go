package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
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
		Args:    shell.ArgCount(1, shell.Unlimited),
		RunE:    a.eachRun(a.checkRuns),
	}
}

func (a *app) checkRuns(name string, f *gbx.File, ghosts []*trackmania.Ghost) error {
	suspect := false
	t := shell.Table{}
	judge := func(where string, verdicts []trackmania.Verdict) []*answer.Object {
		list := make([]*answer.Object, len(verdicts))
		for i, v := range verdicts {
			suspect = suspect || v.State == trackmania.Suspect
			list[i] = new(answer.Object).Add("question", v.Question).Add("state", v.State).Add("detail", v.Detail)
			t.Add(shell.Printable(name), where, string(v.State), v.Question, shell.Printable(v.Detail))
		}
		return list
	}
	o := answer.New("replay.check", name, "gbx")
	if r, err := trackmania.ReplayOf(f); err == nil {
		o.Add("verdicts", judge("replay", r.Check()))
	}
	list := []*answer.Object{}
	for i, g := range ghosts {
		list = append(list, new(answer.Object).Add("ghost", i).Add("verdicts", judge(fmt.Sprintf("ghost %d", i), g.Check())))
	}
	if a.JSON {
		if err := a.Print(o.Add("suspect", suspect).Add("ghosts", list)); err != nil {
			return err
		}
	} else {
		t.Print(a.Out)
	}
	if suspect {
		return shell.ErrFound
	}
	return nil
}
