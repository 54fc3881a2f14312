package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/source"
)

func (a *app) diffCommand() *cobra.Command {
	return &cobra.Command{
		Use:        "diff A B",
		GroupID:    shell.GroupLook,
		SuggestFor: []string{"compare"},
		Short:      "Compare two archives by the content of their files",
		Long: `Diff lists the files that are only in B (added), only in A (removed), or in
both with different content (changed). The two may be of different formats, or
folders, or inside archives. The exit code is 1 if there is a difference.

Two GBX files are compared value by value: by node, chunk and field. Two
Simutrans files are compared by object, field and pixel.`,
		Example: `  pakbox diff old.vpk new.vpk
  pakbox diff game.vpk folder
  pakbox diff --json backup.zip/game.vpk game.vpk
  pakbox diff A.Map.Gbx B.Map.Gbx`,
		Args: shell.ArgCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.diff(cmd.Context(), args[0], args[1])
		},
	}
}

func (a *app) diff(ctx context.Context, nameA, nameB string) error {
	end := a.Watch("comparing")
	defer end()
	x, err := a.Open(ctx, nameA)
	if err != nil {
		return err
	}
	defer x.Close()
	y, err := a.Open(ctx, nameB)
	if err != nil {
		return err
	}
	defer y.Close()
	if d, ok := x.Archive.(archive.Differ); ok && x.Whole && y.Whole {
		changes, ok, err := d.DiffValues(y.Archive)
		if err != nil {
			return err
		}
		if ok {
			end()
			return a.printValueDiff(x, y, changes)
		}
	}
	changes, err := archive.Compare(ctx, x, y, x.Opts)
	if err != nil {
		return err
	}
	end()
	size := func(e *archive.Entry) *int64 {
		if e == nil {
			return nil
		}
		return answer.Known(e.Size)
	}
	objects := make([]answer.Change, len(changes))
	counts := map[archive.ChangeKind]int{}
	for i, c := range changes {
		objects[i] = answer.Change{Change: c.Kind, Name: c.Name, OldSize: size(c.Old), NewSize: size(c.New)}
		counts[c.Kind]++
	}
	if a.JSON {
		a.Print(answer.New("diff", nameA, x.Format()).
			Add("other_path", nameB).Add("other_format", y.Format()).
			Add("identical", len(changes) == 0).
			Add("added", counts[archive.Added]).Add("removed", counts[archive.Removed]).Add("changed", counts[archive.Changed]).
			Add("changes", objects))
	} else {
		a.printChanges(changes)
	}
	if len(changes) > 0 {
		return shell.ErrFound
	}
	return nil
}

// printValueDiff prints the difference of two files that are made of values.
func (a *app) printValueDiff(x, y *source.Source, changes []archive.ValueChange) error {
	if a.JSON {
		a.Print(answer.New("diff", x.Path, x.Format()).
			Add("other_path", y.Path).Add("other_format", y.Format()).
			Add("identical", len(changes) == 0).Add("values", answer.ValueChanges(changes)))
	} else {
		a.PrintValueChanges(changes)
	}
	if len(changes) > 0 {
		return shell.ErrFound
	}
	return nil
}

func (a *app) printChanges(changes []archive.Change) {
	size := func(e *archive.Entry) string {
		if e.Size < 0 {
			return "?"
		}
		return fmt.Sprint(e.Size)
	}
	for _, c := range changes {
		sizes := ""
		switch {
		case c.Old == nil:
			sizes = size(c.New)
		case c.New == nil:
			sizes = size(c.Old)
		default:
			sizes = size(c.Old) + " -> " + size(c.New)
		}
		fmt.Fprintf(a.Out, "%-8s %s (%s)\n", c.Kind, shell.Printable(c.Name), sizes)
	}
}
