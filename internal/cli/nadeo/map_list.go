package nadeo

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/answer/about"
	"pakbox/internal/change"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
	"pakbox/trackmania/campaigns"
	"pakbox/trackmania/maps"
)

func init() { mapFamily.add((*app).mapListCommand) }

func (a *app) mapListCommand() *cobra.Command {
	var to shell.Making
	var at string
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
				return hint.Usagef("the list needs a name").Hint("pakbox map list %s -o Cup.MatchSettings.txt", hint.Word(args[0]))
			}
			if err := shell.Promises(to.Out, ".txt", ".xml"); err != nil {
				return err
			}
			if source.Exists(args[0]) && !source.IsFolder(args[0]) {
				return hint.Usagef("%s: is no folder, and a list is of the maps in one", args[0]).
					Hint("pakbox map list %s -o %s", hint.Word(filepath.ToSlash(filepath.Dir(args[0]))), hint.Word(to.Out))
			}
			return a.listMaps(args[0], at, to)
		},
	}
	cmd.Flags().StringVar(&at, "at", "", "`PATH` of FOLDER in the server's folder of maps (default the name of FOLDER)")
	to.OneFlags(cmd, shell.AnyFile)
	return cmd
}

func (a *app) listMaps(folder, at string, to shell.Making) error {
	const command = "map.list"
	files, err := a.mapsBelow(command, folder)
	if err != nil {
		return err
	}
	if at == "" {
		at = filepath.Base(filepath.Clean(folder))
	}
	var list campaigns.Playlist
	uids, left := map[string]string{}, 0
	for _, file := range files {
		name := filepath.Join(folder, filepath.FromSlash(file.Path))
		err := about.WithMap(a.Ctx, a.Opener, name, func(_ *source.Source, m *maps.Map) error {
			why, err := unfit(m, &list, uids[m.UID()])
			if err != nil {
				return err
			}
			if why != "" {
				left++
				a.Note("%s is left out: %s", name, why)
				return nil
			}
			list.Game, uids[m.UID()] = m.Generation(), file.Path
			list.Maps = append(list.Maps, campaigns.PlayedMap{Path: strings.TrimRight(filepath.ToSlash(at), "/") + "/" + file.Path, UID: m.UID()})
			return nil
		})
		if err != nil {
			left++
			a.Fail(command, name, fault.InFile(err, name))
		}
	}
	if len(list.Maps) == 0 {
		return fault.InFile(fault.New(fault.NotFormat, "there are no maps in the folder that a server takes"), folder)
	}
	if left > 0 {
		a.Note("%s of %s in the list, %d left out", form.Count(len(list.Maps), "map"), list.Game, left)
	}
	return a.WriteMade(to, command, folder, []byte(list.Text()), new(form.Object).Add("game", string(list.Game)).Add("map_count", len(list.Maps)).Add("left_out", left))
}

// unfit explains why a map does not belong in a list; "" if it does.
func unfit(m *maps.Map, list *campaigns.Playlist, twin string) (string, error) {
	switch g := m.Generation(); {
	case g == "":
		return "no server is known for the game that made it", nil
	case list.Game != "" && g != list.Game:
		return "it is a map of " + string(g) + ", and the others are of " + string(list.Game), nil
	case twin != "":
		return "it has the UID of " + twin, nil
	}
	found, err := change.Lint(m)
	for _, f := range found {
		if f.Severity == finding.Error {
			return f.Message, err
		}
	}
	return "", err
}
