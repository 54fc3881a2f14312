package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/fact"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/question"
	"pakbox/internal/talk"
)

func (a *app) infoCommand() *cobra.Command {
	var many shell.Many
	var rows shell.Columns
	cmd := &cobra.Command{
		Use:        "info FILE...",
		GroupID:    shell.GroupLook,
		SuggestFor: []string{"show", "file", "stat", "identify"},
		Short:      "Say what a file is, with the facts people look for first",
		Long: `Info prints a card for each file: its format, what its header says, and how
much it holds. FILE may be an archive, a folder, or anything inside one.

If the passphrase of an encrypted archive is missing, info shows what is not
encrypted.`,
		Example: `  pakbox info game.vpk
  pakbox info backup.zip/game.vpk
  pakbox info --json *.vpk`,
		RunE: func(cmd *cobra.Command, args []string) error {
			asRows, err := rows.Wanted()
			if err != nil {
				return err
			}
			many.Folders = asRows // a card describes a folder, rows describe the files in it
			return shell.AskRows(a.App, cmd, many, args, "", answer.FileInfo, question.NoParams{}, &rows, nil, func(run *shell.App, _ string, c *answer.Card) error {
				(&app{run}).printCard(c)
				return nil
			}, infoColumns...)
		},
	}
	many.Flags(cmd)
	var facts []*fact.Fact
	for _, s := range talk.Subjects(a.Formats) {
		facts = append(facts, s.Facts...)
	}
	rows.Flags(cmd, facts...)
	return cmd
}

// infoColumns are the usual columns of a table, if files have these facts.
var infoColumns = []string{"path", "class_name", "game", "name", "author_login", "nick", "time", "medals.author", "entries", "file_size"}

func (a *app) printCard(c *answer.Card) {
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
			fmt.Fprintf(a.Out, "%-*s  %s\n", width, f.Label, shell.PrintableStyled(form.CardText(f, a.Colours()), a.Colours()))
		}
	}
	if c.Locked {
		a.Note("hint: give the passphrase or key to see the rest; see 'pakbox help keys'")
	}
}
