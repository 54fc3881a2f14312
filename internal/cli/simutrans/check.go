package simutrans

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"pakbox/fact"
	"pakbox/finding"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/simutrans/check"
	"pakbox/simutrans/compile"
)

func (a *app) checkCommand() *cobra.Command {
	var configFile, show, fail, target string
	var cell int
	var rows shell.Columns
	cmd := &cobra.Command{
		Use:   "check PATH...",
		Short: "Look for mistakes in a Simutrans pakset or its sources",
		Long: `Check reads all object files of a pakset, in folders and below, and reports
mistakes that no compiler sees, because it sees one object at a time. Of a
folder without object files, and of .dat files, it compiles the sources in
memory and reports their problems too.

` + ruleList() + `
Findings are errors, warnings or notes. --show hides lower ones, --fail says
from which severity on the exit code is 1. A configuration file gives a rule
another severity for some objects, or turns it off; the last line that fits
counts:

  # rule     object           severity
  outside    *                off
  dangling   vehicle.Old*     note`,
		Example: `  pakbox simutrans check pak
  pakbox simutrans check --config pakset.check --fail warning pak
  pakbox simutrans check --json pak`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			var levels [2]finding.Severity
			for i, s := range []string{show, fail} {
				var err error
				if levels[i], err = check.ParseSeverity(s); err != nil {
					return hint.Usagef("%v", err)
				}
			}
			paths, err := a.LocalPaths(args)
			if err != nil {
				return err
			}
			if err := checkTarget(target); err != nil {
				return err
			}
			compiler, err := compile.NewCompiler(target, cell)
			if err != nil {
				return hint.Usagef("--cell: %v", err)
			}
			return a.checkPakset(cmd.Context(), paths, compiler, configFile, levels[0], levels[1], &rows)
		},
	}
	cmd.Flags().StringVar(&configFile, "config", "", "read the severities of rules from `FILE`")
	cmd.Flags().StringVar(&show, "show", "note", "show findings from this `SEVERITY` on: note, warning, error")
	cmd.Flags().StringVar(&fail, "fail", "error", "exit with 1 from this `SEVERITY` on: note, warning, error, or off for never")
	targetFlag(cmd, &target, "compile sources as this makeobj does")
	cmd.Flags().IntVar(&cell, "cell", compile.DefaultCell, "the size of a cell of sources in `PIXELS`")
	rows.Flags(cmd)
	return cmd
}

func ruleList() (text string) {
	for _, r := range check.Rules() {
		text += fmt.Sprintf("  %-12s  %s\n", r.Name, r.Text)
	}
	return text
}

func (a *app) checkPakset(ctx context.Context, paths []string, compiler *compile.Compiler, configFile string, show, fail finding.Severity, rows *shell.Columns) error {
	asRows, err := rows.Wanted()
	if err != nil {
		return err
	}
	var config *check.Config
	if configFile != "" {
		f, err := os.Open(configFile)
		if err != nil {
			return err
		}
		defer f.Close()
		if config, err = check.ParseConfig(f); err != nil {
			return hint.Usagef("%s: %v", configFile, err)
		}
	}
	end := a.Watch("checking")
	c, err := answer.CheckPakset(ctx, paths, compiler, config)
	end()
	if err != nil {
		return err
	}
	switch {
	case asRows:
		if err := a.findingTable(c.From(show), rows); err != nil {
			return err
		}
	case a.JSON:
		a.Print(c.Object(show))
	default:
		for _, f := range c.From(show) {
			if f.Entry != "" && filepath.Base(f.File) != f.Entry+".pak" { // a file of several objects
				f.Message = f.Entry + ": " + f.Message
			}
			fmt.Fprintln(a.Out, shell.Printable(f.String()))
		}
		a.Note("%s checked: %s, %s, %s", answer.Count(c.Objects, "object"),
			answer.Count(c.Counts[finding.Error], "error"), answer.Count(c.Counts[finding.Warning], "warning"), answer.Count(c.Counts[finding.Note], "note"))
	}
	worst := finding.Worst(c.Findings)
	if worst != "" && fail != check.Off && worst.Rank() <= fail.Rank() {
		return shell.ErrFound
	}
	return nil
}

// findingTable prints findings as rows.
func (a *app) findingTable(findings []finding.Finding, rows *shell.Columns) error {
	if err := a.Stream(rows, fact.Names(answer.FindingFacts)); err != nil {
		return err
	}
	for _, f := range findings {
		if err := a.AddRow(rows, answer.FindingRow(f)); err != nil {
			return err
		}
	}
	return a.PrintRows(rows, a.Outcome(), fact.Names(answer.FindingFacts)...)
}
