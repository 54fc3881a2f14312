package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/gbx/engine"
	"pakbox/internal/answer/track"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/question"
	"pakbox/trackmania/maps"
)

func init() { mapFamily.add((*app).mapScrubCommand) }

func (a *app) mapScrubCommand() *cobra.Command {
	var many shell.Many
	var save shell.Saving
	cmd := &cobra.Command{
		Use:   "scrub MAP...",
		Short: "List what in a map tells about people, or write a copy without it",
		Long: `Scrub lists what a map tells about people besides its author's name: paths of
their computers, such as C:\Users\Ada\..., and the logins of those who made the
items that it brings along.

With -o or -C it writes a copy in which paths begin at the player's folder and
makers are called "anonymous"; the map itself is never changed. Of replays and
ghosts it lists who drove: a recorded run is evidence, and no copy of it is made.`,
		Example: `  pakbox map scrub maps
  pakbox map scrub A.Map.Gbx -o clean.Map.Gbx
  pakbox map scrub -r maps -C clean`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if save.Given() {
				return a.editMaps(cmd, many, args, save, scrub)
			}
			if save.DryRun || save.Backup {
				return hint.Usagef("scrub writes copies; say where with -o FILE or -C DIR")
			}
			return ask(a, cmd, many, args, "", track.MapScrub, question.NoParams{}, (*app).listPersonal)
		},
	}
	many.Flags(cmd)
	save.Flags(cmd)
	cmd.Flags().Lookup("output").Usage = "write the cleaned map to `FILE`; of several maps to a name such as '{name} clean.Map.Gbx'"
	cmd.Flags().Lookup("directory").Usage = "write the cleaned maps into `DIR`"
	return cmd
}

func scrub(m *maps.Map) (*form.Object, error) {
	removed, err := m.Scrub(engine.Registry())
	return new(form.Object).Add("removed", append([]maps.Personal{}, removed...)), err
}

func (a *app) listPersonal(name string, found *track.Personal) error {
	if len(found.Personal) == 0 {
		a.Note("%s: nothing about people but its author", name)
		return nil
	}
	a.title(name)
	t := shell.Table{}
	for _, p := range found.Personal {
		new := ""
		if p.New != "" {
			new = fmt.Sprintf("-> %s", shell.Printable(p.New))
		}
		t.Add(p.Kind, shell.Printable(p.Where), shell.Printable(p.Value), new)
	}
	t.Print(a.Out)
	return nil
}
