package nadeo

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/internal/lib/npy"
	"pakbox/internal/lib/parquet"
	"pakbox/trackmania"
)

func (a *app) replayTelemetryCommand() *cobra.Command {
	var format string
	var every time.Duration
	var hz float64
	var o shell.Making
	var ghost ghostChoice
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
	ghost.flag(cmd)
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

// drivenLine is a line, and where it is from.
type drivenLine struct {
	file       string
	ghost, car int
	trackmania.Line
}

func (a *app) telemetry(cmd *cobra.Command, args []string, choice ghostChoice, step gbx.Time, kind string, o shell.Making) error {
	command := shell.SchemaName(cmd)
	var all []drivenLine
	files := a.Paths(cmd.Context(), command, args)
	for _, name := range files {
		err := a.withRuns(cmd, name, func(_ *gbx.File, ghosts []*trackmania.Ghost) error {
			lines, err := drivenLines(name, ghosts, choice, step)
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
		err = telemetryParquet(&b, all)
	case "npy":
		err = telemetryNPY(&b, all)
	default:
		err = telemetryCSV(&b, all)
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

// drivenLines collects the lines of the ghosts that are chosen.
func drivenLines(name string, ghosts []*trackmania.Ghost, choice ghostChoice, step gbx.Time) ([]drivenLine, error) {
	var out []drivenLine
	err := choice.each(ghosts, func(i int, g *trackmania.Ghost) error {
		lines, err := g.Telemetry()
		if err != nil {
			return err
		}
		for k := range lines {
			l, err := lines[k].Resample(step)
			if err != nil {
				return err
			}
			out = append(out, drivenLine{name, i, k, l})
		}
		return nil
	})
	if err == nil && len(out) == 0 {
		err = fault.New(fault.Unsupported, "the movement of a car is not recorded in the file")
	}
	return out, err
}

func telemetryCSV(b *bytes.Buffer, lines []drivenLine) error {
	w := csv.NewWriter(b)
	row := []string{"file", "ghost", "car"}
	for _, c := range trackmania.TelemetryColumns {
		row = append(row, c.Name)
	}
	w.Write(row)
	for i := range lines {
		l := &lines[i]
		for k := range l.Samples {
			row = append(row[:0], l.file, strconv.Itoa(l.ghost), strconv.Itoa(l.car))
			for _, c := range trackmania.TelemetryColumns {
				text := ""
				if v := c.Get(&l.Samples[k]); !math.IsNaN(v) {
					text = strconv.FormatFloat(v, 'g', 9, 64)
				}
				row = append(row, text)
			}
			w.Write(row)
		}
	}
	w.Flush()
	return w.Error()
}

func telemetryNPY(b *bytes.Buffer, lines []drivenLine) error {
	names, rows := []string{"ghost", "car"}, 0
	for _, c := range trackmania.TelemetryColumns {
		names = append(names, c.Name)
	}
	for i := range lines {
		rows += len(lines[i].Samples)
	}
	row := make([]float64, len(names))
	i, k := 0, 0
	return npy.Write(b, names, rows, func() []float64 {
		for k == len(lines[i].Samples) {
			i, k = i+1, 0
		}
		l := &lines[i]
		row[0], row[1] = float64(l.ghost), float64(l.car)
		for n, c := range trackmania.TelemetryColumns {
			row[2+n] = c.Get(&l.Samples[k])
		}
		k++
		return row
	})
}

// telemetryParquet writes a group of rows for each line, so that a reader can
// take one at a time.
func telemetryParquet(b *bytes.Buffer, lines []drivenLine) error {
	columns := []parquet.Column{{Name: "file", Kind: parquet.Text}, {Name: "ghost", Kind: parquet.Int32}, {Name: "car", Kind: parquet.Int32}}
	for _, c := range trackmania.TelemetryColumns {
		columns = append(columns, parquet.Column{Name: c.Name, Kind: parquet.Double})
	}
	w, err := parquet.NewWriter(b, "pakbox", columns)
	if err != nil {
		return err
	}
	for i := range lines {
		l := &lines[i]
		values := make([]parquet.Values, len(columns))
		for k := range l.Samples {
			values[0].Texts = append(values[0].Texts, l.file)
			values[1].Ints = append(values[1].Ints, int32(l.ghost))
			values[2].Ints = append(values[2].Ints, int32(l.car))
			for n, c := range trackmania.TelemetryColumns {
				values[3+n].Doubles = append(values[3+n].Doubles, c.Get(&l.Samples[k]))
			}
		}
		if err := w.WriteGroup(values); err != nil {
			return err
		}
	}
	return w.Close()
}

// printTelemetry prints one object for each line, with a list for each column.
func (a *app) printTelemetry(lines []drivenLine) error {
	for i := range lines {
		l := &lines[i]
		o := answer.New("replay.telemetry", l.file, "gbx").Add("ghost", l.ghost).Add("car", l.car).
			Add("source", l.Source).Add("period", int64(l.Period)).Add("sample_count", len(l.Samples))
		for _, c := range trackmania.TelemetryColumns {
			column := make([]any, len(l.Samples))
			for k := range l.Samples {
				if v := c.Get(&l.Samples[k]); !math.IsNaN(v) && !math.IsInf(v, 0) {
					column[k] = v
				}
			}
			o.Add(c.Name, column)
		}
		if err := a.Print(o); err != nil {
			return err
		}
	}
	return nil
}
