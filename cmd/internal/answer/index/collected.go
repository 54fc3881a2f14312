// Package collected has the answers about an index of many files. It is a separate
// package because it needs a large database library, which the static site omits.
package index

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"pakbox/fault"
	"pakbox/index/ask"
)

// Plain formats a value of a row without regard to its meaning.
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

// CSV writes an answer as comma-separated values. The first line has the names of the
// columns.
func CSV(ctx context.Context, b io.Writer, found *ask.Result) error {
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

// MapPath returns the path of the map with a UID in an index. If there are several
// copies, the first path counts.
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
	return "", fault.InFile(fault.New(fault.Unsupported, "the index has no map %s", uid), index)
}
