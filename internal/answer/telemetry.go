package answer

import (
	"bufio"
	"errors"
	"io"
	"math"
	"strconv"

	"pakbox/gbx"
	"pakbox/internal/lib/csvline"
	"pakbox/internal/lib/npy"
	"pakbox/trackmania/runs"
)

// DrivenLine is a line, and where it is from.
type DrivenLine struct {
	File       string
	Ghost, Car int
	Columns    []runs.Column // that tables of the line have
	runs.Line
}

// DrivenLines collects the lines of the ghosts that are chosen, for tables with some
// columns.
func DrivenLines(name string, ghosts []*runs.Ghost, choice GhostChoice, step gbx.Time, columns []runs.Column) ([]DrivenLine, error) {
	var out []DrivenLine
	err := choice.Each(ghosts, func(i int, g *runs.Ghost) error {
		lines, err := g.Telemetry()
		if err != nil && !errors.Is(err, runs.ErrNotRecorded) {
			return err
		}
		for k := range lines {
			l, err := lines[k].Resample(step)
			if err != nil {
				return err
			}
			out = append(out, DrivenLine{name, i, k, columns, l})
		}
		return nil
	})
	if err == nil && len(out) == 0 {
		err = runs.ErrNotRecorded
	}
	return out, err
}

// TelemetryCSV writes a row for each sample, after a row with the names of the
// columns.
func TelemetryCSV(w io.Writer, lines []DrivenLine) error {
	b := bufio.NewWriterSize(w, 64<<10)
	TelemetryHead(b, lines[0].Columns)
	TelemetryRows(b, lines)
	return b.Flush()
}

// TelemetryHead writes the names of the columns.
func TelemetryHead(b *bufio.Writer, columns []runs.Column) {
	b.WriteString("file,ghost,car")
	for _, c := range columns {
		b.WriteString("," + c.Name)
	}
	b.WriteByte('\n')
}

// TelemetryRows writes a row for each sample.
func TelemetryRows(b *bufio.Writer, lines []DrivenLine) {
	const digits = 9 // tell any two 32-bit floats apart
	var row []byte
	for i := range lines {
		l := &lines[i]
		row = csvline.AppendText(row[:0], l.File)
		row = strconv.AppendInt(append(row, ','), int64(l.Ghost), 10)
		row = strconv.AppendInt(append(row, ','), int64(l.Car), 10)
		same := len(row) // of all rows of the line
		for k := range l.Samples {
			row = row[:same]
			for _, c := range l.Columns {
				row = append(row, ',')
				if v := c.Get(&l.Samples[k]); !math.IsNaN(v) {
					row = csvline.AppendNumber(row, v, digits, 64)
				}
			}
			row = append(row, '\n')
			b.Write(row)
		}
	}
}

// TelemetryNPY writes one array with named columns.
func TelemetryNPY(b io.Writer, lines []DrivenLine) error {
	names, rows := []npy.Column{{Name: "ghost"}, {Name: "car"}}, 0
	for _, c := range lines[0].Columns {
		names = append(names, npy.Column{Name: c.Name, Title: c.Title()})
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
		row[0], row[1] = float64(l.Ghost), float64(l.Car)
		for n, c := range l.Columns {
			row[2+n] = c.Get(&l.Samples[k])
		}
		k++
		return row
	})
}

// Object is the line as JSON, with a list for each column.
func (l *DrivenLine) Object() *Object {
	o := New("replay.telemetry", l.File, "gbx").Add("ghost", l.Ghost).Add("car", l.Car).
		Add("source", l.Source).Add("period", int64(l.Period)).Add("sample_count", len(l.Samples))
	for _, c := range l.Columns {
		column := make([]any, len(l.Samples))
		for k := range l.Samples {
			if v := c.Get(&l.Samples[k]); !math.IsNaN(v) && !math.IsInf(v, 0) {
				column[k] = v
			}
		}
		o.Add(c.Name, column)
	}
	return o
}
