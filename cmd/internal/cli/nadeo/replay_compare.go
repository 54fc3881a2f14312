package nadeo

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/lib/racetime"
	"pakbox/nadeo"
	"pakbox/nadeo/runs/compare"
)

func replayCompareCommand(a *kit.App) *cobra.Command {
	var o kit.Output
	var asCSV bool
	var width int
	params := answers.Compare.NewParams()
	cmd := &cobra.Command{
		Use:   "compare FILE...",
		Short: "Compare runs of one map: where time was won and lost",
		Long: `Compare compares runs with the first one, place by place along its line. It
shows how much later or earlier the other runs came to a place, how much time
they won and lost from checkpoint to checkpoint, and where the lines are more
than a metre apart. It
names the five places that cost most, with the reason: braked earlier, a longer
line, slower. A minus means ahead, a plus behind. It also names stretches on which
two lines are the same to the millimetre: there one run was copied from the other.

It takes the first recorded run of each file, or the one that --ghost names; of a
single file it takes all runs.
An output that ends in .png or .svg becomes a picture of up to twenty runs: the
lines on the map, and charts of gaps, speeds, gas, brake and steering. An output
that ends in .csv, or --csv, becomes a table with a row every --step metres. Ghosts do not hold their map: --map names the map, or a folder or an index that
has it.`,
		Example: `  pakbox replay compare mine.Replay.Gbx record.Replay.Gbx
  pakbox replay compare A.Ghost.Gbx B.Ghost.Gbx C.Ghost.Gbx -o runs.png
  pakbox replay compare --map Maps A.Ghost.Gbx B.Ghost.Gbx -o runs.png
  pakbox replay compare --csv --step 1 A.Replay.Gbx B.Replay.Gbx -o runs.csv
  pakbox replay compare --json server.Replay.Gbx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("step") && params.Step == 0 {
				return fault.Usagef("--step takes metres above 0")
			}
			endings := []string{".txt", ".csv", ".png", ".svg"}
			if asCSV {
				endings = []string{".csv", ".txt"}
			}
			if err := kit.Promises(o.Out, endings...); err != nil {
				return err
			}
			params.With = args[1:]
			at := a.At(args[0])
			c, err := answers.Compare.Ask(cmd.Context(), at, params)
			if err != nil {
				return err
			}
			for _, w := range c.Warnings {
				a.Note("warning: %s", w)
			}
			if a.JSON && o.Out == "" && !asCSV {
				return kit.PrintAnswer(a, at, answers.Compare, c)
			}
			return writeComparison(a, o, c, asCSV, width, at)
		},
	}
	cmd.Flags().BoolVar(&asCSV, "csv", false, "write CSV: a row for each place and run")
	cmd.Flags().IntVar(&width, "width", 0, "a picture `PIXELS` wide; 1400 by default")
	kit.Flags(cmd, answers.Compare, &params)
	o.Flags(cmd)
	return cmd
}

func writeComparison(a *kit.App, o kit.Output, c *answers.Comparison, asCSV bool, width int, at *question.At) error {
	ending := strings.ToLower(filepath.Ext(o.Out))
	var b bytes.Buffer
	switch {
	case ending == ".png" || ending == ".svg":
		f, err := c.Draw(ending[1:], width)
		if err != nil {
			return err
		}
		return a.WriteFile(o, "replay.compare", at, f)
	case asCSV || ending == ".csv":
		if err := c.CSV(&b); err != nil {
			return err
		}
	default:
		comparisonText(&b, c.Of)
	}
	return kit.WriteMade(a, compareReport, o, at.Path, b.Bytes(), kit.OnlyMade{})
}

// comparisonText describes a comparison for people.
func comparisonText(b *bytes.Buffer, c *compare.Comparison) {
	var t kit.Table
	t.Add("run", "time", "", "driver")
	t.Add("0", nadeo.TimeText(c.First.Time), "", kit.Printable(c.First.Title()))
	for i := range c.Against {
		o := &c.Against[i]
		delta := ""
		if o.Run.Time != gbx.NoTime && c.First.Time != gbx.NoTime {
			delta = racetime.Gap(int64(o.Run.Time - c.First.Time))
		}
		t.Add(fmt.Sprint(i+1), nadeo.TimeText(o.Run.Time), delta, kit.Printable(o.Run.Title()))
	}
	t.Print(b)
	for i := range c.Against {
		fmt.Fprintf(b, "\nrun %d against run 0\n", i+1)
		againstText(b, &c.Against[i])
	}
}

func againstText(b *bytes.Buffer, o *compare.Against) {
	var t kit.Table
	t.Add("", "distance", "run 0", "other", "delta", "gain")
	for _, s := range o.Splits {
		label := fmt.Sprintf("checkpoint %d", s.Number)
		if s.Finish {
			label = "finish"
		}
		t.Add("  "+label, fmt.Sprintf("%.0f m", s.Distance), nadeo.TimeText(s.Time), nadeo.TimeText(s.Other),
			racetime.Gap(int64(s.Delta)), racetime.Delta(int64(s.Gain)))
	}
	t.Print(b)
	for _, c := range o.Costs() {
		fmt.Fprintf(b, "  lost %s from %.0f to %.0f m: %s\n", racetime.Delta(int64(math.Round(c.Loss)))[1:], c.From, c.To, c.Why)
	}
	list := func(what string, all []compare.Stretch, tell func(s *compare.Stretch) string) {
		for i := range all {
			s := &all[i]
			fmt.Fprintf(b, "  %s from %.0f to %.0f m%s; time %s\n", what, s.From, s.To, tell(s), racetime.Delta(int64(math.Round(s.Delta))))
		}
	}
	list("lines apart", o.Divergences, func(s *compare.Stretch) string { return fmt.Sprintf(", most at %.0f m, by %.1f m", s.MostAt, s.Most) })
	list("the same line", o.Copies, func(*compare.Stretch) string { return "" })
}

var compareReport = kit.NewReport[kit.OnlyMade]("replay.compare", "-o", "the new file with the comparison")
