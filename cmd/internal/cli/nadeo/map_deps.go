package nadeo

import (
	"strconv"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

func mapDepsCommand(a *kit.App) *cobra.Command {
	many := kit.Many{Folders: true}
	params := nadeo.MapDeps.NewParams()
	var rows kit.Columns
	cmd := &cobra.Command{
		Use:   "deps MAP...",
		Short: "List what a map needs besides itself: skins, mods, music, items",
		Long: `Deps lists the files that a map uses and does not embed: skins, mods,
music, signs, items that are used but not embedded, and files that only its
header lists. It shows how often the map uses each file, and the address where
players get it. pakbox contacts none of these addresses.

With --in it looks for them in a player's folder, such as Documents/Trackmania,
and lists the missing ones; the exit code is 1 if one is.`,
		Example: `  pakbox map deps A.Map.Gbx
  pakbox map deps --in Documents/Trackmania maps
  pakbox map deps --csv maps > needed.csv`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if params.In != "" && !source.IsFolder(params.In) {
				return fault.Usagef("--in %s: folder not found", params.In)
			}
			return askRows(a, cmd, many, args, "with something absent", nadeo.MapDeps, params, &rows, nadeo.DependencyFacts, printDeps)
		},
	}
	many.Flags(cmd)
	rows.Flags(cmd, nadeo.DependencyFacts...)
	kit.Flags(cmd, nadeo.MapDeps, &params)
	return cmd
}

func printDeps(a *kit.App, name string, d *nadeo.Dependencies) error {
	if len(d.Dependencies) == 0 {
		a.Note("%s: needs nothing but itself", name)
		return nil
	}
	t := kit.Table{Right: 1}
	for _, n := range d.Dependencies {
		row := []string{strconv.Itoa(n.Uses) + " x", n.Kind}
		switch {
		case n.Absent():
			row = append(row, a.Paint(kit.Bad, "absent"))
		case n.Present != nil:
			row = append(row, a.Paint(kit.Good, "present"))
		}
		url := ""
		if n.URL != nil {
			url = *n.URL
		}
		t.Add(append(row, kit.Printable(n.Path), kit.Printable(url))...)
	}
	title(a, name)
	t.Print(a.Out)
	return nil
}
