package answer

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"

	"pakbox/gbx"
	"pakbox/internal/lib/npy"
	"pakbox/trackmania/runs"
)

// DrivenLine is a line, and where it is from.
type DrivenLine struct {
	File       string
	Ghost, Car int
	runs.Line
}

// DrivenLines collects the lines of the ghosts that are chosen.
func DrivenLines(name string, ghosts []*runs.Ghost, choice GhostChoice, step gbx.Time) ([]DrivenLine, error) {
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
			out = append(out, DrivenLine{name, i, k, l})
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
	TelemetryHead(b)
	TelemetryRows(b, lines)
	return b.Flush()
}

// TelemetryHead writes the names of the columns.
func TelemetryHead(b *bufio.Writer) {
	b.WriteString("file,ghost,car")
	for _, c := range runs.Columns {
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
		row = AppendCSVText(row[:0], l.File)
		row = strconv.AppendInt(append(row, ','), int64(l.Ghost), 10)
		row = strconv.AppendInt(append(row, ','), int64(l.Car), 10)
		same := len(row) // of all rows of the line
		for k := range l.Samples {
			row = row[:same]
			for _, c := range runs.Columns {
				row = append(row, ',')
				if v := c.Get(&l.Samples[k]); !math.IsNaN(v) {
					row = appendNumber(row, v, digits, 64)
				}
			}
			row = append(row, '\n')
			b.Write(row)
		}
	}
}

// appendNumber appends a number with so many digits, at least 6, or with -1 as
// many as it takes to read it back. Many are whole, and those are quicker written
// as such.
func appendNumber(b []byte, v float64, digits, bits int) []byte {
	const beyond = 1e6
	if n := int64(v); float64(n) == v && -beyond < v && v < beyond && (n != 0 || !math.Signbit(v)) {
		return strconv.AppendInt(b, n, 10)
	}
	if digits > 0 {
		if b, ok := appendDecimal(b, v, digits); ok {
			return b
		}
	}
	return strconv.AppendFloat(b, v, 'g', digits, bits)
}

// powers are those of ten that are exact, as far as they are needed.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13}

// appendDecimal appends a number of everyday size with up to nine digits, as
// strconv does, in a third of its time. It leaves alone, and says so, what it
// could round to the other side.
func appendDecimal(b []byte, v float64, digits int) ([]byte, bool) {
	a := math.Abs(v)
	if !(a >= 1e-4 && a < 1e6) {
		return b, false
	}
	point := 0 // digits before it; zeros behind it if negative
	for a >= powers[point] {
		point++
	}
	if point == 0 {
		for point > -3 && a*powers[1-point] < 1 {
			point--
		}
	}
	// A power of ten is exact, so the product is off by half a bit at most:
	// for nine digits, a ten millionth.
	scaled := a * powers[digits-point]
	n := uint64(scaled)
	rest := scaled - float64(n)
	if math.Abs(rest-0.5) < 1e-6 {
		return b, false
	}
	if rest > 0.5 {
		n++
	}
	var room [20]byte
	text := strconv.AppendUint(room[:0], n, 10)
	point += len(text) - digits // 0.99999 has become 1.0000, or looked like 1
	text = bytes.TrimRight(text, "0")
	if v < 0 {
		b = append(b, '-')
	}
	switch {
	case point <= 0:
		b = append(b, "0.000"[:2-point]...)
		return append(b, text...), true
	case point >= len(text):
		b = append(b, text...)
		return append(b, "000000"[:point-len(text)]...), true
	}
	b = append(b, text[:point]...)
	return append(append(b, '.'), text[point:]...), true
}

// TelemetryNPY writes one array with named columns.
func TelemetryNPY(b io.Writer, lines []DrivenLine) error {
	names, rows := []string{"ghost", "car"}, 0
	for _, c := range runs.Columns {
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
		row[0], row[1] = float64(l.Ghost), float64(l.Car)
		for n, c := range runs.Columns {
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
	for _, c := range runs.Columns {
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
