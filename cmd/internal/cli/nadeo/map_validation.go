package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/gbx"
	"pakbox/nadeo"
)

func mapValidationCommand(a *kit.App) *cobra.Command {
	save := kit.Output{InPlace: true}
	var many kit.Many
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
				return ask(a, cmd, many, args, "", answers.MapValidation, question.NoParams{}, printValidation)
			}
			return kit.Change(a, cmd, many, args, save, answers.RemoveMapValidation, question.NoParams{})
		},
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "take run, author time and mark off")
	many.Flags(cmd)
	save.Flags(cmd)
	return cmd
}

func printValidation(a *kit.App, name string, v *answers.Validation) error {
	text := "not validated"
	if v.Validated {
		text = "validated"
	}
	if v.AuthorTime != nil {
		text += ", author time " + nadeo.TimeText(gbx.Time(*v.AuthorTime))
	}
	if v.Ghost == nil {
		text += ", no run in the map"
	} else {
		t := gbx.NoTime
		if v.Ghost.RaceTime != nil {
			t = gbx.Time(*v.Ghost.RaceTime)
		}
		text += fmt.Sprintf(", driven in %s by %s", nadeo.TimeText(t), kit.Printable(nadeo.Plain(v.Ghost.Nick)+" ("+v.Ghost.Login+")"))
	}
	fmt.Fprintf(a.Out, "%s: %s\n", kit.Printable(name), text)
	return nil
}
