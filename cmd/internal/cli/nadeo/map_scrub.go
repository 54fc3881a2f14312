package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
)

func mapScrubCommand(a *kit.App) *cobra.Command {
	var many kit.Many
	save := kit.Output{InPlace: true}
	cmd := &cobra.Command{
		Use:   "scrub MAP...",
		Short: "List personal data in a map, or write a copy without it",
		Long: `Scrub lists personal data in a map besides its author's name: paths of
their computers, such as C:\Users\Ada\..., and the logins of those who made the
embedded items.

With -o or -C it writes a copy in which paths begin at the player's folder and
makers are called "anonymous"; the map itself is never changed. Of replays and
ghosts it lists who drove: a recorded run is evidence, and no copy of it is made.`,
		Example: `  pakbox map scrub maps
  pakbox map scrub A.Map.Gbx -o clean.Map.Gbx
  pakbox map scrub -r maps -C clean`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if save.Given() {
				return kit.Change(a, cmd, many, args, save, nadeo.ScrubMap, question.NoParams{})
			}
			if save.DryRun || save.Backup {
				return fault.Usagef("scrub writes copies; say where with -o FILE or -C DIR")
			}
			return ask(a, cmd, many, args, "", nadeo.MapScrub, question.NoParams{}, listPersonal)
		},
	}
	many.Flags(cmd)
	save.Flags(cmd)
	cmd.Flags().Lookup("output").Usage = "write the cleaned map to `FILE`; of several maps to a name such as '{name} clean.Map.Gbx'"
	cmd.Flags().Lookup("directory").Usage = "write the cleaned maps into `DIR`"
	return cmd
}

func listPersonal(a *kit.App, name string, found *nadeo.Personal) error {
	if len(found.Personal) == 0 {
		a.Note("%s: nothing about people but its author", name)
		return nil
	}
	title(a, name)
	t := kit.Table{}
	for _, p := range found.Personal {
		new := ""
		if p.New != "" {
			new = fmt.Sprintf("-> %s", kit.Printable(p.New))
		}
		t.Add(p.Kind, kit.Printable(p.Where), kit.Printable(p.Value), new)
	}
	t.Print(a.Out)
	return nil
}
