package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
)

func (a *app) verifyCommand() *cobra.Command {
	var long bool
	cmd := &cobra.Command{
		Use:        "verify FILE...",
		GroupID:    shell.GroupLook,
		SuggestFor: []string{"test", "check", "validate"},
		Short:      "Check everything that can be checked in a file",
		Long: `Verify reads each file to its last byte, checks all that its format lets one
check, and lists every finding. The exit code is 1 if any is an error, or if
something could not be checked, for want of a key for example; warnings are
things that work but should not be so. With -l it says what was checked too,
for example which checksum of a pack covers what, and whether it holds.`,
		Example: `  pakbox verify game.vpk
  pakbox verify --json *.vpk
  pakbox verify backup.zip/game.vpk`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, file := range a.Paths(cmd.Context(), "verify", args) {
				if err := a.verify(cmd.Context(), file, long); err != nil {
					a.Fail("verify", file, err)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&long, "long", "l", false, "say also what was checked and measured")
	return cmd
}

func (a *app) verify(ctx context.Context, file string, long bool) error {
	end := a.Watch("verifying")
	v, err := answer.Verify(ctx, a.Opener, file)
	end()
	switch {
	case err != nil && a.JSON && a.Ctx.Err() == nil && !answer.IsUsage(err):
		a.Print(answer.VerifyError(file, err, a.ErrorObject(err)))
		return shell.Reported(err)
	case err != nil:
		return err
	case a.JSON:
		a.Print(v.Object())
	default:
		a.printReport(file, v.Report)
		if long {
			a.printMeasured(v.Facts)
		}
	}
	if !v.OK() {
		return shell.ErrFound
	}
	return nil
}

func (a *app) printReport(file string, report *archive.Report) {
	for _, f := range report.Findings {
		where := shell.Printable(file)
		if f.Entry != "" {
			where += ": " + shell.Printable(f.Entry)
		}
		fmt.Fprintf(a.Out, "%s: %s: %s (%s)\n", where, f.Severity, shell.Printable(f.Message), f.Rule)
	}
	verdict := "ok"
	switch {
	case report.Damaged():
		verdict = "damaged"
	case report.Unchecked > 0:
		verdict = "not all could be checked"
	}
	switch {
	case report.Unchecked > 0 && report.Entries == 0:
		verdict += ", what it holds is locked"
	case report.Unchecked > 0:
		verdict += fmt.Sprintf(", %d of %s unchecked", report.Unchecked, answer.Count(report.Entries, "entry"))
	}
	if n := len(report.Findings); n > 0 {
		verdict += ", " + answer.Count(n, "finding")
	}
	fmt.Fprintf(a.Out, "%s: %s, %s, %s\n", shell.Printable(file), verdict, answer.Count(report.Entries, "entry"), answer.SizeText(report.Bytes))
}

// printMeasured prints what else verification found out.
func (a *app) printMeasured(facts []archive.Fact) {
	t := &shell.Table{}
	for _, f := range facts {
		if text := answer.FactText(f); f.Label != "" && text != "" {
			t.Add("  "+f.Label, shell.Printable(text))
		}
	}
	t.Print(a.Out)
}
