// Package columnar writes answers as Parquet. It is a separate package because the static
// site omits it.
package columnar

import (
	"io"
	"math"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/fact"
	"pakbox/index"
	"pakbox/index/parquet"
)

func init() { nadeo.TelemetryKinds["parquet"] = Telemetry }

// Telemetry writes a row group for each line, so that a reader can load one line at a
// time. Values that a game did not record are null.
func Telemetry(lines nadeo.DrivenLines, b io.Writer) error {
	columns := []index.Column{{Name: "file", Type: index.Text}, {Name: "ghost", Type: parquet.Small}, {Name: "car", Type: parquet.Small}}
	for _, c := range lines[0].Columns {
		columns = append(columns, index.Column{Name: c.Name, Type: index.Real, Null: true})
	}
	w := parquet.NewWriter(b, columns)
	for _, c := range lines[0].Columns {
		w.Describe(c.Name, c.Title())
	}
	for _, l := range lines {
		row := []any{l.File, int64(l.Ghost), int64(l.Car)}
		for k := range l.Samples {
			row = row[:3]
			for _, c := range l.Columns {
				v := c.Get(&l.Samples[k])
				row = append(row, fact.Known(v, !math.IsNaN(v)))
			}
			if err := w.Write(row); err != nil {
				return err
			}
		}
		if err := w.EndGroup(); err != nil {
			return err
		}
	}
	return w.Close()
}
