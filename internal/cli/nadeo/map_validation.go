package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/internal/answer/track"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/question"
	"pakbox/trackmania"
	"pakbox/trackmania/maps"
)

func init() { mapFamily.add((*app).mapValidationCommand) }

func (a *app) mapValidationCommand() *cobra.Command {
	var save shell.Saving
	var many shell.Many
	var remove bool
	cmd := &cobra.Command{
		Use:   "validation MAP...",
		Short: "Show the run that validated a map, or take it off",
		Long: `Validation shows whether a map is validated, the author time, and the run in the
map that proves it: its time and driver. With --remove it takes the run, the author
time and the mark off, so that the map must be driven again before it is published.
The other medals stay. 'pakbox replay ghosts' saves the run as a file, and 'pakbox
replay check' judges it.`,
		Example: `  pakbox map validation A.Map.Gbx
  pakbox map validation A.Map.Gbx --remove -o open.Map.Gbx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !remove {
				return ask(a, cmd, many, args, "", track.MapValidation, question.NoParams{}, (*app).printValidation)
			}
			return a.editMaps(cmd, many, args, save, func(m *maps.Map) (*form.Object, error) {
				was := m.RemoveValidation()
				return new(form.Object).Add("validated", false).Add("was_validated", was.Marked).Add("removed_ghost", was.Ghost), nil
			})
		},
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "take run, author time and mark off")
	many.Flags(cmd)
	save.Flags(cmd)
	return cmd
}

func (a *app) printValidation(name string, v *track.Validation) error {
	text := "not validated"
	if v.Validated {
		text = "validated"
	}
	if v.AuthorTime != nil {
		text += ", author time " + trackmania.TimeText(gbx.Time(*v.AuthorTime))
	}
	if v.Ghost == nil {
		text += ", no run in the map"
	} else {
		t := gbx.NoTime
		if v.Ghost.RaceTime != nil {
			t = gbx.Time(*v.Ghost.RaceTime)
		}
		text += fmt.Sprintf(", driven in %s by %s", trackmania.TimeText(t), shell.Printable(trackmania.Plain(v.Ghost.Nick)+" ("+v.Ghost.Login+")"))
	}
	fmt.Fprintf(a.Out, "%s: %s\n", shell.Printable(name), text)
	return nil
}
