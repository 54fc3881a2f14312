package nadeo

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fact"
)

// Functions that the commands for single GBX files share: map, replay, mesh.

// look calls do for each file in args, several at a time, and prints the output in order.
// found is the word for files in which do found something.
func look(a *kit.App, cmd *cobra.Command, many kit.Many, args []string, found string, do func(a *kit.App, name string) error) error {
	many.Folders = true
	t := a.Each(many, kit.SchemaName(cmd), "reading", args, func(run *kit.App, name string) error { return do(run, name) })
	a.Summary(t, "looked at", found)
	return nil
}

// ask asks a question about each file in args, and prints the answers.
func ask[P, A any](a *kit.App, cmd *cobra.Command, many kit.Many, args []string, found string, q *question.Typed[P, A], params P, print func(a *kit.App, name string, answer A) error) error {
	many.Folders = true
	return kit.Ask(a, cmd, many, args, found, q, params, func(run *kit.App, name string, answer A) error {
		return print(run, name, answer)
	})
}

// askRows is ask for a list, which can also be printed as rows.
func askRows[P any, A question.Listing](a *kit.App, cmd *cobra.Command, many kit.Many, args []string, found string, q *question.Typed[P, A], params P, columns *kit.Columns, facts []*fact.Fact, print func(a *kit.App, name string, answer A) error, usual ...string) error {
	many.Folders = true
	return kit.AskRows(a, cmd, many, args, found, q, params, columns, facts, func(run *kit.App, name string, answer A) error {
		return print(run, name, answer)
	}, usual...)
}

// noteEnding prints a note if games do not list a new file, because of its name.
func noteEnding(a *kit.App, out, ending string) {
	if out != "-" && filepath.Ext(out) == "" {
		a.Note("games see only files whose names end in %s", ending)
	}
}
