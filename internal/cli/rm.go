package cli

import (
	"context"

	"github.com/spf13/cobra"

	"pakbox/archive"
)

func (a *app) rmCommand() *cobra.Command {
	return &cobra.Command{
		Use:        "rm ARCHIVE NAME...",
		GroupID:    groupChange,
		SuggestFor: []string{"delete", "del", "remove"},
		Short:      "Remove files from an archive",
		Long: `Rm removes files, folders with all that is in them, or what matches patterns
from an archive. The archive is replaced in one step; if a NAME finds nothing,
nothing is removed at all. A single path into an archive works too.`,
		Example: `  pakbox rm game.vpk docs/readme.txt old
  pakbox rm game.vpk '**/*.bak'
  pakbox rm game.vpk/docs/readme.txt
  pakbox rm backup.zip/game.vpk docs`,
		Args: argCount(1, unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.rm(cmd.Context(), args[0], args[1:])
		},
	}
}

func (a *app) rm(ctx context.Context, name string, args []string) error {
	s, args, err := a.openForRemoval(ctx, name, args)
	if err != nil {
		return err
	}
	defer s.Close()
	chosen, err := selectEntries(s, args)
	if err != nil {
		return err
	}
	var edits []archive.Edit
	for _, e := range s.Entries() {
		if chosen[e.Name] {
			delete(chosen, e.Name) // one edit removes all of the name
			edits = append(edits, archive.Edit{Remove: s.inArchive(e.Name)})
		}
	}
	format := s.Format()
	if err := a.saveEdits(ctx, s, edits); err != nil {
		return err
	}
	if a.json {
		return a.print(newObject("rm", name, format).add("removed", len(edits)))
	}
	a.note("removed %s from %s", count(len(edits), "file"), s.path)
	return nil
}

// openForRemoval understands both ways to say what to remove: an archive and
// names in it, or one path that leads into an archive.
func (a *app) openForRemoval(ctx context.Context, name string, args []string) (*source, []string, error) {
	if len(args) > 0 {
		s, err := a.open(ctx, name)
		return s, args, err
	}
	found, err := a.expand(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	if len(found) > 1 {
		return nil, nil, usagef("rm: %s leads into %d files, and rm changes one", name, len(found))
	}
	name = found[0].path
	if found[0].pattern != "" {
		s, err := a.open(ctx, name)
		return s, []string{found[0].pattern}, err
	}
	p, opts, err := a.find(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	if p.Inner == "." {
		p.Close()
		return nil, nil, usagef("rm: %s is a file of its own; say what to remove from it", name).hint("usage: pakbox rm ARCHIVE NAME...")
	}
	inner := p.Inner
	return &source{Archive: p.Archive, path: name, place: p, opts: opts, whole: true}, []string{inner}, nil
}
