package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/finding"
)

func (a *app) verifyCommand() *cobra.Command {
	var long bool
	cmd := &cobra.Command{
		Use:        "verify FILE...",
		GroupID:    groupLook,
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
	defer end()
	s, err := a.open(ctx, file)
	if err != nil {
		return a.verifyFailed(file, err)
	}
	defer s.Close()
	if !s.whole {
		return usagef("%s: only whole archives can be verified", file)
	}
	report, err := s.Verify(ctx, s.opts)
	end()
	if err != nil {
		return err
	}
	if a.json {
		a.print(newObject("verify", file, s.Format()).
			add("ok", report.OK()).
			add("entries", report.Entries).
			add("unchecked", report.Unchecked).
			add("bytes", report.Bytes).
			add("findings", append([]finding.Finding{}, report.Findings...)).
			addFacts(report.Facts))
	} else {
		a.printReport(file, report)
		if long {
			a.printMeasured(report.Facts)
		}
	}
	if !report.OK() {
		return errFound
	}
	return nil
}

// verifyFailed reports a file that cannot even be opened. If that is the
// file's own fault, it is a finding too, so that scripts need look in one
// place only.
func (a *app) verifyFailed(file string, err error) error {
	if !a.json || a.ctx.Err() != nil {
		return err
	}
	list := []finding.Finding{}
	if exitCode(err) == exitData {
		list = append(list, finding.Of(finding.Error, err))
	}
	a.print(newObject("verify", file, "").add("ok", false).add("findings", list).add("error", a.errorObject(err)))
	return &reported{err}
}

func (a *app) printReport(file string, report *archive.Report) {
	for _, f := range report.Findings {
		where := printable(file)
		if f.Entry != "" {
			where += ": " + printable(f.Entry)
		}
		fmt.Fprintf(a.out, "%s: %s: %s (%s)\n", where, f.Severity, printable(f.Message), f.Rule)
	}
	verdict := "ok"
	switch {
	case report.Damaged():
		verdict = "damaged"
	case report.Unchecked > 0:
		verdict = "not all could be checked"
	}
	if report.Unchecked > 0 {
		verdict += fmt.Sprintf(", %d of %s unchecked", report.Unchecked, count(report.Entries, "entry"))
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
