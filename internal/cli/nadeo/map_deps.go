package nadeo

import (
	"strconv"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
	"pakbox/trackmania/maps"
)

func (a *app) mapDepsCommand() *cobra.Command {
	many := shell.Many{Folders: true}
	var dir string
	cmd := &cobra.Command{
		Use:   "deps MAP...",
		Short: "List what a map needs besides itself: skins, mods, music, items",
		Long: `Deps lists the files that a map uses and does not bring along: skins, mods, music,
signs, items that are used but not embedded, and what only its header lists; how
often it uses each, and where players get it. Nothing is contacted.

With --in it looks for them in a player's folder, such as Documents/Trackmania,
and says which are absent; the exit code is 1 if one is.`,
		Example: `  pakbox map deps A.Map.Gbx
  pakbox map deps --in Documents/Trackmania maps`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			if dir != "" && !source.IsFolder(dir) {
				return hint.Usagef("--in %s: there is no such folder", dir)
			}
			return a.lookAtMaps(cmd, many, args, "with something absent", func(a *app, name string, m *maps.Map) error {
				return a.deps(name, m, dir)
			})
		},
	}
	many.Flags(cmd)
	cmd.Flags().StringVar(&dir, "in", "", "look for the files in `DIR`, the game's folder of a player")
	return cmd
}

func (a *app) deps(name string, m *maps.Map, dir string) error {
	list, err := answer.NeededBy(m, dir)
	if err != nil {
		return err
	}
	t := shell.Table{Right: 1}
	absent := false
	for _, n := range list {
		state := ""
		switch {
		case n.Absent():
			state, absent = a.Paint(shell.Bad, "absent"), true
		case n.Present != nil:
			state = a.Paint(shell.Good, "present")
		}
		url := ""
		if n.URL != nil {
			url = *n.URL
		}
		row := []string{strconv.Itoa(n.Uses) + " x", n.Kind}
		if dir != "" {
			row = append(row, state)
		}
		t.Add(append(row, shell.Printable(n.Path), shell.Printable(url))...)
	}
	switch {
	case a.JSON:
		err = a.Print(answer.DepsObject(name, list))
	case len(list) == 0:
		a.Note("%s: needs nothing but itself", name)
	default:
		a.title(name)
		t.Print(a.Out)
	}
	if err == nil && absent {
		return shell.ErrFound
	}
	return err
}
