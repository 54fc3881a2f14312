package nadeo

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/internal/answer/about"
	"pakbox/internal/answer/replay"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/csvline"
	"pakbox/internal/lib/hint"
	"pakbox/internal/question"
	"pakbox/trackmania/runs"
)

func init() { replayFamily.add((*app).replayTelemetryCommand) }

func (a *app) replayTelemetryCommand() *cobra.Command {
	var format, set string
	var asCSV, events, list bool
	many := shell.Many{Folders: true}
	var every time.Duration
	var hz float64
	var o shell.Making
	params := replay.ListTelemetry.NewParams()
	cmd := &cobra.Command{
		Use:        "telemetry FILE...",
		SuggestFor: []string{"export", "csv"},
		Short:      "Write the driven line as numbers: CSV, Parquet or NumPy",
		Long: `Telemetry writes what was recorded of the cars, a row for each sample. The
columns say their units, which are SI: metres, seconds, radians.

  file, ghost, car   where the row is from; a ghost's own car is number 0
` + columnHelp() + `
What a game did not record is empty in CSV, null in Parquet and NaN in NumPy.
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
				return shell.ArgCount(0, 0)(cmd, args)
			}
			return shell.ArgCount(1, shell.Unlimited)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case list:
				return a.listColumns()
			case events:
				return a.listEvents(cmd, many, args, params.Ghost)
			}
			var err error
			if params.Step, err = stepOf(cmd, every, hz); err != nil {
				return err
			}
			read := func(run *shell.App, name string) (*replay.Telemetry, error) {
				return replay.ListTelemetry.Ask(run.Ctx, run.At(name), params)
			}
			if set != "" {
				return a.telemetrySet(shell.SchemaName(cmd), many, args, read, set)
			}
			if asCSV {
				format = "csv"
			}
			kind, err := telemetryFormat(format, o.Out)
			if err != nil {
				return err
			}
			return a.telemetry(cmd, many, args, kind, params.All, read, o)
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
	shell.Flags(cmd, replay.ListTelemetry, &params)
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
func (a *app) listColumns() error {
	list := []*form.Object{}
	t := shell.Table{}
	t.Add("column", "unit", "known", "meaning")
	for i, c := range runs.AllColumns() {
		usual := i < len(runs.Columns)
		list = append(list, new(form.Object).Add("name", c.Name).Add("unit", c.Unit).Add("known", c.Sure).Add("usual", usual).Add("doc", c.Doc))
		t.Add(c.Name, c.Unit, string(c.Sure), c.Doc)
	}
	if a.JSON {
		return a.Print(form.New("replay.telemetry", "", "gbx").Add("columns", list))
	}
	t.Print(a.Out)
	return nil
}

// listEvents prints a row for each event of the runs in files.
func (a *app) listEvents(cmd *cobra.Command, many shell.Many, args []string, choice replay.GhostChoice) error {
	if !a.JSON {
		fmt.Fprintln(a.Out, "file,ghost,driver,time_s,event,waypoint,effect")
	}
	return a.lookAtRuns(cmd, many, args, func(a *app, name string, ghosts []*runs.Ghost) error {
		list := []*form.Object{}
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
				list = append(list, new(form.Object).Add("ghost", i).Add("driver", e.Driver).Add("time_s", float64(e.Time)/1000).Add("event", e.Kind).
					Add("waypoint", fact.Known(e.Waypoint, e.Waypoint >= 0)).Add("effect", fact.Known(e.Effect, e.Effect != "")))
			}
			return err
		})
		if err == nil && a.JSON {
			err = a.Print(form.New("replay.telemetry", name, "gbx").Add("events", list))
		}
		return err
	})
}

// lookAtRuns calls do with the runs of each file in args, several at a time, and prints
// the output in order.
func (a *app) lookAtRuns(cmd *cobra.Command, many shell.Many, args []string, do func(a *app, name string, ghosts []*runs.Ghost) error) error {
	return a.look(cmd, many, args, "", func(a *app, name string) error {
		return about.WithRuns(a.Ctx, a.Opener, name, func(_ *gbx.File, ghosts []*runs.Ghost) error { return do(a, name, ghosts) })
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
		return 0, hint.Usagef("steps are whole milliseconds, from 1: not %g", ms)
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
	if replay.TelemetryKinds[format] == nil {
		return "", hint.Usagef("there is no format %q", format).Hint("formats: csv, parquet, npy")
	}
	return format, nil
}

// readLines is a function that reads the driven lines of a file.
type readLines = func(a *shell.App, name string) (*replay.Telemetry, error)

func (a *app) telemetry(cmd *cobra.Command, many shell.Many, args []string, kind string, all bool, read readLines, o shell.Making) error {
	command := shell.SchemaName(cmd)
	switch {
	case o.Dir != "" || strings.Contains(o.Out, "{"):
		return a.MakeOfEach(many, o, "."+kind, command, "reading", args, func(run *shell.App, name string, o shell.Making) error {
			t, err := read(run, name)
			if err != nil {
				return err
			}
			return (&app{run}).writeTelemetry(kind, t.Lines, o, command, name, 1)
		})
	case o.Out == "" && (a.JSON || kind == "csv"):
		return a.streamTelemetry(cmd, many, args, all, read)
	}
	return a.joinTelemetry(command, many, args, kind, read, o)
}

// streamTelemetry prints the lines of each file in turn, with one row of column names.
func (a *app) streamTelemetry(cmd *cobra.Command, many shell.Many, args []string, all bool, read readLines) error {
	if !a.JSON {
		replay.DrivenLines.Head(nil, a.Out.Writer, replay.TelemetryColumns(all))
	}
	return a.look(cmd, many, args, "", func(a *app, name string) error {
		t, err := read(a.App, name)
		switch {
		case err != nil:
			return err
		case a.JSON:
			return a.PrintReply((&question.At{Path: name, Format: "gbx"}).Reply(replay.ListTelemetry.Asked(), t))
		}
		t.Lines.Rows(a.Out.Writer)
		return nil
	})
}

// joinTelemetry writes the lines of all files into one file.
func (a *app) joinTelemetry(command string, many shell.Many, args []string, kind string, read readLines, o shell.Making) error {
	inputs := a.Inputs(many, command, args)
	each := make([]replay.DrivenLines, len(inputs))
	a.EachInput(many, command, "reading", inputs, func(run *shell.App, name string) error {
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
	return a.writeTelemetry(kind, all, o, command, inputs[0].Path, len(inputs))
}

// writeTelemetry writes lines as one file.
func (a *app) writeTelemetry(kind string, lines replay.DrivenLines, o shell.Making, command, name string, files int) error {
	f, err := lines.File(kind)
	if err != nil {
		return err
	}
	return a.WriteMade(o, command, name, f.Data, new(form.Object).Add("files", files).Add("lines", len(lines)).Add("rows", lines.Samples()))
}
