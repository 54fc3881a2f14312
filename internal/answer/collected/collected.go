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
	"time"

	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/index/ask"
	"pakbox/trackmania"
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

// Text is the value of a word as people say it.
func Text(w *ask.Word, v any) string {
	n, isNumber := v.(int64)
	if s, ok := v.(string); ok {
		return trackmania.Plain(s)
	}
	if !isNumber {
		return Plain(v)
	}
	switch w.Kind {
	case ask.Time:
		return trackmania.TimeText(gbx.Time(n))
	case ask.Size:
		return fact.SizeText(n)
	case ask.Date:
		return fact.MomentText(time.Unix(0, n))
	case ask.Flag:
		return map[int64]string{0: "no", 1: "yes"}[n]
	}
	return strconv.FormatInt(n, 10)
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
