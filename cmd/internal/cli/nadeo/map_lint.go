package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
)

func mapLintCommand(a *kit.App) *cobra.Command {
	many := kit.Many{Folders: true}
	var again bool
	var rows kit.Columns
	params := nadeo.MapLint.NewParams()
	cmd := &cobra.Command{
		Use:   "lint MAP...",
		Short: "Look for what games refuse, drop or show wrongly in maps",
		Long: `Lint looks for mistakes that games refuse, drop silently, or show wrongly:

  - blocks and items that the game does not have, or of another environment
  - no start or finish, blocks off the map, medals out of order
  - items that are used but not embedded, or embedded in a way that the game
    does not take
  - shadows that were computed for other blocks
  - addresses that look dead (they are not contacted)
  - maps too large for a server
  - UIDs and checksums that do not fit
  - paths of their maker's computer

With several files it also lists the maps that share a UID. MAP may be a macroblock.

'pakbox explain RULE' describes a rule and how sure it is. The exit code
is 1 for a warning or an error; a note needs no fix. A map without findings
may still fail to load in the game.

--strict is for maps that tools make or change. It compares a map of TrackMania
Forever, ManiaPlanet 4 or Trackmania (2020) with what all real maps of that game
have in common:

  - the chunks, their order, form and version
  - header, XML and body agree
  - the UID, its checksum and the thumbnail have the game's form
  - the size fits the decoration
  - lists with a value for each block or item are as long as the blocks or items`,
		Example: `  pakbox map lint *.Map.Gbx
  pakbox map lint --strict Made.Map.Gbx
  pakbox map lint --table --sort rule maps
  pakbox map lint --watch maps`,
	}
	lint := func(cmd *cobra.Command, args []string) error {
		err := askRows(a, cmd, many, args, "with errors or warnings", nadeo.MapLint, params, &rows, question.FindingFacts, func(a *kit.App, name string, l *nadeo.Linted) error {
			printLint(a, name, l.Findings)
			return nil
		})
		if err != nil || rows.Given() {
			return err
		}
		return lintTogether(a, cmd, many, args)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if again {
			return a.Again(kit.SchemaName(cmd), args, func() error { return lint(cmd, args) })
		}
		return lint(cmd, args)
	}
	many.Flags(cmd)
	rows.Flags(cmd, question.FindingFacts...)
	kit.Flags(cmd, nadeo.MapLint, &params)
	kit.AgainFlag(cmd, &again)
	return cmd
}

// lintTogether reports contradictions between several maps.
func lintTogether(a *kit.App, cmd *cobra.Command, many kit.Many, args []string) error {
	inputs := a.Inputs(many, kit.SchemaName(cmd), args)
	if len(inputs) < 2 {
		return nil
	}
	var folder lint.Folder
	for _, in := range inputs {
		// Errors about a file itself were already reported.
		_ = nadeo.WithGBX(a.Ctx, a.Opener, in.Path, func(_ *source.Source, f *gbx.File) error {
			m, err := maps.Of(f)
			if err == nil {
				folder.Add(in.Path, m)
			}
			return err
		})
	}
	var err error
	folder.Findings(func(name string, found []finding.Finding) {
		switch {
		case err != nil:
		case a.JSON:
			err = kit.PrintAnswer(a, &question.At{Path: name, Format: "gbx"}, nadeo.MapLint, &nadeo.Linted{Findings: found})
		default:
			printLint(a, name, found)
		}
		if finding.Worst(found) != finding.Note {
			a.Fail(kit.SchemaName(cmd), name, kit.ErrFound)
		}
	})
	return err
}

// printLint prints the verdict on a map, and the findings below it.
func printLint(a *kit.App, name string, findings []finding.Finding) {
	verdict, colour := "nothing found", kit.Good
	if len(findings) > 0 {
		verdict, colour = question.Count(len(findings), "finding"), kit.Doubt
	}
	a.Verdict(name, colour, verdict)
	a.Findings(findings)
}
