package files

import (
	"context"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

func rmCommand(a *kit.App) *cobra.Command {
	var replacing kit.Replacing
	cmd := &cobra.Command{
		Use:        "rm ARCHIVE NAME...",
		GroupID:    kit.GroupChange,
		SuggestFor: []string{"delete", "del", "remove"},
		Short:      "Remove files from an archive",
		Long: `Rm removes files, folders with all that is in them, or what matches patterns
from an archive. The archive is replaced in one step; if a NAME finds nothing,
nothing is removed at all. A single path into an archive works too.`,
		Example: `  pakbox rm game.vpk docs/readme.txt old
  pakbox rm game.vpk '**/*.bak'
  pakbox rm game.vpk/docs/readme.txt
  pakbox rm backup.zip/game.vpk docs`,
		Args: kit.ArgCount(1, kit.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			return rm(cmd.Context(), a, args[0], args[1:], replacing)
		},
	}
	replacing.Flags(cmd)
	return cmd
}

func rm(ctx context.Context, a *kit.App, name string, args []string, o kit.Replacing) error {
	s, args, err := openForRemoval(ctx, a, name, args)
	if err != nil {
		return err
	}
	defer s.Close()
	chosen, err := source.SelectEntries(s, args)
	if err != nil {
		return err
	}
	var edits []archive.Edit
	for _, e := range s.Entries() {
		if chosen[e.Name] {
			delete(chosen, e.Name) // one edit removes all entries with this name
			edits = append(edits, archive.Edit{Remove: s.InArchive(e.Name)})
		}
	}
	format := s.Format()
	if err := a.SaveEdits(s, edits, o); err != nil {
		return err
	}
	if a.JSON {
		return a.Print(question.NewObject("rm", name, format).Add("removed", len(edits)).Add("dry_run", o.DryRun))
	}
	if o.DryRun {
		return nil
	}
	a.Note("removed %s from %s", question.Count(len(edits), "file"), s.Path)
	return nil
}

// openForRemoval accepts both forms of arguments: an archive and names in it, or one path
// that leads into an archive.
func openForRemoval(ctx context.Context, a *kit.App, name string, args []string) (*source.Source, []string, error) {
	if len(args) > 0 {
		s, err := a.Open(ctx, name)
		return s, args, err
	}
	found, err := a.Expand(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	if len(found) > 1 {
		return nil, nil, fault.Usagef("rm: %s leads into %d files, and rm changes one", name, len(found))
	}
	name = found[0].Path
	if found[0].Pattern != "" {
		s, err := a.Open(ctx, name)
		return s, []string{found[0].Pattern}, err
	}
	p, opts, err := a.Find(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	if p.Inner == "." {
		p.Close()
		return nil, nil, fault.Usagef("rm: %s is a file of its own; say what to remove from it", name).Hint("usage: pakbox rm ARCHIVE NAME...")
	}
	inner := p.Inner
	return &source.Source{Archive: p.Archive, Path: name, Place: p, Opts: opts, Whole: true}, []string{inner}, nil
}
