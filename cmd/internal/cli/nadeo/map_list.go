package nadeo

import (
	"path/filepath"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/quote"
)

func mapListCommand(a *kit.App) *cobra.Command {
	var to kit.Output
	params := answers.ListMaps.NewParams()
	cmd := &cobra.Command{
		Use:   "list FOLDER",
		Short: "Make the match settings of a server from a folder of maps",
		Long: `List makes the file from which a dedicated server of TrackMania Forever, ManiaPlanet
or Trackmania of 2020 takes its maps. All maps below the folder are of one game.
Each is checked first. A map is left out, and named, if 'pakbox map lint' finds
an error in it, or if another map has its UID. The mode is time attack.`,
		Example: `  pakbox map list Maps/Cup -o Cup.MatchSettings.txt
  pakbox map list Cup --at Downloaded/Cup -o Cup.MatchSettings.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if to.Out == "" {
				return fault.Usagef("the list needs a name").Hint("pakbox map list %s -o Cup.MatchSettings.txt", quote.Word(args[0]))
			}
			if err := kit.Promises(to.Out, ".txt", ".xml"); err != nil {
				return err
			}
			if source.Exists(args[0]) && !source.IsFolder(args[0]) {
				return fault.Usagef("%s: is not a folder; a list is made for the maps in a folder", args[0]).
					Hint("pakbox map list %s -o %s", quote.Word(filepath.ToSlash(filepath.Dir(args[0]))), quote.Word(to.Out))
			}
			at := a.At(args[0])
			f, err := answers.ListMaps.Ask(a.Ctx, at, params)
			if err != nil {
				return err
			}
			for _, note := range f.Notes {
				a.Note("%s", note)
			}
			failMaps(a, "map.list", f.Say.(*answers.MapListReport).Failed)
			return a.WriteFile(to, "map.list", at, f)
		},
	}
	kit.Flags(cmd, answers.ListMaps, &params)
	to.OneFlags(cmd, kit.AnyFile)
	return cmd
}

var _ = kit.NewFileReport[answers.MapListReport]("map.list", "the new list of maps for a server")
