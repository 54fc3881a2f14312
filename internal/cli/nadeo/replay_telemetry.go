package nadeo

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/answer/columnar"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/trackmania"
)

func (a *app) replayTelemetryCommand() *cobra.Command {
	var format string
	var every time.Duration
	var hz float64
	var o shell.Making
	var ghost answer.GhostChoice
	cmd := &cobra.Command{
		Use:   "telemetry FILE...",
		Short: "Write the driven line as numbers: CSV, Parquet or NumPy",
		Long: `Telemetry writes what was recorded of the cars, a row for each sample. The
columns say their units, which are SI: metres, seconds, radians.

  file, ghost, car   where the row is from; a ghost's own car is number 0
` + columnHelp() + `
What a game did not record is empty in CSV, null in Parquet and NaN in NumPy.
The format follows the ending of -o (.csv, .parquet, .npy), or --format. A NumPy
file holds one array with named columns and no file names.

Samples are stored every 50 or 100 ms. --every and --hz give even steps instead,
by straight lines between samples.`,
		Example: `  pakbox replay telemetry A.Replay.Gbx > line.csv
  pakbox replay telemetry *.Ghost.Gbx -o lines.parquet
  pakbox replay telemetry --every 10ms A.Ghost.Gbx -o line.npy`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			step, err := stepOf(every, hz)
			if err != nil {
				return err
			}
			kind, err := telemetryFormat(format, o.Out)
			if err != nil {
				return err
			}
			return a.telemetry(cmd, args, ghost, step, kind, o)
		},
	}
	cmd.Flags().StringVar(&format, "format", "", "write `FORMAT`: csv, parquet or npy")
	cmd.Flags().DurationVar(&every, "every", 0, "resample in steps of `TIME`, such as 10ms")
	cmd.Flags().Float64Var(&hz, "hz", 0, "resample `N` times a second")
	ghostFlag(cmd, &ghost)
	o.Flags(cmd)
	cmd.MarkFlagsMutuallyExclusive("every", "hz")
	return cmd
}

// columnHelp lists the columns for the help text.
func columnHelp() string {
	var b strings.Builder
	for _, c := range trackmania.TelemetryColumns {
		fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("  %-18s %s", c.Name, c.Doc), " "))
	}
	return b.String()
}

// stepOf is the step that --every or --hz asks for, 0 for that of the file.
func stepOf(every time.Duration, hz float64) (gbx.Time, error) {
	ms := float64(every) / float64(time.Millisecond)
	if hz != 0 {
		ms = 1000 / hz
	}
	if ms == 0 {
		return 0, nil
	}
	if !(ms >= 1 && ms <= math.MaxInt32) || ms != math.Trunc(ms) {
		return 0, hint.Usagef("steps are whole milliseconds, from 1: not %g", ms)
	}
	return gbx.Time(ms), nil
}

// telemetryFormat is the format that a flag or the name of the output asks for.
func telemetryFormat(format, out string) (string, error) {
	if format == "" {
		format = strings.ToLower(strings.TrimPrefix(filepath.Ext(out), "."))
	}
	switch format {
	case "csv", "parquet", "npy":
		return format, nil
	case "", "txt":
		return "csv", nil
	}
	return "", hint.Usagef("there is no format %q", format).Hint("formats: csv, parquet, npy")
}

func (a *app) telemetry(cmd *cobra.Command, args []string, choice answer.GhostChoice, step gbx.Time, kind string, o shell.Making) error {
	command := shell.SchemaName(cmd)
	var all []answer.DrivenLine
	files := a.Paths(cmd.Context(), command, args)
	for _, name := range files {
		err := answer.WithRuns(cmd.Context(), a.Opener, name, func(_ *gbx.File, ghosts []*trackmania.Ghost) error {
			lines, err := answer.DrivenLines(name, ghosts, choice, step)
			all = append(all, lines...)
			return err
		})
		if err != nil {
			a.Fail(command, name, err)
		}
	}
	if len(all) == 0 {
		return nil // every file has its error
	}
	if a.JSON && o.Out == "" {
		return a.printTelemetry(all)
	}
	var b bytes.Buffer
	var err error
	switch kind {
	case "parquet":
		err = columnar.Telemetry(&b, all)
	case "npy":
		err = answer.TelemetryNPY(&b, all)
	default:
		err = answer.TelemetryCSV(&b, all)
	}
	if err != nil {
		return err
	}
	rows := 0
	for i := range all {
		rows += len(all[i].Samples)
	}
	return a.WriteMade(o, command, files[0], b.Bytes(), new(answer.Object).Add("files", len(files)).Add("lines", len(all)).Add("rows", rows))
}

// printTelemetry prints one object for each line.
func (a *app) printTelemetry(lines []answer.DrivenLine) error {
	for i := range lines {
		if err := a.Print(lines[i].Object()); err != nil {
			return err
		}
	}
	return nil
}
