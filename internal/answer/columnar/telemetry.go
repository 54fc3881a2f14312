// Package columnar writes answers as Parquet. It is a package of its own because
// the library that it needs is large, and the static site does without.
package columnar

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"sync"

	"pakbox/index/parquet"
	"pakbox/internal/answer"
	"pakbox/trackmania/runs"
)

// sampleRow is the type of a row of telemetry in Parquet: where it is from,
// and the columns, which are null where a game did not record them.
var sampleRow = sync.OnceValue(func() reflect.Type {
	field := func(name, column string, t reflect.Type) reflect.StructField {
		return reflect.StructField{Name: name, Type: t, Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", column))}
	}
	fields := []reflect.StructField{
		field("File", "file", reflect.TypeFor[string]()), field("Ghost", "ghost", reflect.TypeFor[int32]()), field("Car", "car", reflect.TypeFor[int32]()),
	}
	for i, c := range runs.Columns {
		fields = append(fields, field(fmt.Sprintf("Column%d", i), c.Name, reflect.TypeFor[*float64]()))
	}
	return reflect.StructOf(fields)
})

// Telemetry writes a group of rows for each line, so that a reader can
// take one at a time.
func Telemetry(b io.Writer, lines []answer.DrivenLine) error {
	w := parquet.NewRowWriter(b, sampleRow())
	row := reflect.New(sampleRow()).Elem()
	for i := range lines {
		l := &lines[i]
		row.Field(0).SetString(l.File)
		row.Field(1).SetInt(int64(l.Ghost))
		row.Field(2).SetInt(int64(l.Car))
		for k := range l.Samples {
			for n, c := range runs.Columns {
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
