package nadeo

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/nadeo/maps"
)

func mapSetCommand(a *kit.App) *cobra.Command {
	save := kit.Output{InPlace: true}
	var many kit.Many
	params := nadeo.SetMapFacts.NewParams()
	cmd := &cobra.Command{
		Use:        "set MAP... FACT=VALUE...",
		SuggestFor: []string{"mood", "author", "laps", "vehicle", "car", "mod", "music", "comment", "type", "title"},
		Short:      "Change facts of a map by their names",
		Long: `Set changes facts of maps. A FACT has the name that 'pakbox info --json' gives
it. The new value is written to every place that states the fact: to chunks of the
header, to the XML of the header, and to the body. Everything else keeps its bytes.
These facts can be set:

` + settableFacts() + `
A mood, decoration, vehicle, title or map type that no game knows is refused. Name,
comment and logins are free. Dates, sizes and counts follow from other parts of the
file. Paths of other values are for 'pakbox set'; a thumbnail is set by
'pakbox map thumbnail'.`,
		Example: `  pakbox map set A.Map.Gbx mood=Sunset
  pakbox map set A.Map.Gbx author_login=me author_nick='$f00Me' is_lap_race=yes laps=3
  pakbox map set -r maps -C night mood=Night --dry-run
  pakbox map set A.Map.Gbx vehicle=CarSnow gold=0:41.000`,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, rest := kit.SplitFiles(args, func(arg string) bool { return !strings.Contains(arg, "=") })
			if _, err := nadeo.ParseFacts(rest); err != nil { // once, and not for each map
				return err
			}
			params.Facts = rest
			return kit.Change(a, cmd, many, files, save, nadeo.SetMapFacts, params)
		},
	}
	many.Flags(cmd)
	save.Flags(cmd)
	return cmd
}

// settableFacts lists the facts that can be set, with their further names.
func settableFacts() string {
	var list strings.Builder
	for _, f := range maps.Facts.Facts {
		if !f.Settable {
			continue
		}
		fmt.Fprintf(&list, "  %-15s %s\n", f.Name, f.Doc)
	}
	return list.String()
}
