package nadeo

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/quote"
	"pakbox/nadeo/campaigns"
	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
)

func mapListCommand(a *kit.App) *cobra.Command {
	var to kit.Output
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
				return fault.Usagef("the list needs a name").Hint("pakbox map list %s -o Cup.MatchSettings.txt", quote.Word(args[0]))
			}
			if err := kit.Promises(to.Out, ".txt", ".xml"); err != nil {
				return err
			}
			if source.Exists(args[0]) && !source.IsFolder(args[0]) {
				return fault.Usagef("%s: is not a folder; a list is made for the maps in a folder", args[0]).
					Hint("pakbox map list %s -o %s", quote.Word(filepath.ToSlash(filepath.Dir(args[0]))), quote.Word(to.Out))
			}
			return listMaps(a, args[0], at, to)
		},
	}
	cmd.Flags().StringVar(&at, "at", "", "`PATH` of FOLDER in the server's folder of maps (default the name of FOLDER)")
	to.OneFlags(cmd, kit.AnyFile)
	return cmd
}

func listMaps(a *kit.App, folder, at string, to kit.Output) error {
	const command = "map.list"
	files, err := mapsBelow(a, command, folder)
	if err != nil {
		return err
	}
	if at == "" {
		at = filepath.Base(filepath.Clean(folder))
	}
	var list campaigns.Playlist
	uids, left := map[string]string{}, 0
	var why reasons
	for _, file := range files {
		name := filepath.Join(folder, filepath.FromSlash(file.Path))
		err := nadeo.WithMap(a.Ctx, a.Opener, name, func(_ *source.Source, m *maps.Map) error {
			if reason := unfit(m, &list, uids[m.UID()]); reason != "" {
				left++
				why.add(reason, name)
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
	why.print(a)
	if len(list.Maps) == 0 {
		return fault.InFile(fault.New(fault.NotFormat, "contains no maps for a server"), folder)
	}
	if left > 0 {
		a.Note("%s of %s in the list, %d left out", question.Count(len(list.Maps), "map"), list.Game, left)
	}
	return kit.WriteMade(a, mapListReport, to, folder, []byte(list.Text()), createdList{Game: string(list.Game), Maps: len(list.Maps), Omitted: left})
}

// reasons has the maps that are left out of a list, by the reason.
type reasons struct {
	texts []string
	maps  map[string][]string
}

func (r *reasons) add(text, name string) {
	if r.maps == nil {
		r.maps = map[string][]string{}
	}
	if r.maps[text] == nil {
		r.texts = append(r.texts, text)
	}
	r.maps[text] = append(r.maps[text], name)
}

// print prints one line for each reason, with the first maps.
func (r *reasons) print(a *kit.App) {
	const most = 3
	for _, text := range r.texts {
		names := r.maps[text]
		if len(names) == 1 {
			a.Note("%s is left out: %s", names[0], text)
			continue
		}
		list := strings.Join(names[:min(most, len(names))], ", ")
		if more := len(names) - most; more > 0 {
			list += fmt.Sprintf(" and %d more", more)
		}
		a.Note("%s are left out: %s: %s", question.Count(len(names), "map"), text, list)
	}
}

// unfit explains why a map does not belong in a list; "" if it does.
func unfit(m *maps.Map, list *campaigns.Playlist, twin string) string {
	switch g := m.Generation(); {
	case g == "":
		return "no server is known for the game that made it"
	case list.Game != "" && g != list.Game:
		return "it is a map of " + string(g) + ", and the others are of " + string(list.Game)
	case twin != "":
		return "it has the UID of " + twin
	}
	for _, f := range lint.Map(m, int64(len(m.File.Found()))) {
		if f.Severity == finding.Error {
			return f.Message
		}
	}
	return ""
}

var mapListReport = kit.NewReport[createdList]("map.list", "", "the new list of maps for a server")

type createdList struct {
	kit.Made
	Game    string `json:"game" doc:"game of the maps"`
	Maps    int    `json:"map_count" doc:"number of maps in the list"`
	Omitted int    `json:"left_out" doc:"number of maps that do not belong in the list"`
}
