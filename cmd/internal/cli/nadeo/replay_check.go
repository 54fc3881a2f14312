package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/nadeo/runs"
)

func replayCheckCommand(a *kit.App) *cobra.Command {
	many := kit.Many{Folders: true}
	var long bool
	var rows kit.Columns
	cmd := &cobra.Command{
		Use:        "check FILE...",
		SuggestFor: []string{"verify", "validate", "lint"},
		Short:      "Compare the declared time with what was recorded",
		Long: `Check compares the parts of a run with each other:

  - the declared time with checkpoints, samples and inputs
  - the recorded checkpoints with the declared ones
  - the steering in the samples with the inputs
  - stored speeds and turning with positions and rotations
  - a replay's header with its map and ghosts

It also looks for missing, repeated and misplaced samples, and for jumps. Each
file gets one verdict, and below it a list of what is suspect. -l shows the
answer to each question, with its figure. JSON also states for each question what
a suspect answer proves. An answer is unknown if the file does not hold enough
to judge.

A suspect answer is a contradiction in the file; there may be an honest reason.
A clean result does not prove that a person drove the run. The exit code is 1
if something is suspect.`,
		Example: `  pakbox replay check *.Replay.Gbx
  pakbox replay check --table --where state=suspect replays`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return askRows(a, cmd, many, args, "suspect", nadeo.Check, question.NoParams{}, &rows, nadeo.VerdictFacts, func(a *kit.App, name string, c *nadeo.Checked) error {
				printChecked(a, name, c, long)
				return nil
			})
		},
	}
	cmd.Flags().BoolVarP(&long, "long", "l", false, "show the answer to each question, not only what is suspect")
	many.Flags(cmd)
	rows.Flags(cmd, nadeo.VerdictFacts...)
	return cmd
}

// stateColours are the colours of the verdicts.
var stateColours = map[runs.State]string{runs.OK: kit.Good, runs.Suspect: kit.Bad, runs.Unknown: kit.Neutral}

// printChecked prints a verdict, and below it the suspect answers, or all answers.
func printChecked(a *kit.App, name string, c *nadeo.Checked, long bool) {
	counts := map[runs.State]int{}
	t := kit.Table{}
	add := func(part string, verdicts []nadeo.Verdict) {
		for _, v := range verdicts {
			counts[v.State]++
			if long || v.State == runs.Suspect || v.Question == runs.AssemblyRule {
				t.Add("  "+part, a.Paint(stateColours[v.State], string(v.State)), v.Question, kit.Printable(v.Detail))
			}
		}
	}
	add("replay", c.Verdicts)
	for _, g := range c.Ghosts {
		add(fmt.Sprintf("ghost %d", g.Ghost), g.Verdicts)
	}
	verdict, colour := "ok", kit.Good
	switch {
	case c.Suspect:
		verdict, colour = "suspect", kit.Bad
	case counts[runs.OK] == 0:
		verdict, colour = "unknown", kit.Doubt
	}
	a.Verdict(name, colour, fmt.Sprintf("%s, %d of %s answered", verdict, counts[runs.OK]+counts[runs.Suspect],
		question.Count(counts[runs.OK]+counts[runs.Suspect]+counts[runs.Unknown], "question")))
	t.Print(a.Out)
}
