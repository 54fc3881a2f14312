package files

import (
	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
)

func putCommand(a *kit.App) *cobra.Command {
	params := answer.Put.NewParams()
	save := kit.Output{InPlace: true}
	cmd := &cobra.Command{
		Use:        "put ARCHIVE FILE...",
		GroupID:    kit.GroupChange,
		SuggestFor: []string{"add", "insert", "import", "patch"},
		Short:      "Add files to an archive, or replace them there",
		Long: `Put stores files and folders in an existing archive, and replaces files with the
same names. Each is stored under its path as given; --as gives another name to a
single file. For a folder with a slash at its end only the content is
stored. ARCHIVE may also be a folder inside the archive, which need not exist
yet, and the archive may lie inside another one.

All other entries keep their bytes, and the archive is replaced in one step.

Into a table such as item_proto, put merges a CSV by key: records that the CSV
does not name stay, and so do fields without a column. --remove-missing removes
the records that it does not name.`,
		Example: `  pakbox put game.vpk docs/readme.txt textures
  pakbox put --as docs/readme.txt game.vpk /tmp/new.txt
  pakbox put game.vpk/docs readme.txt
  pakbox put backup.zip/game.vpk readme.txt
  pakbox put --dry-run item_proto changed/item_proto.csv
  date | pakbox put --as built.txt game.vpk -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.Opener.Streams = true
			params.From = args[1:]
			return kit.Change(a, cmd, kit.Many{}, args[:1], save, answer.Put, params)
		},
	}
	kit.Flags(cmd, answer.Put, &params)
	save.OneFlags(cmd, kit.AnotherFile)
	return cmd
}
