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

	"pakbox/fault"
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

// MapPath returns the path of the map with a UID in an index. Of several copies it
// takes the one whose path comes first.
func MapPath(ctx context.Context, index, uid string) (string, error) {
	x, err := ask.Open(ctx, index)
	if err != nil {
		return "", err
	}
	defer x.Close()
	found, err := x.SQL(ctx, "select path from maps join files using (file) where uid = ? order by path limit 1", uid)
	if err != nil {
		return "", err
	}
	defer found.Close()
	for row, err := range found.Rows(ctx) {
		if err != nil {
			return "", err
		}
		return Plain(row[0]), nil
	}
	return "", fault.InFile(fault.New(fault.Unsupported, "there is no map %s in the index", uid), index)
}
