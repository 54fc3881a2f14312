package files

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
)

func dumpCommand(a *kit.App) *cobra.Command {
	params := answer.FileDump.NewParams()
	many := kit.Many{Folders: true}
	cmd := &cobra.Command{
		Use:     "dump FILE...",
		GroupID: kit.GroupLook,
		Short:   "Show every value in a file",
		Long: `Dump shows what a file is made of: for a GBX file its header, nodes, chunks and
fields, for a Simutrans file its objects, nodes and fields. Parts that pakbox
does not understand are shown as bytes.

With --json it writes everything about the file as a document. From the document
of a GBX file 'pakbox create --from-json' makes the same file again.

With --coverage it prints how much of the file is understood, chunk by chunk.`,
		Example: `  pakbox dump A.Map.Gbx
  pakbox dump --offsets A.Map.Gbx | less
  pakbox dump --json A.Map.Gbx > a.json
  pakbox dump --coverage *.Gbx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			t := a.Each(many, "dump", "reading", args, func(run *kit.App, file string) error {
				params := params // a copy for this file
				switch {
				case params.Coverage:
					return kit.AskOne(run, file, answer.FileDump, params, printCoverage)
				case run.JSON:
					run.Meter.Hide()
					params.JSON = run.Out
				default:
					params.Text = run.Out
				}
				_, err := answer.FileDump.Ask(run.Ctx, run.At(file), params)
				if err == nil && run.JSON {
					err = run.Out.WriteByte('\n')
				}
				return err
			})
			a.Summary(t, "dumped", "")
			return nil
		},
	}
	kit.Flags(cmd, answer.FileDump, &params)
	cmd.Flags().BoolVar(&params.Offsets, "offsets", false, "show where each value lies, and its bytes")
	many.Flags(cmd)
	return cmd
}

func printCoverage(a *kit.App, file string, d *answer.Dumped) error {
	c := d.Coverage
	fmt.Fprintf(a.Out, "%s: %s of %d body bytes understood\n", kit.Printable(file), question.Percent(c.Decoded, c.Bytes), c.Bytes)
	for _, p := range c.Parts {
		where := "body"
		if p.Header {
			where = "header"
		}
		fmt.Fprintf(a.Out, "  %-8s %-6s %6d x %10d bytes %7s  %s\n", p.Name, where, p.Count, p.Bytes, question.Percent(p.Decoded, p.Bytes), p.Class)
	}
	return nil
}
