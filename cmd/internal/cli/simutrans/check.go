package simutrans

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/simutrans"
	answers "pakbox/cmd/internal/answer/simutrans"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/simutrans/check"
	"pakbox/simutrans/compile"
)

func checkCommand(a *kit.App) *cobra.Command {
	var configFile, fail, target string
	params := simutrans.SimutransCheck.NewParams()
	params.Show = "note"
	var cell int
	var rows kit.Columns
	cmd := &cobra.Command{
		Use:        "check PATH...",
		SuggestFor: []string{"lint", "verify", "validate"},
		Short:      "Look for mistakes in a Simutrans pakset or its sources",
		Long: `Check reads all object files of a pakset, in folders and below. It reports
mistakes that no compiler sees, because a compiler sees one object at a time. It
also takes sources: .dat files, and folders without object files. It compiles
them in memory, and reports their problems too.

` + ruleList() + `
Findings are errors, warnings or notes. --show hides findings below a severity.
--fail names the lowest severity for which the exit code is 1. A configuration
file gives a rule another severity for some objects, or turns it off; the last
matching line counts:

  # rule     object           severity
  outside    *                off
  dangling   vehicle.Old*     note`,
		Example: `  pakbox simutrans check pak
  pakbox simutrans check --config pakset.check --fail warning pak
  pakbox simutrans check --json pak`,
		RunE: func(cmd *cobra.Command, args []string) error {
			least, err := check.ParseSeverity(fail)
			if err != nil {
				return fault.Usagef("%v", err)
			}
			paths, err := a.LocalPaths(args)
			if err != nil {
				return err
			}
			if err := answers.CheckTarget(target); err != nil {
				return err
			}
			if params.Source, err = compile.NewCompiler(target, cell); err != nil {
				return fault.Usagef("--cell: %v", err)
			}
			if params.Config, err = readConfig(configFile); err != nil {
				return err
			}
			asRows, err := rows.Wanted()
			if err != nil {
				return err
			}
			params.More = paths[1:]
			at := a.At(paths[0])
			end := a.Watch("checking")
			c, err := simutrans.SimutransCheck.Ask(cmd.Context(), at, params)
			end()
			switch {
			case err != nil:
				return err
			case asRows:
				err = findingTable(a, c.Findings, &rows)
			case a.JSON:
				err = kit.PrintAnswer(a, at, simutrans.SimutransCheck, c)
			default:
				printFindings(a, c)
			}
			if err == nil && c.Worst != "" && least != check.Off && c.Worst.Rank() <= least.Rank() {
				return kit.ErrFound
			}
			return err
		},
	}
	cmd.Flags().StringVar(&configFile, "config", "", "read the severities of rules from `FILE`")
	kit.Flags(cmd, simutrans.SimutransCheck, &params)
	cmd.Flags().StringVar(&fail, "fail", "error", "exit with 1 from this `SEVERITY` on: note, warning, error, or off for never")
	targetFlag(cmd, &target, "compile sources as this makeobj does")
	cmd.Flags().IntVar(&cell, "cell", compile.DefaultCell, "the size of a cell of sources in `PIXELS`")
	rows.Flags(cmd, question.FindingFacts...)
	return cmd
}

func ruleList() (text string) {
	for _, r := range check.Rules() {
		text += fmt.Sprintf("  %-12s  %s\n", r.Name, r.Text)
	}
	return text
}

// readConfig reads the severities of rules, if a file is named.
func readConfig(file string) (*check.Config, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	config, err := check.ParseConfig(f)
	if err != nil {
		return nil, fault.Usagef("%s: %v", file, err)
	}
	return config, nil
}

func printFindings(a *kit.App, c *simutrans.Pakset) {
	for _, f := range c.Findings {
		if f.Entry != "" && filepath.Base(f.File) != f.Entry+".pak" { // the file contains several objects
			f.Message = f.Entry + ": " + f.Message
		}
		fmt.Fprintln(a.Out, kit.Printable(f.String()))
	}
	a.Note("%s checked: %s, %s, %s", question.Count(c.Objects, "object"), question.Count(c.Errors, "error"), question.Count(c.Warnings, "warning"), question.Count(c.Notes, "note"))
}

// findingTable prints findings as rows.
func findingTable(a *kit.App, findings []finding.Finding, rows *kit.Columns) error {
	if err := a.Stream(rows, fact.Names(question.FindingFacts)); err != nil {
		return err
	}
	for _, f := range findings {
		if err := a.AddRow(rows, question.FindingRow(f)); err != nil {
			return err
		}
	}
	return a.PrintRows(rows, a.Outcome(), fact.Names(question.FindingFacts)...)
}
