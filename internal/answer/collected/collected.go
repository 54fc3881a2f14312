// Package collected has what pakbox says about an index of many files. It is a
// package of its own because the database that it needs is large, and the static
// site does without.
package collected

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"pakbox/index/ask"
)

// Plain is a value of a row without regard to what it means.
func Plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// CSV writes an answer as comma-separated values, with the columns' names first.
func CSV(ctx context.Context, b io.Writer, found *ask.Answer) error {
	w := csv.NewWriter(b)
	w.Write(found.Columns)
	cells := make([]string, len(found.Columns))
	for row, err := range found.Rows(ctx) {
		if err != nil {
			return err
		}
		for i, v := range row {
			cells[i] = Plain(v)
		}
		if err := w.Write(cells); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}
