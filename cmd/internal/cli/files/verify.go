package files

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fact"
)

func verifyCommand(a *kit.App) *cobra.Command {
	var long bool
	many := kit.Many{Folders: true} // a folder has nothing to check but the files in it
	cmd := &cobra.Command{
		Use:        "verify FILE...",
		GroupID:    kit.GroupLook,
		SuggestFor: []string{"test", "check", "validate"},
		Short:      "Check everything that can be checked in a file",
		Long: `Verify reads each file to its last byte, checks everything that its format allows
to check, and lists every finding. The exit code is 1 if a finding is an error, or
if something could not be checked, because a key is missing for example. A warning
is about something that works but is not as it should be. With -l it also lists
what was checked, for example which checksum of a pack covers which bytes. A
folder stands for the files in it and below it.`,
		Example: `  pakbox verify game.vpk
  pakbox verify --json *.vpk
  pakbox verify backup.zip/game.vpk`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.Opener.Streams = true
			t := a.Each(many, "verify", "verifying", args, func(run *kit.App, file string) error {
				return verify(run, file, long)
			})
			a.Summary(t, "verified", "damaged")
			return nil
		},
	}
	cmd.Flags().BoolVarP(&long, "long", "l", false, "say also what was checked and measured")
	many.Flags(cmd)
	return cmd
}

func verify(a *kit.App, file string, long bool) error {
	end := a.Watch("verifying")
	at := a.At(file)
	quiet := *a.Opener // the findings report damage
	quiet.Damaged = nil
	at.Opener = &quiet
	v, err := answer.FileVerify.Ask(a.Ctx, at, question.NoParams{})
	end()
	if v != nil && v.Error != nil {
		err = v.Error
	}
	switch {
	case a.OtherKind(a.Subject, err):
		return err
	case err != nil && a.JSON && a.Ctx.Err() == nil && !question.IsUsage(err):
		kit.PrintAnswer(a, at, answer.FileVerify, &answer.Verified{Error: err, Why: a.ErrorObject(err)})
		return kit.Reported(err)
	case err != nil:
		return err
	case a.JSON:
		kit.PrintAnswer(a, at, answer.FileVerify, v)
	default:
		printReport(a, file, v.Report)
		if long {
			printMeasured(a, v.Facts)
		}
	}
	if !v.OK() {
		if v.Report != nil && !v.Report.Damaged() {
			a.CountUnchecked()
		}
		return kit.ErrFound
	}
	return nil
}

func printReport(a *kit.App, file string, report *archive.Report) {
	verdict, colour := "ok", kit.Good
	switch {
	case report.Damaged():
		verdict, colour = "damaged", kit.Bad
	case report.Unchecked+report.Regions > 0:
		verdict, colour = "not all could be checked", kit.Doubt
	}
	switch {
	case report.Unchecked > 0 && report.Entries == 0:
		verdict += ", what it holds is locked"
	case report.Unchecked > 0:
		verdict += fmt.Sprintf(", %d of %s unchecked", report.Unchecked, question.Count(report.Entries, "entry"))
	}
	if report.Regions > 0 {
		verdict += ", " + question.Count(report.Regions, "part") + " of unknown layout"
	}
	if report.Uncovered > 0 {
		verdict += fmt.Sprintf(", %d without a checksum that covers the content", report.Uncovered)
	}
	if n := len(report.Findings); n > 0 {
		verdict += ", " + question.Count(n, "finding")
	}
	a.Verdict(file, colour, fmt.Sprintf("%s, %s, %s", verdict, question.Count(report.Entries, "entry"), fact.SizeText(report.Bytes)))
	a.Findings(report.Findings)
}

// printMeasured prints the measurements of a verification.
func printMeasured(a *kit.App, facts fact.Record) {
	t := &kit.Table{}
	for _, f := range facts {
		if text := f.Text(); f.OnCard() && text != "" {
			t.Add("  "+f.Label, kit.Printable(text))
		}
	}
	t.Print(a.Out)
}
