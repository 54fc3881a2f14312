package files

import (
	"context"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/pathname"
)

func mvCommand(a *kit.App) *cobra.Command {
	var replacing kit.Replacing
	cmd := &cobra.Command{
		Use:        "mv ARCHIVE FROM... TO",
		GroupID:    kit.GroupChange,
		SuggestFor: []string{"rename", "move"},
		Short:      "Give files in an archive other names",
		Long: `Mv renames a file or folder inside an archive, or moves several into a folder:
TO is a folder if it exists as one or ends in a slash. Contents are not
touched, and the archive is replaced in one step.`,
		Example: `  pakbox mv game.vpk readme.txt docs/readme.txt
  pakbox mv game.vpk textures old-textures
  pakbox mv game.vpk '*.txt' docs/
  pakbox mv backup.zip/game.vpk readme.txt liesmich.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			last := len(args) - 1
			return mv(cmd.Context(), a, args[0], args[1:last], args[last], replacing)
		},
	}
	replacing.Flags(cmd)
	cmd.Flags().Lookup("force").Usage = "replace files that have the new name already, and change an archive that is read-only"
	return cmd
}

func mv(ctx context.Context, a *kit.App, name string, from []string, to string, o kit.Replacing) error {
	s, err := a.Open(ctx, name)
	if err != nil {
		return err
	}
	defer s.Close()
	names, err := movedNames(s, from)
	if err != nil {
		return err
	}
	info, statErr := s.Stat(path.Clean(source.Slashed(to)))
	into := strings.HasSuffix(to, "/") || statErr == nil && info.IsDir()
	if len(names) > 1 && !into {
		return fault.Usagef("mv: %s is not a folder, so %d files cannot be moved there", to, len(names)).Hint("write %s/ to make it one", to)
	}
	var removes, edits []archive.Edit
	seen := map[string]bool{}
	for _, old := range names {
		target := path.Clean(source.Slashed(to))
		if into {
			target = path.Join(target, path.Base(old))
		}
		if _, err := givenName(s.Place.Root(), s.InArchive(target)); err != nil {
			return err
		}
		if seen[target] {
			return fault.Usagef("mv: two of them would be called %s", target)
		}
		seen[target] = true
		if old == target {
			continue
		}
		if o.Force {
			for _, name := range overwritten(s, old, target) {
				removes = append(removes, archive.Edit{Remove: s.InArchive(name)})
			}
		}
		edits = append(edits, archive.Edit{Rename: &archive.Rename{From: s.InArchive(old), To: s.InArchive(target)}})
	}
	edits = append(removes, edits...)
	format := s.Format()
	if len(edits) > 0 {
		if err := a.SaveEdits(s, edits, o); err != nil {
			return err
		}
	}
	if a.JSON {
		return a.Print(question.NewObject("mv", name, format).Add("moved", len(names)).Add("dry_run", o.DryRun))
	}
	if o.DryRun {
		return nil
	}
	a.Note("moved %d in %s", len(names), name)
	return nil
}

// overwritten lists the files that a move would overwrite. Folders are never overwritten.
func overwritten(s *source.Source, old, target string) (names []string) {
	moved := []string{old}
	if info, err := s.Stat(old); err == nil && info.IsDir() {
		moved = source.SelectOne(s, old, source.MatchPath)
	}
	for _, name := range moved {
		_, below := pathname.CutParts(s.Root().Path(name), strings.Count(old, "/")+1)
		to := path.Join(target, below)
		if info, err := s.Stat(to); err == nil && !info.IsDir() && !strings.EqualFold(name, to) {
			names = append(names, to)
		}
	}
	return names
}

// movedNames finds what to move: existing files and folders, or all files that match a
// pattern.
func movedNames(s *source.Source, from []string) ([]string, error) {
	var names []string
	seen := map[string]bool{}
	for _, arg := range from {
		clean := path.Clean(source.Slashed(arg))
		if clean == "." {
			return nil, fault.Usagef("mv: %q is not a name in the archive", arg)
		}
		found := []string{clean}
		if _, err := s.Stat(clean); err != nil {
			if found = source.SelectOne(s, arg, source.MatchPath); len(found) == 0 {
				return nil, source.NothingMatches(s, arg)
			}
		}
		for _, name := range found {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names, nil
}
