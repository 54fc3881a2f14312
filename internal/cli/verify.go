package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/archive"
)

func (a *app) verifyCommand() *cobra.Command {
	var long bool
	cmd := &cobra.Command{
		Use:        "verify FILE...",
		GroupID:    groupLook,
		SuggestFor: []string{"test", "check", "validate"},
		Short:      "Check everything that can be checked in a file",
		Long: `Verify reads each file to its last byte, checks all that its format lets one
check, and lists every finding. The exit code is 1 if any is an error; warnings
are things that work but should not be so. With -l it says what was checked too,
for example which checksum of a pack covers what, and whether it holds.`,
		Example: `  pakbox verify game.vpk
  pakbox verify --json *.vpk
  pakbox verify backup.zip/game.vpk`,
		Args: argCount(1, unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, file := range a.paths(cmd.Context(), "verify", args) {
				if err := a.verify(cmd.Context(), file, long); err != nil {
					a.fail("verify", file, err)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&long, "long", "l", false, "say also what was checked and measured")
	return cmd
}

func (a *app) verify(ctx context.Context, file string, long bool) error {
	end := a.watch("verifying")
	v, err := verify(ctx, a.opener, file)
	end()
	switch {
	case err != nil && a.json && a.ctx.Err() == nil && !isUsage(err):
		a.print(verifyError(file, err, a.errorObject(err)))
		return &reported{err}
	case err != nil:
		return err
	case a.json:
		a.print(v.object())
	default:
		a.printReport(file, v.Report)
		if long {
			a.printMeasured(v.Facts)
		}
	}
	if !v.OK() {
		return errFound
	}
	return nil
}

func (a *app) printReport(file string, report *archive.Report) {
	for _, f := range report.Findings {
		where := printable(file)
		if f.Entry != "" {
			where += ": " + printable(f.Entry)
		}
		fmt.Fprintf(a.out, "%s: %s: %s (%s)\n", where, f.Severity, printable(f.Message), string(f.Kind))
	}
	verdict := "ok"
	if !report.OK() {
		verdict = "damaged"
	}
	if n := len(report.Findings); n > 0 {
		verdict += ", " + count(n, "finding")
	}
	fmt.Fprintf(a.out, "%s: %s, %s, %s\n", printable(file), verdict, count(report.Entries, "entry"), sizeText(report.Bytes))
}

// printMeasured prints what else verification found out.
func (a *app) printMeasured(facts []archive.Fact) {
	t := &table{}
	for _, f := range facts {
		if text := factText(f); f.Label != "" && text != "" {
			t.add("  "+f.Label, printable(text))
		}
	}
	t.print(a.out)
}
