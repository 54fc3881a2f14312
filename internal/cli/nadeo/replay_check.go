package nadeo

import (
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
	c := answer.CheckRuns(f, ghosts)
	if a.JSON {
		if err := a.Print(c.Object(name)); err != nil {
			return err
		}
	} else {
		t := shell.Table{}
		for _, part := range c.Parts {
			for _, v := range part.Verdicts {
				t.Add(shell.Printable(name), part.Name, string(v.State), v.Question(), shell.Printable(v.Message))
			}
		}
		t.Print(a.Out)
	}
	if c.Suspect {
		return shell.ErrFound
	}
	return nil
}
