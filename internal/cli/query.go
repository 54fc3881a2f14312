package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/itchyny/gojq"
	"github.com/spf13/cobra"

	"pakbox/archive"
)

func (a *app) queryCommand() *cobra.Command {
	var raw bool
	cmd := &cobra.Command{
		Use:     "query FILE EXPRESSION",
		GroupID: groupLook,
		Short:   "Ask a file's values with a jq expression",
		Long: `Query runs a jq expression over the document that 'pakbox dump --json' writes,
and prints each result as JSON on a line of its own.`,
		Example: `  pakbox query A.Map.Gbx '.. | .mapName? // empty'
  pakbox query A.Map.Gbx '[.body.chunks[].chunk]'
  pakbox query -r A.Map.Gbx '.body.chunks[] | select(.chunk=="0304301F") | .values.blocks.blocks[].name'`,
		Args: argCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			query, err := gojq.Parse(args[1])
			if err != nil {
				return usagef("the expression is not jq: %v", err)
			}
			code, err := gojq.Compile(query)
			if err != nil {
				return usagef("the expression is not jq: %v", err)
			}
			return a.dumper(cmd.Context(), args[0], func(d archive.Dumper) error {
				return a.query(cmd.Context(), d, code, raw)
			})
		},
	}
	cmd.Flags().BoolVarP(&raw, "raw", "r", false, "print texts without quotes")
	return cmd
}

func (a *app) query(ctx context.Context, d archive.Dumper, code *gojq.Code, raw bool) error {
	var b bytes.Buffer
	b.WriteByte('{')
	if err := d.DumpJSON(&b); err != nil {
		return err
	}
	b.WriteByte('}')
	dec := json.NewDecoder(&b)
	dec.UseNumber()
	var document any
	if err := dec.Decode(&document); err != nil {
		return err
	}
	results := code.RunWithContext(ctx, document)
	for {
		v, ok := results.Next()
		if !ok {
			return nil
		}
		if err, failed := v.(error); failed {
			if halt, ok := err.(*gojq.HaltError); ok && halt.Value() == nil {
				return nil
			}
			return usagef("the expression does not fit the document: %v", err)
		}
		if s, isText := v.(string); isText && raw {
			fmt.Fprintln(a.out, s)
			continue
		}
		line, err := gojq.Marshal(v)
		if err != nil {
			return err
		}
		a.out.Write(line)
		a.out.WriteByte('\n')
	}
}
