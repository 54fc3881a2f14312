package nadeo

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"strconv"

	"pakbox/cmd/internal/answer/nadeo/npy"
	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/lib/csvline"
	"pakbox/nadeo/runs"
)

// drivenLine is a line of samples, and where it comes from.
type drivenLine struct {
	File       string
	Ghost, Car int
	Columns    []runs.SampleColumn // columns for tables
	runs.Line
}

// DrivenLines are the lines of one or several files.
type DrivenLines []*drivenLine

// Telemetry is the answer about the recorded cars in a file.
type Telemetry struct {
	Lines DrivenLines `json:"lines" doc:"one line for each car of each run: source, period, and a list for each column" method:"result"`

	Map string `json:"-"` // UID of the map, "" if the file does not state it
}

// Parts returns the lines.
func (t *Telemetry) Parts() (parts []any) {
	for _, l := range t.Lines {
		parts = append(parts, l)
	}
	return parts
}

type telemetryParams struct {
	ghostParams
	All  bool `json:"all" doc:"write all columns, not only the usual ones"`
	Step int  `json:"step" request:"" doc:"milliseconds between samples; 0 for those of the file"`
}

// TelemetryColumns are the columns of a table of driven lines.
func TelemetryColumns(all bool) []runs.SampleColumn {
	if all {
		return runs.AllColumns()
	}
	return runs.Columns
}

// ListTelemetry is the question for the driven line as numbers.
var ListTelemetry = question.New(&room, "replay.telemetry", "the driven line as numbers", readTelemetry)

func readTelemetry(ctx context.Context, at *question.At, p telemetryParams) (*Telemetry, error) {
	if p.Step < 0 || p.Step > math.MaxInt32 {
		return nil, fault.Usagef("step: %d is not a number of milliseconds", p.Step)
	}
	return OpenRuns(ctx, at, func(f *gbx.File, ghosts []*runs.Ghost) (*Telemetry, error) {
		lines, err := drivenLines(at.Path, ghosts, p)
		if err != nil {
			return nil, err
		}
		return &Telemetry{lines, mapUID(f, ghosts)}, nil
	})
}

// mapUID returns the UID of the runs' map, "" if the file does not state it.
func mapUID(f *gbx.File, ghosts []*runs.Ghost) string {
	if r, err := runs.ReplayOf(f); err == nil {
		if uid := r.MapIdent().ID.String(); uid != "" {
			return uid
		}
	}
	for _, g := range ghosts {
		if uid := g.MapUID(); uid != "" {
			return uid
		}
	}
	return ""
}

type telemetryFileParams struct {
	telemetryParams
	Kind string `json:"kind" request:"" doc:"csv, npy or parquet; csv by default"`
}

// The question for the driven line as a file. No command asks it: the page and programs do.
var _ = question.New(&room, "replay.telemetry.file", "the driven line as CSV, NumPy or Parquet", func(ctx context.Context, at *question.At, p telemetryFileParams) (*question.File, error) {
	t, err := readTelemetry(ctx, at, p.telemetryParams)
	if err != nil {
		return nil, err
	}
	return t.Lines.File(p.Kind)
})

// TelemetryKinds are the kinds of files for driven lines, with their writers. Package
// columnar adds Parquet.
var TelemetryKinds = map[string]func(DrivenLines, io.Writer) error{"": DrivenLines.CSV, "csv": DrivenLines.CSV, "npy": DrivenLines.npy}

// File returns the lines as a file of a kind.
func (lines DrivenLines) File(kind string) (*question.File, error) {
	write := TelemetryKinds[kind]
	if write == nil {
		return nil, fault.Usagef("unknown format %q", kind).Hint("formats: csv, parquet, npy")
	}
	var b bytes.Buffer
	if err := write(lines, &b); err != nil {
		return nil, err
	}
	return &question.File{Name: "telemetry." + cmp.Or(kind, "csv"), Data: b.Bytes()}, nil
}

// drivenLines collects the lines of the chosen ghosts.
func drivenLines(name string, ghosts []*runs.Ghost, p telemetryParams) (DrivenLines, error) {
	var out DrivenLines
	columns, read := TelemetryColumns(p.All), (*runs.Ghost).Telemetry
	if p.All {
		read = (*runs.Ghost).FullTelemetry
	}
	err := p.Ghost.Each(ghosts, func(i int, g *runs.Ghost) error {
		lines, err := read(g)
		if err != nil && !errors.Is(err, runs.ErrNotRecorded) {
			return err
		}
		for k := range lines {
			l, err := lines[k].Resample(gbx.Time(p.Step))
			if err != nil {
				return err
			}
			out = append(out, &drivenLine{name, i, k, columns, l})
		}
		return nil
	})
	if err == nil && len(out) == 0 {
		err = runs.ErrNotRecorded
	}
	return out, err
}

// CSV writes a row for each sample, after a row with the names of the columns.
func (lines DrivenLines) CSV(w io.Writer) error {
	b := bufio.NewWriterSize(w, 64<<10)
	DrivenLines.Head(nil, b, lines[0].Columns)
	lines.Rows(b)
	return b.Flush()
}

// Samples counts the samples of all lines.
func (lines DrivenLines) Samples() (n int) {
	for _, l := range lines {
		n += len(l.Samples)
	}
	return n
}

// Head writes the names of the columns.
func (DrivenLines) Head(b *bufio.Writer, columns []runs.SampleColumn) {
	b.WriteString("file,ghost,car")
	for _, c := range columns {
		b.WriteString("," + c.Name)
	}
	b.WriteByte('\n')
}

// Rows writes a row for each sample. Cells that are the same as in the row before (mostly
// pedals, gears, surfaces) are copied from that row, several neighbours at once.
func (lines DrivenLines) Rows(b *bufio.Writer) {
	const digits = 9 // enough to distinguish any two 32-bit floats
	var row, before []byte
	type cell struct {
		value  uint64 // bits of the value
		stored uint32 // the stored bits from which the value is computed
		known  bool   // whether stored is known
		size   int    // length of the text
	}
	var cells []cell
	for _, l := range lines {
		row = csvline.AppendText(row[:0], l.File)
		row = strconv.AppendInt(append(row, ','), int64(l.Ghost), 10)
		row = strconv.AppendInt(append(row, ','), int64(l.Car), 10)
		same := len(row) // length of the part that is the same in all rows
		// Before the first row stands a row of empty cells, for values that are not
		before = append(before[:0], row...)
		cells = cells[:0]
		for range l.Columns {
			before = append(before, ',')
			cells = append(cells, cell{value: math.Float64bits(math.NaN())})
		}
		for k := range l.Samples {
			row = row[:same]
			copied, at := same, same // positions in the row before
			for i := range cells {
				c, column, from := &cells[i], &l.Columns[i], at
				at += 1 + c.size
				stored, known := column.Stored(&l.Samples[k])
				if known && c.known && stored == c.stored {
					continue
				}
				v := column.Get(&l.Samples[k])
				c.stored, c.known = stored, known
				if math.Float64bits(v) == c.value {
					continue
				}
				row = append(append(row, before[copied:from]...), ',')
				begin := len(row)
				if !math.IsNaN(v) {
					row = csvline.AppendNumber(row, v, digits, 64)
				}
				c.value, c.size = math.Float64bits(v), len(row)-begin
				copied = at
			}
			row = append(append(row, before[copied:at]...), '\n')
			b.Write(row)
			row, before = before, row
		}
	}
}

// npy writes one array with named columns.
func (lines DrivenLines) npy(b io.Writer) error {
	names := []npy.Column{{Name: "ghost"}, {Name: "car"}}
	for _, c := range lines[0].Columns {
		names = append(names, npy.Column{Name: c.Name, Title: c.Title()})
	}
	row := make([]float64, len(names))
	i, k := 0, 0
	return npy.Write(b, names, lines.Samples(), func() []float64 {
		for k == len(lines[i].Samples) {
			i, k = i+1, 0
		}
		l := lines[i]
		row[0], row[1] = float64(l.Ghost), float64(l.Car)
		for n, c := range l.Columns {
			row[2+n] = c.Get(&l.Samples[k])
		}
		k++
		return row
	})
}

// AppendFields writes the line as JSON, with a list for each column.
func (l *drivenLine) AppendFields(b *bytes.Buffer) error {
	r := fact.Record{
		fact.Make("ghost", "", fact.Count, l.Ghost, ""), fact.Make("car", "", fact.Count, l.Car, ""),
		fact.Make("source", "", fact.Text, l.Source, ""), fact.Make("period", "", fact.Count, int64(l.Period), ""),
		fact.Make("sample_count", "", fact.Count, len(l.Samples), ""),
	}
	for _, c := range l.Columns {
		column := make([]any, len(l.Samples))
		for k := range l.Samples {
			if v := c.Get(&l.Samples[k]); !math.IsNaN(v) && !math.IsInf(v, 0) {
				column[k] = v
			}
		}
		r = append(r, fact.Make(c.Name, "", fact.Object, column, ""))
	}
	return r.AppendFields(b)
}

// MarshalJSON writes the line as an object.
func (l *drivenLine) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	if err := l.AppendFields(&b); err != nil {
		return nil, err
	}
	b.Bytes()[0] = '{'
	b.WriteByte('}')
	return b.Bytes(), nil
}
