package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/internal/answer/track"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/question"
	"pakbox/trackmania/maps"
)

func init() { mapFamily.add((*app).mapPasswordCommand) }

func (a *app) mapPasswordCommand() *cobra.Command {
	var save shell.Saving
	var many shell.Many
	var remove, mine bool
	cmd := &cobra.Command{
		Use:   "password MAP...",
		Short: "Tell whether a password protects a map, or take it off your own",
		Long: `Password tells whether a map needs a password to be edited. With --remove it
takes the password off. A password is how an author says that others should not
edit the map, so that needs --i-own-this-map.`,
		Example: `  pakbox map password A.Map.Gbx
  pakbox map password A.Map.Gbx --remove --i-own-this-map -o open.Map.Gbx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !remove {
				return ask(a, cmd, many, args, "", track.MapPassword, question.NoParams{}, (*app).printPassword)
			}
			if !mine {
				return hint.Usagef("a password may only be removed from your own map").Hint("if it is yours, add --i-own-this-map")
			}
			return a.editMaps(cmd, many, args, save, func(m *maps.Map) (*form.Object, error) {
				was := m.RemovePassword()
				return new(form.Object).Add("password", false).Add("was_set", was), nil
			})
		},
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "take the password off")
	cmd.Flags().BoolVar(&mine, "i-own-this-map", false, "confirm that the map is yours")
	many.Flags(cmd)
	save.Flags(cmd)
	return cmd
}

func (a *app) printPassword(name string, p *track.Password) error {
	text := "no password"
	if p.Password {
		text = "a password is set"
	}
	if !p.CRCOK {
		text += "; its checksum does not fit the map"
	}
	fmt.Fprintf(a.Out, "%s: %s\n", shell.Printable(name), text)
	return nil
}
