package files

import (
	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
)

func mvCommand(a *kit.App) *cobra.Command {
	params := answer.Move.NewParams()
	save := kit.Output{InPlace: true}
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
			params.From, params.To, params.Replace = args[1:last], args[last], save.Force
			return kit.Change(a, cmd, kit.Many{}, args[:1], save, answer.Move, params)
		},
	}
	save.OneFlags(cmd, kit.AnotherFile)
	cmd.Flags().Lookup("force").Usage = "replace files that have the new name already, and change an archive that is read-only"
	return cmd
}
