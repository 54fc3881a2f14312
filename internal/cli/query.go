package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/itchyny/gojq"
	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
)

func (a *app) queryCommand() *cobra.Command {
	var raw bool
	var many shell.Many
	cmd := &cobra.Command{
		Use:     "query FILE... EXPRESSION",
		GroupID: shell.GroupLook,
		Short:   "Ask the values of files with a jq expression",
		Long: `Query runs a jq expression over the document that 'pakbox dump --json' writes
for each file, and prints each result as JSON on a line of its own. path is the
file's own.`,
		Example: `  pakbox query A.Map.Gbx '.. | .mapName? // empty'
  pakbox query A.Map.Gbx '[.body.chunks[].chunk]'
  pakbox query -r A.Map.Gbx '.body.chunks[] | select(.chunk=="0304301F") | .values.blocks.blocks[].name'
  pakbox query -r pak/vehicle.*.pak '.objects[] | select(.waytype_text == "track"
    and .intro_year < 1950 and .topspeed > 100) | .name'`,
		Args: shell.ArgCount(2, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			last := len(args) - 1
			query, err := gojq.Parse(args[last])
			if err != nil {
				return notQuery(args[last], err)
			}
			code, err := gojq.Compile(query)
			if err != nil {
				return notQuery(args[last], err)
			}
			want := answer.WantedBy(query)
			t := a.Each(many, "query", "asking", args[:last], func(run *shell.App, file string) error {
				a := &app{run}
				return answer.WithDumper(a.Ctx, a.Opener, file, func(d archive.Dumper) error {
					return a.query(a.Ctx, file, d, code, want, raw)
				})
			})
			a.Summary(t, "asked", "")
			return nil
		},
	}
	cmd.Flags().BoolVarP(&raw, "raw", "r", false, "print texts without quotes")
	many.Flags(cmd)
	return cmd
}

func (a *app) query(ctx context.Context, file string, d archive.Dumper, code *gojq.Code, want *archive.Want, raw bool) error {
	var b bytes.Buffer
	if err := answer.WriteDump(&b, file, d, want); err != nil {
		return err
	}
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
			return hint.Usagef("the expression does not fit the document: %v", err)
		}
		if s, isText := v.(string); isText && raw {
			fmt.Fprintln(a.Out, s)
			continue
		}
		line, err := gojq.Marshal(v)
		if err != nil {
			return err
		}
		a.Out.Write(line)
		a.Out.WriteByte('\n')
	}
}

// notQuery says what is wrong with an expression, which may be a file because
// the two were swapped.
func notQuery(expression string, err error) error {
	u := hint.Usagef("the expression is not jq: %v", err)
	if source.Exists(expression) {
		return u.Hint("the expression comes last: pakbox query FILE... EXPRESSION")
	}
	return u
}
