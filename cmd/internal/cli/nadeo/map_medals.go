package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/nadeo/maps"
)

func mapMedalsCommand(a *kit.App) *cobra.Command {
	save := kit.Output{InPlace: true}
	var many kit.Many
	set := nadeo.SetMapMedals.NewParams()
	cmd := &cobra.Command{
		Use:   "medals MAP...",
		Short: "Show or change the times of the medals",
		Long: `Medals shows the times of the medals, and changes those that a flag gives: in the
header, in the XML there, and in the body. A time is 0:36.217, a number of
milliseconds, or none. +6% is six percent more than the author time, rounded up to
a whole second, as the editors do. On Stunts and Platform maps a medal is a number
of points or respawns, except the author medal before Trackmania (2020).`,
		Example: `  pakbox map medals A.Map.Gbx
  pakbox map medals A.Map.Gbx --gold 0:41.000 --silver 0:48.000
  pakbox map medals -r maps --gold +6% --silver +20% --bronze +50%`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if set == nadeo.SetMapMedals.NewParams() {
				return ask(a, cmd, many, args, "", nadeo.MapMedals, question.NoParams{}, printMedals)
			}
			return kit.Change(a, cmd, many, args, save, nadeo.SetMapMedals, set)
		},
	}
	kit.Flags(cmd, nadeo.SetMapMedals, &set)
	many.Flags(cmd)
	save.Flags(cmd)
	return cmd
}

func printMedals(a *kit.App, name string, m *nadeo.Medals) error {
	title(a, name)
	for i, text := range m.Values.Texts(m.Scoring) {
		fmt.Fprintf(a.Out, "%-7s %s\n", maps.MedalNames[i], text)
	}
	return nil
}
