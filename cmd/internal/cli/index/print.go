package index

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/index"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/index/ask"
)

// printing chooses how rows are printed.
type printing struct{ table, csv, array bool }

func (p *printing) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&p.table, "table", false, "print a table (the default)")
	cmd.Flags().BoolVar(&p.csv, "csv", false, "print CSV")
	cmd.Flags().BoolVar(&p.array, "json-array", false, "print one JSON array instead of one object a line")
	cmd.MarkFlagsMutuallyExclusive("table", "csv", "json-array")
}

// rows prints an answer. words, if not nil, describe its columns.
func rows(ctx context.Context, a *kit.App, command string, p printing, found *ask.Result, words []*ask.Word) error {
	switch {
	case p.csv:
		return index.CSV(ctx, a.Out, found)
	case p.array:
		return arrayRows(ctx, a, found)
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
	return tableRows(ctx, a, found, words)
}

// rowObject returns a row as JSON, with the schema first if there is one. A column that
// is itself called schema is kept.
func rowObject(schema string, columns []string, row []any) *question.Object {
	o := new(question.Object)
	if schema != "" && !slices.Contains(columns, "schema") {
		o.Add("schema", schema)
	}
	for i, c := range columns {
		o.Add(c, row[i])
	}
	return o
}

func arrayRows(ctx context.Context, a *kit.App, found *ask.Result) error {
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

// tableRows prints a table for people. If the question was in words, it omits empty
// columns.
func tableRows(ctx context.Context, a *kit.App, found *ask.Result, words []*ask.Word) error {
	var t kit.LongTable
	t.Add(found.Columns...)
	line := make([]string, len(found.Columns))
	for row, err := range found.Rows(ctx) {
		if err != nil {
			return err
		}
		for i, v := range row {
			line[i] = index.Plain(v)
			if words != nil {
				line[i] = words[i].Text(v)
			}
			line[i] = kit.Printable(line[i])
		}
		t.Add(line...)
	}
	if words != nil && found.Count == 0 {
		return nil // 'nothing found' says it
	}
	return t.Print(a.Out, words != nil)
}
