package nadeo

import (
	"strconv"

	"github.com/spf13/cobra"

	"pakbox/internal/answer/track"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
)

func init() { mapFamily.add((*app).mapDepsCommand) }

func (a *app) mapDepsCommand() *cobra.Command {
	many := shell.Many{Folders: true}
	params := track.MapDeps.NewParams()
	var rows shell.Columns
	cmd := &cobra.Command{
		Use:   "deps MAP...",
		Short: "List what a map needs besides itself: skins, mods, music, items",
		Long: `Deps lists the files that a map uses and does not bring along: skins, mods,
music, signs, items that are used but not embedded, and files that only its
header lists. It shows how often the map uses each file, and the address where
players get it. pakbox contacts none of these addresses.

With --in it looks for them in a player's folder, such as Documents/Trackmania,
and says which are absent; the exit code is 1 if one is.`,
		Example: `  pakbox map deps A.Map.Gbx
  pakbox map deps --in Documents/Trackmania maps
  pakbox map deps --csv maps > needed.csv`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if params.In != "" && !source.IsFolder(params.In) {
				return hint.Usagef("--in %s: there is no such folder", params.In)
			}
			return askRows(a, cmd, many, args, "with something absent", track.MapDeps, params, &rows, track.DependencyFacts, (*app).printDeps)
		},
	}
	many.Flags(cmd)
	rows.Flags(cmd, track.DependencyFacts...)
	shell.Flags(cmd, track.MapDeps, &params)
	return cmd
}

func (a *app) printDeps(name string, d *track.Dependencies) error {
	if len(d.Dependencies) == 0 {
		a.Note("%s: needs nothing but itself", name)
		return nil
	}
	t := shell.Table{Right: 1}
	for _, n := range d.Dependencies {
		row := []string{strconv.Itoa(n.Uses) + " x", n.Kind}
		switch {
		case n.Absent():
			row = append(row, a.Paint(shell.Bad, "absent"))
		case n.Present != nil:
			row = append(row, a.Paint(shell.Good, "present"))
		}
		url := ""
		if n.URL != nil {
			url = *n.URL
		}
		t.Add(append(row, shell.Printable(n.Path), shell.Printable(url))...)
	}
	a.title(name)
	t.Print(a.Out)
	return nil
}
