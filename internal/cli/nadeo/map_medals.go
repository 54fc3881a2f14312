package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/internal/answer/track"
	"pakbox/internal/change"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/question"
	"pakbox/trackmania/maps"
)

func init() { mapFamily.add((*app).mapMedalsCommand) }

func (a *app) mapMedalsCommand() *cobra.Command {
	var save shell.Saving
	var many shell.Many
	var set [4]string
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
			if set == [4]string{} {
				return ask(a, cmd, many, args, "", track.MapMedals, question.NoParams{}, (*app).printMedals)
			}
			return a.editMaps(cmd, many, args, save, func(m *maps.Map) (*form.Object, error) {
				if err := change.SetMedals(m, set); err != nil {
					return nil, err
				}
				return new(form.Object).Add("medals", track.MedalsOf(m).Medals), nil
			})
		},
	}
	for i, n := range maps.MedalNames {
		cmd.Flags().StringVar(&set[i], n, "", "set the "+n+" medal to `TIME`")
	}
	many.Flags(cmd)
	save.Flags(cmd)
	return cmd
}

func (a *app) printMedals(name string, m *track.Medals) error {
	a.title(name)
	for i, text := range m.Values.Texts(m.Scoring) {
		fmt.Fprintf(a.Out, "%-7s %s\n", maps.MedalNames[i], text)
	}
	return nil
}
