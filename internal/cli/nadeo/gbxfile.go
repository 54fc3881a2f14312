package nadeo

import (
	"bytes"
	"path/filepath"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/change"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/question"
	"pakbox/internal/source"
)

// Functions that the commands for single GBX files share: map, replay, mesh.

// look calls do for each file in args, several at a time, and prints the output in order.
// found is the word for files in which do found something.
func (a *app) look(cmd *cobra.Command, many shell.Many, args []string, found string, do func(a *app, name string) error) error {
	many.Folders = true
	t := a.Each(many, shell.SchemaName(cmd), "reading", args, func(run *shell.App, name string) error { return do(&app{run}, name) })
	a.Summary(t, "looked at", found)
	return nil
}

// ask asks a question about each file in args, and prints the answers.
func ask[P, A any](a *app, cmd *cobra.Command, many shell.Many, args []string, found string, q *question.Typed[P, A], params P, print func(a *app, name string, answer A) error) error {
	many.Folders = true
	return shell.Ask(a.App, cmd, many, args, found, q, params, func(run *shell.App, name string, answer A) error {
		return print(&app{run}, name, answer)
	})
}

// askRows is ask for a list, which can also be printed as rows.
func askRows[P any, A shell.Listing](a *app, cmd *cobra.Command, many shell.Many, args []string, found string, q *question.Typed[P, A], params P, columns *shell.Columns, facts []*fact.Fact, print func(a *app, name string, answer A) error, usual ...string) error {
	many.Folders = true
	return shell.AskRows(a.App, cmd, many, args, found, q, params, columns, facts, func(run *shell.App, name string, answer A) error {
		return print(&app{run}, name, answer)
	}, usual...)
}

// wording describes the difference between two versions of a GBX file in words for
// people.
type wording func(before, after []byte) ([]archive.ValueChange, error)

// noteEnding tells when games will not see a new file, because of its name.
func (a *app) noteEnding(out, ending string) {
	if out != "-" && filepath.Ext(out) == "" {
		a.Note("games see only files whose names end in %s", ending)
	}
}

// saveGBX changes a GBX file and saves it, completely or not at all. The result of change
// is added to the JSON output. A dry run shows the values that would change, or the words
// of wording if it is not nil.
func (a *app) saveGBX(o shell.Saving, command, name string, s *source.Source, f *gbx.File, words wording, change func() (*form.Object, error)) error {
	if err := shell.Promises(o.Out, ".gbx"); err != nil {
		return err
	}
	if o.Out == "" && !o.DryRun {
		if err := source.CanReplace(s, name); err != nil {
			return hint.With(err, "write the changed file elsewhere with -o FILE")
		}
	}
	if err := o.Free(); err != nil { // before anything is told about a map that is not saved
		return err
	}
	old, err := f.Encode()
	if err != nil {
		return err
	}
	done, err := change()
	if err != nil {
		return err
	}
	data, err := f.Encode()
	if err != nil {
		return err
	}
	if o.DryRun {
		return a.previewGBX(command, name, old, data, words, done)
	}
	target, same := o.Out, o.Out == "" && bytes.Equal(data, old)
	switch {
	case target == "-":
		return a.WriteContent(data, true)
	case target != "":
		err = o.Write(a.App, data)
	case same:
		target = name // the same file, which stays unchanged
	default:
		target = name
		err = a.SaveFile(s, data, o.Replacing())
	}
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Print(form.New(command, name, "gbx").Add("output", filepath.ToSlash(target)).Add("dry_run", false).
			Add("size", len(data)).Add("old_size", len(old)).Merge(done))
	}
	if same {
		a.Note("there is nothing to change in %s", name)
		return nil
	}
	a.Note("saved %s: %d bytes (%+d)", target, len(data), len(data)-len(old))
	return nil
}

// previewGBX shows what saving would change, as diff does.
func (a *app) previewGBX(command, name string, old, data []byte, words wording, done *form.Object) error {
	if words != nil {
		changes, err := words(old, data)
		if err != nil {
			return err
		}
		if !a.JSON {
			a.title(name)
			a.printPreview(name, changes)
			return nil
		}
		done = new(form.Object).Add("words", answer.ValueChanges(changes)).Merge(done)
	}
	changes, err := change.GBXChanges(old, data)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Print(form.New(command, name, "gbx").Add("dry_run", true).Add("values", answer.ValueChanges(changes)).Merge(done))
	}
	a.printPreview(name, changes)
	return nil
}

func (a *app) printPreview(name string, changes []archive.ValueChange) {
	a.PrintValueChanges("", changes)
	if len(changes) == 0 {
		a.Note("there is nothing to change in %s", name)
	}
}
