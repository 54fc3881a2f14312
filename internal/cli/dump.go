package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
)

func (a *app) dumpCommand() *cobra.Command {
	var offsets, coverage bool
	var many shell.Many
	cmd := &cobra.Command{
		Use:     "dump FILE...",
		GroupID: shell.GroupLook,
		Short:   "Show every value in a file",
		Long: `Dump shows what a file is made of: for a GBX file its header, nodes, chunks and
fields, for a Simutrans file its objects, nodes and fields, and what is not
understood as bytes.

With --json it writes a document that says everything about the file; that of a
GBX file is turned back into the same file by 'pakbox create --from-json'.

With --coverage it tells how much of the file is understood, chunk by chunk.`,
		Example: `  pakbox dump A.Map.Gbx
  pakbox dump --offsets A.Map.Gbx | less
  pakbox dump --json A.Map.Gbx > a.json
  pakbox dump --coverage *.Gbx`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			t := a.Each(many, "dump", "reading", args, func(run *shell.App, file string) error {
				a := &app{run}
				return answer.WithDumper(a.Ctx, a.Opener, file, func(d archive.Dumper) error {
					if coverage {
						return a.coverage(file, d)
					}
					return a.dump(file, d, offsets)
				})
			})
			a.Summary(t, "dumped", "")
			return nil
		},
	}
	cmd.Flags().BoolVar(&offsets, "offsets", false, "show where each value lies, and its bytes")
	cmd.Flags().BoolVar(&coverage, "coverage", false, "tell how much is understood, by chunk and in total")
	many.Flags(cmd)
	return cmd
}

func (a *app) dump(file string, d archive.Dumper, offsets bool) error {
	if !a.JSON {
		return d.DumpText(a.Out, offsets)
	}
	a.Meter.Hide()
	if err := answer.WriteDump(a.Out, file, d, archive.Everything); err != nil {
		return err
	}
	return a.Out.WriteByte('\n')
}

func (a *app) coverage(file string, d archive.Dumper) error {
	c, err := d.Coverage()
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Print(answer.CoverageObject(file, d.Format(), c))
	}
	fmt.Fprintf(a.Out, "%s: %s of %d body bytes understood\n", shell.Printable(file), answer.Percent(c.Decoded, c.Bytes), c.Bytes)
	for _, p := range c.Parts {
		where := "body"
		if p.Header {
			where = "header"
		}
		fmt.Fprintf(a.Out, "  %-8s %-6s %6d x %10d bytes %7s  %s\n", p.Name, where, p.Count, p.Bytes, answer.Percent(p.Decoded, p.Bytes), p.Class)
	}
	return nil
}
