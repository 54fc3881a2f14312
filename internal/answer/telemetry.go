package answer

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"sync"

	"pakbox/gbx"
	"pakbox/index/parquet"
	"pakbox/internal/lib/npy"
	"pakbox/trackmania"
)

// DrivenLine is a line, and where it is from.
type DrivenLine struct {
	file       string
	ghost, car int
	trackmania.Line
}

// DrivenLines collects the lines of the ghosts that are chosen.
func DrivenLines(name string, ghosts []*trackmania.Ghost, choice GhostChoice, step gbx.Time) ([]DrivenLine, error) {
	var out []DrivenLine
	err := choice.Each(ghosts, func(i int, g *trackmania.Ghost) error {
		lines, err := g.Telemetry()
		if err != nil && !errors.Is(err, trackmania.ErrNotRecorded) {
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
		err = trackmania.ErrNotRecorded
	}
	return out, err
}

// TelemetryCSV writes a row for each sample.
func TelemetryCSV(b io.Writer, lines []DrivenLine) error {
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

// TelemetryNPY writes one array with named columns.
func TelemetryNPY(b io.Writer, lines []DrivenLine) error {
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

// sampleRow is the type of a row of telemetry in Parquet: where it is from,
// and the columns, which are null where a game did not record them.
var sampleRow = sync.OnceValue(func() reflect.Type {
	field := func(name, column string, t reflect.Type) reflect.StructField {
		return reflect.StructField{Name: name, Type: t, Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", column))}
	}
	fields := []reflect.StructField{
		field("File", "file", reflect.TypeFor[string]()), field("Ghost", "ghost", reflect.TypeFor[int32]()), field("Car", "car", reflect.TypeFor[int32]()),
	}
	for i, c := range trackmania.TelemetryColumns {
		fields = append(fields, field(fmt.Sprintf("Column%d", i), c.Name, reflect.TypeFor[*float64]()))
	}
	return reflect.StructOf(fields)
})

// TelemetryParquet writes a group of rows for each line, so that a reader can
// take one at a time.
func TelemetryParquet(b io.Writer, lines []DrivenLine) error {
	w := parquet.NewRowWriter(b, sampleRow())
	row := reflect.New(sampleRow()).Elem()
	for i := range lines {
		l := &lines[i]
		row.Field(0).SetString(l.file)
		row.Field(1).SetInt(int64(l.ghost))
		row.Field(2).SetInt(int64(l.car))
		for k := range l.Samples {
			for n, c := range trackmania.TelemetryColumns {
				var value *float64
				if v := c.Get(&l.Samples[k]); !math.IsNaN(v) {
					value = &v
				}
				row.Field(3 + n).Set(reflect.ValueOf(value))
			}
			if err := w.Write(row.Addr().Interface()); err != nil {
				return err
			}
		}
		if err := w.EndGroup(); err != nil {
			return err
		}
	}
	return w.Close()
}

// Object is the line as JSON, with a list for each column.
func (l *DrivenLine) Object() *Object {
	o := New("replay.telemetry", l.file, "gbx").Add("ghost", l.ghost).Add("car", l.car).
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
	return o
}
