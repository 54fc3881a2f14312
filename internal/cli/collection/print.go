package collection

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/index/ask"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/trackmania"
)

// printing is how rows are printed.
type printing struct{ table, csv, array bool }

func (p *printing) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&p.table, "table", false, "print a table, which is what is done without this too")
	cmd.Flags().BoolVar(&p.csv, "csv", false, "print CSV")
	cmd.Flags().BoolVar(&p.array, "json-array", false, "print one JSON array instead of one object a line")
	cmd.MarkFlagsMutuallyExclusive("table", "csv", "json-array")
}

// rows prints an answer. Words, if there are any, are those of its columns.
func (a *app) rows(ctx context.Context, command string, p printing, found *ask.Answer, words []*ask.Word) error {
	switch {
	case p.csv:
		return a.csvRows(ctx, found)
	case p.array:
		return a.arrayRows(ctx, found)
	case a.JSON:
		for row, err := range found.Rows(ctx) {
			if err == nil {
				err = a.Print(rowObject("pakbox."+command+"/1", found.Columns, row))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return a.tableRows(ctx, found, words)
}

// rowObject is a row as JSON, with the schema first if there is one. A column
// of that name stays what it is.
func rowObject(schema string, columns []string, row []any) *answer.Object {
	o := new(answer.Object)
	if schema != "" && !slices.Contains(columns, "schema") {
		o.Add("schema", schema)
	}
	for i, c := range columns {
		o.Add(c, row[i])
	}
	return o
}

func (a *app) arrayRows(ctx context.Context, found *ask.Answer) error {
	separator := "["
	for row, err := range found.Rows(ctx) {
		if err != nil {
			return err
		}
		line, err := rowObject("", found.Columns, row).MarshalJSON()
		if err != nil {
			return err
		}
		fmt.Fprintf(a.Out, "%s\n%s", separator, line)
		separator = ","
	}
	if separator == "[" {
		io.WriteString(a.Out, "[")
	}
	_, err := io.WriteString(a.Out, "\n]\n")
	return err
}

func (a *app) csvRows(ctx context.Context, found *ask.Answer) error {
	w := csv.NewWriter(a.Out)
	w.Write(found.Columns)
	cells := make([]string, len(found.Columns))
	for row, err := range found.Rows(ctx) {
		if err != nil {
			return err
		}
		for i, v := range row {
			cells[i] = plainText(v)
		}
		if err := w.Write(cells); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// tableRows prints a table for people. Columns that say nothing are left out,
// if the answer is to words.
func (a *app) tableRows(ctx context.Context, found *ask.Answer, words []*ask.Word) error {
	cells, said := [][]string{found.Columns}, make([]bool, len(found.Columns))
	for row, err := range found.Rows(ctx) {
		if err != nil {
			return err
		}
		line := make([]string, len(row))
		for i, v := range row {
			line[i] = plainText(v)
			if words != nil {
				line[i] = wordText(words[i], v)
			}
			line[i] = shell.Printable(line[i])
			said[i] = said[i] || words == nil || line[i] != ""
		}
		cells = append(cells, line)
	}
	var t shell.Table
	for _, line := range cells {
		var shown []string
		for i, cell := range line {
			if said[i] || len(cells) == 1 {
				shown = append(shown, cell)
			}
		}
		t.Add(shown...)
	}
	t.Print(a.Out)
	return nil
}

func plainText(v any) string {
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

// wordText is a value as people say it.
func wordText(w *ask.Word, v any) string {
	n, isNumber := v.(int64)
	if s, ok := v.(string); ok {
		return trackmania.Plain(s)
	}
	if !isNumber {
		return plainText(v)
	}
	switch w.Kind {
	case ask.Time:
		return trackmania.TimeText(gbx.Time(n))
	case ask.Size:
		return answer.SizeText(n)
	case ask.Date:
		return answer.TimeText(time.Unix(0, n))
	case ask.Flag:
		return map[int64]string{0: "no", 1: "yes"}[n]
	}
	return strconv.FormatInt(n, 10)
}
