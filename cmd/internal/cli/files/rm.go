package files

import (
	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/fault"
)

func rmCommand(a *kit.App) *cobra.Command {
	params := answer.Remove.NewParams()
	save := kit.Output{InPlace: true}
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
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			name := args[0]
			if params.Names = args[1:]; len(params.Names) == 0 {
				if name, params.Names, err = removalIn(a, name); err != nil {
					return err
				}
			}
			return kit.Change(a, cmd, kit.Many{}, []string{name}, save, answer.Remove, params)
		},
	}
	save.OneFlags(cmd, kit.AnotherFile)
	return cmd
}

// removalIn splits a single path into the archive and the pattern in it.
func removalIn(a *kit.App, name string) (string, []string, error) {
	found, err := a.Expand(a.Ctx, name)
	switch {
	case err != nil:
		return "", nil, err
	case len(found) > 1:
		return "", nil, fault.Usagef("rm: %s leads into %d files, and rm changes one", name, len(found))
	case found[0].Pattern != "":
		return found[0].Path, []string{found[0].Pattern}, nil
	}
	return found[0].Path, nil, nil
}
