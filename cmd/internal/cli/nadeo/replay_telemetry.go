package nadeo

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/lib/csvline"
	"pakbox/nadeo/runs"
)

func replayTelemetryCommand(a *kit.App) *cobra.Command {
	var format, set string
	var asCSV, events, list bool
	many := kit.Many{Folders: true}
	var every time.Duration
	var hz float64
	var o kit.Output
	params := nadeo.ListTelemetry.NewParams()
	cmd := &cobra.Command{
		Use:        "telemetry FILE...",
		SuggestFor: []string{"export", "csv"},
		Short:      "Write the driven line as numbers: CSV, Parquet or NumPy",
		Long: `Telemetry writes what was recorded of the cars, a row for each sample. The
columns say their units, which are SI: metres, seconds, radians.

  file, ghost, car   where the row is from; a ghost's own car is number 0
` + columnHelp() + `
A value that a game did not record is empty in CSV, null in Parquet and NaN in NumPy.
The format follows the ending of -o (.csv, .parquet, .npy), or --format. A NumPy
file holds one array with named columns and no file names.

With --parquet DIR, many files become one set: a folder map_uid=UID for each map,
and in it a Parquet file for each replay. Tools for data read DIR as one table.

Samples are stored every 50 or 100 ms. --every and --hz give even steps instead,
by straight lines between samples.

--all writes everything that is understood: speeds along and across the car, its
turning, each wheel, turbo, reactor and more. --columns lists all columns, their
units, and whether their meaning was measured or transcribed. --events lists the
checkpoints and the effects that a car drove through.`,
		Example: `  pakbox replay telemetry A.Replay.Gbx > line.csv
  pakbox replay telemetry *.Ghost.Gbx -o lines.parquet
  pakbox replay telemetry --every 10ms A.Ghost.Gbx -o line.npy
  pakbox replay telemetry --all A.Ghost.Gbx -o line.parquet
  pakbox replay telemetry --events A.Ghost.Gbx
  pakbox replay telemetry -r Replays --parquet lines`,
		Args: func(cmd *cobra.Command, args []string) error {
			if list {
				return kit.ArgCount(0, 0)(cmd, args)
			}
			return kit.ArgCount(1, kit.Unlimited)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case list:
				return listColumns(a)
			case events:
				return listEvents(a, cmd, many, args, params.Ghost)
			}
			var err error
			if params.Step, err = stepOf(cmd, every, hz); err != nil {
				return err
			}
			read := func(run *kit.App, name string) (*nadeo.Telemetry, error) {
				return nadeo.ListTelemetry.Ask(run.Ctx, run.At(name), params)
			}
			if set != "" {
				return telemetrySet(a, kit.SchemaName(cmd), many, args, read, set)
			}
			if asCSV {
				format = "csv"
			}
			kind, err := telemetryFormat(format, o.Out)
			if err != nil {
				return err
			}
			if !o.Given() && (a.JSON || kind == "csv") {
				if !a.JSON {
					nadeo.DrivenLines.Head(nil, a.Out.Writer, nadeo.TelemetryColumns(params.All))
				}
				return ask(a, cmd, many, args, "", nadeo.ListTelemetry, params, func(run *kit.App, _ string, t *nadeo.Telemetry) error {
					t.Lines.Rows(run.Out.Writer)
					return nil
				})
			}
			return telemetry(a, kit.SchemaName(cmd), many, args, kind, read, o)
		},
	}
	cmd.Flags().StringVar(&format, "format", "", "write `FORMAT`: csv, parquet or npy")
	cmd.Flags().BoolVar(&asCSV, "csv", false, "write CSV")
	cmd.Flags().StringVar(&set, "parquet", "", "write a set of Parquet files into `DIR`, a folder for each map")
	many.Flags(cmd)
	cmd.Flags().BoolVar(&list, "columns", false, "list all columns, with their units and meaning, and write none")
	cmd.Flags().BoolVar(&events, "events", false, "list the checkpoints and effects that were driven through, as CSV")
	cmd.Flags().DurationVar(&every, "every", 0, "resample in steps of `TIME`, such as 10ms")
	cmd.Flags().Float64Var(&hz, "hz", 0, "resample `N` times a second")
	kit.Flags(cmd, nadeo.ListTelemetry, &params)
	o.Flags(cmd)
	cmd.MarkFlagsMutuallyExclusive("every", "hz")
	cmd.MarkFlagsMutuallyExclusive("columns", "events", "output")
	cmd.MarkFlagsMutuallyExclusive("columns", "events", "parquet")
	cmd.MarkFlagsMutuallyExclusive("columns", "events", "all")
	cmd.MarkFlagsMutuallyExclusive("format", "csv", "parquet")
	cmd.MarkFlagsMutuallyExclusive("parquet", "output")
	return cmd
}

// columnHelp lists the columns for the help text.
func columnHelp() string {
	var b strings.Builder
	for _, c := range runs.Columns {
		fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("  %-18s %s", c.Name, c.Doc), " "))
	}
	return b.String()
}

// listColumns lists all columns.
func listColumns(a *kit.App) error {
	list := []columnFields{}
	t := kit.Table{}
	t.Add("column", "unit", "known", "meaning")
	for i, c := range runs.AllColumns() {
		usual := i < len(runs.Columns)
		list = append(list, columnFields{c.Name, c.Unit, c.Evidence, usual, c.Doc})
		t.Add(c.Name, c.Unit, string(c.Evidence), c.Doc)
	}
	if a.JSON {
		return columnsReport.Print(a, "", "gbx", columnList{list})
	}
	t.Print(a.Out)
	return nil
}

// listEvents prints a row for each event of the runs in files.
func listEvents(a *kit.App, cmd *cobra.Command, many kit.Many, args []string, choice nadeo.GhostChoice) error {
	if !a.JSON {
		fmt.Fprintln(a.Out, "file,ghost,driver,time_s,event,waypoint,effect")
	}
	return lookAtRuns(a, cmd, many, args, func(a *kit.App, name string, ghosts []*runs.Ghost) error {
		list := []runEvent{}
		err := choice.Each(ghosts, func(i int, g *runs.Ghost) error {
			events, err := g.Events()
			for _, e := range events {
				waypoint := ""
				if e.Waypoint >= 0 {
					waypoint = fmt.Sprint(e.Waypoint)
				}
				if !a.JSON {
					fmt.Fprintf(a.Out, "%s,%d,%d,%g,%s,%s,%s\n", csvline.AppendText(nil, name), i, e.Driver, float64(e.Time)/1000, e.Kind, waypoint, e.Effect)
				}
				list = append(list, runEvent{
					i, e.Driver, float64(e.Time) / 1000, e.Kind, question.Known(int64(e.Waypoint)), question.NonEmpty(e.Effect),
				})
			}
			return err
		})
		if err == nil && a.JSON {
			err = eventsReport.Print(a, name, "gbx", eventList{list})
		}
		return err
	})
}

// lookAtRuns calls do with the runs of each file in args, several at a time, and prints
// the output in order.
func lookAtRuns(a *kit.App, cmd *cobra.Command, many kit.Many, args []string, do func(a *kit.App, name string, ghosts []*runs.Ghost) error) error {
	return look(a, cmd, many, args, "", func(a *kit.App, name string) error {
		return nadeo.WithRuns(a.Ctx, a.Opener, name, func(_ *gbx.File, ghosts []*runs.Ghost) error { return do(a, name, ghosts) })
	})
}

// stepOf returns the step that --every or --hz asks for, 0 to keep the step of the file.
func stepOf(cmd *cobra.Command, every time.Duration, hz float64) (int, error) {
	ms := float64(every) / float64(time.Millisecond)
	switch {
	case cmd.Flags().Changed("hz"):
		ms = 1000 / hz
	case !cmd.Flags().Changed("every"):
		return 0, nil
	}
	if !(ms >= 1 && ms <= math.MaxInt32) || ms != math.Trunc(ms) {
		return 0, fault.Usagef("steps are whole milliseconds, from 1: not %g", ms)
	}
	return int(ms), nil
}

// telemetryFormat returns the format that a flag or the name of the output asks for.
func telemetryFormat(format, out string) (string, error) {
	if format == "" {
		format = strings.ToLower(strings.TrimPrefix(filepath.Ext(out), "."))
	}
	if format == "" || format == "txt" {
		format = "csv"
	}
	if nadeo.TelemetryKinds[format] == nil {
		return "", fault.Usagef("unknown format %q", format).Hint("formats: csv, parquet, npy")
	}
	return format, nil
}

// readLines is a function that reads the driven lines of a file.
type readLines = func(a *kit.App, name string) (*nadeo.Telemetry, error)

func telemetry(a *kit.App, command string, many kit.Many, args []string, kind string, read readLines, o kit.Output) error {
	if o.Dir != "" || strings.Contains(o.Out, "{") {
		return a.MakeOfEach(many, o, "."+kind, command, "reading", args, func(run *kit.App, name string, o kit.Output) error {
			t, err := read(run, name)
			if err != nil {
				return err
			}
			return writeTelemetry(run, kind, t.Lines, o, command, name, 1)
		})
	}
	return joinTelemetry(a, command, many, args, kind, read, o)
}

// joinTelemetry writes the lines of all files into one file.
func joinTelemetry(a *kit.App, command string, many kit.Many, args []string, kind string, read readLines, o kit.Output) error {
	inputs := a.Inputs(many, command, args)
	each := make([]nadeo.DrivenLines, len(inputs))
	a.EachInput(many, command, "reading", inputs, func(run *kit.App, name string) error {
		t, err := read(run, name)
		if err == nil {
			each[run.Subject.Number-1] = t.Lines
		}
		return err
	})
	all := slices.Concat(each...)
	if len(all) == 0 {
		return nil // every file has failed with its own error
	}
	return writeTelemetry(a, kind, all, o, command, inputs[0].Path, len(inputs))
}

// writeTelemetry writes lines as one file.
func writeTelemetry(a *kit.App, kind string, lines nadeo.DrivenLines, o kit.Output, command, name string, files int) error {
	f, err := lines.File(kind)
	if err != nil {
		return err
	}
	return kit.WriteMade(a, telemetryReport, o, name, f.Data, writtenTelemetry{Files: files, Lines: len(lines), Rows: lines.Samples()})
}
