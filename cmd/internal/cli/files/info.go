package files

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fact"
)

func infoCommand(a *kit.App) *cobra.Command {
	var many kit.Many
	var rows kit.Columns
	cmd := &cobra.Command{
		Use:        "info FILE...",
		GroupID:    kit.GroupLook,
		SuggestFor: []string{"show", "file", "stat", "identify"},
		Short:      "Print kind and facts of a file, the most important first",
		Long: `Info prints a card for each file: its format, the facts in its header, and how
much it holds. FILE may be an archive, a folder, or anything inside one.

If the passphrase of an encrypted archive is missing, info shows what is not
encrypted.`,
		Example: `  pakbox info game.vpk
  pakbox info backup.zip/game.vpk
  pakbox info --json *.vpk`,
		RunE: func(cmd *cobra.Command, args []string) error {
			many.Folders = rows.Given() // a card describes a folder, rows describe the files in it
			return kit.AskRows(a, cmd, many, args, "", answer.FileInfo, question.NoParams{}, &rows, nil, func(run *kit.App, _ string, c *answer.Card) error {
				printCard(run, c)
				return nil
			}, infoColumns...)
		},
	}
	many.Flags(cmd)
	rows.LazyFlags(cmd, func() (facts []*fact.Fact) {
		for _, s := range answer.Subjects(a.Formats) {
			facts = append(facts, s.Facts...)
		}
		return facts
	})
	return cmd
}

// infoColumns are the usual columns of a table, if files have these facts.
var infoColumns = []string{"path", "class_name", "game", "name", "author_login", "nick", "time", "medals.author", "entries", "file_size"}

func printCard(a *kit.App, c *answer.Card) {
	a.Separate()
	description := c.Format
	if f, ok := a.Formats.ByName(c.Format); ok {
		description = fmt.Sprintf("%s (%s)", f.Name(), f.Description())
	}
	lines := append(fact.Record{
		fact.Make("path", "Name", fact.Text, c.Path, ""),
		fact.Make("format", "Format", fact.Text, description, ""),
	}, c.Facts...)
	width := 0
	for _, f := range lines {
		if f.OnCard() {
			width = max(width, len(f.Label))
		}
	}
	for _, f := range lines {
		if f.OnCard() {
			fmt.Fprintf(a.Out, "%-*s  %s\n", width, f.Label, kit.PrintableStyled(question.CardText(f, a.Colours()), a.Colours()))
		}
	}
	if c.Locked {
		a.Note("hint: give the passphrase or key to see the rest; see 'pakbox help keys'")
	}
}
