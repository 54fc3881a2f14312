package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/finding"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
)

func (a *app) mapLintCommand() *cobra.Command {
	many := shell.Many{Folders: true}
	var again bool
	var rows shell.Columns
	params := answer.MapLint.NewParams()
	cmd := &cobra.Command{
		Use:   "lint MAP...",
		Short: "Look for what commonly goes wrong with maps",
		Long: `Lint looks for items that are used but not embedded, addresses that look dead
(without contacting them), medals out of order, maps too large for a server,
UIDs and checksums that do not fit, and paths that tell about their maker's
computer. It exits with 1 if it finds anything. That it finds nothing is no
promise that a game loads the map.

With --strict it also compares a map of TrackMania Forever, ManiaPlanet 4 or
Trackmania (2020) with what all real maps of that game share: which chunks there
are, in which order, form and version; that header, XML and body agree; that the
UID, its checksum and the thumbnail have the form that the game gives; that the
size fits the decoration, and lists with a value for each block or item have as
many as there are. It is meant for maps that tools make or change.`,
		Example: `  pakbox map lint *.Map.Gbx
  pakbox map lint --strict Made.Map.Gbx
  pakbox map lint --table --sort rule maps
  pakbox map lint --watch maps`,
		Args: shell.ArgCount(1, shell.Unlimited),
	}
	lint := func(cmd *cobra.Command, args []string) error {
		return askRows(a, cmd, many, args, "with findings", answer.MapLint, params, &rows, answer.FindingFacts, func(a *app, name string, l *answer.Linted) error {
			a.printLint(name, l.Findings)
			return nil
		})
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if again {
			return a.Again(shell.SchemaName(cmd), args, func() error { return lint(cmd, args) })
		}
		return lint(cmd, args)
	}
	many.Flags(cmd)
	rows.Flags(cmd, answer.FindingFacts...)
	shell.Flags(cmd, answer.MapLint, &params)
	shell.AgainFlag(cmd, &again)
	return cmd
}

// printLint prints the verdict on a map, and what was found below it.
func (a *app) printLint(name string, findings []finding.Finding) {
	verdict, colour := "nothing found", shell.Good
	if len(findings) > 0 {
		verdict, colour = form.Count(len(findings), "finding"), shell.Doubt
	}
	a.Verdict(name, colour, verdict)
	a.Findings(findings)
}
